//! The layers of the crate, as a law.
//!
//! Each folder of `src` belongs to a layer, and a module may name only modules
//! of lower layers or of its own folder. This is read from the source text: any
//! `crate::folder` outside a comment counts, in a `use` line or elsewhere.
//! `main.rs` and `lib.rs` tie everything together and are free.
//!
//! Files are opened, read and written in one place each: `util::input_file` and
//! `util::output_file` say why. That too is read from the source text.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Every folder of `src` with its layer.
const LAYERS: [(&str, u8); 12] = [
    ("util", 0),
    ("chess", 1),
    ("eval", 2),
    ("book", 2),
    ("tablebase", 2),
    ("search", 3),
    ("engine", 4),
    ("tuner", 4),
    ("datagen", 4),
    ("suite", 4),
    ("uci", 5),
    ("cli", 5),
];

fn layer_of(folder: &str) -> Option<u8> {
    LAYERS.iter().find(|(name, _)| *name == folder).map(|&(_, layer)| layer)
}

/// Every Rust file below `folder`, in a stable order.
fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The source without line comments, so that a link in the documentation is not
/// taken for an import. Block comments are not used in this crate.
fn without_comments(source: &str) -> String {
    source
        .lines()
        .map(|line| line.find("//").map_or(line, |start| &line[..start]))
        .collect::<Vec<_>>()
        .join("\n")
}

fn identifier(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// The top-level names in a braced list: `{a, b::c, d::{e, f}}` gives a, b, d.
fn braced_names(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut depth = 0;
    let mut start_of_name = false;
    for (index, c) in text.char_indices() {
        match c {
            '{' => {
                depth += 1;
                start_of_name = depth == 1;
            }
            '}' => {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
            ',' => start_of_name = depth == 1,
            c if c.is_whitespace() => {}
            _ => {
                if start_of_name {
                    names.push(identifier(&text[index..]));
                }
                start_of_name = false;
            }
        }
    }
    names
}

/// The folders, or root items, that this source reaches through `crate::`.
fn crate_paths(source: &str) -> BTreeSet<String> {
    let source = without_comments(source);
    let mut names = BTreeSet::new();
    for (start, found) in source.match_indices("crate::") {
        // `$crate::` and `my_crate::` end in the same letters; the first counts.
        if source[..start].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
            continue;
        }
        let rest = &source[start + found.len()..];
        if rest.starts_with('{') {
            names.extend(braced_names(rest).into_iter().map(str::to_owned));
        } else {
            names.insert(identifier(rest).to_owned());
        }
    }
    names
}

/// The folder of `src` that a file lies in: `search/tt/mod.rs` and `search.rs`
/// are both in `search`.
fn folder_of(path: &Path, src: &Path) -> String {
    let inside = path.strip_prefix(src).unwrap();
    let first = inside.components().next().unwrap().as_os_str().to_str().unwrap();
    first.trim_end_matches(".rs").to_owned()
}

#[test]
fn imports_point_down() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&src, &mut files);
    assert!(!files.is_empty(), "no source in {}", src.display());

    let mut faults = Vec::new();
    for path in files {
        let folder = folder_of(&path, &src);
        if folder == "main" || folder == "lib" {
            continue;
        }
        let Some(layer) = layer_of(&folder) else {
            faults.push(format!("{}: {folder} has no layer", path.display()));
            continue;
        };
        for name in crate_paths(&fs::read_to_string(&path).unwrap()) {
            if name == folder {
                continue;
            }
            match layer_of(&name) {
                Some(lower) if lower < layer => {}
                Some(other) => faults.push(format!(
                    "{}: {folder} (layer {layer}) imports {name} (layer {other})",
                    path.display()
                )),
                None => faults.push(format!(
                    "{}: {folder} imports {name}, which has no layer",
                    path.display()
                )),
            }
        }
    }
    assert!(faults.is_empty(), "imports that do not point down:\n{}", faults.join("\n"));
}

/// What opens or changes files, as it stands in a source, …
const FILE_ACCESS: [&str; 14] = [
    "File::open(",
    "File::create",
    "File::options",
    "OpenOptions",
    "fs::read(",
    "fs::read_to_string",
    "fs::write(",
    "fs::copy",
    "fs::rename",
    "fs::remove_file",
    "fs::hard_link",
    "NamedTempFile",
    "tempfile::",
    "use std::fs::*",
];

/// … and the sources that may use it, each with its reason.
const FILE_ACCESSORS: [(&str, &[&str]); 5] = [
    // The one way to read, and the one way to write.
    ("util/input_file.rs", &["File::options"]),
    ("util/output_file.rs", &["File::open(", "File::options", "NamedTempFile", "tempfile::"]),
    // A file that grows, reserved for one process.
    ("util/reserved_file.rs", &["File::options", "OpenOptions", "fs::remove_file"]),
    // The UCI log, which is appended to.
    ("uci/transcript.rs", &["OpenOptions"]),
    // What the system says of its memory.
    ("util/memory.rs", &["fs::read_to_string"]),
];

/// The ways in which a source opens or changes files, its tests aside.
fn file_access(source: &str) -> Vec<&'static str> {
    let source = without_comments(source);
    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    FILE_ACCESS.into_iter().filter(|access| has_words(source, access)).collect()
}

/// Whether these words stand in a text, and not only as parts of others.
fn has_words(text: &str, words: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(words).any(|(start, found)| {
        let (before, after) = (&text[..start], &text[start + found.len()..]);
        let goes_on = found.ends_with(is_letter) && after.starts_with(is_letter);
        !(before.ends_with(is_letter) || goes_on)
    })
}

#[test]
fn files_are_opened_in_one_place() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&src, &mut files);
    let mut faults = Vec::new();
    for path in files {
        let name = path.strip_prefix(&src).unwrap().to_str().unwrap().replace('\\', "/");
        let allowed = FILE_ACCESSORS.iter().find(|(file, _)| *file == name);
        let allowed = allowed.map_or(&[][..], |(_, allowed)| allowed);
        for access in file_access(&fs::read_to_string(&path).unwrap()) {
            if !allowed.contains(&access) {
                faults.push(format!("{name}: {access}"));
            }
        }
    }
    assert!(
        faults.is_empty(),
        "files are to be read by util::input_file and written by util::output_file:\n{}",
        faults.join("\n")
    );
}

#[test]
fn file_access_is_recognised() {
    let source = "
        use std::fs::{self, File};
        // fs::write(path, text)
        use std::os::unix::fs::OpenOptionsExt;
        fn f() { let file = File::create(path)?; fs::rename(a, b)?; MyFile::open(path)?; }
        #[cfg(test)]\nmod tests {
            fn t() { fs::write(path, text).unwrap(); }
        }
    "
    .replace("        #[cfg", "#[cfg");
    assert_eq!(file_access(&source), ["File::create", "fs::rename"]);
}

#[test]
fn imports_are_recognised() {
    let source = "
        //! See [`crate::uci`].
        use crate::chess::{Position, square::Square};
        use crate::{util, eval::{score::Score, wdl}};
        fn f() { crate::search::go(); my_crate::cli::x(); } // crate::tuner
        macro_rules! m { () => { $crate::book::open() } }
    ";
    let names: Vec<String> = crate_paths(source).into_iter().collect();
    assert_eq!(names, ["book", "chess", "eval", "search", "util"]);
}
