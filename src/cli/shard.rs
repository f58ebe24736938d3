//! The option `--shard` of several commands.

use crate::util::shard::Shard;

/// Says if a part of a job has nothing to do because there are more parts than items.
pub(super) fn warn_if_empty(shard: Shard, length: usize, items: &str) {
    if length > 0 && shard.range(length as u64).is_empty() {
        log::warn!("--shard {shard}: this part is empty, since there are {length} {items} in all");
    }
}
