//! How much memory the machine has.
//!
//! An operating system that promises memory generously lets a far too large
//! transposition table be allocated and ends the process when the table is
//! filled. The size is therefore compared with the physical memory first, where
//! the system tells it in a file; elsewhere the allocation decides alone.

use std::fs;

/// The memory that this process may use, in MiB, or `None` where that is not
/// known: the machine's, or the limit of the container if that is smaller.
pub fn physical_mib() -> Option<usize> {
    let machine = total_kib(&fs::read_to_string("/proc/meminfo").ok()?)? / 1024;
    let container = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        .iter()
        .find_map(|path| limit_mib(&fs::read_to_string(path).ok()?));
    Some(container.map_or(machine, |limit| machine.min(limit)))
}

/// The number of the line `MemTotal:  24609468 kB`.
fn total_kib(meminfo: &str) -> Option<usize> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

/// A limit in bytes; the word `max` means that there is none.
fn limit_mib(limit: &str) -> Option<usize> {
    limit.trim().parse::<u64>().ok().map(|bytes| (bytes >> 20) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_kernel_files() {
        assert_eq!(total_kib("MemTotal:       24609468 kB\nMemFree: 5 kB\n"), Some(24_609_468));
        assert_eq!(total_kib("nothing"), None);
        assert_eq!(limit_mib("1073741824\n"), Some(1024));
        assert_eq!(limit_mib("max\n"), None);
    }
}
