//! Laws of the source text of `src`: which file may import which, who opens files, how
//! long a function may be, and that a type has a name of its own in its folder.
//!
//! The sources are parsed, and each path is followed through re-exports to the file that
//! defines its item. Tests within the sources are not part of the laws.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proc_macro2::{TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Attribute, Ident, Item, ItemEnum, ItemFn, ItemImpl, ItemMod, ItemStruct, ItemTrait, ItemType,
    ItemUse, UseTree, Visibility,
};

/// The layers of the folders of `src`, by the table of `lib.rs`. A file imports only from its
/// own folder and from lower layers.
static LAYERS: LazyLock<BTreeMap<&str, u8>> = LazyLock::new(|| {
    let rows = include_str!("../src/lib.rs").lines().filter_map(|line| {
        let (layer, row) = line.strip_prefix("//! | ")?.split_once(" | ")?;
        let (folders, _) = row.split_once(" | ")?;
        Some((layer.parse::<u8>().ok()?, folders))
    });
    rows.flat_map(|(layer, folders)| {
        folders.split(", ").map(move |folder| (folder.trim_matches(['[', ']', '`']), layer))
    })
    .collect()
});

/// The files and folders of `src/search`. Each imports only from itself and from those above
/// it in this list.
const SEARCH_PARTS: [&str; 15] = [
    "params",
    "strength",
    "options",
    "tt",
    "window",
    "clock",
    "ordering",
    "request",
    "tables",
    "report",
    "statistics",
    "thread",
    "tree",
    "root",
    "searcher",
];

/// Lines of a function at most, …
const MAX_LINES: usize = 80;

/// … except these.
const LONG_FUNCTIONS: [(&str, usize); 2] = [("negamax", 200), ("quiescence", 100)];

/// Names of types that each subcommand has.
const SHARED_NAMES: [&str; 2] = ["Args", "Command"];

/// What opens or changes files, …
const FILE_ACCESS: [&str; 12] = [
    "File::open",
    "File::create",
    "File::create_new",
    "File::options",
    "OpenOptions",
    "fs::read",
    "fs::read_to_string",
    "fs::write",
    "fs::copy",
    "fs::rename",
    "fs::remove_file",
    "tempfile",
];

/// … and the sources that may use it.
const FILE_ACCESSORS: [(&str, &[&str]); 5] = [
    // The one way to read, and the one way to write.
    ("util/input_file.rs", &["File::options", "OpenOptions"]),
    ("util/output_file.rs", &["File::open", "File::options", "tempfile"]),
    // A file that grows, reserved for one process.
    ("util/reserved_file.rs", &["File::options", "OpenOptions", "fs::remove_file"]),
    // The UCI log, which is appended to.
    ("uci/transcript.rs", &["File::options"]),
    // The memory that the system reports.
    ("util/memory.rs", &["fs::read_to_string"]),
];

/// A path: `crate::chess::Move` is `["crate", "chess", "Move"]`.
type Segments = Vec<String>;

/// What the laws need of a source file.
#[derive(Default)]
struct Source {
    /// All paths outside tests. Paths of `use` items start at the root of the tree.
    paths: BTreeSet<Segments>,
    /// The names that `use` items bind.
    bindings: BTreeMap<String, Segments>,
    /// The functions with their lengths in lines.
    functions: Vec<(String, usize)>,
    /// The types that other files can name.
    types: Vec<String>,
}

impl Source {
    fn parse(text: &str) -> Self {
        let mut source = Self::default();
        source.visit_file(&syn::parse_file(text).unwrap());
        source
    }

    fn add_use_tree(&mut self, prefix: &[String], tree: &UseTree) {
        let with = |ident: &Ident| [prefix, &[ident.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.add_use_tree(&with(&path.ident), &path.tree),
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.add_use_tree(prefix, tree));
            }
            UseTree::Name(name) if name.ident == "self" => self.bind(prefix.last(), prefix),
            UseTree::Name(name) => self.bind(Some(&name.ident.to_string()), &with(&name.ident)),
            UseTree::Rename(name) => self.bind(Some(&name.rename.to_string()), &with(&name.ident)),
            UseTree::Glob(_) => self.bind(None, prefix),
        }
    }

    fn bind(&mut self, name: Option<&String>, path: &[String]) {
        self.paths.insert(path.to_vec());
        if let Some(name) = name.filter(|&name| path.len() > 1 || path[0] != *name) {
            self.bindings.insert(name.clone(), path.to_vec());
        }
    }

    /// Adds the paths of two or more segments in the input of a macro.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut paths: Vec<Segments> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    match paths.last_mut().filter(|_| colons == 2) {
                        Some(path) => path.push(ident.to_string()),
                        None => paths.push(vec![ident.to_string()]),
                    }
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => self.add_tokens(group.stream()),
                _ => colons = 0,
            }
        }
        self.paths.extend(paths.into_iter().filter(|path| path.len() > 1));
    }

    fn add_function(&mut self, name: &Ident, function: &impl Spanned, block: &syn::Block) {
        let start = function.span().start().line;
        self.functions.push((name.to_string(), block.span().end().line - start + 1));
    }

    /// The accesses to files in this source.
    fn file_access(&self) -> BTreeSet<&'static str> {
        let is_in = |access: &&str, path: &Segments| {
            let access: Vec<&str> = access.split("::").collect();
            path.windows(access.len()).any(|window| window == access)
        };
        FILE_ACCESS
            .into_iter()
            .filter(|access| self.paths.iter().any(|path| is_in(access, path)))
            .collect()
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<Ident>().is_ok_and(|condition| condition == "test")
    })
}

impl<'ast> Visit<'ast> for Source {
    fn visit_item(&mut self, item: &'ast Item) {
        let (attributes, type_name) = match item {
            Item::Fn(ItemFn { attrs, .. })
            | Item::Impl(ItemImpl { attrs, .. })
            | Item::Mod(ItemMod { attrs, .. })
            | Item::Use(ItemUse { attrs, .. }) => (attrs, None),
            Item::Enum(ItemEnum { attrs, vis, ident, .. })
            | Item::Struct(ItemStruct { attrs, vis, ident, .. })
            | Item::Trait(ItemTrait { attrs, vis, ident, .. })
            | Item::Type(ItemType { attrs, vis, ident, .. }) => (attrs, Some((vis, ident))),
            _ => return visit::visit_item(self, item),
        };
        if is_test(attributes) {
            return;
        }
        if let Some((visibility, name)) = type_name
            && !matches!(visibility, Visibility::Inherited)
        {
            self.types.push(name.to_string());
        }
        visit::visit_item(self, item);
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.add_use_tree(&[], &item.tree);
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        self.add_function(&function.sig.ident, &function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.add_function(&function.sig.ident, &function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.paths.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    /// The path of `pub(super)` is no import.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.add_tokens(mac.tokens.clone());
    }
}

/// The crate.
static MODULES: LazyLock<Modules> = LazyLock::new(Modules::read);

/// The modules by path, `["search", "tt"]` for `search/tt/mod.rs`.
struct Modules(BTreeMap<Segments, (String, Source)>);

impl Modules {
    fn read() -> Self {
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut files = Vec::new();
        rust_files(&src, &mut files);
        let modules = files.iter().map(|path| {
            let name = path.strip_prefix(&src).unwrap().to_str().unwrap().replace('\\', "/");
            let module = name.trim_end_matches(".rs").trim_end_matches("/mod").split('/');
            let module = module.filter(|&name| name != "lib").map(str::to_owned).collect();
            (module, (name, Source::parse(&fs::read_to_string(path).unwrap())))
        });
        Self(modules.collect())
    }

    fn sources(&self) -> impl Iterator<Item = &(String, Source)> {
        self.0.values()
    }

    /// The module that defines what `path` names in `module`; `None` if it is not in this
    /// crate. Follows at most `imports` imports: names of functions and of modules may
    /// lead in a circle.
    fn definition(&self, module: &[String], path: &[String], imports: u8) -> Option<Segments> {
        let (first, rest) = path.split_first()?;
        let mut place = match first.as_str() {
            "crate" => Vec::new(),
            "self" => module.to_vec(),
            "super" => module[..module.len() - 1].to_vec(),
            _ => return self.member(module, path, imports),
        };
        let parents = rest.iter().take_while(|&name| name == "super").count();
        place.truncate(place.len() - parents);
        self.member(&place, &rest[parents..], imports).or(Some(place))
    }

    /// The module that defines `path` in `module`, if its first name is a module or is
    /// imported there.
    fn member(&self, module: &[String], path: &[String], imports: u8) -> Option<Segments> {
        let (name, rest) = path.split_first()?;
        let child = [module, std::slice::from_ref(name)].concat();
        if self.0.contains_key(&child) {
            return self.member(&child, rest, imports).or(Some(child));
        }
        let binding = self.0.get(module)?.1.bindings.get(name)?;
        self.definition(module, &[binding, rest].concat(), imports.checked_sub(1)?)
    }

    /// For each module the modules that it imports from.
    fn imports(&self) -> BTreeMap<&Segments, BTreeSet<Segments>> {
        let imports_of = |module: &Segments| {
            let paths = self.0[module].1.paths.iter();
            let found = paths.filter_map(|path| self.definition(module, path, 8));
            found.filter(|other| other != module).collect()
        };
        self.0.keys().map(|module| (module, imports_of(module))).collect()
    }
}

/// The folder of `src` that a module lies in.
fn folder(module: &[String]) -> &str {
    module.first().map_or("", String::as_str)
}

/// Every Rust file below `folder` that is not a test.
fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && path.file_stem().is_some_and(|name| name != "tests")
        {
            found.push(path);
        }
    }
}

fn assert_none(faults: &[String], law: &str) {
    assert!(faults.is_empty(), "{law}:\n{}", faults.join("\n"));
}

/// Fails if a source has faults.
fn assert_sources(law: &str, faults_of: impl Fn(&str, &Source) -> Vec<String>) {
    let faults: Vec<String> = MODULES
        .sources()
        .flat_map(|(file, source)| {
            faults_of(file, source).into_iter().map(move |fault| format!("{file}: {fault}"))
        })
        .collect();
    assert_none(&faults, law);
}

/// Fails if a module imports from another whose rank does not allow it.
/// `may_import(own, other)` compares their ranks.
fn assert_imports<Rank>(
    law: &str,
    rank: impl Fn(&Segments) -> Rank,
    may_import: impl Fn(&Rank, &Rank) -> bool,
) {
    let mut faults = Vec::new();
    for (module, imports) in MODULES.imports() {
        let own = rank(module);
        for import in imports.iter().filter(|import| !may_import(&own, &rank(import))) {
            faults.push(format!("{} imports {}", module.join("::"), import.join("::")));
        }
    }
    assert_none(&faults, law);
}

#[test]
fn imports_point_down() {
    // `lib.rs` and `main.rs` are above all layers.
    let rank = |module: &Segments| match folder(module) {
        "" | "main" => ("", u8::MAX),
        folder => LAYERS
            .get_key_value(folder)
            .map(|(&name, &layer)| (name, layer))
            .unwrap_or_else(|| panic!("{module:?} has no layer")),
    };
    assert_imports(
        "imports only from the same folder and from lower layers",
        rank,
        |own, other| other.1 < own.1 || other.0 == own.0,
    );
}

#[test]
fn parts_of_the_search_are_in_order() {
    // None for a module outside the search. `search/mod.rs` is below all parts.
    let rank = |module: &Segments| match &module[..] {
        [folder, part, ..] if folder == "search" => {
            let rank = SEARCH_PARTS.iter().position(|name| name == part);
            Some(rank.unwrap_or_else(|| panic!("{module:?} is not in SEARCH_PARTS")))
        }
        [folder] if folder == "search" => Some(SEARCH_PARTS.len()),
        _ => None,
    };
    assert_imports("imports within search only from the parts above", rank, |own, other| {
        own.is_none() || other <= own
    });
}

/// The modules that a module imports, directly or through others.
fn reached<'a>(
    imports: &'a BTreeMap<&Segments, BTreeSet<Segments>>,
    module: &'a Segments,
) -> BTreeSet<&'a Segments> {
    let mut reached = BTreeSet::new();
    let mut open = vec![module];
    while let Some(module) = open.pop() {
        open.extend(imports[module].iter().filter(|&import| reached.insert(import)));
    }
    reached
}

/// Files of one folder may know each other.
#[test]
fn no_folder_imports_itself_through_others() {
    let imports = MODULES.imports();
    let reached: BTreeMap<&Segments, BTreeSet<&Segments>> =
        imports.keys().map(|&module| (module, reached(&imports, module))).collect();
    let folder = |module: &Segments| Path::new(&MODULES.0[module].0).parent().unwrap();
    let mut circles = Vec::new();
    for (&module, others) in &reached {
        for &other in others.iter().filter(|&&other| other > module) {
            if reached[other].contains(module) && folder(module) != folder(other) {
                circles.push(format!("{} and {}", module.join("::"), other.join("::")));
            }
        }
    }
    assert_none(&circles, "no circles of imports between folders");
}

#[test]
fn functions_are_short() {
    let max_lines = |name: &str| {
        let long = LONG_FUNCTIONS.iter().find(|(function, _)| *function == name);
        long.map_or(MAX_LINES, |&(_, lines)| lines)
    };
    assert_sources("functions have at most 80 lines", |_, source| {
        let functions = source.functions.iter().filter(|(name, lines)| *lines > max_lines(name));
        functions.map(|(name, lines)| format!("{name} has {lines} lines")).collect()
    });
}

#[test]
fn types_of_a_folder_have_names_of_their_own() {
    let mut places: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for (module, (file, source)) in &MODULES.0 {
        for name in &source.types {
            places.entry((folder(module), name)).or_default().push(file);
        }
    }
    let is_shared = |folder: &str, name: &str| folder == "cli" && SHARED_NAMES.contains(&name);
    let faults: Vec<String> = places
        .iter()
        .filter(|((folder, name), files)| files.len() > 1 && !is_shared(folder, name))
        .map(|((_, name), files)| format!("{name}: {}", files.join(", ")))
        .collect();
    assert_none(&faults, "one name, one type in a folder");
}

#[test]
fn files_are_opened_in_one_place() {
    let is_allowed = |file: &str, access: &str| {
        FILE_ACCESSORS.iter().any(|(name, allowed)| *name == file && allowed.contains(&access))
    };
    let law = "files are read by util::input_file and written by util::output_file";
    assert_sources(law, |file, source| {
        let faults = source.file_access().into_iter().filter(|access| !is_allowed(file, access));
        faults.map(str::to_owned).collect()
    });
}

#[test]
fn sources_are_understood() {
    let source = Source::parse(
        "
        //! See [`crate::uci`].
        use std::fs::{self, File};
        use crate::chess::{Position, square::Square as S};
        pub use super::tt::*;
        pub(crate) struct Shown;
        struct Hidden(crate::util::Path);
        fn f() {
            // fs::write(path, text)
            assert!(crate::search::go(File::create(path)), \"crate::tuner\");
        }
        #[cfg(test)]
        mod tests {
            fn t() { fs::write(path, text).unwrap(); }
        }
        ",
    );
    let paths: Vec<String> = source.paths.iter().map(|path| path.join("::")).collect();
    for path in [
        "crate::chess::Position",
        "crate::chess::square::Square",
        "crate::search::go",
        "crate::util::Path",
        "std::fs",
        "super::tt",
    ] {
        assert!(paths.iter().any(|found| found == path), "{path} is not in {paths:?}");
    }
    assert!(!paths.iter().any(|path| path.contains("tuner") || path.contains("uci")));
    assert_eq!(source.bindings["S"], ["crate", "chess", "square", "Square"]);
    assert_eq!(source.types, ["Shown"]);
    assert_eq!(source.functions, [("f".to_owned(), 4)]);
    assert_eq!(source.file_access(), BTreeSet::from(["File::create"]));
}
