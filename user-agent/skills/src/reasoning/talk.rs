//! One conversation: what was said, what the assistant offered last, and which tools a model has seen.

use std::collections::BTreeSet;

use bot_base::config::channel::Through;
use language::Intent;
use models::attachment::Text;
use models::{Attachment, Message, Role, ToolSpec, phrases};
use ports::{KernelContext, offered};
use serde_json::json;
use shared_types::id::ConversationId;
use shared_types::memory::Turn;
use shared_types::message::{NamedCall, Then};
use shared_types::verdict::is_refused;

use super::known::Known;
use super::offer::Offer;
use super::turn::Said;
use crate::words;

/// Tools that count days and times for the companion. A model is not offered them: it has `date` and `time`, and their description
/// would cost each of its requests more than it saves.
const FOR_COMPANION: [&str; 5] = ["age", "earlier", "later", "until", "week"];

/// The tool that the person alone names: what it brings goes with a line that they type.
const FOR_PERSON: &str = "file_attach";

/// Tools whose file the next lines may mean, and how many turns later.
const FILE_TOOLS: [&str; 3] = ["file_append", "file_read", "file_write"];
const MOST_TURNS: usize = 3;

/// How much of a conversation a model sees again.
const MOST_MESSAGES: usize = 40;
const MOST_BYTES: usize = 24 * 1024;

/// How much of what tools answered is kept, to look through answers for it.
const MOST_BROUGHT: usize = 256 * 1024;

/// How many lines may be between a reminder that was set and one that goes back to it.
const MOST_SINCE: usize = 1;

/// The reminder that was set or moved last, as far as a line may go back to it.
#[derive(Debug, Default)]
pub(super) struct LastReminder {
    /// Its number, and how many turns ago it was set.
    one: Option<(u64, usize)>,
    /// Whether something else was said or done since, to which a line may go back as well.
    other: bool,
    /// The line of the turn before, where it lacked the moment.
    lacks: Option<String>,
    /// What this turn came to.
    now: Option<Then>,
}

impl LastReminder {
    /// The reminder to which `and at 3 ...` goes back.
    pub(super) fn to_add(&self) -> Option<u64> {
        // One that this line has set already.
        if let Some(Then::One(one)) = self.now {
            return Some(one);
        }
        self.one.filter(|(_, turns)| *turns <= MOST_SINCE).map(|(one, _)| one)
    }

    /// The reminder to which `make it 2` goes back: nothing else may be meant.
    pub(super) fn to_change(&self) -> Option<u64> {
        self.to_add().filter(|_| !self.other)
    }

    /// The line before, which asked for a reminder and lacked the moment.
    pub(super) fn lacking(&self) -> Option<&str> {
        self.lacks.as_deref()
    }

    /// Takes down what a line of this turn came to.
    pub(super) fn came(&mut self, then: Then) {
        self.now = Some(then);
    }

    /// Ends a turn; `other` says that it told or did something else.
    fn ends(&mut self, line: &str, other: bool) {
        self.lacks = None;
        match self.now.take() {
            Some(Then::One(one)) => (self.one, self.other) = (Some((one, 0)), false),
            Some(Then::Moment) => self.lacks = Some(line.to_owned()),
            // A look at them comes between nothing.
            Some(Then::Nothing) => {}
            None => {
                self.one = self.one.map(|(one, turns)| (one, turns + 1));
                self.other |= other;
            }
        }
    }
}

/// A conversation.
pub struct Talk {
    /// The identifier.
    pub id: ConversationId,
    /// What was said, oldest first.
    pub messages: Vec<Message>,
    /// The line for which the assistant offered to ask, if its last reply did.
    pub offer: Option<String>,
    /// Whether the last reply asked if everything is to be forgotten.
    pub forgets_all: bool,
    /// The facts that were stated or said in the turn before: those that a line may put right or take back.
    pub(super) facts: Vec<String>,
    /// The file that was used last, and how many turns ago.
    pub(super) file: Option<(String, usize)>,
    /// What the last lines about the reminders came to, which this one may go back to.
    pub(super) reminder: LastReminder,
    /// Whether the line that is answered was typed by nobody: it stands in a workflow. Then it gives no directive, and tells
    /// nothing about the person.
    pub untyped: bool,
    /// Whether the line is said once more, so that it asks for nothing new.
    pub is_again: bool,
    /// The call that the line is, where the person named the tool.
    pub(super) call: Option<NamedCall>,
    /// The pictures that go with the line that is answered, or went with the last one.
    pub(super) pictures: Vec<Attachment>,
    /// The texts that do.
    pub(super) texts: Vec<Text>,
    /// What a model gets about the person and of earlier conversations, once it was asked for.
    known: Option<Known>,
    /// The tools that a model was offered.
    pub(super) tools: Offer,
    /// The line that got no answer, if the last one got none.
    unanswered: Option<String>,
    /// The learned skills at the last turn, if there was one.
    skills: Option<Vec<String>>,
    /// What a model sees again begins here; it moves in large steps, so that a server can reuse what it has read.
    start: usize,
    /// What tools answered in it, oldest first.
    brought: Vec<String>,
}

impl Talk {
    /// A new conversation.
    pub fn new(id: ConversationId) -> Talk {
        Talk {
            id,
            messages: vec![],
            offer: None,
            forgets_all: false,
            facts: vec![],
            file: None,
            reminder: LastReminder::default(),
            untyped: false,
            is_again: false,
            call: None,
            pictures: vec![],
            texts: vec![],
            known: None,
            tools: Offer::default(),
            unanswered: None,
            skills: None,
            start: 0,
            brought: vec![],
        }
    }

    /// A conversation from its records, oldest first.
    pub fn of(id: ConversationId, records: &[Turn]) -> Talk {
        let mut talk = Talk::new(id);
        for record in records {
            match record.role.as_str() {
                "user" => talk.messages.push(Message::user(&record.content)),
                "assistant" => {
                    talk.messages.push(Message::assistant(&record.content));
                    for result in &record.tool_results {
                        talk.bring(result["content"].as_str().unwrap_or_default());
                    }
                    let metadata = &record.metadata;
                    talk.offer = metadata["offer"].as_str().map(str::to_owned);
                    let names = metadata["skills"].as_array();
                    talk.skills =
                        names.map(|n| n.iter().filter_map(|s| s.as_str().map(str::to_owned)).collect());
                }
                _ => {}
            }
        }
        talk
    }

    /// What a model sees again: the newest messages, beginning with a line of the person.
    pub fn recent(&mut self) -> Vec<Message> {
        let size = |messages: &[Message]| -> usize {
            let beside = |m: &Message| {
                let texts = m.texts.iter().map(|text| text.text.len());
                m.memories.iter().map(String::len).chain(texts).sum::<usize>()
            };
            messages.iter().map(|m| m.content.len() + beside(m)).sum()
        };
        let fits = |start: usize, share: usize| {
            let seen = &self.messages[start..];
            seen.len() <= MOST_MESSAGES / share && size(seen) <= MOST_BYTES / share
        };
        if self.start > self.messages.len() || !fits(self.start, 1) {
            let begins = |start: &usize| {
                self.messages.get(*start).is_none_or(|m| m.role == Role::User) && fits(*start, 2)
            };
            self.start = (0..=self.messages.len()).find(begins).unwrap_or(self.messages.len());
        }
        self.messages[self.start..].to_vec()
    }

    /// What a model gets about the person and of earlier conversations: the same until something is forgotten, so that a
    /// server can reuse what it has read.
    pub(super) fn known(&mut self, ctx: &KernelContext) -> Known {
        if let Some(known) = &self.known {
            return known.clone();
        }
        let known = Known::now(ctx);
        // In a link of an answer it must not leave the conversation.
        known.preferences.iter().chain(&known.past).for_each(|line| self.bring(line));
        self.known.insert(known).clone()
    }

    /// Has a model informed anew, after something was forgotten.
    pub(super) fn forget_known(&mut self) {
        self.known = None;
    }

    /// Keeps what a tool answered; the oldest goes where it becomes too much.
    pub(super) fn bring(&mut self, content: &str) {
        self.brought.push(content.to_owned());
        let size = |brought: &[String]| brought.iter().map(String::len).sum::<usize>();
        while self.brought.len() > 1 && size(&self.brought) > MOST_BROUGHT {
            self.brought.remove(0);
        }
    }

    /// What tools answered in it, oldest first.
    pub(super) fn brought(&self) -> &[String] {
        &self.brought
    }

    /// Which of these memories a model has not seen in this conversation.
    pub(super) fn fresh(&self, memories: &[String]) -> Vec<String> {
        let seen: BTreeSet<&String> =
            self.messages[self.start.min(self.messages.len())..].iter().flat_map(|m| &m.memories).collect();
        memories.iter().filter(|memory| !seen.contains(memory)).cloned().collect()
    }

    /// Chooses the tools for a line; the names of those that are not offered at first.
    pub(super) fn offer_tools(&mut self, line: &str, free: bool, ctx: &KernelContext) -> Vec<&str> {
        let learned = learned(ctx);
        let built_in = |tool: &str| {
            let owner = tool.split_once('.').map_or(tool, |(owner, _)| owner);
            !learned.iter().any(|name| name == owner)
        };
        match free {
            true => {
                let mut specs = offered::specs(ctx);
                specs.retain(|tool| !FOR_COMPANION.contains(&tool.name.as_str()) && tool.name != FOR_PERSON);
                self.tools.choose(specs, &built_in, line);
            }
            false => self.tools.choose_all(sayable(line, ctx)),
        }
        self.tools.others()
    }

    /// The line with the name of the file that was used just now in it, where it is about that.
    pub(super) fn with_file(&self, line: &str) -> Option<String> {
        let (file, _) = self.file.as_ref().filter(|(_, turns)| *turns <= MOST_TURNS)?;
        language::of_file(line, file)
    }

    /// Takes down which file a turn used, and what it came to for the reminders.
    pub(super) fn used(&mut self, line: &str, said: &Said) {
        self.reminder.ends(line, !said.calls.is_empty() || !self.facts.is_empty());
        let path = said.calls.iter().rev().find_map(|call| {
            let is_file = call["name"].as_str().is_some_and(|name| FILE_TOOLS.contains(&name));
            call["arguments"]["path"].as_str().filter(|_| is_file)
        });
        self.file = match path {
            Some(path) => Some((path.to_owned(), 0)),
            None => self.file.take().map(|(path, turns)| (path, turns + 1)),
        };
    }

    /// Takes a turn down: into the conversation, and as records for memory.
    pub(super) fn take_down(
        &mut self,
        line: &str,
        reply: &str,
        said: &Said,
        ctx: &KernelContext,
    ) -> (ConversationId, Vec<Turn>) {
        // Who reads it later, a model too, must not take it for a whole answer.
        let marked = said
            .broke_off
            .as_ref()
            .map(|_| format!("{reply}\n\n[{}]", words::language(ctx, line).says().broke_off));
        let reply = marked.as_deref().unwrap_or(reply);
        // An offer that is made again is for the same line as before.
        let again = self.offer.take().filter(|_| language::of_last(line).is_some());
        self.offer = language::offers_to_learn(reply).map(|_| again.unwrap_or_else(|| line.to_owned()));
        let line = &format!("{line}{}", if said.shown { self.shown() } else { String::new() });
        let texts = if said.shown { self.texts.clone() } else { vec![] };
        self.messages.push(Message { memories: said.memories.clone(), texts, ..Message::user(line) });
        self.messages.push(Message::assistant(reply));
        let skills = learned(ctx);
        let turn = ConversationId::generate();
        let record = |role: &str, content: &str| Turn {
            conversation_id: self.id.to_string(),
            turn_id: turn.to_string(),
            timestamp: ctx.shared().timestamp(),
            role: role.to_owned(),
            content: content.to_owned(),
            ..Turn::default()
        };
        // What the person typed is theirs; what answers it may repeat all that the conversation holds.
        let holds = ctx.holds();
        let mut asked = record("user", line);
        // At a terminal a record is as it always was.
        let through = ctx.shared().session.through;
        if through != Through::Cli {
            asked.metadata = json!({"through": through.name()});
        }
        if self.untyped {
            // Nobody typed this: a conversation that recalls it inherits what this conversation holds.
            asked.metadata["untyped"] = true.into();
            (asked.outside, asked.private) = (holds.outside, holds.private);
        }
        let answered = Turn {
            tool_calls: said.calls.clone(),
            tool_results: said.results.clone(),
            provider: said.provider.clone(),
            model: said.model.clone(),
            outside: holds.outside,
            private: holds.private,
            metadata: json!({"offer": self.offer, "skills": skills, "usage": said.usage}),
            ..record("assistant", reply)
        };
        self.skills = Some(skills);
        (turn, vec![asked, answered])
    }

    /// Notes which line was said last, and whether it got an answer.
    pub(super) fn said_last(&mut self, line: &str, answered: bool) {
        self.unanswered = (!answered).then(|| line.to_owned());
    }

    /// Takes the last turn back: its line, and what was said in it; nothing was, where it got no answer.
    pub(super) fn take_back(&mut self) -> Option<(String, Vec<Message>)> {
        if let Some(line) = self.unanswered.take() {
            return Some((line, vec![]));
        }
        let last = self.messages.iter().rposition(|m| m.role == Role::User)?;
        let taken = self.messages.split_off(last);
        self.offer = None;
        let line = &taken[0].content;
        let line = line.strip_suffix(&self.shown()).unwrap_or(line).to_owned();
        Some((line, taken))
    }

    /// What the conversation keeps of pictures and texts that a model was shown: their names and sizes.
    fn shown(&self) -> String {
        let texts = self
            .texts
            .iter()
            .map(|text| format!("\n[file {}, {} bytes, was shown]", text.name, text.text.len()));
        self.pictures.iter().map(|picture| format!("\n[picture {picture}, was shown]")).chain(texts).collect()
    }

    /// Puts back what [`Talk::take_back`] took.
    pub(super) fn put_back(&mut self, taken: Vec<Message>) {
        if !taken.is_empty() {
            self.unanswered = None;
        }
        self.messages.extend(taken);
    }

    /// The skills that were learned since the last turn.
    pub fn news(&self, ctx: &KernelContext) -> Vec<String> {
        match &self.skills {
            Some(before) => learned(ctx).into_iter().filter(|name| !before.contains(name)).collect(),
            None => vec![],
        }
    }
}

/// The tools for the companion. To a line that asks for its abilities it says examples: of those, the ones that this profile
/// may make.
pub(super) fn sayable(line: &str, ctx: &KernelContext) -> Vec<ToolSpec> {
    let mut specs = offered::specs(ctx);
    if language::intent(line).is_none_or(|meant| meant.intent != Intent::Capabilities) {
        return specs;
    }
    for spec in &mut specs {
        let may = |example: &String| {
            let call = phrases::route(example, std::slice::from_ref(spec), None).into_iter().next();
            call.is_none_or(|call| {
                let risk = ctx.risk_of(&call.tool, Some(&call.arguments));
                risk.is_some_and(|risk| !is_refused(risk, ctx.shared().autonomy))
            })
        };
        let kept: Vec<String> = spec.examples.iter().filter(|example| may(example)).cloned().collect();
        spec.examples = kept;
    }
    specs
}

fn learned(ctx: &KernelContext) -> Vec<String> {
    ctx.skills().into_iter().filter(|s| s.learned).map(|s| s.name.to_string()).collect()
}
