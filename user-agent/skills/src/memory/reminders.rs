//! The person's reminders and timers: set, listed, moved and cancelled by a line that they typed, and announced once when due.
//!
//! They are one small file, replaced as a whole and synced before anything is answered. One that is due leaves the file, or gets
//! its next time, before it is announced.
//!
//! - [`moment`]: when somebody is to be reminded, as people write it

use bot_base::paths::PathError;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use language::{Language, Says, fill};
use ports::KernelContext;
use ports::handles::HandleError;
use serde_json::{Value, json};
use shared_types::capability::Token;
use shared_types::message::{Answer, TurnOutcome};
use shared_types::text::cut;

use super::scheduled;
use crate::words;
use moment::{Again, Unfit};

mod moment;

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
}

impl Reminder {
    /// Reads a line of the file.
    fn read(line: &str) -> Option<Reminder> {
        let value: Value = serde_json::from_str(line).ok()?;
        Some(Reminder {
            id: value["id"].as_u64()?,
            text: cut(value["text"].as_str()?, LONGEST),
            due: value["due"].as_i64()?,
            again: value["again"].as_str().map(str::to_owned),
            timer: value["timer"].as_bool().unwrap_or_default(),
        })
    }

    fn written(&self) -> String {
        let Reminder { id, text, due, again, timer } = self;
        let mut line = json!({"id": id, "text": text, "due": due, "again": again});
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
    List,
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
    ctx: &KernelContext,
) -> Result<Answer, HandleError> {
    let now = moment::now(&ctx.shared().zone);
    let language = Language::of_code(code).unwrap_or(Language::DEFAULT);
    let handle = ctx.handles().memory_write().ok_or(HandleError::NotGranted(Token::MemoryWrite))?;
    let reply = handle.reminders(ctx.shared(), |file| {
        let mut all = read(file);
        let reply = answer(command, again, language, &mut all, &now);
        let is_changed = reply.as_ref().is_some_and(|(_, is_changed, _)| *is_changed);
        (is_changed.then(|| kept(&all)), reply)
    });
    Ok(Answer::Reminded(match reply {
        Err(HandleError::File(why)) => Some((unread(&why, language), TurnOutcome::Failed)),
        reply => reply?.map(|(said, _, outcome)| (said, outcome)),
    }))
}

/// That the file can be neither read nor changed, and the next step.
fn unread(why: &PathError, language: Language) -> String {
    fill(language.says().remind_unread, &[("why", &why.to_string())])
}

/// Answers a command, as [`language::remind`] finds it in a line.
fn answer(command: &str, again: bool, language: Language, all: &mut Vec<Reminder>, now: &Zoned) -> Answered {
    let mut parts = command.splitn(3, '|').map(str::trim);
    let [command, which, text] = std::array::from_fn(|_| parts.next().unwrap_or_default());
    let asked = match command {
        "set" | "timer" | "wake" | "maybe" if !again => Asked::Set(which, text, command),
        "move" | "shift" if !again => Asked::Move(which, text, command == "shift"),
        "later" if !again => Asked::Later(which, text),
        "cancel" | "drop" if !again => Asked::Cancel(text, command == "drop"),
        "cancel-all" | "cancel-timers" if !again => Asked::CancelAll(command == "cancel-timers"),
        "maybe" | "shift" | "drop" => return None,
        _ => Asked::List,
    };
    asked.answer(all, now, language)
}

/// A reply, whether it changed the reminders, and what came of the line.
type Answered = Option<(String, bool, TurnOutcome)>;

impl Asked<'_> {
    fn answer(&self, all: &mut Vec<Reminder>, now: &Zoned, language: Language) -> Answered {
        let says = language.says();
        let done = |said: String| Some((said, true, TurnOutcome::Answered));
        let told = |said: &str| Some((said.to_owned(), false, TurnOutcome::Answered));
        let refused = |unfit: Unfit| {
            let said = if unfit == Unfit::Past { says.remind_past } else { says.no_timer };
            Some((said.to_owned(), false, TurnOutcome::Unknown))
        };
        let unmoved = || Some((says.remind_unmoved.to_owned(), false, TurnOutcome::Unknown));
        match *self {
            Asked::Set(before, text, command) => {
                let counts = command == "timer";
                let found = match before {
                    "" => moment::find(text, now.date(), counts)
                        .or_else(|| moment::named(text, now.date()))
                        .or_else(|| {
                            let is_told = !language::is_question(text);
                            is_told.then(|| moment::within(text, now.date())).flatten()
                        }),
                    // `tomorrow, remind me to ...`, and not `the things that remind me of ...`.
                    before => match moment::find(before, now.date(), false)
                        .or_else(|| moment::find(&format!("at {before}"), now.date(), false))
                    {
                        Some((moment, rest)) if rest.is_empty() => {
                            Some((moment, moment::bare(text).to_owned()))
                        }
                        _ => return None,
                    },
                };
                let Some((moment, text)) = found else {
                    // `remind me what I said` asks for something that was said.
                    let is_other = command == "maybe" || language::is_question(text);
                    return if is_other { None } else { refused(Unfit::Unknown) };
                };
                let moment = if command == "wake" { moment.waking() } else { moment };
                let (due, again) = match moment.from(now, None) {
                    Ok(found) => found,
                    Err(unfit) => return refused(unfit),
                };
                let text = cut(&shared_types::text::line(&text), LONGEST);
                let (due, again) = (due.timestamp().as_second(), again.map(Again::written));
                if let Some(one) =
                    all.iter().find(|one| (&one.text, one.due, &one.again) == (&text, due, &again))
                {
                    return told(&said_of(says.remind_known, one, now, language));
                }
                if all.len() >= MOST {
                    let said = fill(says.remind_full, &[("most", &MOST.to_string())]);
                    return Some((said, false, TurnOutcome::Failed));
                }
                let id = (1..).find(|id| all.iter().all(|one| one.id != *id)).unwrap_or_default();
                all.push(Reminder { id, text, due, again, timer: counts });
                done(said_of(says.remind_set, &all[all.len() - 1], now, language))
            }
            Asked::List => told(&listed(all, now, language)),
            Asked::Move(which, when, is_unsure) => {
                let whole =
                    |when: &str| moment::find(when, now.date(), true).filter(|(_, rest)| rest.is_empty());
                // `to 8`
                let moment = whole(when).or_else(|| whole(&format!("at {when}")));
                let at = meant(which, all);
                if is_unsure && (at.is_none() || moment.is_none()) {
                    return None;
                }
                let Some(at) = at else { return which_one(all, now, language) };
                let Some((moment, _)) = moment else { return unmoved() };
                let one = &mut all[at];
                let day = zoned(one.due, now.time_zone()).date();
                match moment.on_days_of(one.again()).from(now, Some(day)) {
                    Ok((due, again)) => {
                        one.due = due.timestamp().as_second();
                        one.again = again.map(Again::written);
                        done(said_of(says.remind_set, one, now, language))
                    }
                    Err(_) => unmoved(),
                }
            }
            Asked::Later(which, span) => {
                let Some(at) = meant(which, all) else { return which_one(all, now, language) };
                let one = &mut all[at];
                let from = zoned(one.due, now.time_zone());
                let found = moment::find(span, now.date(), true).filter(|(_, rest)| rest.is_empty());
                match found.and_then(|(moment, _)| moment.from(&from, None).ok()) {
                    Some((due, None)) if one.again.is_none() => {
                        one.due = due.timestamp().as_second();
                        done(said_of(says.remind_set, one, now, language))
                    }
                    _ => unmoved(),
                }
            }
            // `remove that` names none.
            Asked::Cancel(which, true) if language::terms::distinct(which, 1).is_empty() => None,
            Asked::Cancel(which, is_unsure) => match meant(which, all) {
                Some(at) => {
                    let gone = all.remove(at);
                    done(fill(says.remind_gone, &[("what", &gone.label(says))]))
                }
                None if is_unsure => None,
                None => which_one(all, now, language),
            },
            Asked::CancelAll(_) if all.is_empty() => told(says.remind_none),
            Asked::CancelAll(timers) if timers && !all.iter().any(Reminder::is_timer) => {
                which_one(all, now, language)
            }
            Asked::CancelAll(timers) => {
                let gone = all.extract_if(.., |one| !timers || one.is_timer());
                let gone: Vec<String> = gone.map(|one| one.label(says)).collect();
                done(fill(says.remind_gone, &[("what", &gone.join("; "))]))
            }
        }
    }
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

/// The reminders in a list, each with its number, the next one first.
fn listed(all: &[Reminder], now: &Zoned, language: Language) -> String {
    let says = language.says();
    if all.is_empty() {
        return says.remind_none.to_owned();
    }
    let row = |(at, one): (usize, usize)| {
        let one = &all[one];
        format!("\n{}. {}: {}", at + 1, when(one, now, language), one.label(says))
    };
    says.remind_list.to_owned() + &shown(all).into_iter().enumerate().map(row).collect::<String>()
}

/// The places of the reminders as they are listed: the next one first.
fn shown(all: &[Reminder]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..all.len()).collect();
    places.sort_by_key(|at| all[*at].due);
    places
}

/// The question which reminder is meant.
fn which_one(all: &[Reminder], now: &Zoned, language: Language) -> Answered {
    let list = listed(all, now, language);
    let said = if all.is_empty() { list } else { fill(language.says().remind_which, &[("list", &list)]) };
    Some((said, false, TurnOutcome::Unknown))
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
    let begins = |one: &str, word: &str| {
        one == word || word.chars().count() >= FEWEST_OF_A_WORD && one.starts_with(word)
    };
    find(|one, word| one == word).or_else(|| find(begins))
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
