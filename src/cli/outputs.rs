//! The files that commands write.
//!
//! An argument that names such a file has one of these types, so that one rule holds for all
//! commands before any work: no input and no other output is the same file or lies in a folder
//! that is written to, and an existing file is replaced with `--force` only, unless the command
//! continues it. A file takes its name once it is whole, see
//! [`output_file`](crate::util::output_file).

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::ArgMatches;
use clap::parser::ValueSource;

use crate::client::EngineCommand;
use crate::util::output_file::{OutputFile, OutputParts, StagedFile, folder_of};
use crate::util::state_file::progress_path;

/// Declares the type of an argument that is a path.
macro_rules! path_types {
    ($($(#[$doc:meta])* $name:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name(PathBuf);

        impl From<OsString> for $name {
            fn from(path: OsString) -> Self {
                Self(path.into())
            }
        }

        impl Deref for $name {
            type Target = Path;

            fn deref(&self) -> &Path {
                &self.0
            }
        }
    )+};
}

path_types! {
    /// A file that a command writes whole, at the end.
    OutputPath;
    /// A file that a command continues: what the file holds is read, kept and added to. The
    /// command refuses a file that it has not written.
    ContinuedPath;
    /// A folder into which a command writes files whose names it chooses.
    OutputFolder;
}

impl OutputPath {
    /// Checks that the file can be written and, unless it may be replaced, that there is none
    /// yet. Changes nothing. To be called before any work, so that no result is lost.
    pub(super) fn prepare(&self, force: ForceArg) -> Result<PreparedOutput> {
        PreparedOutput::new(self, force)
    }
}

/// A file that can be written.
pub(super) struct PreparedOutput {
    pub path: PathBuf,
    file: OutputFile,
}

impl PreparedOutput {
    /// The same as [`OutputPath::prepare`].
    pub fn new(path: &Path, force: ForceArg) -> Result<Self> {
        ensure_new(path, force)?;
        let prepare = if force.force { OutputFile::prepare } else { OutputFile::prepare_new };
        let file = prepare(path).with_context(|| not_written(path))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Writes the file.
    ///
    /// # Errors
    ///
    /// If it cannot be written; an old file is then as it was. If another file has come there
    /// meanwhile; the error then names the file that was written instead.
    pub fn write(&self, contents: impl AsRef<[u8]>) -> Result<()> {
        self.place(self.stage(contents)?)
    }

    /// Writes the contents to the disk, before they take the name.
    pub fn stage(&self, contents: impl AsRef<[u8]>) -> Result<StagedFile> {
        let staged = self.file.stage(|file| file.write_all(contents.as_ref()));
        staged.with_context(|| not_written(&self.path))
    }

    /// Begins the file, if its parts come one after the other.
    pub fn begin(&self) -> Result<OutputParts> {
        self.file.begin().with_context(|| not_written(&self.path))
    }

    /// Writes the parts as [`PreparedOutput::stage`] does.
    pub fn stage_parts(&self, parts: OutputParts) -> Result<StagedFile> {
        self.file.stage_parts(parts).with_context(|| not_written(&self.path))
    }

    /// Gives the file its name, with the errors of [`PreparedOutput::write`].
    pub fn place(&self, staged: StagedFile) -> Result<()> {
        let written = staged.place().with_context(|| not_written(&self.path))?;
        let name = written.file_name().unwrap_or_default();
        ensure!(
            Some(name) == self.path.file_name(),
            "another file has come to {} meanwhile; the result is in {}",
            self.path.display(),
            self.path.with_file_name(name).display()
        );
        Ok(())
    }
}

/// Checks that a file does not exist, is empty, or may be replaced.
pub(super) fn ensure_new(path: &Path, force: ForceArg) -> Result<()> {
    let metadata = path.symlink_metadata();
    let holds_something = metadata.is_ok_and(|data| data.is_file() && data.len() > 0);
    ensure!(
        force.force || !holds_something,
        "{} exists; choose another file, or --force to replace it",
        path.display()
    );
    Ok(())
}

pub(super) fn not_written(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// The option that lets a command replace the files that it writes.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct ForceArg {
    /// Replace files that exist
    #[arg(long)]
    pub force: bool,
}

/// What a command line says about files.
#[derive(Clone, Debug, Default)]
pub struct NamedFiles {
    outputs: Vec<PathBuf>,
    folders: Vec<PathBuf>,
    /// All other paths and texts: any may name a file that is read.
    others: Vec<PathBuf>,
}

impl NamedFiles {
    /// The files that the arguments of the innermost subcommand name.
    pub fn of(mut matches: &ArgMatches) -> Self {
        while let Some((_, below)) = matches.subcommand() {
            matches = below;
        }
        let mut files = Self::default();
        for id in matches.ids().map(clap::Id::as_str) {
            if matches.value_source(id) != Some(ValueSource::CommandLine) {
                continue;
            }
            if let Ok(Some(paths)) = matches.try_get_many::<OutputPath>(id) {
                files.outputs.extend(paths.map(|path| path.0.clone()));
            } else if let Ok(Some(paths)) = matches.try_get_many::<ContinuedPath>(id) {
                files.outputs.extend(paths.flat_map(|path| [path.0.clone(), progress_path(path)]));
            } else if let Ok(Some(folders)) = matches.try_get_many::<OutputFolder>(id) {
                files.folders.extend(folders.map(|folder| folder.0.clone()));
            } else if let Ok(Some(paths)) = matches.try_get_many::<PathBuf>(id) {
                files.others.extend(paths.cloned());
            } else if let Ok(Some(engines)) = matches.try_get_many::<EngineCommand>(id) {
                files.others.extend(engines.map(|engine| engine.process().get_program().into()));
            } else if let Ok(Some(texts)) = matches.try_get_many::<String>(id) {
                files.others.extend(texts.map(PathBuf::from));
            }
        }
        files
    }

    /// Checks that nothing is lost by what the command writes.
    ///
    /// # Errors
    ///
    /// If an output is `-`, an input or another output, or one of them lies in a folder that the
    /// command writes to.
    pub(super) fn check(&self) -> Result<()> {
        let mut written = self.outputs.iter().chain(&self.folders);
        ensure!(
            !written.any(|path| path.as_os_str() == "-"),
            "results are written to files, not to -; for a file of this name use ./-"
        );
        for (index, output) in self.outputs.iter().enumerate() {
            let identity = FileIdentity::of(output);
            let is_same = |other: &&PathBuf| FileIdentity::of(other) == identity;
            if let Some(input) = self.others.iter().find(is_same) {
                bail!("{} is read; choose another file to write", input.display());
            }
            if let Some(other) = self.outputs[..index].iter().find(is_same) {
                let (first, second) = (other.display(), output.display());
                bail!("{first} and {second} are one file; choose another file for one of them");
            }
        }
        for folder in &self.folders {
            let inputs = self.others.iter().filter(|other| other.exists());
            let mut files = self.outputs.iter().chain(inputs);
            if let Some(file) = files.find(|file| lies_in(file, folder)) {
                let (file, folder) = (file.display(), folder.display());
                bail!("{file} lies in {folder}, where the command writes; choose another folder");
            }
        }
        Ok(())
    }
}

/// Whether a path, or the file to which it leads through links, lies directly in a folder.
fn lies_in(file: &Path, folder: &Path) -> bool {
    let folder = FileIdentity::of(folder);
    let is_in = |file: &Path| FileIdentity::of(folder_of(file)) == folder;
    is_in(file) || fs::canonicalize(file).is_ok_and(|file| is_in(&file))
}

/// What makes two paths one file, also through links.
#[derive(PartialEq, Eq)]
enum FileIdentity {
    /// An existing file: its device and its number there.
    #[cfg(unix)]
    Existing(u64, u64),
    /// The path without links and dots, as far as it exists.
    Path(PathBuf),
}

impl FileIdentity {
    fn of(path: &Path) -> Self {
        #[cfg(unix)]
        if let Ok(metadata) = fs::metadata(path) {
            use std::os::unix::fs::MetadataExt;
            return Self::Existing(metadata.dev(), metadata.ino());
        }
        let absolute = fs::canonicalize(path).or_else(|error| {
            let folder = fs::canonicalize(folder_of(path))?;
            path.file_name().map(|name| folder.join(name)).ok_or(error)
        });
        Self::Path(absolute.unwrap_or_else(|_| path.to_owned()))
    }
}
