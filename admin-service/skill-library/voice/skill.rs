//! Listens and speaks, in a conversation by voice.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// For how long it listens, in seconds.
const SECONDS: i64 = 10;

/// The longest text that is said aloud, in characters.
const LONGEST: usize = 200;

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT)
            // @if hear
            .tool(
                Tool::new("@hear", "Listens for a sentence and says what it heard")
                    .phrase("en", "listen to me [please]")
                    .phrase("en", "can you hear me [now|please]")
                    .phrase("en", "do you hear me [now]")
                    .phrase("en", "repeat after me")
                    .phrase("en", "can you talk|speak [to|with] [me]")
                    .phrase("en", "do you have a|any voice|microphone|speaker|ears")
                    .phrase("en", "talk|speak to|with me [aloud] [please]")
                    .phrase("en", "talk|speak to|with me by voice [please]")
                    .phrase("de", "hör|höre mir [mal|bitte] zu")
                    .phrase("de", "kannst du mich [jetzt] hören")
                    .phrase("de", "hörst du mich [jetzt]")
                    .phrase("de", "kannst du [mit] [mir] sprechen|reden")
                    .phrase("de", "hast du [eine|ein] stimme|mikrofon|ohren")
                    .phrase("de", "sprich|sprech mir [mal|bitte] nach")
                    .phrase("de", "sprich|rede [mal|bitte] mit mir")
                    .example("can you hear me?")
                    .example("kannst du mich hören?"),
            )
            // @end
            // @if aloud
            .tool(
                Tool::new("@aloud", "Says a text aloud")
                    .param(Param::text("@aloud.text", "what to say, such as dinner is ready"))
                    .phrase("en", "say aloud {@aloud.text}")
                    .phrase("en", "say|read {@aloud.text} aloud")
                    .phrase("en", "say|read {@aloud.text} out loud")
                    .phrase("de", "sag|sage|sprich laut {@aloud.text}")
                    .phrase("de", "sag|sage|sprich [mal|bitte] {@aloud.text} laut")
                    .example("say dinner is ready aloud")
                    .example("sag laut das Essen ist fertig"),
            )
            // @end
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            // @if hear
            "@hear" => hear(german(call)),
            // @end
            // @if aloud
            "@aloud" => aloud(call.text("@aloud.text")?.trim(), german(call)),
            // @end
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

// @if hear
fn hear(german: bool) -> Answer {
    audio::say(if german { "Ich höre." } else { "I am listening." })?;
    Ok(match (audio::listen(SECONDS)?, german) {
        (Some(words), false) => format!("I heard: {words}"),
        (Some(words), true) => format!("Ich habe gehört: {words}"),
        (None, false) => "I heard nothing that I understand.".to_string(),
        (None, true) => "Ich habe nichts gehört, was ich verstehe.".to_string(),
    })
}
// @end

// @if aloud
fn aloud(text: &str, german: bool) -> Answer {
    if text.is_empty() || text.chars().count() > LONGEST {
        return Err(Refusal::failed(if german {
            format!("Ich sage 1 bis {LONGEST} Zeichen laut.")
        } else {
            format!("I say 1 to {LONGEST} characters aloud.")
        }));
    }
    audio::say(text)?;
    Ok(if german { "Das habe ich laut gesagt." } else { "I said it aloud." }.to_string())
}
// @end

// @include german

const GERMAN: &[&str] = &["hör", "höre", "hörst", "kannst", "mich", "mir", "sprich", "sprech", "sag", "sage", "laut", "rede", "hören"];
