//! Macros by list, their arguments as expressions.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Expr, Macro, Pat, Token};

use super::paths;
use super::tables::{ALLOWED_MACROS, Ban, has};

/// What an allowed macro was given.
pub(super) enum Arguments {
    /// `vec![a, b]`, `format!("{x}", x = 1)` and the like.
    Expressions(Vec<Expr>),
    /// `matches!(expression, pattern)`; a guard is part of the pattern.
    Matches(Box<Expr>, Box<Pat>),
}

/// Says which rule a macro breaks by its name.
pub(super) fn judge_name(invocation: &Macro) -> Result<String, Ban> {
    let names = paths::names_of(&invocation.path);
    let name = match names.names.as_slice() {
        [name] if !names.absolute => name,
        [root, name] if matches!(root.as_str(), "std" | "core" | "alloc") => name,
        [.., name] => return Err(refusal(name)),
        [] => return Err(Ban::MacroNotAllowed),
    };
    if is_allowed(name) { Ok(name.clone()) } else { Err(refusal(name)) }
}

/// Says which rule a macro breaks that stands for an item, a type or a pattern.
pub(super) fn out_of_place(invocation: &Macro) -> Ban {
    match judge_name(invocation) {
        Ok(_) | Err(Ban::MacroNotAllowed) => Ban::MacroPosition,
        Err(ban) => ban,
    }
}

/// Whether the language's own macro of this name may be used.
pub(super) fn is_allowed(name: &str) -> bool {
    has(ALLOWED_MACROS, name)
}

/// Whether a macro of the language has this name, allowed or not.
pub(super) fn is_known(name: &str) -> bool {
    is_allowed(name)
        || refusal(name) != Ban::MacroNotAllowed
        || matches!(name, "cfg" | "compile_error" | "try" | "ready")
}

/// The rule that forbids a macro which is not on the list.
pub(super) fn refusal(name: &str) -> Ban {
    match name {
        "println" | "eprintln" | "print" | "eprint" | "dbg" => Ban::NoPrinting,
        "todo" | "unimplemented" => Ban::Unfinished,
        "include" | "include_str" | "include_bytes" | "env" | "option_env" | "file" | "line" | "column"
        | "module_path" => Ban::NoCompileTimeReading,
        "macro_rules" => Ban::NoMacroDefinition,
        "asm" | "global_asm" | "naked_asm" | "llvm_asm" => Ban::NoUnsafe,
        "thread_local" => Ban::NoThreads,
        _ => Ban::MacroNotAllowed,
    }
}

/// Parses the arguments of the macro `name`.
pub(super) fn arguments(name: &str, invocation: &Macro) -> Result<Arguments, Ban> {
    if holds_attribute(invocation.tokens.clone()) {
        return Err(Ban::MacroArguments);
    }
    let parsed = match name {
        "matches" => invocation.parse_body_with(matches_arguments),
        "vec" => invocation.parse_body_with(vec_arguments),
        _ => invocation.parse_body_with(expressions),
    };
    parsed.map_err(|_| Ban::MacroArguments)
}

fn holds_attribute(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Punct(punct) => punct.as_char() == '#' || punct.as_char() == '$',
        TokenTree::Group(group) => holds_attribute(group.stream()),
        _ => false,
    })
}

fn expressions(input: ParseStream) -> syn::Result<Arguments> {
    let list = Punctuated::<Expr, Token![,]>::parse_terminated(input)?;
    Ok(Arguments::Expressions(list.into_iter().collect()))
}

fn vec_arguments(input: ParseStream) -> syn::Result<Arguments> {
    if input.is_empty() {
        return Ok(Arguments::Expressions(Vec::new()));
    }
    let first: Expr = input.parse()?;
    if input.peek(Token![;]) {
        input.parse::<Token![;]>()?;
        return Ok(Arguments::Expressions(vec![first, input.parse()?]));
    }
    let mut list = vec![first];
    while !input.is_empty() {
        input.parse::<Token![,]>()?;
        if !input.is_empty() {
            list.push(input.parse()?);
        }
    }
    Ok(Arguments::Expressions(list))
}

fn matches_arguments(input: ParseStream) -> syn::Result<Arguments> {
    let expression: Expr = input.parse()?;
    input.parse::<Token![,]>()?;
    let pat = Pat::parse_multi_with_leading_vert(input)?;
    let pat = if input.peek(Token![if]) {
        Pat::Guard(syn::PatGuard {
            attrs: Vec::new(),
            pat: Box::new(pat),
            if_token: input.parse()?,
            guard: Box::new(input.parse()?),
        })
    } else {
        pat
    };
    input.parse::<Option<Token![,]>>()?;
    Ok(Arguments::Matches(Box::new(expression), Box::new(pat)))
}
