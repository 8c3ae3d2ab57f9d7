//! Which attributes are harmless, and which of them the print drops.

use syn::punctuated::Punctuated;
use syn::{AttrStyle, Attribute, Expr, ExprLit, Lit, Meta, MetaList, MetaNameValue, Path, Token};

use super::tables::{Ban, DERIVES, LINTS, REPRS, has};

/// Attributes that say nothing to the compiler about meaning: the print is without them.
pub(super) fn is_dropped(name: &str) -> bool {
    matches!(name, "doc" | "allow" | "warn" | "deny" | "forbid" | "expect" | "rustfmt")
}

/// Whether the attributes mark an item that exists in tests only.
pub(super) fn marks_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        matches!(attribute.style, AttrStyle::Outer)
            && (matches!(&attribute.meta, Meta::Path(path) if path.is_ident("test"))
                || is_cfg_test(&attribute.meta))
    })
}

fn is_cfg_test(meta: &Meta) -> bool {
    let Meta::List(list) = meta else { return false };
    list.path.is_ident("cfg") && list.parse_args::<Path>().is_ok_and(|path| path.is_ident("test"))
}

/// Judges one attribute; `on_item` says that a test item here would be dropped.
pub(super) fn judge(attribute: &Attribute, on_item: bool) -> Result<(), Ban> {
    let inner = matches!(attribute.style, AttrStyle::Inner(_));
    let path = attribute.path();
    if path.segments.len() == 2 && path.leading_colon.is_none() && path.segments[0].ident == "rustfmt" {
        let skip = path.segments[1].ident == "skip" && matches!(attribute.meta, Meta::Path(_)) && !inner;
        return if skip { Ok(()) } else { Err(Ban::AttributeNotAllowed) };
    }
    let Some(name) = path.get_ident().map(ToString::to_string) else { return Err(Ban::AttributeNotAllowed) };
    match (name.as_str(), &attribute.meta) {
        ("doc", meta) => doc(meta),
        ("allow" | "expect", Meta::List(list)) => lints(list, false),
        ("warn" | "deny" | "forbid", Meta::List(list)) => lints(list, true),
        ("cfg" | "test" | "should_panic" | "ignore" | "cfg_attr", _) if inner => Err(Ban::CfgNotAllowed),
        _ if inner => Err(Ban::AttributeNotAllowed),
        ("derive", Meta::List(list)) => derives(list),
        ("must_use" | "inline" | "cold" | "default", Meta::Path(_)) => Ok(()),
        ("non_exhaustive" | "track_caller" | "deprecated", Meta::Path(_)) => Ok(()),
        ("deprecated" | "must_use", Meta::NameValue(pair)) if is_text(&pair.value) => Ok(()),
        ("inline", Meta::List(list)) => one_of(list, "always never"),
        ("deprecated", Meta::List(list)) => deprecation(list),
        ("repr", Meta::List(list)) => one_of(list, REPRS),
        ("cfg", meta) if on_item && is_cfg_test(meta) => Ok(()),
        ("test" | "should_panic" | "ignore", _) if on_item => test_attribute(&attribute.meta),
        ("cfg" | "cfg_attr" | "test" | "should_panic" | "ignore", _) => Err(Ban::CfgNotAllowed),
        _ => Err(Ban::AttributeNotAllowed),
    }
}

fn is_text(value: &Expr) -> bool {
    matches!(value, Expr::Lit(ExprLit { lit: Lit::Str(_), .. }))
}

/// Whether a list is `name = "text"` and nothing else.
fn is_named_text(list: &MetaList, name: &str) -> bool {
    list.parse_args::<MetaNameValue>().is_ok_and(|pair| pair.path.is_ident(name) && is_text(&pair.value))
}

fn doc(meta: &Meta) -> Result<(), Ban> {
    match meta {
        Meta::NameValue(pair) if is_text(&pair.value) => Ok(()),
        Meta::List(list) if is_named_text(list, "alias") => Ok(()),
        Meta::List(list) => one_of(list, "hidden inline no_inline"),
        _ => Err(Ban::AttributeNotAllowed),
    }
}

fn is_in(list: &str, path: &Path) -> bool {
    path.get_ident().is_some_and(|ident| has(list, &ident.to_string()))
}

fn one_of(list: &MetaList, allowed: &str) -> Result<(), Ban> {
    let known = list.parse_args::<Path>().is_ok_and(|path| is_in(allowed, &path));
    if known { Ok(()) } else { Err(Ban::AttributeNotAllowed) }
}

fn deprecation(list: &MetaList) -> Result<(), Ban> {
    let pairs = list.parse_args_with(Punctuated::<MetaNameValue, Token![,]>::parse_terminated);
    let known = |pair: &MetaNameValue| {
        (pair.path.is_ident("since") || pair.path.is_ident("note")) && is_text(&pair.value)
    };
    if pairs.is_ok_and(|pairs| pairs.iter().all(known)) { Ok(()) } else { Err(Ban::AttributeNotAllowed) }
}

fn test_attribute(meta: &Meta) -> Result<(), Ban> {
    let plain = match meta {
        Meta::Path(_) => true,
        Meta::NameValue(pair) => is_text(&pair.value),
        Meta::List(list) => is_named_text(list, "expected"),
    };
    if plain { Ok(()) } else { Err(Ban::AttributeNotAllowed) }
}

fn derives(list: &MetaList) -> Result<(), Ban> {
    let paths = list
        .parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated)
        .map_err(|_| Ban::DeriveNotAllowed)?;
    let known = paths.iter().all(|path| is_in(DERIVES, path));
    if known { Ok(()) } else { Err(Ban::DeriveNotAllowed) }
}

fn lints(list: &MetaList, stricter: bool) -> Result<(), Ban> {
    let metas = list
        .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
        .map_err(|_| Ban::LintNotAllowed)?;
    let harmless = metas.iter().all(|meta| match meta {
        Meta::Path(path) => {
            let first = path.segments[0].ident.to_string();
            let tool = path.segments.len() == 2 && matches!(first.as_str(), "clippy" | "rustdoc");
            let unused = path.get_ident().is_some() && first.starts_with("unused");
            // Stricter is any lint's good right: the attribute is dropped, and the wrapper forces its own.
            tool || unused || is_in(LINTS, path) || stricter && path.get_ident().is_some()
        }
        Meta::NameValue(pair) => pair.path.is_ident("reason") && is_text(&pair.value),
        Meta::List(_) => false,
    });
    if harmless { Ok(()) } else { Err(Ban::LintNotAllowed) }
}
