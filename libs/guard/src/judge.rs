//! What a text looks like, how sure that is, and what to do about it.

use shared_types::audience::Audience;

use crate::encodings;
use crate::keys;
use crate::machine::Machine;
use crate::tables::{self, Family, Limits, RULES};
use crate::verdict::{Judgement, Noticed, Source, Verdict};
use crate::words;

/// The longest line that is taken from a person, in bytes.
pub const MAX_TYPED: usize = 1024 * 1024;

/// How deep encodings are looked into.
const DEEPEST: usize = 3;

/// How much decoded text is looked at for one text, in bytes, beyond the length of the text itself.
const MOST_DECODED: usize = 64 * 1024;

/// The most rules that one judgement names.
const MOST_NAMED: usize = 16;

/// The weight from which on a rule is named: a lighter one says nothing on its own. In thousandths of nats.
const TELLING: i32 = 200;

/// From this score on a decoded text shows that it was encoded to hide what it says.
const HIDDEN_FROM: f32 = 0.4;

/// Judges texts from one source for one audience.
#[derive(Debug, Clone, Default)]
pub struct Judge {
    audience: Audience,
    source: Source,
    /// The words of further phrases that are blocked.
    phrases: Vec<Vec<u32>>,
}

impl Judge {
    /// A judge with the thresholds of an audience.
    #[must_use]
    pub fn new(audience: Audience, source: Source) -> Judge {
        Judge { audience, source, phrases: Vec::new() }
    }

    /// Blocks these words and phrases too, however they are spelt; an empty one is left out.
    #[must_use]
    pub fn with_words<S: AsRef<str>>(mut self, words: &[S]) -> Judge {
        self.phrases =
            words.iter().map(|phrase| keys::of(phrase.as_ref())).filter(|p| !p.is_empty()).collect();
        self
    }

    /// Whether what is judged was typed by a person.
    #[must_use]
    pub fn is_of_typed(&self) -> bool {
        self.source == Source::Typed
    }

    /// Judges a text.
    pub fn judge(&self, text: &str) -> Judgement {
        let mut left = text.len() + MOST_DECODED;
        let found = self.look(text, 0, &mut left);
        let mut score = score(found.weight());
        let mut noticed = found.rules;
        let mut forbidden = false;
        if self.source == Source::Typed && text.len() > MAX_TYPED {
            noticed.insert(0, TOO_LONG);
            forbidden = true;
        }
        if found.phrase {
            noticed.insert(0, BLOCKED_WORD);
            forbidden = true;
        }
        let limits = self.limits();
        let verdict = if forbidden {
            score = 1.0;
            Verdict::Block
        } else if score >= limits.block {
            Verdict::Block
        } else if score >= limits.caution {
            Verdict::Caution
        } else {
            Verdict::Pass
        };
        if verdict != Verdict::Pass && noticed.is_empty() {
            noticed.push(LIGHT);
        }
        noticed.truncate(MOST_NAMED);
        Judgement { verdict, score, noticed }
    }

    fn limits(&self) -> Limits {
        match self.audience {
            Audience::Child => tables::CHILD,
            Audience::Teen => tables::TEEN,
            Audience::Adult => tables::ADULT,
            Audience::Work => tables::WORK,
        }
    }

    fn look(&self, text: &str, depth: usize, left: &mut usize) -> Found {
        let mut machine = Machine::new(self.audience, self.source);
        let odd = words::read(text, &mut machine);
        let mut inner: Vec<(Found, bool)> = Vec::new();
        if depth < DEEPEST {
            let mut look_into = |decoded: &str, hides: bool| {
                if decoded.len() <= *left {
                    *left -= decoded.len();
                    inner.push((self.look(decoded, depth + 1, left), hides));
                }
            };
            if !odd.tagged.is_empty() {
                look_into(&odd.tagged, true);
            }
            encodings::runs(text, |decoded| look_into(decoded, true));
            if let Some(plain) = encodings::unescaped(text) {
                look_into(&plain, true);
            }
            if let Some(plain) = encodings::morse(text) {
                look_into(&plain, true);
            }
            // What was turned once is not turned back.
            if depth == 0 && machine.rot13 > 0 {
                look_into(&encodings::rotated(text), true);
            }
            if depth == 0 && machine.backwards > 0 {
                look_into(&encodings::reversed(text), true);
            }
        }
        if !odd.tagged.is_empty() {
            machine.notice("hidden-tags");
        }
        if odd.invisible >= 3 {
            machine.notice("invisible-characters");
        }
        if odd.mixed >= 1 {
            machine.notice("mixed-scripts");
        }
        if inner.iter().any(|(found, hides)| *hides && score(found.weight()) >= HIDDEN_FROM) {
            machine.notice("hidden-by-encoding");
        }
        let (steering, harm) = (machine.weight(Family::Steering), machine.weight(Family::Harm));
        // What speaks for a text speaks against its learned weights too.
        let learned = machine.learned.evidence() + steering.min(0) + harm.min(0);
        let rules = machine.rules.iter().map(|at| &RULES[usize::from(*at)]);
        let rules =
            rules.filter(|rule| rule.typed >= TELLING).map(|rule| Noticed { id: rule.id, says: rule.says });
        let mut found = Found {
            steering: steering.max(0),
            harm: harm.max(0),
            blocked: machine.weight(Family::Blocked).max(0),
            learned,
            rules: rules.collect(),
            phrase: self.holds_phrase(text),
        };
        if learned >= TELLING {
            found.rules.push(LEARNED);
        }
        for (hidden, _) in inner {
            found.take_in(hidden);
        }
        found
    }

    fn holds_phrase(&self, text: &str) -> bool {
        if self.phrases.is_empty() {
            return false;
        }
        let keys = keys::of(text);
        self.phrases.iter().any(|phrase| keys.windows(phrase.len()).any(|window| window == phrase))
    }
}

/// What one look at a text found.
struct Found {
    /// In thousandths of nats.
    steering: i32,
    harm: i32,
    /// Of words that are held back regardless of what speaks for them.
    blocked: i32,
    learned: i32,
    rules: Vec<Noticed>,
    phrase: bool,
}

impl Found {
    /// The weight of all: two kinds of suspicion are more than one, but less than their sum.
    fn weight(&self) -> i32 {
        let rules = self.steering.max(self.harm) + self.steering.min(self.harm) / 2;
        (rules + self.learned).max(0) + self.blocked
    }

    fn take_in(&mut self, other: Found) {
        // The same words stated twice weigh once.
        let fresh = other.rules.iter().any(|rule| !self.rules.contains(rule));
        if fresh {
            self.steering += other.steering;
            self.harm += other.harm;
        } else {
            self.steering = self.steering.max(other.steering);
            self.harm = self.harm.max(other.harm);
        }
        self.learned = self.learned.max(other.learned);
        self.blocked = self.blocked.max(other.blocked);
        for rule in other.rules {
            if !self.rules.contains(&rule) {
                self.rules.push(rule);
            }
        }
        self.phrase |= other.phrase;
    }
}

fn score(weight: i32) -> f32 {
    let score = 1.0 - (-f64::from(weight) / 1000.0).exp();
    // Two digits are more than can be known.
    #[expect(clippy::cast_possible_truncation, reason = "a number between 0 and 1")]
    let score = ((score * 100.0).round() / 100.0).min(0.99) as f32;
    score
}

const TOO_LONG: Noticed = Noticed { id: "too-long", says: "is longer than a line may be (1 MiB)" };
const LEARNED: Noticed = Noticed {
    id: "learned-words",
    says: "has words that stood in texts of this kind more often than in others",
};
const LIGHT: Noticed =
    Noticed { id: "light-signs", says: "has several signs, each of which says little alone" };
const BLOCKED_WORD: Noticed =
    Noticed { id: "blocked-word", says: "holds a word that the configuration blocks" };

#[cfg(test)]
mod tests;
