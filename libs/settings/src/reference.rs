//! A table as a page for people, and what one key means.

use serde_json::Value;
use shared_types::settings::{Key, Kind};
use shared_types::text;

use crate::admin::{ADMIN, RULES};
use crate::bot::BOT;
use crate::profile::PROFILE;
use crate::wrap::wrapped;

/// Every key of a table as Markdown, in its order.
pub fn page(keys: &[Key]) -> String {
    let mut page = String::new();
    walk(keys, "", &mut |path, key| {
        page.push_str(&format!("\n### `{path}`\n\n{}\n", facts(key)));
        if !key.doc.is_empty() {
            page.push_str(&format!("\n{}\n", wrapped(key.doc, 120).join("\n")));
        }
    });
    page
}

/// A file with the table of its keys.
pub type File = (&'static str, &'static [Key]);

/// The files of the chat program.
pub const BOT_FILES: [File; 2] = [("config/default.yaml", BOT), ("config/profiles/<id>.yaml", PROFILE)];

/// The files of the service.
pub const ADMIN_FILES: [File; 2] = [("admin/admin.yaml", ADMIN), ("admin/composition_rules.yaml", RULES)];

/// A key that no file has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no configuration file has a key `{key}`; {near}")]
pub struct UnknownKey {
    key: String,
    near: String,
}

/// The keys of some files, a line for each with its default.
pub fn list(files: &[File]) -> String {
    let mut list = String::new();
    for (file, keys) in files {
        list.push_str(&format!("{file}\n"));
        walk(keys, "", &mut |path, key| list.push_str(&format!("  {path:<42} {}\n", default_of(key))));
    }
    list
}

/// What a key means, for a terminal: in each file that has it. Its path is as in a fault, without numbers: `providers.kind`.
///
/// # Errors
/// A key that is in none of them, with those that end alike or are spelt nearly so.
pub fn explain(files: &[File], path: &str) -> Result<String, UnknownKey> {
    let mut known = Vec::new();
    let mut found = Vec::new();
    for (file, keys) in files {
        walk(keys, "", &mut |at, key| {
            if at == path {
                let doc = if key.doc.is_empty() {
                    String::new()
                } else {
                    format!("\n{}\n", wrapped(key.doc, 78).join("\n"))
                };
                found.push(format!("{at} ({file})\n{}\n{doc}", facts(key)));
            }
            known.push(at.to_owned());
        });
    }
    if !found.is_empty() {
        return Ok(found.join("\n"));
    }
    let last = path.rsplit('.').next().unwrap_or(path);
    let alike = known.iter().filter(|at| at.rsplit('.').next() == Some(last));
    let mut alike: Vec<&str> = alike.map(String::as_str).collect();
    if alike.is_empty() {
        alike.extend(text::nearest(path, known.iter().map(String::as_str)));
    }
    let near = match alike.is_empty() {
        true => "`config explain` without a key lists them".to_owned(),
        false => format!("did you mean {}?", alike.join(" ")),
    };
    Err(UnknownKey { key: text::cut(path, 80), near })
}

/// Visits every key with its path.
pub fn walk<'a>(keys: &'a [Key], path: &str, visit: &mut impl FnMut(&str, &'a Key)) {
    for key in keys {
        let at = if path.is_empty() { key.name.to_owned() } else { format!("{path}.{}", key.name) };
        visit(&at, key);
        match &key.kind {
            Kind::Keys(below) | Kind::List { keys: below, .. } => walk(below, &at, visit),
            _ => {}
        }
    }
}

/// Kind, default and bounds in a line.
fn facts(key: &Key) -> String {
    let mut line = format!("{}; {}.", kind_of(key), default_of(key));
    match &key.kind {
        Kind::Refused(why) => return format!("Not allowed: it {why}."),
        Kind::Keys(_) => return "A mapping.".to_owned(),
        _ => {}
    }
    if let Some(first) = line.get(..1).map(str::to_uppercase) {
        line.replace_range(..1, &first);
    }
    line
}

fn kind_of(key: &Key) -> String {
    match &key.kind {
        Kind::Or(other, _) => kind_of(other),
        Kind::Flag(_) => "`true` or `false`".to_owned(),
        Kind::Switch(_) => "`on` or `off`".to_owned(),
        Kind::Number { least, most, unit, .. } => {
            let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
            format!("a whole number from {least} to {most}{unit}")
        }
        Kind::Decimal { least, most } => format!("a number from {least} to {most}"),
        Kind::Word { allowed, .. } => {
            let words: Vec<String> = allowed.iter().map(|word| format!("`{word}`")).collect();
            format!("one of {}", words.join(", "))
        }
        Kind::Text { .. } => "a text".to_owned(),
        Kind::Texts(_) => "a list of texts".to_owned(),
        Kind::Name => "a name or a number".to_owned(),
        Kind::Any(what) => (*what).to_owned(),
        Kind::Refused(_) | Kind::Keys(_) => String::new(),
        Kind::List { most, .. } => format!("a list of at most {most} mappings"),
    }
}

fn default_of(key: &Key) -> String {
    if let Kind::Or(_, other) = key.kind {
        return format!("where it is absent, `{other}` holds");
    }
    match (key.needed(), key.default()) {
        _ if !key.is_read() => "not allowed".to_owned(),
        (Some(_), _) => "required".to_owned(),
        (None, Value::Null) => "may be absent".to_owned(),
        (None, Value::Object(_)) => String::new(),
        (None, value) => format!("default `{value}`"),
    }
}
