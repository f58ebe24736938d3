//! A file of records that grows in their order and survives a crash at any time.
//!
//! Lines are only appended. They are valid once the [`ProgressFile`] records them, which is
//! replaced atomically after the lines have reached the disk, so that it never records
//! more than there is. It is also written before them, with their length: at most as many bytes
//! beyond the valid ones are the beginning of a batch that was being written when the program
//! died. They are cut off, and those records are made again. With more bytes, which others
//! have added, or without a progress file, the file stays unchanged.
//!
//! In a compressed file each batch is a gzip member of its own, since only a complete
//! member can be read back.

use std::fmt::Debug;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use flate2::{Crc, CrcReader};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use thiserror::Error;

use crate::util::gzip;
use crate::util::output_file::OutputFile;
use crate::util::progress_file::ProgressFile;
use crate::util::reserved_file::ReservedFile;
use crate::util::state_file::{self, StateFileError, progress_path};

/// The maximum size of a progress file.
const MAX_PROGRESS_BYTES: u64 = 1 << 20;

/// Time between writes. Each write waits for the disk, and gzip compresses a single record
/// badly; but records that are not yet written are lost if the program is killed.
const WRITE_INTERVAL: Duration = Duration::from_secs(1);

/// The settings that no option decides.
const COMMAND: &str = "command";
const VERSION: [&str; 2] = ["version", "signature"];

/// How many records a file has, by kinds.
pub trait RecordCounts: Copy + Debug + Default + PartialEq + Serialize + DeserializeOwned {
    /// The command that writes the file.
    const COMMAND: &'static str;
    /// What it calls the records.
    const RECORDS: &'static str;
}

/// Why a file cannot be used for records. Some errors name the command or the records.
#[derive(Debug, Error)]
pub enum StoreError {
    #[error(transparent)]
    File(#[from] StateFileError),
    #[error(
        "{} exists but was not written by {command}, since there is no {}; choose another file",
        .path.display(), progress_path(.path).display()
    )]
    Foreign { path: PathBuf, command: &'static str },
    #[error("{} was written by {found}, not by {command}; choose another file", .path.display())]
    OtherCommand { path: PathBuf, found: String, command: &'static str },
    #[error(
        "{} was begun by another version of Lovec, whose {records} may differ; choose another file",
        .path.display()
    )]
    OtherVersion { path: PathBuf, records: &'static str },
    #[error(
        "{} has lost {records}: it has {length} bytes, but {} records {recorded}; to start again, \
         remove both files",
        .path.display(), progress_path(.path).display()
    )]
    Short { path: PathBuf, records: &'static str, length: u64, recorded: u64 },
    #[error(
        "{} was changed: its first {length} bytes do not match {}; to start again, remove both \
         files",
        .path.display(), progress_path(.path).display()
    )]
    Changed { path: PathBuf, length: u64 },
    #[error(
        "{} has {surplus} bytes that {command} has not written; remove them or choose another file",
        .path.display()
    )]
    Surplus { path: PathBuf, command: &'static str, surplus: u64 },
    #[error(
        "{} was removed or replaced while {command} was writing to it; its {records} are lost",
        .path.display()
    )]
    Gone { path: PathBuf, command: &'static str, records: &'static str },
    #[error("{} was changed by another program; writing to it has stopped", .0.display())]
    Disturbed(PathBuf),
}

/// The records in a file before and after a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreSummary<C> {
    pub found: C,
    pub counts: C,
}

/// A file of records, reserved for this process.
#[derive(Debug)]
pub struct Store<C> {
    path: PathBuf,
    file: ReservedFile,
    /// What the file has.
    progress: ProgressFile<C>,
    /// The CRC-32 of the valid bytes.
    checksum: Crc,
    /// Whether there are no bytes beyond the valid ones.
    is_open: bool,
    /// What is to be written, and when something was written before.
    batch: String,
    written: Instant,
    summary: StoreSummary<C>,
}

impl<C: RecordCounts> Store<C> {
    /// Reserves the file at `path` and checks that a run with these settings can continue it.
    /// Changes nothing yet.
    pub fn find(path: &Path, mut settings: Map<String, Value>) -> Result<Self, StoreError> {
        let (command, records, path) = (C::COMMAND, C::RECORDS, path.to_owned());
        settings.insert(COMMAND.to_owned(), command.into());
        settings.insert("gzip".to_owned(), gzip::is_compressed(&path).into());
        // First reserve the file: another process may be replacing the progress file.
        let mut file = state_file::reserve(command, &path)?;
        let progress_path = progress_path(&path);
        // Checked now, since records take long and each write replaces the progress file.
        OutputFile::prepare(&progress_path)
            .map_err(|error| StateFileError::not_written(&progress_path, error))?;
        let read_failed = |error| StateFileError::Read { path: path.clone(), error };
        let length = file.file().metadata().map_err(read_failed)?.len();
        let found = state_file::read::<ProgressFile<Map<String, Value>>>(
            &progress_path,
            MAX_PROGRESS_BYTES,
        )?;
        let mut checksum = Crc::new();
        let progress = if let Some(progress) = found {
            check_settings::<C>(&path, &progress.settings, &settings)?;
            let progress = progress
                .read_counts()
                .map_err(|error| StateFileError::damaged(&progress_path, error))?;
            let recorded = progress.bytes;
            if length < recorded {
                return Err(StoreError::Short { path, records, length, recorded });
            }
            let surplus = length - recorded;
            if surplus > progress.pending {
                return Err(StoreError::Surplus { path, command, surplus });
            }
            checksum = checksum_of(&mut file, recorded).map_err(read_failed)?;
            if checksum.sum() != progress.checksum {
                return Err(StoreError::Changed { path, length: recorded });
            }
            progress
        } else if length > 0 {
            return Err(StoreError::Foreign { path, command });
        } else {
            ProgressFile { settings, ..ProgressFile::default() }
        };
        let summary = StoreSummary { found: progress.counts, counts: progress.counts };
        let (is_open, batch, written) = (false, String::new(), Instant::now());
        Ok(Self { path, file, progress, checksum, is_open, batch, written, summary })
    }

    /// The records that the file had and those that it has, with the added ones.
    pub fn summary(&self) -> StoreSummary<C> {
        self.summary
    }

    /// Prepares the file for appending, without invalid bytes. There is then a file, though it
    /// may be without records.
    pub fn open(&mut self) -> Result<(), StoreError> {
        if !self.is_open {
            cut_to(&mut self.file, self.progress.bytes).map_err(|error| self.not_written(error))?;
            self.progress.pending = 0;
            self.record(&self.progress)?;
            self.file.keep();
            self.is_open = true;
        }
        Ok(())
    }

    /// Adds records by their lines and with the counts that the file then has. They are
    /// written once a second has passed since the last write.
    pub fn add(&mut self, lines: &str, counts: C) -> Result<(), StoreError> {
        self.batch.push_str(lines);
        self.summary.counts = counts;
        if self.written.elapsed() >= WRITE_INTERVAL { self.flush() } else { Ok(()) }
    }

    /// Writes the added records; they are on the disk once this returns. Without any it only
    /// checks that the file still exists.
    pub fn flush(&mut self) -> Result<(), StoreError> {
        self.check()?;
        if self.summary.counts == self.progress.counts {
            return Ok(());
        }
        self.open()?;
        let batch = encode(&self.batch, gzip::is_compressed(&self.path))
            .map_err(|error| self.not_written(error))?;
        let mut progress = self.progress.clone();
        progress.pending = batch.len() as u64;
        self.record(&progress)?;
        let file = self.file.file();
        let written = file.write_all(&batch).and_then(|()| file.sync_data());
        written.map_err(|error| self.not_written(error))?;

        self.checksum.update(&batch);
        progress.bytes += progress.pending;
        progress.pending = 0;
        progress.checksum = self.checksum.sum();
        progress.counts = self.summary.counts;
        self.record(&progress)?;
        self.progress = progress;
        self.batch.clear();
        self.written = Instant::now();
        self.check()
    }

    /// Replaces the progress file.
    fn record(&self, progress: &ProgressFile<C>) -> Result<(), StateFileError> {
        state_file::write(&progress_path(&self.path), progress)
    }

    /// Fails if the file has been removed, replaced or changed.
    fn check(&mut self) -> Result<(), StoreError> {
        if !self.file.is_in_place().map_err(|error| self.not_written(error))? {
            let (path, command, records) = (self.path.clone(), C::COMMAND, C::RECORDS);
            return Err(StoreError::Gone { path, command, records });
        }
        let metadata = self.file.file().metadata().map_err(|error| self.not_written(error))?;
        let ProgressFile { bytes, pending, .. } = self.progress;
        if !(bytes..=bytes.saturating_add(pending)).contains(&metadata.len()) {
            return Err(StoreError::Disturbed(self.path.clone()));
        }
        Ok(())
    }

    fn not_written(&self, error: io::Error) -> StateFileError {
        StateFileError::not_written(&self.path, error)
    }
}

/// Rejects settings that would give other records than those in the file.
fn check_settings<C: RecordCounts>(
    path: &Path,
    recorded: &Map<String, Value>,
    wanted: &Map<String, Value>,
) -> Result<(), StoreError> {
    let (command, records) = (C::COMMAND, C::RECORDS);
    if let Some(found) = recorded.get(COMMAND).and_then(Value::as_str).filter(|it| *it != command) {
        let (path, found) = (path.to_owned(), found.to_owned());
        return Err(StoreError::OtherCommand { path, found, command });
    }
    if VERSION.iter().any(|&name| recorded.get(name) != wanted.get(name)) {
        return Err(StoreError::OtherVersion { path: path.to_owned(), records });
    }
    Ok(state_file::check_settings(path, recorded, wanted, &[])?)
}

/// The checksum of the first `length` bytes of a file.
fn checksum_of(file: &mut ReservedFile, length: u64) -> io::Result<Crc> {
    file.file().rewind()?;
    let mut source = CrcReader::new(file.file().take(length));
    io::copy(&mut source, &mut io::sink())?;
    let mut checksum = Crc::new();
    checksum.combine(source.crc());
    Ok(checksum)
}

/// As [`ReservedFile::cut_to`], with a warning of what is dropped.
fn cut_to(file: &mut ReservedFile, bytes: u64) -> io::Result<()> {
    let surplus = file.file().metadata()?.len().saturating_sub(bytes);
    if surplus > 0 {
        log::warn!("dropped {surplus} bytes of an interrupted write");
    }
    file.cut_to(bytes)
}

/// The bytes of a batch of lines.
fn encode(lines: &str, compressed: bool) -> io::Result<Vec<u8>> {
    if !compressed || lines.is_empty() {
        return Ok(lines.into());
    }
    gzip::compressed(lines.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use flate2::read::MultiGzDecoder;
    use serde::Deserialize;
    use tempfile::tempdir;

    use super::*;

    #[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
    struct Counts {
        records: u64,
    }

    impl RecordCounts for Counts {
        const COMMAND: &'static str = "test";
        const RECORDS: &'static str = "records";
    }

    fn find(path: &Path) -> Result<Store<Counts>, StoreError> {
        Store::find(path, Map::from_iter([("seed".to_owned(), 1.into())]))
    }

    fn open(path: &Path) -> Store<Counts> {
        let mut store = find(path).unwrap();
        store.open().unwrap();
        store
    }

    /// A record with one line, which depends on the number.
    fn record(number: u32) -> String {
        format!("8/8/8/8/8/8/8/K1k5 w - - 0 1 | {number} | 1.0\n")
    }

    /// Appends these records at once.
    fn append(store: &mut Store<Counts>, numbers: &[u32]) -> Result<(), StoreError> {
        for &number in numbers {
            let records = store.summary().counts.records + 1;
            store.add(&record(number), Counts { records })?;
        }
        store.flush()
    }

    #[test]
    fn compressed_batches_are_read_as_one_file() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.gz");
        append(&mut open(&path), &[1, 2]).unwrap();
        append(&mut open(&path), &[3]).unwrap();
        let mut text = Vec::new();
        MultiGzDecoder::new(File::open(&path).unwrap()).read_to_end(&mut text).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), [1, 2, 3].map(record).concat());
    }

    #[test]
    fn a_crash_loses_only_the_last_batch() {
        let folder = tempdir().unwrap();
        for name in ["a.txt", "a.gz"] {
            let path = folder.path().join(name);
            append(&mut open(&path), &[1]).unwrap();
            let (data, progress) = (fs::read(&path).unwrap(), progress_path(&path));
            let mut before: Value =
                serde_json::from_str(&fs::read_to_string(&progress).unwrap()).unwrap();
            append(&mut open(&path), &[2]).unwrap();
            let (longer, after) =
                (fs::read(&path).unwrap(), fs::read_to_string(&progress).unwrap());
            before["pending"] = (longer.len() - data.len()).into();
            for length in (data.len()..longer.len()).step_by(7).chain([longer.len()]) {
                // The batch is incomplete, and perhaps a temporary progress file.
                fs::write(&path, &longer[..length]).unwrap();
                fs::write(&progress, before.to_string()).unwrap();
                fs::write(folder.path().join(".lovec-0.tmp"), &after[..length % after.len()])
                    .unwrap();
                let mut store = open(&path);
                assert_eq!(store.summary().counts.records, 1);
                assert_eq!(fs::read(&path).unwrap(), data);
                append(&mut store, &[2]).unwrap();
                assert_eq!(fs::read(&path).unwrap(), longer);
                assert_eq!(fs::read_to_string(&progress).unwrap(), after);
            }
        }
    }

    #[test]
    fn a_file_changed_by_others_is_not_written_to() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let mut store = open(&path);
        append(&mut store, &[1]).unwrap();
        fs::write(&path, "mine\n").unwrap();
        let error = append(&mut store, &[2]).unwrap_err();
        assert!(matches!(error, StoreError::Disturbed(_)), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine\n");
    }

    #[test]
    fn a_replaced_file_is_noticed() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let mut store = open(&path);
        append(&mut store, &[1]).unwrap();
        append(&mut store, &[]).unwrap();
        // On Windows an open file cannot be replaced.
        if cfg!(unix) {
            fs::copy(&path, folder.path().join("copy.txt")).unwrap();
            fs::rename(folder.path().join("copy.txt"), &path).unwrap();
            for numbers in [&[2][..], &[]] {
                let error = append(&mut store, numbers).unwrap_err();
                assert!(matches!(error, StoreError::Gone { .. }), "{error}");
            }
            assert_eq!(fs::read(&path).unwrap(), record(1).into_bytes());
            fs::remove_file(&path).unwrap();
            let error = append(&mut store, &[2]).unwrap_err();
            assert!(matches!(error, StoreError::Gone { .. }), "{error}");
            assert!(!path.exists());
        }
    }

    #[test]
    fn changed_bytes_are_noticed() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.txt");
        append(&mut open(&path), &[1]).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        for changed in ["x".repeat(text.len()), text.replacen(" | 1.0", " | 0.0", 1)] {
            assert_ne!(changed, text);
            fs::write(&path, &changed).unwrap();
            let error = find(&path).unwrap_err();
            assert!(matches!(error, StoreError::Changed { .. }), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), changed);
        }
        fs::write(&path, text).unwrap();
        append(&mut open(&path), &[2]).unwrap();
    }

    #[test]
    fn a_file_is_reserved_for_one_process() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let mut store = find(&path).unwrap();
        let second = find(&path).unwrap_err();
        assert!(matches!(second, StoreError::File(StateFileError::Busy { .. })), "{second}");
        store.open().unwrap();
        append(&mut store, &[1]).unwrap();
        let contents = || [path.clone(), progress_path(&path)].map(|it| fs::read(it).unwrap());
        let before = contents();
        assert_eq!(find(&path).unwrap_err().to_string(), second.to_string());
        assert!(contents() == before && fs::read_dir(&folder).unwrap().count() == 2);
        drop(store);
        find(&path).unwrap();
    }

    #[test]
    fn finding_a_file_changes_nothing() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.txt");
        find(&path).unwrap().flush().unwrap();
        assert!(!path.exists() && !progress_path(&path).exists());
    }
}
