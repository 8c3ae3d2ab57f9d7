//! What crosses the socketpair between the process that talks to the server and `mind`, in frames as between `mind` and `net`.
//!
//! That process reads what anybody sends, so `mind` takes its frames as hostile: it knows the accounts of the person itself, and takes
//! each event once.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use shared_types::id::HostName;

/// All that the process knows, in a sealed file.
#[derive(Debug, Serialize, Deserialize)]
pub struct Order {
    /// The server, as `https://HOST`.
    pub server: String,
    pub host: HostName,
    /// Where plain `http` may go.
    pub local: Vec<HostName>,
    /// The account of the assistant; empty where the token says it.
    pub user: String,
    /// The accounts of the profile's person.
    pub people: Vec<String>,
    /// The access token.
    pub token: String,
    /// The folders that it is not to see, where its wall is a view of the file system.
    pub hidden: Vec<PathBuf>,
    /// Whether that is its wall.
    pub namespace: bool,
}

/// What `mind` tells the process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ToMessenger {
    /// The first frame: ask for what came after this, or for what comes from now on.
    Begin {
        /// What the server called the end of the last answer.
        since: Option<String>,
    },
    /// What was handed over is written down; the server may forget it.
    Taken,
    /// Send a message. The next one comes when this one is sent.
    Send(Outgoing),
    /// Show what there is of an answer so far. It is tried once; nothing else comes until it is known what became of it.
    Draft(Outgoing),
    /// Show in a room that an answer is being written, or show it no longer.
    Typing {
        room: String,
        /// Whether it is shown.
        on: bool,
    },
}

/// A message to a room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outgoing {
    /// Its transaction; a server that knows transactions takes each once.
    pub key: String,
    pub room: String,
    /// The words.
    pub text: String,
    /// Whether they are for the person alone: they go to a room of two.
    pub is_private: bool,
    /// What stands before them once nobody knows whether an attempt has reached the server, where it would take them twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
    /// The message in whose place it stands, as the server calls that one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<String>,
    /// Whether an attempt to put it there may have reached the server.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tried: bool,
}

impl Outgoing {
    /// An attempt to send it may have reached the server. In the place of another message it may be put twice.
    pub fn is_unsure(&mut self) {
        if self.replaces.is_some() {
            self.tried = true;
        } else if let Some(mark) = self.mark.take() {
            self.text = format!("{mark}\n{}", self.text);
        }
    }

    /// The server does not put it in the place of the other message: it becomes one of its own.
    pub fn stands_alone(&mut self) {
        self.replaces = None;
        if std::mem::take(&mut self.tried) {
            self.is_unsure();
        }
    }
}

/// What the process tells `mind`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Heard {
    /// An account of the person said something.
    Said(Said),
    /// Somebody else did.
    Stranger {
        /// The account.
        sender: String,
    },
    /// All that came before is handed over.
    Since {
        /// What the server calls this point.
        since: String,
    },
    /// The server has a message, or will never take it.
    Sent {
        /// Its transaction.
        key: String,
        /// Why the server does not take it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        refused: Option<String>,
    },
    /// What became of a part of an answer that was to be shown.
    Drafted {
        /// Its transaction.
        key: String,
        /// The message that the whole answer may replace, as the server calls it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
        /// Whether more of the answer may be shown.
        more: bool,
    },
    /// The server is not reached, or refuses.
    Trouble {
        /// Why, in a sentence.
        why: String,
        /// Whether the process has ended for it.
        is_end: bool,
    },
}

/// What an account of the person said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Said {
    pub event: String,
    pub room: String,
    /// The account.
    pub sender: String,
    /// How long ago, in milliseconds.
    pub age: u64,
    /// What it is.
    pub what: What,
}

/// What an event is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    Line {
        /// What was typed.
        text: String,
        /// Whether words of somebody else stood beside it and were left out.
        quotes: bool,
    },
    /// A later version of an earlier message.
    Edit,
    /// Nothing that can be read.
    Other,
    /// Something in an encrypted room.
    Encrypted,
    /// Something in a room of more than two.
    Crowd,
    /// Something in a group.
    Group,
    /// Words of somebody else that the account passed on.
    Foreign,
}
