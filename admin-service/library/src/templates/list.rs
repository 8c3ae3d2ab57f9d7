//! Lists with a memory of their own: `add maths page 12 to my homework`.

use language::fold::written_out;
use language::is_common;
use std::collections::BTreeMap;

use serde_json::json;
use shared_types::capability::Token;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, needed, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "list",
    source: include_str!("skills/list.rs"),
    // The subject may be any noun.
    words: &["*"],
    most_strangers: 2,
    fit,
};

const TOOLS: &[ToolShape] = &[
    tool(
        "add",
        &["add", "put", "store", "insert", "new", "note", "hinzu", "save", "remember"],
        &[&[needed("item", ITEM)]],
    ),
    tool("show", &["show", "list", "get", "view", "read", "display", "what", "zeig"], &[&[]]),
    tool(
        "remove",
        &["remove", "delete", "done", "complete", "take", "finish", "entfern", "cross"],
        &[&[needed("item", ITEM)]],
    ),
    tool("clear", &["clear", "empty", "reset", "leer"], &[&[]]),
];
const ITEM: &[&str] =
    &["text", "entry", "task", "what", "name", "thing", "homework", "eintrag", "title", "description"];

fn fit(wish: &Wish) -> Fit {
    const KEEP: &[&str] = &[
        "keep*",
        "maintain*",
        "manag*",
        "remember*",
        "track*",
        "write down",
        "note",
        "notes",
        "save*",
        "store*",
        "storing",
        "record*",
        "have",
        "make",
        "fuehr*",
        "verwalt*",
        "merk*",
        "speicher*",
        "notier*",
        "behalt*",
        "organi*",
        "collect*",
        "add*",
    ];
    const OTHER: &[&str] = &[
        "password*",
        "passwort*",
        "calendar",
        "kalender",
        "budget*",
        "sort*",
        "prime*",
        "photo*",
        "picture*",
        "secret*",
        "score*",
        "map*",
        "mailing*",
        "playlist*",
        "fit",
        "calm",
        "share*",
    ];
    let Some(subject) = subject(wish).filter(|_| !wish.has(OTHER)) else {
        return Fit::No;
    };
    if !wish.has(KEEP) && !subject.known {
        return Fit::No;
    }
    let name = subject.words;
    let patterns =
        SYNONYMS.iter().find(|(known, _)| *known == name).map_or(name.clone(), |(_, all)| (*all).to_owned());
    let item = "maths page 12";
    let (english, german) = example_items(&name);
    let named = if is_said_alone(&name) { name.clone() } else { format!("{name} list") };
    let add = |item: &str| example("add", &[("item", json!(item))], item);
    Fit::Yes(Plan {
        parameters: format!("subject={name}"),
        tools: TOOLS.to_vec(),
        words: BTreeMap::from([("listed", patterns)]),
        texts: BTreeMap::from([
            ("example", format!("add {english} to my {named}")),
            ("german_example", format!("setz {german} auf meine {}", as_noun(&name))),
            ("show_example", format!("show my {named}")),
            ("german_show_example", format!("zeig mir meine {}", as_noun(&name))),
            ("clear_example", format!("clear my {named}")),
            ("german_clear_example", format!("leere bitte meine {}", as_noun(&name))),
            ("list", name),
        ]),
        needs: vec![Token::MemoryRead, Token::MemoryWrite],
        trials: vec![
            add(item),
            add("a drawing of a snail"),
            example("show", &[], item),
            example("remove", &[("item", json!("drawing of a snail"))], "a drawing of a snail"),
            example("show", &[], item),
            example("clear", &[], "empty").german("leer"),
        ],
        ..Plan::default()
    })
}

/// Other words for the same list, as a pattern.
const SYNONYMS: &[(&str, &str)] = &[
    ("homework", "homework|hausaufgaben"),
    ("hausaufgaben", "hausaufgaben|homework|hausaufgabenliste|hausaufgabe"),
    ("hausaufgabenliste", "hausaufgabenliste|hausaufgaben|homework"),
    ("shopping", "shopping|grocery|groceries|einkaufsliste|einkaufszettel"),
    ("grocery", "grocery|groceries|shopping"),
    ("einkaufsliste", "einkaufsliste|einkäufe|einkaufszettel|shopping"),
    ("packing", "packing|packliste"),
    ("packliste", "packliste|packing"),
    ("to-do", "to-do|todo|todos|to-dos|tasks"),
    ("todo", "todo|to-do|todos|tasks"),
];

/// What is put on such a list in an example, in English and in German.
fn example_items(name: &str) -> (&'static str, &'static str) {
    match name {
        "homework" | "hausaufgaben" => ("maths page 12", "Mathe Seite 12"),
        _ if name.contains("einkauf") || ["shopping", "grocery", "groceries"].contains(&name) => {
            ("milk", "Milch")
        }
        _ => ("something", "etwas"),
    }
}

/// Whether a list is called by its name alone: `my homework`.
fn is_said_alone(name: &str) -> bool {
    name.ends_with("list")
        || name.ends_with("liste")
        || ["homework", "hausaufgaben", "groceries", "chores", "tasks"].contains(&name)
}

/// As German writes nouns.
fn as_noun(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(char::to_uppercase).into_iter().flatten().chain(letters).collect()
}

struct Subject {
    words: String,
    /// Whether everyone knows that this is a list.
    known: bool,
}

/// What the list is about: `homework`, `birds`, `to-do`, `einkaufsliste`; plain words only.
fn subject(wish: &Wish) -> Option<Subject> {
    let within = |words: &[String]| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let found =
            around_list(&words).or_else(|| german_compound(&words)).or_else(|| after_keeping(&words))?;
        let says_list = words.iter().any(|word| matches!(*word, "list" | "lists" | "liste" | "listen"));
        let known = says_list && KNOWN.contains(&found.as_str()) || found.ends_with("liste");
        Some(Subject { words: found, known })
    };
    // What the person said counts more than how the bot put it.
    let named = || Some(Subject { words: wish.name.strip_suffix("-list")?.replace('-', " "), known: true });
    let subject = within(wish.typed()).or_else(|| within(wish.described())).or_else(named)?;
    (!subject.words.is_empty() && subject.words.chars().count() <= 40).then_some(subject)
}

const KNOWN: &[&str] = &[
    "homework",
    "shopping",
    "grocery",
    "groceries",
    "to-do",
    "todo",
    "wish",
    "packing",
    "reading",
    "hausaufgaben",
    "chores",
    "tasks",
];

/// `list of birds I saw`, `a homework list`, `my to do list`.
fn around_list(words: &[&str]) -> Option<String> {
    let at = words.iter().position(|word| matches!(*word, "list" | "lists" | "liste" | "listen"))?;
    // "learn to list prime numbers" is about something else.
    let is_verb = at > 0
        && words[at - 1] == "to"
        && !(at > 1 && words[at - 2] == "add")
        && words.get(at + 1).is_some_and(|word| *word != "of");
    if is_verb && !(at > 1 && words[at - 2] == "to") {
        return None;
    }
    if let Some(rest) = words
        .get(at + 1..)
        .filter(|rest| matches!(rest.first(), Some(&("of" | "von" | "der" | "mit" | "with" | "for" | "für"))))
    {
        let noun = noun(&rest[1..]);
        if noun.is_some() {
            return noun;
        }
    }
    if at > 1 && words[at - 2] == "to" && words[at - 1] == "do" {
        return Some("to-do".to_owned());
    }
    let before: Vec<&str> =
        words[..at].iter().rev().take_while(|word| !is_plain(word)).copied().take(2).collect();
    let before: Vec<&str> = before.into_iter().rev().collect();
    Some(if before.is_empty() { "list".to_owned() } else { before.join(" ") })
}

/// `eine Einkaufsliste führen`.
fn german_compound(words: &[&str]) -> Option<String> {
    let found =
        words.iter().find(|word| (word.ends_with("liste") || word.ends_with("listen")) && word.len() > 6)?;
    Some(found.strip_suffix('n').unwrap_or(found).to_owned())
}

/// `keep track of books`, `remember my homework`, `meine Hausaufgaben merken`.
fn after_keeping(words: &[&str]) -> Option<String> {
    if let Some(known) = words.iter().find(|word| KNOWN.contains(word)) {
        return Some((*known).to_owned());
    }
    let at = words.windows(2).position(|two| two == ["track", "of"])?;
    noun(&words[at + 2..])
}

/// Up to two words that name something, after articles and before what is said about it.
fn noun(words: &[&str]) -> Option<String> {
    let start = words.iter().position(|word| !is_common(word) && !is_plain(word))?;
    let named: Vec<&str> = words[start..]
        .iter()
        .take_while(|word| !is_common(word) && !is_plain(word))
        .take(2)
        .copied()
        .collect();
    (start <= 3).then(|| named.join(" "))
}

/// Words around a list's name that are not part of it.
fn is_plain(word: &str) -> bool {
    const PLAIN: &[&str] = &[
        "keep",
        "keeps",
        "keeping",
        "maintain",
        "manage",
        "manages",
        "managing",
        "remember",
        "track",
        "write",
        "down",
        "note",
        "save",
        "store",
        "record",
        "fuehre",
        "fuehren",
        "verwalte",
        "verwalten",
        "merke",
        "merken",
        "simple",
        "small",
        "long",
        "little",
        "personal",
        "persistent",
        "saw",
        "seen",
        "read",
        "bought",
        "add",
        "create",
        "show",
        "own",
        "shared",
        "einfache",
        "kleine",
        "speichern",
        "organize",
        "organise",
        "collect",
        "stores",
        "remembers",
        "maintains",
    ];
    is_common(word) || PLAIN.contains(&written_out(word).as_str())
}
