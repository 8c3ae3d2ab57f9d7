//! Sound to a phrase.
//!
//! A decoder with a closed grammar finds a phrase in everything: in another sentence too, whose rest it takes for silence. So what it finds
//! is held against what any sounds of speech come to, and against silence.

use std::collections::BTreeSet;
use std::error::Error as _;
use std::ffi::CStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sound::LONGEST;

use crate::dictionary::Dictionary;
use crate::model::Model;
use crate::noise;
use crate::phrases::{self, Language, MOST_BYTES, Phrases};
use crate::sphinx::{self, Best, Decoder};
#[cfg(feature = "whisper")]
use crate::whisper::{self, Transcript, Whisper};

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
const OPTIONS: [(&str, &str); 6] = [
    ("-fillprob", "1e-40"),
    ("-compallsen", "yes"),
    ("-beam", "1e-80"),
    ("-wbeam", "1e-60"),
    ("-pbeam", "1e-80"),
    // In noise everything fits a little: no frame takes longer than this.
    ("-maxhmmpf", "6000"),
];
const OF_PHRASES: &CStr = c"phrases";
const OF_SOUNDS: &CStr = c"sounds";

/// How much worse a phrase may fit than any sounds, for each frame. Of 577 phrases by two voices of flite all are above -8.2,
/// and of 143 other sentences three are above this: docs/FIGURES.md. A bound of -7 would refuse those three but one, and voices of Pico
/// and espeak-ng that are understood here.
const WORST_PHRASE: f64 = -10.0;
/// How much worse one word may fit than any sounds in the same time, for each frame.
const WORST_WORD: f64 = -80.0;
/// How badly a silence may fit, for each frame, before it is somebody who speaks.
const WORST_SILENCE: f64 = -55.0;
/// How much likelier a phrase must be with this sound than in silence, for each of its tokens: by the logarithm, with the part of silence
/// that `whisper` takes. Where whisper.cpp is sure of other words they were mostly said, so a phrase must be likelier. Chosen by
/// `sentences.txt` and the voice slt alone: docs/FIGURES.md.
#[cfg(feature = "whisper")]
const LEAST_LIKELY: f32 = 0.9;
#[cfg(feature = "whisper")]
const LEAST_LIKELY_BESIDE_SURE: f32 = 2.1;
/// How sure it is then, as the mean logarithm of its tokens.
#[cfg(feature = "whisper")]
const SURE: f32 = -0.3;
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
    /// The file of phrases or the dictionary cannot be read.
    #[error("{}: {why}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        why: io::Error,
    },
    /// The file of phrases is too large.
    #[error("{}: more than {MOST_BYTES} bytes", .0.display())]
    TooLarge(PathBuf),
    /// The phrases are not taken.
    #[error(transparent)]
    Phrases(#[from] phrases::Fault),
    /// Neither a file nor the client gave a list.
    #[error("there is no list of phrases: the client sends one, or the ear is started with `--phrases FILE`")]
    NoList,
    /// The program has PocketSphinx alone.
    #[error("this `cl-ear` was built without whisper.cpp")]
    NotBuilt,
    /// whisper.cpp gives up, or refuses the model.
    #[cfg(feature = "whisper")]
    #[error(transparent)]
    Whisper(#[from] whisper::Fault),
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

/// A recogniser, and what may be said.
pub struct Listener {
    recogniser: Recogniser,
    /// The list of the file.
    own: Option<Arc<str>>,
    /// The list that the recogniser has, and what it holds.
    loaded: Option<(Arc<str>, Phrases)>,
}

/// What makes words of sound.
enum Recogniser {
    Sphinx(Sphinx),
    #[cfg(feature = "whisper")]
    Whisper(Whisper),
}

/// PocketSphinx, which hears the phrases of a list.
struct Sphinx {
    decoder: Decoder,
    dictionary: Dictionary,
    /// The words of the dictionary that the decoder has.
    added: BTreeSet<String>,
}

impl Listener {
    /// Loads the library, the model at a folder like [`MODEL`], and the phrases of a file, where one is named. All files are read here,
    /// so this has to happen before confinement.
    ///
    /// # Errors
    /// One of them is missing, or is not taken.
    pub fn load(model: &Path, file: Option<&Path>) -> Result<Listener, Fault> {
        let own: Option<Arc<str>> = file.map(read).transpose()?.map(Arc::from);
        Listener::of(Recogniser::Sphinx(Sphinx::load(model)?), own)
    }

    /// Has whisper.cpp hear one language by this model, and reads the phrases of a file, where one is named.
    ///
    /// # Errors
    /// The model or the file is not taken, or whisper.cpp is not built in.
    pub fn with_whisper(model: &Model, language: Language, file: Option<&Path>) -> Result<Listener, Fault> {
        let own: Option<Arc<str>> = file.map(read).transpose()?.map(Arc::from);
        #[cfg(feature = "whisper")]
        {
            let whisper = Whisper::load(&model.bytes, language)?;
            Listener::of(Recogniser::Whisper(whisper), own)
        }
        #[cfg(not(feature = "whisper"))]
        {
            let _ = (model, language, own);
            Err(Fault::NotBuilt)
        }
    }

    fn of(recogniser: Recogniser, own: Option<Arc<str>>) -> Result<Listener, Fault> {
        let mut listener = Listener { recogniser, own: own.clone(), loaded: None };
        if let Some(own) = own {
            listener.learn(own)?;
        }
        Ok(listener)
    }

    /// What makes words of sound here, and of which language.
    pub fn hears(&self) -> (&'static str, Language) {
        match &self.recogniser {
            Recogniser::Sphinx(_) => ("pocketsphinx", Language::English),
            #[cfg(feature = "whisper")]
            Recogniser::Whisper(whisper) => ("whisper.cpp", whisper.language()),
        }
    }

    /// Bytes of address space that the process may have: whisper.cpp reserves 1.5 GB for a model of 82 MB and its two decoders.
    pub fn address_space(&self) -> u64 {
        match &self.recogniser {
            Recogniser::Sphinx(_) => voice_service::ADDRESS_SPACE,
            #[cfg(feature = "whisper")]
            Recogniser::Whisper(_) => 2 << 30,
        }
    }

    /// What may be said: the list that was loaded last.
    pub fn phrases(&self) -> Option<&Phrases> {
        self.loaded.as_ref().map(|(_, phrases)| phrases)
    }

    /// Has the recogniser know this list, or that of the file; answers whether it is another one than before.
    ///
    /// # Errors
    /// There is none, or it is not taken.
    pub fn prepare(&mut self, list: Option<&Arc<str>>) -> Result<bool, Fault> {
        let list = list.or(self.own.as_ref()).ok_or(Fault::NoList)?;
        if self.loaded.as_ref().is_some_and(|(loaded, _)| loaded == list) {
            return Ok(false);
        }
        let list = list.clone();
        self.learn(list)?;
        Ok(true)
    }

    fn learn(&mut self, list: Arc<str>) -> Result<(), Fault> {
        self.loaded = None;
        let phrases = match &mut self.recogniser {
            Recogniser::Sphinx(sphinx) => sphinx.learn(&list)?,
            #[cfg(feature = "whisper")]
            Recogniser::Whisper(whisper) => {
                let phrases = Phrases::of_any_words(&list)?;
                whisper.learn(&phrases)?;
                phrases
            }
        };
        self.loaded = Some((list, phrases));
        Ok(())
    }

    /// The phrase of this list, or of the file's, that was said, with its numbers in figures; nothing where something else was, or
    /// nothing. Samples beyond the longest utterance are not heard.
    ///
    /// # Errors
    /// There is no list, or the library gives up.
    pub fn hear(&mut self, list: Option<&Arc<str>>, samples: &[i16]) -> Result<Option<String>, Fault> {
        Ok(self.find(list, samples)?.filter(|found| found.fit.is_said()).map(|found| found.phrase))
    }

    /// The phrase that fits best, and how well it fits, for those who measure.
    ///
    /// # Errors
    /// As [`Listener::hear`].
    pub fn find(&mut self, list: Option<&Arc<str>>, samples: &[i16]) -> Result<Option<Found>, Fault> {
        self.prepare(list)?;
        let samples = samples.get(..LONGEST).unwrap_or(samples);
        let phrases = self.loaded.as_ref().map(|(_, phrases)| phrases);
        let found = match &mut self.recogniser {
            Recogniser::Sphinx(sphinx) => {
                let Some((best, fit)) = sphinx.find(samples)? else { return Ok(None) };
                phrases.and_then(|phrases| phrases.matched(&best.words)).map(|phrase| Found { phrase, fit })
            }
            #[cfg(feature = "whisper")]
            Recogniser::Whisper(whisper) => {
                let said = whisper.transcribe(samples)?;
                return self.phrase_of(&said);
            }
        };
        Ok(found.filter(|found| !found.phrase.is_empty()))
    }

    /// The phrase of the list that whisper.cpp has heard: the transcript as it is, or else the phrase that the sound is most likely.
    ///
    /// # Errors
    /// The library gives up.
    #[cfg(feature = "whisper")]
    pub fn phrase_of(&mut self, said: &Transcript) -> Result<Option<Found>, Fault> {
        let (Some((_, phrases)), Recogniser::Whisper(whisper)) = (&self.loaded, &mut self.recogniser) else {
            return Ok(None);
        };
        let language = whisper.language();
        if let Some(phrase) = phrases.nearest(&said.text, language).filter(|_| said.is_said()) {
            return Ok(Some(Found { phrase, fit: Fit::Transcript(said.clone()) }));
        }
        let likeliest = whisper.likeliest(phrases)?;
        Ok(likeliest.map(|one| Found { phrase: one.phrase, fit: Fit::Likely(said.clone(), one.score) }))
    }

    /// What whisper.cpp makes of the sound, for those who measure; nothing with another recogniser.
    ///
    /// # Errors
    /// The library gives up.
    #[cfg(feature = "whisper")]
    pub fn transcribe(&mut self, samples: &[i16]) -> Result<Option<Transcript>, Fault> {
        match &mut self.recogniser {
            Recogniser::Sphinx(_) => Ok(None),
            Recogniser::Whisper(whisper) => Ok(Some(whisper.transcribe(samples)?)),
        }
    }
}

impl Sphinx {
    fn load(model: &Path) -> Result<Sphinx, Fault> {
        let (of_sounds, dictionary) = (model.join("en-us"), model.join("cmudict-en-us.dict"));
        // The library would name it in its log alone.
        for path in [of_sounds.join("mdef"), dictionary.clone()] {
            if !path.is_file() {
                return Err(Fault::Model(path));
            }
        }
        let mut decoder = Decoder::load(&of_sounds, &OPTIONS)?;
        let dictionary =
            Dictionary::read(&dictionary).map_err(|why| Fault::File { path: dictionary.clone(), why })?;
        let mut words = Vec::new();
        for sound in SOUNDS {
            // Not a word of the dictionary: none has a hyphen before its sounds.
            let word = format!("x-{}", sound.to_ascii_lowercase());
            decoder.add(&word, sound)?;
            words.push(word);
        }
        let any = format!("#JSGF V1.0;\ngrammar sounds;\npublic <any> = ({})+;\n", words.join(" | "));
        decoder.grammar(OF_SOUNDS, &any)?;
        Ok(Sphinx { decoder, dictionary, added: BTreeSet::new() })
    }

    fn learn(&mut self, list: &str) -> Result<Phrases, Fault> {
        let phrases = Phrases::read(list, |word| self.dictionary.has(word))?;
        let grammar = phrases.grammar();
        let words = grammar.split(|c: char| !(c.is_ascii_alphabetic() || c == '\''));
        let words: BTreeSet<&str> = words.filter(|word| !self.added.contains(*word)).collect();
        for word in words {
            for (name, sounds) in self.dictionary.sounds(word) {
                self.decoder.add(name, sounds)?;
            }
            self.added.insert(word.to_owned());
        }
        self.decoder.grammar(OF_PHRASES, &grammar)?;
        Ok(phrases)
    }

    /// The words of the list that fit best, and how well they do.
    fn find(&mut self, samples: &[i16]) -> Result<Option<(Best, Fit)>, Fault> {
        let silence = [0; AROUND];
        let sound = [&silence[..], &noise::reduced(samples), &silence].concat();
        let Some(best) = self.decoder.best(OF_PHRASES, &sound)? else { return Ok(None) };
        let Some(any) = self.decoder.best(OF_SOUNDS, &sound)? else { return Ok(None) };
        let fit = Fit::Sounds(Sounds::of(&best, &any));
        Ok(Some((best, fit)))
    }
}

/// A phrase of the list, and how well it fits what was said.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// With its numbers in figures.
    pub phrase: String,
    /// How well it fits.
    pub fit: Fit,
}

/// How well a phrase fits.
#[derive(Debug, Clone, PartialEq)]
pub enum Fit {
    /// Of PocketSphinx.
    Sounds(Sounds),
    /// Of whisper.cpp, where it understood the phrase.
    #[cfg(feature = "whisper")]
    Transcript(Transcript),
    /// Of whisper.cpp, where it understood something else: that, and how likely the phrase is.
    #[cfg(feature = "whisper")]
    Likely(Transcript, f32),
}

impl Fit {
    /// Whether the phrase was said, and not another sentence.
    pub fn is_said(&self) -> bool {
        match self {
            Fit::Sounds(sounds) => sounds.are_near(),
            #[cfg(feature = "whisper")]
            Fit::Transcript(said) => said.is_said(),
            #[cfg(feature = "whisper")]
            Fit::Likely(said, score) => {
                *score >= if said.sure >= SURE { LEAST_LIKELY_BESIDE_SURE } else { LEAST_LIKELY }
            }
        }
    }
}

/// How well the sounds of a phrase fit, for each frame: 0 is best, and less is worse.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sounds {
    /// The whole, beside any sounds of speech.
    pub phrase: f64,
    /// The worst word, beside any sounds in the same time.
    pub word: f64,
    /// The worst silence that is long enough to be judged.
    pub silence: f64,
}

impl Sounds {
    fn of(best: &Best, any: &Best) -> Sounds {
        let sounds: Vec<f64> = any
            .pieces
            .iter()
            .flat_map(|piece| std::iter::repeat_n(piece.score, usize::try_from(piece.frames).unwrap_or(0)))
            .collect();
        let mut fit = Sounds { phrase: best.score - any.score, word: 0.0, silence: 0.0 };
        let mut at = 0;
        for piece in &best.pieces {
            let frames = usize::try_from(piece.frames).unwrap_or(0);
            let beside = sounds.get(at..(at + frames).min(sounds.len())).unwrap_or_default();
            at += frames;
            if piece.word == SILENCE {
                let is_judged = piece.frames >= SHORT;
                fit.silence = fit.silence.min(if is_judged { piece.score } else { 0.0 });
            } else if !beside.is_empty() {
                fit.word = fit.word.min(piece.score - beside.iter().sum::<f64>() / beside.len() as f64);
            }
        }
        fit
    }

    /// Whether the phrase was said, and not another sentence.
    pub fn are_near(&self) -> bool {
        self.phrase >= WORST_PHRASE && self.word >= WORST_WORD && self.silence >= WORST_SILENCE
    }
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
