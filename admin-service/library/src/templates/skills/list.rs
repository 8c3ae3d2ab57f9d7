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
                    .phrase("en", "note|remember {@add.item} for|on my|the|our @listed [list]")
                    .phrase("de", "setze|setz|schreibe|schreib|packe|pack|notiere {@add.item} auf|in|für|zu meine|die|meiner|der|meinen|den|unsere @listed [liste]")
                    .phrase("de", "füge|füg {@add.item} zu|zur meiner|meinen|der|den|unserer @listed [liste] hinzu")
                    .phrase("de", "füge|füg {@add.item} zur @listed [liste] hinzu")
                    .example("@example"),
            )
            // @end
            // @if show
            .tool(
                Tool::new("@show", "Tells what is on the list")
                    .phrase("en", "what is|are|was|were [on|in] my|the|our @listed [list]")
                    .phrase("en", "what @listed do i have")
                    .phrase("en", "which @listed do i have")
                    .phrase("en", "do i have [any] @listed")
                    .phrase("en", "show|read|list|tell [me] my|the|our @listed [list]")
                    .phrase("de", "was steht|ist|sind [auf|in] meiner|meine|der|den|meinen|unserer @listed [liste]")
                    .phrase("de", "was habe ich an|auf [der|meiner] @listed [auf]")
                    .phrase("de", "welche @listed habe ich")
                    .phrase("de", "zeige|zeig|lies [mir] meine|die|unsere @listed [liste]"),
            )
            // @end
            // @if remove
            .tool(
                Tool::new("@remove", "Takes something off the list")
                    .param(Param::text("@remove.item", "what to take off the list, or its number"))
                    .phrase("en", "remove|delete|take|cross|strike|erase {@remove.item} from|off|of my|the|our @listed [list]")
                    .phrase("en", "[i] [am] done with {@remove.item} on|from my|the|our @listed [list]")
                    .phrase("de", "entferne|streiche|streich|lösche|lösch|nimm {@remove.item} von|aus|vom meiner|meinen|der|den|unserer @listed [liste]"),
            )
            // @end
            // @if clear
            .tool(
                Tool::new("@clear", "Empties the list")
                    .phrase("en", "clear|empty|erase my|the|our @listed [list]")
                    .phrase("en", "delete|remove everything from my|the|our @listed [list]")
                    .phrase("de", "leere|lösche|lösch meine|die|unsere @listed [liste]"),
            )
            // @end
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            // @if add
            "@add" => add(call.text("@add.item")?, german(call)),
            // @end
            // @if show
            "@show" => show(german(call)),
            // @end
            // @if remove
            "@remove" => remove(call.text("@remove.item")?, german(call)),
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

// @if add
fn add(item: &str, german: bool) -> Answer {
    let items = items()?;
    if item.chars().count() > 500 || items.len() >= 500 {
        return Err(Refusal::failed(if german { "Das ist zu lang für die Liste." } else { "That is too much for the list." }));
    }
    if items.iter().any(|record| lower(&record.text) == lower(item)) {
        return Ok(if german { format!("{} steht schon auf der Liste.", item) } else { format!("{} is already on the list.", item) });
    }
    let last = items.last().and_then(|record| record.key.strip_prefix("item:")).and_then(|digits| digits.parse().ok());
    let next: u64 = last.unwrap_or(0) + 1;
    memory::store(&format!("item:{:09}", next), item)?;
    Ok(match (items.len() + 1, german) {
        (1, false) => format!("I added {} to your {}.", item, name_of_list()),
        (count, false) => format!("I added {} to your {}; it has {} entries now.", item, name_of_list(), count),
        (1, true) => format!("{} steht jetzt auf der Liste ({}).", item, LIST),
        (count, true) => format!("{} steht jetzt auf der Liste ({}); sie hat {} Einträge.", item, LIST, count),
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
        ([only], true) => format!("Auf der Liste ({}) steht: {}.", LIST, only.text),
        (_, false) => format!("On your {}:\n{}", name_of_list(), lines.join("\n")),
        (_, true) => format!("Auf der Liste ({}) stehen:\n{}", LIST, lines.join("\n")),
    })
}

fn empty(german: bool) -> String {
    if german {
        format!("Die Liste ({}) ist leer.", LIST)
    } else {
        format!("Your {} is empty.", name_of_list())
    }
}
// @end

// @if remove
fn remove(item: &str, german: bool) -> Answer {
    let items = items()?;
    let wanted = lower(item);
    let number = wanted.trim_start_matches("number ").trim_start_matches("nummer ").parse::<usize>().ok();
    let same = items.iter().find(|record| lower(&record.text) == wanted);
    let by_number = number.and_then(|number| items.get(number.checked_sub(1)?));
    let alike: Vec<&memory::Record> = items.iter().filter(|record| lower(&record.text).contains(&wanted)).collect();
    let found = match (same.or(by_number), alike.as_slice()) {
        (Some(record), _) => record,
        (None, [only]) => *only,
        (None, []) => {
            return Ok(if german { format!("{} steht nicht auf der Liste.", item) } else { format!("{} is not on the list.", item) })
        }
        (None, many) => {
            let names: Vec<&str> = many.iter().map(|record| record.text.as_str()).collect();
            let names = names.join(", ");
            return Err(Refusal::failed(if german { format!("Meinst du eines von diesen: {}?", names) } else { format!("Which one do you mean: {}?", names) }));
        }
    };
    memory::remove(&found.key)?;
    Ok(if german { format!("{} steht nicht mehr auf der Liste.", found.text) } else { format!("I took {} off your {}.", found.text, name_of_list()) })
}
// @end

// @if clear
fn clear(german: bool) -> Answer {
    let items = items()?;
    for record in &items {
        memory::remove(&record.key)?;
    }
    Ok(if german { format!("Die Liste ({}) ist jetzt leer.", LIST) } else { format!("Your {} is empty now.", name_of_list()) })
}
// @end

/// The list's name in a sentence.
fn name_of_list() -> String {
    if LIST.ends_with("list") {
        LIST.to_string()
    } else {
        format!("{} list", LIST)
    }
}

// @include german

const GERMAN: &[&str] = &[
    "meine", "meiner", "meinen", "unsere", "unserer", "setze", "setz", "schreibe", "schreib", "packe",
    "notiere", "füge", "füg", "hinzu", "steht", "ist", "sind", "habe", "welche", "zeige", "zeig",
    "lies", "entferne", "streiche", "streich", "lösche", "lösch", "nimm", "leere",
];
