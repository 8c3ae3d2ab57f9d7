//! The person's reminders and timers: set, listed, moved and cancelled by a line that they typed, and announced once when due.
//!
//! They are one small file, replaced as a whole and synced before anything is answered. One that is due leaves the file, or gets
//! its next time, before it is announced.
//!
//! - [`moment`]: when somebody is to be reminded, as people write it
//! - [`relative`]: a moment that is counted from another one

use bot_base::paths::PathError;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use language::{Language, Says, fill};
use ports::KernelContext;
use ports::handles::HandleError;
use serde_json::{Value, json};
use shared_types::capability::Token;
use shared_types::message::{Answer, Around, Reminded, Then, TurnOutcome};
use shared_types::text::cut;

use super::scheduled;
use crate::words;
use moment::{Again, Moment, Unfit};

mod moment;
mod relative;

/// The most reminders of a profile.
const MOST: usize = 50;
/// The longest text, in characters.
const LONGEST: usize = 200;
/// Later than this, in seconds, a reminder says when it was due.
const LATE: i64 = 90;

/// A reminder, as it stands in a line of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Reminder {
    /// Its number, which no other has.
    id: u64,
    /// What the person is reminded of; nothing for a timer without a name.
    text: String,
    /// When it is due, in seconds since 1970.
    due: i64,
    /// When it comes again, as [`Again::written`] writes it.
    again: Option<String>,
    /// Whether it was asked for as a timer.
    timer: bool,
    /// From when its span was counted, in seconds since 1970, where it was set by one.
    from: Option<i64>,
}

impl Reminder {
    /// Reads a line of the file.
    fn read(line: &str) -> Option<Reminder> {
        let value: Value = serde_json::from_slice(line.as_bytes()).ok()?;
        Some(Reminder {
            id: value["id"].as_u64()?,
            text: cut(value["text"].as_str()?, LONGEST),
            due: value["due"].as_i64()?,
            again: value["again"].as_str().map(str::to_owned),
            timer: value["timer"].as_bool().unwrap_or_default(),
            from: value["from"].as_i64(),
        })
    }

    fn written(&self) -> String {
        let Reminder { id, text, due, again, timer, from } = self;
        let mut line = json!({"id": id, "text": text, "due": due, "again": again});
        if let Some(from) = from {
            line["from"] = json!(from);
        }
        if *timer {
            line["timer"] = json!(true);
        }
        line.to_string() + "\n"
    }

    /// Whether it is a timer; one of an earlier version has no name.
    fn is_timer(&self) -> bool {
        self.timer || self.text.is_empty()
    }

    /// Whether it is a moment alone that nobody asked for as a timer: somebody is to be woken.
    fn is_alarm(&self) -> bool {
        !self.timer && self.text.is_empty()
    }

    fn again(&self) -> Option<Again> {
        Again::read(self.again.as_deref()?)
    }

    fn label(&self, says: &Says) -> String {
        if self.text.is_empty() { says.remind_label.to_owned() } else { self.text.clone() }
    }
}

/// What a line wants.
enum Asked<'a> {
    /// The moment where it stands apart, the text, and the command: `maybe` is a reminder only where a moment is named.
    Set(&'a str, &'a str, &'a str),
    /// Another one behind one that was set just now, and whether a word for it announces its text.
    More(bool, &'a str),
    /// Another moment for one that was set just now, or that the line names; the moments that it may be.
    Redo(&'a str),
    /// The one that was set just now is not wanted.
    Undo,
    /// The list, of a day where one is named.
    List(&'a str),
    /// How long it is until one.
    Left(&'a str),
    /// Which one, and to when; the third is whether the line may mean something else.
    Move(&'a str, &'a str, bool),
    /// Later by a span.
    Later(&'a str, &'a str),
    /// Which one, and whether the line may mean something else.
    Cancel(&'a str, bool),
    /// All, or all timers.
    CancelAll(bool),
}

/// Does what a command of a line that the person typed wants of the reminders; one said `again` changes nothing.
pub(super) fn said(
    command: &str,
    code: &str,
    again: bool,
    around: &Around,
    ctx: &KernelContext,
) -> Result<Answer, HandleError> {
    let now = moment::now(&ctx.shared().zone);
    let language = Language::of_code(code).unwrap_or(Language::DEFAULT);
    let handle = ctx.handles().memory_write().ok_or(HandleError::NotGranted(Token::MemoryWrite))?;
    let reply = handle.reminders(ctx.shared(), |file| {
        let mut all = read(file);
        let reply = answer(command, again, language, around, &mut all, &now);
        let is_changed = reply.as_ref().is_some_and(|(_, is_changed)| *is_changed);
        (is_changed.then(|| kept(&all)), reply)
    });
    Ok(Answer::Reminded(match reply {
        Err(HandleError::File(why)) => {
            let said = unread(&why, language);
            Some(Reminded { said, outcome: TurnOutcome::Failed, then: Then::Nothing })
        }
        reply => reply?.map(|(said, _)| said),
    }))
}

/// That the file can be neither read nor changed, and the next step.
fn unread(why: &PathError, language: Language) -> String {
    fill(language.says().remind_unread, &[("why", &why.to_string())])
}

/// Answers a command, as [`language::remind`] finds it in a line.
fn answer(
    command: &str,
    again: bool,
    language: Language,
    around: &Around,
    all: &mut Vec<Reminder>,
    now: &Zoned,
) -> Answered {
    let mut parts = command.splitn(3, '|').map(str::trim);
    let [command, which, text] = std::array::from_fn(|_| parts.next().unwrap_or_default());
    let asked = match command {
        "set" | "timer" | "wake" | "maybe" | "it" if !again => Asked::Set(which, text, command),
        "more" if !again => Asked::More(which == "to", text),
        "redo" if !again => Asked::Redo(text),
        "undo" if !again => Asked::Undo,
        "move" | "shift" if !again => Asked::Move(which, text, command == "shift"),
        "later" if !again => Asked::Later(which, text),
        "cancel" | "drop" if !again => Asked::Cancel(text, command == "drop"),
        "cancel-all" | "cancel-timers" if !again => Asked::CancelAll(command == "cancel-timers"),
        "left" => Asked::Left(which),
        // `what have I got in the oven` asks for something else, and a day without a reminder is a matter of the calendar.
        "day" if date(which, now).is_none_or(|day| !all.iter().any(|one| is_on(one, day, now))) => {
            return None;
        }
        "maybe" | "shift" | "drop" | "more" | "redo" | "undo" => return None,
        _ => Asked::List(which),
    };
    asked.answer(all, around, now, language)
}

/// What came of a line, and whether it changed the reminders.
type Answered = Option<(Reminded, bool)>;

/// That something was done.
fn done(said: String, then: Then) -> Answered {
    Some((Reminded { said, outcome: TurnOutcome::Answered, then }, true))
}

/// An answer that changed nothing.
fn told(said: &str) -> Answered {
    Some((Reminded { said: said.to_owned(), outcome: TurnOutcome::Answered, then: Then::Nothing }, false))
}

/// That nothing was done, and why.
fn undone(said: &str, then: Then) -> Answered {
    Some((Reminded { said: said.to_owned(), outcome: TurnOutcome::Unknown, then }, false))
}

/// That a moment is none for a reminder.
fn refused(unfit: Unfit, says: &Says) -> Answered {
    match unfit {
        Unfit::Past => undone(says.remind_past, Then::Nothing),
        Unfit::Unknown => undone(says.no_timer, Then::Moment),
    }
}

impl Asked<'_> {
    fn answer(&self, all: &mut Vec<Reminder>, around: &Around, now: &Zoned, language: Language) -> Answered {
        let says = language.says();
        let moved = |one: &Reminder| done(said_of(says.remind_set, one, now, language), Then::One(one.id));
        let gone = |what: &str| done(fill(says.remind_gone, &[("what", what)]), Then::Nothing);
        let unmoved = || undone(says.remind_unmoved, Then::Nothing);
        let chosen = |which: &str, all: &[Reminder]| chosen(which, all, around);
        match *self {
            Asked::Set(before, text, command) => set(before, text, command, all, around, now, language),
            Asked::More(announced, text) => more(announced, text, all, around, now, language),
            Asked::Redo(moments) => {
                let at = named(&around.beside, all).or_else(|| last(all, around))?;
                let (due, again) = moments.split('|').find_map(|text| redone(text, &all[at], now))?;
                let one = &mut all[at];
                (one.due, one.again) = (due.timestamp().as_second(), again.map(Again::written));
                moved(one)
            }
            Asked::Undo => {
                let at = last(all, around)?;
                gone(&all.remove(at).label(says))
            }
            Asked::List(day) => told(&listed(all, date(day, now), now, language)),
            Asked::Left(which) => left(which, all, around, now, language),
            Asked::Move(which, when, is_unsure) => {
                // `to 8`
                let moment = whole(when, true, now).or_else(|| whole(&format!("at {when}"), true, now));
                let at = chosen(which, all);
                if is_unsure && (at.is_none() || moment.is_none()) {
                    return None;
                }
                let Some(at) = at else { return which_one(all, now, language) };
                let Some(moment) = moment else { return unmoved() };
                let one = &mut all[at];
                let due = zoned(one.due, now.time_zone());
                let moment = if moment.has_time() { moment.in_place_of(&due, now) } else { moment };
                match moment.on_days_of(one.again()).from(now, Some(due.date())) {
                    Ok((due, again)) => {
                        one.due = due.timestamp().as_second();
                        one.again = again.map(Again::written);
                        moved(one)
                    }
                    Err(_) => unmoved(),
                }
            }
            Asked::Later(which, span) => {
                let Some(at) = chosen(which, all) else { return which_one(all, now, language) };
                let one = &mut all[at];
                let from = zoned(one.due, now.time_zone());
                match whole(span, true, now).and_then(|moment| moment.from(&from, None).ok()) {
                    Some((due, None)) if one.again.is_none() => {
                        one.due = due.timestamp().as_second();
                        moved(one)
                    }
                    _ => unmoved(),
                }
            }
            // `remove that` names none.
            Asked::Cancel(which, true) if language::terms::distinct(which, 1).is_empty() => None,
            Asked::Cancel(which, is_unsure) => match chosen(which, all) {
                Some(at) => gone(&all.remove(at).label(says)),
                None if is_unsure => None,
                None => which_one(all, now, language),
            },
            Asked::CancelAll(_) if all.is_empty() => told(says.remind_none),
            Asked::CancelAll(timers) if timers && !all.iter().any(Reminder::is_timer) => {
                which_one(all, now, language)
            }
            Asked::CancelAll(timers) => {
                let cancelled = all.extract_if(.., |one| !timers || one.is_timer());
                let cancelled: Vec<String> = cancelled.map(|one| one.label(says)).collect();
                gone(&cancelled.join("; "))
            }
        }
    }
}

/// The moment that a text names and nothing else.
fn whole(text: &str, counts: bool, now: &Zoned) -> Option<Moment> {
    moment::find(text, now.date(), counts).filter(|(_, rest)| rest.is_empty()).map(|(moment, _)| moment)
}

/// Sets a reminder by what stands before an order and behind it.
fn set(
    before: &str,
    text: &str,
    command: &str,
    all: &mut Vec<Reminder>,
    around: &Around,
    now: &Zoned,
    language: Language,
) -> Answered {
    let (says, today) = (language.says(), now.date());
    let counts = command == "timer";
    // `tomorrow, remind me to ...`, and not `the things that remind me of ...`.
    let stands_before = || whole(before, false, now).or_else(|| whole(&format!("at {before}"), false, now));
    let before_it = if before.is_empty() { None } else { stands_before() };
    if before_it.is_none()
        && !counts
        && let Some(relative) = relative::read(format!("{before} {text}").trim(), today)
    {
        if let Some(both) = both(&around.beside, today)
            && let [Some(first), Some(second)] = both.each_ref().map(|(moment, _)| relative.from(moment))
        {
            let [(_, one), (_, other)] = &both;
            return put_both([(first, one), (second, other)], all, now, language);
        }
        return match from_told(&relative, around, today) {
            Some((moment, text)) => put(moment, &text, false, all, now, language),
            None if command == "maybe" || !before.is_empty() => None,
            None => undone(says.remind_unanchored, Then::Nothing),
        };
    }
    let found = match before {
        "" => moment::find(text, today, counts).or_else(|| moment::named(text, today)).or_else(|| {
            let is_told = !language::is_question(text);
            is_told.then(|| moment::within(text, today)).flatten()
        }),
        before => match before_it {
            Some(moment) => Some((moment, moment::bare(text).to_owned())),
            // `the lorry comes at 18:15 remind me at 18:00`
            None => {
                let (moment, rest) = moment::find(text, today, counts)?;
                let is_told = (moment.has_time() || moment.comes_again()) && !is_own(&rest);
                let moment = is_told.then(|| on_day_of(&moment, before, false, now).unwrap_or(moment))?;
                Some((moment, before.to_owned()))
            }
        },
    };
    let says_what = |found: &Option<(Moment, String)>| found.as_ref().is_some_and(|(_, text)| is_own(text));
    let days = found.as_ref().map(|(moment, _)| moment);
    if !says_what(&found)
        && days.is_none_or(|days| !days.has_time())
        && let Some(both) = both(&around.beside, today)
    {
        let of = |(moment, _): &(Moment, String)| match days {
            Some(days) => days.clone().at(moment.time()),
            None => moment.clone(),
        };
        let [(_, one), (_, other)] = &both;
        let [first, second] = both.each_ref().map(of);
        return put_both([(first, one), (second, other)], all, now, language);
    }
    let found = match (found, around.beside.as_str()) {
        (found, "") => found,
        (found, beside) if command != "wake" => beside_order(found, text, beside, today),
        (found, _) => found,
    };
    let Some((moment, text)) = found else {
        // `remind me what I said` asks for something that was said.
        let is_other = command == "maybe" || language::is_question(text);
        return if is_other { None } else { refused(Unfit::Unknown, says) };
    };
    let moment = if command == "wake" { moment.waking() } else { moment };
    let told = around.earlier.first().filter(|line| {
        let may_be = matches!(command, "set" | "maybe" | "it") && around.beside.is_empty() && !is_own(&text);
        may_be && !language::is_question(line) && language::remind(line).is_none()
    });
    // `make me remember this at 3:30` is about the line just before, and so is a time alone that is shortly before it.
    if let Some(line) = told {
        let found = relative::sentences(line)
            .into_iter()
            .rev()
            .find_map(|sentence| Some((on_day_of(&moment, sentence, command == "it", now)?, sentence)));
        match found {
            Some((moment, sentence)) => return put(moment, sentence, counts, all, now, language),
            None if command == "it" => return put(moment, line, counts, all, now, language),
            None => {}
        }
    }
    put(moment, &text, counts, all, now, language)
}

/// A moment of which the day is that of something told: where it is a time of day that is shortly before that, or where that `is_meant`.
fn on_day_of(moment: &Moment, told: &str, is_meant: bool, now: &Zoned) -> Option<Moment> {
    let (clock, _) = moment.clock()?;
    let (anchor, _) = moment::told(told, now.date())?;
    let has_time = anchor.has_time();
    let (then, again) = anchor.from(now, None).ok()?;
    let near = if has_time { moment.clone().in_place_of(&then, now) } else { moment.clone() };
    let time = near.clock().map_or(clock, |(time, _)| time);
    let before = i64::from(then.hour() - time.hour()) * 60 + i64::from(then.minute() - time.minute());
    let is_near = has_time && (0..=MOST_BEFORE).contains(&before);
    let near = if again.is_some() { near.on_days_of(again) } else { near.on(then.date()) };
    (is_near || is_meant).then_some(near)
}

/// The most minutes before something told at which somebody may want to be reminded of it who says a time alone.
const MOST_BEFORE: i64 = 180;

/// The two things that a sentence tells with `and` between them, each with its moment: `dentist tomorrow at 10 and a talk at 2`.
fn both(told: &str, today: jiff::civil::Date) -> Option<[(Moment, String); 2]> {
    let words: Vec<&str> = told.split_whitespace().collect();
    let is_and = |at: &usize| language::moment(&moment::norm(words[*at])) == Some("and");
    let of = |words: &[&str]| moment::told(&words.join(" "), today).filter(|(moment, _)| moment.has_time());
    (0..words.len()).filter(is_and).find_map(|at| {
        let ((first, one), (second, other)) = (of(&words[..at])?, of(&words[at + 1..])?);
        let second = match second.clock() {
            None => second,
            clock => first.clone().at(clock),
        };
        let other = if is_own(&other) { other } else { one.clone() };
        Some([(first, one), (second, other)])
    })
}

/// Sets two reminders.
fn put_both(
    two: [(Moment, &String); 2],
    all: &mut Vec<Reminder>,
    now: &Zoned,
    language: Language,
) -> Answered {
    let [first, second] = two.map(|(moment, text)| put(moment, text, false, all, now, language));
    let ((first, is_first), (second, is_second)) = (first?, second?);
    let is_done = |came: &Reminded| came.outcome == TurnOutcome::Answered;
    let said = format!("{}\n{}", first.said, second.said);
    let (outcome, then) =
        if is_done(&second) { (first.outcome, second.then) } else { (second.outcome, first.then) };
    Some((Reminded { said, outcome, then }, is_first || is_second))
}

/// What an order beside a sentence sets: its own moment counts, and what it lacks is taken from the sentence, where that tells one
/// moment and no more. `I have a test on Friday, remind me please`.
fn beside_order(
    found: Option<(Moment, String)>,
    text: &str,
    beside: &str,
    today: jiff::civil::Date,
) -> Option<(Moment, String)> {
    let is_whole = |text: &str| !language::terms::distinct(moment::bare(text), 1).is_empty();
    let sentence = beside.trim_matches(|c: char| !c.is_alphanumeric());
    match found {
        Some((moment, text)) if is_whole(&text) => Some((moment, text)),
        Some((moment, _)) if moment.has_time() => Some((moment, sentence.to_owned())),
        found => {
            let asked = found.map(|(moment, _)| moment);
            if asked.is_none() && is_whole(text) {
                return None;
            }
            let told = moment::told(beside, today);
            let Some((told, rest)) = told else { return asked.map(|moment| (moment, sentence.to_owned())) };
            // Two times are two reminders: which one is meant, nobody said.
            if moment::told(&rest, today).is_some_and(|(other, _)| other.has_time()) {
                return None;
            }
            match asked {
                None => Some((told, rest)),
                Some(days) => match told.clock() {
                    None => Some((days, sentence.to_owned())),
                    clock => Some((days.at(clock), rest)),
                },
            }
        }
    }
}

/// The moment that is counted from one that the line or those before it tell, and what to be reminded of.
fn from_told(
    relative: &relative::Relative,
    around: &Around,
    today: jiff::civil::Date,
) -> Option<(Moment, String)> {
    let terms = |text: &str| language::terms::distinct(text, usize::MAX);
    let is_named = !relative.of.is_empty();
    let words = terms(if is_named { &relative.of } else { &relative.text });
    // What orders a reminder tells no day.
    let lines = around.earlier.iter().filter(|line| language::remind(line).is_none());
    let lines = std::iter::once(&around.beside).chain(lines).enumerate();
    lines.filter(|(_, line)| !line.is_empty()).find_map(|(at, line)| {
        // A line further back is meant where it says the same word.
        let shared = terms(line);
        let is_near = at <= if is_own(&relative.text) { 1 } else { MOST_BACK };
        let is_meant = is_near && !is_named
            || words
                .iter()
                .any(|word| shared.iter().any(|other| is_alike(word, other) || is_alike(other, word)));
        if !is_meant {
            return None;
        }
        relative::sentences(line).into_iter().rev().find_map(|sentence| {
            let (anchor, _) = moment::told(sentence, today)?;
            let moment = relative.from(&anchor)?;
            let text = if is_own(&relative.text) { &relative.text } else { moment::bare(sentence) };
            Some((moment, text.to_owned()))
        })
    })
}

/// How many lines before one may tell the day that it counts from, where it names nothing.
const MOST_BACK: usize = 4;

/// Sets a reminder at a moment.
fn put(
    moment: Moment,
    text: &str,
    timer: bool,
    all: &mut Vec<Reminder>,
    now: &Zoned,
    language: Language,
) -> Answered {
    let says = language.says();
    let from = moment.counted_from(now).map(|_| now.timestamp().as_second());
    let (due, again) = match moment.from(now, None) {
        Ok(found) => found,
        Err(unfit) => return refused(unfit, says),
    };
    let text = cut(&shared_types::text::line(text), LONGEST);
    let (due, again) = (due.timestamp().as_second(), again.map(Again::written));
    if let Some(one) = all.iter().find(|one| (&one.text, one.due, &one.again) == (&text, due, &again)) {
        let mut known = told(&said_of(says.remind_known, one, now, language));
        if let Some((reminded, _)) = &mut known {
            reminded.then = Then::One(one.id);
        }
        return known;
    }
    if all.len() >= MOST {
        let said = fill(says.remind_full, &[("most", &MOST.to_string())]);
        return Some((Reminded { said, outcome: TurnOutcome::Failed, then: Then::Nothing }, false));
    }
    let id = (1..).find(|id| all.iter().all(|one| one.id != *id)).unwrap_or_default();
    all.push(Reminder { id, text, due, again, timer, from });
    done(said_of(says.remind_set, &all[all.len() - 1], now, language), Then::One(id))
}

/// Sets another reminder behind the one that was set just now; it has its day and its kind, where the line names none.
///
/// `announced` says that a word for it does: `and at 3 to call Tom`.
fn more(
    announced: bool,
    text: &str,
    all: &mut Vec<Reminder>,
    around: &Around,
    now: &Zoned,
    language: Language,
) -> Answered {
    let today = now.date();
    let one = all[last(all, around)?].clone();
    let due = zoned(one.due, now.time_zone());
    if let Some(mut relative) = relative::read(text, today) {
        // What the other one was counted from, or else the other one.
        if !is_own(&relative.text) {
            (relative.of, relative.text) = (one.text.clone(), one.text.clone());
        }
        let (moment, text) = match from_told(&relative, around, today) {
            Some(found) => found,
            None => (relative.from(&Moment::of(&due, one.again()))?, relative.text),
        };
        return put(moment, &text, false, all, now, language);
    }
    let find = |text: &str| moment::find(text, today, one.timer);
    let (moment, rest) = find(text).or_else(|| find(text.split_once(' ')?.1).filter(|_| one.timer))?;
    let bare = moment::bare(text);
    let is_first = !rest.is_empty() && !bare.starts_with(&rest);
    // `..., dass jonas ...`, and not `my brother ...`.
    let before = text.find(&rest).map_or("", |at| text[..at].trim_end());
    let before = moment::norm(before.rsplit(' ').next().unwrap_or_default());
    let is_of_person = Language::all().any(|language| language.statements().person.contains(&before));
    if is_of_person && !rest.is_empty() && !announced {
        return None;
    }
    let is_order = one.timer
        || announced
        || matches!(language::moment(&before), Some("to" | "for"))
        || language::may_be_reminded(&rest, is_first)
            && (is_first || memory::statements::statements(&rest).is_empty());
    if !is_order {
        return None;
    }
    let rest = if is_own(&rest) { rest } else { one.text.clone() };
    let is_clock = moment.clock().is_some();
    let moment = match one.again() {
        _ if !is_clock => moment,
        Some(again) => moment.in_place_of(&due, now).on_days_of(Some(again)),
        None if due.date() > today => moment.in_place_of(&due, now).on(due.date()),
        None => moment,
    };
    put(moment, &rest, one.timer, all, now, language)
}

/// A span of time that a text names and nothing else: `3 and a half hours`.
pub(crate) fn span(text: &str) -> Option<jiff::Span> {
    let words: Vec<String> = text.split_whitespace().map(moment::norm).collect();
    moment::span(&words)
}

/// Whether a text says what to be reminded of: `too` and `again` do not.
fn is_own(text: &str) -> bool {
    !language::terms::distinct(text, 1).is_empty()
}

/// When a reminder is due instead, and again, by a text that names the moment and nothing else.
fn redone(text: &str, one: &Reminder, now: &Zoned) -> Option<(Zoned, Option<Again>)> {
    let due = zoned(one.due, now.time_zone());
    let from = one.from.map(|from| zoned(from, now.time_zone()));
    if let Some(from) = &from {
        // `15` stands for as many minutes where the other was so long.
        let text = match text.trim().parse::<u16>() {
            Ok(number) => format!("in {number}"),
            Err(_) => text.to_owned(),
        };
        if let Some(then) = whole(&text, true, now).and_then(|moment| moment.counted_from(from)) {
            return (then > *now).then_some((then, None));
        }
    }
    let read = |text: &str| whole(text, false, now);
    // `friday, half eleven`
    let apart = || {
        let words: Vec<&str> = text.split_whitespace().collect();
        (1..words.len())
            .find_map(|at| read(&format!("{} at {}", words[..at].join(" "), words[at..].join(" "))))
    };
    // `just thursday` puts right on which days of the week it comes again.
    let names_day = || text.split_whitespace().any(|word| language::weekday(&moment::norm(word)).is_some());
    let is_weekly = matches!(one.again(), Some(Again::Week(..))) && names_day();
    let each = if is_weekly { read(&format!("every {text}")) } else { None };
    let each = each.filter(Moment::comes_again);
    let moment = each.or_else(|| read(text)).or_else(|| read(&format!("at {text}"))).or_else(apart)?;
    let moment = if one.is_alarm() { moment.waking() } else { moment };
    let moment = moment.in_place_of(&due, now).on_days_of(one.again());
    moment.from(now, Some(due.date())).ok()
}

/// How long it is until a reminder that the line names; without a name, the list.
fn left(which: &str, all: &[Reminder], around: &Around, now: &Zoned, language: Language) -> Answered {
    let says = language.says();
    let named = !language::terms::distinct(which, 1).is_empty();
    // `how long till 8:40` is not asked of the reminders.
    let is_time = |text: &str| whole(text, false, now).is_some_and(|moment| moment.has_time());
    if which.parse::<usize>().is_err() && (is_time(which) || is_time(&format!("at {which}"))) {
        return None;
    }
    let timers: Vec<usize> = (0..all.len()).filter(|at| all[*at].is_timer()).collect();
    // `the shift ends at 13:30, how long is that?`
    let beside = moment::told(&around.beside, now.date()).filter(|(moment, _)| !named && moment.has_time());
    let beside = beside.and_then(|(moment, text)| {
        let (due, _) = moment.from(now, None).ok()?;
        let due = due.timestamp().as_second();
        Some(Reminder { id: 0, text, due, again: None, timer: false, from: None })
    });
    let one = match (named, &timers[..], &beside) {
        (true, ..) => &all[chosen(which, all, around)?],
        (false, _, Some(told)) => told,
        (false, [one], None) => &all[*one],
        (false, _, None) => return told(&listed(all, None, now, language)),
    };
    let minutes = ((one.due - now.timestamp().as_second()).max(0) + 59) / 60;
    let units: Vec<&str> = says.span_units.split(" | ").collect();
    let unit = |count: i64, at: usize| {
        let name = units.get(at + usize::from(count != 1)).copied().unwrap_or_default();
        (count > 0).then(|| format!("{count} {name}"))
    };
    let (days, hours) = (minutes / (24 * 60), minutes / 60 % 24);
    let parts = [unit(days, 0), unit(hours, 8), unit(minutes % 60, 10)];
    let span = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let said = fill(&said_of(says.remind_left, one, now, language), &[("span", &span)]);
    let then = if beside.is_some() { Then::Nothing } else { Then::One(one.id) };
    Some((Reminded { said, outcome: TurnOutcome::Answered, then }, false))
}

/// The day that words name.
fn date(text: &str, now: &Zoned) -> Option<jiff::civil::Date> {
    let words: Vec<String> = moment::bare(text).split_whitespace().map(moment::norm).collect();
    (!words.is_empty()).then(|| moment::day_of(&words, now.date())).flatten()
}

/// The place of the reminder that was set just now.
fn last(all: &[Reminder], around: &Around) -> Option<usize> {
    let id = around.last?;
    all.iter().position(|one| one.id == id)
}

/// The place of the one reminder of which a sentence says a word: `the roast takes longer`.
fn named(sentence: &str, all: &[Reminder]) -> Option<usize> {
    let said = language::terms::distinct(sentence, usize::MAX);
    let is_named = |one: &Reminder| {
        let words = language::terms::distinct(&one.text, usize::MAX);
        words.iter().any(|word| said.iter().any(|other| is_alike(word, other) || is_alike(other, word)))
    };
    let mut found = (0..all.len()).filter(|at| is_named(&all[*at]));
    found.next().filter(|_| found.next().is_none())
}

/// The place of the reminder that is meant: by [`meant`]; of several, the one that the rest of the line names, and where the line
/// names none, the one that was set just now.
fn chosen(which: &str, all: &[Reminder], around: &Around) -> Option<usize> {
    let is_bare =
        || language::terms::distinct(which, usize::MAX).iter().all(|word| word == TIMER || word == ALARM);
    meant(which, all)
        .or_else(|| named(&around.beside, all).filter(|_| is_bare()))
        .or_else(|| last(all, around).filter(|_| is_bare()))
}

/// Announces what is due: sentences, and when the next one is due.
pub(super) fn due(since: i64, ctx: &KernelContext) -> Result<Answer, HandleError> {
    let language = words::chosen(ctx).unwrap_or(Language::DEFAULT);
    let now = moment::now(&ctx.shared().zone);
    let handle = ctx.handles().memory_write().ok_or(HandleError::NotGranted(Token::MemoryWrite))?;
    let found = handle.reminders(ctx.shared(), |file| {
        let (told, left) = take_due(read(file), &now, since, language);
        let next = left.iter().map(|one| one.due).min();
        ((!told.is_empty()).then(|| kept(&left)), (told, next))
    });
    let (mut told, unread, next) = match found {
        Err(HandleError::File(why)) => (vec![], Some(unread(&why, language)), None),
        found => {
            let (told, next) = found?;
            (told, None, next)
        }
    };
    // Where the mirror or the mark cannot be used now, it is announced later.
    for (over, skipped) in handle.scheduled(ctx.shared()).unwrap_or_default() {
        told.push(scheduled::sentence(&over, skipped, &now, language));
    }
    Ok(Answer::Due { told, unread, next })
}

/// The sentences about what is due, and the reminders that are left.
fn take_due(all: Vec<Reminder>, now: &Zoned, since: i64, language: Language) -> (Vec<String>, Vec<Reminder>) {
    let second = now.timestamp().as_second();
    let (mut due, mut left): (Vec<_>, Vec<_>) = all.into_iter().partition(|one| one.due <= second);
    due.sort_by_key(|one| one.due);
    let says = language.says();
    let mut told = Vec::new();
    for mut one in due {
        let what = one.label(says);
        let then = zoned(one.due, now.time_zone());
        told.push(match one.due < since || second - one.due > LATE {
            true => {
                fill(says.remind_away, &[("when", &words::moment_of(&then, now, language)), ("what", &what)])
            }
            false => fill(says.remind_now, &[("what", &what)]),
        });
        if let Some(next) = one.again().and_then(|again| again.next(&then, now)) {
            one.due = next.timestamp().as_second();
            left.push(one);
        }
    }
    (told, left)
}

/// The reminders of a file; an invalid line is left out.
fn read(file: &str) -> Vec<Reminder> {
    file.lines().filter_map(Reminder::read).take(MOST).collect()
}

fn write(all: &[Reminder]) -> String {
    all.iter().map(Reminder::written).collect()
}

/// What is kept: the file, and when which reminders are due.
fn kept(all: &[Reminder]) -> (String, Vec<(i64, String)>) {
    (write(all), all.iter().map(|one| (one.due, one.text.clone())).collect())
}

fn zoned(second: i64, zone: &TimeZone) -> Zoned {
    Timestamp::from_second(second).unwrap_or_default().to_zoned(zone.clone())
}

/// A sentence about a reminder, with when it is due.
fn said_of(sentence: &str, one: &Reminder, now: &Zoned, language: Language) -> String {
    fill(sentence, &[("when", &when(one, now, language)), ("what", &one.label(language.says()))])
}

/// Whether a reminder is due on a day, for the first time or again.
fn is_on(one: &Reminder, day: jiff::civil::Date, now: &Zoned) -> bool {
    let due = zoned(one.due, now.time_zone());
    let before = day.to_zoned(now.time_zone().clone()).ok().filter(|start| *start > due);
    let next = || one.again()?.next(&due, &before?.checked_sub(jiff::Span::new().seconds(1)).ok()?);
    due.date() == day || next().is_some_and(|next| next.date() == day)
}

/// The reminders in a list, each with its number, the next one first; those of a day alone, where one is given.
fn listed(all: &[Reminder], day: Option<jiff::civil::Date>, now: &Zoned, language: Language) -> String {
    let says = language.says();
    let rows: Vec<String> = shown(all)
        .into_iter()
        .enumerate()
        .filter(|(_, one)| day.is_none_or(|day| is_on(&all[*one], day, now)))
        .map(|(at, one)| {
            let one = &all[one];
            format!("\n{}. {}: {}", at + 1, when(one, now, language), one.label(says))
        })
        .collect();
    match day.and_then(|day| day.to_zoned(now.time_zone().clone()).ok()) {
        _ if !rows.is_empty() => says.remind_list.to_owned() + &rows.concat(),
        Some(day) => fill(says.remind_none_on, &[("day", &words::on_day(says.span_day, &day, language))]),
        None => says.remind_none.to_owned(),
    }
}

/// The places of the reminders as they are listed: the next one first.
fn shown(all: &[Reminder]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..all.len()).collect();
    places.sort_by_key(|at| all[*at].due);
    places
}

/// The question which reminder is meant.
fn which_one(all: &[Reminder], now: &Zoned, language: Language) -> Answered {
    let list = listed(all, None, now, language);
    let said = if all.is_empty() { list } else { fill(language.says().remind_which, &[("list", &list)]) };
    undone(&said, Then::Nothing)
}

/// The word for a timer in a command.
const TIMER: &str = "timer";
/// The word for an alarm in a command.
const ALARM: &str = "alarm";
/// The longest word that need not stand in a reminder, beside others.
const SMALL: usize = 3;
/// The fewest letters of a word that may stand for one that begins with it: `blumen` for `blumengießen`.
const FEWEST_OF_A_WORD: usize = 5;

/// The place of the one reminder that is meant: by its number in the list, by words of it, or as the only one; behind the word
/// `timer` one of the timers, where there are some.
fn meant(which: &str, all: &[Reminder]) -> Option<usize> {
    let which = moment::bare(which);
    if let Ok(number) = which.parse::<usize>() {
        return shown(all).get(number.checked_sub(1)?).copied();
    }
    let mut asked = language::terms::distinct(which, usize::MAX);
    // `Nudeltimer`
    let joined =
        |word: &String| word.strip_suffix(TIMER).filter(|first| !first.is_empty()).map(str::to_owned);
    let names: Vec<String> = asked.iter().filter_map(joined).collect();
    if !names.is_empty() {
        asked.retain(|word| joined(word).is_none());
        asked.extend(names);
        asked.push(TIMER.to_owned());
    }
    let timers = asked.iter().any(|word| word == TIMER) && all.iter().any(Reminder::is_timer);
    let alarms = asked.iter().any(|word| word == ALARM) && all.iter().any(Reminder::is_alarm);
    asked.retain(|word| word != TIMER && word != ALARM);
    // An alarm without a name counts where there is no timer that was asked for as one.
    let named = all.iter().any(|one| one.timer);
    let is_timer = |one: &Reminder| if named { one.timer } else { one.is_timer() };
    let find = |alike: fn(&str, &str) -> bool| {
        let fits = |one: &Reminder| {
            let words = language::terms::distinct(&one.text, usize::MAX);
            let has = |word: &String| words.iter().any(|one| alike(one, word));
            // A small word such as `bei` names none.
            let says_little =
                |word: &String| language::terms::is_small(word) || asked.len() > 1 && word.len() <= SMALL;
            (!timers || is_timer(one))
                && (!alarms || one.is_alarm())
                && asked.iter().all(|word| says_little(word) || has(word))
        };
        let mut found = all.iter().enumerate().filter(|(_, one)| fits(one)).map(|(at, _)| at);
        found.next().filter(|_| found.next().is_none())
    };
    find(|one, word| one == word).or_else(|| find(is_alike))
}

/// Whether a word is another one, or its beginning: `blumen` for `blumengießen`.
fn is_alike(one: &str, word: &str) -> bool {
    one == word || word.chars().count() >= FEWEST_OF_A_WORD && one.starts_with(word)
}

/// When a reminder is due, in words: `at 18:00`, `every Monday at 09:00`.
fn when(one: &Reminder, now: &Zoned, language: Language) -> String {
    let forms: Vec<&str> = language.says().remind_when.split(" | ").collect();
    let form = |at: usize| forms.get(at).copied().unwrap_or_default();
    let then = zoned(one.due, now.time_zone());
    let next = || words::on_day(language.says().span_day, &then, language);
    let of = |form: &str, days: &str, time, every: i8| {
        let parts = [("day", days), ("days", days), ("every", &*every.to_string()), ("next", &*next())];
        fill(&fill(form, &[("time", &words::clock(time))]), &parts)
    };
    match one.again() {
        Some(Again::Minutes(60)) => form(9).to_owned(),
        Some(Again::Minutes(minutes)) if minutes % 60 == 0 => {
            fill(form(10), &[("hours", &(minutes / 60).to_string())])
        }
        Some(Again::Minutes(minutes)) => fill(form(4), &[("minutes", &minutes.to_string())]),
        Some(Again::Month(day, time, 1)) if let Some((nth, weekday)) = moment::weekday_of(day) => {
            let which = form(13).split(", ").nth(usize::from(nth.unsigned_abs())).unwrap_or_default();
            let at = usize::from(weekday.to_monday_zero_offset().unsigned_abs());
            let name = language.calendar().0.get(at).copied().unwrap_or_default();
            of(form(12), &format!("{which} {name}"), time, 1)
        }
        Some(Again::Month(day, time, every)) => {
            let which = match (every, day > 28) {
                (1, false) => 5,
                (1, true) => 6,
                _ => 8,
            };
            of(form(which), &day.to_string(), time, every)
        }
        Some(Again::Week(127, time, 1)) => fill(form(2), &[("time", &words::clock(time))]),
        Some(Again::Week(moment::DAILY, time, every)) => of(form(11), "", time, every),
        Some(Again::Week(days, time, every)) => {
            let names = language.calendar().0.iter().enumerate();
            let names: Vec<&str> =
                names.filter(|(at, _)| days & (1 << at) != 0).map(|(_, name)| *name).collect();
            of(form(if every > 1 { 7 } else { 3 }), &names.join(", "), time, every)
        }
        None if then.date() == now.date() => fill(form(0), &[("time", &words::clock(then.time()))]),
        None => fill(form(1), &[("day", &next()), ("time", &words::clock(then.time()))]),
    }
}

#[cfg(test)]
mod tests;
