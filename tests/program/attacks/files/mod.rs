//! Attacks by the files that the program reads and writes, and by numbers on the
//! command line.
//!
//! The commands are the rows of [`inputs::READERS`] and [`outputs::WRITERS`]. In their
//! arguments, `FILE` stands for the file under attack.

mod inputs;
mod numbers;
mod outputs;

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::LazyLock;

use flate2::Compression;
use flate2::write::GzEncoder;
use rustix::fs::{CWD, FileType, Mode, makedev, mknodat};

use crate::folder::Folder;
use crate::samples::SAMPLES;

/// Games for `book build`.
const GAMES: &str = "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0\n";

/// A folder for one test, with further files that the commands need.
fn folder(name: &str) -> Folder {
    super::folder(&format!("files {name}")).with("samples.txt", SAMPLES).with("games.pgn", GAMES)
}

/// What a path may name instead of a regular file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A named pipe without a writer.
    Pipe,
    Folder,
    /// The device of zeros, or a link to it if this user cannot make one here.
    Device,
    /// The standard input, through a link.
    StandardInput,
    /// A link to the file `secret` in the same folder, for writers only.
    Link,
    /// A link to nothing.
    Dangling,
    Empty,
    /// A terabyte of zeros that takes no space.
    Sparse,
    /// One line of 20 MiB.
    EndlessLine,
    /// Six gigabytes of one line in a few megabytes of gzip.
    GzipBomb,
}

impl Kind {
    /// Makes the file. The length of a sparse file is valid for a Syzygy table (64 n + 16
    /// bytes) and for a book (a multiple of 16).
    fn make(self, path: &Path) {
        let mode = Mode::from_raw_mode(0o666);
        match self {
            Self::Pipe => mknodat(CWD, path, FileType::Fifo, mode, 0).unwrap(),
            Self::Folder => fs::create_dir(path).unwrap(),
            Self::Device => {
                let zero = makedev(1, 5);
                if mknodat(CWD, path, FileType::CharacterDevice, mode, zero).is_err() {
                    symlink("/dev/zero", path).unwrap();
                }
            }
            Self::StandardInput => symlink("/proc/self/fd/0", path).unwrap(),
            Self::Link => symlink("secret", path).unwrap(),
            Self::Dangling => symlink("/no/such/file", path).unwrap(),
            Self::Empty => drop(File::create(path).unwrap()),
            Self::Sparse => File::create(path).unwrap().set_len((1 << 40) + 16).unwrap(),
            Self::EndlessLine => {
                let mut file = File::create(path).unwrap();
                let part = vec![b'a'; 1 << 20];
                (0..20).for_each(|_| file.write_all(&part).unwrap());
            }
            Self::GzipBomb => {
                static MEMBER: LazyLock<Vec<u8>> = LazyLock::new(|| {
                    let mut member = GzEncoder::new(Vec::new(), Compression::best());
                    member.write_all(&vec![b'a'; 16 << 20]).unwrap();
                    member.finish().unwrap()
                });
                let mut file = File::create(path).unwrap();
                (0..400).for_each(|_| file.write_all(&MEMBER).unwrap());
            }
        }
    }

    /// Removes the file that [`Kind::make`] made.
    fn remove(self, path: &Path) {
        if self == Self::Folder { fs::remove_dir(path) } else { fs::remove_file(path) }.unwrap();
    }
}

/// Arguments with the file under attack in them.
fn with_file<'a>(arguments: &[&'a str], file: &'a str) -> Vec<&'a str> {
    arguments.iter().map(|&argument| if argument == "FILE" { file } else { argument }).collect()
}
