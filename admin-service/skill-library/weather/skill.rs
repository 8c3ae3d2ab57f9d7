//! Repeats what a weather service says of a place.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The service; no other host may be asked.
const HOST: &str = "@host";

/// Its address before and behind the place.
const BEFORE: &str = "@before";
const BEHIND: &str = "@behind";

/// The place where a line names none; empty where the wish named none.
const USUAL: &str = "@place";

/// The longest name of a place, in characters.
const LONGEST: usize = 60;

/// The most lines of an answer that are repeated, and the most characters of each.
const MOST: usize = 4;
const WIDEST: usize = 160;

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT).tool(
            Tool::new("@weather", "Asks the weather service how the weather of a place is now")
                .param(Param::text("@weather.place", "a town, such as Oslo").optional())
                .phrase("en", "[what] [is] [the] weather [like] [today|now|outside] in|at|for {@weather.place}")
                .phrase("en", "how is the weather [today|now] in|at {@weather.place}")
                .phrase("en", "tell|show|give [me|us] the weather [in|for|at] {@weather.place}")
                .phrase("en", "how warm|cold|hot is it [now|outside] in|at {@weather.place}")
                .phrase("en", "is it raining|snowing|sunny|cloudy|windy|cold|warm|hot [now|outside] in|at {@weather.place}")
                .phrase("en", "what is the temperature [outside|now] in|at {@weather.place}")
                .phrase("en", "[what] [is] [the] weather [like] [today|now|outside]")
                .phrase("en", "how is the weather [like] [today|now|outside]")
                .phrase("en", "tell|show|give [me|us] the weather")
                .phrase("en", "how warm|cold|hot is it [today|now|outside]")
                .phrase("en", "is it raining|snowing|sunny|cloudy|windy [today|now|outside]")
                .phrase("en", "what is|will the weather [be] [like] {@weather.place}")
                .phrase("en", "will it rain|snow [{@weather.place}]")
                .phrase("en", "do|should i need|take an|my umbrella [{@weather.place}]")
                .phrase("de", "wie ist [heute|jetzt|gerade] das wetter [heute|jetzt|gerade] in {@weather.place}")
                .phrase("de", "[das] wetter [heute|jetzt] in|für {@weather.place}")
                .phrase("de", "wie warm|kalt|heiß ist es [heute|jetzt|gerade|draußen] in {@weather.place}")
                .phrase("de", "regnet|schneit es [heute|jetzt|gerade] in {@weather.place}")
                .phrase("de", "[sag|zeig|nenn] [mir|uns] [bitte] [das] wetter in|für|von {@weather.place}")
                .phrase("de", "wie ist [heute|jetzt|gerade] das wetter [heute|jetzt|gerade|draußen]")
                .phrase("de", "wie warm|kalt|heiß ist es [heute|jetzt|gerade|draußen]")
                .phrase("de", "regnet|schneit es [heute|jetzt|gerade|draußen]")
                .phrase("de", "wie wird das wetter [{@weather.place}]")
                .phrase("de", "regnet|schneit es {@weather.place}")
                .phrase("de", "wird es {@weather.place} regnen|schneien")
                .phrase("de", "brauche|brauch ich {@weather.place} einen regenschirm|schirm")
                .phrase("de", "brauche|brauch ich einen regenschirm|schirm [{@weather.place}]")
                .example("what is the weather in Oslo?")
                .example("wie ist das Wetter in Oslo?"),
        )
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            "@weather" => weather(call.opt_text("@weather.place")?.unwrap_or(USUAL), german(call)),
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

fn weather(asked: &str, german: bool) -> Answer {
    let failed = |english: String, own: String| Err(Refusal::failed(if german { own } else { english }));
    let place = place(asked);
    if place.is_empty() {
        return failed(
            "Name a place, as in: what is the weather in Oslo?".to_string(),
            "Nenne einen Ort, etwa so: Wie ist das Wetter in Oslo?".to_string(),
        );
    }
    if LATER.iter().any(|word| lower(place).split(' ').any(|other| other == *word)) {
        return failed(
            format!("I ask {} how the weather is now; I can't ask it about another day.", HOST),
            format!("Ich frage {}, wie das Wetter jetzt ist; nach einem anderen Tag kann ich nicht fragen.", HOST),
        );
    }
    let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '.' | ',' | '\'' | '’');
    if place.chars().count() > LONGEST || !place.chars().all(is_name) {
        return failed(
            "That is not the name of a place: it may have up to 60 letters, digits, blanks and . , - '.".to_string(),
            "Das ist kein Name eines Ortes: bis zu 60 Buchstaben, Ziffern, Leerzeichen und . , - ' sind möglich.".to_string(),
        );
    }
    let address = format!("{}{}{}", BEFORE, http::encode(place), BEHIND);
    let answer = http::get(&address, &[("accept", "text/plain")]).and_then(|response| response.ok());
    let text = match answer {
        Ok(text) => text,
        Err(error) => {
            return failed(
                format!("I can't get the weather in {} from {}: {}.", place, HOST, error),
                format!("Ich bekomme das Wetter in {} nicht von {}: {}.", place, HOST, error),
            )
        }
    };
    // A page or data of a program is nothing to read out.
    let lines: Vec<String> = text.lines().map(plain).filter(|line| !line.is_empty()).take(MOST).collect();
    match lines.first() {
        Some(first) if !first.starts_with(['<', '{', '[']) => Ok(match german {
            false => format!("{} says: {}", HOST, lines.join("\n")),
            true => format!("{} sagt: {}", HOST, lines.join("\n")),
        }),
        _ => failed(
            format!("What {} answers is not a line of text.", HOST),
            format!("Was {} antwortet, ist keine Zeile Text.", HOST),
        ),
    }
}

/// The place of a line, without the words of now that stand around it.
fn place(asked: &str) -> &str {
    let mut place = asked;
    loop {
        let (first, rest) = place.trim().split_once(' ').unwrap_or(("", ""));
        if NOW.iter().chain(&["in", "at"]).any(|word| first.eq_ignore_ascii_case(word)) {
            place = rest;
            continue;
        }
        let trimmed = place.trim_matches(|c: char| c.is_whitespace() || matches!(c, '?' | '!' | ',' | '.'));
        let ended = NOW.iter().find_map(|word| {
            let start = trimmed.len().checked_sub(word.len())?;
            let (before, end) = (trimmed.get(..start)?, trimmed.get(start..)?);
            (end.eq_ignore_ascii_case(word) && (before.is_empty() || before.ends_with(' '))).then_some(before)
        });
        match ended {
            Some(before) => place = before,
            None => return trimmed,
        }
    }
}

const NOW: &[&str] = &["today", "now", "right", "outside", "like", "please", "heute", "jetzt", "gerade", "bitte", "draußen"];

/// Words of another day, which the service is not asked about.
const LATER: &[&str] = &[
    "tomorrow", "tonight", "weekend", "week", "next", "yesterday", "monday", "tuesday", "wednesday", "thursday", "friday",
    "saturday", "sunday", "morgen", "übermorgen", "gestern", "wochenende", "woche", "montag", "dienstag", "mittwoch",
    "donnerstag", "freitag", "samstag", "sonntag",
];

/// A line of the service without control characters and those that turn the direction of writing, of at most 160 characters.
fn plain(line: &str) -> String {
    let seen: String = line.chars().map(|letter| if is_hidden(letter) { ' ' } else { letter }).collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(WIDEST).collect()
}

// @include hidden

// @include german

const GERMAN: &[&str] = &["wie", "wetter", "ist", "heute", "jetzt", "gerade", "regnet", "schneit", "regnen", "schneien", "schirm", "regenschirm", "warm", "kalt", "draußen"];
