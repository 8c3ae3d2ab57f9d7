//! One turn: guard the input, directives that need no model, the model and its tools, the other directives.

use bot_base::config::Extract;
use bot_base::log::{self, Name};
use language::{Intent, Language, Meant, Refusal, Says, fill, restate, terms};
use memory::statements;
use models::{ModelError, Role, Usage};
use ports::KernelContext;
use ports::guard::Verdict;
use serde_json::Value;
use shared_types::message::{
    Answer, Around, ProposalRow, Recall, Remember, Reminded, Request, Then, TurnOutcome,
};
use shared_types::profile::SystemCapability;
use shared_types::proposal::Kind;
use shared_types::status::Status;
use shared_types::text::cut;

use super::directives::{self, Directive};
use super::memories;
use super::past;
use super::rounds;
use super::talk::Talk;
use crate::words;

/// The most wishes that are listed.
const MOST_WISHES: usize = 20;

/// The longest name in a greeting, in characters.
const MAX_NAME: usize = 40;

/// What a turn came to.
pub(super) enum Turn {
    /// An answer to the line, as the guard left it.
    Reply {
        /// The answer.
        said: Box<Said>,
        line: String,
        /// The line as it was meant, where memory does not know yet what it tells.
        tells: Option<String>,
    },
    /// The line is not taken.
    Refused(String),
    /// Nobody could answer.
    Failed(String),
    /// The person did not want to wait.
    Cancelled,
}

/// A reply, and how it came about.
#[derive(Default)]
pub(super) struct Said {
    pub text: String,
    pub provider: String,
    pub model: String,
    pub usage: Option<Usage>,
    pub calls: Vec<Value>,
    pub results: Vec<Value>,
    /// Who answers in whose place, and why: news each time.
    pub notes: Vec<String>,
    /// What is amiss with an answer, which is said once of each kind.
    pub notices: Vec<String>,
    /// Why the answer ended before its end, if it did.
    pub broke_off: Option<String>,
    /// The memories that went to the model with the line.
    pub memories: Vec<String>,
    /// Whether a model was shown the pictures that went with the line.
    pub shown: bool,
    /// What the line tells beside an order, where memory does not know it yet.
    pub tells: Option<String>,
    /// Rounds of tool calls.
    pub rounds: u32,
    /// A tool gave the answer.
    pub by_tool: bool,
    /// What came of the turn.
    pub outcome: TurnOutcome,
}

impl Said {
    /// What could not be done, and why.
    fn failed(says: &Says, why: &str) -> Said {
        let text = fill(says.did_not_work, &[("why", why)]);
        Said { outcome: TurnOutcome::Failed, ..Said::plain(text) }
    }

    /// An answer of the program itself.
    fn plain(text: impl Into<String>) -> Said {
        Said { text: text.into(), ..Said::default() }
    }
}

/// What an answer came of a line, before it is a turn.
enum LineAnswer {
    /// An answer.
    Said(Said),
    /// An answer to a line whose facts memory has as they are.
    Settled(Said),
    /// No answer.
    Not(Turn),
}

/// Runs a turn.
pub(super) fn turn(line: &str, streams: bool, talk: &mut Talk, ctx: &KernelContext) -> Turn {
    let judged = ctx.shared().guard().input(line);
    noticed(&judged.verdict);
    if let Verdict::Block(_) = &judged.verdict {
        talk.forgets_all = false;
        return Turn::Refused(format!("this line is not taken: it {}", judged.reasons.join("; it ")));
    }
    let line = judged.text;
    if line.is_empty() {
        talk.forgets_all = false;
        return Turn::Refused("there is nothing in this line".to_owned());
    }
    let manner = rounds::Manner { streams, caution: matches!(judged.verdict, Verdict::Caution(_)) };
    let is_free = ctx.handles().model().is_some_and(|model| model.writes_freely("chat"));
    // A model reads what was typed.
    let plain = if is_free { None } else { language::plainly(&line) };
    let meant = plain.unwrap_or_else(|| line.clone());
    let behind = || language::behind_greeting(&meant).map(str::to_owned);
    let meant = if is_free { None } else { behind() }.unwrap_or(meant);
    let meant = if is_free { meant } else { language::directly(&meant).unwrap_or(meant) };
    let meant = if is_free { meant } else { talk.with_file(&meant).unwrap_or(meant) };
    let came = match talk.call.is_some() {
        true => rounds::converse(&line, talk, &manner, ctx)
            .map_or_else(|e| LineAnswer::Not(unanswered(&e)), LineAnswer::Settled),
        false => match timed(&line, &manner, is_free, talk, ctx) {
            Some(came) => came,
            None => one(&line, &meant, &manner, is_free, talk, ctx),
        },
    };
    if let LineAnswer::Said(said) | LineAnswer::Settled(said) = &came {
        talk.used(&line, said);
    }
    match came {
        LineAnswer::Said(said) => Turn::Reply { said: Box::new(said), line, tells: Some(meant) },
        LineAnswer::Settled(mut said) => {
            let tells = said.tells.take();
            Turn::Reply { said: Box::new(said), line, tells }
        }
        LineAnswer::Not(turn) => turn,
    }
}

/// Answers a line that wants one thing.
fn one(
    line: &str,
    meant: &str,
    manner: &rounds::Manner,
    is_free: bool,
    talk: &mut Talk,
    ctx: &KernelContext,
) -> LineAnswer {
    // `learn to tell me when the moon is full` is a wish, and sets no reminder.
    let is_wish = || matches!(directives::read(line, None), Some(Directive::Learn { .. }));
    match if is_wish() { None } else { reminded(line, meant, talk, ctx) } {
        Some(said) => {
            talk.forgets_all = false;
            LineAnswer::Settled(said)
        }
        None => answered(meant, manner, is_free, talk, ctx),
    }
}

/// Sets the timer of a typed line that wants something else as well, and answers that; nothing where it is not such a line.
fn timed(
    line: &str,
    manner: &rounds::Manner,
    is_free: bool,
    talk: &mut Talk,
    ctx: &KernelContext,
) -> Option<LineAnswer> {
    let (timer, other, is_first) = language::beside_timer(line).filter(|_| !talk.untyped)?;
    let set = reminded(timer, timer, talk, ctx).filter(is_done)?;
    let meant = if is_free { None } else { language::plainly(other) };
    let came = one(other, meant.as_deref().unwrap_or(other), manner, is_free, talk, ctx);
    // What was streamed stays first.
    let is_first = is_first && !(is_free && manner.streams);
    let with = |mut said: Said| {
        said.text = match is_first {
            true => format!("{}\n\n{}", set.text, said.text),
            false => format!("{}\n\n{}", said.text, set.text),
        };
        said
    };
    Some(match came {
        LineAnswer::Said(said) => LineAnswer::Said(with(said)),
        LineAnswer::Settled(said) => LineAnswer::Settled(with(said)),
        // The timer is set: the rest is named, not the timer undone.
        LineAnswer::Not(_) => {
            let left = fill(words::language(ctx, line).says().rest_undone, &[("what", other)]);
            let text = format!("{}\n\n{left}", set.text);
            LineAnswer::Settled(Said { outcome: TurnOutcome::Failed, ..Said::plain(text) })
        }
    })
}

/// Does what a typed line wants of the reminders, as typed or else as it was meant, whether a model answers or not. What nobody
/// typed sets, moves and cancels none.
fn reminded(line: &str, meant: &str, talk: &mut Talk, ctx: &KernelContext) -> Option<Said> {
    if talk.untyped {
        return None;
    }
    if let Some([first, second]) = language::two_reminders(line)
        && let Some(mut said) = of_line(line, (first, language::detect(line)), "", talk, ctx).filter(is_done)
    {
        // What keeps the second one from being set is said as well.
        if let Some(then) = of_line(line, (second, language::detect(line)), "", talk, ctx) {
            said.text = format!("{}\n{}", said.text, then.text);
        }
        return Some(said);
    }
    if let Some((command, spoken, is_alone)) = language::on_second_thought(line) {
        let old = talk.reminder.to_change().filter(|_| is_alone);
        if let Some(mut said) = of_line(line, (command, spoken), "", talk, ctx).filter(is_done) {
            // It takes the place of the one that was set just now.
            let old = old.filter(|old| talk.reminder.to_add() != Some(*old));
            let around = old.map(|old| Around { last: Some(old), ..Around::default() });
            let undo = |around| {
                let spoken = in_talk(line, spoken, talk);
                of_reminders(line, "undo".to_owned(), spoken, talk.is_again, around, ctx)
            };
            if let Some((gone, _)) = around.and_then(undo).filter(|(gone, _)| is_done(gone)) {
                said.text = format!("{}\n{}", gone.text, said.text);
            }
            return Some(said);
        }
    }
    let other = || (meant != line).then(|| language::remind(meant)).flatten();
    let whole = match language::remind(line).or_else(other) {
        Some((command, spoken)) => match command.strip_prefix(language::ALSO) {
            // `and every evening at 9 to lock the door` sets another one behind one that was set.
            Some(more) => {
                let more = more.replacen('|', " ", 1);
                let sets = talk.reminder.to_add().map(|_| (format!("more |to| {more}"), spoken));
                sets.and_then(|sets| of_line(line, sets, "", talk, ctx)).filter(is_done)
            }
            None => of_line(line, (command, spoken), "", talk, ctx),
        },
        None => reminded_then(line, talk, ctx),
    };
    if whole.as_ref().is_some_and(is_done) {
        return whole;
    }
    // A clause of it, and what goes back to a reminder that was set just now.
    let mut orders = language::in_clauses(line).into_iter();
    let of_clause = orders.find_map(|(command, spoken, beside)| {
        of_line(line, (command, spoken), &beside, talk, ctx).filter(is_done)
    });
    of_clause.or_else(|| goes_back(line, talk, ctx)).or(whole)
}

/// Whether something came of a line.
fn is_done(said: &Said) -> bool {
    said.outcome == TurnOutcome::Answered
}

/// Does what a line wants that continues the reminder that was set just now: another one, or another moment for it.
fn goes_back(line: &str, talk: &mut Talk, ctx: &KernelContext) -> Option<Said> {
    if talk.reminder.to_add().is_some()
        && let Some(said) =
            language::another(line).and_then(|more| of_line(line, more, "", talk, ctx)).filter(is_done)
    {
        return Some(said);
    }
    // `no, the cake is at 4`
    for other in language::of_other(line) {
        if let Some(said) = of_line(line, other, "", talk, ctx).filter(is_done) {
            return Some(said);
        }
    }
    let (moments, spoken, beside) = language::instead(line)?;
    if talk.reminder.to_change().is_none() && beside.is_empty() {
        return None;
    }
    of_line(line, (format!("redo || {}", moments.join("|")), spoken), &beside, talk, ctx)
}

/// Does what a command of a line wants, and takes down what came of it; `beside` is what else the line says.
fn of_line(
    line: &str,
    (command, spoken): (String, Language),
    beside: &str,
    talk: &mut Talk,
    ctx: &KernelContext,
) -> Option<Said> {
    let last = match command.starts_with("more") {
        true => talk.reminder.to_add(),
        false => talk.reminder.to_change(),
    };
    let mut earlier: Vec<String> = talk
        .messages
        .iter()
        .rev()
        .filter(|message| message.role == Role::User)
        .take(MOST_EARLIER)
        .map(|message| message.content.clone())
        .collect();
    earlier.extend(memories::for_companion(line, ctx).into_iter().take(MOST_EARLIER).map(|fact| fact.text));
    let around = Around { last, beside: beside.to_owned(), earlier };
    // `the lorry comes at 18:15, remind me at 18:00` tells something as well.
    let mut fields = command.split('|').map(str::trim);
    let sets = matches!(fields.next(), Some("set" | "maybe" | "timer"));
    let before = fields.next().filter(|_| sets).unwrap_or_default();
    let told = if beside.is_empty() { before } else { beside };
    let tells = (sets && !statements::statements(told).is_empty()).then(|| told.to_owned());
    let (said, then) = of_reminders(line, command, in_talk(line, spoken, talk), talk.is_again, around, ctx)?;
    talk.reminder.came(then);
    Some(Said { tells: tells.filter(|_| is_done(&said)), ..said })
}

/// The most lines and facts that a reminder may be counted from.
const MOST_EARLIER: usize = 8;

/// The language of a line whose words tell none is that of the lines before it.
fn in_talk(line: &str, spoken: Language, talk: &Talk) -> Language {
    let earlier = talk.messages.iter().rev().filter(|m| m.role == Role::User);
    let told = || earlier.into_iter().take(MOST_BEFORE).find_map(|message| language::told(&message.content));
    if language::told(line).is_some() { spoken } else { told().unwrap_or(spoken) }
}

/// The most lines before one that tell its language.
const MOST_BEFORE: usize = 4;

/// The most words of a moment that is said when asked for.
const MOST_OF_A_MOMENT: usize = 6;

/// Sets the reminder of the line before, which lacked the moment, with the moment that this line is.
fn reminded_then(line: &str, talk: &mut Talk, ctx: &KernelContext) -> Option<Said> {
    let asked = talk.reminder.lacking()?.trim_end_matches(['.', '!', '?']);
    let is_moment = line.split_whitespace().count() <= MOST_OF_A_MOMENT
        && !language::is_question(line)
        && language::intent(line).is_none();
    let with = format!("{asked} {line}");
    let order = language::remind(&with).filter(|_| is_moment)?;
    of_line(line, order, "", talk, ctx).filter(is_done)
}

/// Does what a command wants of the reminders, and what the next line may go back to; nothing where it is not a command after all.
pub(super) fn of_reminders(
    line: &str,
    command: String,
    spoken: Language,
    again: bool,
    around: Around,
    ctx: &KernelContext,
) -> Option<(Said, Then)> {
    let language = words::chosen(ctx).unwrap_or(spoken);
    let says = language.says();
    let asked = Remember::Remind { command, language: language.code().to_owned(), again, around };
    match ctx.ask(asked) {
        Some(Answer::Reminded(came)) => {
            came.map(|Reminded { said, outcome, then }| (Said { outcome, ..Said::plain(said) }, then))
        }
        Some(Answer::Failed(why)) => Some((Said::failed(says, &why), Then::Nothing)),
        _ => {
            let text = words::missing(ctx, line, |says| says.no_memory);
            Some((Said { outcome: TurnOutcome::Failed, ..Said::plain(text) }, Then::Nothing))
        }
    }
}

/// Answers a line as it was meant.
fn answered(
    line: &str,
    manner: &rounds::Manner,
    is_free: bool,
    talk: &mut Talk,
    ctx: &KernelContext,
) -> LineAnswer {
    let asked_to_forget = std::mem::take(&mut talk.forgets_all) && !talk.untyped;
    // What nobody typed asks for nothing, keeps nothing and forgets nothing.
    let directive = if talk.untyped { None } else { directives::read(line, talk.offer.as_deref()) };
    if let Some(Directive::Learn { wish, line: wished_in }) = &directive {
        return LineAnswer::Said(propose(wish, wished_in, ctx));
    }
    let meant = language::intent(line);
    let is_sure = asked_to_forget && meant.as_ref().is_some_and(|meant| meant.intent == Intent::Confirm);
    if is_sure || directive == Some(Directive::ForgetAll) {
        return LineAnswer::Said(forget_all(line, is_sure, talk, ctx));
    }
    let greets = meant.as_ref().is_some_and(|meant| meant.intent == Intent::Greeting);
    let before = std::mem::take(&mut talk.facts);
    if !is_free
        && !talk.untyped
        && let Some((said, fact)) = put_right(line, &before, ctx)
    {
        talk.facts.extend(fact);
        return LineAnswer::Settled(said);
    }
    if !is_free
        && !talk.untyped
        && directive.is_none()
        && meant.is_none()
        && let Some(fact) = before.last().and_then(|fact| statements::continued(line, fact))
    {
        let told = Directive::Remember { fact: fact.clone() };
        talk.facts = vec![fact];
        let kept = || (words::language(ctx, line).says().remembered.to_owned(), TurnOutcome::Answered);
        let (text, outcome) = remember_or_forget(&told, line, ctx).unwrap_or_else(kept);
        return LineAnswer::Settled(Said { outcome, ..Said::plain(text) });
    }
    let told = meant.and_then(|Meant { intent, language, .. }| match intent {
        // A model finds them in its instructions.
        Intent::Past { when } if !is_free => {
            Some(past::told(&when, words::chosen(ctx).unwrap_or(language), ctx))
        }
        Intent::Limits => Some(cannot(words::chosen(ctx).unwrap_or(language), ctx)),
        Intent::Proposals => Some(proposals(words::chosen(ctx).unwrap_or(language), ctx)),
        Intent::Workflows if ctx.shared().audience.is_minor() => {
            Some(words::chosen(ctx).unwrap_or(language).says().workflows_minor.to_owned())
        }
        Intent::Learning if ctx.shared().audience.is_minor() => {
            Some(words::chosen(ctx).unwrap_or(language).says().learning_minor.to_owned())
        }
        _ => None,
    });
    if let Some(told) = told {
        return LineAnswer::Said(Said::plain(told));
    }
    // What is kept or forgotten may change the answer, so that it is shown when it is whole.
    let manner = rounds::Manner { streams: manner.streams && directive.is_none(), ..*manner };
    let mut said = match rounds::converse(line, talk, &manner, ctx) {
        Ok(said) => said,
        Err(error) => return LineAnswer::Not(unanswered(&error)),
    };
    if let Some(directive) = directive.filter(|_| !said.by_tool) {
        if matches!(directive, Directive::Forget { .. }) {
            talk.forget_known();
        }
        if let Directive::Remember { fact } = &directive {
            talk.facts = statements::parts(fact);
        }
        if let Some(other) = remember_or_forget(&directive, line, ctx) {
            (said.text, said.outcome) = other;
        }
    }
    if !said.by_tool && !is_free {
        said.text = greeting(said.text, greets, ctx);
    }
    if !said.by_tool && tells(line, talk, ctx) && told_with_joy_in(line) {
        talk.facts = statements::statements(line).into_iter().map(|told| told.text).collect();
    } else if !said.by_tool && tells(line, talk, ctx) {
        // Without the skill nothing is kept, and nothing is said to be.
        let has_memory = matches!(ctx.ask(Recall::Last), Some(Answer::Last(_)));
        // A fact of few words is answered in the language of the talk.
        let earlier = talk.messages.iter().rev().filter(|m| m.role == Role::User);
        let lines = std::iter::once(line).chain(earlier.map(|m| m.content.as_str()));
        let says = words::chosen(ctx).unwrap_or_else(|| language::detect_among(lines)).says();
        (said.text, said.outcome) = match has_memory {
            true => {
                talk.facts = statements::statements(line).into_iter().map(|told| told.text).collect();
                (says.remembered.to_owned(), TurnOutcome::Answered)
            }
            false => (words::missing(ctx, line, |says| says.no_memory).to_owned(), TurnOutcome::Failed),
        };
    }
    // `my name is Dave, what is 5 + 5?`
    if !is_free && !talk.untyped && language::asked_part(line) != line {
        for told in language::clauses(line) {
            if let Some(directive @ Directive::Remember { .. }) = directives::read(told, None) {
                remember_or_forget(&directive, line, ctx);
            }
        }
    }
    if talk.facts.is_empty() && !said.by_tool && !is_free {
        talk.facts.extend(said_fact(&said.text, ctx));
    }
    LineAnswer::Said(said)
}

/// A turn without an answer.
fn unanswered(error: &ModelError) -> Turn {
    match error {
        ModelError::Cancelled { .. } => Turn::Cancelled,
        error => Turn::Failed(error.to_string()),
    }
}

/// The one fact that a reply says, if it says one.
fn said_fact(reply: &str, ctx: &KernelContext) -> Option<String> {
    let mut said = memories::for_companion(reply, ctx).into_iter().map(|fact| fact.text).filter(|text| {
        reply.contains(text.as_str()) || Language::all().any(|language| restate::say(text, language) == reply)
    });
    said.next().filter(|_| said.next().is_none())
}

/// Takes back or puts right a fact of the turn before, or any that the line tells anew or says is so no longer; the answer, and the
/// fact as it is kept from now on.
fn put_right(line: &str, before: &[String], ctx: &KernelContext) -> Option<(Said, Option<String>)> {
    let says = words::language(ctx, line).says();
    if language::takes_back(line) && !before.is_empty() {
        return take_back(before, says, ctx);
    }
    let told = statements::statements(line);
    let of_before = || {
        // A line that itself tells a fact takes the place of the old one by what it is about.
        let is_told = |fact: &str| {
            told.iter().any(|told| told.about.is_some() && told.about == statements::about(fact))
        };
        let right = |fact: &String| {
            let new = language::corrected(line, fact).filter(|_| !is_told(fact))?;
            Some((fact.clone(), Some(new)))
        };
        before.iter().rev().find_map(right)
    };
    let anew = || {
        let [told] = &told[..] else { return None };
        let about = told.about.as_deref()?;
        memories::for_companion(line, ctx).into_iter().map(|fact| fact.text).find_map(|old| {
            let is_same = statements::about(&old).is_some_and(|of| statements::is_of(&of, about));
            let new = is_same.then(|| language::in_its_words(line, &told.text, &old)).flatten()?;
            (new != old).then_some((old, Some(new)))
        })
    };
    let with_value = || {
        memories::for_companion(line, ctx).into_iter().map(|fact| fact.text).rev().find_map(|old| {
            let new = language::told_anew(line, &old)?;
            Some((old, Some(new)))
        })
    };
    let ended = || {
        let what = language::ended(line)?;
        let texts: Vec<String> =
            memories::for_companion(&what, ctx).into_iter().map(|fact| fact.text).collect();
        let gone = restate::all(&what, &texts).last().map(|text| (*text).to_owned())?;
        Some((gone, None))
    };
    let (old, new) = of_before().or_else(anew).or_else(with_value).or_else(ended)?;
    let id = id_of_text(&old, ctx)?;
    let failed = |answer: Option<Answer>| match answer {
        Some(Answer::Failed(error)) => Some((Said::failed(says, &error), None)),
        _ => None,
    };
    // What is right now is kept before what was wrong goes, so that nothing is lost between.
    let kept = new.as_ref().map(|new| Remember::Fact {
        text: new.clone(),
        said_by: Some("person".to_owned()),
        turn_id: None,
        outside: false,
    });
    // Memory takes texts that differ in case and accents alone for one fact: then the old one goes first.
    let is_alike = new.as_ref().is_some_and(|new| terms::fold(new) == terms::fold(&old));
    let forget = || failed(ctx.ask(Remember::Forget { query: old.clone(), id: Some(id.clone()) }));
    let keep = || kept.and_then(|kept| failed(ctx.ask(kept)));
    let failed = if is_alike { forget().or_else(keep) } else { keep().or_else(forget) };
    if failed.is_some() {
        return failed;
    }
    let Some(new) = new else { return Some((Said::plain(fill(says.forgot, &[("facts", &old)])), None)) };
    Some((Said::plain(fill(says.corrected, &[("fact", &new)])), Some(new)))
}

/// The fact that has that text.
fn id_of_text(text: &str, ctx: &KernelContext) -> Option<String> {
    memories::for_companion(text, ctx).into_iter().find(|fact| fact.text == text).map(|fact| fact.id)
}

/// Forgets what was stated in the turn before.
fn take_back(before: &[String], says: &Says, ctx: &KernelContext) -> Option<(Said, Option<String>)> {
    let mut gone = Vec::new();
    for text in before {
        let Some(id) = id_of_text(text, ctx) else { continue };
        if let Some(Answer::Failed(error)) = ctx.ask(Remember::Forget { query: text.clone(), id: Some(id) }) {
            return Some((Said::failed(says, &error), None));
        }
        gone.push(text.as_str());
    }
    (!gone.is_empty()).then(|| (Said::plain(fill(says.forgot, &[("facts", &gone.join("; "))])), None))
}

/// A greeting of the companion with the person's name in its first sentence, where that is known.
fn greeting(text: String, greets: bool, ctx: &KernelContext) -> String {
    if !greets && !Language::all().any(|language| text == language.says().greeting) {
        return text;
    }
    match memories::name(ctx) {
        Some(name) => text.replacen('!', &format!(", {}!", cut(&name, MAX_NAME)), 1),
        None => text,
    }
}

/// Whether a line that the companion answered tells a fact in passing, which memory keeps by its rules.
fn tells(line: &str, talk: &Talk, ctx: &KernelContext) -> bool {
    ctx.shared().config.memory.extract != Extract::Off
        && !talk.untyped
        && ctx.handles().model().is_some_and(|model| !model.writes_freely("chat"))
        && language::intent(line).is_none_or(|meant| told_with_joy(&meant.intent, line))
        // What is asked beside a fact would go without an answer.
        && !line.split([',', ';', '.', '!']).any(language::is_question)
        && !language::asks_an_amount(line)
        && !statements::statements(line).is_empty()
}

/// Whether glad news names somebody, which is kept beside what is said to it: `we got a puppy named Lulu`.
fn told_with_joy_in(line: &str) -> bool {
    language::intent(line).is_some_and(|meant| told_with_joy(&meant.intent, line))
}

fn told_with_joy(intent: &Intent, line: &str) -> bool {
    matches!(intent, Intent::Joy | Intent::Feeling | Intent::Comfort) && statements::names(line)
}

/// Tells which rules spoke up.
fn noticed(verdict: &Verdict) {
    let (rules, word) = match verdict {
        Verdict::Pass => return,
        Verdict::Caution(rules) => (rules, "caution"),
        Verdict::Block(rules) => (rules, "block"),
    };
    for rule in rules {
        log::event(log::Event::GuardNoticed { rule: Name::of(rule), verdict: Name::of(word) });
    }
}

fn propose(wish: &str, line: &str, ctx: &KernelContext) -> Said {
    // A wish for a lack that this machine makes good by a model is written down all the same.
    if let Some((refusal, spoken)) = language::refusal(wish)
        && (matches!(refusal, Refusal::Bypass | Refusal::Harm) || !is_served(refusal, wish))
    {
        let said = refusal.said(words::chosen(ctx).unwrap_or(spoken));
        return Said { outcome: TurnOutcome::Unknown, ..Said::plain(said) };
    }
    // What is answered with a sentence that it cannot be done, such as a game, needs a model to be learned.
    let is_free = ctx.handles().model().is_some_and(|model| model.writes_freely("chat"));
    // A wish that names what it needs, such as the network, is one that may be served.
    if !is_free
        && language::draft(wish).capabilities.is_empty()
        && let Some(Meant { intent: Intent::Order, reply: Some(said), .. }) = language::intent(wish)
        // `Say "learn to tell the weather"` is an answer to a line that asks for it.
        && !language::is_no_answer(&said)
    {
        return Said { outcome: TurnOutcome::Unknown, ..Said::plain(said) };
    }
    match ctx.ask(Request::Wish { wish: wish.to_owned(), line: line.to_owned() }) {
        Some(Answer::Wished { reply, outcome }) => Said { outcome, ..Said::plain(reply) },
        _ => {
            let text = words::missing(ctx, line, |says| says.no_proposer);
            Said { outcome: TurnOutcome::Failed, ..Said::plain(text) }
        }
    }
}

/// What the assistant can not do: what it never may, and what was asked for and is not there yet.
fn cannot(language: Language, ctx: &KernelContext) -> String {
    let mut text = language.says().limits.to_owned();
    let rows = wishes(ctx);
    let open: Vec<&str> = rows
        .iter()
        .filter(|row| !matches!(row.status, Status::Accepted | Status::Rejected | Status::Removed))
        .map(|row| row.name.as_str())
        .collect();
    if !open.is_empty() {
        text.push(' ');
        text.push_str(&fill(language.says().limits_open, &[("names", &open.join(", "))]));
    }
    text
}

/// What was asked for, and where each wish stands.
fn proposals(language: Language, ctx: &KernelContext) -> String {
    let says = language.says();
    let status = |row: &ProposalRow| match row.status {
        Status::Accepted => says.proposal_accepted,
        Status::Rejected | Status::Removed => says.proposal_rejected,
        _ => says.proposal_waits,
    };
    let rows = wishes(ctx);
    if rows.is_empty() {
        return says.proposals_none.to_owned();
    }
    let shown = rows.iter().rev().take(MOST_WISHES);
    let shown = shown
        .map(|row| fill(says.proposal_row, &[("what", &cut(&row.description, 60)), ("status", status(row))]));
    format!("{}\n{}", says.proposals, shown.collect::<Vec<_>>().join("\n"))
}

/// The wishes for skills.
fn wishes(ctx: &KernelContext) -> Vec<ProposalRow> {
    let rows = match ctx.ask(Request::List) {
        Some(Answer::Proposals(rows)) => rows,
        _ => vec![],
    };
    rows.into_iter().filter(|row| row.kind == Kind::Skill).collect()
}

/// Whether this machine has what a wish of a kind needs.
fn is_served(refusal: Refusal, wish: &str) -> bool {
    let needs = |ability| language::draft(wish).requirements.contains(&ability);
    match refusal {
        // Speech alone: nothing plays music. The proposer says what is missing for it.
        Refusal::Sound => needs(SystemCapability::AudioOutput),
        // A pin that the wish names; likewise.
        Refusal::Devices => needs(SystemCapability::Gpio),
        // A service that the configuration names is asked for by a proposal, and what is missing is said there.
        Refusal::Web | Refusal::Delete | Refusal::Translate => true,
        Refusal::Bypass | Refusal::Harm | Refusal::Mail | Refusal::Timer | Refusal::Shop => false,
    }
}

/// Says how much there is and asks, or forgets all of it after a yes: facts, and conversations with this one.
fn forget_all(line: &str, is_sure: bool, talk: &mut Talk, ctx: &KernelContext) -> Said {
    let says = words::language(ctx, line).says();
    let facts = match ctx.ask(Recall::Facts { query: String::new(), limit: None }) {
        Some(Answer::Facts(facts)) => facts.len().to_string(),
        Some(Answer::Failed(error)) => return Said::failed(says, &error),
        _ => return Said { outcome: TurnOutcome::Failed, ..Said::plain(says.no_memory) },
    };
    let conversations = past::count(ctx).to_string();
    let counts = [("count", facts.as_str()), ("talks", conversations.as_str())];
    if counts.iter().all(|(_, count)| *count == "0") {
        return Said::plain(says.nothing_at_all);
    }
    if !is_sure {
        talk.forgets_all = true;
        return Said::plain(fill(says.forget_all, &counts));
    }
    if let Some(Answer::Failed(error)) = ctx.ask(Remember::Clear) {
        return Said::failed(says, &error);
    }
    *talk = Talk::new(talk.id.clone());
    Said::plain(fill(says.forgot_all, &counts))
}

/// The fact that is meant by what is to be forgotten and does not hold its words: `my sister's name` is kept as `my sister is called
/// Emma`, `the birthday of Max` as `Max's birthday`, and `where I work` asks for one.
fn id_of(what: &str, ctx: &KernelContext) -> Option<String> {
    let facts = memories::for_companion(what, ctx);
    let terms = |text: &str| terms::distinct(&text.replace("'s", "").replace('’', ""), usize::MAX);
    let asked = terms(what);
    let is_about = |text: &str| statements::about(text).is_some_and(|about| terms(&about) == asked);
    let holds = |text: &str| {
        let words = terms(text);
        // A fact holds a compound in its parts: `Türcode` in `der Code für die Tür`.
        let is_joined = |word: &String| {
            words.iter().any(|first| {
                let last = word.strip_prefix(first.as_str());
                last.is_some_and(|last| {
                    words.iter().any(|word| word == last || last.strip_prefix('s') == Some(word))
                })
            })
        };
        !asked.is_empty()
            && asked.iter().all(|word| words.contains(word) || is_joined(word))
            && restate::is_own(what, text)
    };
    let by = |fits: &dyn Fn(&str) -> bool| facts.iter().rev().find(|f| fits(&f.text)).map(|f| f.id.clone());
    // `the wifi password` of a line that told the wifi's name and, behind it, a password.
    let told_with = |id: &str| {
        let turn = facts.iter().find(|fact| fact.id == id).and_then(|fact| fact.turn_id.as_deref());
        let beside = facts.iter().filter(|fact| turn.is_some() && fact.turn_id.as_deref() == turn);
        beside.flat_map(|fact| terms(&fact.text)).collect::<Vec<_>>()
    };
    let with_others = || {
        // A word of the fact's own is not enough: `my name` is not that of the dog.
        let last = asked.last().filter(|_| asked.len() > 1)?;
        let fact = facts.iter().rev().find(|fact| {
            let words = told_with(&fact.id);
            terms(&fact.text).contains(last) && asked.iter().all(|word| words.contains(word))
        });
        fact.map(|fact| fact.id.clone())
    };
    by(&is_about).or_else(|| by(&holds)).or_else(with_others).or_else(|| {
        let what = match language::intent(what).map(|meant| meant.intent) {
            Some(Intent::Recall { what }) => what,
            _ => language::is_question(what).then(|| what.to_owned())?,
        };
        let texts: Vec<String> = facts.iter().map(|fact| fact.text.clone()).collect();
        let meant = restate::find(&what, &texts)?;
        by(&|text| text == meant)
    })
}

/// Stores or forgets; a sentence, and what came of it, only where the model's own reply would not be true.
fn remember_or_forget(
    directive: &Directive,
    line: &str,
    ctx: &KernelContext,
) -> Option<(String, TurnOutcome)> {
    use TurnOutcome::{Answered, Failed};
    let says = words::language(ctx, line).says();
    let asked = match directive {
        Directive::Learn { .. } | Directive::ForgetAll => return None,
        Directive::Remember { fact } => Remember::Fact {
            text: fact.clone(),
            said_by: Some("person".to_owned()),
            turn_id: None,
            outside: false,
        },
        Directive::Forget { what } => Remember::Forget { query: what.clone(), id: None },
    };
    let answer = match (ctx.ask(asked), directive) {
        (Some(Answer::Forgotten(gone)), Directive::Forget { what }) if gone.is_empty() => {
            match id_of(what, ctx) {
                Some(id) => ctx.ask(Remember::Forget { query: what.clone(), id: Some(id) }),
                None => Some(Answer::Forgotten(gone)),
            }
        }
        (answer, _) => answer,
    };
    match answer {
        None => Some((words::missing(ctx, line, |says| says.no_memory).to_owned(), Failed)),
        Some(Answer::Failed(error)) => Some((fill(says.did_not_work, &[("why", &error)]), Failed)),
        Some(Answer::Forgotten(gone)) if gone.is_empty() => {
            Some((says.nothing_like_that.to_owned(), Answered))
        }
        Some(Answer::Forgotten(gone)) => Some((fill(says.forgot, &[("facts", &gone.join("; "))]), Answered)),
        Some(_) => None,
    }
}
