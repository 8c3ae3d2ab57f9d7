//! From an answer to the function that was asked for, however much stands around it.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, FnArg, ImplItem, Item, ItemFn, ItemUse, Pat, ReturnType, Visibility};

use super::arguments::{self, Argument};
use super::{Slot, imports};
use crate::scan::{self, Violation};

/// Why an answer gives no function; the message for its writer.
#[derive(Debug, thiserror::Error)]
pub(super) enum Misfit {
    /// It holds nothing but prose.
    #[error("scaffold: there is no code in the answer; write `{0}`")]
    NoCode(String),
    /// Its code holds no function that could be meant.
    #[error("scaffold: the function is missing; write it with this signature: {0}")]
    Missing(String),
    /// The function takes something else.
    #[error("scaffold: the function takes other arguments; write it with this signature: {0}")]
    Arguments(String),
    /// It cannot be read.
    #[error("scan: {}:{} [{}] `{}`: {} {}", .0.line, .0.column, .0.rule, .0.excerpt, .0.why, .0.next)]
    Unreadable(Box<Violation>),
    /// It holds what no Rust of today means.
    #[error("scaffold: `{0}` is not Rust that compiles; write it in another form")]
    Bare(String),
    /// What was made of it cannot be read.
    #[error("scaffold: {0}")]
    Made(#[from] syn::Error),
}

/// What an answer holds.
pub(super) enum Extracted {
    /// A whole skill, description and dispatch included.
    Whole(String),
    /// A function and what it needs.
    Function(Box<Function>),
}

/// A tool's function as it was written.
pub(super) struct Function {
    /// What it imports.
    pub(super) uses: Vec<ItemUse>,
    /// The function.
    pub(super) item: ItemFn,
    /// Helpers: further functions, types, constants.
    pub(super) helpers: Vec<Item>,
}

impl Function {
    /// Its arguments: each one's name, and its type without spaces and lifetimes; none where it takes `self` or patterns.
    pub(super) fn inputs(&self) -> Option<Vec<(String, String)>> {
        let one = |input: &FnArg| match input {
            FnArg::Typed(input) => match &*input.pat {
                Pat::Ident(name) => Some((name.ident.to_string(), type_text(input.ty.to_token_stream()))),
                _ => None,
            },
            FnArg::Receiver(_) => None,
        };
        self.item.sig.inputs.iter().map(one).collect()
    }

    /// What it returns; the empty text is nothing.
    pub(super) fn output(&self) -> String {
        match &self.item.sig.output {
            ReturnType::Default => String::new(),
            ReturnType::Type(_, ty) => type_text(ty.to_token_stream()),
        }
    }
}

/// Items as text in one layout; nothing where they do not make a file.
pub(super) fn printed(items: impl Iterator<Item = Item>) -> String {
    let tokens: TokenStream = items.map(|item| item.to_token_stream()).collect();
    syn::parse2(tokens).map(|file| prettyplease::unparse(&file)).unwrap_or_default()
}

/// A type as text without spaces and lifetimes.
fn type_text(tokens: TokenStream) -> String {
    let mut text = String::new();
    let mut lifetime = false;
    for token in tokens {
        match token {
            TokenTree::Punct(mark) if mark.as_char() == '\'' => lifetime = true,
            TokenTree::Ident(_) if std::mem::take(&mut lifetime) => {}
            TokenTree::Ident(word) => {
                if text.ends_with(|c: char| c.is_alphanumeric()) {
                    text.push(' ');
                }
                text.push_str(&word.to_string());
                if word == "mut" || word == "dyn" || word == "impl" {
                    text.push(' ');
                }
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::None => ("", ""),
                };
                text.push_str(open);
                text.push_str(&type_text(group.stream()));
                text.push_str(close);
            }
            other => text.push_str(&other.to_string()),
        }
    }
    text.replace("std::string::String", "String").replace("std::vec::Vec", "Vec")
}

/// Reads an answer: the first of its blocks that holds what was asked for.
///
/// # Errors
/// The message for its writer.
pub(super) fn from_answer(slot: &Slot, arguments: &[Argument]) -> Result<Extracted, Misfit> {
    let mut first = None;
    for code in candidates(&slot.answer) {
        match from_code(&code, slot, arguments) {
            Ok(taken) => return Ok(taken),
            Err(why) => first = first.or(Some(why)),
        }
    }
    Err(first.unwrap_or_else(|| Misfit::NoCode(wanted(slot, arguments))))
}

/// Takes the function out of a whole skill that breaks a rule elsewhere; none where it has no function of the tool's name.
pub(super) fn from_whole(source: &str, slot: &Slot, arguments: &[Argument]) -> Option<Function> {
    let file = scan::parse(source).ok()?;
    let names = [slot.name.clone(), arguments::function_name(&slot.name)];
    let own =
        file.items.iter().any(|item| matches!(item, Item::Fn(f) if names.contains(&f.sig.ident.to_string())));
    let items = file.items.into_iter().filter(|item| !is_entry(item)).collect();
    own.then(|| choose(items, slot, arguments).ok()).flatten()
}

/// The pieces of an answer that may be code, the likeliest first.
fn candidates(answer: &str) -> Vec<String> {
    let blocks = blocks(answer);
    let mut found = blocks.clone();
    if blocks.len() > 1 {
        found.push(blocks.concat());
    }
    if blocks.is_empty() {
        found.extend(unfenced(answer));
        found.extend(Some(answer.to_owned()).filter(|text| says_something(text)));
    }
    found
}

/// The fenced blocks that are Rust or say nothing; one without an end goes to the end of the answer.
fn blocks(answer: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Option<(bool, String)> = None;
    for line in answer.lines() {
        let fence = line.trim().strip_prefix("```");
        open = match (open, fence) {
            (None, Some(label)) => {
                let label = label.split([',', ' ']).next().unwrap_or_default().to_lowercase();
                Some((matches!(label.as_str(), "" | "rust" | "rs"), String::new()))
            }
            (Some((is_rust, code)), Some("")) => {
                found.extend(Some(code).filter(|code| is_rust && !code.trim().is_empty()));
                None
            }
            (Some((is_rust, code)), _) => Some((is_rust, code + line + "\n")),
            (None, None) => None,
        };
    }
    found.extend(open.filter(|(is_rust, code)| *is_rust && !code.trim().is_empty()).map(|(_, code)| code));
    found
}

/// What looks like items of a file between lines of prose.
fn unfenced(answer: &str) -> Option<String> {
    const STARTS: [&str; 9] = ["use ", "fn ", "pub ", "const ", "static ", "struct ", "enum ", "impl ", "#["];
    let lines: Vec<&str> = answer.lines().collect();
    let first =
        lines.iter().position(|line| STARTS.iter().any(|start| line.trim_start().starts_with(start)))?;
    let last = lines.iter().rposition(|line| line.trim_end().ends_with('}')).filter(|last| *last >= first)?;
    Some(lines[first..=last].join("\n"))
}

fn from_code(code: &str, slot: &Slot, arguments: &[Argument]) -> Result<Extracted, Misfit> {
    let parsed = scan::parse(code);
    if let Ok(file) = &parsed
        && file.items.iter().any(is_entry)
    {
        return Ok(Extracted::Whole(code.to_owned()));
    }
    match parsed {
        Ok(file) if file.items.iter().any(|item| matches!(item, Item::Fn(_) | Item::Impl(_))) => {
            choose(file.items, slot, arguments).map(|function| Extracted::Function(Box::new(function)))
        }
        other => match (as_body(code, slot, arguments), other) {
            (Some(function), _) => Ok(Extracted::Function(Box::new(function))),
            (None, Ok(_)) => Err(Misfit::Missing(wanted(slot, arguments))),
            (None, Err(violations)) => {
                let first = violations.into_iter().next();
                Err(first.map_or_else(
                    || Misfit::Missing(wanted(slot, arguments)),
                    |violation| Misfit::Unreadable(Box::new(violation)),
                ))
            }
        },
    }
}

/// The signature that was given.
fn wanted(slot: &Slot, arguments: &[Argument]) -> String {
    arguments::signature(&arguments::function_name(&slot.name), arguments)
}

/// Whether a text may be the inside of a function, rather than prose.
fn says_something(code: &str) -> bool {
    ["Ok(", "Err(", "return ", "format!", "let "].iter().any(|word| code.contains(word))
}

/// The inside of the function alone: its lines, with imports before them.
fn as_body(code: &str, slot: &Slot, arguments: &[Argument]) -> Option<Function> {
    if !says_something(code) {
        return None;
    }
    let is_import = |line: &&str| line.starts_with("use ") && line.trim_end().ends_with(';');
    let (uses, rest): (Vec<&str>, Vec<&str>) = code.lines().partition(is_import);
    let signature = wanted(slot, arguments);
    let text = format!("{}\n{signature} {{\n{}\n}}\n", uses.join("\n"), rest.join("\n"));
    let file = scan::parse(&text).ok()?;
    // Code that closes the function itself and continues is not the inside of one.
    let functions = file.items.iter().filter(|item| matches!(item, Item::Fn(_))).count();
    (functions == 1).then(|| choose(file.items, slot, arguments).ok()).flatten()
}

/// Whether an item is part of what this program writes: `struct Skill`, and its implementation of the SDK's trait.
fn is_entry(item: &Item) -> bool {
    let Item::Impl(item) = item else { return false };
    let is_trait = item
        .trait_
        .as_ref()
        .is_some_and(|(path, _)| path.segments.last().is_some_and(|last| last.ident == "Skill"));
    let handles = |one: &ImplItem| matches!(one, ImplItem::Fn(f) if f.sig.ident == "call_tool");
    is_trait && item.items.iter().any(handles)
}

/// Sorts a file's items: the tool's function, its helpers, its imports; what only a program of its own needs is left out.
fn choose(items: Vec<Item>, slot: &Slot, arguments: &[Argument]) -> Result<Function, Misfit> {
    let (mut uses, mut functions, mut helpers) = (vec![], vec![], vec![]);
    for item in items {
        match item {
            Item::Use(item) => uses.push(item),
            Item::Fn(item) if item.sig.ident == "main" || is_test(&item.attrs) => {}
            Item::Fn(item) => functions.push(item),
            Item::Mod(_) | Item::ExternCrate(_) => {}
            Item::Struct(item) if item.ident == "Skill" => {}
            Item::Impl(item)
                if item.trait_.is_none() && type_text(item.self_ty.to_token_stream()) == "Skill" =>
            {
                functions.extend(item.items.into_iter().filter_map(as_free));
            }
            other => helpers.push(other),
        }
    }
    let at = pick(&functions, slot, arguments).ok_or_else(|| Misfit::Missing(wanted(slot, arguments)))?;
    let mut item = functions.remove(at);
    speak(&mut item)?;
    helpers.extend(functions.into_iter().map(Item::Fn));
    let helpers: Vec<Item> = helpers.into_iter().filter_map(quiet).collect();
    item.vis = Visibility::Inherited;
    item.attrs.clear();
    let mut all = helpers.clone();
    all.push(Item::Fn(item.clone()));
    Ok(Function { uses: imports::needed(uses, &all), item, helpers })
}

/// Which of the functions is the tool's: by its name; the only one; the one that no other calls; the first that is public.
fn pick(functions: &[ItemFn], slot: &Slot, arguments: &[Argument]) -> Option<usize> {
    let plain = |name: &str| name.replace('_', "").to_lowercase();
    let names = [plain(&slot.name), plain(&arguments::function_name(&slot.name))];
    let named = functions.iter().position(|f| names.contains(&plain(&f.sig.ident.to_string())));
    let fits = |f: &&ItemFn| f.sig.inputs.len() == arguments.len();
    let is_called = |f: &ItemFn| {
        functions.iter().any(|other| {
            other.sig.ident != f.sig.ident && mentions(other.block.to_token_stream(), &f.sig.ident)
        })
    };
    let free = || {
        let mut free = functions.iter().enumerate().filter(|(_, f)| fits(f) && !is_called(f));
        free.next().filter(|_| free.next().is_none()).map(|(at, _)| at)
    };
    let public = || functions.iter().position(|f| fits(&f) && matches!(f.vis, Visibility::Public(_)));
    named.or_else(|| (functions.len() == 1).then_some(0)).or_else(free).or_else(public)
}

fn mentions(tokens: TokenStream, name: &Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(word) => word == *name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// A method that does not use its `self`, as a function.
fn as_free(item: ImplItem) -> Option<ItemFn> {
    let ImplItem::Fn(method) = item else { return None };
    if mentions(method.block.to_token_stream(), &Ident::new("self", Span::call_site())) {
        return None;
    }
    let mut sig = method.sig;
    sig.inputs = sig.inputs.into_iter().filter(|input| !matches!(input, FnArg::Receiver(_))).collect();
    let mut tokens = sig.to_token_stream();
    tokens.extend(method.block.to_token_stream());
    syn::parse2(tokens).ok()
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|a| {
        let text = a.to_token_stream().to_string();
        a.path().is_ident("test") || text.contains("cfg") && text.contains("test")
    })
}

/// The macros that print: nobody reads what a skill prints.
const PRINTS: [&str; 4] = ["println", "print", "eprintln", "eprint"];

/// Takes printing out of a function; one that returns nothing returns what it would print.
fn speak(item: &mut ItemFn) -> Result<(), Misfit> {
    let returns = !matches!(item.sig.output, ReturnType::Default);
    let body = rewritten(item.block.to_token_stream(), !returns);
    if !returns {
        item.sig.output = syn::parse_str("-> String")?;
    }
    *item.block = syn::parse2(body)?;
    Ok(())
}

/// A helper without printing; none where it is a test.
fn quiet(item: Item) -> Option<Item> {
    match item {
        Item::Fn(mut item) => {
            *item.block = syn::parse2(rewritten(item.block.to_token_stream(), false)).ok()?;
            Some(Item::Fn(item))
        }
        other => Some(other),
    }
}

fn rewritten(tokens: TokenStream, as_answer: bool) -> TokenStream {
    let mut tokens = tokens.into_iter().peekable();
    let mut kept: Vec<TokenTree> = Vec::new();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(word) if PRINTS.iter().any(|print| word == print) => {
                let is_macro = matches!(tokens.peek(), Some(TokenTree::Punct(mark)) if mark.as_char() == '!');
                if !is_macro {
                    kept.push(TokenTree::Ident(word));
                } else if as_answer {
                    kept.push(TokenTree::Ident(Ident::new("return", word.span())));
                    kept.push(TokenTree::Ident(Ident::new("format", word.span())));
                } else {
                    // The mark, what is printed, and the end of the statement.
                    tokens.next();
                    tokens.next();
                    tokens.next_if(|next| matches!(next, TokenTree::Punct(mark) if mark.as_char() == ';'));
                }
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), rewritten(group.stream(), as_answer));
                inner.set_span(group.span());
                kept.push(TokenTree::Group(inner));
            }
            other => kept.push(other),
        }
    }
    kept.into_iter().collect()
}
