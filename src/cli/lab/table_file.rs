//! The table of a row in a file, so that it is kept between games.

use std::path::Path;
use std::time::SystemTime;

use anyhow::{Context, Result, ensure};

use crate::cli::outputs::{ForceArg, PreparedOutput, not_written};
use crate::lab::Row;
use crate::lab::game::Evaluation;
use crate::lab::player::RowPlayer;
use crate::lab::table::BoundTable;
use crate::lab::table::file::MAX_FILE_BYTES;
use crate::util::input_file;
use crate::util::sync::lock;

/// A file whose table is read before games and written after them.
pub(super) struct TableFile {
    output: PreparedOutput,
    /// What was read.
    found: Option<FileState>,
}

impl TableFile {
    /// Reads the table of a player from a file; one without an old file begins with none.
    pub fn open(path: &Path, player: &RowPlayer) -> Result<Self> {
        let exists = path.symlink_metadata().is_ok();
        ensure_kept(&player.row)?;
        let output = PreparedOutput::new(path, ForceArg { force: exists })?;
        let found = FileState::of(path);
        if exists {
            *lock(&player.table) = Some(read(path, &player.row, &player.evaluation)?);
        }
        Ok(Self { output, found })
    }

    /// Writes the table. If no search has made one, the file stays as it is. So it does if
    /// another program has written it meanwhile: the table then takes the next free name, which
    /// the error tells.
    pub fn save(self, player: &RowPlayer) -> Result<()> {
        if let Some(table) = &*lock(&player.table) {
            let bytes = player.row.encode_table(table, &player.evaluation);
            let length = bytes.len() as u64;
            ensure!(
                length <= MAX_FILE_BYTES,
                "{}: the table takes {length} bytes, {MAX_FILE_BYTES} at most",
                not_written(&self.output.path)
            );
            let mut staged = self.output.stage(&bytes)?;
            if FileState::of(&self.output.path) != self.found {
                staged = staged.as_new();
            }
            self.output.place(staged)?;
        }
        Ok(())
    }
}

/// What tells a file from one that has replaced it, or that was written to.
#[derive(PartialEq, Eq)]
struct FileState {
    bytes: u64,
    modified: Option<SystemTime>,
}

impl FileState {
    /// `None` if there is no file.
    fn of(path: &Path) -> Option<Self> {
        let metadata = path.symlink_metadata().ok()?;
        Some(Self { bytes: metadata.len(), modified: metadata.modified().ok() })
    }
}

fn ensure_kept(row: &Row) -> Result<()> {
    ensure!(
        row.keeps_table(),
        "--table-file is for a row that keeps its table, as ab:table=1000000:keep; {} does not",
        row.name()
    );
    Ok(())
}

/// Reads the table of a row from a file.
pub(super) fn read(path: &Path, row: &Row, evaluation: &Evaluation) -> Result<BoundTable> {
    ensure_kept(row)?;
    let name = path.display();
    let bytes =
        input_file::read(path, MAX_FILE_BYTES).with_context(|| format!("cannot read {name}"))?;
    row.decode_table(&bytes, evaluation)
        .with_context(|| format!("{name} is no table for {}", row.name()))
}
