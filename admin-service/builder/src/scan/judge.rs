//! Walks the whole tree; every kind of node is named here or refused.

use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    AngleBracketedGenericArguments, Attribute, Block, Constraint, Expr, ExprClosure, Field, Fields, File,
    GenericArgument, GenericParam, Generics, ImplItem, Item, ItemImpl, ItemMacro, ItemMod, ItemUse, Lit,
    Macro, Pat, Path, QSelf, Signature, Stmt, TraitItem, Type, TypeParamBound, Visibility,
};

use super::breach::Breach;
use super::macros::{self, Arguments};
use super::paths::{self, Declared, Names, Use};
use super::tables::Ban;
use super::{attributes, definitions};

/// Judges a parsed file; `tokens` is what it was parsed from.
pub(super) fn check(tokens: &TokenStream, file: &File, entry: bool) -> Result<(), Vec<Breach>> {
    let declared = Declared::of(file);
    let mut judge = Judge {
        declared: &declared,
        depth: 0,
        blocks: 0,
        unrooted: false,
        item_attributes: HashSet::new(),
        breaches: Vec::new(),
    };
    judge.tokens(tokens.clone());
    judge.visit_file(file);
    if entry {
        judge.entry_point(file);
    }
    if judge.breaches.is_empty() { Ok(()) } else { Err(judge.breaches) }
}

struct Judge<'a> {
    declared: &'a Declared,
    /// Modules between here and the file's root.
    depth: usize,
    /// Blocks between here and the enclosing module.
    blocks: usize,
    /// The next path continues a type, as in `<T>::new`, and starts in no module.
    unrooted: bool,
    /// Where attributes of items of modules and impls start: only those may mark tests.
    item_attributes: HashSet<(usize, usize)>,
    breaches: Vec<Breach>,
}

impl Judge<'_> {
    fn ban(&mut self, ban: Ban, span: Span) {
        self.breaches.push(Breach::at(ban, span));
    }

    fn settle(&mut self, verdict: Result<(), Ban>, span: Span) {
        if let Err(ban) = verdict {
            self.ban(ban, span);
        }
    }

    /// Keywords are refused at every place, regardless of what the parser makes of them.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            let ident = match token {
                TokenTree::Group(group) => {
                    self.tokens(group.stream());
                    continue;
                }
                TokenTree::Ident(ident) => ident,
                TokenTree::Punct(_) | TokenTree::Literal(_) => continue,
            };
            let ban = match ident.to_string().as_str() {
                "unsafe" => Ban::NoUnsafe,
                "extern" => Ban::NoExtern,
                "async" | "await" => Ban::NoAsync,
                // One that defines is judged where it stands as an item.
                "macro_rules" if matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == '!') =>
                {
                    continue;
                }
                "macro" | "macro_rules" => Ban::NoMacroDefinition,
                "static" if matches!(tokens.peek(), Some(TokenTree::Ident(next)) if next == "mut") => {
                    Ban::NoStaticMut
                }
                _ => continue,
            };
            self.ban(ban, ident.span());
        }
    }

    fn path(&mut self, names: &Names, used: Use, span: Span) {
        let verdict = self.declared.judge(names, self.depth, used);
        self.settle(verdict, span);
    }

    fn type_name(&mut self, ident: &Ident) {
        if paths::is_reserved(&paths::plain(ident)) {
            self.ban(Ban::ReservedName, ident.span());
        }
    }

    fn item_attributes(&mut self, attributes: &[Attribute]) {
        if self.blocks == 0 {
            let starts = attributes.iter().map(|attribute| start(attribute.pound_token.span()));
            self.item_attributes.extend(starts);
        }
    }

    /// A definition of the file's own, or a call of one that makes items.
    fn macro_item(&mut self, item: &ItemMacro) {
        item.attrs.iter().for_each(|attribute| self.visit_attribute(attribute));
        match &item.ident {
            Some(name) if item.mac.path.is_ident("macro_rules") => {
                self.visit_ident(name);
                let verdict = definitions::judge(self.declared, self.depth, name, &item.mac);
                self.settle_at(verdict);
            }
            None if self.is_own_macro(&item.mac) => self.own_macro(&item.mac),
            _ => self.ban(macros::out_of_place(&item.mac), item.span()),
        }
    }

    fn is_own_macro(&self, call: &Macro) -> bool {
        call.path.get_ident().is_some_and(|name| self.declared.defines_macro(&paths::plain(name)))
    }

    fn own_macro(&mut self, call: &Macro) {
        let verdict = definitions::judge_call(self.declared, self.depth, call);
        self.settle_at(verdict);
    }

    fn settle_at(&mut self, verdict: Result<(), (Ban, Span)>) {
        if let Err((ban, span)) = verdict {
            self.ban(ban, span);
        }
    }

    fn entry_point(&mut self, file: &File) {
        let structs: Vec<_> = file
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Struct(item) if item.ident == "Skill" && !attributes::marks_test(&item.attrs) => {
                    Some(item)
                }
                _ => None,
            })
            .collect();
        let plain = matches!(structs[..], [only] if matches!(only.vis, Visibility::Public(_))
            && matches!(only.fields, Fields::Unit) && only.generics.params.is_empty());
        let impls =
            file.items.iter().filter(|item| matches!(item, Item::Impl(item) if self.is_entry(item))).count();
        if !plain || impls != 1 {
            let span = structs.first().map_or_else(Span::call_site, |item| item.ident.span());
            self.ban(Ban::EntryPoint, span);
        }
    }

    fn is_entry(&self, item: &ItemImpl) -> bool {
        let Some((path, _)) = &item.trait_ else { return false };
        let Type::Path(of) = item.self_ty.as_ref() else { return false };
        let of = paths::names_of(&of.path).names;
        matches!(
            of.iter().map(String::as_str).collect::<Vec<_>>()[..],
            ["Skill"] | ["self" | "crate", "Skill"]
        ) && item.generics.params.is_empty()
            && !attributes::marks_test(&item.attrs)
            && self.declared.may_mean(&paths::names_of(path), &["skill_sdk", "Skill"])
    }
}

impl<'ast> Visit<'ast> for Judge<'_> {
    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        let on_item = self.item_attributes.contains(&start(attribute.pound_token.span()));
        self.settle(attributes::judge(attribute, on_item), attribute.span());
    }

    fn visit_visibility(&mut self, visibility: &'ast Visibility) {
        if let Visibility::Restricted(restricted) = visibility
            && restricted.in_token.is_some()
        {
            self.ban(Ban::NoCratePath, restricted.path.span());
        }
    }

    fn visit_ident(&mut self, ident: &'ast Ident) {
        if paths::plain(ident).starts_with("__") {
            self.ban(Ban::DoubleUnderscore, ident.span());
        }
    }

    fn visit_qself(&mut self, qself: &'ast QSelf) {
        visit::visit_qself(self, qself);
        self.unrooted = qself.position == 0;
    }

    fn visit_path(&mut self, path: &'ast Path) {
        if !std::mem::take(&mut self.unrooted) {
            self.path(&paths::names_of(path), Use::Path, path.span());
        }
        visit::visit_path(self, path);
    }

    fn visit_item(&mut self, item: &'ast Item) {
        self.item_attributes(item_attributes(item));
        let refused = match item {
            Item::Const(item) => item.modifiers.require_empty().is_err().then_some(Ban::UnsupportedSyntax),
            Item::Fn(item) => item.modifiers.require_empty().is_err().then_some(Ban::UnsupportedSyntax),
            Item::Impl(item) => item.modifiers.require_empty().is_err().then_some(Ban::UnsupportedSyntax),
            Item::Enum(item) => {
                self.type_name(&item.ident);
                None
            }
            Item::Struct(item) => {
                self.type_name(&item.ident);
                None
            }
            Item::Trait(item) => {
                self.type_name(&item.ident);
                item.modifiers.require_empty().is_err().then_some(Ban::UnsupportedSyntax)
            }
            Item::Type(item) => {
                self.type_name(&item.ident);
                item.modifiers.require_empty().is_err().then_some(Ban::UnsupportedSyntax)
            }
            Item::Mod(_) | Item::Static(_) | Item::Use(_) => None,
            Item::ExternCrate(_) | Item::ForeignMod(_) => Some(Ban::NoExtern),
            Item::Macro(item) => return self.macro_item(item),
            Item::Union(_) => Some(Ban::NoUnion),
            _ => Some(Ban::UnsupportedSyntax),
        };
        match refused {
            Some(ban) => self.ban(ban, item.span()),
            None => visit::visit_item(self, item),
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        self.type_name(&item.ident);
        if item.content.is_none() {
            self.ban(Ban::NoOutsideModule, item.ident.span());
        }
        if self.blocks > 0 {
            self.ban(Ban::ModuleInFunction, item.ident.span());
        }
        self.depth += 1;
        visit::visit_item_mod(self, item);
        self.depth -= 1;
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        for import in paths::imports_of(item) {
            self.path(&import.path, if import.glob { Use::Glob } else { Use::Import }, import.span);
            let names = &import.path.names;
            if import
                .binds
                .as_ref()
                .is_some_and(|bound| paths::is_reserved(bound) && *names != [bound.clone()])
            {
                self.ban(Ban::ReservedName, import.span);
            }
            let is_macro = names.len() == 2 && paths::is_reserved(&names[0]) && names[1] != "vec";
            if import.renamed && is_macro && macros::is_allowed(&names[1]) {
                self.ban(Ban::RootAlias, import.span);
            }
        }
        visit::visit_item_use(self, item);
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let (attributes, refused): (&[Attribute], _) = match item {
            ImplItem::Const(item) => (&item.attrs, item.modifiers.require_empty().is_err()),
            ImplItem::Fn(item) => (&item.attrs, item.modifiers.require_empty().is_err()),
            ImplItem::Type(item) => (&item.attrs, item.modifiers.require_empty().is_err()),
            ImplItem::Macro(inner) => return self.ban(macros::out_of_place(&inner.mac), item.span()),
            _ => (&[], true),
        };
        self.item_attributes(attributes);
        if refused {
            return self.ban(Ban::UnsupportedSyntax, item.span());
        }
        visit::visit_impl_item(self, item);
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        let refused = match item {
            TraitItem::Const(item) => item.modifiers.require_empty().is_err(),
            TraitItem::Fn(item) => item.modifiers.require_empty().is_err(),
            TraitItem::Type(item) => item.modifiers.require_empty().is_err(),
            TraitItem::Macro(inner) => return self.ban(macros::out_of_place(&inner.mac), item.span()),
            _ => true,
        };
        if refused {
            return self.ban(Ban::UnsupportedSyntax, item.span());
        }
        visit::visit_trait_item(self, item);
    }

    fn visit_signature(&mut self, signature: &'ast Signature) {
        if let Some(variadic) = &signature.variadic {
            self.ban(Ban::NoExtern, variadic.span());
        }
        visit::visit_signature(self, signature);
    }

    fn visit_field(&mut self, field: &'ast Field) {
        // The printer leaves it out.
        if field.default.is_some() {
            self.ban(Ban::UnsupportedSyntax, field.span());
        }
        visit::visit_field(self, field);
    }

    // The printer puts lifetimes first; the compiler refuses any other order.
    fn visit_generics(&mut self, generics: &'ast Generics) {
        if !generics.params.iter().is_sorted_by_key(|param| !matches!(param, GenericParam::Lifetime(_))) {
            self.ban(Ban::UnsupportedSyntax, generics.span());
        }
        visit::visit_generics(self, generics);
    }

    fn visit_angle_bracketed_generic_arguments(&mut self, given: &'ast AngleBracketedGenericArguments) {
        if !given.args.iter().is_sorted_by_key(|given| !matches!(given, GenericArgument::Lifetime(_))) {
            self.ban(Ban::UnsupportedSyntax, given.span());
        }
        visit::visit_angle_bracketed_generic_arguments(self, given);
    }

    fn visit_generic_param(&mut self, param: &'ast GenericParam) {
        if let GenericParam::Type(param) = param {
            self.type_name(&param.ident);
        }
        visit::visit_generic_param(self, param);
    }

    fn visit_block(&mut self, block: &'ast Block) {
        self.blocks += 1;
        visit::visit_block(self, block);
        self.blocks -= 1;
    }

    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        // A lone semicolon.
        if matches!(stmt, Stmt::Expr(Expr::Verbatim(tokens), Some(_)) if tokens.is_empty()) {
            return;
        }
        visit::visit_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        let refused = match expr {
            Expr::Binary(binary) if is_let(&binary.left) || is_let(&binary.right) => Some(Ban::LetChain),
            // A literal has no fields; `3 .4` would be printed as a number with a point.
            Expr::Field(field) if matches!(*field.base, Expr::Lit(_)) => Some(Ban::UnsupportedSyntax),
            Expr::Array(_)
            | Expr::Assign(_)
            | Expr::Binary(_)
            | Expr::Block(_)
            | Expr::Break(_)
            | Expr::Call(_) => None,
            Expr::Cast(_)
            | Expr::Closure(_)
            | Expr::Const(_)
            | Expr::Continue(_)
            | Expr::Field(_)
            | Expr::ForLoop(_) => None,
            Expr::If(_) | Expr::Index(_) | Expr::Infer(_) | Expr::Let(_) | Expr::Lit(_) | Expr::Loop(_) => {
                None
            }
            Expr::Macro(_)
            | Expr::Match(_)
            | Expr::MethodCall(_)
            | Expr::Paren(_)
            | Expr::Path(_)
            | Expr::Range(_) => None,
            Expr::Reference(_)
            | Expr::Repeat(_)
            | Expr::Return(_)
            | Expr::Struct(_)
            | Expr::Try(_)
            | Expr::Tuple(_) => None,
            Expr::Unary(_) | Expr::While(_) => None,
            // Their keywords are refused as tokens; what they hold is judged as well.
            Expr::Async(_) | Expr::Await(_) | Expr::Unsafe(_) => None,
            Expr::RawAddr(_) => Some(Ban::NoRawPointer),
            _ => Some(Ban::UnsupportedSyntax),
        };
        match refused {
            Some(ban) => self.ban(ban, expr.span()),
            None => visit::visit_expr(self, expr),
        }
    }

    fn visit_expr_closure(&mut self, closure: &'ast ExprClosure) {
        if closure.constness.is_some() || closure.lifetimes.is_some() {
            self.ban(Ban::UnsupportedSyntax, closure.span());
        }
        visit::visit_expr_closure(self, closure);
    }

    fn visit_pat(&mut self, pat: &'ast Pat) {
        let refused = match pat {
            Pat::Guard(_)
            | Pat::Ident(_)
            | Pat::Lit(_)
            | Pat::Or(_)
            | Pat::Paren(_)
            | Pat::Path(_)
            | Pat::Range(_) => None,
            Pat::Reference(_) | Pat::Rest(_) | Pat::Slice(_) | Pat::Struct(_) | Pat::Tuple(_) => None,
            Pat::TupleStruct(_) | Pat::Type(_) | Pat::Wild(_) => None,
            Pat::Macro(inner) => Some(macros::out_of_place(&inner.mac)),
            _ => Some(Ban::UnsupportedSyntax),
        };
        match refused {
            Some(ban) => self.ban(ban, pat.span()),
            None => visit::visit_pat(self, pat),
        }
    }

    fn visit_type(&mut self, ty: &'ast Type) {
        let refused = match ty {
            Type::Array(_)
            | Type::FnPtr(_)
            | Type::ImplTrait(_)
            | Type::Infer(_)
            | Type::Never(_)
            | Type::Paren(_) => None,
            Type::Path(_) | Type::Reference(_) | Type::Slice(_) | Type::TraitObject(_) | Type::Tuple(_) => {
                None
            }
            Type::Ptr(_) => Some(Ban::NoRawPointer),
            Type::Macro(inner) => Some(macros::out_of_place(&inner.mac)),
            _ => Some(Ban::UnsupportedSyntax),
        };
        match refused {
            Some(ban) => self.ban(ban, ty.span()),
            None => visit::visit_type(self, ty),
        }
    }

    fn visit_type_param_bound(&mut self, bound: &'ast TypeParamBound) {
        match bound {
            TypeParamBound::Trait(_) | TypeParamBound::Lifetime(_) | TypeParamBound::PreciseCapture(_) => {
                visit::visit_type_param_bound(self, bound);
            }
            _ => self.ban(Ban::UnsupportedSyntax, bound.span()),
        }
    }

    fn visit_constraint(&mut self, constraint: &'ast Constraint) {
        // The printer leaves out the colon, which makes a type of it.
        if constraint.bounds.is_empty() {
            self.ban(Ban::UnsupportedSyntax, constraint.span());
        }
        visit::visit_constraint(self, constraint);
    }

    fn visit_lit(&mut self, lit: &'ast Lit) {
        match lit {
            Lit::Str(_)
            | Lit::ByteStr(_)
            | Lit::Byte(_)
            | Lit::Char(_)
            | Lit::Int(_)
            | Lit::Float(_)
            | Lit::Bool(_) => {}
            Lit::CStr(_) => self.ban(Ban::LiteralNotAllowed, lit.span()),
            _ => self.ban(Ban::UnsupportedSyntax, lit.span()),
        }
    }

    fn visit_macro(&mut self, invocation: &'ast Macro) {
        if self.is_own_macro(invocation) {
            return self.own_macro(invocation);
        }
        let span = invocation.path.span();
        let arguments = macros::judge_name(invocation).and_then(|name| macros::arguments(&name, invocation));
        match arguments {
            Ok(Arguments::Expressions(list)) => list.iter().for_each(|expr| self.visit_expr(expr)),
            Ok(Arguments::Matches(expr, pat)) => {
                self.visit_expr(&expr);
                self.visit_pat(&pat);
            }
            Err(ban) => self.ban(ban, span),
        }
    }
}

fn is_let(expr: &Expr) -> bool {
    matches!(expr, Expr::Let(_))
}

fn start(span: Span) -> (usize, usize) {
    let start = span.start();
    (start.line, start.column)
}

/// The attributes of an item that may exist in tests only.
pub(super) fn item_attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
