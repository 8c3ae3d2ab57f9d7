//! The side of the driver: utterances in, spoken answers out.
//!
//! What was said is a line of the person, one at a time. While one is answered or its answer is played, nothing but the stop is acted on:
//! the microphone hears the loudspeaker as well.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Error as IoError, ErrorKind, Read, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bot_base::error::{Error, say};
use language::Intent;
use shared_types::exit;
use shared_types::id::ConversationId;
use shared_types::text;
use sound::{Heard, LONGEST_SECONDS, RATE, Utterances, bytes, samples, wav};

use super::services::{Ear, Fault, Mouth, Said};
use super::speech;
use crate::frames::{Answered, Ask, Asked, Part, Told};
use crate::messenger::rooms::{is_stop, word};
use crate::messenger::words::Words;
use crate::side::Side;

/// Bytes of standard input that are read at once: a tenth of a second.
const PIECE: usize = RATE as usize / 5;
/// How long the loudspeaker still sounds after an answer.
const ECHO: Duration = Duration::from_millis(300);
/// The most sound of an output file, in samples: half an hour.
const MOST_OUTPUT: usize = 30 * 60 * RATE as usize;

/// Where sound comes from.
pub(super) enum Input {
    /// A WAV file.
    File(File),
    /// Raw sound on standard input, as it is said.
    Live,
}

/// Where sound goes.
pub(super) enum Output {
    /// A WAV file, and the samples in it.
    File(wav::Writer<File>, usize),
    /// Raw sound on standard output, to be played.
    Live,
}

impl Output {
    /// A WAV file, without a sound so far.
    pub(super) fn file(file: File) -> std::io::Result<Output> {
        Ok(Output::File(wav::Writer::new(file)?, 0))
    }

    /// Writes samples; answers how long they are played from now on.
    fn write(&mut self, samples: &[i16]) -> std::io::Result<Duration> {
        match self {
            Output::File(_, written) if *written + samples.len() > MOST_OUTPUT => {
                return Err(IoError::other("the output file holds half an hour, and takes no more"));
            }
            Output::File(file, written) => {
                file.write(samples)?;
                *written += samples.len();
                return Ok(Duration::ZERO);
            }
            Output::Live => {}
        }
        let mut output = std::io::stdout().lock();
        output.write_all(&bytes(samples))?;
        output.flush()?;
        Ok(Duration::from_secs_f64(samples.len() as f64 / f64::from(RATE)))
    }
}

/// A conversation by voice.
pub(super) struct Talk {
    words: &'static Words,
    ear: Mutex<Ear>,
    mouth: Mutex<(Mouth, Output)>,
    input: Mutex<Option<Input>>,
    conversation: ConversationId,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The number of the last request to the driver.
    last: u64,
    /// What is not answered yet, by its number, and whether it is the stop.
    open: HashMap<u64, bool>,
    /// Until when an answer is played.
    plays: Option<Instant>,
    /// Whether the program ends, to be started again.
    leaves: bool,
    /// Why it ends, where that is a failure.
    ended: Option<String>,
}

/// What words come to.
#[derive(Debug, PartialEq, Eq)]
enum Meant {
    Stop,
    /// A yes or a no.
    Answer,
    Line,
}

impl Talk {
    pub(super) fn new(ear: Ear, mouth: Mouth, input: Input, output: Output, words: &'static Words) -> Talk {
        Talk {
            words,
            ear: Mutex::new(ear),
            mouth: Mutex::new((mouth, output)),
            input: Mutex::new(Some(input)),
            conversation: ConversationId::generate(),
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Hears a file: one utterance after the other, each once the one before is answered.
    fn hear_file(&self, file: File, heard: &dyn Fn(Asked)) -> Result<(), Ended> {
        let sound = wav::read(std::io::BufReader::new(file)).map_err(Ended::Sound)?;
        let mut utterances = Utterances::default();
        let mut found = utterances.push(&sound);
        found.extend(utterances.finish());
        for utterance in found {
            self.utterance(utterance, false, heard)?;
            self.wait();
            if self.state().ended.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Hears standard input as it comes, until it ends.
    fn hear_live(&self, heard: &dyn Fn(Asked)) -> Result<(), Ended> {
        let mut input = std::io::stdin().lock();
        let (mut utterances, mut rest, mut piece) = (Utterances::default(), Vec::new(), vec![0; PIECE]);
        let mut echoes = false;
        loop {
            match input.read(&mut piece) {
                Ok(0) => break,
                Ok(read) => rest.extend_from_slice(&piece[..read]),
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(e) => return Err(Ended::Input(e)),
            }
            let whole = rest.len() / 2 * 2;
            let sound: Vec<i16> = samples(&rest[..whole]).collect();
            rest.drain(..whole);
            // What begins while an answer is played may be its echo, however late it ends.
            if !utterances.is_speech() {
                echoes = self.is_busy();
            }
            for utterance in utterances.push(&sound) {
                self.utterance(utterance, echoes || self.is_busy(), heard)?;
            }
            if self.state().ended.is_some() {
                return Ok(());
            }
        }
        if let Some(utterance) = utterances.finish() {
            self.wait();
            self.utterance(utterance, echoes, heard)?;
        }
        self.wait();
        Ok(())
    }

    /// What somebody said becomes a line, the stop, or nothing; the stop alone while this `is_busy`.
    fn utterance(&self, utterance: Heard, is_busy: bool, heard: &dyn Fn(Asked)) -> Result<(), Ended> {
        let Heard::Utterance(sound) = utterance else {
            say(&format!("voice: not heard: that was longer than {LONGEST_SECONDS} seconds without a pause"));
            return Ok(());
        };
        let said = lock(&self.ear).hear(&sound);
        let line = match said {
            Ok(Said::Words(words)) => words,
            Ok(Said::Nothing) => {
                say("voice: heard nothing that the ear understands");
                return Ok(());
            }
            Ok(Said::Strange) => {
                say("voice: not acted on: what the ear sent is not what a person says");
                return Ok(());
            }
            Err(why) if why.passes() => {
                say(&format!("voice: the ear: {why}"));
                return Ok(());
            }
            Err(why) => return Err(Ended::Ear(why)),
        };
        let meant = meant(&line);
        show("you", &line);
        let ask = match meant {
            Meant::Stop => Ask::Stop { reason: "somebody said so by voice".to_owned() },
            _ if is_busy => {
                say("voice: not acted on: an answer comes or is played; `stop` alone is heard then");
                return Ok(());
            }
            Meant::Answer => {
                self.speak(self.words.aloud);
                return Ok(());
            }
            Meant::Line => Ask::Chat {
                message: line,
                conversation: Some(self.conversation.to_string()),
                begins: true,
                stream: false,
                asks: false,
                pictures: vec![],
                texts: vec![],
            },
        };
        let mut state = self.state();
        if state.leaves {
            return Ok(());
        }
        state.last += 1;
        let id = state.last;
        state.open.insert(id, meant == Meant::Stop);
        drop(state);
        heard(Asked { id, token: None, ask });
        Ok(())
    }

    /// Whether a line is being answered, or an answer is played.
    fn is_busy(&self) -> bool {
        let state = self.state();
        !state.open.is_empty() || state.plays.is_some_and(|until| until > Instant::now())
    }

    /// Waits until all is answered.
    fn wait(&self) {
        let mut state = self.state();
        while !state.open.is_empty() {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Shows an answer and has it spoken. What cannot be spoken was shown.
    fn speak(&self, answer: &str) {
        show("bot", answer);
        let mut mouth = lock(&self.mouth);
        let (mouth, output) = &mut *mouth;
        for part in speech::parts(&text::block(answer)) {
            let sound = match mouth.speak(&part) {
                Ok(sound) => sound,
                Err(why) => {
                    say(&format!("voice: the mouth: {why}"));
                    if !why.passes() {
                        self.state().ended.get_or_insert(Ended::Mouth(why).to_string());
                    }
                    return;
                }
            };
            match output.write(&sound) {
                Ok(played) if played > Duration::ZERO => {
                    let mut state = self.state();
                    let from =
                        state.plays.filter(|until| *until > Instant::now()).unwrap_or_else(Instant::now);
                    state.plays = Some(from + played + ECHO);
                }
                Ok(_) => {}
                Err(why) => {
                    self.state().ended.get_or_insert(Ended::Output(why).to_string());
                    return;
                }
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

/// Why it ends before its input does.
#[derive(Debug, thiserror::Error)]
enum Ended {
    #[error("the sound that came in: {0}")]
    Sound(wav::Fault),
    #[error("standard input: {0}")]
    Input(IoError),
    #[error("the output: {0}")]
    Output(IoError),
    #[error("the ear: {0}")]
    Ear(Fault),
    #[error("the mouth: {0}")]
    Mouth(Fault),
}

/// What words come to. A yes and a no are answers to nothing that is asked by voice, in the program's words or in a person's.
fn meant(words: &str) -> Meant {
    if is_stop(words) {
        Meant::Stop
    } else if word(words, true).is_some()
        || language::intent(words).is_some_and(|meant| meant.intent == Intent::Confirm)
    {
        Meant::Answer
    } else {
        Meant::Line
    }
}

/// Shows who said what, on standard error; that nobody reads it is not a failure.
fn show(who: &str, said: &str) {
    let _ = writeln!(std::io::stderr(), "{who}: {}", text::block(said));
}

impl Side for Talk {
    fn listen(&self, heard: &dyn Fn(Asked)) {
        let input = lock(&self.input).take();
        let ended = match input {
            Some(Input::File(file)) => self.hear_file(file, heard),
            Some(Input::Live) => self.hear_live(heard),
            None => Ok(()),
        };
        if let Err(why) = ended {
            self.wait();
            self.state().ended.get_or_insert(text::line(&why.to_string()));
        }
    }

    fn tell(&self, told: &Told) -> bool {
        let Told::Answered(Answered { id, part }) = told else { return true };
        if !matches!(part, Part::Done(_) | Part::Refused { .. }) || !self.state().open.contains_key(id) {
            return true;
        }
        if let Some(answer) = self.words.end(part).filter(|answer| !answer.is_empty()) {
            self.speak(&answer);
        }
        self.state().open.remove(id);
        self.changed.notify_all();
        true
    }

    fn leave(&self) -> bool {
        let mut state = self.state();
        state.leaves = true;
        state.open.is_empty()
    }

    fn gone(&self) -> Result<u8, Error> {
        match self.state().ended.take() {
            Some(why) => Err(Error::System { what: "the talk by voice", source: IoError::other(why) }),
            None => Ok(exit::DONE),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
