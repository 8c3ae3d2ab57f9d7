//! Sound to a phrase.
//!
//! A decoder with a closed grammar finds a phrase in everything: in another sentence too, whose rest it takes for silence. So what it finds
//! is held against what any sounds of speech come to, and against silence.

use std::error::Error as _;
use std::ffi::CStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sound::LONGEST;

use crate::phrases::{self, MOST_BYTES, Phrases};
use crate::sphinx::{self, Best, Decoder};

/// Where Debian's package `pocketsphinx-en-us` lays the model and the dictionary of English.
pub const MODEL: &str = "/usr/share/pocketsphinx/model/en-us";

/// The sounds of English, as the dictionary writes them.
const SOUNDS: [&str; 39] = [
    "AA", "AE", "AH", "AO", "AW", "AY", "B", "CH", "D", "DH", "EH", "ER", "EY", "F", "G", "HH", "IH", "IY",
    "JH", "K", "L", "M", "N", "NG", "OW", "OY", "P", "R", "S", "SH", "T", "TH", "UH", "UW", "V", "W", "Y",
    "Z", "ZH",
];
/// The decoder's other settings. Its fillers would take any noise for nothing; scores of one grammar are compared with those of
/// another, so all are computed against the best of the model; and beams as narrow as usual would lose phrases.
const OPTIONS: [(&str, &str); 5] = [
    ("-fillprob", "1e-40"),
    ("-compallsen", "yes"),
    ("-beam", "1e-80"),
    ("-wbeam", "1e-60"),
    ("-pbeam", "1e-80"),
];
const OF_PHRASES: &CStr = c"phrases";
const OF_SOUNDS: &CStr = c"sounds";

/// How much worse a phrase may fit than any sounds, for each frame. Of 52 phrases by two voices of Pico, 51 are above it, and of 62 other
/// sentences one ("shop" for "stop").
const WORST_PHRASE: f64 = -11.0;
/// How badly a silence may fit, for each frame, before it is somebody who speaks.
const WORST_SILENCE: f64 = -45.0;
/// A silence that is shorter, in frames of 10 ms, is not judged.
const SHORT: i32 = 20;
/// The decoder's word for silence.
const SILENCE: &str = "<sil>";
/// Silence that is added before and after the sound, in samples: a fifth of a second.
const AROUND: usize = sound::RATE as usize / 5;

/// Why nothing can be heard.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The library is missing, or another one.
    #[error("PocketSphinx cannot be used: {0}")]
    Library(String),
    /// The model or the dictionary is missing.
    #[error("the model of English is not at {}", .0.display())]
    Model(PathBuf),
    /// The library gives up.
    #[error("PocketSphinx: {0}")]
    Sphinx(Box<dyn std::error::Error + Send + Sync>),
    /// The file of phrases cannot be read.
    #[error("{}: {why}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// The file of phrases is too large.
    #[error("{}: more than {MOST_BYTES} bytes", .0.display())]
    TooLarge(PathBuf),
    /// The phrases are not taken.
    #[error(transparent)]
    Phrases(#[from] phrases::Fault),
}

impl From<sphinx::Fault> for Fault {
    fn from(fault: sphinx::Fault) -> Fault {
        match fault {
            sphinx::Fault::Library(why) => {
                // The system's own words, which name the file.
                Fault::Library(why.source().map_or_else(|| why.to_string(), ToString::to_string))
            }
            other => Fault::Sphinx(Box::new(other)),
        }
    }
}

/// A decoder that knows what may be said.
pub struct Listener {
    decoder: Decoder,
    phrases: Phrases,
}

impl Listener {
    /// Loads the library, the model at a folder like [`MODEL`], and the phrases of a file. All files are read here, so this has to happen
    /// before confinement.
    ///
    /// # Errors
    /// One of them is missing, or is not taken.
    pub fn load(model: &Path, file: &Path) -> Result<Listener, Fault> {
        let text = read(file)?;
        let (of_sounds, dictionary) = (model.join("en-us"), model.join("cmudict-en-us.dict"));
        // The library would name it in its log alone.
        for path in [of_sounds.join("mdef"), dictionary.clone()] {
            if !path.is_file() {
                return Err(Fault::Model(path));
            }
        }
        let mut decoder = Decoder::load(&of_sounds, &dictionary, &OPTIONS)?;
        let phrases = Phrases::read(&text, |word| decoder.knows(word))?;
        decoder.grammar(OF_PHRASES, &phrases.grammar())?;
        let mut words = Vec::new();
        for sound in SOUNDS {
            // Not a word of the dictionary: none has a hyphen before its sounds.
            let word = format!("x-{}", sound.to_ascii_lowercase());
            decoder.add(&word, sound)?;
            words.push(word);
        }
        let any = format!("#JSGF V1.0;\ngrammar sounds;\npublic <any> = ({})+;\n", words.join(" | "));
        decoder.grammar(OF_SOUNDS, &any)?;
        Ok(Listener { decoder, phrases })
    }

    /// What may be said.
    pub fn phrases(&self) -> &Phrases {
        &self.phrases
    }

    /// The phrase that was said, with its numbers in figures; nothing where something else was, or nothing. Samples beyond the longest utterance are not
    /// heard.
    ///
    /// # Errors
    /// The library gives up.
    pub fn hear(&mut self, samples: &[i16]) -> Result<Option<String>, Fault> {
        let silence = [0; AROUND];
        let sound = [&silence, samples.get(..LONGEST).unwrap_or(samples), &silence].concat();
        let Some(phrase) = self.decoder.best(OF_PHRASES, &sound)? else { return Ok(None) };
        let any = self.decoder.best(OF_SOUNDS, &sound)?;
        Ok(if is_said(&phrase, any.as_ref()) { self.phrases.matched(&phrase.words) } else { None })
    }
}

/// Whether a phrase was said, and not another sentence.
fn is_said(phrase: &Best, any: Option<&Best>) -> bool {
    let is_speech =
        |piece: &sphinx::Piece| piece.word == SILENCE && piece.frames >= SHORT && piece.score < WORST_SILENCE;
    !phrase.words.trim().is_empty()
        && any.is_some_and(|any| phrase.score - any.score >= WORST_PHRASE)
        && !phrase.pieces.iter().any(is_speech)
}

/// The text of the file of phrases; what is not UTF-8 in it is a sign that no word has.
fn read(path: &Path) -> Result<String, Fault> {
    use std::io::Read as _;
    let failed = |why| Fault::File { path: path.to_owned(), why };
    let mut bytes = Vec::new();
    fs::File::open(path)
        .and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes))
        .map_err(failed)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Fault::TooLarge(path.to_owned()));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests;
