//! Folders for the files of tests.

use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::thread;

/// A folder that is removed when it is dropped, unless the test fails.
pub struct Folder(PathBuf);

impl Folder {
    /// An empty folder at this path.
    pub fn at(path: PathBuf) -> Self {
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// With a file in it.
    pub fn with(self, name: &str, contents: impl AsRef<[u8]>) -> Self {
        fs::write(self.join(name), contents).unwrap();
        self
    }

    /// The names in the folder, in order.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// An empty folder of this test.
pub fn folder(name: &str) -> Folder {
    // The test harness names each thread after its test.
    let test = thread::current().name().unwrap_or_default().replace("::", " ");
    Folder::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test} {name}")))
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl<T: ?Sized> AsRef<T> for Folder
where
    Path: AsRef<T>,
{
    fn as_ref(&self) -> &T {
        (**self).as_ref()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !thread::panicking() {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }
}
