//! The model and its tools: asked again and again until it answers in words, within limits that nothing moves.
//!
//! The loop ends for any answers of a model: after the configured rounds, when the same call comes again and again, or
//! when there is nothing to say. What goes wrong in a call is reported to the model as the call's result.

use std::collections::BTreeMap;
use std::thread::ScopedJoinHandle;

use bot_base::log::{self, Event, Name};
use kernel::skill::{Called, Outcome};
use language::{Language, fill};
use models::{
    Embedded, LANGUAGE, Message, ModelError, Piece, Provider, Request, Response, Role, Routed, TASK,
    ToolCall, Usage,
};
use ports::handles::Model;
use ports::{KernelContext, guard, offered};
use serde_json::{Value, json};
use shared_types::message::{Show, TurnOutcome};
use shared_types::sorted;
use shared_types::verdict::Rule;

use super::known::Known;
use super::memories;
use super::prompt;
use super::relay::Relay;
use super::talk::{self, Talk};
use super::turn::Said;
use crate::words;

/// How the answer is wanted.
pub(super) struct Manner {
    /// Whether the person sees the answer while it comes.
    pub streams: bool,
    /// Whether the guard noticed something about the line.
    pub caution: bool,
}

/// How often the same call with the same arguments is made in one turn.
const MOST_OF_THE_SAME: usize = 2;
/// The different calls of one answer that are made; the others get the answer to come one round later.
const MOST_AT_ONCE: usize = 16;
/// The calls that run beside each other, each in a thread of its own.
const MOST_BESIDE: usize = 8;
/// What one thread that runs a tool may have as its stack, in bytes.
const STACK: usize = 1024 * 1024;

/// Asks the model, and runs the tools that it calls, until it answers in words.
pub(super) fn converse(
    line: &str,
    talk: &mut Talk,
    manner: &Manner,
    ctx: &KernelContext,
) -> Result<Said, ModelError> {
    let Some(model) = ctx.handles().model() else {
        let text = words::missing(ctx, line, |says| says.no_model);
        return Ok(Said { text: text.to_owned(), outcome: TurnOutcome::Failed, ..Said::default() });
    };
    let mut loops = Loop {
        model,
        manner,
        line,
        language: words::chosen(ctx).unwrap_or_else(|| {
            let before = talk.messages.iter().rev().filter(|m| m.role == Role::User);
            language::detect_among(std::iter::once(line).chain(before.map(|m| m.content.as_str()).take(8)))
        }),
        free: model.writes_freely("chat") && talk.call.is_none(),
        is_named: talk.call.is_some(),
        is_taken_over: talk.call.is_some(),
        unread: 0,
        counted: BTreeMap::new(),
        said: Said::default(),
    };
    loops.run(talk, ctx)?;
    Ok(loops.said)
}

/// A call that was not made.
fn failed(why: &str) -> Called {
    Called { outcome: Outcome::Failed(why.to_owned()), receipt_id: None }
}

/// What is shown while a call runs; a child does not know tools by their names.
fn calling(tool: &str, ctx: &KernelContext) -> String {
    let tongue = ctx.shared().tongue();
    match ctx.shared().audience.is_minor() {
        true => tongue.say("thinking").to_owned(),
        false => fill(tongue.say("calling {tool}"), &[("tool", tool)]),
    }
}

/// What a provider gets of a request.
fn metadata(ctx: &KernelContext) -> BTreeMap<String, String> {
    let language = ctx.shared().language.clone().map(|code| (LANGUAGE.to_owned(), code));
    sorted::collected(std::iter::once((TASK.to_owned(), "chat".to_owned())).chain(language))
}

/// What makes two calls the same.
fn key(call: &ToolCall) -> String {
    format!("{} {}", call.name, call.arguments)
}

/// Each call of an answer once, and for every call of the answer the place of the one whose result answers it.
fn distinct(calls: &[ToolCall]) -> (Vec<&ToolCall>, Vec<usize>) {
    let (mut distinct, mut known) = (Vec::new(), BTreeMap::new());
    let places = calls.iter().map(|call| {
        *known.entry((key(call), &call.fault)).or_insert_with(|| {
            distinct.push(call);
            distinct.len() - 1
        })
    });
    let places = places.collect();
    (distinct, places)
}

/// What is kept from round to round.
struct Loop<'a> {
    model: &'a Model,
    manner: &'a Manner,
    line: &'a str,
    language: Language,
    /// Whether a model answers; else it is the companion.
    free: bool,
    /// Whether the person named the tool: the line is the call, and says nothing beside it.
    is_named: bool,
    /// Whether the companion answers in a model's place.
    is_taken_over: bool,
    /// How many answers held calls of which none can be read.
    unread: u32,
    /// How often each call was asked for.
    counted: BTreeMap<String, usize>,
    said: Said,
}

impl Loop<'_> {
    fn run(&mut self, talk: &mut Talk, ctx: &KernelContext) -> Result<(), ModelError> {
        let remembered = memories::for_line(self.line, self.free, ctx);
        let mut messages = talk.recent();
        let fresh = talk.fresh(&remembered);
        let mut newest = prompt::line(self.line, self.manner.caution && self.free);
        if self.free {
            newest.memories.clone_from(&fresh);
            self.said.memories = fresh;
            newest.attachments.clone_from(&talk.pictures);
            newest.texts.clone_from(&talk.texts);
            self.said.shown = true;
        } else if !talk.pictures.is_empty() {
            self.said.notes.push(self.language.says().no_picture.to_owned());
        } else if !talk.texts.is_empty() {
            self.said.notes.push(self.language.says().no_text.to_owned());
        }
        messages.push(newest);
        let known = if self.free { talk.known(ctx) } else { Known::default() };
        let named = talk.offer_tools(self.line, self.free, ctx);
        let mut request = Request {
            system: prompt::system(ctx, &named, &known),
            named: named.iter().map(|name| (*name).to_owned()).collect(),
            messages,
            tools: talk.tools.offered(),
            // The companion looks through all of them on its own.
            memories: if self.free { vec![] } else { remembered },
            metadata: metadata(ctx),
            ..Request::default()
        };
        let rounds = ctx.shared().config.limits.max_tool_rounds;
        let mut asked_again = false;
        for round in 0..=rounds {
            let response = self.ask(&mut request, talk, ctx)?;
            if response.tool_calls.is_empty() {
                let is_silent = response.text.trim().is_empty() && self.said.broke_off.is_none();
                if is_silent && !asked_again && self.free {
                    // Small models do this now and then, and the second time they answer.
                    asked_again = true;
                    continue;
                }
                if self.said.outcome == TurnOutcome::Answered && language::is_no_answer(&response.text) {
                    self.said.outcome = TurnOutcome::Unknown;
                }
                if self.said.broke_off.is_some() {
                    self.said.outcome = TurnOutcome::Failed;
                }
                self.said.text = response.text;
                break;
            }
            if round == rounds {
                let says = self.language.says().too_many_rounds;
                self.give_up(fill(says, &[("rounds", &rounds.to_string())]));
                break;
            }
            let (distinct, places) = distinct(&response.tool_calls);
            if self.goes_in_circles(&distinct) {
                self.give_up(self.language.says().in_circles.to_owned());
                break;
            }
            self.said.rounds += 1;
            request.messages.push(Message::calls(response.text, response.tool_calls.clone()));
            let outcomes = self.call_all(&distinct, talk, ctx);
            if ctx.is_cancelled() {
                return Err(ModelError::Cancelled { provider: self.said.provider.clone() });
            }
            self.said.outcome = self.came_of(&distinct, &outcomes, ctx);
            for (call, place) in response.tool_calls.iter().zip(places) {
                let (outcome, receipt_id) = (&outcomes[place].outcome, &outcomes[place].receipt_id);
                self.said.by_tool |= *outcome != Outcome::NotMine;
                let (content, is_whole) =
                    prompt::observation(outcome, self.language, self.free, ctx.shared());
                if !is_whole {
                    let what = call.arguments["path"].as_str().unwrap_or(&call.name);
                    let what = shared_types::text::cut(what, 80);
                    ctx.ask(Show::Note {
                        note: fill(self.language.says().part_held_back, &[("what", &what)]),
                    });
                }
                self.said.calls.push(json!({"id": call.id, "name": call.name, "arguments": call.arguments}));
                talk.bring(&content);
                let kept = shared_types::text::cut(&content, 2_000);
                let failed = matches!(outcome, Outcome::Failed(_) | Outcome::Denied(..));
                self.said.results.push(json!({
                    "id": call.id, "content": kept, "failed": failed, "receipt_id": receipt_id}));
                request.messages.push(Message::tool(call.id.clone(), content));
            }
            if self.free {
                request.tools = talk.tools.offered();
            }
        }
        if self.said.text.trim().is_empty() {
            self.said.text = self.language.says().no_answer.to_owned();
            self.said.outcome = TurnOutcome::Failed;
        }
        Ok(())
    }

    /// Asks once, and shows the pieces where the person sees them. Where a model does not get on, the companion answers from here
    /// on, and the request becomes the one to it.
    fn ask(
        &mut self,
        request: &mut Request,
        talk: &mut Talk,
        ctx: &KernelContext,
    ) -> Result<Response, ModelError> {
        let needles = prompt::needles(ctx, &request.messages, talk.brought());
        let mut relay = Relay::new(ctx, self.manner.streams, &needles);
        let mut watch = |piece: Piece<'_>| relay.piece(piece);
        let named = talk.call.as_ref().filter(|_| self.said.rounds == 0);
        let routed = match self.is_taken_over {
            true if named.is_some() => Routed::of(Response {
                tool_calls: named
                    .map(|call| ToolCall::new("call-1", &call.tool, call.arguments.clone()))
                    .into_iter()
                    .collect(),
                ..Response::default()
            }),
            true => Routed::of(Embedded::default().chat(request, &mut watch, ctx.cancel())?),
            false => match self.model.watched(request, &mut watch, ctx.cancel()) {
                Err(ModelError::BrokeOff { partial, why }) => {
                    self.said.broke_off = Some(why.to_string());
                    Routed::of(*partial)
                }
                routed => routed?,
            },
        };
        let taken_over = self.taken_over(&routed.response, talk, ctx);
        relay.finish(routed.response.tool_calls.is_empty() && taken_over.is_none());
        let mut response = routed.response;
        if let Some((other, answer)) = taken_over {
            (self.free, self.is_taken_over) = (false, true);
            (*request, response) = (other, answer);
        }
        if self.free {
            response.text = guard::cleaned(&response.text, &needles);
        }
        let (says, who) = (self.language.says(), response.provider.as_str());
        let in_its_place = |why: &String| fill(says.in_its_place, &[("why", why), ("who", who)]);
        self.said.notes.extend(routed.notes.iter().map(in_its_place));
        self.said.notes.extend(routed.is_back.then(|| fill(says.is_back, &[("who", who)])));
        if let Some(why) = &self.said.broke_off {
            self.said.notes.push(format!("{}: {why}", says.broke_off));
        }
        for from in &routed.failed {
            log::event(Event::ProviderFallback { from: Name::of(from), to: Name::of(&response.provider) });
        }
        self.said.notices.extend(response.notice.clone());
        self.said.provider.clone_from(&response.provider);
        self.said.model.clone_from(&response.model);
        if let Some(more) = response.usage {
            let spent = self.said.usage.get_or_insert(Usage { input: 0, output: 0 });
            spent.input += more.input;
            spent.output += more.output;
        }
        Ok(response)
    }

    /// What the companion answers in a model's place: any answer after two answers with calls that cannot be read, and a call
    /// where the model says that it cannot do it.
    fn taken_over(
        &mut self,
        response: &Response,
        talk: &mut Talk,
        ctx: &KernelContext,
    ) -> Option<(Request, Response)> {
        if !self.free || self.said.broke_off.is_some() {
            return None;
        }
        let calls = &response.tool_calls;
        let is_unread = !calls.is_empty() && calls.iter().all(|call| call.fault.is_some());
        self.unread += u32::from(is_unread);
        let gives_up = is_unread && self.unread > 1;
        let says_no =
            calls.is_empty() && self.said.rounds == self.unread && language::is_no_answer(&response.text);
        if !(gives_up || says_no) {
            return None;
        }
        let request = Request {
            messages: talk.recent().into_iter().chain([prompt::line(self.line, false)]).collect(),
            tools: talk::sayable(self.line, ctx),
            memories: memories::for_line(self.line, false, ctx),
            metadata: metadata(ctx),
            ..Request::default()
        };
        let answer = Embedded::default().chat(&request, &mut |_| {}, ctx.cancel()).ok()?;
        if answer.tool_calls.is_empty() && !gives_up {
            return None;
        }
        if gives_up {
            self.said.notices.push(self.language.says().calls_unread.to_owned());
        }
        Some((request, answer))
    }

    fn give_up(&mut self, why: String) {
        self.said.by_tool = false;
        self.said.outcome = TurnOutcome::Failed;
        self.said.text = why;
    }

    /// What an answer right after these outcomes tells: where no call answered a denial, and where it is the result itself
    /// a failure.
    fn came_of(&self, calls: &[&ToolCall], outcomes: &[Called], ctx: &KernelContext) -> TurnOutcome {
        // A call of no tool, or with arguments that do not fit, is a slip of the model: nobody said no to it.
        let is_denied = |(call, called): (&&ToolCall, &Called)| {
            matches!(called.outcome, Outcome::Denied(..))
                && offered::fault_of(ctx, &call.name, Some(&call.arguments)).is_none()
        };
        if outcomes.iter().any(|called| matches!(called.outcome, Outcome::Said(_))) {
            TurnOutcome::Answered
        } else if calls.iter().zip(outcomes).any(is_denied) {
            TurnOutcome::Denied
        } else if !self.free && outcomes.iter().any(|called| matches!(called.outcome, Outcome::Failed(_))) {
            TurnOutcome::Failed
        } else {
            TurnOutcome::Answered
        }
    }

    /// Whether every call of an answer was made often enough already.
    fn goes_in_circles(&mut self, calls: &[&ToolCall]) -> bool {
        let mut all = true;
        for call in calls {
            let times = self.counted.entry(key(call)).or_default();
            *times += 1;
            all &= *times > MOST_OF_THE_SAME;
        }
        all
    }

    /// Runs the calls of one answer: those that only read and ask nobody beside each other, every other one alone and in
    /// order, so that it is judged by all that came before it.
    fn call_all(&self, calls: &[&ToolCall], talk: &mut Talk, ctx: &KernelContext) -> Vec<Called> {
        for call in calls {
            ctx.ask(Show::Status { status: calling(&call.name, ctx) });
        }
        let made: Vec<Result<&ToolCall, Called>> = calls
            .iter()
            .enumerate()
            .map(|(n, &call)| match self.unmakeable(n, call, talk) {
                Some((rule, why)) => {
                    ctx.refuse_call(&call.name, &call.arguments, rule, why);
                    Err(failed(why))
                }
                None => Ok(call),
            })
            .collect();
        let asked: Vec<(&str, &Value)> =
            made.iter().flatten().map(|call| (call.name.as_str(), &call.arguments)).collect();
        let mut independent = ctx.independent(&asked).into_iter();
        let mut outcomes: Vec<Option<Called>> = vec![None; calls.len()];
        std::thread::scope(|scope| {
            let mut running: Vec<(usize, ScopedJoinHandle<'_, Called>)> = Vec::new();
            for (n, call) in made.into_iter().enumerate() {
                match call {
                    Err(outcome) => outcomes[n] = Some(outcome),
                    Ok(call) if independent.next() == Some(true) && asked.len() > 1 => {
                        if running.len() == MOST_BESIDE {
                            let (n, handle) = running.remove(0);
                            outcomes[n] = handle.join().ok();
                        }
                        let builder = std::thread::Builder::new().name("tool".into()).stack_size(STACK);
                        match builder.spawn_scoped(scope, || self.call(call, ctx)) {
                            Ok(handle) => running.push((n, handle)),
                            // Without a thread the calls take their turns.
                            Err(_) => outcomes[n] = Some(self.call(call, ctx)),
                        }
                    }
                    Ok(call) => {
                        for (n, handle) in running.drain(..) {
                            outcomes[n] = handle.join().ok();
                        }
                        outcomes[n] = Some(self.call(call, ctx));
                    }
                }
            }
            for (n, handle) in running {
                outcomes[n] = handle.join().ok();
            }
        });
        let broken = || failed("the tool broke off");
        outcomes.into_iter().map(|outcome| outcome.unwrap_or_else(broken)).collect()
    }

    /// By which rule, and why, a call is not made at all.
    fn unmakeable<'c>(&self, place: usize, call: &'c ToolCall, talk: &mut Talk) -> Option<(Rule, &'c str)> {
        if place >= MOST_AT_ONCE {
            return Some((Rule::TooMany, "too many calls in one answer; call it again in the next one"));
        }
        // One that was only named is offered from now on; arguments that do not fit are refused with what would.
        talk.tools.bring(&call.name);
        if self.counted.get(&key(call)).is_some_and(|times| *times > MOST_OF_THE_SAME) {
            return Some((
                Rule::Repeated,
                "this call was made already with the same arguments; use its result",
            ));
        }
        Some((Rule::Unreadable, call.fault.as_deref()?))
    }

    fn call(&self, call: &ToolCall, ctx: &KernelContext) -> Called {
        if ctx.is_cancelled() {
            return failed("cancelled");
        }
        let line = if self.is_named { "" } else { self.line };
        match ctx.call_for_receipt(&call.name, &call.arguments, line) {
            // There is no other tool to look for.
            Called { outcome: Outcome::NotMine, receipt_id } if self.is_named => {
                Called { receipt_id, ..failed("these arguments are not for this tool") }
            }
            called => called,
        }
    }
}
