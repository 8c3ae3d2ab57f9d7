//! Makes passwords by chance.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT)
            // @if password
            .tool(
                Tool::new("@password", "Makes a random password")
                    .param(Param::int("@password.length", "how many characters, 16 if not said").min(8).max(64).optional())
                    .phrase("en", "make|create|generate|invent|suggest|give [me] [a] [new] [random|strong|secure|good] password")
                    .phrase("en", "make|create|generate|invent|suggest|give [me] [a] [new] [random|strong|secure] password with|of {@password.length} [characters|letters|signs]")
                    .phrase("en", "[a] [new|random] password [please]")
                    .phrase("en", "i want|need a|another [new|random|strong|secure|good] password")
                    .phrase("en", "i want|need a|another [new|random|strong|secure|good] password with|of {@password.length} [characters|letters|signs]")
                    .phrase("en", "think of a [new|random|strong|secure|good] password [for] [me|us]")
                    .phrase("en", "come up with a [new|random|strong|secure|good] password [for] [me|us]")
                    .phrase("de", "erzeuge|erfinde|mach|mache|generiere|gib [mir] [ein] [neues|sicheres|zufälliges] passwort")
                    .phrase("de", "erzeuge|erfinde|mach|mache|generiere|gib [mir] [ein] [neues|sicheres|zufälliges] passwort mit|aus {@password.length} zeichen|buchstaben")
                    .phrase("de", "neues passwort [bitte]")
                    .phrase("de", "erzeuge|erzeug|erfinde|erstelle|erstell|mach|mache|generiere|gib|nenn [mir|uns] [mal|bitte] [ein] [neues|sicheres|starkes|gutes|zufälliges] passwort")
                    .phrase("de", "erzeuge|erzeug|erfinde|erstelle|erstell|mach|mache|generiere|gib|nenn [mir|uns] [mal|bitte] [ein] [neues|sicheres|starkes|gutes|zufälliges] passwort mit|aus {@password.length} zeichen|buchstaben|stellen")
                    .phrase("de", "ich brauche|brauch|will|möchte [gern|gerne|mal] [ein|noch] [neues|sicheres|starkes|gutes|zufälliges] passwort")
                    .phrase("de", "ich brauche|brauch|will|möchte [gern|gerne|mal] [ein|noch] [neues|sicheres|starkes|gutes|zufälliges] passwort mit|aus {@password.length} zeichen|buchstaben|stellen")
                    .phrase("de", "denk|denke|überleg|überlege dir [mal|bitte] [ein] [neues|sicheres|starkes|gutes|zufälliges] [neues|sicheres] passwort [für] [mich|uns] [aus]")
                    .phrase("de", "[mir|uns] [ein|noch] [neues|sicheres|starkes|gutes|zufälliges] [neues|sicheres] passwort erzeugen|erstellen|machen|generieren|ausdenken|geben")
                    .example("make a password with 20 characters")
                    .example("mach mir ein Passwort mit 20 Zeichen"),
            )
            // @end
            // @if passphrase
            .tool(
                Tool::new("@passphrase", "Makes a random passphrase of words that can be pronounced")
                    .param(Param::int("@passphrase.words", "how many words, 5 if not said").min(3).max(10).optional())
                    .phrase("en", "make|create|generate|invent|suggest|give [me] [a] [new] [random|strong|secure] passphrase")
                    .phrase("en", "make|create|generate|invent|suggest|give [me] [a] [new] [random|strong|secure] passphrase with|of {@passphrase.words} words")
                    .phrase("de", "erzeuge|erfinde|mach|mache|generiere|gib [mir] [eine] [neue|sichere] passphrase")
                    .phrase("de", "ich brauche|will|möchte [eine] [neue|sichere] passphrase")
                    .phrase("de", "denk|denke dir [eine] [neue|sichere] passphrase [aus]")
                    .phrase("de", "erzeuge|erfinde|mach|mache|generiere|gib [mir] [eine] [neue|sichere] passphrase mit|aus {@passphrase.words} wörtern")
                    .example("make a passphrase")
                    .example("mach mir eine Passphrase"),
            )
            // @end
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            // @if password
            "@password" => {
                // @if password.length
                let length = call.opt_int("@password.length")?.unwrap_or(16);
                // @end
                // @if !password.length
                let length = 16;
                // @end
                password(length, german(call))
            }
            // @end
            // @if passphrase
            "@passphrase" => {
                // @if passphrase.words
                let words = call.opt_int("@passphrase.words")?.unwrap_or(5);
                // @end
                // @if !passphrase.words
                let words = 5;
                // @end
                passphrase(words, german(call))
            }
            // @end
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

// @if password
/// Without those that look alike, such as l and 1.
const KINDS: [&str; 3] = ["abcdefghijkmnpqrstuvwxyz", "ABCDEFGHJKLMNPQRSTUVWXYZ", "23456789"];

fn password(length: i64, german: bool) -> Answer {
    if !(8..=64).contains(&length) {
        return Err(Refusal::failed(if german {
            "Ein Passwort hat bei mir 8 bis 64 Zeichen."
        } else {
            "I make passwords of 8 to 64 characters."
        }));
    }
    let all: Vec<char> = KINDS.iter().flat_map(|kind| kind.chars()).collect();
    let mut text = String::new();
    // One that lacks a kind is thrown away, so that no place of any kind can be guessed.
    for _ in 0..100 {
        text.clear();
        for _ in 0..length {
            text.push(*host::pick(&all)?);
        }
        if KINDS.iter().all(|kind| kind.chars().any(|c| text.contains(c))) {
            break;
        }
    }
    Ok(if german {
        format!("Hier ist ein Passwort, {} Zeichen: {}", length, text)
    } else {
        format!("Here is a password, {} characters: {}", length, text)
    })
}
// @end

// @if passphrase
fn passphrase(words: i64, german: bool) -> Answer {
    if !(3..=10).contains(&words) {
        return Err(Refusal::failed(if german {
            "Eine Passphrase hat bei mir 3 bis 10 Wörter."
        } else {
            "I make passphrases of 3 to 10 words."
        }));
    }
    let consonants: Vec<char> = "bdfghjklmnprstvwz".chars().collect();
    let vowels: Vec<char> = "aeiou".chars().collect();
    let mut made = Vec::new();
    for _ in 0..words {
        let mut word = String::new();
        for _ in 0..3 {
            word.push(*host::pick(&consonants)?);
            word.push(*host::pick(&vowels)?);
        }
        made.push(word);
    }
    let text = made.join("-");
    Ok(if german {
        format!("Hier ist eine Passphrase, {} Wörter: {}", words, text)
    } else {
        format!("Here is a passphrase, {} words: {}", words, text)
    })
}
// @end

// @include german

const GERMAN: &[&str] = &[
    "erzeuge", "erzeug", "erstelle", "erstell", "brauche", "denk", "erfinde", "mach", "mache", "generiere", "gib", "passwort", "zeichen", "wörtern", "bitte", "neues",
];
