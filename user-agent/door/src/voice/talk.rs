//! The side of the driver: utterances in, spoken answers out.
//!
//! What was said is a line of the person, one at a time. While one is answered or its answer is played, nothing but the stop is acted on:
//! the microphone hears the loudspeaker as well. A learned skill that listens is handed the next utterance in place of the conversation.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Error as IoError, ErrorKind, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bot_base::error::{Error, say};
use documents::profile_file::Voice as Settings;
use language::Intent;
use ports::Kernel;
use ports::voice::{NoVoice, Voice};
use shared_types::exit;
use shared_types::id::{ConversationId, SkillName};
use shared_types::text;
use sound::{Heard, LONGEST_SECONDS, RATE, Utterances, bytes, samples, wav};

use super::phrases::{self, TALKS};
use super::push::Push;
use super::services::{Ear, Fault, Mouth, Said};
use super::speech;
use crate::frames::{Answered, Ask, Asked, Part, ToDoor};
use crate::messenger::rooms::{is_stop, word};
use crate::messenger::words::Words;
use crate::side::Side;

/// Bytes of standard input that are read at once: a tenth of a second.
const PIECE: usize = RATE as usize / 5;
/// How long the loudspeaker still sounds after an answer.
const ECHO: Duration = Duration::from_millis(300);
/// How often a skill that listens looks whether its call was ended.
const LOOK: Duration = Duration::from_millis(50);
/// The most sound of an output file, in samples: half an hour.
const MOST_OUTPUT: usize = 30 * 60 * RATE as usize;

/// Where sound comes from.
pub(super) enum Input {
    /// A WAV file.
    File(File),
    /// Raw sound on standard input, as it is said.
    Live(File),
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

    /// How long samples are played once they are written.
    fn plays(&self, samples: &[i16]) -> Option<Duration> {
        let seconds = samples.len() as f64 / f64::from(RATE);
        matches!(self, Output::Live).then(|| Duration::from_secs_f64(seconds))
    }

    /// Writes samples, at the pace of the player; no more of them once this is `interrupted`.
    fn write(&mut self, samples: &[i16], interrupted: &AtomicBool) -> std::io::Result<()> {
        match self {
            Output::File(_, written) if *written + samples.len() > MOST_OUTPUT => {
                return Err(IoError::other("the output file holds half an hour, and takes no more"));
            }
            Output::File(file, written) => {
                file.write(samples)?;
                *written += samples.len();
                return Ok(());
            }
            Output::Live => {}
        }
        let mut output = std::io::stdout().lock();
        for piece in samples.chunks(PIECE / 2) {
            if interrupted.load(Ordering::Relaxed) {
                break;
            }
            output.write_all(&bytes(piece))?;
            output.flush()?;
        }
        Ok(())
    }
}

/// How loud and how long the profile is spoken to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner {
    /// In percent.
    volume: i32,
    /// The most samples of an answer.
    longest: Option<usize>,
}

impl Manner {
    /// As the profile's file says.
    pub(super) fn of(settings: &Settings) -> Manner {
        let samples = |seconds: u64| usize::try_from(seconds).unwrap_or(usize::MAX) * RATE as usize;
        let volume = settings.volume.and_then(|volume| i32::try_from(volume).ok()).unwrap_or(100);
        Manner { volume, longest: settings.longest_answer.map(samples) }
    }

    /// The samples at this volume.
    fn at_volume(self, mut sound: Vec<i16>) -> Vec<i16> {
        for sample in &mut sound {
            *sample = i16::try_from(i32::from(*sample) * self.volume / 100).unwrap_or_default();
        }
        sound
    }
}

/// A conversation by voice.
pub(super) struct Talk {
    words: &'static Words,
    manner: Manner,
    ear: Mutex<Ear>,
    mouth: Mutex<(Mouth, Output)>,
    input: Mutex<Option<Input>>,
    /// When the person wants to be heard; without it always.
    push: Mutex<Option<Push>>,
    /// What a line begins with.
    wake: Option<String>,
    /// Whether the answer that is played ends early.
    interrupted: AtomicBool,
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
    /// What a skill that listens is handed, once it is there.
    wanted: Option<Option<String>>,
    /// Whether no sound comes any more.
    is_over: bool,
    /// Whether somebody is speaking.
    speaks: bool,
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
    pub(super) fn new(
        (ear, mouth): (Ear, Mouth),
        (input, push, output): (Input, Option<Push>, Output),
        words: &'static Words,
        settings: &Settings,
    ) -> Talk {
        Talk {
            words,
            manner: Manner::of(settings),
            wake: settings.wake.clone(),
            push: Mutex::new(push),
            interrupted: AtomicBool::new(false),
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

    /// Hears standard input as it comes, until it ends, or until another process continues with it.
    fn hear_live(&self, mut input: File, heard: &dyn Fn(Asked)) -> Result<(), Ended> {
        let (mut utterances, mut piece) = (Utterances::default(), vec![0; PIECE]);
        let (mut echoes, mut presses, mut push) = (false, 0, lock(&self.push).take());
        if let Some(push) = &mut push {
            push.begin();
        }
        while !self.has_left(utterances.is_speech()) {
            let read = match input.read(&mut piece) {
                Ok(0) => break,
                // No sample is left in two.
                Ok(read) if read % 2 == 1 => match input.read_exact(&mut piece[read..=read]) {
                    Ok(()) => read + 1,
                    Err(e) if e.kind() == ErrorKind::UnexpectedEof => break,
                    Err(e) => return Err(Ended::Input(e)),
                },
                Ok(read) => read,
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(e) => return Err(Ended::Input(e)),
            };
            let sound: Vec<i16> = samples(&piece[..read]).collect();
            if let Some(push) = &push {
                let before = std::mem::replace(&mut presses, push.changes());
                let (was_heard, is_heard) = (before % 2 == 1, presses % 2 == 1);
                if presses != before
                    && let Some(utterance) = utterances.finish()
                {
                    self.utterance(utterance, echoes || self.is_busy(), heard)?;
                }
                if is_heard && !was_heard {
                    self.interrupt();
                }
                if !is_heard {
                    continue;
                }
            }
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
        show("you", &line);
        let woken = self.wake.as_deref().map_or(Some(line.as_str()), |wake| woken(wake, &line));
        let line = woken.unwrap_or(&line).to_owned();
        let meant = meant(&line);
        let ask = match meant {
            Meant::Stop => {
                self.interrupt();
                Ask::Stop { reason: "somebody said so by voice".to_owned() }
            }
            _ if !is_busy && self.hand_over(&line) => return Ok(()),
            _ if woken.is_none() => {
                say("voice: not acted on: it does not begin with `voice.wake` of the profile's file");
                return Ok(());
            }
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
        state.last += 1;
        let id = state.last;
        state.open.insert(id, meant == Meant::Stop);
        drop(state);
        heard(Asked { id, token: None, ask });
        Ok(())
    }

    /// Ends the answer that is played.
    fn interrupt(&self) {
        self.interrupted.store(true, Ordering::Relaxed);
        let mut state = self.state();
        if let Some(until) = &mut state.plays {
            *until = (*until).min(Instant::now() + ECHO);
        }
    }

    /// Whether another process continues with the sound: the program ends, nobody is speaking and all is answered.
    fn has_left(&self, speaks: bool) -> bool {
        let mut state = self.state();
        state.speaks = speaks;
        state.leaves && !speaks && state.open.is_empty()
    }

    /// Gives what was said to a skill that listens; false where none does.
    fn hand_over(&self, line: &str) -> bool {
        let mut state = self.state();
        let waits = matches!(state.wanted, Some(None));
        if waits {
            state.wanted = Some(Some(line.to_owned()));
            self.changed.notify_all();
        }
        waits
    }

    /// Whether a line is being answered while no skill listens, or an answer is played.
    fn is_busy(&self) -> bool {
        let state = self.state();
        let is_played = state.plays.is_some_and(|until| until > Instant::now());
        is_played || (!state.open.is_empty() && !matches!(state.wanted, Some(None)))
    }

    /// Waits until all is answered, or a skill wants to hear more.
    fn wait(&self) {
        let mut state = self.state();
        while !state.open.is_empty() && (state.is_over || !matches!(state.wanted, Some(None))) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Shows an answer and has it spoken.
    fn speak(&self, answer: &str) {
        self.aloud("bot", answer);
    }

    /// Shows a text and has it spoken, as loud and as long as the profile allows; false where the mouth failed. What cannot be spoken
    /// was shown.
    fn aloud(&self, who: &str, answer: &str) -> bool {
        show(who, answer);
        let mut mouth = lock(&self.mouth);
        let (mouth, output) = &mut *mouth;
        self.interrupted.store(false, Ordering::Relaxed);
        let (longest, mut left) = (self.manner.longest, self.manner.longest);
        for part in speech::parts(&text::block(answer), left.is_some()) {
            let mut sound = match mouth.speak(&part) {
                Ok(sound) => self.manner.at_volume(sound),
                Err(why) => {
                    say(&format!("voice: the mouth: {why}"));
                    if !why.passes() {
                        self.state().ended.get_or_insert(Ended::Mouth(why).to_string());
                    }
                    return false;
                }
            };
            let is_cut = left.is_some_and(|left| sound.len() > left);
            if let Some(left) = left.filter(|_| is_cut) {
                // The first sentence is cut where it is too long; a later one is left out as a whole.
                sound.truncate(if Some(left) == longest { left } else { 0 });
            }
            left = left.map(|left| left - sound.len());
            if self.interrupted.load(Ordering::Relaxed) {
                return true;
            }
            if let Some(played) = output.plays(&sound) {
                let mut state = self.state();
                let from = state.plays.filter(|until| *until > Instant::now()).unwrap_or_else(Instant::now);
                state.plays = Some(from + played + ECHO);
            }
            if let Err(why) = output.write(&sound, &self.interrupted) {
                self.state().ended.get_or_insert(Ended::Output(why).to_string());
                return false;
            }
            if is_cut {
                say("voice: the rest is not spoken: `voice.longest_answer` of the profile's file ends it");
                break;
            }
        }
        true
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

/// What follows the words that a line begins with, in any case and with any marks; nothing where it does not begin so.
fn woken<'a>(wake: &str, line: &'a str) -> Option<&'a str> {
    let mut rest = line;
    for word in wake.split(' ') {
        rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
        let end = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
        let (said, after) = rest.split_at(end);
        rest = (said.to_lowercase() == word).then_some(after)?;
    }
    let rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
    (!rest.is_empty()).then_some(rest)
}

/// Shows who said what, on standard error; that nobody reads it is not a failure.
fn show(who: &str, said: &str) {
    let _ = writeln!(std::io::stderr(), "{who}: {}", text::block(said));
}

/// A conversation by voice, shared by its driver and the skills that hear and speak in it.
pub(super) struct Shared(pub(super) Arc<Talk>);

impl Voice for Talk {
    fn say(&self, skill: &SkillName, text: &str) -> Result<(), NoVoice> {
        if self.aloud(skill.as_str(), text) { Ok(()) } else { Err(NoVoice::Failed) }
    }

    fn listen(
        &self,
        skill: &SkillName,
        at_most: Duration,
        cancel: &AtomicBool,
    ) -> Result<Option<String>, NoVoice> {
        let (begun, mut state) = (Instant::now(), self.state());
        if state.wanted.is_some() {
            return Err(NoVoice::Taken);
        }
        say(&format!("voice: {skill} listens for {} s", at_most.as_secs()));
        state.wanted = Some(None);
        self.changed.notify_all();
        loop {
            if let Some(words) = state.wanted.take_if(|wanted| wanted.is_some()).flatten() {
                return Ok(Some(words));
            }
            // What is still played is not heard.
            let from = state.plays.map_or(begun, |until| until.max(begun));
            let left = (from + at_most).saturating_duration_since(Instant::now());
            if left.is_zero() || state.is_over || state.ended.is_some() || cancel.load(Ordering::Relaxed) {
                state.wanted = None;
                return Ok(None);
            }
            let waited = self.changed.wait_timeout(state, left.min(LOOK));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Side for Shared {
    /// The ear gets the list of what may be said to this kernel.
    fn attached(&self, kernel: &Arc<Kernel>) {
        let talk = &self.0;
        let Some(ctx) = kernel.context_of(TALKS) else { return };
        let mut ear = lock(&talk.ear);
        let list = phrases::list(&ctx, talk.wake.as_deref(), ear.language());
        if let Err(why) = ear.expects(list) {
            talk.state().ended.get_or_insert(Ended::Ear(why).to_string());
        }
    }

    fn listen(&self, heard: &dyn Fn(Asked)) {
        let talk = &self.0;
        let input = lock(&talk.input).take();
        let ended = match input {
            Some(Input::File(file)) => talk.hear_file(file, heard),
            Some(Input::Live(sound)) => talk.hear_live(sound, heard),
            None => Ok(()),
        };
        talk.state().is_over = true;
        talk.changed.notify_all();
        talk.wait();
        if let Err(why) = ended {
            talk.state().ended.get_or_insert(text::line(&why.to_string()));
        }
    }

    fn voice(&self) -> Option<Arc<dyn Voice>> {
        Some(self.0.clone())
    }

    fn tell(&self, told: &ToDoor) -> bool {
        let ToDoor::Answered(Answered { id, part }) = told else { return true };
        if !matches!(part, Part::Done(_) | Part::Refused { .. }) || !self.0.state().open.contains_key(id) {
            return true;
        }
        let talk = &self.0;
        if let Some(answer) = talk.words.end(part).filter(|answer| !answer.is_empty()) {
            talk.speak(&answer);
        }
        talk.state().open.remove(id);
        talk.changed.notify_all();
        true
    }

    fn leave(&self) -> bool {
        let mut state = self.0.state();
        state.leaves = true;
        state.open.is_empty() && !state.speaks
    }

    fn gone(&self) -> Result<u8, Error> {
        match self.0.state().ended.take() {
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
