//! whisper.cpp by its safe bindings: sound to words, any that somebody said.
//!
//! It makes words of noise and of silence too. So each transcript has how sure it is, by which [`Transcript::is_said`] judges.

use std::num::NonZero;
use std::thread;

use sound::RATE;
use whisper_rs::{FullParams, SamplingStrategy, WhisperContext, WhisperContextParameters, WhisperState};

use crate::phrases::Language;

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

/// What was said, and how sure that is.
#[derive(Debug, Clone, PartialEq)]
pub struct Transcript {
    pub text: String,
    /// How likely it is that nobody spoke, from 0 to 1.
    pub silent: f32,
    /// The mean of the logarithms of the tokens' probabilities: 0 is sure.
    pub sure: f32,
    tokens: Vec<i32>,
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

/// A model that was loaded.
pub struct Whisper {
    context: WhisperContext,
    state: WhisperState,
    language: Language,
    threads: usize,
}

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
        let state = context.create_state()?;
        Ok(Whisper { context, state, language, threads })
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
            return Ok(Transcript {
                text: String::new(),
                silent: 1.0,
                sure: f32::NEG_INFINITY,
                tokens: vec![],
            });
        }
        let sound: Vec<f32> = samples.iter().map(|sample| f32::from(*sample) / 32_768.0).collect();
        let view = (samples.len().div_ceil(STEP) + AROUND).clamp(LEAST_VIEW, WHOLE_VIEW);
        let mut full = FullParams::new(SamplingStrategy::Greedy { best_of: 1 });
        full.set_language(Some(self.language.code()));
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
        self.state.full(full, &sound)?;
        let (mut text, mut silent) = (String::new(), 0.0_f32);
        let (mut sum, mut count, mut text_tokens) = (0.0_f32, 0_u16, Vec::new());
        let end = self.context.token_eot();
        for segment in self.state.as_iter() {
            text.push_str(&segment.to_str_lossy()?);
            silent = silent.max(segment.no_speech_probability());
            let tokens = (0..segment.n_tokens()).filter_map(|at| segment.get_token(at));
            for token in tokens {
                sum += token.token_data().plog;
                text_tokens.extend(Some(token.token_id()).filter(|id| *id < end));
                count = count.saturating_add(1);
            }
        }
        let sure = if count == 0 { f32::NEG_INFINITY } else { sum / f32::from(count) };
        Ok(Transcript { text: once(text.trim()).to_owned(), silent, sure, tokens: text_tokens })
    }

    /// Which of some texts the sound of the last transcript is, and how much less likely that is than what was understood: the
    /// difference of the logarithms. Nothing where each is less likely by so much for each of its words.
    ///
    /// # Errors
    /// The library gives up.
    pub fn likeliest(
        &mut self,
        said: &Transcript,
        texts: Vec<String>,
        most: f32,
    ) -> Result<Option<(String, f32)>, Fault> {
        let ends: Vec<usize> =
            [".", "?", "!"].iter().filter_map(|mark| self.tokens(mark).ok()).flatten().collect();
        let mut own: Vec<usize> = said.tokens.iter().filter_map(|id| usize::try_from(*id).ok()).collect();
        if let Some(end) = own.iter().position(|token| ends.contains(token)) {
            own.truncate(end);
        }
        let mut path = Path { depth: 0, tokens: Vec::new(), rows: Vec::new() };
        let start = [
            self.context.token_sot(),
            self.context.token_lang(whisper_rs::get_lang_id(self.language.code()).unwrap_or_default()),
            self.context.token_transcribe(),
            self.context.token_not(),
        ];
        // A model of English has neither a language nor a task.
        let start = if self.context.is_multilingual() { &start[..] } else { &[start[0], start[3]][..] };
        for token in start {
            self.follow(&mut path, *token)?;
        }
        path.rows.drain(..path.rows.len() - 1);
        path.tokens.clear();
        path.depth = start.len();
        let own: Vec<[Vec<usize>; 2]> = vec![[own, Vec::new()]];
        let best = self.likelihood(&mut path, &own, f32::NEG_INFINITY, &ends)?;
        let mut found: Option<(f32, String)> = None;
        // Those that begin with the same words follow each other.
        let mut texts = texts;
        texts.sort();
        for text in texts {
            let words: Vec<[Vec<usize>; 2]> =
                text.split(' ').map(|word| self.spellings(word)).collect::<Result<_, _>>()?;
            let least = best - most * words.len() as f32;
            let least = found.as_ref().map_or(least, |(sum, _)| sum.max(least));
            let sum = self.likelihood(&mut path, &words, least, &ends)?;
            if sum > least {
                found = Some((sum, text));
            }
        }
        Ok(found.map(|(sum, text)| (text, best - sum)))
    }

    /// A word with a small and with a capital letter: a list has no capitals, and a transcript has.
    fn spellings(&self, word: &str) -> Result<[Vec<usize>; 2], Fault> {
        let mut chars = word.chars();
        let first: String = chars.next().map(|c| c.to_uppercase().collect()).unwrap_or_default();
        Ok([self.tokens(&format!(" {word}"))?, self.tokens(&format!(" {first}{}", chars.as_str()))?])
    }

    fn tokens(&self, text: &str) -> Result<Vec<usize>, Fault> {
        let tokens = self.context.tokenize(text, 4 * MOST_TOKENS as usize)?;
        Ok(tokens.into_iter().filter_map(|id| usize::try_from(id).ok()).collect())
    }

    /// The logarithm of how likely a text is, and that it ends there; it is given up where it falls below the least. Each word has the
    /// spelling that begins more likely.
    fn likelihood(
        &mut self,
        path: &mut Path,
        words: &[[Vec<usize>; 2]],
        least: f32,
        ends: &[usize],
    ) -> Result<f32, Fault> {
        let (mut sum, mut at) = (0.0, 0);
        for [small, capital] in words {
            let begins = |tokens: &Vec<usize>| {
                tokens.first().map_or(f32::NEG_INFINITY, |token| path.rows[at].of_token(*token))
            };
            let tokens = if begins(capital) > begins(small) { capital } else { small };
            for token in tokens {
                sum += path.rows[at].of_token(*token);
                if sum <= least {
                    return Ok(f32::NEG_INFINITY);
                }
                if path.tokens.get(at) != Some(token) {
                    path.tokens.truncate(at);
                    path.rows.truncate(at + 1);
                    self.follow(path, i32::try_from(*token).unwrap_or_default())?;
                }
                at += 1;
            }
        }
        let end = usize::try_from(self.context.token_eot()).unwrap_or_default();
        let ended: f32 = ends.iter().chain([&end]).map(|end| path.rows[at].of_token(*end).exp()).sum();
        Ok(sum + ended.ln())
    }

    /// Has the decoder hear one more token.
    fn follow(&mut self, path: &mut Path, token: i32) -> Result<(), Fault> {
        self.state.decode(&[token], path.depth + path.tokens.len(), self.threads)?;
        path.rows.push(Row::of(self.state.get_logits()?));
        path.tokens.push(usize::try_from(token).unwrap_or_default());
        Ok(())
    }
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

/// The tokens that the decoder has heard behind those that it starts with, and what could follow each.
struct Path {
    depth: usize,
    tokens: Vec<usize>,
    /// One more than there are tokens.
    rows: Vec<Row>,
}

/// What could follow.
struct Row {
    logits: Vec<f32>,
    sum: f32,
}

impl Row {
    fn of(logits: &[f32]) -> Row {
        let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum = most + logits.iter().map(|logit| (logit - most).exp()).sum::<f32>().ln();
        Row { logits: logits.to_vec(), sum }
    }

    /// The logarithm of how likely a token is.
    fn of_token(&self, token: usize) -> f32 {
        self.logits.get(token).map_or(f32::NEG_INFINITY, |logit| logit - self.sum)
    }
}
