//! From functions and their specification to the one file of a skill.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::ToTokens;
use shared_types::text::cut;
use syn::visit::Visit;
use syn::{Attribute, Item, Macro};

use super::Slot;
use super::arguments::{Argument, signature};
use super::take::{Function, Misfit, printed};

/// The longest line of a description, in characters.
const LONGEST: usize = 200;

/// A tool whose function does not fit, and why.
pub(super) struct Unfit {
    pub(super) tool: String,
    pub(super) why: Misfit,
}

/// Puts the file together and prints it.
///
/// # Errors
/// The function of a tool does not fit; the error holds the tool and the message for the model.
pub(super) fn file(about: &str, parts: Vec<(&Slot, Vec<Argument>, Function)>) -> Result<String, Unfit> {
    let alone = parts.len() == 1;
    let (mut tools, mut arms, mut uses, mut items) = (String::new(), String::new(), vec![], vec![]);
    for (slot, arguments, function) in parts {
        tools.push_str(&described(slot, &arguments));
        let call = called(&arguments, &function).map_err(|why| Unfit { tool: slot.name.clone(), why })?;
        arms.push_str(&format!("{:?} => {call},\n", slot.name));
        if alone && !function.helpers.iter().any(hides_ours) {
            uses.extend(function.uses.into_iter().map(Item::Use));
            items.push(Item::Fn(function.item));
            items.extend(function.helpers);
        } else {
            items.push(nested(function).map_err(|why| Unfit { tool: slot.name.clone(), why })?);
        }
    }
    let about = line(about);
    let entry = format!(
        "use skill_sdk::prelude::*;\n{}\npub struct Skill;\nimpl skill_sdk::Skill for Skill {{\n\
         fn describe(&self) -> Description {{ Description::new({about:?}){tools} }}\n\
         fn call_tool(&mut self, call: &Call) -> Answer {{ match call.tool() {{\n{arms}\
         _ => Err(Refusal::unknown_tool(call)),\n}} }} }}\n",
        printed(uses.into_iter()),
    );
    let unmade = |e: syn::Error| Unfit { tool: String::new(), why: e.into() };
    let mut file: syn::File = syn::parse_str(&entry).map_err(unmade)?;
    file.items.extend(items);
    let mut bare = Bare::default();
    bare.visit_file(&file);
    match bare.0 {
        Some(tokens) => Err(Unfit { tool: String::new(), why: Misfit::Bare(tokens) }),
        None => Ok(prettyplease::unparse(&file)),
    }
}

/// Finds what the parser keeps as bare tokens for want of a tree: the printer panics at it.
#[derive(Default)]
struct Bare(Option<String>);

impl<'ast> Visit<'ast> for Bare {
    fn visit_token_stream(&mut self, tokens: &'ast TokenStream) {
        if !tokens.is_empty() {
            self.0.get_or_insert_with(|| cut(&tokens.to_string(), LONGEST));
        }
    }

    /// Its tokens are printed as they stand.
    fn visit_macro(&mut self, _: &'ast Macro) {}

    /// So are these.
    fn visit_attribute(&mut self, _: &'ast Attribute) {}
}

/// One line, as short as a description may be.
fn line(text: &str) -> String {
    cut(text, LONGEST)
}

fn described(slot: &Slot, arguments: &[Argument]) -> String {
    let mut text = format!(".tool(Tool::new({:?}, {:?})", slot.name, line(&slot.about));
    for argument in arguments {
        text.push_str(&format!(".param({})", argument.declared()));
    }
    let own = ours(slot, arguments);
    let mut seen = BTreeSet::new();
    for (language, pattern) in slot.phrases.iter().chain(&own).filter(|phrase| seen.insert(*phrase)) {
        text.push_str(&format!(".phrase({language:?}, {pattern:?})"));
    }
    if let Some(sentence) = own.first().and_then(|(_, pattern)| said(pattern, slot)) {
        text.push_str(&format!(".example({sentence:?})"));
    }
    text + ")"
}

/// Phrases that follow from the names: the tool's words, and each argument that must be given.
fn ours(slot: &Slot, arguments: &[Argument]) -> Vec<(String, String)> {
    let words = slot.name.replace('_', " ");
    let slots: Vec<String> =
        arguments.iter().filter(|a| a.required).map(|a| format!("{{{}}}", a.name)).collect();
    let phrase = |language: &str, pattern: String| (language.to_owned(), pattern.trim().to_owned());
    let mut phrases = match slots.as_slice() {
        [] => vec![phrase("en", words.clone()), phrase("de", words)],
        [one] => vec![
            phrase("en", format!("{words} {one}")),
            phrase("en", format!("{words} of {one}")),
            phrase("de", format!("{words} {one}")),
            phrase("de", format!("{words} von {one}")),
        ],
        [first, second] => vec![
            phrase("en", format!("{words} {first} and {second}")),
            phrase("en", format!("{words} {first} {second}")),
            phrase("de", format!("{words} {first} und {second}")),
        ],
        many => {
            let named = arguments.iter().filter(|a| a.required).map(|a| a.name.replace('_', " "));
            let pairs: Vec<String> = named.zip(many).map(|(name, slot)| format!("{name} {slot}")).collect();
            let pattern = format!("{words} {}", pairs.join(" "));
            vec![phrase("en", pattern.clone()), phrase("de", pattern)]
        }
    };
    phrases.retain(|(_, pattern)| pattern.chars().count() <= LONGEST);
    phrases
}

/// Fills a phrase with the values of an example. `None` if a value is neither a text nor a number.
fn said(pattern: &str, slot: &Slot) -> Option<String> {
    let values = slot.sample.as_ref()?.as_object()?;
    let mut sentence = pattern.to_owned();
    for (name, value) in values {
        let text = match value {
            serde_json::Value::String(text) => text.clone(),
            serde_json::Value::Number(number) => number.to_string(),
            _ => return None,
        };
        sentence = sentence.replace(&format!("{{{name}}}"), &text);
    }
    let is_whole = !sentence.contains(['{', '}']) && sentence.chars().count() <= LONGEST;
    (is_whole && !sentence.chars().any(shared_types::text::is_refused)).then_some(sentence)
}

/// The expression that calls a tool's function with the values of a call, and makes text of what comes back.
fn called(arguments: &[Argument], function: &Function) -> Result<String, Misfit> {
    let name = function.item.sig.ident.to_string();
    let misfit = || Misfit::Arguments(signature(&name, arguments));
    let inputs = function.inputs().ok_or_else(misfit)?;
    let by_name: Option<Vec<&Argument>> = inputs
        .iter()
        .map(|(name, _)| arguments.iter().find(|a| a.name == name.trim_start_matches('_')))
        .collect();
    let matched = match by_name {
        Some(matched) => matched,
        None if inputs.len() == arguments.len() => arguments.iter().collect(),
        None => return Err(misfit()),
    };
    let values: Vec<String> = matched
        .iter()
        .zip(&inputs)
        // A type that is not known here, such as a generic one: the compiler judges.
        .map(|(a, (_, ty))| a.converted(ty).unwrap_or_else(|| a.given()))
        .collect();
    Ok(answered(&format!("{name}({})", values.join(", ")), &function.output()))
}

/// An expression of this type as the answer of a tool.
fn answered(value: &str, ty: &str) -> String {
    match ty {
        "Answer" | "Result<String,Refusal>" => return value.to_owned(),
        _ => {}
    }
    let inside = |start: &str| ty.strip_prefix(start).and_then(|rest| rest.strip_suffix('>'));
    if let Some(inner) = inside("Option<") {
        let text = text_of("x", inner);
        return format!(
            "match {value} {{ Some(x) => Ok({text}), None => Err(Refusal::failed(\"There is no answer for these values.\")) }}"
        );
    }
    if let Some((inner, error)) = inside("Result<").map(|inner| inner.rsplit_once(',').unwrap_or((inner, "")))
    {
        let value = match error {
            "()" => format!("{value}.map_err(|()| \"It does not work with these values.\")?"),
            _ => format!("{value}?"),
        };
        return format!("Ok({})", text_of(&value, inner));
    }
    format!("Ok({})", text_of(value, ty))
}

/// A value of this type as text.
fn text_of(value: &str, ty: &str) -> String {
    match ty {
        "String" => value.to_owned(),
        list if list.starts_with("Vec<") => {
            format!("{value}.iter().map(|x| x.to_string()).collect::<Vec<String>>().join(\", \")")
        }
        _ => format!("{value}.to_string()"),
    }
}

/// Whether a helper has a name that the file's own part uses.
fn hides_ours(item: &Item) -> bool {
    const OURS: [&str; 8] = ["Answer", "Call", "Description", "Param", "Refusal", "Tool", "Skill", "String"];
    let name = match item {
        Item::Struct(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        _ => return false,
    };
    OURS.contains(&name.as_str())
}

/// A function with all that it needs inside, so that two tools may have helpers of the same name.
fn nested(function: Function) -> Result<Item, Misfit> {
    let mut item = function.item;
    let mut body = printed(function.uses.into_iter().map(Item::Use).chain(function.helpers));
    for statement in &item.block.stmts {
        body.push_str(&statement.to_token_stream().to_string());
        body.push('\n');
    }
    *item.block = syn::parse_str(&format!("{{ {body} }}"))?;
    Ok(Item::Fn(item))
}
