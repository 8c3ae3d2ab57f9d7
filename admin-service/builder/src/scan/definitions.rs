//! The file's own macros: `macro_rules!` of the ordinary kind, judged by their tokens.
//!
//! What a macro makes is never parsed here, so a definition must be such that its pieces show what it makes: no macro
//! calls another of the file, none brings imports, modules or attributes, and no path is put together from pieces unless
//! each piece can only be a type, a variant or a function of the file. The arguments of a call are judged the same way.

use std::collections::HashMap;

use proc_macro2::{Delimiter, Group, Ident, Spacing, Span, TokenStream, TokenTree};
use syn::{Attribute, Macro};

use super::paths::{Declared, Names, Use, is_reserved, is_type_like, plain};
use super::tables::Ban;
use super::{attributes, macros};

/// Kinds of fragments; `tt` has a rule of its own, the rest could smuggle attributes, items or pieces of paths.
const KINDS: &[&str] =
    &["block", "expr", "ident", "lifetime", "literal", "pat", "pat_param", "path", "tt", "ty"];

/// Words that no macro's text or argument holds.
const BANNED: &[&str] = &["crate", "extern", "macro", "macro_rules", "mod", "super", "unsafe", "use"];

/// Words after which `!` is an operator.
const BEFORE_NOT: &[&str] = &["else", "if", "in", "match", "return", "while", "break", "let", "move", "mut"];

type Verdict = Result<(), (Ban, Span)>;

/// Judges a definition, `macro_rules! name { ... }`.
pub(super) fn judge(declared: &Declared, depth: usize, name: &Ident, definition: &Macro) -> Verdict {
    let own = plain(name);
    if macros::is_known(&own) || is_reserved(&own) {
        return Err((Ban::ReservedName, name.span()));
    }
    let mut tokens = definition.tokens.clone().into_iter().peekable();
    while let Some(token) = tokens.next() {
        let span = token.span();
        let TokenTree::Group(matcher) = token else { return Err((Ban::MacroDefinition, span)) };
        let arrow = matches!((tokens.next(), tokens.next()), (Some(TokenTree::Punct(a)), Some(TokenTree::Punct(b)))
            if a.as_char() == '=' && b.as_char() == '>');
        let (true, Some(TokenTree::Group(text))) = (arrow, tokens.next()) else {
            return Err((Ban::MacroDefinition, span));
        };
        tokens.next_if(|next| matches!(next, TokenTree::Punct(punct) if punct.as_char() == ';'));
        let mut fragments = HashMap::new();
        matched(matcher.stream(), &mut fragments)?;
        Walk { declared, depth, fragments: Some(fragments) }.tokens(text.stream())?;
    }
    Ok(())
}

/// Judges what a macro of the file is given.
pub(super) fn judge_call(declared: &Declared, depth: usize, call: &Macro) -> Verdict {
    Walk { declared, depth, fragments: None }.tokens(call.tokens.clone())
}

/// Collects the fragments of a matcher with their kinds.
fn matched(tokens: TokenStream, fragments: &mut HashMap<String, String>) -> Verdict {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => matched(group.stream(), fragments)?,
            TokenTree::Punct(dollar) if dollar.as_char() == '$' => match tokens.next() {
                Some(TokenTree::Group(repeated)) => matched(repeated.stream(), fragments)?,
                Some(TokenTree::Ident(name)) => {
                    let colon =
                        matches!(tokens.next(), Some(TokenTree::Punct(colon)) if colon.as_char() == ':');
                    let kind = tokens.next().map(|kind| kind.to_string()).unwrap_or_default();
                    if !colon || !KINDS.contains(&kind.as_str()) {
                        return Err((Ban::MacroDefinition, name.span()));
                    }
                    fragments.insert(plain(&name), kind);
                }
                _ => return Err((Ban::MacroDefinition, dollar.span())),
            },
            _ => {}
        }
    }
    Ok(())
}

/// A walk over the text of a macro, or over the arguments of a call.
struct Walk<'a> {
    declared: &'a Declared,
    depth: usize,
    /// The fragments of the matcher; nothing in a call, where `$` has no place.
    fragments: Option<HashMap<String, String>>,
}

impl Walk<'_> {
    fn tokens(&self, tokens: TokenStream) -> Verdict {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            at = match &tokens[at] {
                TokenTree::Group(group) => {
                    self.tokens(group.stream())?;
                    at + 1
                }
                TokenTree::Ident(ident) => self.name(&tokens, at, ident)?,
                TokenTree::Punct(punct) => match punct.as_char() {
                    '$' => self.fragment(&tokens, at)?,
                    '#' => self.attribute(&tokens, at)?,
                    '*' if is_pointer(tokens.get(at + 1)) => return Err((Ban::NoRawPointer, punct.span())),
                    '&' if is_raw_borrow(&tokens[at + 1..]) => return Err((Ban::NoRawPointer, punct.span())),
                    ':' if is_path_separator(&tokens, at) => self.separator(&tokens, at)?,
                    _ => at + 1,
                },
                TokenTree::Literal(literal) if literal.to_string().starts_with('c') => {
                    return Err((Ban::LiteralNotAllowed, literal.span()));
                }
                TokenTree::Literal(_) => at + 1,
            };
        }
        Ok(())
    }

    /// A name, and the path that it starts.
    fn name(&self, tokens: &[TokenTree], at: usize, first: &Ident) -> Result<usize, (Ban, Span)> {
        let span = first.span();
        let mut names = vec![plain(first)];
        let mut end = at + 1;
        while is_path_separator(tokens, end) {
            let Some(TokenTree::Ident(next)) = tokens.get(end + 2) else { break };
            names.push(plain(next));
            end += 3;
        }
        for name in &names {
            if BANNED.contains(&name.as_str()) {
                return Err((Ban::MacroDefinition, span));
            }
            if name.starts_with("__") {
                return Err((Ban::DoubleUnderscore, span));
            }
        }
        let declares = match tokens.get(end) {
            Some(TokenTree::Ident(_)) => true,
            Some(TokenTree::Punct(punct)) => punct.as_char() == '$',
            _ => false,
        };
        if names == ["union"] && declares {
            return Err((Ban::NoUnion, span));
        }
        if is_called(&tokens[end..]) && !BEFORE_NOT.contains(&names[names.len() - 1].as_str()) {
            return self.call(tokens, end + 1, &names, span);
        }
        let pasted = is_path_separator(tokens, end)
            && matches!(tokens.get(end + 2), Some(TokenTree::Punct(next)) if next.as_char() == '$');
        if pasted {
            // What follows is a piece: only a type's own names may be left open.
            let last = &names[names.len() - 1];
            if !is_type_like(last) || self.declared.may_be_module(last) {
                return Err((Ban::MacroDefinition, span));
            }
        }
        if names.len() == 1 && (is_reserved(&names[0]) || self.is_module_argument(&names[0])) {
            return Err((Ban::MacroDefinition, span));
        }
        let used = Names { absolute: false, names };
        self.declared.judge(&used, self.depth, Use::Path).map_err(|ban| (ban, span))?;
        Ok(end)
    }

    /// Whether a bare argument of a call could become the start of a path that leads out of the file.
    fn is_module_argument(&self, name: &str) -> bool {
        self.fragments.is_none() && self.declared.may_be_module(name)
    }

    /// Only the language's own macros are called, so that nothing can grow through its own expansion.
    fn call(
        &self,
        tokens: &[TokenTree],
        group: usize,
        names: &[String],
        span: Span,
    ) -> Result<usize, (Ban, Span)> {
        let [name] = names else { return Err((Ban::MacroDefinition, span)) };
        if !macros::is_allowed(name) {
            let own = self.declared.defines_macro(name);
            return Err((if own { Ban::NoMacroDefinition } else { macros::refusal(name) }, span));
        }
        if let Some(TokenTree::Group(arguments)) = tokens.get(group) {
            self.tokens(arguments.stream())?;
        }
        Ok(group + 1)
    }

    /// `$name`, or `$( ... )` with what separates and repeats it.
    fn fragment(&self, tokens: &[TokenTree], at: usize) -> Result<usize, (Ban, Span)> {
        let refused = Err((Ban::MacroDefinition, tokens[at].span()));
        let Some(fragments) = &self.fragments else { return refused };
        match tokens.get(at + 1) {
            Some(TokenTree::Group(repeated)) if repeated.delimiter() == Delimiter::Parenthesis => {
                if let Some(name) = sole_fragment(repeated)
                    && fragments.get(&name).is_some_and(|kind| kind == "tt")
                {
                    return whole_rest(tokens, at);
                }
                self.tokens(repeated.stream())?;
                Ok(at + 2)
            }
            Some(TokenTree::Ident(name)) => match fragments.get(&plain(name)).map(String::as_str) {
                // Pieces that hold any token stay in the order in which the call gave them.
                None | Some("tt") => refused,
                Some(_) if is_called(&tokens[at + 2..]) => refused,
                Some(kind) if kind != "ident" && is_path_separator(tokens, at + 2) => refused,
                Some(_) => Ok(at + 2),
            },
            _ => refused,
        }
    }

    /// `::` after something else than a name: a type in angle brackets, a fragment, or the start of everything.
    fn separator(&self, tokens: &[TokenTree], at: usize) -> Result<usize, (Ban, Span)> {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let known = match before {
            // A path from the root of everything names one of the crates, which `name` judges next.
            _ if matches!(tokens.get(at + 2), Some(TokenTree::Ident(next)) if is_reserved(&plain(next))) => {
                true
            }
            Some(TokenTree::Punct(angle)) => angle.as_char() == '>',
            // The fragment before it, which `fragment` has looked at; or a name before a turbofish or a fragment.
            Some(TokenTree::Ident(_)) => {
                self.fragments.is_some()
                    || matches!(tokens.get(at + 2), Some(TokenTree::Punct(next)) if next.as_char() == '<')
            }
            _ => false,
        };
        if known { Ok(at + 2) } else { Err((Ban::MacroDefinition, tokens[at].span())) }
    }

    fn attribute(&self, tokens: &[TokenTree], at: usize) -> Result<usize, (Ban, Span)> {
        let span = tokens[at].span();
        let refused = Err((Ban::AttributeNotAllowed, span));
        let Some(TokenTree::Group(content)) = tokens.get(at + 1) else { return refused };
        let text: TokenStream = tokens[at..=at + 1].iter().cloned().collect();
        let parsed = syn::parse::Parser::parse2(Attribute::parse_outer, text);
        let Ok([attribute]) = parsed.as_deref() else { return refused };
        if self.fragments.is_none() || content.stream().into_iter().any(|token| token.to_string() == "$") {
            return refused;
        }
        attributes::judge(attribute, false).map_err(|ban| (ban, span))?;
        Ok(at + 2)
    }
}

/// The name of `$name`, if a repetition holds nothing else.
fn sole_fragment(repeated: &Group) -> Option<String> {
    let tokens: Vec<TokenTree> = repeated.stream().into_iter().collect();
    match &tokens[..] {
        [TokenTree::Punct(dollar), TokenTree::Ident(name)] if dollar.as_char() == '$' => Some(plain(name)),
        _ => None,
    }
}

/// `$($rest)*` between brackets or separators: the call's own tokens in their own order, joined to nothing.
fn whole_rest(tokens: &[TokenTree], at: usize) -> Result<usize, (Ban, Span)> {
    let separates = |token: Option<&TokenTree>| match token {
        None => true,
        Some(TokenTree::Punct(punct)) => matches!(punct.as_char(), ',' | ';'),
        Some(_) => false,
    };
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    let repeats =
        matches!(tokens.get(at + 2), Some(TokenTree::Punct(sign)) if matches!(sign.as_char(), '*' | '+'));
    if repeats && separates(before) && separates(tokens.get(at + 3)) {
        Ok(at + 3)
    } else {
        Err((Ban::MacroDefinition, tokens[at].span()))
    }
}

fn is_path_separator(tokens: &[TokenTree], at: usize) -> bool {
    matches!((tokens.get(at), tokens.get(at + 1)), (Some(TokenTree::Punct(a)), Some(TokenTree::Punct(b)))
        if a.as_char() == ':' && a.spacing() == Spacing::Joint && b.as_char() == ':')
}

/// Whether `!` and a group follow.
fn is_called(rest: &[TokenTree]) -> bool {
    matches!(rest, [TokenTree::Punct(bang), TokenTree::Group(_), ..] if bang.as_char() == '!')
}

fn is_raw_borrow(rest: &[TokenTree]) -> bool {
    matches!(rest, [TokenTree::Ident(raw), next, ..] if raw == "raw" && is_pointer(Some(next)))
}

fn is_pointer(next: Option<&TokenTree>) -> bool {
    matches!(next, Some(TokenTree::Ident(word)) if word == "const" || word == "mut")
}
