//! Files of the profile's workspace: list, read, search, write, each as far as the profile's grants name its path; and files of the
//! further folders that the configuration opens.
//!
//! - [`place`]: a path, made canonical or refused
//! - [`open`]: what is done at a path, folder by folder
//! - [`tree`]: what a listing shows
//! - [`search`]: where words stand
//!
//! Skills that were learned have folders of their own in the same workspace. What they may do there was decided by their
//! approver; the grants of the profile are about this skill alone, and cover those folders as any other.

use bot_base::paths::Folder;
use kernel::skill::{Call, Outcome, Skill};
use language::{Says, fill};
use models::{AttachmentError, ModelError};
use open::Refused;
use place::Place;
use ports::own::{own_name, parameters, phrases};
use ports::tongue::Tongue;
use ports::{KernelContext, Shared};
use serde_json::Value;
use shared_types::capability::{Token, TokenSet};
use shared_types::described::Tool;
use shared_types::grants::FileGrants;
use shared_types::id::{SkillName, ToolName};
use shared_types::provenance::Provenance;
use shared_types::risk::Risk;
use shared_types::verdict::Weight;
use shared_types::verdict::{Denial, Rule};

use crate::words;

mod open;
mod place;
mod search;
mod tree;

/// The most bytes of a file that one call answers.
const MOST_READ: u64 = 12 * 1024;
/// The longest text that one call writes, in bytes.
const MOST_WRITTEN: usize = 256 * 1024;
/// The largest file that a text is appended to, with the text, in bytes.
const MOST_APPENDED: u64 = 4 * 1024 * 1024;
/// How deep a listing goes at most.
const MOST_DEPTH: u64 = 8;

/// The skill.
pub struct Files {
    name: SkillName,
    tools: Vec<Tool>,
}

impl Default for Files {
    fn default() -> Self {
        let tools = vec![
            tool(
                "file_list",
                "Lists files and folders of the workspace",
                r#"{"type": "object", "properties": {
                    "path": {"type": "string", "maxLength": 1000, "description": "a folder; without it, the workspace"},
                    "depth": {"type": "integer", "minimum": 1, "maximum": MOST_DEPTH,
                        "description": "how many folders deep; 1 without it"}}}"#,
                &[
                    ("en", "list [all] [my|the] files"),
                    ("en", "show [me] [my|the] files"),
                    ("en", "what|which files do|can i|you have|see|read"),
                    ("en", "what|which files are there|here [in] [the|my] [workspace|folder]"),
                    (
                        "en",
                        "what|which files have|do i|you|we [have] [got] [in] [the|my] [workspace|folder|here]",
                    ),
                    ("en", "my|all|the files"),
                    ("en", "ls|dir|files"),
                    ("en", "what is in my|the workspace|folder"),
                    ("en", "list [all] [my] documents|notes"),
                    ("en", "list [the] files in {path}"),
                    (
                        "en",
                        "what|which files are|have in|on [in] the|my|this|our folder|directory|workspace|computer",
                    ),
                    ("en", "what|which files have|did you saved|save|kept|got|written|stored [so] [far]"),
                    ("en", "do i|you|we have any|some files [saved|stored]"),
                    ("de", "liste [alle] [meine|die] dateien auf"),
                    ("de", "zeig|zeige [mir] [meine|die] dateien"),
                    (
                        "de",
                        "welche|was dateien|für|fuer [dateien] hab|habe|hast|gibt|sind|kannst|liegen [ich|du|es|da|hier] [da|hier|alles] [im|in] [workspace|ordner|arbeitsordner]",
                    ),
                    ("de", "welche dateien gibt|gibts es [hier|da]"),
                    ("de", "welche dateien gibts|gibt|hast|habe|sind [es|du|ich|da|hier] [hier|da]"),
                    ("de", "meine|alle dateien"),
                    ("de", "dateien [anzeigen|auflisten]"),
                    ("de", "liste [alle|meine|die] dateien"),
                    ("de", "was ist|liegt in meinem|dem ordner|arbeitsordner"),
                    (
                        "de",
                        "welche|was dateien|ist|liegt|liegen|sind [liegen|sind] im|in [meinem|dem] [ordner|arbeitsordner|verzeichnis] [drin]",
                    ),
                    ("de", "zeig|zeige [mir] [die] dateien in {path}"),
                    (
                        "de",
                        "welche dateien hast|habe|haben|hab du|ich|wir|sie [derzeit|gerade|jetzt|alle|bisher|schon] [gespeichert|angelegt|abgelegt]",
                    ),
                    (
                        "de",
                        "welche dateien sind|wurden [derzeit|gerade|jetzt|alle|bisher] gespeichert|angelegt|abgelegt",
                    ),
                ],
                ["show my files", "zeig meine Dateien"],
            ),
            tool(
                "file_read",
                "Reads a text file of the workspace, a long one piece by piece",
                r#"{"type": "object", "required": ["path"], "properties": {
                    "path": {"type": "string", "minLength": 1, "maxLength": 1000},
                    "offset": {"type": "integer", "minimum": 0, "description": "the byte to begin at"},
                    "limit": {"type": "integer", "minimum": 1, "maximum": MOST_READ, "description": "bytes"}}}"#,
                &[
                    ("en", "read [me] [the|my] file {path}"),
                    ("en", "show [me] [the|my] file {path}"),
                    ("en", "read|open|show|view|print|display|cat [me] [the|my] [file|note] {path:file}"),
                    ("en", "what is|was in|inside [the|my] [file|note] {path:file}"),
                    ("en", "what does [the|my] [file|note] {path:file} say|contain"),
                    ("en", "contents|content of [the|my] [file] {path:file}"),
                    ("en", "what is in [the|my] file {path}"),
                    ("en", "what is|was written [down] in [the|my] [file|note] {path:file}"),
                    ("en", "what is in [the|my] {path:file} [now|so|again] [far]"),
                    ("en", "what is in {path:1}"),
                    ("de", "lies [mir] [die] datei {path:file} [vor]"),
                    ("de", "lies [mir] [die] datei namens {path} [vor]"),
                    ("de", "zeig|zeige [mir] [die] datei {path}"),
                    ("de", "lies|öffne|oeffne|zeig|zeige [mir] {path:file} [vor|an]"),
                    ("de", "lies|öffne|oeffne|zeig|zeige [mir] [mal|bitte] [die] datei {path:file} [vor|an]"),
                    ("de", "was steht|ist in {path:file} [drin]"),
                    ("de", "inhalt von {path:file}"),
                    (
                        "de",
                        "was steht|ist [jetzt|nun|alles|eigentlich|denn|noch] in der|meiner|dieser [datei|notiz|liste] {path:file} [jetzt] [drin|drinnen]",
                    ),
                    ("de", "was steht|ist [jetzt|nun|alles|denn|noch] in {path:file} [jetzt] [drin|drinnen]"),
                    ("de", "was steht in [der] datei {path}"),
                    (
                        "de",
                        "was steht in [der|meiner] [datei] {path:file} [drin] [gibts|gibt] [die|es] [überhaupt|ueberhaupt|die|noch]",
                    ),
                    ("de", "was steht in {path:1}"),
                ],
                ["read notes.txt", "lies notizen.txt"],
            ),
            tool(
                "file_write",
                "Writes a text file of the workspace; what was in it is replaced, or the text is appended",
                r#"{"type": "object", "required": ["path", "content"], "properties": {
                    "path": {"type": "string", "minLength": 1, "maxLength": 1000},
                    "content": {"type": "string", "maxLength": MOST_WRITTEN},
                    "append": {"type": "boolean", "description": "add it at the end"}}}"#,
                &[
                    ("en", "write {content} to|into [the] file {path:1}"),
                    (
                        "en",
                        "write|save|store|put {content} to|into|in a|the [new|text] file [called|named] {path:1}",
                    ),
                    ("en", "write|save|store|put {content} to|into|in|as {path:file}"),
                    ("en", "write|save|store this|that|it as {path:file} {content}"),
                    (
                        "en",
                        "save|create|make|write|start [me] a|an|the [new|text] [new|text] file|note|document [called|named] {path:file} {content}",
                    ),
                    (
                        "en",
                        "save|create|make|write a|the|new [new] note|file|document [called|named] {path:file} with|saying|containing [the] [text|content|word|words|line|lines|sentence|contents] {content}",
                    ),
                    (
                        "en",
                        "create|make|write {path:file} with|saying|containing [the] [text|content|word|words|line|lines|sentence|contents] {content}",
                    ),
                    ("de", "schreib|schreibe {content} in [die] datei {path:1}"),
                    (
                        "de",
                        "schreib|schreibe|speicher|speichere {content} in eine|einer|die [neue|neuen] datei [namens|mit] [dem] [namen] {path:1}",
                    ),
                    ("de", "schreib|schreibe|speicher|speichere {content} in|nach|als {path:file}"),
                    ("de", "schreib|schreibe|speicher|speichere das|dies|es als {path:file} {content}"),
                    (
                        "de",
                        "speicher|speichere|erstell|erstelle|mach|mache [mir] [bitte|mal] eine|die [neue] datei|notiz [namens] {path:file} {content}",
                    ),
                    ("de", "leg|lege [mir] [bitte|mal] eine|die [neue] datei|notiz {path:file} an {content}"),
                    (
                        "de",
                        "leg|lege [bitte] [eine|die] [neue] datei|notiz {path:file} an mit [dem|den|der] [text|inhalt|wort|worten|satz|zeile] {content}",
                    ),
                    (
                        "de",
                        "erstell|erstelle|mach|mache|schreib|schreibe [bitte] [eine|die] [neue] datei|notiz {path:file} mit [dem|den|der] [text|inhalt|wort|worten|satz|zeile] {content}",
                    ),
                ],
                ["write \"buy stamps\" into notes.txt", "schreib \"Brot kaufen\" in notizen.txt"],
            ),
            tool(
                "file_append",
                "Adds lines at the end of a text file of the workspace",
                r#"{"type": "object", "required": ["path", "content"], "properties": {
                    "path": {"type": "string", "minLength": 1, "maxLength": 1000},
                    "content": {"type": "string", "minLength": 1, "maxLength": MOST_WRITTEN}}}"#,
                &[
                    ("en", "append|add {content} to|at [the] [end] [of] [the] [file] {path:file}"),
                    ("en", "append {content} to [the] file {path:1}"),
                    ("en", "write|put|jot|note [down] in|into|to [the|my] [file] {path:file} {content}"),
                    ("en", "append|add to [the|my] [file] {path:file} {content}"),
                    ("en", "append|add [a|the|one] line|lines {content} to|in [the] [file] {path:file}"),
                    (
                        "en",
                        "append|add [a|the|one] line|lines to|in [the] [file] {path:file} [saying|with] {content}",
                    ),
                    ("de", "häng|hänge|haeng|haenge {content} an [die] [datei] {path:file} [an]"),
                    ("de", "füge|füg|fuege|fueg {content} zu|in [der] [datei] {path:file} hinzu|an|ein"),
                    (
                        "de",
                        "füge|füg|fuege|fueg [die|eine] zeile {content} zu|in [der] [datei] {path:file} hinzu|an|ein",
                    ),
                    ("de", "ergänze|ergaenze {content} in [der] [datei] {path:file}"),
                    ("de", "häng|hänge|haeng|haenge an [die] [datei] {path:file} an|noch {content}"),
                    (
                        "de",
                        "schreib|schreibe|notier|notiere [noch] [zu|unten] in [die|meine] [datei] {path:file} {content}",
                    ),
                ],
                ["append \"call the plumber\" to notes.txt", "häng \"Brot kaufen\" an notizen.txt"],
            ),
            tool(
                "file_search",
                "Finds lines with certain words in the text files of the workspace",
                r#"{"type": "object", "required": ["query"], "properties": {
                    "query": {"type": "string", "minLength": 1, "maxLength": 200, "description": "words that one line holds"},
                    "path": {"type": "string", "maxLength": 1000, "description": "a folder; without it, the workspace"}}}"#,
                &[
                    (
                        "en",
                        "search|look [in|through] my|the|all|our files|notes|documents|workspace for {query}",
                    ),
                    (
                        "en",
                        "find [the] [word|words|phrase|text] {query} in my|the|our files|notes|documents|workspace",
                    ),
                    (
                        "en",
                        "search|look for [the] [word|words|phrase|text] {query} in my|the|our files|notes|documents|workspace",
                    ),
                    (
                        "en",
                        "find|search|look [for] [me] [the|my|a] file|files|note|notes|document|documents about|on|mentioning {query}",
                    ),
                    ("en", "where did i|we write [down] [something|anything] [about] {query}"),
                    (
                        "en",
                        "which|what [of] [my] file|files|note|notes mention|mentions|contain|contains {query}",
                    ),
                    ("en", "in which|what file|note did i|we write [something] [about] {query}"),
                    (
                        "en",
                        "in which|what file|files|note|notes is|are|does {query:6} [mentioned|appear|occur|written]",
                    ),
                    (
                        "de",
                        "such|suche [nach] [dem] [wort] {query} in meinen|den|unseren dateien|notizen|dokumenten",
                    ),
                    (
                        "de",
                        "durchsuche|durchsuch meine|die|alle|unsere dateien|notizen|dokumente nach {query}",
                    ),
                    (
                        "de",
                        "such|suche [in] meinen|den|allen|unseren dateien|notizen|dokumenten nach {query}",
                    ),
                    (
                        "de",
                        "wo habe|hab|haben ich|wir [etwas|was] [über|ueber|von] {query} geschrieben|notiert|aufgeschrieben",
                    ),
                    (
                        "de",
                        "such|suche|find|finde [mir] [mal|bitte] [die|eine|meine] datei|dateien|notiz|notizen|dokument|dokumente über|ueber|zu {query}",
                    ),
                    ("de", "in welcher datei|notiz steht [etwas|was] [über|ueber|von] {query}"),
                    ("de", "in welcher|welchen datei|dateien|notiz|notizen kommt|kommen {query} vor"),
                    ("de", "in welcher|welchen datei|dateien|notiz|notizen finde|find ich {query}"),
                    ("de", "welche datei|dateien|notiz enthält|enthaelt|enthalten|erwähnt|erwaehnt {query}"),
                ],
                ["search my files for plumber", "durchsuche meine Dateien nach Brot"],
            ),
            // Without sentences of its own: the person names it, by `/attach`, and no model is offered it.
            tool(
                "file_attach",
                "Has a picture of the workspace go with the line that the person types next",
                r#"{"type": "object", "required": ["path"], "properties": {
                    "path": {"type": "string", "minLength": 1, "maxLength": 1000}}}"#,
                &[],
                [],
            ),
        ];
        Files { name: own_name("files"), tools }
    }
}

fn tool<const N: usize>(
    name: &str,
    description: &str,
    schema: &str,
    patterns: &[(&str, &str)],
    examples: [&str; N],
) -> Tool {
    Tool {
        examples: examples.map(str::to_owned).into(),
        name: name.parse().expect("the tool names of files are well-formed"),
        description: description.to_owned(),
        parameters: parameters(
            schema,
            &[("MOST_DEPTH", &MOST_DEPTH), ("MOST_READ", &MOST_READ), ("MOST_WRITTEN", &MOST_WRITTEN)],
        ),
        phrases: phrases(patterns),
    }
}

impl Skill<Shared> for Files {
    fn name(&self) -> &SkillName {
        &self.name
    }

    fn description(&self) -> &str {
        "Lists, reads and writes files of the workspace"
    }

    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn capabilities(&self) -> TokenSet {
        [Token::FileRead, Token::FileWrite].into_iter().collect()
    }

    fn tools(&self) -> &[Tool] {
        &self.tools
    }

    fn full_name(&self, tool: &ToolName) -> String {
        tool.to_string()
    }

    fn weigh(&self, tool: &Tool, args: &Value, ctx: &KernelContext) -> Result<Weight, Denial> {
        let place = placed(args, ctx)?;
        let grants = grants(&place, ctx);
        // The file may come from any author, and its content is private to the person.
        let reads = |reason: String| Weight { brings: Provenance::BOTH, ..Weight::harmless(reason) };
        match tool.name.as_str() {
            "file_list" => {
                granted(grants.may_list(place.as_str()), &place, "read", ctx)?;
                Ok(reads(format!("lists {}", place.shown())))
            }
            "file_search" => {
                granted(grants.may_list(place.as_str()), &place, "read", ctx)?;
                Ok(reads(format!("searches the files in {}", place.shown())))
            }
            "file_read" | "file_attach" => {
                granted(grants.may_read(place.as_str()), &place, "read", ctx)?;
                Ok(reads(format!("reads {}", place.shown())))
            }
            _ => {
                granted(grants.may_write(place.as_str()), &place, "write", ctx)?;
                let (reason, replaces) = would_write(&place, args, appends(tool.name.as_str(), args), ctx);
                Ok(Weight { risk: Risk::Medium, replaces, ..Weight::harmless(reason) })
            }
        }
    }

    fn call_tool(&self, tool: &ToolName, call: &Call<'_>, ctx: &KernelContext) -> Outcome {
        let place = match placed(call.args, ctx) {
            Ok(place) => place,
            Err(Denial { rule, why }) => return Outcome::Denied(rule, why),
        };
        let done = match tool.as_str() {
            "file_list" => {
                let depth = call.args["depth"].as_u64().unwrap_or(1).clamp(1, MOST_DEPTH);
                tree::list(&place, depth, words::language(ctx, call.line).says().no_files, ctx)
            }
            "file_read" => read(&place, call.args, ctx),
            "file_search" => search(&place, call, ctx),
            "file_append" => append_lines(&place, call, ctx),
            "file_attach" => attach(&place, call, ctx),
            _ => write(&place, call, ctx),
        };
        match done {
            Ok(said) => Outcome::Said(said),
            Err(Refused::Rule(why)) => Outcome::Denied(Rule::PathOutside, why),
            Err(Refused::Missing(_)) if is_talk(&place, call.line) => Outcome::NotMine,
            Err(Refused::Missing(_)) => {
                let says = words::language(ctx, call.line).says();
                Outcome::Failed(fill(says.no_file, &[("path", &place.shown())]))
            }
            Err(Refused::Failed(why)) => Outcome::Failed(why),
        }
    }
}

/// The place that a call names.
fn placed(args: &Value, ctx: &KernelContext) -> Result<Place, Denial> {
    Place::parse(args["path"].as_str().unwrap_or_default(), &ctx.shared().further)
}

/// What may be done in the folder of a place.
fn grants<'a>(place: &Place, ctx: &'a KernelContext) -> &'a FileGrants {
    let shared = ctx.shared();
    let further = place.further().and_then(|number| shared.further.get(number));
    further.map_or(&shared.grants.files, |further| &further.files)
}

/// The open folder of a place, to read.
fn to_read<'a>(place: &Place, ctx: &'a KernelContext) -> Result<&'a Folder, Refused> {
    let handle = ctx.handles().file_read();
    let folder = handle.and_then(|handle| match place.further() {
        Some(number) => handle.further(number),
        None => Some(handle.folder()),
    });
    folder.ok_or_else(|| not_granted("file:read"))
}

/// The open folder of a place, to write.
fn to_write<'a>(place: &Place, ctx: &'a KernelContext) -> Result<&'a Folder, Refused> {
    let handle = ctx.handles().file_write();
    let folder = handle.and_then(|handle| match place.further() {
        Some(number) => handle.further(number, ctx),
        None => Some(handle.folder()),
    });
    folder.ok_or_else(|| not_granted("file:write"))
}

/// Whether a call leaves what is in the file.
fn appends(tool: &str, args: &Value) -> bool {
    tool == "file_append" || args["append"] == true
}

/// What a write would do, for the person who is asked, and whether content of a file could be lost by it.
fn would_write(place: &Place, args: &Value, appends: bool, ctx: &KernelContext) -> (String, bool) {
    let bytes = args["content"].as_str().map_or(0, str::len);
    let size = to_read(place, ctx).and_then(|root| open::size(place, root));
    let (said, replaces) = match &size {
        Ok(_) if appends => ("adds {bytes} bytes to {path}, which has {size} bytes", false),
        Ok(_) => ("replaces {path}, a file of {size} bytes, by {bytes} bytes", true),
        Err(Refused::Missing(_)) => ("writes {bytes} bytes to {path}, which is not there yet", false),
        // A file that cannot be looked at may be there.
        Err(_) => ("writes {bytes} bytes to {path}, which cannot be read", !appends),
    };
    // An approver is asked in place of a minor, and the record of that is English.
    let tongue = if ctx.shared().audience.is_minor() { Tongue::ENGLISH } else { ctx.shared().tongue() };
    let size = size.map_or(String::new(), |size| size.to_string());
    let facts = [("bytes", bytes.to_string()), ("path", place.shown()), ("size", size)];
    (fill(tongue.say(said), &facts.each_ref().map(|(name, value)| (*name, value.as_str()))), replaces)
}

/// Whether a line such as "what is in there" meant no file by its last word; the companion then tries something else.
fn is_talk(place: &Place, line: &str) -> bool {
    if place.as_str().contains(' ') && !place.as_str().contains(['.', '/']) {
        return true;
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let last = words.last().map_or("", |word| word.trim_end_matches(['?', '!', '.']));
    let is_name = place.as_str().contains(['.', '/', '_', '-']) || last.bytes().any(|b| b.is_ascii_digit());
    words.len() <= 5 && last == place.as_str() && !is_name
}

fn granted(is: bool, place: &Place, key: &str, ctx: &KernelContext) -> Result<(), Denial> {
    if is {
        return Ok(());
    }
    let files = grants(place, ctx);
    let profile = &ctx.shared().profile;
    if files.forbids(place.as_str()) {
        let why =
            format!("grants.forbidden_paths in config/profiles/{profile}.yaml forbids {}", place.shown());
        return Err(Denial { rule: Rule::ForbiddenPath, why });
    }
    if place.further().is_some() {
        let why = match (key, files.write.is_empty()) {
            ("write", true) => format!(
                "{} may only be read by this profile: `folders` in config/default.yaml",
                place.shown()
            ),
            _ => format!(
                "{} has a hidden name, which `folders` in config/default.yaml does not open",
                place.shown()
            ),
        };
        return Err(Denial { rule: Rule::PathGrant, why });
    }
    let FileGrants { read, write, .. } = files;
    let now: Vec<String> = if key == "read" { read } else { write }.iter().map(ToString::to_string).collect();
    let now =
        if now.is_empty() { "none is there".to_owned() } else { format!("there are: {}", now.join(" ")) };
    Err(Denial {
        rule: Rule::PathGrant,
        why: format!(
            "no grant covers {}: a person may add a pattern under grants.files.{key} in \
             config/profiles/{profile}.yaml ({now}; hidden names must be named)",
            place.shown()
        ),
    })
}

fn read(place: &Place, args: &Value, ctx: &KernelContext) -> Result<String, Refused> {
    let root = to_read(place, ctx)?;
    let from = args["offset"].as_u64().unwrap_or(0);
    let limit = args["limit"].as_u64().unwrap_or(MOST_READ).min(MOST_READ);
    let piece = open::piece(place, root, from, limit)?;
    let shown = place.shown();
    if piece.size == 0 {
        return Ok(format!("[{shown} is empty]"));
    }
    let end = piece.from + piece.text.len() as u64;
    if piece.from == 0 && end >= piece.size {
        return Ok(piece.text);
    }
    let rest =
        if end < piece.size { format!("; more with offset {end}") } else { "; this is the end".to_owned() };
    Ok(format!("{}\n[bytes {} to {end} of {} of {shown}{rest}]", piece.text, piece.from, piece.size))
}

fn write(place: &Place, call: &Call<'_>, ctx: &KernelContext) -> Result<String, Refused> {
    let root = to_write(place, ctx)?;
    let content = call.args["content"].as_str().unwrap_or_default();
    let says = words::language(ctx, call.line).says();
    if content.len() > MOST_WRITTEN {
        return Err(Refused::Failed(format!(
            "one call writes at most {MOST_WRITTEN} bytes; append the rest"
        )));
    }
    if call.args["append"] != true {
        open::replace(place, root, content.as_bytes())?;
        let bytes = content.len().to_string();
        return Ok(fill(says.wrote_file, &[("bytes", &bytes), ("path", &place.shown())]));
    }
    append(place, content, root, says)
}

/// Adds lines of their own: what is there ends with a line break first.
fn append_lines(place: &Place, call: &Call<'_>, ctx: &KernelContext) -> Result<String, Refused> {
    let root = to_write(place, ctx)?;
    let there = open::whole(place, root, MOST_APPENDED)?;
    let before = if there.last().is_some_and(|byte| *byte != b'\n') { "\n" } else { "" };
    let content = format!("{before}{}\n", call.args["content"].as_str().unwrap_or_default());
    append(place, &content, root, words::language(ctx, call.line).says())
}

fn append(place: &Place, content: &str, root: &Folder, says: &Says) -> Result<String, Refused> {
    let mut whole = open::whole(place, root, MOST_APPENDED - content.len() as u64)?;
    whole.extend_from_slice(content.as_bytes());
    open::replace(place, root, &whole)?;
    let (bytes, size) = (content.len().to_string(), whole.len().to_string());
    Ok(fill(says.added_to_file, &[("bytes", &bytes), ("path", &place.shown()), ("size", &size)]))
}

/// Has a picture go with the line that the person types next.
fn attach(place: &Place, call: &Call<'_>, ctx: &KernelContext) -> Result<String, Refused> {
    let unfit = |why: AttachmentError| Refused::Failed(why.to_string());
    let (shared, root, name) = (ctx.shared(), to_read(place, ctx)?, place.full());
    let models = &shared.config.models;
    if let (false, Some(first)) = (models.takes_images(), models.providers.first()) {
        return Err(Refused::Failed(ModelError::NoImages { provider: first.name.clone() }.to_string()));
    }
    let room = shared.session.pictures.room(&name).map_err(unfit)?;
    let picture = shared.session.pictures.add(&name, open::up_to(place, root, room + 1)?).map_err(unfit)?;
    let says = words::language(ctx, call.line).says();
    let size = picture.kilobytes().to_string();
    Ok(fill(says.picture_waits, &[("name", picture.name()), ("size", &size)]))
}

fn not_granted(token: &str) -> Refused {
    Refused::Failed(format!("{token} was not granted"))
}

fn search(place: &Place, call: &Call<'_>, ctx: &KernelContext) -> Result<String, Refused> {
    let query = call.args["query"].as_str().unwrap_or_default();
    let nothing = || fill(words::language(ctx, call.line).says().no_hits, &[("query", query)]);
    Ok(search::search(place, query, ctx)?.unwrap_or_else(nothing))
}

#[cfg(test)]
mod tests;
