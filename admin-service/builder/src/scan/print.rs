//! The canonical print: without comments, docs, lint attributes and tests, in one layout.
//!
//! What the print drops is dropped before the tree is made, so that no attribute is forgotten; that the
//! print says the same as the tree is not taken on trust but read back, judged again and compared.

use std::fmt::{Display, Write};
use std::mem::discriminant;

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{
    BinOp, Block, Expr, File, ImplItem, Item, ItemMacro, Lifetime, Lit, Macro, Pat, RangeLimits, Stmt, Type,
    UnOp,
};

use super::breach::Breach;
use super::judge::item_attributes;
use super::tables::Ban;
use super::{attributes, judge, lex};

/// The printer settles at once; more rounds than this and it never will.
const ROUNDS: usize = 4;

/// Prints a judged source.
pub(super) fn canonical(tokens: TokenStream, entry: bool) -> Result<String, Vec<Breach>> {
    let mut file: File =
        syn::parse2(without_remarks(below(tokens, 0))).map_err(|error| vec![lost(&error.to_string())])?;
    drop_tests(&mut file.items);
    let meaning = Shape::of(&file);
    let mut print = prettyplease::unparse(&file);
    for _ in 0..ROUNDS {
        lex::check(&print).map_err(|breaches| vec![lost(breaches[0].ban.rule().why)])?;
        let tokens: TokenStream = print.parse().map_err(|_| vec![lost("it cannot be read")])?;
        let read: File = syn::parse2(tokens.clone()).map_err(|error| vec![lost(&error.to_string())])?;
        judge::check(&tokens, &read, entry).map_err(|breaches| vec![lost(breaches[0].ban.rule().why)])?;
        if Shape::of(&read) != meaning {
            return Err(vec![lost("it says something else")]);
        }
        let again = prettyplease::unparse(&read);
        if again == print {
            return Ok(print);
        }
        print = again;
    }
    Err(vec![lost("it changes with every print")])
}

fn lost(why: &str) -> Breach {
    let detail = format!("{} Its print: {why}", Ban::NotCanonical.rule().why);
    Breach { detail: Some(detail), ..Breach::new(Ban::NotCanonical, 1, 1) }
}

/// Writes `crate::` as what it means in a file that the wrapper makes a module: `self::` or a row of `super::`.
fn below(tokens: TokenStream, depth: usize) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_colon =
        |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(colon)) if colon.as_char() == ':');
    let is_module = |at: usize| {
        at >= 2
            && matches!(&tokens[at - 2], TokenTree::Ident(word) if word == "mod")
            && matches!(&tokens[at - 1], TokenTree::Ident(_))
    };
    let mut moved = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => {
                let depth = depth + usize::from(is_module(at));
                let mut inner = Group::new(group.delimiter(), below(group.stream(), depth));
                inner.set_span(group.span());
                moved.push(TokenTree::Group(inner));
            }
            TokenTree::Ident(word) if word == "crate" && is_colon(at + 1) && is_colon(at + 2) => {
                let relative = |name: &str| TokenTree::Ident(Ident::new(name, word.span()));
                moved.push(relative(if depth == 0 { "self" } else { "super" }));
                for _ in 1..depth {
                    moved.extend([
                        TokenTree::Punct(Punct::new(':', Spacing::Joint)),
                        TokenTree::Punct(Punct::new(':', Spacing::Alone)),
                        relative("super"),
                    ]);
                }
            }
            other => moved.push(other.clone()),
        }
    }
    moved.into_iter().collect()
}

/// Removes doc comments and lint attributes at every place.
fn without_remarks(tokens: TokenStream) -> TokenStream {
    let mut kept = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(pound) if pound.as_char() == '#' => {
                let bang =
                    tokens.next_if(|next| matches!(next, TokenTree::Punct(punct) if punct.as_char() == '!'));
                if tokens.next_if(is_remark).is_none() {
                    kept.push(TokenTree::Punct(pound));
                    kept.extend(bang);
                }
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), without_remarks(group.stream()));
                inner.set_span(group.span());
                kept.push(TokenTree::Group(inner));
            }
            other => kept.push(other),
        }
    }
    kept.into_iter().collect()
}

fn is_remark(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else { return false };
    let named = |ident: &Ident| attributes::is_dropped(&ident.to_string());
    group.delimiter() == Delimiter::Bracket
        && matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(ident)) if named(&ident))
}

fn drop_tests(items: &mut Vec<Item>) {
    items.retain(|item| !attributes::marks_test(item_attributes(item)));
    for item in items {
        match item {
            Item::Mod(item) => {
                if let Some((_, items)) = &mut item.content {
                    drop_tests(items);
                }
            }
            Item::Impl(item) => item.items.retain(|item| match item {
                ImplItem::Const(item) => !attributes::marks_test(&item.attrs),
                ImplItem::Fn(item) => !attributes::marks_test(&item.attrs),
                ImplItem::Type(item) => !attributes::marks_test(&item.attrs),
                _ => true,
            }),
            _ => {}
        }
    }
}

/// What a tree says, in reading order, without what a printer may add or remove: brackets around one
/// expression, trailing commas, semicolons after what never returns.
#[derive(Default, PartialEq)]
struct Shape(String);

impl Shape {
    fn of(file: &File) -> Shape {
        let mut shape = Shape::default();
        shape.visit_file(file);
        shape
    }

    fn word(&mut self, word: &dyn Display) {
        // Writing to a string does not fail.
        let _ = write!(self.0, "{word} ");
    }

    fn kind<T>(&mut self, node: &T) {
        let _ = write!(self.0, "{:?} ", discriminant(node));
    }

    fn tokens(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(group) => {
                    self.kind(&group.delimiter());
                    self.tokens(group.stream());
                    self.word(&"end");
                }
                TokenTree::Punct(punct) => {
                    // What joins an operator to a separator is layout, not meaning.
                    let joins = matches!(tokens.peek(), Some(TokenTree::Punct(next)) if !matches!(next.as_char(), ',' | ';'));
                    let joint = joins && punct.spacing() == Spacing::Joint;
                    self.word(&format_args!("{}{}", punct.as_char(), if joint { "+" } else { "" }));
                }
                TokenTree::Ident(ident) => self.word(&ident),
                TokenTree::Literal(literal) => self.word(&literal),
            }
        }
    }
}

/// Whether a statement is a semicolon alone, which the printer drops.
fn is_nothing(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Expr(Expr::Verbatim(tokens), _) if tokens.is_empty())
}

/// Whether a block says nothing.
fn is_empty(block: &Block) -> bool {
    block.stmts.iter().all(is_nothing)
}

/// Whether a block stands for one expression.
fn is_sole(block: &Block) -> bool {
    let mut said = block.stmts.iter().filter(|stmt| !is_nothing(stmt));
    matches!((said.next(), said.next()), (Some(Stmt::Expr(..) | Stmt::Macro(_)), None))
}

impl<'ast> Visit<'ast> for Shape {
    fn visit_ident(&mut self, ident: &'ast Ident) {
        self.word(ident);
    }

    fn visit_lifetime(&mut self, lifetime: &'ast Lifetime) {
        self.word(lifetime);
    }

    fn visit_lit(&mut self, lit: &'ast Lit) {
        match lit {
            Lit::Str(lit) => self.word(&lit.token()),
            Lit::ByteStr(lit) => self.word(&lit.token()),
            Lit::Byte(lit) => self.word(&lit.token()),
            Lit::Char(lit) => self.word(&lit.token()),
            Lit::Int(lit) => self.word(&lit.token()),
            Lit::Float(lit) => self.word(&lit.token()),
            Lit::Bool(lit) => self.word(&lit.value),
            _ => self.word(&"?"),
        }
    }

    fn visit_bin_op(&mut self, op: &'ast BinOp) {
        self.kind(op);
    }

    fn visit_un_op(&mut self, op: &'ast UnOp) {
        self.kind(op);
    }

    fn visit_range_limits(&mut self, limits: &'ast RangeLimits) {
        self.kind(limits);
    }

    fn visit_macro(&mut self, invocation: &'ast Macro) {
        self.visit_path(&invocation.path);
        self.tokens(invocation.tokens.clone());
    }

    fn visit_item_macro(&mut self, item: &'ast ItemMacro) {
        item.attrs.iter().for_each(|attribute| self.visit_attribute(attribute));
        let Some(name) = &item.ident else { return self.visit_macro(&item.mac) };
        self.visit_path(&item.mac.path);
        self.visit_ident(name);
        // The printer ends each rule with a semicolon, the last one too; between rules they say nothing.
        let rules = item.mac.tokens.clone().into_iter();
        self.tokens(
            rules
                .filter(|token| !matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';'))
                .collect(),
        );
    }

    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        if !is_nothing(stmt) {
            visit::visit_stmt(self, stmt);
        }
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Paren(inner) => self.visit_expr(&inner.expr),
            Expr::Macro(inner) => self.visit_macro(&inner.mac),
            Expr::Tuple(tuple) if tuple.elems.is_empty() => self.word(&"nothing"),
            Expr::Block(block) if block.label.is_none() && is_empty(&block.block) => self.word(&"nothing"),
            Expr::Block(block) if block.label.is_none() && is_sole(&block.block) => {
                self.visit_block(&block.block)
            }
            _ => {
                self.kind(expr);
                visit::visit_expr(self, expr);
            }
        }
    }

    fn visit_pat(&mut self, pat: &'ast Pat) {
        match pat {
            Pat::Paren(inner) => self.visit_pat(&inner.pat),
            Pat::Or(_) => visit::visit_pat(self, pat),
            _ => {
                self.kind(pat);
                visit::visit_pat(self, pat);
            }
        }
    }

    fn visit_type(&mut self, ty: &'ast Type) {
        match ty {
            Type::Paren(inner) => self.visit_type(&inner.elem),
            _ => {
                self.kind(ty);
                visit::visit_type(self, ty);
            }
        }
    }
}
