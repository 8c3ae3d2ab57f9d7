//! What a message is answered with.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::rows::{ProposalRow, ProviderRow, SkillRow};
use super::{Command, Input, Message, Recall, Remember, Request, Show, TurnOutcome, Usage};
use crate::audience::Audience;
use crate::grants::Grants;
use crate::memory::{Fact, Record, Summary, Turn};
use crate::proposal::Document;
use crate::provenance::Provenance;
use crate::risk::Autonomy;

/// The answer to a message.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// What a turn came to.
    Turn(TurnResult),
    /// The conversation that is taken up.
    Resumed {
        /// Its identifier.
        id: String,
        /// How many messages it has.
        turns: usize,
        /// The skills that were learned since.
        news: Vec<String>,
    },
    /// The limits of a turn.
    Policy(Box<Policy>),
    /// The rights of the skills and of the profile.
    Permissions(Box<Permissions>),
    /// The providers.
    Providers(Vec<ProviderRow>),
    /// The provider that is asked first after a choice.
    Chosen(Option<String>),
    /// Facts.
    Facts(Vec<Fact>),
    /// Messages.
    Turns(Vec<Turn>),
    /// Conversations.
    Conversations(Vec<Summary>),
    /// The last conversation.
    Last(Option<String>),
    /// What an identifier names.
    Records(Vec<Record>),
    /// What became of a fact.
    Stored(StoredFact),
    /// The texts that were forgotten.
    Forgotten(Vec<String>),
    /// How many messages were kept.
    Kept(usize),
    /// The facts that a line told, and what found them: `rules` or `model`.
    Extracted(Vec<String>, Option<&'static str>),
    /// Everything was forgotten.
    Cleared,
    /// What came of a line about the reminders; `None` where it is about none.
    Reminded(Option<Reminded>),
    /// What is reported between two lines.
    Due {
        /// Sentences about the reminders that are due; each is reported once.
        told: Vec<String>,
        /// Why the reminders cannot be used; it is the same sentence as long as that holds.
        unread: Option<String>,
        /// When the next one is due, in seconds since 1970.
        next: Option<i64>,
    },
    /// Proposals.
    Proposals(Vec<ProposalRow>),
    /// One proposal, if there is one.
    Proposal(Option<Box<Document>>),
    /// What to tell the person who wished for something.
    Wished {
        /// In words.
        reply: String,
        /// What came of the wish.
        outcome: TurnOutcome,
    },
    /// The person is shown it.
    Shown,
    /// What the person said.
    Said(String),
    /// The person said yes.
    Approved,
    /// There is no yes.
    Unapproved {
        /// Why, with a lawful next step.
        why: String,
        /// Whether the person was asked.
        asked: bool,
    },
    /// Why the request was not answered.
    Failed(String),
    /// The answer to an event of a skill's own.
    Own(Value),
}

/// What came of a line about the reminders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reminded {
    /// What the person reads.
    pub said: String,
    /// What came of it.
    pub outcome: TurnOutcome,
    /// What the next line may go back to.
    pub then: Then,
}

/// What the line behind one about the reminders may go back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// To nothing of it.
    Nothing,
    /// To the reminder of that number, which was set or moved.
    One(u64),
    /// To a reminder that lacks its moment, so that none was set.
    Moment,
}

/// What a turn came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TurnResult {
    /// An answer.
    Reply(Box<Reply>),
    /// The line is not taken.
    Refused {
        /// Why.
        refused: String,
    },
    /// Nobody could answer.
    Failed {
        /// Why.
        failed: String,
    },
    /// The person did not want to wait.
    Cancelled {
        /// Whether it is so.
        cancelled: bool,
    },
}

/// An answer to a line.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The answer.
    pub reply: String,
    /// The provider that gave it; empty where it was the program itself.
    #[serde(default)]
    pub provider: String,
    /// Its model.
    #[serde(default)]
    pub model: String,
    /// The tokens spent, where the provider says so.
    #[serde(default)]
    pub usage: Option<Usage>,
    /// How many tools were called.
    #[serde(default)]
    pub calls: usize,
    /// What the person should know beside it.
    #[serde(default)]
    pub notes: Vec<String>,
    /// How long it took.
    #[serde(default)]
    pub seconds: f64,
    /// The turn.
    #[serde(default)]
    pub turn_id: String,
    /// What came of the turn.
    #[serde(default)]
    pub outcome: TurnOutcome,
    /// Why the answer ended before its end, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broke_off: Option<String>,
    /// Whether what the person wanted did not happen, although there is an answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
}

/// The limits of a turn, and what no setting changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Policy {
    /// For whom the profile is.
    pub audience: Audience,
    /// How much happens without asking.
    pub autonomy: Autonomy,
    /// What becomes of a call of each risk.
    pub tools_of_risk: BTreeMap<&'static str, &'static str>,
    /// What the conversation holds, in words.
    pub this_conversation_holds: &'static str,
    /// How the provider that is asked first learns who asks.
    pub auth: Option<String>,
    /// The most rounds of tool calls.
    pub max_tool_rounds: u32,
    /// How long a tool may take.
    pub tool_timeout_seconds: u64,
    /// The patterns of tools that the channel may call.
    pub tools_allow: Vec<String>,
    /// What always holds.
    pub rules: &'static [&'static str],
}

/// What each skill may do, and what the profile's tools may reach.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Permissions {
    /// How much happens without asking.
    pub autonomy: Autonomy,
    /// What the tools may reach.
    pub grants: Grants,
    /// The further folders that are open to the tools for files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub folders: Vec<FolderRow>,
    /// What the conversation holds, in words.
    pub this_conversation_holds: &'static str,
    /// The rights of each skill.
    pub skills: Vec<SkillRow>,
}

/// A further folder that is open to the tools for files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FolderRow {
    /// Its path as the configuration spells it.
    pub folder: String,
    /// `read` or `write`.
    pub access: &'static str,
}

/// What became of a fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "stored", rename_all = "lowercase")]
pub enum StoredFact {
    /// It is kept.
    New {
        /// The fact.
        text: String,
        /// Its identifier.
        id: String,
    },
    /// It was known.
    Known {
        /// The fact.
        text: String,
        /// Its identifier.
        id: String,
    },
    /// It took another one's place.
    Replaced {
        /// The fact.
        text: String,
        /// Its identifier.
        id: String,
        /// The other one.
        replaced: String,
    },
}

/// Reads a type as memory reads it from its files, so that the program carries one reader for both.
fn read<T: serde::de::DeserializeOwned>(value: &Value) -> Option<T> {
    serde_json::from_slice(value.to_string().as_bytes()).ok()
}

/// The list beneath a key of an object.
fn list(value: &Value, key: &str) -> Option<Vec<String>> {
    value[key].as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}

impl Answer {
    /// Reads what a learned skill answers to a message: `None` where it does not answer it.
    pub fn read(asked: &Message, answer: Value) -> Option<Answer> {
        let text = |key: &str| answer[key].as_str().map(str::to_owned);
        let failed = text("error").filter(|_| !matches!(asked, Message::Own(..)));
        if let (Some(why), false) = (failed, matches!(asked, Message::Show(Show::Approve { .. }))) {
            return Some(Answer::Failed(why));
        }
        Some(match asked {
            Message::Own(..) => Answer::Own(answer),
            Message::Input(Input::Line(_) | Input::Command(Command::Retry { .. })) => {
                Answer::Turn(read(&answer)?)
            }
            Message::Input(Input::Command(Command::Resume { .. })) => Answer::Resumed {
                id: text("id")?,
                turns: answer["turns"].as_u64().and_then(|turns| turns.try_into().ok())?,
                news: list(&answer, "news").unwrap_or_default(),
            },
            Message::Input(Input::Command(Command::Memory { .. }))
            | Message::Recall(Recall::Facts { .. } | Recall::Preferences) => Answer::Facts(read(&answer)?),
            Message::Recall(Recall::Turns { .. } | Recall::Conversation { .. }) => {
                Answer::Turns(read(&answer)?)
            }
            Message::Recall(Recall::Last) => Answer::Last(answer.as_str().map(str::to_owned)),
            Message::Remember(Remember::Fact { .. }) => Answer::Stored(read(&answer)?),
            Message::Remember(Remember::Forget { .. }) => Answer::Forgotten(list(&answer, "forgotten")?),
            Message::Remember(Remember::Turns { .. }) => {
                Answer::Kept(answer["stored"].as_u64()?.try_into().ok()?)
            }
            Message::Remember(Remember::Extract { .. }) => Answer::Extracted(list(&answer, "facts")?, None),
            Message::Remember(Remember::Clear) => Answer::Cleared,
            Message::Request(Request::Wish { .. }) => Answer::Wished {
                reply: text("reply")?,
                outcome: match answer["incomplete"] == true {
                    true => TurnOutcome::Failed,
                    false => read(&answer["outcome"]).unwrap_or_default(),
                },
            },
            Message::Show(Show::Ask { .. }) => Answer::Said(text("answer")?),
            Message::Show(Show::Approve { .. }) if answer["approved"] == true => Answer::Approved,
            Message::Show(Show::Approve { .. }) => {
                Answer::Unapproved { why: text("error")?, asked: answer["asked"] == true }
            }
            Message::Show(_) => Answer::Shown,
            // Only a part of the bot can answer these.
            Message::Input(Input::Command(
                Command::Policy
                | Command::Permissions
                | Command::Model { .. }
                | Command::Conversations
                | Command::Due { .. }
                | Command::Proposals,
            ))
            | Message::Recall(
                Recall::Conversations { .. } | Recall::Past { .. } | Recall::Show { .. } | Recall::Due { .. },
            )
            | Message::Remember(Remember::Remind { .. })
            | Message::Request(Request::List | Request::Show { .. }) => return None,
        })
    }

    /// The answer as a learned skill receives it.
    pub fn to_json(&self) -> Value {
        match self {
            Answer::Turn(result) => json!(result),
            Answer::Resumed { id, turns, news } => json!({"id": id, "turns": turns, "news": news}),
            Answer::Policy(policy) => json!(policy),
            Answer::Permissions(permissions) => json!(permissions),
            Answer::Providers(rows) => json!(rows),
            Answer::Chosen(first) => json!({"current": first}),
            Answer::Facts(facts) => facts.iter().map(fact_row).collect(),
            Answer::Turns(turns) => json!(turns),
            Answer::Conversations(conversations) => json!(conversations),
            Answer::Last(id) => json!(id),
            Answer::Records(records) => json!(records),
            Answer::Stored(stored) => json!(stored),
            Answer::Forgotten(texts) => json!({"forgotten": texts}),
            Answer::Kept(count) => json!({"stored": count}),
            Answer::Extracted(facts, by) => json!({"stored": facts.len(), "facts": facts, "by": by}),
            Answer::Cleared => json!({"cleared": true}),
            // What only parts of the bot ask for.
            Answer::Reminded(_) | Answer::Due { .. } => json!({}),
            Answer::Proposals(rows) => json!(rows),
            Answer::Proposal(document) => json!(document),
            Answer::Wished { reply, outcome } => {
                json!({"reply": reply, "outcome": outcome, "incomplete": *outcome == TurnOutcome::Failed})
            }
            Answer::Shown => json!({}),
            Answer::Said(line) => json!({"answer": line}),
            Answer::Approved => json!({"approved": true}),
            Answer::Unapproved { why, asked } => json!({"error": why, "asked": asked}),
            Answer::Failed(why) => json!({"error": why}),
            Answer::Own(value) => value.clone(),
        }
    }

    /// What the conversation holds once memory has answered this: `None` where it is not a record.
    pub fn brings(&self) -> Option<Provenance> {
        let of_turn = |turn: &Turn| Provenance { outside: turn.outside, private: turn.private };
        let of_fact = |fact: &Fact| Provenance { outside: fact.outside, private: false };
        let noted: Vec<Provenance> = match self {
            Answer::Facts(facts) => facts.iter().map(of_fact).collect(),
            Answer::Turns(turns) => turns.iter().map(of_turn).collect(),
            Answer::Conversations(conversations) => conversations.iter().map(|_| Provenance::NONE).collect(),
            Answer::Records(records) => {
                let of = |record: &Record| match record {
                    Record::Fact(fact) => of_fact(fact),
                    Record::Turn(turn) => of_turn(turn),
                };
                records.iter().map(of).collect()
            }
            _ => return None,
        };
        noted.into_iter().reduce(Provenance::with).map(|noted| noted.with(Provenance::PRIVATE))
    }
}

/// A fact with its provenance: whether it came from outside is always said.
fn fact_row(fact: &Fact) -> Value {
    let mut row = json!(fact);
    row["outside"] = json!(fact.outside);
    row
}
