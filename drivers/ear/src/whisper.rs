//! whisper.cpp by its safe bindings: sound to words, any that somebody said, or those of a list.
//!
//! It makes words of noise and of silence too. So each transcript has how sure it is, by which [`Transcript::is_said`] judges; and a phrase
//! of a list is as likely as it is with this sound, without a part of what it is in silence: in noise "thank you" is always likely.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use std::thread;

use sound::RATE;
use whisper_rs::{FullParams, SamplingStrategy, WhisperContext, WhisperContextParameters, WhisperState};

use crate::phrases::walk::{Places, Walk};
use crate::phrases::{Language, Phrases};

/// Processors that are used, where there are so many.
const MOST_THREADS: usize = 3;
/// What the encoder looks at, in steps of 20 ms: the sound, and so much more.
const AROUND: usize = 64;
/// The least and the most of it: the model was made for 30 seconds, and a very short view makes it repeat itself.
const LEAST_VIEW: usize = 512;
const WHOLE_VIEW: usize = 1_500;
/// Samples in which nobody says a word.
const LEAST: usize = RATE as usize / 10;
/// Samples of a step.
const STEP: usize = RATE as usize / 50;
/// Tokens of one utterance, which are words and parts of words: no phrase has more than thirty words.
const MOST_TOKENS: i32 = 48;

/// How sure it must be that somebody spoke, and of the words. It finds a short sentence in noise more often than a long one.
const MOST_SILENT: f32 = 0.6;
const LEAST_SURE: f32 = -1.0;
const LEAST_SURE_OF_FEW: f32 = -0.6;
const FEW: usize = 2;

/// The part of a phrase's logarithm in silence that is taken from the one with this sound.
const OF_SILENCE: f32 = 0.7;
/// Phrases that are followed at a time, token by token.
const WIDTH: usize = 8;
/// How much less likely than the best one a phrase may be that is followed.
const BEHIND: f32 = 12.0;
/// The same beside a phrase that has ended.
const BEHIND_ENDED: f32 = 8.0;
/// Beginnings whose likelihood in silence is kept.
const MOST_KEPT: usize = 4_000;

/// What was said, and how sure that is.
#[derive(Debug, Clone, PartialEq)]
pub struct Transcript {
    pub text: String,
    /// How likely it is that nobody spoke, from 0 to 1.
    pub silent: f32,
    /// The mean of the logarithms of the tokens' probabilities: 0 is sure.
    pub sure: f32,
}

impl Transcript {
    /// Whether somebody said this.
    pub fn is_said(&self) -> bool {
        let is_short = self.text.split_whitespace().count() <= FEW;
        self.silent <= MOST_SILENT && self.sure >= if is_short { LEAST_SURE_OF_FEW } else { LEAST_SURE }
    }
}

/// Why nothing was transcribed.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The library gives up.
    #[error("whisper.cpp: {0}")]
    Library(#[from] whisper_rs::WhisperError),
    /// The model knows English alone.
    #[error("this model understands English alone")]
    Language,
}

/// A phrase of a list, and how likely it is for each of its tokens.
#[derive(Debug, Clone, PartialEq)]
pub struct Likeliest {
    pub phrase: String,
    pub score: f32,
}

/// A model that was loaded.
pub struct Whisper {
    context: WhisperContext,
    /// What heard the last sound.
    sound: Decoder,
    /// What heard silence.
    silence: Decoder,
    language: Language,
    /// The tokens that end a sentence.
    ends: Vec<i32>,
    walk: Walk,
    /// How likely tokens are in silence behind some others; the end is [`END`].
    in_silence: BTreeMap<Vec<i32>, BTreeMap<i32, f32>>,
}

/// No token: the end of a sentence, with its mark or without.
const END: i32 = -1;

impl Whisper {
    /// Loads a model from its bytes, for one language.
    ///
    /// # Errors
    /// They are not a model, or one of another language.
    pub fn load(bytes: &[u8], language: Language) -> Result<Whisper, Fault> {
        // Its log would say much, and to nobody.
        whisper_rs::install_logging_hooks();
        let mut parameters = WhisperContextParameters::new();
        parameters.use_gpu(false);
        let context = WhisperContext::new_from_buffer_with_params(bytes, parameters)?;
        if language != Language::English && !context.is_multilingual() {
            return Err(Fault::Language);
        }
        // Its threads wait for each other at full speed: one processor is left to others.
        let threads = thread::available_parallelism().map_or(1, NonZero::get) - 1;
        let threads = threads.clamp(1, MOST_THREADS);
        let decoder = || -> Result<Decoder, Fault> {
            let start = [
                context.token_sot(),
                context.token_lang(whisper_rs::get_lang_id(language.code()).unwrap_or_default()),
                context.token_transcribe(),
                context.token_not(),
            ];
            // A model of English has neither a language nor a task.
            let start = if context.is_multilingual() { start.to_vec() } else { vec![start[0], start[3]] };
            Ok(Decoder { state: context.create_state()?, start, heard: Vec::new(), threads })
        };
        let (sound, mut silence) = (decoder()?, decoder()?);
        silence.hear(&[0; STEP * LEAST_VIEW], language)?;
        let mut ends = vec![context.token_eot()];
        for mark in [".", "?", "!"] {
            ends.extend(tokens(&context, mark)?);
        }
        let (walk, in_silence) = (Walk::default(), BTreeMap::new());
        Ok(Whisper { context, sound, silence, language, ends, walk, in_silence })
    }

    /// Has it know a list.
    ///
    /// # Errors
    /// The library gives up.
    pub fn learn(&mut self, list: &Phrases) -> Result<(), Fault> {
        self.walk = Walk::of(list, self.language, |word| tokens(&self.context, word))?;
        self.in_silence.clear();
        Ok(())
    }

    pub fn language(&self) -> Language {
        self.language
    }

    /// What was said in these samples.
    ///
    /// # Errors
    /// The library gives up.
    pub fn transcribe(&mut self, samples: &[i16]) -> Result<Transcript, Fault> {
        if samples.len() < LEAST {
            return Ok(Transcript { text: String::new(), silent: 1.0, sure: f32::NEG_INFINITY });
        }
        self.sound.hear(samples, self.language)?;
        let (mut text, mut silent) = (String::new(), 0.0_f32);
        let (mut sum, mut count) = (0.0_f32, 0_u16);
        for segment in self.sound.state.as_iter() {
            text.push_str(&segment.to_str_lossy()?);
            silent = silent.max(segment.no_speech_probability());
            let tokens = (0..segment.n_tokens()).filter_map(|at| segment.get_token(at));
            for token in tokens {
                sum += token.token_data().plog;
                count = count.saturating_add(1);
            }
        }
        let sure = if count == 0 { f32::NEG_INFINITY } else { sum / f32::from(count) };
        Ok(Transcript { text: once(text.trim()).to_owned(), silent, sure })
    }

    /// The phrase of the list that the sound of the last transcript is most likely. The tokens of the phrases are followed from the first
    /// one on, the likeliest at a time.
    ///
    /// # Errors
    /// The library gives up.
    pub fn likeliest(&mut self, list: &Phrases) -> Result<Option<Likeliest>, Fault> {
        let row = self.sound.after(&[])?;
        let mut beginnings =
            vec![Beginning { tokens: Vec::new(), score: 0.0, places: self.walk.start(), row }];
        let mut best: Option<(f32, Likeliest)> = None;
        for _ in 0..MOST_TOKENS {
            let mut longer = Vec::new();
            for beginning in &beginnings {
                let after = self.walk.after(&beginning.places, beginning.tokens.last().copied());
                let in_silence = self.in_silence(&beginning.tokens, &after)?;
                for (token, places) in after {
                    let unheard = in_silence.get(&token).copied().unwrap_or_default();
                    let score = beginning.score + beginning.row.of(token) - OF_SILENCE * unheard;
                    longer.push((score, [&beginning.tokens[..], &[token]].concat(), places));
                }
            }
            longer.sort_by(|one, other| other.0.total_cmp(&one.0));
            let least = longer.first().map_or(0.0, |first| first.0) - BEHIND;
            let ended = best.as_ref().map_or(f32::NEG_INFINITY, |(score, _)| score - BEHIND_ENDED);
            longer.retain(|one| one.0 >= least.max(ended));
            let mut followed = Vec::new();
            let mut known = BTreeSet::new();
            for one in longer {
                if followed.len() == WIDTH {
                    break;
                }
                // Capital letters and commas make no other phrase.
                let text = self.text(&one.1)?.to_lowercase();
                if known.insert((text.replace(',', ""), text.ends_with(','))) {
                    followed.push(one);
                }
            }
            // Those that begin with the same tokens follow each other.
            followed.sort_by(|one, other| one.1.cmp(&other.1));
            beginnings.clear();
            for (score, tokens, places) in followed {
                let row = self.sound.after(&tokens)?;
                if self.walk.is_end(&places) {
                    let in_silence = self.in_silence(&tokens, &BTreeMap::new())?;
                    let unheard = in_silence.get(&END).copied().unwrap_or_default();
                    let score = score + row.of_any(&self.ends) - OF_SILENCE * unheard;
                    let is_better = best.as_ref().is_none_or(|(best, _)| score > *best);
                    let phrase = list.is(&self.text(&tokens)?, self.language);
                    if let Some(phrase) = phrase.filter(|_| is_better) {
                        best = Some((score, Likeliest { phrase, score: score / tokens.len() as f32 }));
                    }
                }
                beginnings.push(Beginning { tokens, score, places, row });
            }
            if beginnings.is_empty() {
                break;
            }
        }
        Ok(best.map(|(_, likeliest)| likeliest))
    }

    /// How likely in silence these tokens are behind some others.
    fn in_silence(
        &mut self,
        tokens: &[i32],
        after: &BTreeMap<i32, Places>,
    ) -> Result<BTreeMap<i32, f32>, Fault> {
        if let Some(known) = self.in_silence.get(tokens) {
            return Ok(known.clone());
        }
        let row = self.silence.after(tokens)?;
        let mut known: BTreeMap<i32, f32> = after.keys().map(|token| (*token, row.of(*token))).collect();
        known.insert(END, row.of_any(&self.ends));
        if self.in_silence.len() >= MOST_KEPT {
            self.in_silence.clear();
        }
        self.in_silence.insert(tokens.to_vec(), known.clone());
        Ok(known)
    }

    fn text(&self, tokens: &[i32]) -> Result<String, Fault> {
        let mut bytes = Vec::new();
        for token in tokens {
            bytes.extend_from_slice(self.context.token_to_bytes(*token)?);
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// The tokens of a text.
fn tokens(context: &WhisperContext, text: &str) -> Result<Vec<i32>, Fault> {
    Ok(context.tokenize(text, MOST_TOKENS as usize)?)
}

/// The beginning of a phrase, how likely it is, and what could follow.
struct Beginning {
    tokens: Vec<i32>,
    score: f32,
    places: Places,
    row: Row,
}

/// A sentence that is repeated and nothing else, once: a short view makes the model repeat it.
fn once(text: &str) -> &str {
    let Some(end) = text.find(['.', '?', '!']) else { return text };
    let (first, rest) = text.split_at(end + 1);
    let sentences: Vec<&str> = rest.split_inclusive(['.', '?', '!']).map(str::trim).collect();
    // The last one may be cut off.
    let is_same = |sentence: &&str| !sentence.is_empty() && first.starts_with(*sentence);
    if sentences.iter().all(is_same) { first } else { text }
}

/// A sound that was encoded, and the tokens that were followed in it.
struct Decoder {
    state: WhisperState,
    /// The tokens that it starts with.
    start: Vec<i32>,
    /// Those that it has followed since the last sound.
    heard: Vec<i32>,
    threads: usize,
}

impl Decoder {
    /// Encodes a sound, and makes words of it.
    fn hear(&mut self, samples: &[i16], language: Language) -> Result<(), Fault> {
        let sound: Vec<f32> = samples.iter().map(|sample| f32::from(*sample) / 32_768.0).collect();
        let view = (samples.len().div_ceil(STEP) + AROUND).clamp(LEAST_VIEW, WHOLE_VIEW);
        let mut full = FullParams::new(SamplingStrategy::Greedy { best_of: 1 });
        full.set_language(Some(language.code()));
        full.set_n_threads(i32::try_from(self.threads).unwrap_or(1));
        full.set_audio_ctx(i32::try_from(view).unwrap_or_default());
        full.set_max_tokens(MOST_TOKENS);
        full.set_no_context(true);
        full.set_no_timestamps(true);
        full.set_single_segment(true);
        full.set_suppress_blank(true);
        full.set_suppress_nst(true);
        // Another temperature would be another try, and another answer.
        full.set_temperature(0.0);
        full.set_temperature_inc(0.0);
        full.set_print_progress(false);
        full.set_print_realtime(false);
        full.set_print_special(false);
        full.set_print_timestamps(false);
        self.heard.clear();
        self.state.full(full, &sound)?;
        Ok(())
    }

    /// What could follow these tokens.
    fn after(&mut self, tokens: &[i32]) -> Result<Row, Fault> {
        let all = [&self.start, tokens].concat();
        let last = all.len() - 1;
        let same = self.heard.iter().zip(&all).take_while(|(one, other)| one == other).count().min(last);
        // The logits are those of the first token of a call.
        if same < last {
            self.state.decode(&all[same..last], same, self.threads)?;
        }
        self.state.decode(&all[last..], last, self.threads)?;
        self.heard = all;
        Ok(Row::new(self.state.get_logits()?))
    }
}

/// What could follow.
struct Row {
    logits: Vec<f32>,
    sum: f32,
}

impl Row {
    fn new(logits: &[f32]) -> Row {
        let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum = most + logits.iter().map(|logit| (logit - most).exp()).sum::<f32>().ln();
        Row { logits: logits.to_vec(), sum }
    }

    /// The logarithm of how likely a token is.
    fn of(&self, token: i32) -> f32 {
        let logit = usize::try_from(token).ok().and_then(|token| self.logits.get(token));
        logit.map_or(f32::NEG_INFINITY, |logit| logit - self.sum)
    }

    /// The logarithm of how likely it is that one of these follows.
    fn of_any(&self, tokens: &[i32]) -> f32 {
        tokens.iter().map(|token| self.of(*token).exp()).sum::<f32>().ln()
    }
}
