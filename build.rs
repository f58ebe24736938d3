//! Tells the program from what it was built: the commit, the compiler and the profile.
//! Whatever cannot be found out is `unknown`, so that the build works outside a repository
//! and without git.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the program is made from. Changes elsewhere do not make it another program.
const SOURCES: [&str; 5] = ["src", "build.rs", "Cargo.toml", "Cargo.lock", ".cargo"];

fn main() {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap_or_default());
    SOURCES.iter().for_each(|source| watch(&root.join(source)));
    let commit = git_commit(&root).or_else(|| packaged_commit(&root)).or_else(archived_commit);
    set("COMMIT", commit);
    set("RUSTC", compiler());
    set("PROFILE", env::var("PROFILE").ok());
    set("TARGET", env::var("TARGET").ok());
}

/// Sets a variable that the program reads when it is compiled.
fn set(name: &str, value: Option<String>) {
    let value = value.filter(|value| !value.is_empty() && !value.contains('\n'));
    println!("cargo:rustc-env=LOVEC_{name}={}", value.as_deref().unwrap_or("unknown"));
}

/// Runs this script again when a file changes. A file that is not there would make
/// every build run it.
fn watch(path: &Path) {
    if path.exists() {
        println!("cargo:rerun-if-changed={}", path.display());
    }
}

/// Variables that a hook of git passes on to what it runs. They name its own repository.
const OF_ANOTHER_REPOSITORY: [&str; 6] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
];

/// What git answers, if there is a git that knows this folder. It takes no lock that another
/// git may wait for.
fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let mut git = Command::new("git");
    for variable in OF_ANOTHER_REPOSITORY {
        git.env_remove(variable);
    }
    git.arg("--no-optional-locks").arg("-C").arg(root);
    let output = git.args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    if output.status.success() { Some(text.trim().to_owned()) } else { None }
}

/// Digits of the hash of a commit. Git by itself shows more of them in a large repository
/// than in a shallow copy of it, and the same commit must give the same program.
const HASH_DIGITS: usize = 10;

/// The short hash of the commit, with `-dirty` if the sources differ from it.
fn git_commit(root: &Path) -> Option<String> {
    // A package that is unpacked inside of another repository is none of its files.
    let top = fs::canonicalize(git(root, &["rev-parse", "--show-toplevel"])?).ok()?;
    if top != fs::canonicalize(root).ok()? {
        return None;
    }
    // Git knows where these lie, be it in a worktree. The log of HEAD grows with each
    // commit, also where the branch is packed.
    let branch = git(root, &["rev-parse", "--symbolic-full-name", "HEAD"]);
    for name in ["HEAD", "logs/HEAD", "packed-refs"].into_iter().chain(branch.as_deref()) {
        if let Some(path) = git(root, &["rev-parse", "--git-path", name]) {
            watch(&root.join(path));
        }
    }
    let mut commit = git(root, &["rev-parse", "HEAD"])?;
    commit.truncate(HASH_DIGITS);
    let arguments = ["status", "--porcelain", "--untracked-files=no", "--"];
    let changed = git(root, &[&arguments[..], &SOURCES[..]].concat())?;
    Some(if changed.is_empty() { commit } else { format!("{commit}-dirty") })
}

/// The commit that `cargo package` notes in a package.
fn packaged_commit(root: &Path) -> Option<String> {
    let path = root.join(".cargo_vcs_info.json");
    watch(&path);
    let text = fs::read_to_string(path).ok()?;
    let (_, rest) = text.split_once("\"sha1\"")?;
    let hash: String = rest
        .chars()
        .skip_while(|character| !character.is_ascii_hexdigit())
        .take_while(char::is_ascii_hexdigit)
        .take(HASH_DIGITS)
        .collect();
    let dirty = text
        .split_once("\"dirty\"")
        .is_some_and(|(_, rest)| rest.trim_start_matches([':', ' ', '\t']).starts_with("true"));
    Some(if dirty { format!("{hash}-dirty") } else { hash })
}

/// In an archive of the sources `git archive` has written the hash of the commit here.
const ARCHIVED: &str = "$Format:%H$";

fn archived_commit() -> Option<String> {
    let is_hash = ARCHIVED.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| ARCHIVED.chars().take(HASH_DIGITS).collect())
}

/// The version of the compiler: `1.88.0 (6b00bc388 2025-06-23)`.
fn compiler() -> Option<String> {
    let output = Command::new(env::var_os("RUSTC")?).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().trim_start_matches("rustc ").to_owned())
}
