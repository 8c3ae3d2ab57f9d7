//! Keeps a list between conversations.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT)
            // @if add
            .tool(
                Tool::new("@add", "Puts something on the list")
                    .param(Param::text("@add.item", "what to put on the list"))
                    .phrase("en", "add|put|write {@add.item} to|on|onto|in|into my|the|our @listed [list]")
                    .phrase("en", "add|put|write {@add.item} to|on|onto|in|into my|the|our list")
                    .phrase("en", "note|remember {@add.item} for|on my|the|our @listed [list]")
                    .phrase("de", "setze|setz|schreibe|schreib|packe|pack|notiere [mal|bitte|doch] {@add.item} auf|in|für|zu meine|die|meiner|der|meinen|den|unsere @listed [liste]")
                    .phrase("de", "setze|setz|schreibe|schreib|packe|pack|notiere|tu|tue [mal|bitte|doch] {@add.item} [mit|noch] auf meine|die|unsere liste|@listed [liste]")
                    .phrase("de", "füge|füg {@add.item} zur|der liste hinzu")
                    .phrase("de", "füge|füg {@add.item} zu|zur meiner|meinen|der|den|unserer @listed [liste] hinzu")
                    .phrase("de", "füge|füg {@add.item} zur @listed [liste] hinzu")
                    .phrase("de", "{@add.item} [mit|noch] auf|in|zu die|meine|unsere|den|der @listed|liste [liste] [setzen|schreiben|packen|tun|hinzufügen|notieren]")
                    .phrase("de", "{@add.item} zur @listed|liste [liste] [hinzufügen|dazu|tun]")
                    .phrase("de", "auf die|meine|unsere @listed|liste [liste] muss|müssen|kommt|kommen|soll|sollen|gehört|gehören [noch] {@add.item}")
                    .phrase("de", "{@add.item} muss|müssen|soll|sollen|kommt|kommen [noch] auf die|meine|unsere @listed|liste [liste]")
                    .example("@example")
                    .example("@german_example"),
            )
            // @end
            // @if show
            .tool(
                Tool::new("@show", "Tells what is on the list")
                    .phrase("en", "what is|are|was|were [on|in] my|the|our @listed [list]")
                    .phrase("en", "what is|are [still] on my|the|our list")
                    .phrase("en", "show|read|tell [me] my|the|our list")
                    .phrase("en", "what @listed do i have")
                    .phrase("en", "which @listed do i have")
                    .phrase("en", "do i have [any] @listed")
                    .phrase("en", "what do i|we [still] have|need to buy|get|do|pack")
                    .phrase("en", "show|read|list|tell [me] my|the|our @listed [list]")
                    .phrase("en", "[my|the|our] @listed list")
                    .phrase("en", "[is] [there] anything|something [still] on my|the|our @listed [list]")
                    .phrase("de", "was steht|ist|sind [auf|in] meiner|meine|der|den|meinen|unserer @listed [liste]")
                    .phrase("de", "was steht|ist|sind|haben [wir] [noch|alles|schon] auf der|meiner|unserer liste|@listed [liste]")
                    .phrase("de", "zeige|zeig|lies [mir] meine|die|unsere liste [vor]")
                    .phrase("de", "was habe ich an|auf [der|meiner] @listed [auf]")
                    .phrase("de", "was habe|hab ich [noch|heute] [als] @listed [auf]")
                    .phrase("de", "was habe|hab ich [noch|heute] auf")
                    .phrase("de", "was muss|soll|müssen|sollen [ich|wir] [also|denn|alles] [noch] besorgen|kaufen|einkaufen|holen|erledigen|einpacken")
                    .phrase("de", "welche @listed habe ich")
                    .phrase("de", "zeige|zeig|lies|sag [mir|uns] [mal|bitte] meine|die|unsere|den|meinen|unseren @listed [liste] [vor|an]")
                    .phrase("de", "was steht|ist|haben [wir] [denn|jetzt|alles|noch|schon] [alles] auf dem|der|meinem|meiner|unserem|unserer @listed|liste [liste]")
                    .phrase("de", "steht|ist [noch|schon|da] etwas|was auf der|meiner|unserer|dem @listed|liste [liste]")
                    .phrase("de", "[die|meine|unsere] @listed [liste] [zeigen|anzeigen|vorlesen]")
                    .example("@show_example")
                    .example("@german_show_example"),
            )
            // @end
            // @if remove
            .tool(
                Tool::new("@remove", "Takes something off the list")
                    .param(Param::text("@remove.item", "what to take off the list, or its number"))
                    .phrase("en", "remove|delete|take|cross|strike|erase {@remove.item} from|off|of my|the|our @listed [list]")
                    .phrase("en", "remove|delete|take|cross|strike|erase|scratch {@remove.item} from|off|of my|the|our list")
                    .phrase("en", "remove|strike|cross|scratch {@remove.item}")
                    .phrase("en", "cross|strike|take off|out {@remove.item}")
                    .phrase("en", "cross|strike|take {@remove.item} off|out")
                    .phrase("en", "[i] [am] done with {@remove.item} on|from my|the|our @listed [list]")
                    .phrase("de", "entferne|streiche|streich|lösche|lösch|nimm [mal|bitte|doch] {@remove.item} von|aus|vom meiner|meinen|der|den|unserer @listed [liste]")
                    .phrase("de", "entferne|streiche|streich|lösche|lösch|nimm [mal|bitte|doch] {@remove.item} von|aus|vom meiner|der|unserer liste|@listed [liste] [weg|runter|herunter]")
                    .phrase("de", "{@remove.item} von|aus|vom der|meiner|unserer|dem|meinem @listed|liste [liste] streichen|nehmen|löschen|entfernen|runternehmen")
                    .phrase("de", "{@remove.item} [wieder] von|vom der|meiner|unserer|dem @listed|liste [liste] [runter|weg]")
                    .phrase("de", "hake|hak {@remove.item} [auf|von] [der] [@listed|liste] ab")
                    .phrase("de", "{@remove.item} ist|sind|habe|hab [ich] [schon|jetzt] erledigt|fertig|gekauft|gemacht|besorgt")
                    .phrase("en", "{@remove.item} is|are [already|now] done|finished|bought")
                    .phrase("en", "i [have|already] bought|did|finished {@remove.item}")
                    .phrase("en", "check|tick {@remove.item} off [my|the|our] [@listed] [list]")
                    .phrase("en", "check|tick off {@remove.item}")
                    .phrase("en", "[i|we] [have] got {@remove.item} already|now")
                    .phrase("en", "[i|we] do not need {@remove.item} [now]")
                    .phrase("de", "{@remove.item} kannst|kann|können|könnt|könntest [du|man|wir] [wieder|jetzt] streichen|löschen|rausnehmen|weglassen")
                    .phrase("de", "{@remove.item} brauchen|brauche|brauch [wir|ich] nicht|nimmer [mehr]")
                    .phrase("de", "streiche|streich|entferne [mal|bitte|doch] {@remove.item}"),
            )
            // @end
            // @if clear
            .tool(
                Tool::new("@clear", "Empties the list")
                    .phrase("en", "clear|empty|erase my|the|our @listed [list]")
                    .phrase("en", "delete|remove everything from my|the|our @listed [list]")
                    .phrase("en", "clear|empty|erase my|the|our [whole] list")
                    .phrase("en", "delete|remove|take everything from|off my|the|our list")
                    .phrase("de", "leere|lösche|lösch [bitte] meine|die|unsere [ganze] liste|@listed [liste]")
                    .phrase("de", "streiche|streich|lösche|lösch alles von|auf der|meiner|unserer liste|@listed [liste]")
                    .phrase("de", "[die|meine|unsere] liste|@listed [liste] leeren|löschen|leermachen")
                    .example("@clear_example")
                    .example("@german_clear_example"),
            )
            // @end
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            // @if add
            "@add" => add(call.opt_text("@add.item")?.unwrap_or(""), german(call)),
            // @end
            // @if show
            "@show" => show(german(call)),
            // @end
            // @if remove
            "@remove" => remove(call.text("@remove.item")?, names_the_list(call), german(call)),
            // @end
            // @if clear
            "@clear" => clear(german(call)),
            // @end
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

const LIST: &str = "@list";

fn items() -> Result<Vec<memory::Record>, HostError> {
    memory::query("item:")
}

/// What a line names, each for itself: `milk, eggs and 1,5 kg flour`.
fn named(items: &str) -> Vec<&str> {
    let parts = divided(items).into_iter().flat_map(|part| part.split(" and ")).flat_map(|part| part.split(" und ")).flat_map(|part| part.split(" n "));
    let parts = parts.map(str::trim).map(|part| part.strip_prefix("and ").or(part.strip_prefix("und ")).unwrap_or(part));
    parts.filter(|part| !part.is_empty()).collect()
}

/// A text divided at its commas; the one within a number divides nothing.
fn divided(text: &str) -> Vec<&str> {
    let is_digit = |text: Option<&str>, at_end: bool| {
        let bytes = text.unwrap_or("").as_bytes();
        if at_end { bytes.last() } else { bytes.first() }.map_or(false, u8::is_ascii_digit)
    };
    let (mut parts, mut from) = (Vec::new(), 0);
    for (at, mark) in text.char_indices().filter(|(_, c)| matches!(c, ',' | ';')) {
        let in_number = mark == ',' && is_digit(text.get(..at), true) && is_digit(text.get(at + 1..), false);
        if !in_number {
            parts.extend(text.get(from..at));
            from = at + 1;
        }
    }
    parts.extend(text.get(from..));
    parts
}

/// Several as one part of a sentence.
fn joined(items: &[&str], german: bool) -> String {
    match items {
        [] => String::new(),
        [one] => one.to_string(),
        [most @ .., last] => format!("{} {} {}", most.join(", "), if german { "und" } else { "and" }, last),
    }
}

// @if add
/// Whether a part of a line is more than marks and the words around an entry.
fn is_entry(part: &str) -> bool {
    let word = lower(part.trim_matches(|c: char| !c.is_alphanumeric()));
    !word.is_empty() && !AROUND.contains(&word.as_str())
}

const AROUND: &[&str] = &[
    "and", "add", "put", "write", "und", "setz", "setze", "schreib", "schreibe", "pack", "packe", "notiere", "tu", "tue", "mal",
];

fn add(item: &str, german: bool) -> Answer {
    // What `it` stands for is known to the person alone.
    if ["it", "that", "this", "them", "das", "es", "dies", "sie", "ihn"].contains(&lower(item.trim()).as_str()) {
        return Err(Refusal::failed(if german { "Was denn? Bitte nenn es beim Namen." } else { "What is it? Please call it by its name." }));
    }
    let items = items()?;
    let wanted: Vec<&str> = named(item).into_iter().filter(|part| is_entry(part)).collect();
    if wanted.is_empty() {
        return Err(Refusal::failed(if german { "Was soll auf die Liste?" } else { "What shall I put on the list?" }));
    }
    if item.chars().count() > 500 || items.len() + wanted.len() > 500 {
        return Err(Refusal::failed(if german { "Das ist zu lang für die Liste." } else { "That is too much for the list." }));
    }
    let last = items.last().and_then(|record| record.key.strip_prefix("item:")).and_then(|digits| digits.parse().ok());
    let mut next: u64 = last.unwrap_or(0);
    let mut added: Vec<&str> = Vec::new();
    for item in wanted {
        let is_same = |other: &str| lower(other) == lower(item);
        if items.iter().any(|record| is_same(&record.text)) || added.iter().any(|other| is_same(other)) {
            continue;
        }
        next += 1;
        memory::store(&format!("item:{:09}", next), item)?;
        added.push(item);
    }
    let names = joined(&added, german);
    Ok(match (items.len() + added.len(), german) {
        (_, false) if added.is_empty() => format!("{} is already on the list.", item),
        (_, true) if added.is_empty() => format!("Das steht schon auf deiner {}: {}.", german_name(), item),
        (1, false) => format!("I added {} to your {}.", names, name_of_list()),
        (count, false) => format!("I added {} to your {}; it has {} entries now.", names, name_of_list(), count),
        (1, true) => format!("Ich habe {} auf deine {} gesetzt.", names, german_name()),
        (count, true) => format!("Ich habe {} auf deine {} gesetzt; sie hat jetzt {} Einträge.", names, german_name(), count),
    })
}
// @end

// @if show
fn show(german: bool) -> Answer {
    let items = items()?;
    if items.is_empty() {
        return Ok(empty(german));
    }
    let lines: Vec<String> = items.iter().enumerate().map(|(at, record)| format!("{}. {}", at + 1, record.text)).collect();
    Ok(match (items.as_slice(), german) {
        ([only], false) => format!("On your {}: {}.", name_of_list(), only.text),
        ([only], true) => format!("Auf deiner {}: {}.", german_name(), only.text),
        (_, false) => format!("On your {}:\n{}", name_of_list(), lines.join("\n")),
        (_, true) => format!("Auf deiner {}:\n{}", german_name(), lines.join("\n")),
    })
}

fn empty(german: bool) -> String {
    if german {
        format!("Deine {} ist leer.", german_name())
    } else {
        format!("Your {} is empty.", name_of_list())
    }
}
// @end

// @if remove
/// Takes off what was named, and asks where an entry is only alike.
fn remove(item: &str, is_named: bool, german: bool) -> Answer {
    let items = items()?;
    let whole = |wanted: &str| items.iter().position(|record| plain(&record.text) == plain(wanted));
    let wanted = if whole(item).is_some() { vec![item] } else { named(item) };
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for wanted in wanted {
        let number = plain(wanted).trim_start_matches("number ").trim_start_matches("nummer ").parse::<usize>().ok();
        let at = whole(wanted).or(number.and_then(|number| number.checked_sub(1)).filter(|at| *at < items.len()));
        match at {
            Some(at) if !found.contains(&at) => found.push(at),
            Some(_) => {}
            None => missing.push(wanted),
        }
    }
    if !missing.is_empty() {
        let is_alike = |record: &&memory::Record| missing.iter().any(|wanted| is_part(&plain(wanted), &plain(&record.text)));
        let alike: Vec<&str> = items.iter().filter(is_alike).map(|record| record.text.as_str()).collect();
        return match (alike.is_empty(), is_named, german) {
            // "remove notes.txt" is for somebody else.
            (true, false, _) => Err(Refusal::not_mine()),
            (true, _, false) => Ok(format!("{} is not on your {}.", joined(&missing, german), name_of_list())),
            (true, _, true) => Ok(format!("Das steht nicht auf deiner {}: {}.", german_name(), joined(&missing, german))),
            (false, _, false) => Ok(format!("Which one do you mean: {}?", alike.join(", "))),
            (false, _, true) => Ok(format!("Was davon meinst du: {}?", alike.join(", "))),
        };
    }
    for at in &found {
        memory::remove(&items[*at].key)?;
    }
    let names: Vec<&str> = found.iter().map(|at| items[*at].text.as_str()).collect();
    let names = joined(&names, german);
    Ok(if german { format!("Ich habe {} von deiner {} gestrichen.", names, german_name()) } else { format!("I took {} off your {}.", names, name_of_list()) })
}

/// An entry without its article, in lower case.
fn plain(item: &str) -> String {
    let item = lower(item);
    let item = item.trim();
    let article = ARTICLES.iter().find_map(|article| item.strip_prefix(article));
    article.unwrap_or(item).trim().to_string()
}

const ARTICLES: &[&str] = &[
    "the ", "a ", "an ", "some ", "my ", "our ", "die ", "der ", "das ", "den ", "ein ", "eine ", "einen ", "etwas ", "meine ",
];

/// Whether the entry holds each wanted word, whole or with at most two letters more.
fn is_part(wanted: &str, entry: &str) -> bool {
    let has = |word: &str| entry.split_whitespace().any(|other| other.starts_with(word) && other.len() <= word.len() + 2);
    wanted.split_whitespace().all(has)
}

/// Whether the person named a list.
fn names_the_list(call: &Call) -> bool {
    let line = lower(call.line());
    line.contains("list") || "@listed".split('|').any(|name| line.contains(&lower(name)))
}
// @end

// @if clear
fn clear(german: bool) -> Answer {
    let items = items()?;
    for record in &items {
        memory::remove(&record.key)?;
    }
    Ok(if german { format!("Deine {} ist jetzt leer.", german_name()) } else { format!("Your {} is empty now.", name_of_list()) })
}
// @end

/// The list's name in a sentence.
fn name_of_list() -> String {
    if LIST.ends_with("list") || LIST.ends_with("liste") {
        LIST.to_string()
    } else {
        format!("{} list", LIST)
    }
}

/// The same in German, where a noun begins with a capital letter.
fn german_name() -> String {
    let name: String = LIST.chars().take(1).flat_map(char::to_uppercase).chain(LIST.chars().skip(1)).collect();
    if LIST.ends_with("liste") {
        name
    } else {
        format!("Liste „{}“", name)
    }
}

// @include german

const GERMAN: &[&str] = &[
    "meine", "meiner", "meinen", "unsere", "unserer", "setze", "setz", "schreibe", "schreib", "packe",
    "notiere", "füge", "füg", "hinzu", "steht", "ist", "sind", "habe", "welche", "zeige", "zeig",
    "lies", "hak", "hake", "setzen", "schreiben", "streichen", "nehmen", "entfernen", "entferne", "streiche", "streich", "lösche", "lösch", "nimm", "leere", "tu", "tue", "liste",
];
