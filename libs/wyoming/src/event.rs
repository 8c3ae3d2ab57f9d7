//! What is said: the types of events that TameClaw's parts say or understand, as version 1.10 of the protocol lists them, and one of its
//! own, [`Event::Phrases`], which other services skip.

use serde_json::{Map, Value, json};

use crate::fault::Fault;

/// How sound is written: whole samples of all channels, least significant byte first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// Samples a second.
    pub rate: u32,
    /// Bytes a sample, from 1 to 4.
    pub width: u8,
    /// Channels, 1 or more.
    pub channels: u8,
}

/// A voice of a [`Program`], and the language that it speaks, as in `en-GB`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Voice {
    pub name: String,
    /// What it speaks.
    pub language: String,
}

/// What a service offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Its name, as in `pico`.
    pub name: String,
    /// What it is, in a few words.
    pub description: String,
    /// The project whose program this is, and its address.
    pub made_by: (String, String),
    /// The voices with which it speaks.
    pub voices: Vec<Voice>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A client asks what is offered.
    Describe,
    /// What is offered.
    Info {
        /// For speaking.
        speak: Vec<Program>,
        /// For understanding speech; the voices of these are their models.
        hear: Vec<Program>,
    },
    /// A text is to be spoken.
    Synthesize {
        text: String,
        /// The name of the wanted voice.
        voice: Option<String>,
        /// The wanted language, as in `de` or `de-DE`.
        language: Option<String>,
    },
    /// Sound begins.
    AudioStart(Format),
    /// A piece of sound.
    AudioChunk(Format, Vec<u8>),
    /// Sound ended.
    AudioStop,
    /// The sound that follows is to be understood.
    Transcribe {
        /// The language of who speaks.
        language: Option<String>,
    },
    /// What may be said from here on, one phrase a line: a list for an ear like `cl-ear`. It has no answer.
    Phrases(String),
    /// What was understood.
    Transcript {
        /// The words.
        text: String,
        language: Option<String>,
    },
    /// A sign of life is asked for.
    Ping(Option<String>),
    /// The sign of life, with the text of its [`Event::Ping`].
    Pong(Option<String>),
    /// A request failed.
    Error {
        /// Why, for a person.
        text: String,
        /// Why, for a program.
        code: Option<String>,
    },
    /// Another type of event, by its name.
    Other(String),
}

/// The type of [`Event::Phrases`].
const PHRASES: &str = "tameclaw-phrases";
/// Under which key of an `info` the voices of a program that speaks stand, and those of one that understands speech.
const VOICES: &str = "voices";
const MODELS: &str = "models";

/// The fields of an event.
struct Fields<'a>(&'static str, &'a Map<String, Value>);

impl Fields<'_> {
    fn text(&self, field: &'static str) -> Result<String, Fault> {
        self.maybe(field).ok_or(Fault::Field { kind: self.0, field })
    }

    fn maybe(&self, field: &str) -> Option<String> {
        self.1.get(field).and_then(Value::as_str).map(str::to_owned)
    }

    fn number<N: TryFrom<u64>>(&self, field: &'static str, fits: impl Fn(u64) -> bool) -> Result<N, Fault> {
        let number = self.1.get(field).and_then(Value::as_u64).filter(|number| fits(*number));
        number.and_then(|number| N::try_from(number).ok()).ok_or(Fault::Field { kind: self.0, field })
    }

    fn format(&self) -> Result<Format, Fault> {
        Ok(Format {
            rate: self.number("rate", |rate| (1..=384_000).contains(&rate))?,
            width: self.number("width", |width| (1..=4).contains(&width))?,
            channels: self.number("channels", |channels| channels > 0)?,
        })
    }
}

impl Event {
    /// The event of a type with these fields.
    pub(crate) fn of(kind: String, data: &Map<String, Value>, payload: Vec<u8>) -> Result<Event, Fault> {
        let text = |field: &str| data.get(field).and_then(Value::as_str).map(str::to_owned);
        Ok(match kind.as_str() {
            "describe" => Event::Describe,
            "info" => {
                Event::Info { speak: programs(data, "tts", VOICES), hear: programs(data, "asr", MODELS) }
            }
            "synthesize" => {
                let voice = data.get("voice").and_then(Value::as_object);
                let of_voice = |field: &str| voice.and_then(|voice| Fields("voice", voice).maybe(field));
                Event::Synthesize {
                    text: Fields("synthesize", data).text("text")?,
                    voice: of_voice("name"),
                    language: of_voice("language"),
                }
            }
            "audio-start" => Event::AudioStart(Fields("audio-start", data).format()?),
            "audio-chunk" => {
                let format = Fields("audio-chunk", data).format()?;
                let of_all_channels = usize::from(format.width) * usize::from(format.channels);
                if !payload.len().is_multiple_of(of_all_channels) {
                    return Err(Fault::Field { kind: "audio-chunk", field: "payload" });
                }
                Event::AudioChunk(format, payload)
            }
            "audio-stop" => Event::AudioStop,
            "transcribe" => Event::Transcribe { language: text("language") },
            PHRASES => Event::Phrases(String::from_utf8_lossy(&payload).into_owned()),
            "transcript" => Event::Transcript {
                text: Fields("transcript", data).text("text")?,
                language: text("language"),
            },
            "ping" => Event::Ping(text("text")),
            "pong" => Event::Pong(text("text")),
            "error" => Event::Error { text: Fields("error", data).text("text")?, code: text("code") },
            _ => Event::Other(kind),
        })
    }

    /// The type, the data and the payload.
    pub(crate) fn parts(&self) -> (&str, Value, &[u8]) {
        let format = |format: &Format| json!({"rate": format.rate, "width": format.width, "channels": format.channels});
        match self {
            Event::Describe => ("describe", json!({}), &[]),
            Event::Info { speak, hear } => {
                let all = |programs: &[Program], voices: &str| -> Vec<Value> {
                    programs.iter().map(|program| as_json(program, voices)).collect()
                };
                ("info", json!({"tts": all(speak, VOICES), "asr": all(hear, MODELS)}), &[])
            }
            Event::Synthesize { text, voice, language } => {
                let data = match given([("name", voice), ("language", language)]) {
                    voice if voice == json!({}) => json!({"text": text}),
                    voice => json!({"text": text, "voice": voice}),
                };
                ("synthesize", data, &[])
            }
            Event::AudioStart(of) => ("audio-start", format(of), &[]),
            Event::AudioChunk(of, sound) => ("audio-chunk", format(of), sound),
            Event::AudioStop => ("audio-stop", json!({}), &[]),
            Event::Transcribe { language } => ("transcribe", given([("language", language)]), &[]),
            Event::Phrases(list) => (PHRASES, json!({}), list.as_bytes()),
            Event::Transcript { text, language } => {
                let text = Some(text.clone());
                ("transcript", given([("text", &text), ("language", language)]), &[])
            }
            Event::Ping(text) => ("ping", given([("text", text)]), &[]),
            Event::Pong(text) => ("pong", given([("text", text)]), &[]),
            Event::Error { text, code } => {
                let text = Some(text.clone());
                ("error", given([("text", &text), ("code", code)]), &[])
            }
            Event::Other(kind) => (kind, json!({}), &[]),
        }
    }
}

/// Those of the fields that have a text.
fn given<const N: usize>(fields: [(&str, &Option<String>); N]) -> Value {
    fields.into_iter().filter_map(|(name, text)| Some((name, text.as_deref()?))).collect()
}

fn as_json(program: &Program, voices: &str) -> Value {
    let (maker, address) = &program.made_by;
    let attribution = json!({"name": maker, "url": address});
    let voice = |voice: &Voice| {
        json!({
            "name": voice.name,
            "languages": [voice.language],
            "attribution": attribution,
            "installed": true,
            "description": voice.language,
            "version": null,
        })
    };
    json!({
        "name": program.name,
        "description": program.description,
        "attribution": attribution,
        "installed": true,
        "version": env!("CARGO_PKG_VERSION"),
        voices: program.voices.iter().map(voice).collect::<Vec<_>>(),
    })
}

/// The programs of an `info`, by the key of their kind and that of their voices; what is not understood is left out.
fn programs(data: &Map<String, Value>, kind: &str, voices: &str) -> Vec<Program> {
    listed(data.get(kind)).map(|value| program(value, voices)).collect()
}

fn program(value: &Value, voices: &str) -> Program {
    Program {
        name: text(&value["name"]),
        description: text(&value["description"]),
        made_by: (text(&value["attribution"]["name"]), text(&value["attribution"]["url"])),
        voices: listed(value.get(voices))
            .map(|voice| Voice { name: text(&voice["name"]), language: text(&voice["languages"][0]) })
            .collect(),
    }
}

fn listed(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests;
