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

use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use flate2::Crc;
use serde_json::{Map, Value};
use thiserror::Error;

use crate::datagen::game::Game;
use crate::datagen::progress_file::{GameCounts, ProgressFile};
use crate::util::gzip;
use crate::util::output_file::OutputFile;
use crate::util::reserved_file::{ReserveError, ReservedFile};
use crate::util::state_file::{self, ChangedSetting, StateFileError, progress_path, same_settings};

/// The maximum size of a progress file.
const MAX_PROGRESS_BYTES: u64 = 1 << 20;

/// The name of the setting that an option of a part decides, and no option of its own.
const FIRST_GAME: &str = "first-game";

/// Bytes per read when a file is checked.
const BUFFER_BYTES: usize = 64 << 10;

/// Why a file cannot be used for samples.
#[derive(Debug, Error)]
pub enum StoreError {
    #[error("cannot read {}: {error}", .path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error("cannot write {}: {error}", .path.display())]
    Write { path: PathBuf, error: io::Error },
    #[error(
        "{} exists but was not written by datagen, since there is no {}; choose another file",
        .path.display(), .progress.display()
    )]
    Foreign { path: PathBuf, progress: PathBuf },
    #[error(transparent)]
    Progress(#[from] StateFileError),
    #[error(
        "{} was begun as another part of the games: its first game is number {recorded}, not \
         {wanted}; use the same --shard and --games or choose another file",
        .path.display()
    )]
    Part { path: PathBuf, recorded: String, wanted: String },
    #[error(
        "{} has lost games: it has {length} bytes, but {} records {recorded}; to start again, \
         remove both files",
        .path.display(), .progress.display()
    )]
    Short { path: PathBuf, length: u64, progress: PathBuf, recorded: u64 },
    #[error(
        "{} was changed: its first {length} bytes do not match {}; to start again, remove both \
         files",
        .path.display(), .progress.display()
    )]
    Changed { path: PathBuf, length: u64, progress: PathBuf },
    #[error(
        "{} has {surplus} bytes that datagen has not written; remove them or choose another file",
        .path.display()
    )]
    Surplus { path: PathBuf, surplus: u64 },
    #[error("another datagen writes to {}", .0.display())]
    Busy(PathBuf),
    #[error(
        "{} was removed or replaced while datagen was writing to it; its games are lost",
        .0.display()
    )]
    Gone(PathBuf),
    #[error("{} was changed by another program; writing to it has stopped", .0.display())]
    Disturbed(PathBuf),
}

/// A file of samples, checked and reserved for this process, but not yet changed.
#[derive(Debug)]
pub(super) struct ReservedStore {
    paths: Paths,
    file: ReservedFile,
    progress: ProgressFile,
    checksum: Crc,
}

impl ReservedStore {
    /// Reserves the file at `path` and checks that a run with these options can continue it.
    pub fn find(path: &Path, mut options: Map<String, Value>) -> Result<Self, StoreError> {
        let paths = Paths::of(path);
        options.insert("gzip".to_owned(), gzip::is_compressed(path).into());
        // First reserve the file: another process may be replacing the progress file.
        let mut file = paths.reserve()?;
        // Checked now, since games take long and each write replaces the progress file.
        OutputFile::prepare(&paths.progress)
            .map_err(|error| StoreError::Write { path: paths.progress.clone(), error })?;
        let read_failed = |error| StoreError::Read { path: paths.data.clone(), error };
        let length = file.file().metadata().map_err(read_failed)?.len();
        let found = state_file::read::<ProgressFile>(&paths.progress, MAX_PROGRESS_BYTES)?;
        let Some(mut progress) = found else {
            if length > 0 {
                return Err(StoreError::Foreign { path: paths.data, progress: paths.progress });
            }
            let progress = ProgressFile { options, ..ProgressFile::default() };
            return Ok(Self { paths, file, progress, checksum: Crc::new() });
        };
        // As version 1.0.0 calls them. Its files are refused for their signature.
        if let Some(openings) = progress.options.remove("book") {
            progress.options.insert("openings".to_owned(), openings);
        }
        paths.check_options(&progress.options, &options)?;
        let recorded = progress.bytes;
        if length < recorded {
            let Paths { data: path, progress } = paths;
            return Err(StoreError::Short { path, length, progress, recorded });
        }
        let surplus = length - recorded;
        if surplus > progress.pending {
            return Err(StoreError::Surplus { path: paths.data, surplus });
        }
        let checksum = checksum(&mut file, recorded).map_err(read_failed)?;
        if checksum.sum() != progress.checksum {
            let Paths { data: path, progress } = paths;
            return Err(StoreError::Changed { path, length: recorded, progress });
        }
        Ok(Self { paths, file, progress, checksum })
    }

    pub fn counts(&self) -> &GameCounts {
        &self.progress.counts
    }

    /// Prepares the file for appending, without invalid bytes.
    pub fn open(self) -> Result<Store, StoreError> {
        let Self { paths, mut file, mut progress, checksum } = self;
        cut_to(&mut file, progress.bytes)
            .map_err(|error| StoreError::Write { path: paths.data.clone(), error })?;
        progress.pending = 0;
        state_file::write(&paths.progress, &progress.with_games())?;
        file.keep();
        Ok(Store { paths, file, progress, checksum })
    }
}

/// The checksum of the first `length` bytes of a file.
fn checksum(file: &mut ReservedFile, length: u64) -> io::Result<Crc> {
    let mut checksum = Crc::new();
    let mut buffer = vec![0; BUFFER_BYTES];
    file.file().rewind()?;
    let mut source = file.file().take(length);
    loop {
        match source.read(&mut buffer) {
            Ok(0) => return Ok(checksum),
            Ok(read) => checksum.update(&buffer[..read]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Truncates a file to `bytes` bytes, to write there.
fn cut_to(file: &mut ReservedFile, bytes: u64) -> io::Result<()> {
    let file = file.file();
    let surplus = file.metadata()?.len().saturating_sub(bytes);
    if surplus > 0 {
        log::warn!("dropped {surplus} bytes of an interrupted write");
    }
    file.set_len(bytes)?;
    file.seek(SeekFrom::Start(bytes))?;
    Ok(())
}

/// A file of samples, open for appending.
#[derive(Debug)]
pub(super) struct Store {
    paths: Paths,
    file: ReservedFile,
    progress: ProgressFile,
    /// The CRC-32 of the valid bytes.
    checksum: Crc,
}

impl Store {
    pub fn counts(&self) -> &GameCounts {
        &self.progress.counts
    }

    /// Appends games; they are on the disk once this returns. Without games it only checks
    /// that the file still exists.
    pub fn append(&mut self, games: &[Game]) -> Result<(), StoreError> {
        self.check()?;
        if games.is_empty() {
            return Ok(());
        }
        let failed = |error| StoreError::Write { path: self.paths.data.clone(), error };
        let batch = encode(games, gzip::is_compressed(&self.paths.data)).map_err(failed)?;
        let mut progress = self.progress.clone();
        progress.pending = batch.len() as u64;
        state_file::write(&self.paths.progress, &progress.with_games())?;
        let file = self.file.file();
        file.write_all(&batch).and_then(|()| file.sync_data()).map_err(failed)?;

        self.checksum.update(&batch);
        progress.bytes += progress.pending;
        progress.pending = 0;
        progress.checksum = self.checksum.sum();
        games.iter().for_each(|game| progress.counts.add(game));
        state_file::write(&self.paths.progress, &progress.with_games())?;
        self.progress = progress;
        self.check()
    }

    /// Fails if the file has been removed, replaced or changed.
    fn check(&mut self) -> Result<(), StoreError> {
        let failed = |error| StoreError::Write { path: self.paths.data.clone(), error };
        if !self.file.is_in_place().map_err(failed)? {
            return Err(StoreError::Gone(self.paths.data.clone()));
        }
        if self.file.file().metadata().map_err(failed)?.len() != self.progress.bytes {
            return Err(StoreError::Disturbed(self.paths.data.clone()));
        }
        Ok(())
    }
}

/// The bytes of a batch of games.
fn encode(games: &[Game], compressed: bool) -> io::Result<Vec<u8>> {
    let lines: String =
        games.iter().flat_map(|game| &game.samples).map(|sample| format!("{sample}\n")).collect();
    if !compressed || lines.is_empty() {
        return Ok(lines.into_bytes());
    }
    gzip::compressed(lines.as_bytes())
}

/// The paths of the samples and of the progress file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Paths {
    data: PathBuf,
    progress: PathBuf,
}

impl Paths {
    fn of(data: &Path) -> Self {
        Self { data: data.to_owned(), progress: progress_path(data) }
    }

    /// Reserves the file of samples, a new one if there is none.
    fn reserve(&self) -> Result<ReservedFile, StoreError> {
        ReservedFile::open(&self.data).map_err(|error| match error {
            ReserveError::Busy => StoreError::Busy(self.data.clone()),
            ReserveError::Io(error) => StoreError::Write { path: self.data.clone(), error },
        })
    }

    /// Rejects options that would give other games than the recorded ones.
    fn check_options(
        &self,
        recorded: &Map<String, Value>,
        wanted: &Map<String, Value>,
    ) -> Result<(), StoreError> {
        let path = self.data.clone();
        same_settings(recorded, wanted).map_err(|changed| match changed {
            ChangedSetting { name, recorded, wanted } if name == FIRST_GAME => {
                StoreError::Part { path, recorded, wanted }
            }
            changed => StateFileError::Settings { path, changed }.into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::fs::{self, File};
    use std::process;

    use flate2::read::MultiGzDecoder;
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;
    use crate::chess::notation::uci;
    use crate::chess::{Color, GameResult, Position};
    use crate::datagen::player::MoveChoice;
    use crate::datagen::sample::{QuietPosition, choose};
    use crate::eval::Score;

    /// A separate folder for each test, removed after it.
    struct Folder(PathBuf);

    impl Folder {
        fn new(test: &str) -> Self {
            let path = env::temp_dir().join(format!("lovec-{test}-{}", process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn file(&self, name: &str) -> PathBuf {
            self.0.join(name)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn options() -> Map<String, Value> {
        Map::from_iter([("seed".to_owned(), 1.into()), (FIRST_GAME.to_owned(), 0.into())])
    }

    fn open(path: &Path) -> Store {
        ReservedStore::find(path, options()).unwrap().open().unwrap()
    }

    /// A game with one sample, which depends on the number.
    fn game(number: i32) -> Game {
        let position = Position::startpos();
        let best = uci::parse_move(&position, "e2e4").unwrap();
        let choice = MoveChoice { best, score: Score::new(number) };
        let quiet = QuietPosition::new(&position, &choice).unwrap();
        let result = GameResult::Won(Color::White);
        let samples = choose(&[quiet], 1, result, &mut StdRng::seed_from_u64(1));
        Game { samples, result }
    }

    #[test]
    fn batches_are_concatenated() {
        let folder = Folder::new("batches");
        let path = folder.file("a.txt");
        let games = [1, 2, 3].map(game);
        let mut store = open(&path);
        store.append(&games[..1]).unwrap();
        store.append(&games[1..]).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 3);
        assert_eq!(text.into_bytes(), encode(&games, false).unwrap());
        assert_eq!(store.counts().to_string(), "3 games, 3 positions, 3 wins 0 draws 0 losses");
    }

    #[test]
    fn compressed_batches_are_read_as_one_file() {
        let folder = Folder::new("compressed");
        let path = folder.file("a.gz");
        let games = [1, 2, 3].map(game);
        open(&path).append(&games[..2]).unwrap();
        open(&path).append(&games[2..]).unwrap();
        let mut text = Vec::new();
        MultiGzDecoder::new(File::open(&path).unwrap()).read_to_end(&mut text).unwrap();
        assert_eq!(text, encode(&games, false).unwrap());
    }

    #[test]
    fn a_crash_loses_only_the_last_batch() {
        let folder = Folder::new("death");
        for name in ["a.txt", "a.gz"] {
            let path = folder.file(name);
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
                fs::write(folder.file(".lovec-0.tmp"), &after[..length % after.len()]).unwrap();
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
        let folder = Folder::new("disturbed");
        let path = folder.file("a.txt");
        let mut store = open(&path);
        store.append(&[game(1)]).unwrap();
        fs::write(&path, "mine\n").unwrap();
        let error = store.append(&[game(2)]).unwrap_err();
        assert!(matches!(error, StoreError::Disturbed(_)), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine\n");
    }

    #[test]
    fn a_replaced_file_is_noticed() {
        let folder = Folder::new("gone");
        let path = folder.file("a.txt");
        let mut store = open(&path);
        store.append(&[game(1)]).unwrap();
        store.append(&[]).unwrap();
        // On Windows an open file cannot be replaced.
        if cfg!(unix) {
            fs::copy(&path, folder.file("copy.txt")).unwrap();
            fs::rename(folder.file("copy.txt"), &path).unwrap();
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
        let folder = Folder::new("changed");
        let path = folder.file("a.txt");
        open(&path).append(&[game(1)]).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        for changed in ["x".repeat(text.len()), text.replacen(" | 1.0", " | 0.0", 1)] {
            assert_ne!(changed, text);
            fs::write(&path, &changed).unwrap();
            let error = ReservedStore::find(&path, options()).unwrap_err();
            assert!(matches!(error, StoreError::Changed { .. }), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), changed);
        }
        fs::write(&path, text).unwrap();
        open(&path).append(&[game(2)]).unwrap();
    }

    #[test]
    fn a_file_is_reserved_for_one_process() {
        let folder = Folder::new("reserved");
        let path = folder.file("a.txt");
        let first = ReservedStore::find(&path, options()).unwrap();
        let second = ReservedStore::find(&path, options()).unwrap_err();
        assert!(matches!(second, StoreError::Busy(_)), "{second}");
        let mut store = first.open().unwrap();
        store.append(&[game(1)]).unwrap();
        let contents = || [path.clone(), progress_path(&path)].map(|it| fs::read(it).unwrap());
        let before = contents();
        assert!(matches!(ReservedStore::find(&path, options()), Err(StoreError::Busy(_))));
        assert!(contents() == before && fs::read_dir(&folder.0).unwrap().count() == 2);
        drop(store);
        ReservedStore::find(&path, options()).unwrap();
    }

    #[test]
    fn finding_a_file_changes_nothing() {
        let folder = Folder::new("looking");
        let path = folder.file("a.txt");
        ReservedStore::find(&path, options()).unwrap();
        assert!(!path.exists() && !progress_path(&path).exists());
    }
}
