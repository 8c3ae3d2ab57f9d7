//! The built-in companion: deterministic, no key, no network. It knows no skill by name.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};

use language::sum::Sum;
use language::{Intent, Language, Last, Meant, Refusal, restate, terms};
use serde_json::{Value, json};
use shared_types::sorted;
use shared_types::text;

use crate::error::ModelError;
use crate::phrases::{self, Candidate, Near};
use crate::provider::{Kind, Provider, Watch};
use crate::request::{LANGUAGE, Message, Request, Response, Role, ToolCall, ToolSpec};

/// The companion.
#[derive(Debug, Clone)]
pub struct Embedded {
    name: String,
}

/// The exact result by which a tool says that a line was not for it: the companion then tries the next.
pub const NOT_MINE: &str = r#"{"not_mine":true}"#;

impl Embedded {
    /// A companion under the name that the configuration gives it.
    pub fn new(name: &str) -> Self {
        Embedded { name: name.to_owned() }
    }
}

impl Default for Embedded {
    fn default() -> Self {
        Embedded::new("embedded")
    }
}

impl Provider for Embedded {
    fn name(&self) -> &str {
        &self.name
    }

    fn kind(&self) -> Kind {
        Kind::Embedded
    }

    fn chat(
        &self,
        request: &Request,
        _: &mut Watch<'_>,
        cancel: &AtomicBool,
    ) -> Result<Response, ModelError> {
        let provider = self.name.clone();
        if cancel.load(Ordering::Relaxed) {
            return Err(ModelError::Cancelled { provider });
        }
        let Turn { line, earlier, tried, result } = Turn::of(&request.messages);
        let chosen = request.metadata.get(LANGUAGE).and_then(|code| Language::of_code(code));
        let language = chosen
            .unwrap_or_else(|| language::detect_among([line].into_iter().chain(earlier.iter().copied())));
        if request.task() != "chat" {
            return Err(ModelError::Refused { provider, reason: language.says().cannot_write.to_owned() });
        }
        let earlier = as_meant(&earlier, language, request);
        let earlier: Vec<&str> = earlier.iter().map(|line| line.as_ref()).collect();
        let mut response =
            Response { provider, model: "built-in companion".to_owned(), ..Response::default() };
        match result {
            Some(text) if !is_not_mine(text) => response.text = text.to_owned(),
            _ => match reply(line, &earlier, language, chosen, &tried, request) {
                Reply::Call(candidate) => {
                    let id = format!("call-{}", tried.len() + 1);
                    response.tool_calls.push(ToolCall::new(id, candidate.tool, candidate.arguments));
                }
                Reply::Text(text) => response.text = text,
            },
        }
        Ok(response)
    }
}

/// What happened since the person's last line.
struct Turn<'a> {
    line: &'a str,
    /// The person's lines before it, the newest first.
    earlier: Vec<&'a str>,
    tried: Vec<&'a ToolCall>,
    /// The last tool's result, when that is the last message.
    result: Option<&'a str>,
}

impl<'a> Turn<'a> {
    fn of(messages: &'a [Message]) -> Self {
        let start = messages.iter().rposition(|m| m.role == Role::User);
        let line = start.map_or("", |i| messages[i].content.as_str());
        let since = &messages[start.map_or(0, |i| i + 1)..];
        let before = messages[..start.unwrap_or(0)].iter().rev().filter(|m| m.role == Role::User);
        let earlier = before.take(MOST_EARLIER).map(|m| m.content.as_str()).collect();
        let tried = since.iter().flat_map(|m| &m.tool_calls).collect();
        let result = since.last().filter(|m| m.role == Role::Tool).map(|m| m.content.as_str());
        Turn { line, earlier, tried, result }
    }
}

fn is_not_mine(result: &str) -> bool {
    // Spaces and the like are the writer's business; anything beside the one key is an answer.
    serde_json::from_slice::<Value>(result.as_bytes()).is_ok_and(|v| v == json!({"not_mine": true}))
}

/// How many lines of the person a question may go back to.
const MOST_EARLIER: usize = 8;

fn next(
    line: &str,
    earlier: &[&str],
    (tools, memories): (&[ToolSpec], &[String]),
    language: Language,
    tried: &[&ToolCall],
) -> Option<Candidate> {
    let is_new = |c: &Candidate| !tried.iter().any(|t| t.name == c.tool && t.arguments == c.arguments);
    // `haben wir Eier auf der Liste` asks: a tool that changes something would take its first words for what to write down.
    let first = line.split_whitespace().next().filter(|_| language::is_question(line));
    let is_asked = |c: &Candidate| {
        let only_answers = tools.iter().any(|tool| tool.name == c.tool && tool.only_answers);
        let begins = |value: &Value| value.as_str().and_then(|text| text.split_whitespace().next()) == first;
        let mut given = c.arguments.as_object().into_iter().flat_map(|given| given.values());
        !only_answers && first.is_some() && given.any(begins)
    };
    let mut whole = phrases::route(line, tools, Some(language)).into_iter().filter(|c| !is_asked(c));
    // Before its parts: `shopping list: tea` adds something, and its first part shows the list.
    let jotted = || {
        let said = line.contains(':').then(|| language::otherwise(line)).flatten()?;
        phrases::route(&said, tools, Some(language)).into_iter().find(is_new)
    };
    let for_one = || {
        let said = language::for_one(line).into_iter();
        said.flat_map(|line| phrases::route(&line, tools, Some(language))).find(is_new)
    };
    whole
        .find(is_new)
        .or_else(for_one)
        .or_else(jotted)
        .or_else(|| phrases::route_loosely(line, tools, Some(language)).into_iter().find(is_new))
        .or_else(|| {
            // Filler words are left out for tools that only answer; a tool that changes something needs the whole line.
            let only_answers =
                |c: &Candidate| tools.iter().any(|tool| tool.name == c.tool && tool.only_answers);
            let plain = language::without_fillers(line)?;
            phrases::route(&plain, tools, Some(language)).into_iter().filter(only_answers).find(is_new)
        })
        .or_else(|| {
            let whole = language::with_unit(line, memories)?;
            phrases::route(&whole, tools, Some(language)).into_iter().find(is_new)
        })
        .or_else(|| {
            // `add 3 and 4` is a sum.
            if language::sum::sum(line, &[], language).is_some() {
                return None;
            }
            let said = language::otherwise(line)
                .or_else(|| language::dated(line, memories, earlier))
                .or_else(|| language::aged(line, memories))
                .or_else(|| language::direct(line))?;
            // `what I have to buy` asks: its word is not to be written down.
            let asked = line.split_whitespace().next().filter(|_| language::is_question(line));
            if said.split_whitespace().skip(1).any(|word| asked == Some(word)) {
                return None;
            }
            phrases::route(&said, tools, Some(language)).into_iter().find(is_new)
        })
        .or_else(|| phrases::continued(line, earlier, tools, language).filter(is_new))
        .or_else(|| phrases::follow_up(line, earlier, tools, Some(language)).into_iter().find(is_new))
}

/// A call with what was said before in the place of `that` in `write that in a file called a.txt`: the last answer, or the line that was
/// remembered by it. Nothing where there was none.
fn with_what_was_said(
    mut call: Candidate,
    line: &str,
    earlier: &[&str],
    request: &Request,
) -> Option<Candidate> {
    let is_vague = |word: &&str| Language::all().any(|l| l.statements().vague.contains(word));
    let stands_for = line.split_whitespace().nth(1).filter(is_vague);
    let is_learned = call.tool.contains('.');
    let given = call.arguments.as_object_mut().into_iter().flatten();
    let place =
        given.map(|(_, value)| value).find(|value| stands_for.is_some() && value.as_str() == stands_for);
    if let (Some(place), false) = (place, is_learned) {
        let answer = last_answer(request)?;
        let is_kept = Language::all().any(|language| answer == language.says().remembered);
        let said = if is_kept { *earlier.first()? } else { answer };
        if language::is_no_answer(said) {
            return None;
        }
        *place = json!(said);
    }
    Some(call)
}

/// What was answered last.
fn last_answer(request: &Request) -> Option<&str> {
    let mut answers = request.messages.iter().rev().filter(|m| m.role == Role::Assistant);
    answers.find(|m| !m.content.is_empty()).map(|m| m.content.as_str())
}

/// The call that an answer in a few words makes, where the last answer of a tool ended with the beginning of a sentence, as in
/// `Answer with: the capital of Peru is ...`.
fn finished(line: &str, language: Language, tried: &[&ToolCall], request: &Request) -> Option<Candidate> {
    let (_, begun) = last_answer(request)?.trim_end().strip_suffix("...")?.rsplit_once(": ")?;
    let is_answer = line.split_whitespace().count() <= MOST_ANSWER
        && !language::is_question(line)
        && language::intent_in(line, language).is_none();
    let whole = format!("{begun}{}", line.trim());
    let calls = is_answer.then(|| phrases::route(&whole, &request.tools, Some(language)))?;
    calls.into_iter().find(|c| !tried.iter().any(|t| t.name == c.tool && t.arguments == c.arguments))
}

/// The most words of an answer to a tool's question.
const MOST_ANSWER: usize = 3;

/// What a line is answered by.
enum Reply {
    Call(Candidate),
    Text(String),
}

fn reply(
    line: &str,
    earlier: &[&str],
    language: Language,
    chosen: Option<Language>,
    tried: &[&ToolCall],
    request: &Request,
) -> Reply {
    let say = |line: &str| say(line, earlier, language, chosen, request).map(Reply::Text);
    let call = next(line, earlier, (&request.tools, &request.memories), language, tried)
        .and_then(|call| with_what_was_said(call, line, earlier, request))
        .or_else(|| finished(line, language, tried, request))
        .map(Reply::Call);
    let last = || of_last(line, earlier, language, tried, request);
    let agreed = || agreed(line, earlier, language, tried, request).map(Reply::Call);
    let said = call.or_else(agreed).or_else(last).or_else(|| say(line)).or_else(|| {
        let (call, meant) = slipped(line, language, tried, request)?;
        call.map(Reply::Call).or_else(|| say(&meant))
    });
    said.unwrap_or_else(|| Reply::Text(unknown(line, language, request)))
}

/// A call that a line may mean: what it says in other words, or what it comes near to.
fn perhaps(line: &str, language: Language, request: &Request) -> Option<Near> {
    if language::forbids(line) {
        return None;
    }
    let learned: Vec<ToolSpec> =
        request.tools.iter().filter(|tool| tool.name.contains('.')).cloned().collect();
    let in_words = || {
        let said = language::perhaps(line, language)?;
        let candidate = phrases::route(&said, &learned, Some(language)).into_iter().next()?;
        Some(Near { candidate, said, is_close: false })
    };
    let near = phrases::near(line, &learned, language, &Turn::of(&request.messages).tried);
    let (close, near): (Option<Near>, _) = match near {
        Some(near) if near.is_close => (Some(near), None),
        near => (None, near),
    };
    // `2 cups of flour, how many grams` is not to be written down.
    let asks =
        line.trim_end().ends_with('?') || language::is_question(line) || language::asks_an_amount(line);
    let only_answers = |name: &str| learned.iter().any(|tool| tool.name == name && tool.only_answers);
    let writes_down = |guess: &Near| {
        let given = guess.candidate.arguments.as_object();
        given.is_some_and(|given| !given.is_empty()) && !only_answers(&guess.candidate.tool)
    };
    close.or_else(in_words).or(near).filter(|guess| !asks || !writes_down(guess))
}

/// The question whether a line means a call.
fn asking(guess: &Near, language: Language) -> String {
    language::fill(language.says().do_you_mean, &[("line", &guess.said)])
}

/// The lines of before, each that was asked for its meaning and confirmed as what it meant.
fn as_meant<'a>(earlier: &[&'a str], language: Language, request: &Request) -> Vec<Cow<'a, str>> {
    let mut lines = Vec::new();
    let mut rest = earlier;
    while let [line, older @ ..] = rest {
        let asked = || {
            let before = older.first().filter(|_| is_yes(line, language))?;
            perhaps(before, language, request)
        };
        match asked() {
            Some(guess) => {
                lines.push(Cow::Owned(guess.said));
                rest = &older[1..];
            }
            None => {
                lines.push(Cow::Borrowed(*line));
                rest = older;
            }
        }
    }
    lines
}

fn is_yes(line: &str, language: Language) -> bool {
    // Few words first: each earlier line is looked at in each turn.
    line.split_whitespace().count() <= MOST_OF_A_YES
        && matches!(language::intent_in(line, language), Some(Meant { intent: Intent::Confirm, .. }))
}

/// The most words of a yes.
const MOST_OF_A_YES: usize = 4;

/// The call that a yes makes behind the question whether it was meant.
fn agreed(
    line: &str,
    earlier: &[&str],
    language: Language,
    tried: &[&ToolCall],
    request: &Request,
) -> Option<Candidate> {
    let before = earlier.first().filter(|_| is_yes(line, language) && tried.is_empty())?;
    let last = last_answer(request)?;
    // The question is made anew, so that no text of a tool can put a call into it.
    let guess = perhaps(before, language, request)?;
    (last == asking(&guess, language)).then_some(guess.candidate)
}

/// What a line comes to that wants something of the one before it: its call once more, or the answer to it.
fn of_last(
    line: &str,
    earlier: &[&str],
    language: Language,
    tried: &[&ToolCall],
    request: &Request,
) -> Option<Reply> {
    // `again, tim says that it is rigged`
    let wanted = language::of_last(line).or_else(|| match language::clauses(line)[..] {
        [first, rest] if !language::looks_like_request(rest) => language::of_last(first),
        _ => None,
    })?;
    if wanted == Last::TooLate {
        return Some(Reply::Text(language.says().too_late.to_owned()));
    }
    let at = earlier.iter().position(|before| language::of_last(before).is_none())?;
    // A remark such as `tails loses` may stand between.
    let call = || {
        let last = (at..earlier.len()).take(MOST_REMARKS + 1).map(|at| (earlier[at], &earlier[at + 1..]));
        let mut calls = last.map(|(before, rest)| {
            (before, next(before, rest, (&request.tools, &request.memories), language, tried))
        });
        let is_passed =
            |before: &str| language::intent_in(before, language).is_none() && !language::is_question(before);
        calls
            .find_map(|(before, call)| match call {
                Some(call) => Some(Some(call)),
                None => (!is_passed(before)).then_some(None),
            })?
            .map(Reply::Call)
    };
    let call = if wanted == Last::Again { call() } else { None };
    call.or_else(|| last_answer(request).map(|answer| Reply::Text(answer.to_owned())))
}

/// How many remarks may stand between a line and the call that it wants once more.
const MOST_REMARKS: usize = 1;

/// What a line with a slip of the finger means: a call of a tool that changes nothing, or the line as it was meant. It is
/// not an order, and what stands in a slot is as it was typed.
fn slipped(
    line: &str,
    language: Language,
    tried: &[&ToolCall],
    request: &Request,
) -> Option<(Option<Candidate>, String)> {
    let tools: Vec<ToolSpec> = request.tools.iter().filter(|tool| tool.only_answers).cloned().collect();
    let patterns = tools.iter().flat_map(|tool| &tool.phrases).map(|phrase| phrase.pattern.as_str());
    let meant = language::mended(line, patterns)?;
    let typed = line.to_lowercase();
    let is_typed = |value: &Value| value.as_str().is_none_or(|text| typed.contains(&text.to_lowercase()));
    let call = next(&meant, &[], (&tools, &[]), language, tried)
        .filter(|call| call.arguments.as_object().is_some_and(|given| given.values().all(is_typed)));
    let intent = language::intent(&meant).map(|meant| meant.intent);
    let is_kept = match &intent {
        Some(Intent::Recall { what }) => what.split_whitespace().all(|word| typed.contains(word)),
        Some(Intent::Advice) => false,
        Some(Intent::Order) => language::refusal(&meant).is_some(),
        Some(other) => !language::is_directive(other),
        None => true,
    };
    is_kept.then_some((call, meant))
}

/// So that the same sentence does not come twice in a row.
fn varied(ways: &[&str], request: &Request) -> String {
    ways[request.messages.iter().filter(|m| m.role == Role::User).count().saturating_sub(1) % ways.len()]
        .to_owned()
}

/// Offers to ask for an ability, by the name that the library of skills has for it; of one that is there it gives an example.
fn gap(line: &str, language: Language, request: &Request) -> String {
    let says = language.says();
    // `todo: call the bank` is meant for a list as well.
    let wished = language::wished(line).or_else(|| language::wished(&language::otherwise(line)?));
    let wished = wished.filter(|(_, spoken)| *spoken == language);
    if let Some(guess) = perhaps(line, language, request) {
        return asking(&guess, language);
    }
    if let Some(example) = wished.as_ref().and_then(|(wish, _)| example(wish, language, request)) {
        return language::fill(says.can_already, &[("line", example)]);
    }
    if let Some(example) = kindred(line, language, request) {
        return language::fill(says.can_already, &[("line", example)]);
    }
    wished.map_or_else(
        || says.gap.to_owned(),
        |(wish, _)| language::fill(says.gap_for, &[("wish", &language::yours(&wish, language))]),
    )
}

/// An example of the learned tool that does what is wished for: one that is named after the wish, or in part, where it took the line
/// and declined it.
fn example<'a>(wish: &str, language: Language, request: &'a Request) -> Option<&'a str> {
    let tried = Turn::of(&request.messages).tried;
    let name = language::draft(wish).name;
    let tool = request.tools.iter().find(|tool| {
        let Some((skill, _)) = tool.name.split_once('.') else { return false };
        let is_own = |part: &str| skill.split('-').any(|own| own == part);
        // A wish for a list is one for the shopping list as well.
        let mut parts = name.as_str().split('-');
        let is_tried = tried.iter().any(|call| call.name == tool.name);
        if is_tried { parts.any(is_own) } else { parts.all(is_own) }
    })?;
    let spoken = |example: &&String| language::told(example).is_none_or(|told| told == language);
    tool.examples.iter().find(spoken).or_else(|| tool.examples.first()).map(String::as_str)
}

/// What is said to the small talk in a line that asks for nothing.
fn small_talk(line: &str, language: Language) -> Option<String> {
    let Meant { intent, reply, .. } = language::small_talk(line, language)?;
    reply.or_else(|| phrase(&intent, language).map(str::to_owned))
}

/// The sentence for small talk.
fn phrase(intent: &Intent, language: Language) -> Option<&'static str> {
    let says = language.says();
    Some(match intent {
        Intent::Comfort => says.comfort,
        Intent::Feeling => says.feeling,
        Intent::Fun => says.fun,
        Intent::Goodbye => says.goodbye,
        Intent::Greeting => says.greeting,
        Intent::HowAreYou => says.how_are_you,
        Intent::Joy => says.joy,
        Intent::Thanks => says.thanks,
        _ => return None,
    })
}

/// An example of the learned tool that a line names by a word of several of its phrases.
fn kindred<'a>(line: &str, language: Language, request: &'a Request) -> Option<&'a str> {
    if language::forbids(line) {
        return None;
    }
    let asked = terms::distinct(line, MOST_TERMS);
    let named = |tool: &ToolSpec| {
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        for phrase in tool.phrases.iter().filter(|phrase| phrase.language == language.code()) {
            // What may be left out names nothing.
            let needed = phrase.pattern.split('[').map(|part| part.rsplit(']').next().unwrap_or_default());
            // One word of many for the same, such as `people|guests|children`, names nothing either.
            let few = needed.flat_map(|part| part.split(' ')).filter(|w| w.split('|').count() <= MOST_WAYS);
            let words = few.flat_map(|ways| ways.split('|')).filter(|word| !word.contains(['{', '}']));
            let words: BTreeSet<String> = words.map(terms::fold).collect();
            words.into_iter().for_each(|word| *known.entry(word).or_default() += 1);
        }
        // Another form of a word, or a compound, begins as it does.
        let is_alike = |one: &str, other: &str| {
            let same = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
            one == other && same >= LEAST_WORD || same > LEAST_WORD
        };
        let is_known = |asked: &&String| {
            known.iter().any(|(word, count)| *count >= LEAST_PHRASES && is_alike(word, asked))
        };
        let is_telling = |word: &&String| {
            // `can you play minecraft` is not about a quiz.
            !language::is_common(word) && !language::looks_like_request(word)
        };
        let named =
            asked.iter().filter(is_telling).filter(is_known).map(|word| word.chars().count()).sum::<usize>();
        // Of two tools of a skill the one that has the word for its name.
        let own = tool.name.rsplit('.').next().is_some_and(|own| asked.iter().any(|word| word == own));
        if named > 0 { 2 * named + usize::from(own) } else { 0 }
    };
    let learned = request.tools.iter().filter(|tool| tool.name.contains('.'));
    let (_, tool) =
        learned.map(|tool| (named(tool), tool)).filter(|(n, _)| *n > 0).max_by_key(|(n, _)| *n)?;
    let spoken = |example: &&String| language::told(example).is_none_or(|told| told == language);
    tool.examples.iter().find(spoken).map(String::as_str)
}

/// The most words of a line that are compared.
const MOST_TERMS: usize = 24;
/// The letters of the shortest word that counts; as many and one more are the beginning of two forms of a word.
const LEAST_WORD: usize = 4;
/// The most words for the same in a phrase of which each names the tool.
const MOST_WAYS: usize = 4;
/// In how many phrases of a tool a word stands that names it.
const LEAST_PHRASES: usize = 2;

/// The next line of the game in which somebody knocks: who is there, and then the joke.
fn knocked(line: &str, earlier: &[&str], language: Language) -> Option<String> {
    let says = language.says();
    let who = line.trim().trim_end_matches(['.', '!']);
    match earlier.iter().take(2).position(|before| language::knocks(before))? {
        _ if language::is_question(line) => None,
        0 => Some(language::fill(says.knock_who, &[("who", who)])),
        _ => Some(says.fun.to_owned()),
    }
}

/// To a line that nothing answers.
fn unknown(line: &str, language: Language, request: &Request) -> String {
    let says = language.says();
    if let Some(said) = small_talk(line, language) {
        return said;
    }
    if let Some(guess) = perhaps(line, language, request) {
        return asking(&guess, language);
    }
    if language::is_remark(line) {
        return varied(&[says.heard, says.heard_again], request);
    }
    if !language::is_question(line)
        && let Some(example) = kindred(line, language, request)
    {
        return language::fill(says.can_already, &[("line", example)]);
    }
    // A bare `what?` asks for nothing that could be known.
    match language::is_question(line) && line.split_whitespace().nth(1).is_some() {
        true => varied(&[says.unknown_question, says.unknown_question_again], request),
        false => varied(&[says.unknown, says.unknown_again, says.unknown_still], request),
    }
}

/// What the companion itself says to a line, if it knows something to say.
fn say(
    line: &str,
    earlier: &[&str],
    detected: Language,
    chosen: Option<Language>,
    request: &Request,
) -> Option<String> {
    // `how old will I be?` is a sum with the age that is known.
    let aged = || language::sum::sum(&language::aged(line, &request.memories)?, &[], detected);
    // `ok, thai it is. what's 38.50 plus 12.90?`
    let asked = || {
        let asked = language::asked_part(line);
        if asked == line { None } else { language::sum::sum(asked, earlier, detected) }
    };
    if let Some(sum) = language::sum::sum(line, earlier, detected).or_else(aged).or_else(asked) {
        return Some(in_words(&sum, detected));
    }
    if let Some((Refusal::Bypass, _)) = language::refusal(line) {
        return Some(Refusal::Bypass.said(detected).to_owned());
    }
    let meant = language::intent_in(line, detected);
    if let Some(said) = knocked(line, earlier, detected).filter(|_| meant.is_none()) {
        return Some(said);
    }
    let is_open = matches!(
        &meant,
        None | Some(Meant { intent: Intent::Order | Intent::AboutYou | Intent::Advice, .. })
    );
    let refused = language::refusal(language::asked_part(line)).filter(|_| is_open);
    let mut told = told(line, request);
    // Of two that are about the same, the one that has what is asked for.
    sorted::by_key(&mut told, |fact| !restate::answers(line, fact));
    // What the lines before told is what `his` is about.
    let just_told = just_told(request, &told);
    if restate::goes_back(line) && !just_told.is_empty() {
        told.retain(|fact| just_told.contains(fact));
    }
    if let Some(facts) =
        language::about(line).map(|what| restate::all(&what, &told)).filter(|facts| !facts.is_empty())
    {
        return Some(listing(&facts, detected));
    }
    // What is asked may stand behind a premise, and what is sought may stand in no question.
    let sought = language::sought(line);
    let asks = (sought.is_some()
        || language::clauses(line).into_iter().any(language::is_question)
        || language::is_question(line)
        || language::asks_within(line))
        && matches!(&meant, None | Some(Meant { intent: Intent::Order | Intent::Advice, .. }));
    // A few words with which a fact is named ask for it.
    let names = meant.is_none() && line.split_whitespace().count() <= MOST_NAMING;
    if let Some(fact) =
        restate::find(line, &told).filter(|fact| (asks || names) && restate::answers(line, fact))
    {
        return Some(quoted(fact, detected));
    }
    let is_served = refused.is_none_or(|(refusal, _)| refusal == Refusal::Harm);
    let is_open = sought.is_some() || matches!(&meant, None | Some(Meant { intent: Intent::Advice, .. }));
    let is_told = (asks || names) && is_served && is_open;
    let goes_on = || {
        let facts: Vec<&str> = just_told.iter().map(String::as_str).collect();
        restate::goes_on(line, &facts).and_then(|fact| doubted(&[fact], detected))
    };
    if let Some(said) = (is_told && asks).then(goes_on).flatten() {
        return Some(said);
    }
    // A reason is rarely told beforehand, and a fact that shares a word with the question is none.
    let is_told = is_told && !language::asks_why(line);
    if let Some(unsure) = is_told.then(|| unsure(line, line, &told, detected)).flatten() {
        return Some(unsure);
    }
    let is_advised = matches!(&meant, Some(Meant { intent: Intent::Advice, reply: Some(_), .. }));
    if matches!(language::refusal(line), Some((Refusal::Harm, _))) && language::asks_how(line) && !is_advised
    {
        return Some(Refusal::Harm.said(detected).to_owned());
    }
    let Some(Meant { intent, language, reply }) = meant else {
        // What asks for a list in other words asks for the skill of lists.
        if let Some((wish, _)) = language::otherwise(line)
            .and_then(|said| language::wished(&said))
            .filter(|(_, spoken)| *spoken == detected)
        {
            if let Some(guess) = perhaps(line, detected, request) {
                return Some(asking(&guess, detected));
            }
            if let Some(example) = example(&wish, detected, request) {
                return Some(language::fill(detected.says().can_already, &[("line", example)]));
            }
            return Some(language::fill(
                detected.says().gap_for,
                &[("wish", &language::yours(&wish, detected))],
            ));
        }
        if let Some((refusal, _)) = refused.filter(|(refusal, _)| *refusal != Refusal::Harm) {
            return Some(refusal.said(detected).to_owned());
        }
        let is_wished = language::wished(line).is_some_and(|(_, spoken)| spoken == detected);
        // There is a skill for lists, and it may be learned.
        return (is_wished || sought.is_none() && language::is_about_list(line))
            .then(|| gap(line, detected, request));
    };
    let spoken = language;
    // What belongs to no language alone is answered in that of the conversation.
    let language = chosen.or_else(|| language::told(line).is_none().then_some(detected)).unwrap_or(spoken);
    let says = language.says();
    let reply = reply.filter(|_| chosen.is_none_or(|chosen| chosen == spoken));
    // A pattern that itself says that something cannot be done knows more of it than a refusal does.
    let is_answered = reply.as_ref().is_some_and(|reply| language::offers_to_learn(reply).is_none());
    if let Some((refusal, _)) = refused
        && if refusal == Refusal::Harm { intent == Intent::Order } else { !is_answered }
    {
        return Some(refusal.said(detected).to_owned());
    }
    // What it offers to learn may be learned by now.
    if let Some(said) = &reply
        && language::offers_to_learn(said).is_some()
        && let Some(example) = kindred(line, language, request)
    {
        return Some(language::fill(says.can_already, &[("line", example)]));
    }
    if reply.is_some() {
        return reply;
    }
    Some(match intent {
        Intent::Recall { what } => recall(&what, line, &told, language),
        Intent::Capabilities => capabilities(&request.tools, language),
        Intent::Limits => says.limits.to_owned(),
        Intent::Learn { wish } => language::fill(says.ask_to_learn, &[("wish", &text::cut(&wish, 200))]),
        // `why not` says yes to an offer, and nothing else.
        Intent::Confirm if language::is_question(line) => says.unclear.to_owned(),
        Intent::Confirm => says.confirm.to_owned(),
        Intent::Unclear => says.unclear.to_owned(),
        Intent::Sorry => says.sorry.to_owned(),
        Intent::Decline => says.decline.to_owned(),
        Intent::Remember { .. } => says.remembered.to_owned(),
        Intent::Forget { .. } | Intent::ForgetAll => says.forgotten.to_owned(),
        Intent::ForgetWhich => says.forget_which.to_owned(),
        Intent::WhoAreYou => says.who_are_you.to_owned(),
        Intent::AboutYou => varied(&[says.about_me, says.about_me_again], request),
        Intent::Feeling => varied(&[says.feeling, says.feeling_again], request),
        Intent::LearnWhat => says.learn_what.to_owned(),
        Intent::Past { .. } => says.past_none.to_owned(),
        // A slip of the finger may hide that nothing here can serve it.
        Intent::Order => match language::mended(line, std::iter::empty()).and_then(|l| language::refusal(&l))
        {
            Some((refusal, _)) => refusal.said(detected).to_owned(),
            None => small_talk(line, detected)
                // `zahl heißt ja` tells something.
                .or_else(|| {
                    language::is_remark(line).then(|| varied(&[says.heard, says.heard_again], request))
                })
                .unwrap_or_else(|| gap(line, language, request)),
        },
        Intent::Proposals => says.proposals_none.to_owned(),
        Intent::Privacy => says.privacy.to_owned(),
        Intent::WhichFile => says.which_file.to_owned(),
        Intent::CanYouHear => says.can_you_hear.to_owned(),
        Intent::Greeting
        | Intent::Thanks
        | Intent::Goodbye
        | Intent::HowAreYou
        | Intent::Fun
        | Intent::Comfort
        | Intent::Joy => phrase(&intent, language).unwrap_or_default().to_owned(),
        Intent::Advice => says.advice.to_owned(),
        Intent::Workflows => says.workflows.to_owned(),
        Intent::Learning => says.learning.to_owned(),
    })
}

fn in_words(sum: &Sum, language: Language) -> String {
    let says = language.says();
    match sum {
        Sum::Result { sum, result, rounded } => {
            let template = if *rounded { says.sum_about } else { says.sum };
            language::fill(template, &[("sum", sum), ("result", result)])
        }
        Sum::ByZero => says.sum_zero.to_owned(),
        Sum::TooLarge => says.sum_too_large.to_owned(),
    }
}

/// The most words of a line that names a fact without asking for it.
const MOST_NAMING: usize = 3;
const MOST_FACTS: usize = 10;
const MOST_TOOLS: usize = 30;

/// What the person told, but for what was asked just now, which does not answer itself.
fn told(line: &str, request: &Request) -> Vec<String> {
    // A companion that stands in for a model finds them at the lines that they went along with.
    let earlier = request.messages.iter().flat_map(|m| &m.memories);
    request.memories.iter().chain(earlier).filter(|m| m.trim() != line.trim()).cloned().collect()
}

fn quoted(fact: &str, language: Language) -> String {
    language::fill(language.says().quoted, &[("fact", fact.trim())])
}

fn recall(what: &str, line: &str, memories: &[String], language: Language) -> String {
    let says = language.says();
    if what == "me" {
        if memories.is_empty() {
            return says.nothing_at_all.to_owned();
        }
        let facts: Vec<&str> = memories.iter().map(String::as_str).collect();
        return rows(&facts, language);
    }
    // Told in one of several ways: `my favourite colour`, or `I like ...`.
    let mut ways = what.split(" | ");
    let found =
        ways.find_map(|what| restate::find(what, memories).filter(|fact| restate::answers(line, fact)));
    match found {
        Some(fact) => restate::say(fact, language),
        None => unsure(what.split(" | ").next().unwrap_or(what), line, memories, language)
            .unwrap_or_else(|| says.nothing_known.to_owned()),
    }
}

/// Facts, one as it is said and several as a list.
fn listing(facts: &[&str], language: Language) -> String {
    if let [fact] = facts {
        return restate::say(fact, language);
    }
    rows(facts, language)
}

/// Facts in rows, and how many more there are.
fn rows(facts: &[&str], language: Language) -> String {
    let says = language.says();
    let mut rows: Vec<String> =
        facts.iter().take(MOST_FACTS).map(|fact| format!("- {}", fact.trim())).collect();
    if let Some(more) = facts.len().checked_sub(MOST_FACTS).filter(|more| *more > 0) {
        rows.push(format!("- {}", language::fill(says.all_known_more, &[("count", &more.to_string())])));
    }
    format!("{}\n{}", says.all_known, rows.join("\n"))
}

/// What may answer a question, said with a doubt.
fn unsure(what: &str, line: &str, told: &[String], language: Language) -> Option<String> {
    let facts: Vec<&str> = restate::near(what, line, told).into_iter().map(str::trim).collect();
    if facts.is_empty() { None } else { doubted(&facts, language) }
}

/// Facts said with a doubt, each in the marks of that language.
fn doubted(facts: &[&str], language: Language) -> Option<String> {
    let template = language.says().unsure;
    let (before, after) = template.split_once("{fact}")?;
    let marks = before.chars().next_back().zip(after.chars().next());
    let between = marks.map_or(", ".to_owned(), |(open, close)| format!("{close}, {open}"));
    Some(language::fill(template, &[("fact", &facts.join(&between))]))
}

/// How many of the person's lines before a question it may go back to.
const MOST_BACK: usize = 4;

/// The facts that the last lines told, or that were said to them; the newest line's first.
fn just_told(request: &Request, told: &[String]) -> Vec<String> {
    let messages = &request.messages;
    let now = messages.iter().rposition(|m| m.role == Role::User).unwrap_or(0);
    let lines = messages[..now].iter().rev().filter(|m| matches!(m.role, Role::User | Role::Assistant));
    let lines: Vec<String> = lines.take(2 * MOST_BACK).map(|m| m.content.to_lowercase()).collect();
    let place = |fact: &str| lines.iter().position(|line| line.contains(&fact.trim().to_lowercase()));
    let mut found: Vec<(usize, &String)> =
        told.iter().filter_map(|fact| Some((place(fact)?, fact))).collect();
    sorted::by_key(&mut found, |(place, _)| *place);
    found.into_iter().map(|(_, fact)| fact.clone()).collect()
}

/// The longest line of the list of abilities, in characters.
const LINE: usize = 78;
/// Sentences of one skill that are shown.
const MOST_EXAMPLES: usize = 5;

/// What can be said, skill by skill, as sentences that would work.
fn capabilities(tools: &[ToolSpec], language: Language) -> String {
    let says = language.says();
    let example = |tool: &ToolSpec| Some((owner(&tool.name).to_owned(), phrases::example(tool, language)?));
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for (owner, example) in tools.iter().take(MOST_TOOLS).filter_map(example) {
        match groups.iter_mut().find(|(known, _)| *known == owner) {
            Some((_, examples)) => examples.push(example),
            None => groups.push((owner, vec![example])),
        }
    }
    if groups.is_empty() {
        return says.capabilities_none.to_owned();
    }
    let own = says.capabilities_own.split(" | ").map(str::to_owned).collect();
    let lines = std::iter::once(own).chain(groups.into_iter().map(|(_, examples)| examples));
    let lines: Vec<String> = lines.map(|examples: Vec<String>| listed(&examples, language)).collect();
    format!("{}\n{}\n{}", says.capabilities, lines.join("\n"), says.capabilities_end)
}

/// The skill of a tool, as far as its name tells; the tools of the program itself stand together by their first word.
fn owner(tool: &str) -> &str {
    tool.split(['.', '_']).next().unwrap_or(tool)
}

/// Examples in quotation marks, on lines that are not too long.
fn listed(examples: &[String], language: Language) -> String {
    let mut lines = vec!["-".to_owned()];
    for (at, example) in examples.iter().take(MOST_EXAMPLES).enumerate() {
        let comma = if at + 1 < examples.len().min(MOST_EXAMPLES) { "," } else { "" };
        let quoted =
            language::fill(language.says().example, &[("line", &text::cut(example, LINE - 8))]) + comma;
        let last = lines.last_mut().expect("there is a first line");
        if last.chars().count() + 1 + quoted.chars().count() > LINE && at > 0 {
            lines.push(format!("  {quoted}"));
        } else {
            last.push_str(&format!(" {quoted}"));
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests;
