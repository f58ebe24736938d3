//! The file of samples, which is whole whenever the program dies.
//!
//! Lines are only ever appended. They count once the [`Ledger`] beside the file
//! says so: it is replaced, by renaming another file over it, after the lines
//! have reached the disk, so that it never promises more than there is. Who finds
//! more in the file than the ledger knows of cuts it off: that is the beginning of
//! a batch of games which was being written when the program died, and which are
//! played again. A file without a ledger is somebody else's and is left alone.
//!
//! In a compressed file each batch is a gzip member of its own, since only a
//! finished one can be read back.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::datagen::game::Game;
use crate::datagen::ledger::{Ledger, LedgerError, Tally};
use crate::util::lock;

/// Why a file cannot be used for samples.
#[derive(Debug, Error)]
pub enum StoreError {
    #[error("cannot read {}: {error}", .path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error("cannot write {}: {error}", .path.display())]
    Write { path: PathBuf, error: io::Error },
    #[error("{} is not a regular file", .0.display())]
    Special(PathBuf),
    #[error(
        "{} exists and is not datagen's to go on with: there is no {}; choose another file",
        .path.display(), .ledger.display()
    )]
    Foreign { path: PathBuf, ledger: PathBuf },
    #[error("{}: {error}", .path.display())]
    Ledger { path: PathBuf, error: LedgerError },
    #[error(
        "{} was begun with {name} {recorded}, not {wanted}; \
         go on with the same settings or choose another file",
        .path.display()
    )]
    Settings { path: PathBuf, name: String, recorded: String, wanted: String },
    #[error(
        "{} has lost games: it has {length} bytes where {} knows of {recorded}; \
         to begin anew, remove both",
        .path.display(), .ledger.display()
    )]
    Short { path: PathBuf, length: u64, ledger: PathBuf, recorded: u64 },
    #[error("another datagen writes to {}", .0.display())]
    Busy(PathBuf),
    #[error("{} was changed by somebody else; nothing more is written to it", .0.display())]
    Disturbed(PathBuf),
}

/// A file of samples as it was found, which may not exist yet. Nothing has been
/// changed so far.
#[derive(Debug)]
pub(super) struct Record {
    paths: Paths,
    ledger: Ledger,
}

impl Record {
    /// Looks for the file at `path` and asks whether these settings can go on with
    /// it.
    pub fn find(path: &Path, mut settings: Map<String, Value>) -> Result<Self, StoreError> {
        let paths = Paths::of(path);
        settings.insert("gzip".to_owned(), json!(paths.is_compressed()));
        let length = paths.length()?;
        let Some(ledger) = paths.read_ledger()? else {
            if length > 0 {
                return Err(StoreError::Foreign { path: paths.data, ledger: paths.ledger });
            }
            let ledger = Ledger { settings, tally: Tally::default(), bytes: 0 };
            return Ok(Self { paths, ledger });
        };
        paths.check_settings(&ledger.settings, &settings)?;
        if length < ledger.bytes {
            let Paths { data: path, ledger: known } = paths;
            let recorded = ledger.bytes;
            return Err(StoreError::Short { path, length, ledger: known, recorded });
        }
        Ok(Self { paths, ledger })
    }

    pub fn tally(&self) -> &Tally {
        &self.ledger.tally
    }

    /// Makes the file ready for more, without what does not count.
    pub fn open(self) -> Result<Store, StoreError> {
        let Self { paths, ledger } = self;
        let failed = |error| StoreError::Write { path: paths.data.clone(), error };
        let mut file = File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&paths.data)
            .map_err(failed)?;
        if !lock::reserve(&file) {
            return Err(StoreError::Busy(paths.data));
        }
        cut_to(&mut file, ledger.bytes).map_err(failed)?;
        paths.write_ledger(&ledger)?;
        Ok(Store { paths, file, ledger })
    }
}

/// Drops what a file has after its first `bytes` bytes, to write there.
fn cut_to(file: &mut File, bytes: u64) -> io::Result<()> {
    let surplus = file.metadata()?.len().saturating_sub(bytes);
    if surplus > 0 {
        log::warn!("{surplus} bytes of an interrupted write are dropped");
    }
    file.set_len(bytes)?;
    file.seek(SeekFrom::Start(bytes))?;
    Ok(())
}

/// A file of samples that is open for more.
#[derive(Debug)]
pub(super) struct Store {
    paths: Paths,
    file: File,
    ledger: Ledger,
}

impl Store {
    pub fn tally(&self) -> &Tally {
        &self.ledger.tally
    }

    /// Appends games. Once this returns, they are on the disk and count.
    pub fn append(&mut self, games: &[Game]) -> Result<(), StoreError> {
        let failed = |error| StoreError::Write { path: self.paths.data.clone(), error };
        if self.file.metadata().map_err(failed)?.len() != self.ledger.bytes {
            return Err(StoreError::Disturbed(self.paths.data.clone()));
        }
        let batch = encode(games, self.paths.is_compressed()).map_err(failed)?;
        self.file.write_all(&batch).and_then(|()| self.file.sync_data()).map_err(failed)?;

        let mut ledger = self.ledger.clone();
        ledger.bytes += batch.len() as u64;
        games.iter().for_each(|game| ledger.tally.add(game));
        self.paths.write_ledger(&ledger)?;
        self.ledger = ledger;
        Ok(())
    }
}

/// The lines of games, as they stand in the file.
fn encode(games: &[Game], compressed: bool) -> io::Result<Vec<u8>> {
    let lines: String =
        games.iter().flat_map(|game| &game.samples).map(|sample| format!("{sample}\n")).collect();
    if !compressed || lines.is_empty() {
        return Ok(lines.into_bytes());
    }
    let mut member = GzEncoder::new(Vec::new(), Compression::best());
    member.write_all(lines.as_bytes())?;
    member.finish()
}

/// Where the samples are and where the ledger is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Paths {
    data: PathBuf,
    ledger: PathBuf,
}

impl Paths {
    fn of(data: &Path) -> Self {
        Self { data: data.to_owned(), ledger: with_suffix(data, ".progress") }
    }

    fn is_compressed(&self) -> bool {
        self.data.extension().is_some_and(|extension| extension == "gz")
    }

    /// The bytes that are there; none if there is no file.
    fn length(&self) -> Result<u64, StoreError> {
        match fs::metadata(&self.data) {
            Ok(metadata) if metadata.is_file() => Ok(metadata.len()),
            Ok(_) => Err(StoreError::Special(self.data.clone())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(0),
            Err(error) => Err(StoreError::Read { path: self.data.clone(), error }),
        }
    }

    fn read_ledger(&self) -> Result<Option<Ledger>, StoreError> {
        let text = match fs::read_to_string(&self.ledger) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StoreError::Read { path: self.ledger.clone(), error }),
        };
        let refused = |error| StoreError::Ledger { path: self.ledger.clone(), error };
        text.parse().map(Some).map_err(refused)
    }

    /// Replaces the ledger at one stroke: there is the old one or the new one, and
    /// never a part of either.
    fn write_ledger(&self, ledger: &Ledger) -> Result<(), StoreError> {
        let draft = with_suffix(&self.ledger, ".new");
        write_through(&draft, &ledger.to_string())
            .and_then(|()| fs::rename(&draft, &self.ledger))
            .map_err(|error| StoreError::Write { path: self.ledger.clone(), error })
    }

    /// Refuses settings that would give other games than those recorded.
    fn check_settings(
        &self,
        recorded: &Map<String, Value>,
        wanted: &Map<String, Value>,
    ) -> Result<(), StoreError> {
        for (name, wanted) in wanted {
            let recorded = recorded.get(name).unwrap_or(&Value::Null);
            if recorded != wanted {
                return Err(StoreError::Settings {
                    path: self.data.clone(),
                    name: name.clone(),
                    recorded: recorded.to_string(),
                    wanted: wanted.to_string(),
                });
            }
        }
        Ok(())
    }
}

/// Writes a file and waits until the disk has it.
fn write_through(path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::io::Read;
    use std::process;

    use flate2::read::MultiGzDecoder;
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;
    use crate::chess::notation::uci;
    use crate::chess::{Color, Position};
    use crate::datagen::player::Thought;
    use crate::datagen::result::GameResult;
    use crate::datagen::sample::{Candidate, choose};
    use crate::eval::Score;

    /// A folder of its own for each test, gone with it.
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

    fn settings() -> Map<String, Value> {
        Map::from_iter([("seed".to_owned(), json!(1))])
    }

    fn open(path: &Path) -> Store {
        Record::find(path, settings()).unwrap().open().unwrap()
    }

    /// A game with a sample of its own.
    fn game(number: i32) -> Game {
        let position = Position::startpos();
        let best = uci::parse_move(&position, "e2e4").unwrap();
        let thought = Thought { best, score: Score::new(number) };
        let candidate = Candidate::new(&position, &thought).unwrap();
        let result = GameResult::Won(Color::White);
        let samples = choose(&[candidate], 1, result, &mut StdRng::seed_from_u64(1));
        Game { samples, result }
    }

    #[test]
    fn batches_do_not_show() {
        let folder = Folder::new("batches");
        let path = folder.file("a.txt");
        let games = [1, 2, 3].map(game);
        let mut store = open(&path);
        store.append(&games[..1]).unwrap();
        store.append(&games[1..]).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 3);
        assert_eq!(text.into_bytes(), encode(&games, false).unwrap());
        assert_eq!(store.tally().to_string(), "3 games, 3 positions, 3 wins 0 draws 0 losses");
    }

    #[test]
    fn compressed_batches_are_read_as_one() {
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
    fn a_death_at_any_time_loses_no_more_than_the_batch() {
        let folder = Folder::new("death");
        for name in ["a.txt", "a.gz"] {
            let path = folder.file(name);
            open(&path).append(&[game(1)]).unwrap();
            let (data, ledger) = (fs::read(&path).unwrap(), with_suffix(&path, ".progress"));
            let before = fs::read_to_string(&ledger).unwrap();
            open(&path).append(&[game(2)]).unwrap();
            let (longer, after) = (fs::read(&path).unwrap(), fs::read_to_string(&ledger).unwrap());
            for length in (data.len()..longer.len()).step_by(7).chain([longer.len()]) {
                // The batch was cut short, and a ledger begun or not.
                fs::write(&path, &longer[..length]).unwrap();
                fs::write(&ledger, &before).unwrap();
                fs::write(with_suffix(&ledger, ".new"), &after[..length % after.len()]).unwrap();
                let mut store = open(&path);
                assert_eq!(store.tally().games(), 1);
                assert_eq!(fs::read(&path).unwrap(), data);
                store.append(&[game(2)]).unwrap();
                assert_eq!(fs::read(&path).unwrap(), longer);
                assert_eq!(fs::read_to_string(&ledger).unwrap(), after);
            }
        }
    }

    #[test]
    fn a_file_that_somebody_else_changes_is_left_alone() {
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
    fn looking_changes_nothing() {
        let folder = Folder::new("looking");
        let path = folder.file("a.txt");
        Record::find(&path, settings()).unwrap();
        assert!(!path.exists() && !with_suffix(&path, ".progress").exists());
    }
}
