//! The file of samples, which survives a crash at any time.
//!
//! Lines are only appended. They are valid once the [`ProgressFile`] records them, which is
//! replaced atomically after the lines have reached the disk, so that it never records
//! more than there is. It is also written before them, with their length: at most as many bytes
//! beyond the valid ones are the beginning of a batch that was being written when the program
//! died. They are cut off, and those games are played again. With more bytes, which others
//! have added, or without a progress file, the file stays unchanged.
//!
//! In a compressed file each batch is a gzip member of its own, since only a complete
//! member can be read back.

use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use flate2::{Crc, CrcReader};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::datagen::game::Game;
use crate::datagen::progress_file::{GameCounts, ProgressFile};
use crate::util::gzip;
use crate::util::output_file::OutputFile;
use crate::util::reserved_file::ReservedFile;
use crate::util::state_file::{self, StateFileError, progress_path};

/// The maximum size of a progress file.
const MAX_PROGRESS_BYTES: u64 = 1 << 20;

/// The settings that no option decides.
const VERSION: [&str; 2] = ["version", "signature"];

/// Why a file cannot be used for samples.
#[derive(Debug, Error)]
pub enum StoreError {
    #[error(transparent)]
    File(#[from] StateFileError),
    #[error(
        "{} exists but was not written by datagen, since there is no {}; choose another file",
        .0.display(), progress_path(.0).display()
    )]
    Foreign(PathBuf),
    #[error(
        "{} was begun by another version of Lovec, whose games may differ; choose another file",
        .0.display()
    )]
    OtherVersion(PathBuf),
    #[error(
        "{} has lost games: it has {length} bytes, but {} records {recorded}; to start again, \
         remove both files",
        .path.display(), progress_path(.path).display()
    )]
    Short { path: PathBuf, length: u64, recorded: u64 },
    #[error(
        "{} was changed: its first {length} bytes do not match {}; to start again, remove both \
         files",
        .path.display(), progress_path(.path).display()
    )]
    Changed { path: PathBuf, length: u64 },
    #[error(
        "{} has {surplus} bytes that datagen has not written; remove them or choose another file",
        .path.display()
    )]
    Surplus { path: PathBuf, surplus: u64 },
    #[error(
        "{} was removed or replaced while datagen was writing to it; its games are lost",
        .0.display()
    )]
    Gone(PathBuf),
    #[error("{} was changed by another program; writing to it has stopped", .0.display())]
    Disturbed(PathBuf),
}

/// A file of samples, reserved for this process.
#[derive(Debug)]
pub(super) struct Store {
    path: PathBuf,
    file: ReservedFile,
    progress: ProgressFile,
    /// The CRC-32 of the valid bytes.
    checksum: Crc,
}

impl Store {
    /// Reserves the file at `path` and checks that a run with these options can continue it.
    /// Changes nothing yet.
    pub fn find(path: &Path, mut options: Map<String, Value>) -> Result<Self, StoreError> {
        let path = path.to_owned();
        options.insert("gzip".to_owned(), gzip::is_compressed(&path).into());
        // First reserve the file: another process may be replacing the progress file.
        let mut file = state_file::reserve("datagen", &path)?;
        let progress_path = progress_path(&path);
        // Checked now, since games take long and each write replaces the progress file.
        OutputFile::prepare(&progress_path)
            .map_err(|error| StateFileError::not_written(&progress_path, error))?;
        let read_failed = |error| StateFileError::Read { path: path.clone(), error };
        let length = file.file().metadata().map_err(read_failed)?.len();
        let found = state_file::read::<ProgressFile>(&progress_path, MAX_PROGRESS_BYTES)?;
        let Some(mut progress) = found else {
            if length > 0 {
                return Err(StoreError::Foreign(path));
            }
            let progress = ProgressFile { options, ..ProgressFile::default() };
            return Ok(Self { path, file, progress, checksum: Crc::new() });
        };
        // As version 1.0.0 calls them. Its files are refused for their signature.
        if let Some(openings) = progress.options.remove("book") {
            progress.options.insert("openings".to_owned(), openings);
        }
        check_options(&path, &progress.options, &options)?;
        let recorded = progress.bytes;
        if length < recorded {
            return Err(StoreError::Short { path, length, recorded });
        }
        let surplus = length - recorded;
        if surplus > progress.pending {
            return Err(StoreError::Surplus { path, surplus });
        }
        let checksum = checksum(&mut file, recorded).map_err(read_failed)?;
        if checksum.sum() != progress.checksum {
            return Err(StoreError::Changed { path, length: recorded });
        }
        Ok(Self { path, file, progress, checksum })
    }

    pub fn counts(&self) -> &GameCounts {
        &self.progress.counts
    }

    /// Prepares the file for appending, without invalid bytes.
    pub fn open(mut self) -> Result<Self, StoreError> {
        cut_to(&mut self.file, self.progress.bytes).map_err(|error| self.not_written(error))?;
        self.progress.pending = 0;
        self.record(&self.progress)?;
        self.file.keep();
        Ok(self)
    }

    /// Appends games; they are on the disk once this returns. Without games it only checks
    /// that the file still exists.
    pub fn append(&mut self, games: &[Game]) -> Result<(), StoreError> {
        self.check()?;
        if games.is_empty() {
            return Ok(());
        }
        let batch = encode(games, gzip::is_compressed(&self.path))
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
        games.iter().for_each(|game| progress.counts.add(game));
        self.record(&progress)?;
        self.progress = progress;
        self.check()
    }

    /// Replaces the progress file.
    fn record(&self, progress: &ProgressFile) -> Result<(), StateFileError> {
        state_file::write(&progress_path(&self.path), &progress.with_games())
    }

    /// Fails if the file has been removed, replaced or changed.
    fn check(&mut self) -> Result<(), StoreError> {
        if !self.file.is_in_place().map_err(|error| self.not_written(error))? {
            return Err(StoreError::Gone(self.path.clone()));
        }
        let metadata = self.file.file().metadata().map_err(|error| self.not_written(error))?;
        if metadata.len() != self.progress.bytes {
            return Err(StoreError::Disturbed(self.path.clone()));
        }
        Ok(())
    }

    fn not_written(&self, error: io::Error) -> StateFileError {
        StateFileError::not_written(&self.path, error)
    }
}

/// Rejects options that would give other games than the recorded ones.
fn check_options(
    path: &Path,
    recorded: &Map<String, Value>,
    wanted: &Map<String, Value>,
) -> Result<(), StoreError> {
    if VERSION.iter().any(|&name| recorded.get(name) != wanted.get(name)) {
        return Err(StoreError::OtherVersion(path.to_owned()));
    }
    Ok(state_file::check_settings(path, recorded, wanted, &[])?)
}

/// The checksum of the first `length` bytes of a file.
fn checksum(file: &mut ReservedFile, length: u64) -> io::Result<Crc> {
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

/// The bytes of a batch of games.
fn encode(games: &[Game], compressed: bool) -> io::Result<Vec<u8>> {
    let lines: String = games.iter().flat_map(Game::lines).collect();
    if !compressed || lines.is_empty() {
        return Ok(lines.into_bytes());
    }
    gzip::compressed(lines.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use flate2::read::MultiGzDecoder;
    use tempfile::tempdir;

    use super::*;
    use crate::chess::notation::uci;
    use crate::chess::{Color, GameResult, Position};
    use crate::datagen::player::MoveChoice;
    use crate::datagen::sample::QuietPosition;
    use crate::eval::Score;

    fn options() -> Map<String, Value> {
        Map::from_iter([("seed".to_owned(), 1.into())])
    }

    fn open(path: &Path) -> Store {
        Store::find(path, options()).unwrap().open().unwrap()
    }

    /// A game with one sample, which depends on the number.
    fn game(number: i32) -> Game {
        let position = Position::startpos();
        let best = uci::parse_move(&position, "e2e4").unwrap();
        let choice = MoveChoice { best, score: Score::new(number) };
        let quiet = QuietPosition::new(&position, &choice).unwrap();
        Game { samples: vec![quiet], result: GameResult::Won(Color::White) }
    }

    #[test]
    fn compressed_batches_are_read_as_one_file() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.gz");
        let games = [1, 2, 3].map(game);
        open(&path).append(&games[..2]).unwrap();
        open(&path).append(&games[2..]).unwrap();
        let mut text = Vec::new();
        MultiGzDecoder::new(File::open(&path).unwrap()).read_to_end(&mut text).unwrap();
        assert_eq!(text, encode(&games, false).unwrap());
    }

    #[test]
    fn a_crash_loses_only_the_last_batch() {
        let folder = tempdir().unwrap();
        for name in ["a.txt", "a.gz"] {
            let path = folder.path().join(name);
            open(&path).append(&[game(1)]).unwrap();
            let (data, progress) = (fs::read(&path).unwrap(), progress_path(&path));
            let mut before: Value =
                serde_json::from_str(&fs::read_to_string(&progress).unwrap()).unwrap();
            open(&path).append(&[game(2)]).unwrap();
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
                assert_eq!(store.counts().games(), 1);
                assert_eq!(fs::read(&path).unwrap(), data);
                store.append(&[game(2)]).unwrap();
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
        store.append(&[game(1)]).unwrap();
        fs::write(&path, "mine\n").unwrap();
        let error = store.append(&[game(2)]).unwrap_err();
        assert!(matches!(error, StoreError::Disturbed(_)), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine\n");
    }

    #[test]
    fn a_replaced_file_is_noticed() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let mut store = open(&path);
        store.append(&[game(1)]).unwrap();
        store.append(&[]).unwrap();
        // On Windows an open file cannot be replaced.
        if cfg!(unix) {
            fs::copy(&path, folder.path().join("copy.txt")).unwrap();
            fs::rename(folder.path().join("copy.txt"), &path).unwrap();
            for games in [&[game(2)][..], &[]] {
                let error = store.append(games).unwrap_err();
                assert!(matches!(error, StoreError::Gone(_)), "{error}");
            }
            assert_eq!(fs::read(&path).unwrap(), encode(&[game(1)], false).unwrap());
            fs::remove_file(&path).unwrap();
            let error = store.append(&[game(2)]).unwrap_err();
            assert!(matches!(error, StoreError::Gone(_)), "{error}");
            assert!(!path.exists());
        }
    }

    #[test]
    fn changed_bytes_are_noticed() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.txt");
        open(&path).append(&[game(1)]).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        for changed in ["x".repeat(text.len()), text.replacen(" | 1.0", " | 0.0", 1)] {
            assert_ne!(changed, text);
            fs::write(&path, &changed).unwrap();
            let error = Store::find(&path, options()).unwrap_err();
            assert!(matches!(error, StoreError::Changed { .. }), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), changed);
        }
        fs::write(&path, text).unwrap();
        open(&path).append(&[game(2)]).unwrap();
    }

    #[test]
    fn a_file_is_reserved_for_one_process() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let first = Store::find(&path, options()).unwrap();
        let second = Store::find(&path, options()).unwrap_err();
        assert!(matches!(second, StoreError::File(StateFileError::Busy { .. })), "{second}");
        let mut store = first.open().unwrap();
        store.append(&[game(1)]).unwrap();
        let contents = || [path.clone(), progress_path(&path)].map(|it| fs::read(it).unwrap());
        let before = contents();
        assert_eq!(Store::find(&path, options()).unwrap_err().to_string(), second.to_string());
        assert!(contents() == before && fs::read_dir(&folder).unwrap().count() == 2);
        drop(store);
        Store::find(&path, options()).unwrap();
    }

    #[test]
    fn finding_a_file_changes_nothing() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.txt");
        Store::find(&path, options()).unwrap();
        assert!(!path.exists() && !progress_path(&path).exists());
    }
}
