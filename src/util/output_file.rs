//! Writing a file whole or not at all.
//!
//! The bytes go to a temporary file in the same folder, which replaces the old file
//! once the disk has it. Until then the old file is intact, and readers never see a
//! part of either. The temporary file has a random name and is created exclusively, so
//! that two processes never share one and no existing file or link is followed or
//! overwritten. It exists only while it is written. What comes in parts over a long time
//! waits in a file without a name ([`OutputParts`]), of which a kill leaves nothing. A file
//! that was new at the beginning never replaces one that has come meanwhile.
//!
//! Files that grow ([`reserved_file`](crate::util::reserved_file)) and the UCI log are
//! the only exceptions, which a test checks.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf, is_separator};

use tempfile::{NamedTempFile, PersistError};

use crate::util::input_file::check_regular;

/// The names of temporary files: a prefix, random letters and digits, a suffix.
const PREFIX: &str = ".lovec-";
const SUFFIX: &str = ".tmp";
const RANDOM_LETTERS: usize = 12;

/// A path at which a file can be written.
#[derive(Clone, Debug)]
pub struct OutputFile {
    path: PathBuf,
    /// Whether a file in its place is replaced.
    replaces: bool,
}

impl OutputFile {
    /// Checks that a file can be written at `path`, and changes nothing. To be called
    /// before long work, so that its result is not lost.
    ///
    /// # Errors
    ///
    /// If the path names a read-only file or something else than a regular file, such as
    /// a symbolic link; and if no file can be created in the folder.
    pub fn prepare(path: &Path) -> io::Result<Self> {
        let no_name = || io::Error::new(ErrorKind::InvalidInput, "it is not the name of a file");
        let last = path.as_os_str().as_encoded_bytes().last();
        let is_folder = last.is_some_and(|&byte| is_separator(char::from(byte)));
        let name = path.file_name().filter(|_| !is_folder).ok_or_else(no_name)?;
        let output = Self { path: folder_of(path).join(name), replaces: true };
        output.old_file()?;
        // Without a name where the system has such files: a process that is killed here then
        // leaves none behind.
        tempfile::tempfile_in(folder_of(&output.path))?;
        Ok(output)
    }

    /// The same for a new file: if another one has come when it is written, it takes the first
    /// free name of `NAME-2.EXTENSION`, `NAME-3.EXTENSION` and so on. A file without contents
    /// is as good as none.
    pub fn prepare_new(path: &Path) -> io::Result<Self> {
        Ok(Self { replaces: false, ..Self::prepare(path)? })
    }

    /// Writes the file and returns its path once the disk has it. A replaced file keeps its
    /// permissions and, where the system allows it, its owner; a new file has the user's
    /// defaults.
    ///
    /// # Errors
    ///
    /// As for [`OutputFile::prepare`], and if the disk is full or fails. An old file
    /// is then as it was, and nothing is left behind.
    pub fn write(&self, contents: &[u8]) -> io::Result<PathBuf> {
        self.stage(|file| file.write_all(contents))?.place()
    }

    /// Writes the contents to the disk, where [`StagedFile::place`] lets them take the name.
    pub fn stage(&self, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<StagedFile> {
        let old = self.old_file()?;
        let mut temporary = self.temporary_file(old.as_ref())?;
        fill(temporary.as_file_mut())?;
        if let Some(old) = &old {
            copy_owner_and_mode(old, temporary.as_file())?;
        }
        temporary.as_file().sync_all()?;
        Ok(StagedFile { output: self.clone(), temporary })
    }

    /// Begins a file of which the parts come one after the other.
    pub fn begin(&self) -> io::Result<OutputParts> {
        tempfile::tempfile_in(folder_of(&self.path)).map(BufWriter::new)
    }

    /// Writes the parts as [`OutputFile::stage`] does.
    pub fn stage_parts(&self, parts: OutputParts) -> io::Result<StagedFile> {
        let mut parts = parts.into_inner()?;
        parts.rewind()?;
        self.stage(|file| io::copy(&mut parts, file).map(drop))
    }

    /// The file that would be replaced.
    fn old_file(&self) -> io::Result<Option<Metadata>> {
        let metadata = match fs::symlink_metadata(&self.path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        check_regular(metadata.file_type())?;
        if metadata.permissions().readonly() {
            return Err(io::Error::new(ErrorKind::PermissionDenied, "it is read-only"));
        }
        Ok(Some(metadata))
    }

    /// A temporary file, removed unless it is moved to its place. It is created with the
    /// old file's permissions, so that it is not readable by others meanwhile.
    fn temporary_file(&self, old: Option<&Metadata>) -> io::Result<NamedTempFile> {
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(old.map_or(0o666, mode_of));
        }
        #[cfg(not(unix))]
        let _ = old;
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM_LETTERS);
        builder.make_in(folder_of(&self.path), |path| options.open(path))
    }
}

/// The parts of a file that is not whole yet: bytes without a name in the folder of the file.
/// Dropped before they are whole, they leave everything as it was.
pub type OutputParts = BufWriter<File>;

/// A file that the disk has, under a temporary name. Dropped, it leaves everything as it was.
#[derive(Debug)]
pub struct StagedFile {
    output: OutputFile,
    temporary: NamedTempFile,
}

impl StagedFile {
    /// Gives the file its name, and returns its path. That is another one if the file was to be
    /// new and is not, see [`OutputFile::prepare_new`].
    pub fn place(self) -> io::Result<PathBuf> {
        let Self { output, mut temporary } = self;
        // The path may name something else by now.
        let old = output.old_file()?;
        let mut path = output.path.clone();
        if output.replaces || old.is_some_and(|old| old.len() == 0) {
            temporary.persist(&path)?;
        } else {
            for number in 1.. {
                path = numbered_path(&output.path, number);
                match persist_new(temporary, &path) {
                    Ok(()) => break,
                    Err(taken) if taken.error.kind() == ErrorKind::AlreadyExists => {
                        temporary = taken.file;
                    }
                    Err(error) => return Err(error.into()),
                }
            }
        }
        sync_folder(folder_of(&output.path));
        Ok(path)
    }
}

/// The folder of a file; `.` for a name alone.
pub fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// The path with a number before its extension; number 1 is the path itself.
pub fn numbered_path(path: &Path, number: u32) -> PathBuf {
    if number == 1 {
        return path.to_owned();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// Gives a file a name that no other file has.
fn persist_new(temporary: NamedTempFile, path: &Path) -> Result<(), PersistError> {
    match temporary.persist_noclobber(path) {
        // A file system that cannot do this at once.
        Err(error) if fs::symlink_metadata(path).is_err() => error.file.persist(path).map(drop),
        result => result.map(drop),
    }
}

/// Writes a file as [`OutputFile`] does.
pub fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    OutputFile::prepare(path)?.write(contents).map(drop)
}

/// The permissions of a file, without the set-user-ID and similar bits.
#[cfg(unix)]
fn mode_of(metadata: &Metadata) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o777
}

/// Gives a new file the owner and the permissions of an old one.
#[cfg(unix)]
fn copy_owner_and_mode(old: &Metadata, new: &File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let current = new.metadata()?;
    if (old.uid(), old.gid()) != (current.uid(), current.gid()) {
        // Only the superuser may give files away.
        let _ = fchown(new, Some(old.uid()), Some(old.gid()));
    }
    new.set_permissions(fs::Permissions::from_mode(mode_of(old)))
}

#[cfg(not(unix))]
fn copy_owner_and_mode(_: &Metadata, _: &File) -> io::Result<()> {
    Ok(())
}

/// Waits until the disk has the new name. Some file systems cannot do this; the file is
/// in its place anyway.
#[cfg(unix)]
fn sync_folder(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) {}

#[cfg(test)]
mod tests {
    use tempfile::{TempDir, tempdir};

    use super::*;

    fn names(folder: &TempDir) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name();
        fs::read_dir(folder).unwrap().map(|entry| name(entry).into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_there() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let output = OutputFile::prepare(&path).unwrap();
        assert!(names(&folder).is_empty());
        output.write(b"old").unwrap();
        output.write(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(&folder), ["a.txt"]);
    }

    #[test]
    fn a_new_file_replaces_no_other() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let outputs = [(); 3].map(|()| OutputFile::prepare_new(&path).unwrap());
        let staged = outputs[0].stage(|file| file.write_all(b"first")).unwrap();
        fs::write(&path, "").unwrap();
        assert_eq!(staged.place().unwrap(), path);
        for (output, name) in outputs[1..].iter().zip(["a-2.txt", "a-3.txt"]) {
            assert_eq!(output.write(b"later").unwrap(), folder.path().join(name));
            assert_eq!(fs::read(folder.path().join(name)).unwrap(), b"later");
        }
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(names(&folder).len(), 3);
    }

    #[test]
    fn a_file_of_parts_is_replaced_when_it_is_whole() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let output = OutputFile::prepare(&path).unwrap();
        for old in [None, Some("old")] {
            if let Some(old) = old {
                fs::write(&path, old).unwrap();
            }
            for is_whole in [false, true] {
                let mut parts = output.begin().unwrap();
                for number in 0..10_000 {
                    writeln!(parts, "part {number}").unwrap();
                }
                assert_eq!(fs::read_to_string(&path).ok().as_deref(), old);
                if is_whole {
                    output.stage_parts(parts).unwrap().place().unwrap();
                }
            }
            let text = fs::read_to_string(&path).unwrap();
            assert_eq!((text.lines().count(), text.lines().last()), (10_000, Some("part 9999")));
            assert_eq!(names(&folder), ["a.txt"]);
            fs::remove_file(&path).unwrap();
        }
    }

    #[test]
    fn an_unwritable_path_is_an_error_at_once() {
        let folder = tempdir().unwrap();
        fs::create_dir(folder.path().join("inner")).unwrap();
        for (path, complaint) in [
            ("inner", "a folder, not a regular file"),
            ("a.txt/", "it is not the name of a file"),
            ("inner/..", "it is not the name of a file"),
        ] {
            let error = OutputFile::prepare(&folder.path().join(path)).unwrap_err();
            assert_eq!(error.to_string(), complaint, "{path}");
        }
        let missing = OutputFile::prepare(&folder.path().join("no/such/a.txt")).unwrap_err();
        assert_eq!(missing.kind(), ErrorKind::NotFound);
        assert!(!missing.to_string().contains(PREFIX), "{missing}");
        fs::write(folder.path().join("kept"), "kept").unwrap();
        let mut permissions = fs::metadata(folder.path().join("kept")).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(folder.path().join("kept"), permissions).unwrap();
        let error = OutputFile::prepare(&folder.path().join("kept")).unwrap_err();
        assert_eq!(error.to_string(), "it is read-only");
        assert_eq!(names(&folder).len(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_are_kept_and_links_are_errors() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.txt");
        for mode in [0o600, 0o640, 0o666, 0o755] {
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            write(&path, b"new").unwrap();
            assert_eq!(mode_of(&fs::metadata(&path).unwrap()), mode);
        }
        // A new file has the usual permissions.
        fs::remove_file(&path).unwrap();
        fs::write(folder.path().join("usual"), "").unwrap();
        write(&path, b"new").unwrap();
        let usual = mode_of(&fs::metadata(folder.path().join("usual")).unwrap());
        assert_eq!(mode_of(&fs::metadata(&path).unwrap()), usual);
        symlink(&path, folder.path().join("link")).unwrap();
        let error = write(&folder.path().join("link"), b"link").unwrap_err();
        assert_eq!(error.to_string(), "a symbolic link, not a regular file");
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }
}
