//! Which file of a crate uses names of which other file: imports, inline paths and re-exports are followed to the file that
//! defines the name. Test modules are not looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, Macro, UseTree, Visibility};

/// A module's path from the crate's root.
type Module = Vec<String>;

/// The files of one crate, and for each the files that it uses; all named from `src`.
pub(crate) struct Uses(pub(crate) BTreeMap<String, BTreeSet<String>>);

impl Uses {
    /// Reads the crate whose `src` folder this is.
    pub(crate) fn read(src: &Path) -> Uses {
        let mut scopes = BTreeMap::new();
        let root = src.join("lib.rs");
        scan_file(src, &root, src, Vec::new(), &mut scopes);
        let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for scope in scopes.values() {
            let mut used: BTreeSet<String> =
                scope.paths.iter().filter_map(|path| define(&scopes, &scope.module, path, 0)).collect();
            used.remove(&scope.file);
            uses.entry(scope.file.clone()).or_default().extend(used);
        }
        Uses(uses)
    }

    /// The files that use each other in a circle, the longest circle first.
    pub(crate) fn circles(&self) -> Vec<BTreeSet<&str>> {
        let reached: BTreeMap<&str, BTreeSet<&str>> =
            self.0.keys().map(|file| (file.as_str(), self.reachable(file))).collect();
        let mut circles: Vec<BTreeSet<&str>> = Vec::new();
        for (file, all) in &reached {
            let circle: BTreeSet<&str> = all.iter().copied().filter(|f| reached[f].contains(file)).collect();
            if !circle.is_empty() && !circles.contains(&circle) {
                circles.push(circle);
            }
        }
        circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
        circles
    }

    fn reachable<'a>(&'a self, from: &'a str) -> BTreeSet<&'a str> {
        let (mut reached, mut left) = (BTreeSet::new(), vec![from]);
        while let Some(file) = left.pop() {
            left.extend(self.0[file].iter().map(String::as_str).filter(|used| reached.insert(*used)));
        }
        reached
    }
}

/// What a module defines and names.
struct Scope {
    module: Module,
    file: String,
    /// Items that it defines, child modules aside.
    items: BTreeSet<String>,
    /// Names that it imports, with the path of each.
    imports: Vec<(String, Vec<String>)>,
    /// Paths of which it imports everything.
    globs: Vec<Vec<String>>,
    /// Paths that its code names; what is imported only to be handed on is not among them.
    paths: BTreeSet<Vec<String>>,
}

type Scopes = BTreeMap<Module, Scope>;

fn scan_file(src: &Path, file: &Path, folder: &Path, module: Module, scopes: &mut Scopes) {
    let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let parsed = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let name = file.strip_prefix(src).expect("it lies in the crate").display().to_string();
    scan(src, &name, folder, module, &parsed.items, scopes);
}

/// Looks through the items of a module; its child modules are in `folder`.
fn scan(src: &Path, file: &str, folder: &Path, module: Module, items: &[Item], scopes: &mut Scopes) {
    let mut scope = Scope {
        module: module.clone(),
        file: file.to_owned(),
        items: BTreeSet::new(),
        imports: Vec::new(),
        globs: Vec::new(),
        paths: BTreeSet::new(),
    };
    for item in items {
        match item {
            Item::Mod(item) => {
                if is_test(&item.attrs) {
                    continue;
                }
                let name = item.ident.to_string();
                let child = [module.as_slice(), std::slice::from_ref(&name)].concat();
                let inner = folder.join(&name);
                match &item.content {
                    Some((_, items)) => scan(src, file, &inner, child, items, scopes),
                    None => scan_file(src, &file_of(folder, &name), &inner, child, scopes),
                }
            }
            other => scope.visit_item(other),
        }
    }
    scopes.insert(module, scope);
}

fn file_of(folder: &Path, name: &str) -> PathBuf {
    let beside = folder.join(format!("{name}.rs"));
    if beside.is_file() { beside } else { folder.join(name).join("mod.rs") }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|condition| condition.is_ident("test"))
    })
}

impl<'ast> Visit<'ast> for Scope {
    fn visit_item(&mut self, item: &'ast Item) {
        let (name, attributes) = match item {
            Item::Const(item) => (Some(&item.ident), &item.attrs),
            Item::Enum(item) => (Some(&item.ident), &item.attrs),
            Item::Fn(item) => (Some(&item.sig.ident), &item.attrs),
            Item::Static(item) => (Some(&item.ident), &item.attrs),
            Item::Struct(item) => (Some(&item.ident), &item.attrs),
            Item::Trait(item) => (Some(&item.ident), &item.attrs),
            Item::Type(item) => (Some(&item.ident), &item.attrs),
            Item::Macro(item) => (item.ident.as_ref(), &item.attrs),
            Item::Impl(item) => (None, &item.attrs),
            Item::Use(item) => (None, &item.attrs),
            _ => return visit::visit_item(self, item),
        };
        if !is_test(attributes) {
            self.items.extend(name.map(ToString::to_string));
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let is_private = matches!(item.vis, Visibility::Inherited);
        self.import(&item.tree, &mut Vec::new(), is_private);
    }

    // A module within a function has its own names; none is written here.
    fn visit_item_mod(&mut self, _: &'ast ItemMod) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.paths.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, found: &'ast Macro) {
        self.words(found.tokens.clone());
        visit::visit_macro(self, found);
    }
}

impl Scope {
    fn import(&mut self, tree: &UseTree, prefix: &mut Vec<String>, is_private: bool) {
        let mut take = |name: String, path: Vec<String>| {
            if is_private {
                self.paths.insert(path.clone());
            }
            self.imports.push((name, path));
        };
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.import(&path.tree, prefix, is_private);
                prefix.pop();
            }
            UseTree::Name(name) if name.ident == "self" => {
                take(prefix.last().expect("`self` stands in a group").clone(), prefix.clone());
            }
            UseTree::Name(name) => {
                let name = name.ident.to_string();
                take(name.clone(), [prefix.as_slice(), &[name]].concat());
            }
            UseTree::Rename(rename) => {
                let mut path = prefix.clone();
                path.extend((rename.ident != "self").then(|| rename.ident.to_string()));
                take(rename.rename.to_string(), path);
            }
            UseTree::Glob(_) => self.globs.push(prefix.clone()),
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.import(tree, prefix, is_private));
            }
        }
    }

    /// Takes paths out of a macro's words, which nobody parses.
    fn words(&mut self, words: TokenStream) {
        let (mut path, mut colons) = (Vec::new(), 0);
        for word in words {
            match word {
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.paths.insert(std::mem::take(&mut path));
                    }
                    path.push(ident.to_string());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                other => {
                    self.paths.insert(std::mem::take(&mut path));
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        self.words(group.stream());
                    }
                }
            }
        }
        self.paths.insert(path);
    }
}

/// The file that defines what a path names in a module; nothing for modules and for what other crates define.
fn define(scopes: &Scopes, module: &[String], path: &[String], depth: usize) -> Option<String> {
    // An import of everything can lead around in a ring.
    if depth > 16 {
        return None;
    }
    let (first, rest) = path.split_first()?;
    match first.as_str() {
        "crate" => walk(scopes, &[], rest, depth),
        "self" => walk(scopes, module, rest, depth),
        "super" => walk(scopes, module.split_last()?.1, rest, depth),
        _ => walk(scopes, module, path, depth),
    }
}

fn walk(scopes: &Scopes, module: &[String], path: &[String], depth: usize) -> Option<String> {
    let (first, rest) = path.split_first()?;
    if first == "super" {
        return walk(scopes, module.split_last()?.1, rest, depth);
    }
    let child = [module, std::slice::from_ref(first)].concat();
    if scopes.contains_key(&child) && !rest.is_empty() {
        return walk(scopes, &child, rest, depth);
    }
    let scope = scopes.get(module)?;
    if scope.items.contains(first) {
        return Some(scope.file.clone());
    }
    let mut named = scope.imports.iter().filter(|(name, path)| name == first && path != &[first.as_str()]);
    let found = named.find_map(|(_, path)| define(scopes, module, &[path, rest].concat(), depth + 1));
    found.or_else(|| {
        let mut globs = scope.globs.iter();
        globs.find_map(|glob| define(scopes, module, &[glob.as_slice(), path].concat(), depth + 1))
    })
}

#[test]
fn a_name_is_followed_to_the_file_that_defines_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
        fs::write(path, text).expect("a file can be written");
    };
    write("lib.rs", "pub mod a;\nmod b;\n#[cfg(test)]\nmod tests;");
    write("a/mod.rs", "mod inner;\npub use inner::Inner;\npub mod other;\nfn own() { inner::absent; }");
    write("a/inner.rs", "pub struct Inner;\nuse super::other::*;\nfn f() -> Other { super::own() }");
    write("a/other.rs", "pub struct Other;\n#[cfg(test)]\nuse crate::a::Inner;");
    write("b.rs", "use crate::a::{self, Inner as Name};\nfn f() { assert!(a::other::Other == Name::NEW) }");
    let uses = Uses::read(folder.path());
    let of = |file: &str| uses.0[file].iter().map(String::as_str).collect::<Vec<_>>();
    // A re-export is not a use, and neither is a declaration of a module.
    assert_eq!(of("lib.rs"), Vec::<&str>::new());
    assert_eq!(of("a/mod.rs"), Vec::<&str>::new());
    assert_eq!(of("a/inner.rs"), ["a/mod.rs", "a/other.rs"]);
    assert_eq!(of("a/other.rs"), Vec::<&str>::new());
    assert_eq!(of("b.rs"), ["a/inner.rs", "a/other.rs"]);
    assert!(uses.circles().is_empty());
    write("a/other.rs", "pub struct Other(crate::b::Name);");
    let uses = Uses::read(folder.path());
    assert_eq!(uses.circles()[0].iter().copied().collect::<Vec<_>>(), ["a/inner.rs", "a/other.rs"]);
}
