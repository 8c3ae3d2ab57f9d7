//! Imports that a writer forgot or does not need.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Item, ItemUse, UseTree};

/// Names of `std` that are forgotten most, with the path that brings them.
const KNOWN: &[(&str, &str)] = &[
    ("HashMap", "std::collections::HashMap"),
    ("HashSet", "std::collections::HashSet"),
    ("BTreeMap", "std::collections::BTreeMap"),
    ("BTreeSet", "std::collections::BTreeSet"),
    ("VecDeque", "std::collections::VecDeque"),
    ("BinaryHeap", "std::collections::BinaryHeap"),
    ("Ordering", "std::cmp::Ordering"),
    ("Reverse", "std::cmp::Reverse"),
    ("Rc", "std::rc::Rc"),
    ("RefCell", "std::cell::RefCell"),
    ("Cow", "std::borrow::Cow"),
    ("FromStr", "std::str::FromStr"),
];
/// Methods that need a trait in scope.
const METHODS: &[(&str, &str)] = &[("from_str", "std::str::FromStr"), ("write_str", "std::fmt::Write")];
/// Macros that do.
const MACROS: &[(&str, &str)] = &[("write", "std::fmt::Write"), ("writeln", "std::fmt::Write")];

/// The imports that these items need: their own as far as they are used, and what was forgotten.
pub(super) fn needed(own: Vec<ItemUse>, items: &[Item]) -> Vec<ItemUse> {
    let mut names = BTreeSet::new();
    let mut macros = BTreeSet::new();
    for item in items {
        gather(item.to_token_stream(), &mut names, &mut macros);
    }
    let mut kept: Vec<ItemUse> =
        own.into_iter().filter(|item| is_needed(&item.tree, &names, &macros)).collect();
    let mut bound = BTreeSet::new();
    kept.iter().for_each(|item| binds(&item.tree, &mut bound));
    for item in items {
        if let Some(name) = name_of(item) {
            bound.insert(name);
        }
    }
    let words = KNOWN.iter().chain(METHODS).filter(|(word, _)| names.contains(*word));
    let from_macros = MACROS.iter().filter(|(word, _)| macros.contains(*word));
    for (_, path) in words.chain(from_macros) {
        let last = path.rsplit("::").next().unwrap_or_default().to_owned();
        if bound.insert(last.clone()) {
            let bring = if last == "Write" { format!("use {path} as _;") } else { format!("use {path};") };
            kept.extend(syn::parse_str::<ItemUse>(&bring).ok());
        }
    }
    kept
}

/// Whether an import is of use: it is not the SDK's prelude, and something of it occurs.
fn is_needed(tree: &UseTree, names: &BTreeSet<String>, macros: &BTreeSet<String>) -> bool {
    if let UseTree::Path(path) = tree
        && ["skill_sdk", "crate", "super", "self"].iter().any(|root| path.ident == root)
    {
        return false;
    }
    let mut bound = BTreeSet::new();
    binds(tree, &mut bound);
    let is_trait_for_macros = |name: &String| name == "Write" && !macros.is_disjoint(&words(MACROS));
    bound.iter().any(|name| name == "*" || name == "_" || names.contains(name) || is_trait_for_macros(name))
        || bound.contains("FromStr") && (names.contains("from_str") || names.contains("parse"))
}

fn words(table: &[(&str, &str)]) -> BTreeSet<String> {
    table.iter().map(|(word, _)| (*word).to_owned()).collect()
}

/// The names that an import binds; `*` for all of a module.
fn binds(tree: &UseTree, bound: &mut BTreeSet<String>) {
    match tree {
        UseTree::Path(path) => match &*path.tree {
            UseTree::Name(name) if name.ident == "self" => {
                bound.insert(path.ident.to_string());
            }
            UseTree::Group(group) => {
                for one in &group.items {
                    match one {
                        UseTree::Name(name) if name.ident == "self" => {
                            bound.insert(path.ident.to_string());
                        }
                        other => binds(other, bound),
                    }
                }
            }
            other => binds(other, bound),
        },
        UseTree::Name(name) => {
            bound.insert(name.ident.to_string());
        }
        UseTree::Rename(rename) => {
            bound.insert(rename.rename.to_string());
        }
        UseTree::Glob(_) => {
            bound.insert("*".to_owned());
        }
        UseTree::Group(group) => group.items.iter().for_each(|one| binds(one, bound)),
    }
}

fn name_of(item: &Item) -> Option<String> {
    Some(match item {
        Item::Struct(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        _ => return None,
    })
}

/// Every name, and every name before a `!`.
fn gather(tokens: TokenStream, names: &mut BTreeSet<String>, macros: &mut BTreeSet<String>) {
    let mut last: Option<String> = None;
    for token in tokens {
        match token {
            TokenTree::Ident(word) => {
                names.insert(word.to_string());
                last = Some(word.to_string());
                continue;
            }
            TokenTree::Group(group) => gather(group.stream(), names, macros),
            TokenTree::Punct(mark) if mark.as_char() == '!' => macros.extend(last.take()),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
        last = None;
    }
}
