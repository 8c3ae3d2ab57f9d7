//! Which intent a line has.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use crate::compiled::{Compiled, Take};
use crate::data::{Data, Kind};
use crate::exact::exactly;
use crate::languages::{self, Language, loose_reading, readings};
use crate::packed::List;
use crate::pattern::Found;
use crate::slot::said;
use crate::words::{Words, is_secret};

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
    /// Asks for something that was said before.
    Recall {
        /// What, in the person's words; `me` for everything.
        what: String,
    },
    /// Greets.
    Greeting,
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
    /// Asks what earlier conversations were about.
    Past {
        /// When they were, in the person's words; nothing for the last ones.
        when: String,
    },
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
    /// Tells a glad event.
    Joy,
    /// Asks for what a doctor, a lawyer or another expert is there for.
    Advice,
    /// Says too little to mean anything.
    Unclear,
    /// Says sorry.
    Sorry,
    /// Asks for the workflows.
    Workflows,
    /// Asks how something new is learned, and who decides on it.
    Learning,
}

/// An intent, and the language it was said in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meant {
    pub intent: Intent,
    /// The language of the pattern that matched.
    pub language: Language,
    /// What is said to it, where the pattern brings a sentence of its own.
    pub reply: Option<String>,
}

/// The intent of a line; of all patterns that match the whole line, the one with the most words decides. A line of several
/// clauses, such as `hello, how are you?`, has the intent of the first that is more than a greeting.
pub fn intent(line: &str) -> Option<Meant> {
    let kept = || LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, meant)) = kept().as_ref().filter(|(last, _)| last == line) {
        return meant.clone();
    }
    let meant = intent_in(line, languages::detect(line));
    *kept() = Some((line.to_owned(), meant.clone()));
    meant
}

/// The last line that was asked about, with its intent: a turn asks about its line five times, each of which takes a tenth of a
/// millisecond.
static LAST: Mutex<Option<(String, Option<Meant>)>> = Mutex::new(None);

/// The same in a conversation: of patterns of two languages that say as much, those of its language decide.
pub fn intent_in(line: &str, spoken: Language) -> Option<Meant> {
    match whole(line, spoken) {
        Whole::Meant(meant) => Some(meant),
        Whole::Excluded => None,
        Whole::Unknown => of_clauses(line, spoken).or_else(|| bare(line, spoken)),
    }
}

/// What a line means that has no meaning as a whole: without what may stand around it, and without words that add nothing.
fn bare(whole_line: &str, spoken: Language) -> Option<Meant> {
    // What differs in nothing from the text before it was held against the patterns already.
    let plain = |text: &str, before: &str| match (text != before).then(|| whole(text, spoken))? {
        // What somebody orders the program to do or keep is said plainly.
        Whole::Meant(meant) if !is_directive(&meant.intent) => Some(meant),
        _ => None,
    };
    // Signs at its ends, such as a face, are not words.
    let line = whole_line.trim_matches(|c: char| c != '?' && !c.is_alphanumeric());
    let loose = loose_reading(line);
    let text = loose.as_ref().map_or(line, |words| words.typed(0..words.len()));
    plain(line, whole_line)
        .or_else(|| plain(text, line))
        .or_else(|| plain(&languages::without_fillers(text)?, text))
}

/// Whether an intent orders the program to do or keep something.
pub fn is_directive(intent: &Intent) -> bool {
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

fn whole(line: &str, spoken: Language) -> Whole {
    match best_in(line, spoken, |kind| kind < Kind::NamedWorkflow) {
        Some((_, language, compiled, payload)) => match with_reply(&compiled, payload) {
            Some((intent, reply)) => Whole::Meant(Meant { intent, language, reply }),
            None => Whole::Excluded,
        },
        None => Whole::Unknown,
    }
}

/// Whether a line says, word for word, what people say to the program about itself: no slot takes any of it.
pub(crate) fn is_about_the_program(line: &str) -> bool {
    use Kind::{AboutYou, Capabilities, HowAreYou, Learning, Limits, Proposals, WhoAreYou, Workflows};
    let best = best_in(line, languages::detect(line), |kind| kind < Kind::NamedWorkflow);
    best.is_some_and(|(_, _, compiled, _)| {
        let kinds = [AboutYou, Capabilities, HowAreYou, Learning, Limits, Proposals, WhoAreYou, Workflows];
        kinds.contains(&compiled.kind) && compiled.pattern.slots().is_empty()
    })
}

/// The most words of clauses without an intent beside one that has only a greeting in it.
const MOST_BESIDE: usize = 3;

/// What a line of several clauses is about; never an order to learn, remember or forget, which a whole line gives.
fn of_clauses(line: &str, spoken: Language) -> Option<Meant> {
    use Intent::{
        Confirm, Decline, Fun, Goodbye, Greeting, HowAreYou, LearnWhat, Order, Sorry, Thanks, Unclear,
    };
    let clauses = clauses(line);
    if clauses.len() < 2 {
        return None;
    }
    let (mut found, mut beside): (Vec<Meant>, usize) = (Vec::new(), 0);
    for clause in clauses {
        match whole(clause, spoken) {
            Whole::Meant(meant) => match meant.intent {
                Confirm | Decline | LearnWhat => beside += 1,
                ref intent if is_directive(intent) => return None,
                _ => found.push(meant),
            },
            _ => match bare(clause, spoken).filter(|meant| meant.intent != Order) {
                Some(meant) => found.push(meant),
                // `thanks, who is my dentist` asks for more than thanks say.
                None if clause.split_whitespace().nth(2).is_some() && is_question(clause) => return None,
                None => beside += clause.split_whitespace().count(),
            },
        }
    }
    let is_phrase =
        |meant: &&Meant| matches!(meant.intent, Greeting | Thanks | Goodbye | Fun | Sorry | Unclear);
    let more = found.iter().find(|meant| !is_phrase(meant));
    // `alles klar, danke dir` is thanks.
    let more = more.filter(|meant| meant.intent != HowAreYou);
    let more =
        more.or_else(|| found.iter().rev().find(|meant| !matches!(meant.intent, Greeting | HowAreYou)));
    let more = more.or_else(|| found.iter().find(|meant| meant.intent != Greeting)).cloned();
    let first = found.first()?.clone();
    let chosen = more.unwrap_or(first);
    // `ne sorry, freitag`: a word that two languages have is answered in the line's own.
    let told = languages::told(line).filter(|_| chosen.reply.is_none());
    let chosen = Meant { language: told.unwrap_or(chosen.language), ..chosen };
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

/// The part of a line that is answered: its question, where only a premise stands before that.
pub fn asked_part(line: &str) -> &str {
    let clauses = clauses(line);
    match clauses.split_last() {
        Some((last, before)) if is_question(last) && !before.iter().any(|part| is_question(part)) => last,
        _ => line,
    }
}

/// With what a line continues the one before it, such as `Tokyo` in `and in Tokyo?` and in `Tokyo?`.
pub fn follow_up(line: &str) -> Option<String> {
    if let Some((_, _, _, what)) = best(line, |kind| kind == Kind::FollowUp) {
        return Some(what);
    }
    let bare = line.trim_end().strip_suffix('?')?.trim();
    (bare.split_whitespace().count() <= 2 && !bare.contains(['?', '!', '.']) && whole_is_unknown(bare))
        .then(|| bare.to_owned())
}

fn whole_is_unknown(line: &str) -> bool {
    matches!(whole(line, languages::detect(line)), Whole::Unknown)
        && !Language::all().any(|l| l.data().questions.contains(&crate::fold::word(line)))
}

/// Why a wish is refused at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The program would give itself a right, or undo what holds it.
    Bypass,
    /// It would harm others, or undo the rules.
    Harm,
    /// It needs sound, speech or pictures.
    Sound,
    /// It needs mail, messages or calls.
    Mail,
    /// It is for a later time.
    Timer,
    /// It is to be said in another language.
    Translate,
    /// Only the web knows it.
    Web,
    /// It buys or books something.
    Shop,
    /// It needs lights, doors or other devices.
    Devices,
    /// It deletes files.
    Delete,
}

impl Refusal {
    /// The sentence to the person.
    pub fn said(self, language: Language) -> &'static str {
        let says = language.says();
        match self {
            Refusal::Bypass => says.bypass,
            Refusal::Harm => says.harm,
            Refusal::Sound => says.no_sound,
            Refusal::Mail => says.no_mail,
            Refusal::Timer => says.no_timer,
            Refusal::Translate => says.no_translate,
            Refusal::Web => says.no_web,
            Refusal::Shop => says.no_order,
            Refusal::Devices => says.no_devices,
            Refusal::Delete => says.no_delete,
        }
    }
}

/// Whether a wish, or an order, is one that is refused at once, and in which language it was said.
pub fn refusal(wish: &str) -> Option<(Refusal, Language)> {
    let of = |text: &str| best(text, |kind| (Kind::Bypass..Kind::Lists).contains(&kind));
    let (_, language, compiled, _) = of(wish).or_else(|| of(&languages::without_fillers(wish)?))?;
    if !matches!(compiled.kind, Kind::Bypass | Kind::Harm | Kind::NoDelete)
        && best(wish, |k| (Kind::Lists..=Kind::Files).contains(&k)).is_some()
    {
        return None;
    }
    let refusal = match compiled.kind {
        Kind::Bypass => Refusal::Bypass,
        Kind::NoTranslate => Refusal::Translate,
        Kind::NoSound => Refusal::Sound,
        Kind::NoMail => Refusal::Mail,
        Kind::NoTimer => Refusal::Timer,
        Kind::NoWeb => Refusal::Web,
        Kind::NoOrder => Refusal::Shop,
        Kind::NoDevices => Refusal::Devices,
        Kind::NoDelete => Refusal::Delete,
        _ => Refusal::Harm,
    };
    Some((refusal, language))
}

/// The name of the workflow that a command line means, such as `the morning workflow`.
pub fn named_workflow(command: &str) -> Option<String> {
    let named = |command: &str| best(command, |kind| kind == Kind::NamedWorkflow);
    // Behind an article, `Morgen-Workflow` is two words.
    let apart = || command.contains(' ').then(|| command.replace('-', " "));
    let (_, _, _, name) = named(command).or_else(|| named(&apart()?))?;
    Some(name.trim_end_matches(['.', '!', '?']).to_lowercase())
}

/// What a line wants of the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Last {
    /// That it is done again.
    Again,
    /// That the answer to it is said again.
    Repeat,
    /// That it is not done, though it may be done already.
    TooLate,
}

/// What a line wants of the one before it, if it wants nothing else.
pub fn of_last(line: &str) -> Option<Last> {
    let (_, _, compiled, _) = best(line, |kind| kind >= Kind::Again)?;
    Some(match compiled.kind {
        Kind::Again => Last::Again,
        Kind::Repeat => Last::Repeat,
        _ => Last::TooLate,
    })
}

/// The line that says the same in the words of a tool, such as `show my shopping list` for `what do we need from the shop`.
pub fn otherwise(line: &str) -> Option<String> {
    let is_jotted = line.contains(':');
    let (_, _, _, said) = best(line, |kind| kind == Kind::Otherwise || is_jotted && kind == Kind::Jotted)?;
    Some(said)
}

/// What stands behind a greeting that is a sentence of its own: `Morgen! setz Milch auf die Liste`.
pub fn behind_greeting(line: &str) -> Option<&str> {
    let (greeting, rest) = line.split_once(['!', '.'])?;
    let is_short = (1..=MOST_OF_A_GREETING).contains(&greeting.split_whitespace().count());
    let is_more = rest.starts_with(char::is_whitespace) && rest.split_whitespace().nth(1).is_some();
    let is_greeting = || matches!(intent(greeting), Some(Meant { intent: Intent::Greeting, .. }));
    (is_short && is_more && is_greeting()).then(|| rest.trim_start())
}

/// The most words of such a greeting.
const MOST_OF_A_GREETING: usize = 3;

/// The line that one may mean, as a tool knows it: `clear my list` for `bin the whole list`. It is in the same
/// language, and it is asked before it is done.
pub fn perhaps(line: &str, language: Language) -> Option<String> {
    let (_, spoken, _, said) = best_in(line, language, |kind| kind == Kind::Perhaps)?;
    (spoken == language).then_some(said)
}

/// The wish in a line that asks for what the library of skills has, in the words that it knows, and their language.
pub fn wished(line: &str) -> Option<(String, Language)> {
    let of = |text: &str| best(text, |kind| kind == Kind::Wished);
    let (_, language, _, wish) = of(line).or_else(|| of(&languages::without_fillers(line)?))?;
    (!wish.is_empty()).then_some((wish, language))
}

/// A line that does what is wished for already, where a pattern knows it.
pub(crate) fn able(wish: &str) -> Option<String> {
    best(wish, |kind| kind == Kind::Able).map(|(_, _, _, line)| line)
}

/// What a line wants of the reminders, as a command and what it is about: `set`, a moment and a text; `timer`, a span; `list`;
/// `move`, which one and a moment; `cancel`, which one. What the patterns name stands behind `|`.
pub fn remind(line: &str) -> Option<(String, Language)> {
    let goes_back = |command: &str| [MORE, REDO, OTHER].iter().any(|begin| command.starts_with(begin));
    reminders(line).filter(|(command, _)| !goes_back(command))
}

/// Begins the command of a line that sets another reminder behind one: `and at 3 pick him up`.
pub(crate) const MORE: &str = "more";
/// Begins the command of a line that puts one right: `make it 2`.
pub(crate) const REDO: &str = "redo";
/// Begins the command of a line that says when something is: `the cake is at 4`.
pub(crate) const OTHER: &str = "other";

/// The same, with the lines that go back to a reminder that was set just now.
pub(crate) fn reminders(line: &str) -> Option<(String, Language)> {
    let exact = exactly(line);
    let (_, language, _, said) = best(exact.as_deref().unwrap_or(line), |kind| kind == Kind::Remind)?;
    Some((said, language))
}

/// What a line that sets a reminder is to remind of, without the words before and behind it that name a time; nothing where none does.
pub(crate) fn reminded_of(line: &str) -> Option<String> {
    let (command, _) = remind(line)?;
    let mut parts = command.split('|').map(str::trim);
    let is_set = matches!(parts.next()?, "set" | "timer");
    let words: Vec<&str> = parts.flat_map(str::split_whitespace).collect();
    let norms: Vec<String> = words.iter().map(|word| as_in_tables(word)).collect();
    let is_near = |word: &&String| is_near_time(word);
    // The run of such words ends with one that names a time: of `tonight no one` it is the first.
    let run = norms.iter().take_while(is_near).count();
    let from = norms[..run].iter().rposition(|word| names_time(word)).map_or(0, |at| at + 1);
    // Behind, it begins with a word that stands before a time.
    let begins = |word: &String| matches!(languages::moment(word), Some("at" | "on" | "by" | "in" | "every"));
    let run = norms[from..].iter().rev().take_while(is_near).count();
    let behind = norms.len() - run;
    let until = norms[behind..].iter().position(begins).map_or(norms.len(), |at| behind + at);
    let is_told = from > 0 || norms[until..].iter().any(|word| names_time(word));
    (is_set && is_told && from < until).then(|| words[from..until].join(" "))
}

/// Whether a word names a time, or stands beside one.
fn is_near_time(word: &str) -> bool {
    names_time(word) || languages::moment(word).is_some() || languages::span(word).is_some()
}

/// A word as the tables have it.
fn as_in_tables(word: &str) -> String {
    let word = crate::fold::word(word.trim_matches(|c: char| !c.is_alphanumeric()));
    languages::spelt(&word).map_or(word, str::to_owned)
}

/// The commands of a line that sets two reminders, the second one behind the first: `remind me at 8 to pack and at 3 to call Tom`, `at 8 and at 20 to take my drops`.
pub fn two_reminders(line: &str) -> Option<[String; 2]> {
    ands(line).find_map(|(at, _)| {
        if let Some(timers) = two_timers(&line[..at], &line[at..]) {
            return Some(timers);
        }
        let first = sets(line[..at].trim_end_matches([' ', ',']))?;
        let (second, _) = remind(&line[at..])?;
        let (when, what) = second.strip_prefix(ALSO)?.split_once('|')?;
        let (when, what) = (when.trim(), what.trim());
        when.split_whitespace().any(|word| names_time(&as_in_tables(word))).then_some(())?;
        let second = |when: &str| format!("more |to| {when} {what}");
        let says = |text: String| text.split_whitespace().any(|word| !is_near_time(&as_in_tables(word)));
        if reminded_of(&line[..at]).is_some_and(says) {
            return Some([first, second(when)]);
        }
        // The first names a time of day alone: `every day at 8`.
        let text = first.rsplit('|').next()?.trim();
        let words: Vec<&str> = text.split_whitespace().collect();
        let is_clock = |at: &usize| {
            matches!(languages::moment(&as_in_tables(words[*at])), Some("at" | "by"))
                && words.get(at + 1).is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        };
        let clock = (0..words.len()).rev().find(is_clock)?;
        let days = words[..clock].join(" ");
        Some([format!("set |{text}| {what}"), second(format!("{days} {when}").trim())])
    })
}

/// The commands of two timers: `timer 25 mins for the rice`, and `and another one 40 mins for the dough`.
fn two_timers(one: &str, other: &str) -> Option<[String; 2]> {
    let (first, _) = remind(one).filter(|(command, _)| command.starts_with(TIMER))?;
    let (second, _) = reminders(other)?;
    let text = second.strip_prefix(MORE)?.rsplit('|').next()?.trim();
    let from = text.find(|c: char| c.is_ascii_digit())?;
    // A time of day is not a span; the unit of the first may stand for the second: `12 minutes for the pasta and 25 for the bread`.
    let unit = |text: &'_ str| {
        let unit = text.split_whitespace().nth(1).filter(|word| languages::span(word).is_some());
        unit.map(str::to_owned)
    };
    let (count, rest) = text[from..].split_once(' ')?;
    let own = unit(&text[from..]);
    let second = match &own {
        Some(_) => text[from..].to_owned(),
        None => {
            let of_first = unit(&first[first.find(|c: char| c.is_ascii_digit())?..])?;
            let is_for = languages::moment(&as_in_tables(rest.split_whitespace().next()?)) == Some("for");
            is_for.then(|| format!("{count} {of_first} {rest}"))?
        }
    };
    let is_short = text[..from].split_whitespace().count() <= 1;
    // `1 hour and 30 minutes` is one.
    let names_another =
        other.split_whitespace().nth(1).is_some_and(|word| !word.starts_with(|c: char| c.is_ascii_digit()));
    (is_short && (names_another || own.is_none())).then(|| [first, format!("{TIMER} || {second}")])
}

/// The command of a line that sets a reminder.
fn sets(line: &str) -> Option<String> {
    remind(line).map(|(command, _)| command).filter(|command| command.starts_with("set "))
}

/// Begins the command of a line that sets another reminder behind one.
pub const ALSO: &str = "also |";

/// Where the words for `and` in a line begin and end.
fn ands(line: &str) -> impl Iterator<Item = (usize, usize)> {
    let ands =
        line.split_whitespace().filter(|word| languages::moment(&crate::fold::word(word)) == Some("and"));
    // Words of a line are parts of it, so their places are known.
    ands.take(MOST_ANDS).map(|and| {
        let at = and.as_ptr().addr() - line.as_ptr().addr();
        (at, at + and.len())
    })
}

/// Whether a word names a time or a part of one.
fn names_time(word: &str) -> bool {
    let is_span = || languages::span(word).is_some_and(|span| !span.is_empty());
    let is_number = || languages::number(word).is_some_and(|number| number > 1);
    let is_part = || {
        languages::moment(word).is_some_and(|meant| {
            matches!(meant, "every" | "daily" | "month" | "monthly" | "week" | "weekly" | "once")
                || meant.starts_with(|c: char| c.is_ascii_digit())
                || meant.starts_with("week ")
        })
    };
    languages::weekday(word).is_some()
        || languages::day(word).is_some()
        || word.starts_with(|c: char| c.is_ascii_digit())
        || is_span()
        || is_number()
        || is_part()
}

/// A line that sets a timer, or a reminder at a moment, and wants something else as well: the part that sets it, the other one, and
/// whether it stands first.
pub fn beside_timer(line: &str) -> Option<(&str, &str, bool)> {
    let is_timer = line.to_lowercase().contains(TIMER);
    let sets = |part: &str| match is_timer {
        true => remind(part).is_some_and(|(command, _)| command.starts_with(TIMER)),
        false => sets(part).is_some() && reminded_of(part).is_some(),
    };
    let wants = |part: &str| match is_timer {
        true => intent(part).is_some() || is_question(part) || remind(part).is_some(),
        // `to tell Mum at 5 when I come` is a part of the reminder.
        false => is_question(part) && part.contains(['?', '*', '+', '/', '%']),
    };
    let commas = line.match_indices(", ").map(|(at, _)| (at, at + 1));
    ands(line).chain(commas.take(MOST_ANDS)).find_map(|(at, end)| {
        let (one, other) = (line[..at].trim_end_matches([' ', ',']), line[end..].trim_start());
        match (sets(one), sets(other)) {
            (true, _) if wants(other) => Some((one, other, true)),
            (false, true) if wants(one) => Some((other, one, false)),
            _ => None,
        }
    })
}

/// What a timer is called, in a line and in a command.
const TIMER: &str = "timer";
/// The most places at which a line is cut in two.
const MOST_ANDS: usize = 4;

/// What somebody wants to be told at a moment, with the moment: `5 minutes to stop`. A line that speaks of a reminder has no need of
/// it.
pub(crate) fn told_later(line: &str) -> Option<String> {
    let (command, _) = remind(line)?;
    command.starts_with("maybe ").then(|| command.rsplit('|').next().unwrap_or_default().trim().to_owned())
}

/// Whether a line begins the game in which somebody knocks.
pub fn knocks(line: &str) -> bool {
    best(line, |kind| kind == Kind::Knock).is_some()
}

/// The line about a file that was used just now, with its name: `add a line to it: milk`.
pub fn of_file(line: &str, file: &str) -> Option<String> {
    let (_, _, _, said) = best(line, |kind| kind == Kind::OfFile)?;
    Some(said.replacen("FILE", file, 1))
}

/// An indirect question as a direct one: `can you tell me what time it is` asks `what time is it`.
pub fn direct(line: &str) -> Option<String> {
    let words = loose_reading(line)?;
    let norms: Vec<String> = words.norms().map(str::to_owned).collect();
    let begins =
        |way: &List<&'static str>| way.len() < norms.len() && way.iter().zip(&norms).all(|(a, b)| a == b);
    let ways = Language::all().flat_map(|l| l.data().asked).flat_map(|(_, ways)| ways);
    let asks = Language::all().any(|l| l.data().questions.contains(words.norm(0)));
    let which = ways.filter(begins).map(|way| way.len()).max().or(asks.then_some(1))?;
    let last = words.len() - 1;
    let is_verb = |at: usize| Language::all().any(|l| l.statements().links.contains(words.norm(at)));
    let is_indirect = last > which && is_verb(last) && !is_verb(which);
    is_indirect.then(|| format!("{} {} {}", words.span(0..which), words.norm(last), words.span(which..last)))
}

/// Of whom or what a line asks all that was said.
pub fn about(line: &str) -> Option<String> {
    best(line, |kind| kind == Kind::About).map(|(_, _, _, what)| what)
}

/// What a line is after that may have been said, where it is not a question: `I can't find the ladder`.
pub fn sought(line: &str) -> Option<String> {
    best(line, |kind| kind == Kind::Seek).map(|(_, _, _, what)| what)
}

/// Whether a line takes back what was said just now.
pub fn takes_back(line: &str) -> bool {
    best(line, |kind| kind == Kind::TakeBack).is_some()
}

/// What a line says is so no longer: `Lucy isn't my best friend anymore`.
pub fn ended(line: &str) -> Option<String> {
    best(line, |kind| kind == Kind::Ended).map(|(_, _, _, what)| what)
}

/// What a line puts in the place of something told, and whether that is so only behind a `no`.
pub(crate) fn correction(line: &str) -> Option<(String, bool)> {
    let (_, _, compiled, value) = best(line, |kind| matches!(kind, Kind::Correct | Kind::CorrectAfterNo))?;
    Some((value, compiled.kind == Kind::CorrectAfterNo))
}

/// Whether a line asks how to do something, and not how to keep it from being done: `how do I get into his phone`.
pub fn asks_how(line: &str) -> bool {
    best(line, |kind| matches!(kind, Kind::HowTo | Kind::HowToAvoid))
        .is_some_and(|(_, _, compiled, _)| compiled.kind == Kind::HowTo)
}

/// Whether a line is about a list, such as one for shopping.
pub fn is_about_list(line: &str) -> bool {
    best(line, |kind| kind == Kind::Lists).is_some()
}

/// The most that a pattern of one word is worth.
const ONE_WORD: i32 = 1000;

/// Of the patterns of some kinds that match a whole line, the one with the most words.
pub(crate) fn best(line: &str, wanted: impl Fn(Kind) -> bool) -> Option<(i32, Language, Compiled, String)> {
    best_in(line, languages::detect(line), wanted)
}

/// The same, where the language of the conversation is known.
fn best_in(
    line: &str,
    spoken: Language,
    wanted: impl Fn(Kind) -> bool,
) -> Option<(i32, Language, Compiled, String)> {
    let readings = readings(line);
    let asks = line.trim_end().ends_with('?') || clauses(line).iter().skip(1).any(|part| is_question(part));
    let told = languages::told(line);
    let mut best: Option<(i32, Language, Compiled, Found, &Words<'_>)> = None;
    for language in Language::all() {
        for compiled in language.data().patterns(&readings, &wanted) {
            // A question is not a statement to be kept; it may be one for a tool.
            if asks && compiled.kind == Kind::Remember && !matches!(compiled.take, Take::Slot) {
                continue;
            }
            let found = readings.iter().filter_map(|w| Some((compiled.pattern.matches(w, &[])?, w)));
            let Some((found, words)) = found.max_by_key(|(f, _)| f.score) else { continue };
            // A single word that two languages have: `back from town` is not an order to bake.
            if found.score <= ONE_WORD && told.is_some_and(|told| told != language) {
                continue;
            }
            let is_better = |(score, known, ..): &(i32, Language, Compiled, Found, &Words<'_>)| {
                // Of two languages that say it with the same words, the line's own.
                found.score > *score || (found.score == *score && *known != language && language == spoken)
            };
            if best.as_ref().is_none_or(is_better) {
                best = Some((found.score, language, compiled, found, words));
            }
        }
    }
    let (score, language, compiled, found, words) = best?;
    let mut payload = payload(&compiled, &found, words);
    if compiled.kind == Kind::Remember {
        payload.push_str(end_of_secret(line, &payload));
    }
    Some((score, language, compiled, payload))
}

/// The marks of exclamation that end a line behind a text, where they may be a part of a password.
fn end_of_secret<'a>(line: &'a str, text: &str) -> &'a str {
    let is_secret = is_secret(text.split_whitespace().next_back().unwrap_or_default());
    let end = line.trim_end().rsplit_once(text).map_or("", |(_, end)| end);
    if is_secret && end.bytes().all(|b| b == b'!') { end } else { "" }
}

/// The intent of a pattern that matched, and the sentence that it brings.
fn with_reply(compiled: &Compiled, payload: String) -> Option<(Intent, Option<String>)> {
    use Intent::{Forget, Learn, Past, Recall, Remember};
    let said = matches!(compiled.take, Take::Text(_)).then(|| payload.clone());
    let intent = meant(compiled.kind, payload)?;
    let takes =
        matches!(intent, Learn { .. } | Remember { .. } | Forget { .. } | Recall { .. } | Past { .. });
    Some((intent, said.filter(|_| !takes)))
}

fn meant(kind: Kind, payload: String) -> Option<Intent> {
    Some(match kind {
        Kind::None | Kind::Harm | Kind::FollowUp => return None,
        Kind::NamedWorkflow | Kind::Lists | Kind::Files => return None,
        Kind::Sums | Kind::Dated | Kind::Aged | Kind::Otherwise | Kind::Jotted | Kind::OfFile => return None,
        Kind::Perhaps | Kind::Wished | Kind::Able | Kind::Knock | Kind::Remind => return None,
        Kind::Again | Kind::Repeat | Kind::TooLate => return None,
        Kind::About | Kind::Seek | Kind::TakeBack | Kind::Correct | Kind::CorrectAfterNo => return None,
        Kind::Ended | Kind::HowTo | Kind::HowToAvoid => return None,
        Kind::NoSound | Kind::NoMail | Kind::NoTimer | Kind::NoWeb | Kind::NoOrder => return None,
        Kind::NoDevices | Kind::NoDelete | Kind::NoTranslate | Kind::Bypass => return None,
        Kind::Learn => Intent::Learn { wish: without_reason(&payload).to_owned() },
        Kind::Confirm => Intent::Confirm,
        Kind::Decline => Intent::Decline,
        Kind::Remember => Intent::Remember { fact: payload },
        Kind::Forget => Intent::Forget { what: without_reason(&payload).to_owned() },
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
        Kind::Past => Intent::Past { when: payload },
        Kind::Proposals => Intent::Proposals,
        Kind::Privacy => Intent::Privacy,
        Kind::WhichFile => Intent::WhichFile,
        Kind::CanYouHear => Intent::CanYouHear,
        Kind::Fun => Intent::Fun,
        Kind::Comfort => Intent::Comfort,
        Kind::Joy => Intent::Joy,
        Kind::Advice => Intent::Advice,
        Kind::Unclear => Intent::Unclear,
        Kind::Sorry => Intent::Sorry,
        Kind::Workflows => Intent::Workflows,
        Kind::Learning => Intent::Learning,
    })
}

/// A wish without the reason behind its comma: `roll dice, our dice is lost` is a wish for `roll dice`.
fn without_reason(wish: &str) -> &str {
    let tells = |rest: &str| {
        let first = crate::terms::fold(rest.split_whitespace().next().unwrap_or_default());
        Language::all().any(|l| l.statements().person.contains(&first))
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

/// Whether a line is a question, by its mark or by its first word, before which a preposition may stand.
pub fn is_question(line: &str) -> bool {
    let begins = |words: &Words<'_>| {
        Language::all().map(Language::data).any(|data| {
            let at = usize::from(words.len() > 1 && data.fronted.contains(words.norm(0)));
            data.questions.contains(words.norm(at)) || data.questions.contains(words.norm(0))
        })
    };
    let readings = readings(line);
    let is_asked = || !readings.iter().any(is_forbidding) && readings.iter().any(begins);
    !readings.is_empty() && (line.trim_end().ends_with('?') || is_asked())
}

/// Whether a line asks behind what it tells first, without a mark between: `sven worked 7 hours what does that cost`. A question
/// within a sentence has its verb further on: `I know what it costs`.
pub fn asks_within(line: &str) -> bool {
    readings(line).iter().any(|words| {
        let asks = |data: &Data, at: usize| {
            let ways = data.asked.iter().flat_map(|(_, ways)| ways).filter(|way| words.has_at(at, *way));
            let one = data.asking.contains(words.norm(at)).then_some(1);
            let is_verb = |at: usize| {
                let verb = if at < words.len() { words.norm(at) } else { "" };
                data.questions.contains(verb) || data.statements.tells.contains(verb)
            };
            // `9 sopranos and 4 tenors, how many singers is that`
            let is_thing = |at: usize| at < words.len() && !data.subjects.contains(words.norm(at));
            let of_a_thing =
                |long: usize| is_verb(at + long) || is_thing(at + long) && is_verb(at + long + 1);
            ways.map(|way| way.len()).any(of_a_thing) || one.is_some_and(|long| is_verb(at + long))
        };
        (LEAST_TOLD..words.len()).any(|at| Language::all().map(Language::data).any(|data| asks(data, at)))
    })
}

/// The fewest words before a question within a line.
const LEAST_TOLD: usize = 2;

/// Whether a line forbids or denies something by its first words: `stop the quiz`, `can't sleep`.
pub fn forbids(line: &str) -> bool {
    readings(line).iter().any(is_forbidding)
}

fn is_forbidding(words: &Words<'_>) -> bool {
    Language::all().flat_map(|l| l.data().forbids).any(|phrase| words.has_at(0, phrase))
}

/// Whether a line asks for something: a question, a request by its first words, or said with politeness before it.
pub fn looks_like_request(line: &str) -> bool {
    is_question(line)
        || readings(line).iter().any(|words| {
            Language::all().flat_map(|l| l.data().requests).any(|request| words.has_at(0, request))
        })
}
