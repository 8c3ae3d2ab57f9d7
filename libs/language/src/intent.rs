//! Which intent a line has.

use std::ops::Range;

use crate::compiled::{Compiled, Take};
use crate::data::Kind;
use crate::languages::{self, Language, loose_reading, readings};
use crate::pattern::Found;
use crate::slot::said;
use crate::words::Words;

/// What a person's line means, beyond what tools take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Intent {
    /// Wants an ability.
    Learn {
        /// What the ability is, in the person's words.
        wish: String,
    },
    /// Says yes.
    Confirm,
    /// Says no.
    Decline,
    /// Tells a fact that is to be kept.
    Remember {
        /// The fact, in the person's words.
        fact: String,
    },
    /// Wants something forgotten.
    Forget {
        /// What, in the person's words.
        what: String,
    },
    /// Wants everything forgotten.
    ForgetAll,
    /// Wants something forgotten and does not say what.
    ForgetWhich,
    /// Asks for something that was told before.
    Recall {
        /// What, in the person's words; `me` for everything.
        what: String,
    },
    /// Greets.
    Greeting,
    /// Thanks.
    Thanks,
    /// Takes leave.
    Goodbye,
    /// Asks what the assistant can do.
    Capabilities,
    /// Asks what the assistant can not do.
    Limits,
    /// Asks who or what the assistant is.
    WhoAreYou,
    /// Asks how the assistant is.
    HowAreYou,
    /// Speaks of the assistant: its age, its feelings, what it is like.
    AboutYou,
    /// Says how the person feels.
    Feeling,
    /// Wants an ability and does not say which.
    LearnWhat,
    /// Orders something: a verb and what it is done to.
    Order,
    /// Asks what the assistant has asked to learn, or whether it can do so by now.
    Proposals,
    /// Asks who can read what is typed.
    Privacy,
    /// Wants a file opened or made and does not say which.
    WhichFile,
    /// Asks whether the assistant hears, or speaks to it.
    CanYouHear,
    /// Is meant in fun.
    Fun,
    /// Tells a sad event.
    Comfort,
}

/// An intent, and the language it was said in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meant {
    /// The intent.
    pub intent: Intent,
    /// The language of the pattern that matched.
    pub language: Language,
}

/// The intent of a line; of all patterns that match the whole line, the one with the most words decides. A line of several
/// clauses, such as `hello, how are you?`, has the intent of the first that is more than a greeting.
pub fn intent(line: &str) -> Option<Meant> {
    match whole(line) {
        Whole::Meant(meant) => Some(meant),
        Whole::Excluded => None,
        Whole::Unknown => of_clauses(line).or_else(|| {
            let bare = loose_reading(line)?;
            match whole(bare.typed(0..bare.len())) {
                // What somebody orders the program to do or keep is said plainly.
                Whole::Meant(meant) if !is_directive(&meant.intent) => Some(meant),
                _ => None,
            }
        }),
    }
}

fn is_directive(intent: &Intent) -> bool {
    use Intent::{Confirm, Decline, Forget, ForgetAll, Learn, LearnWhat, Remember};
    matches!(
        intent,
        Learn { .. } | Remember { .. } | Forget { .. } | ForgetAll | Confirm | Decline | LearnWhat
    )
}

/// What a line is as a whole.
enum Whole {
    Meant(Meant),
    /// It looks like an intent and has none.
    Excluded,
    Unknown,
}

fn whole(line: &str) -> Whole {
    match best(line, |kind| kind < Kind::FollowUp) {
        Some((_, language, compiled, payload)) => match meant(compiled.kind, payload) {
            Some(intent) => Whole::Meant(Meant { intent, language }),
            None => Whole::Excluded,
        },
        None => Whole::Unknown,
    }
}

/// The most words of clauses without an intent beside one that has only a greeting in it.
const MOST_BESIDE: usize = 3;

/// What a line of several clauses is about; never an order to learn, remember or forget, which a whole line gives.
fn of_clauses(line: &str) -> Option<Meant> {
    use Intent::{Confirm, Decline, Goodbye, Greeting, LearnWhat, Thanks};
    let clauses = clauses(line);
    if clauses.len() < 2 {
        return None;
    }
    let (mut found, mut beside): (Vec<Meant>, usize) = (Vec::new(), 0);
    for clause in clauses {
        match whole(clause) {
            Whole::Meant(meant) => match meant.intent {
                Confirm | Decline | LearnWhat => beside += 1,
                ref intent if is_directive(intent) => return None,
                _ => found.push(meant),
            },
            _ => beside += clause.split_whitespace().count(),
        }
    }
    let is_phrase = |meant: &&Meant| matches!(meant.intent, Greeting | Thanks | Goodbye);
    let more = found.iter().find(|meant| meant.intent != Greeting).cloned();
    let first = found.first()?.clone();
    let chosen = more.unwrap_or(first);
    (beside <= MOST_BESIDE || !is_phrase(&&chosen)).then_some(chosen)
}

/// The parts of a line between marks of punctuation.
pub fn clauses(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut from = 0;
    let marks = line.char_indices().filter(|(_, c)| matches!(c, ',' | ';' | ':' | '.' | '!' | '?' | '\n'));
    for (at, mark) in marks {
        let after = &line[at + mark.len_utf8()..];
        if after.starts_with(char::is_whitespace) || mark == '\n' {
            // A question keeps its mark.
            parts.push(&line[from..at + if mark == '?' { 1 } else { 0 }]);
            from = at + mark.len_utf8();
        }
    }
    parts.push(&line[from..]);
    parts.into_iter().map(str::trim).filter(|part| part.contains(char::is_alphanumeric)).collect()
}

/// What a line goes on with from the one before it, such as `Tokyo` in `and in Tokyo?` and in `Tokyo?`.
pub fn follow_up(line: &str) -> Option<String> {
    if let Some((_, _, _, what)) = best(line, |kind| kind == Kind::FollowUp) {
        return Some(what);
    }
    let bare = line.trim_end().strip_suffix('?')?.trim();
    (bare.split_whitespace().count() <= 2 && !bare.contains(['?', '!', '.']) && whole_is_unknown(bare))
        .then(|| bare.to_owned())
}

fn whole_is_unknown(line: &str) -> bool {
    matches!(whole(line), Whole::Unknown)
        && !Language::all().any(|l| l.data().questions.contains(&crate::fold::word(line).as_str()))
}

/// Why a wish is refused at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It would harm others, or undo the rules.
    Harm,
    /// It needs sound, speech or pictures.
    Sound,
    /// It needs mail, messages or calls.
    Mail,
    /// It is for a later time.
    Timer,
    /// Only the web knows it.
    Web,
    /// It buys or books something.
    Shop,
    /// It needs lights, doors or other devices.
    Devices,
}

impl Refusal {
    /// The sentence to the person.
    pub fn said(self, language: Language) -> &'static str {
        let says = language.says();
        match self {
            Refusal::Harm => says.harm,
            Refusal::Sound => says.no_sound,
            Refusal::Mail => says.no_mail,
            Refusal::Timer => says.no_timer,
            Refusal::Web => says.no_web,
            Refusal::Shop => says.no_order,
            Refusal::Devices => says.no_devices,
        }
    }
}

/// Whether a wish, or an order, is one that is refused at once, and in which language it was said.
pub fn refusal(wish: &str) -> Option<(Refusal, Language)> {
    let (_, language, compiled, _) = best(wish, |kind| kind >= Kind::Harm)?;
    let refusal = match compiled.kind {
        Kind::NoSound => Refusal::Sound,
        Kind::NoMail => Refusal::Mail,
        Kind::NoTimer => Refusal::Timer,
        Kind::NoWeb => Refusal::Web,
        Kind::NoOrder => Refusal::Shop,
        Kind::NoDevices => Refusal::Devices,
        _ => Refusal::Harm,
    };
    Some((refusal, language))
}

/// Of the patterns of some kinds that match a whole line, the one with the most words.
fn best(line: &str, wanted: impl Fn(Kind) -> bool) -> Option<(i32, Language, Compiled, String)> {
    let readings = readings(line);
    let asks = line.trim_end().ends_with('?');
    let first: Vec<&str> = readings.iter().map(|words| words.norm(0)).collect();
    let mut best: Option<(i32, Language, Compiled, Found, &Words<'_>)> = None;
    for language in Language::all() {
        for compiled in language.data().patterns(&first, &wanted) {
            // A question is no statement to be kept; it may be one for a tool.
            if asks && compiled.kind == Kind::Remember && !matches!(compiled.take, Take::Slot) {
                continue;
            }
            let found = readings.iter().filter_map(|w| Some((compiled.pattern.matches(w, &[])?, w)));
            let Some((found, words)) = found.max_by_key(|(f, _)| f.score) else { continue };
            if best.as_ref().is_none_or(|(score, ..)| found.score > *score) {
                best = Some((found.score, language, compiled, found, words));
            }
        }
    }
    let (score, language, compiled, found, words) = best?;
    let payload = payload(&compiled, &found, words);
    Some((score, language, compiled, payload))
}

fn meant(kind: Kind, payload: String) -> Option<Intent> {
    Some(match kind {
        Kind::None | Kind::Harm | Kind::FollowUp => return None,
        Kind::NoSound | Kind::NoMail | Kind::NoTimer | Kind::NoWeb | Kind::NoOrder | Kind::NoDevices => {
            return None;
        }
        Kind::Learn => Intent::Learn { wish: without_reason(&payload).to_owned() },
        Kind::Confirm => Intent::Confirm,
        Kind::Decline => Intent::Decline,
        Kind::Remember => Intent::Remember { fact: payload },
        Kind::Forget => Intent::Forget { what: payload },
        Kind::Recall => Intent::Recall { what: if payload.is_empty() { "me".to_owned() } else { payload } },
        Kind::Greeting => Intent::Greeting,
        Kind::Thanks => Intent::Thanks,
        Kind::Goodbye => Intent::Goodbye,
        Kind::Capabilities => Intent::Capabilities,
        Kind::Limits => Intent::Limits,
        Kind::WhoAreYou => Intent::WhoAreYou,
        Kind::HowAreYou => Intent::HowAreYou,
        Kind::AboutYou => Intent::AboutYou,
        Kind::Feeling => Intent::Feeling,
        Kind::LearnWhat => Intent::LearnWhat,
        Kind::Order => Intent::Order,
        Kind::ForgetAll => Intent::ForgetAll,
        Kind::ForgetWhich => Intent::ForgetWhich,
        Kind::Proposals => Intent::Proposals,
        Kind::Privacy => Intent::Privacy,
        Kind::WhichFile => Intent::WhichFile,
        Kind::CanYouHear => Intent::CanYouHear,
        Kind::Fun => Intent::Fun,
        Kind::Comfort => Intent::Comfort,
    })
}

/// A wish without the reason behind its comma: `roll dice, our dice is lost` is a wish for `roll dice`.
fn without_reason(wish: &str) -> &str {
    let tells = |rest: &str| {
        let first = crate::terms::fold(rest.split_whitespace().next().unwrap_or_default());
        Language::all().any(|l| l.statements().person.contains(&first.as_str()))
    };
    let at = wish.match_indices(", ").find(|(at, _)| *at > 0 && tells(&wish[at + 2..]));
    at.map_or(wish, |(at, _)| &wish[..at])
}

fn payload(compiled: &Compiled, found: &Found, words: &Words<'_>) -> String {
    let text = |slot: &Option<Range<usize>>| slot.clone().map(|taken| said(words, taken));
    match compiled.take {
        Take::Slot => found.slots.iter().find_map(text).unwrap_or_default().to_owned(),
        Take::Line => words.span(0..words.len()).to_owned(),
        Take::Text(template) => {
            let names = compiled.pattern.slots().iter().zip(&found.slots);
            let values: Vec<(&str, &str)> =
                names.filter_map(|(name, slot)| Some((name.as_str(), text(slot)?))).collect();
            languages::fill(template, &values)
        }
    }
}

/// Whether a line is a question, by its mark or by its first word.
pub fn is_question(line: &str) -> bool {
    let begins = |words: &Words<'_>| Language::all().any(|l| l.data().questions.contains(&words.norm(0)));
    let readings = readings(line);
    !readings.is_empty() && (line.trim_end().ends_with('?') || readings.iter().any(begins))
}

/// Whether a line asks for something: a question, a request by its first words, or said with politeness before it.
pub fn looks_like_request(line: &str) -> bool {
    is_question(line)
        || readings(line).iter().any(|words| {
            Language::all().flat_map(|l| l.data().requests).any(|request| {
                request.len() <= words.len() && request.iter().enumerate().all(|(i, w)| words.norm(i) == *w)
            })
        })
}
