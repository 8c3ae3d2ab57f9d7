//! Where an utterance begins and ends.

use std::collections::VecDeque;

use earshot::Detector;

use crate::{LONGEST, RATE};

/// Samples that are judged at once: 16 ms.
const FRAME: usize = 256;
/// From which score on a frame counts as speech.
const SPEECH: f32 = 0.5;
/// Sound before the first frame of speech that belongs to the utterance: a third of a second.
const BEFORE: usize = 20 * FRAME;
/// Frames without speech that end an utterance: 0.7 seconds.
const PAUSE: usize = RATE as usize * 7 / 10 / FRAME;
/// Frames of speech that an utterance has at least; less is a click or a cough.
const LEAST: usize = 6;

/// What somebody said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// Samples of an utterance, with a little of the silence around it.
    Utterance(Vec<i16>),
    /// Somebody spoke longer than [`LONGEST`] without a pause.
    TooLong,
}

/// Finds the utterances of a stream of samples. A pause of 0.7 seconds ends one, and so does the end of the stream.
pub struct Utterances {
    detector: Detector,
    /// Samples that are not a whole frame yet.
    rest: Vec<i16>,
    /// The newest samples while nobody speaks.
    before: VecDeque<i16>,
    current: Option<Current>,
}

struct Current {
    samples: Vec<i16>,
    /// Frames of speech.
    speech: usize,
    /// Frames since the last one of speech.
    silence: usize,
    /// Whether it is too long, so that no more of it is kept.
    is_too_long: bool,
}

impl Default for Utterances {
    fn default() -> Utterances {
        Utterances {
            detector: Detector::default(),
            rest: Vec::new(),
            before: VecDeque::with_capacity(BEFORE),
            current: None,
        }
    }
}

impl Utterances {
    /// Takes more samples; answers the utterances that ended in them.
    pub fn push(&mut self, samples: &[i16]) -> Vec<Heard> {
        let mut rest = std::mem::take(&mut self.rest);
        rest.extend_from_slice(samples);
        let (frames, left) = rest.as_chunks::<FRAME>();
        let heard = frames.iter().filter_map(|frame| self.frame(frame)).collect();
        self.rest = left.to_vec();
        heard
    }

    /// The stream has ended; answers the utterance that was being said.
    pub fn finish(&mut self) -> Option<Heard> {
        self.rest.clear();
        self.before.clear();
        self.detector.reset();
        self.current.take().and_then(Current::ended)
    }

    /// Whether somebody is speaking.
    pub fn is_speech(&self) -> bool {
        self.current.is_some()
    }

    fn frame(&mut self, frame: &[i16; FRAME]) -> Option<Heard> {
        let is_speech = self.detector.predict_i16(frame) >= SPEECH;
        match &mut self.current {
            None if is_speech => {
                let mut samples: Vec<i16> = self.before.drain(..).collect();
                samples.extend_from_slice(frame);
                self.current = Some(Current { samples, speech: 1, silence: 0, is_too_long: false });
                None
            }
            None => {
                let over = (self.before.len() + FRAME).saturating_sub(BEFORE);
                self.before.drain(..over);
                self.before.extend(frame);
                None
            }
            Some(current) => {
                current.add(frame, is_speech);
                if current.silence < PAUSE { None } else { self.current.take().and_then(Current::ended) }
            }
        }
    }
}

impl Current {
    fn add(&mut self, frame: &[i16], is_speech: bool) {
        self.is_too_long |= self.samples.len() + frame.len() > LONGEST;
        if self.is_too_long {
            self.samples = Vec::new();
        } else {
            self.samples.extend_from_slice(frame);
        }
        if is_speech {
            self.speech += 1;
            self.silence = 0;
        } else {
            self.silence += 1;
        }
    }

    fn ended(self) -> Option<Heard> {
        if self.is_too_long {
            return Some(Heard::TooLong);
        }
        (self.speech >= LEAST).then_some(Heard::Utterance(self.samples))
    }
}

#[cfg(test)]
mod tests;
