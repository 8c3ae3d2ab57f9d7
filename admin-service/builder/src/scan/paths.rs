//! Where a path may lead: `skill_sdk`, the pure parts of `std`, and the skill's own file.
//!
//! Names are resolved without scopes: every `use` of the file that binds a name counts at every place
//! where the name occurs. That judges a little too much and can be argued about in one paragraph: a path
//! is refused if any reading of it, through any import of the file, leaves the lists below.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use proc_macro2::Span;
use syn::visit::{self, Visit};
use syn::{GenericParam, Ident, Item, ItemUse, Path, UseTree};

use super::tables::{ALLOWED_MACROS, Ban, PRIMITIVES, PURE, PURE_PARTS, SDK_MODULES, has};

const ROOTS: &[&str] = &["std", "core", "alloc"];
const SDK: &str = "skill_sdk";

/// Imports followed in the whole file; an honest one needs a few per path.
const MOST_STEPS: usize = 200_000;
/// Imports of imports of imports: nobody follows more.
const LONGEST_WAY: usize = 32;

/// How a path is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// Named in code.
    Path,
    /// Named by an import.
    Import,
    /// All of it imported.
    Glob,
}

/// A path as its names, raw prefixes stripped.
#[derive(Debug, Clone)]
pub(super) struct Names {
    pub(super) absolute: bool,
    pub(super) names: Vec<String>,
}

/// One leaf of a `use` declaration.
pub(super) struct Import {
    pub(super) path: Names,
    /// The name it binds, unless it is a glob or `_`.
    pub(super) binds: Option<String>,
    pub(super) renamed: bool,
    pub(super) glob: bool,
    pub(super) span: Span,
}

/// What the file itself declares and imports.
#[derive(Default)]
pub(super) struct Declared {
    imports: HashMap<String, Vec<Vec<String>>>,
    globs: Vec<Vec<String>>,
    own: HashSet<String>,
    /// What the top of the file declares or imports.
    top: HashSet<String>,
    macros: HashSet<String>,
    steps: Cell<usize>,
}

pub(super) fn plain(ident: &Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").map_or(name.clone(), str::to_owned)
}

pub(super) fn names_of(path: &Path) -> Names {
    Names {
        absolute: path.leading_colon.is_some(),
        names: path.segments.iter().map(|segment| plain(&segment.ident)).collect(),
    }
}

/// Whether a name belongs to one of the crates.
pub(super) fn is_reserved(name: &str) -> bool {
    name == SDK || ROOTS.contains(&name)
}

/// Takes a `use` declaration apart.
pub(super) fn imports_of(item: &ItemUse) -> Vec<Import> {
    let mut imports = Vec::new();
    flatten(&item.tree, item.leading_colon.is_some(), &mut Vec::new(), &mut imports);
    imports
}

fn flatten(tree: &UseTree, absolute: bool, prefix: &mut Vec<String>, imports: &mut Vec<Import>) {
    let mut leaf = |name: Option<&Ident>, rename: Option<&Ident>, glob: bool, span: Span| {
        let mut names = prefix.clone();
        names.extend(name.map(plain));
        // `a::{self}` is `a`; a lone `self` or `super` stays.
        if names.len() > 1 && names.last().is_some_and(|last| last == "self") {
            names.pop();
        }
        let bound = rename.map(plain).or_else(|| names.last().cloned());
        imports.push(Import {
            binds: bound.filter(|bound| !glob && bound != "_"),
            renamed: rename.is_some(),
            path: Names { absolute, names },
            glob,
            span,
        });
    };
    match tree {
        UseTree::Name(name) => leaf(Some(&name.ident), None, false, name.ident.span()),
        UseTree::Rename(rename) => {
            leaf(Some(&rename.ident), Some(&rename.rename), false, rename.ident.span())
        }
        UseTree::Glob(glob) => leaf(None, None, true, glob.star_token.spans[0]),
        UseTree::Path(path) => {
            prefix.push(plain(&path.ident));
            flatten(&path.tree, absolute, prefix, imports);
            prefix.pop();
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, absolute, prefix, imports);
            }
        }
    }
}

impl Declared {
    pub(super) fn of(file: &syn::File) -> Declared {
        let mut declared = Declared::default();
        for item in &file.items {
            declared.top.extend(name_of(item).map(plain));
            if let Item::Use(item) = item {
                // `use crate::name;` declares nothing that is not there without it.
                let declares =
                    |import: &Import| import.path.names.len() != 2 || import.path.names[0] != "crate";
                let imports = imports_of(item).into_iter().filter(declares);
                declared.top.extend(imports.filter_map(|import| import.binds));
            }
        }
        declared.visit_file(file);
        declared
    }

    /// Judges a path that stands `depth` modules below the file's root.
    pub(super) fn judge(&self, path: &Names, depth: usize, used: Use) -> Result<(), Ban> {
        let names = path.names.as_slice();
        let Some(first) = names.first() else { return Err(Ban::GlobNotAllowed) };
        if !self.stays_in_file(names, used)
            || names.iter().take_while(|name| is_relative(name)).filter(|name| *name == "super").count()
                > depth
        {
            return Err(Ban::NoCratePath);
        }
        if path.absolute && !is_reserved(first) {
            return Err(Ban::UnknownRoot);
        }
        if !self.is_known(names, used) {
            return Err(Ban::UnknownRoot);
        }
        self.readings(names, &mut Vec::new(), &mut |names| judge_crate(names, used))
    }

    /// Whether a path with `crate` in it means the file's own top, of which the wrapper makes a module.
    fn stays_in_file(&self, names: &[String], used: Use) -> bool {
        if names.iter().skip(1).any(|name| name == "crate") {
            return false;
        }
        match names {
            [first] if first == "crate" => used == Use::Glob,
            [first, next, ..] if first == "crate" => self.top.contains(next),
            _ => true,
        }
    }

    /// Whether a name is bound by an import that leads to something else than a type.
    pub(super) fn may_be_module(&self, name: &str) -> bool {
        let leads_to_type = |target: &Vec<String>| target.last().is_some_and(|last| is_type_like(last));
        self.imports.get(name).is_some_and(|targets| !targets.iter().all(leads_to_type))
    }

    /// Whether the file defines a macro of this name.
    pub(super) fn defines_macro(&self, name: &str) -> bool {
        self.macros.contains(name)
    }

    /// Whether some reading of the path, through the file's imports, is exactly `target`.
    pub(super) fn may_mean(&self, path: &Names, target: &[&str]) -> bool {
        let mut found = false;
        let walked = self.readings(&path.names, &mut Vec::new(), &mut |names| {
            found |= names == target;
            Ok(())
        });
        walked.is_ok() && found
    }

    /// Calls `judge` with every reading of the path that starts in a crate.
    fn readings<'a>(
        &'a self,
        names: &[String],
        through: &mut Vec<(&'a str, usize)>,
        judge: &mut dyn FnMut(&[String]) -> Result<(), Ban>,
    ) -> Result<(), Ban> {
        if names.first().is_some_and(|first| is_reserved(first)) {
            return judge(names);
        }
        for (at, name) in names.iter().enumerate() {
            if is_reserved(name) {
                // After a type it is an associated item, such as `Engine::core`.
                if !is_type_like(&names[at - 1]) {
                    judge(&names[at..])?;
                }
                continue;
            }
            let Some((name, targets)) = self.imports.get_key_value(name) else { continue };
            for (index, target) in targets.iter().enumerate() {
                self.steps.set(self.steps.get() + 1);
                if self.steps.get() > MOST_STEPS || through.len() > LONGEST_WAY {
                    return Err(Ban::ImportMaze);
                }
                if through.contains(&(name, index)) {
                    continue;
                }
                let expanded: Vec<String> = target.iter().chain(&names[at + 1..]).cloned().collect();
                through.push((name, index));
                self.readings(&expanded, through, judge)?;
                through.pop();
            }
        }
        Ok(())
    }

    /// Whether the first name is something; a single name in code is a local, a primitive or imported.
    fn is_known(&self, names: &[String], used: Use) -> bool {
        let first = names[0].as_str();
        let single = names.len() == 1 && used == Use::Path;
        let global = is_reserved(first) || is_relative(first) || has(PRIMITIVES, first);
        let imported = self.own.contains(first) || self.imports.contains_key(first);
        single || global || imported || is_type_like(first) || self.comes_from_glob(first)
    }

    /// Whether a glob import of the file brings this module.
    fn comes_from_glob(&self, name: &str) -> bool {
        self.globs.iter().any(|glob| match glob.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [SDK] | [SDK, "prelude"] => has(SDK_MODULES, name),
            [_, "f32" | "f64"] => name == "consts",
            [_, "collections"] => {
                matches!(
                    name,
                    "btree_map" | "btree_set" | "hash_map" | "hash_set" | "vec_deque" | "binary_heap"
                )
            }
            _ => false,
        })
    }
}

pub(super) fn is_type_like(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
}

fn is_relative(name: &str) -> bool {
    matches!(name, "self" | "super" | "Self" | "crate")
}

/// Judges names of which the first is one of the crates.
fn judge_crate(names: &[String], used: Use) -> Result<(), Ban> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match names[..] {
        [SDK] => Ok(()),
        [SDK, first, ..] => {
            let public = has(SDK_MODULES, first) || is_type_like(first);
            if public { Ok(()) } else { Err(Ban::SdkInternal) }
        }
        [_] => Err(if used == Use::Glob { Ban::GlobNotAllowed } else { Ban::RootAlias }),
        [_, module, ref members @ ..] => judge_std(module, members, used),
        [] => Ok(()),
    }
}

fn judge_std(module: &str, members: &[&str], used: Use) -> Result<(), Ban> {
    let part = PURE_PARTS.iter().find(|part| part.name == module).map(|part| part.members);
    if part.is_none() && !has(PURE, module) {
        // `std::panic` is a module as well, and not a pure one.
        let imported_macro =
            used == Use::Import && members.is_empty() && has(ALLOWED_MACROS, module) && module != "panic";
        return if imported_macro { Ok(()) } else { Err(impure(module)) };
    }
    let unsafe_door = |name: &&str| {
        name.ends_with("_unchecked")
            || name.starts_with("from_raw")
            || matches!(*name, "UnsafeCell" | "SyncUnsafeCell")
    };
    if members.iter().any(unsafe_door) {
        return Err(Ban::StdNotAllowed);
    }
    match (part, members) {
        (None, _) => Ok(()),
        (Some(_), []) if used == Use::Glob => Err(Ban::GlobNotAllowed),
        (Some(_), []) => Ok(()),
        (Some(list), [first, rest @ ..]) if has(list, first) => match (module, rest) {
            // The preludes export compiler macros beside their types and traits.
            ("prelude", []) if used == Use::Glob => Ok(()),
            ("prelude", [name, ..]) if is_type_like(name) => Ok(()),
            ("prelude", _) => Err(Ban::StdNotAllowed),
            _ => Ok(()),
        },
        (Some(_), _) => Err(impure(module)),
    }
}

/// The rule that says best what a module outside the list would be used for.
fn impure(module: &str) -> Ban {
    match module {
        "fs" | "path" | "io" => Ban::NoFiles,
        "net" => Ban::NoNetwork,
        "process" | "os" | "ffi" => Ban::NoProcess,
        "env" => Ban::NoEnvironment,
        "thread" | "sync" | "task" | "future" => Ban::NoThreads,
        "time" => Ban::NoClock,
        "println" | "eprintln" | "print" | "eprint" | "dbg" => Ban::NoPrinting,
        "todo" | "unimplemented" => Ban::Unfinished,
        "include" | "include_str" | "include_bytes" | "option_env" => Ban::NoCompileTimeReading,
        _ => Ban::StdNotAllowed,
    }
}

fn name_of(item: &Item) -> Option<&Ident> {
    match item {
        Item::Const(item) => Some(&item.ident),
        Item::Enum(item) => Some(&item.ident),
        Item::Fn(item) => Some(&item.sig.ident),
        Item::Mod(item) => Some(&item.ident),
        Item::Static(item) => Some(&item.ident),
        Item::Struct(item) => Some(&item.ident),
        Item::Trait(item) => Some(&item.ident),
        Item::Type(item) => Some(&item.ident),
        _ => None,
    }
}

impl<'ast> Visit<'ast> for Declared {
    fn visit_item(&mut self, item: &'ast Item) {
        self.own.extend(name_of(item).map(plain));
        if let Item::Macro(item) = item {
            self.macros.extend(item.ident.as_ref().map(plain));
        }
        visit::visit_item(self, item);
    }

    fn visit_generic_param(&mut self, param: &'ast GenericParam) {
        if let GenericParam::Type(param) = param {
            self.own.insert(plain(&param.ident));
        }
        visit::visit_generic_param(self, param);
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        for import in imports_of(item) {
            match import.binds {
                Some(name) => self.imports.entry(name).or_default().push(import.path.names),
                None if import.glob => self.globs.push(import.path.names),
                None => {}
            }
        }
    }
}
