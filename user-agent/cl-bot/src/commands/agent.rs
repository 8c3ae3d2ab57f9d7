//! `cl-bot agent`: the conversation.

use std::fs::OpenOptions;
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;
use std::time::Duration;

use bot_base::config::Overrides;
use bot_base::error::{Error, say};
use clap::Args;
use models::{Attachment, AttachmentError, attachment};
use nix::fcntl::OFlag;
use shared_types::id::ConversationId;

use crate::start::Options;
use crate::start::mind::{Purpose, become_mind};

/// What `agent` takes.
#[derive(Debug, Clone, Args)]
pub struct Arguments {
    /// Answer one message and end; `-` reads it from standard input
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    message: Option<String>,

    /// A picture that goes with the message: PNG, JPEG, GIF or WebP; may be given up to 4 times
    #[arg(long, value_name = "FILE", requires = "message")]
    attach: Vec<PathBuf>,

    /// Continue a conversation: its identifier, or `last`
    #[arg(long, value_name = "ID", value_parser = conversation)]
    conversation: Option<String>,

    /// Answer each turn with one JSON value
    #[arg(long)]
    json: bool,

    /// Ask this provider alone
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,

    /// Ask for this model
    #[arg(long, value_name = "MODEL", value_parser = model)]
    model: Option<String>,

    /// Allow fewer rounds of tool calls than the configuration
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_iterations: Option<u32>,

    /// Give up on a turn after S seconds
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..))]
    timeout: Option<u64>,

    /// Allow calls of low risk only, regardless of the profile
    #[arg(long)]
    readonly: bool,

    /// Start without optional and learned skills, should one of them be the trouble
    #[arg(long)]
    core_only: bool,
}

impl Arguments {
    /// Whether nothing was said.
    pub(super) fn is_empty(&self) -> bool {
        self.message.is_none()
            && self.attach.is_empty()
            && self.conversation.is_none()
            && !self.json
            && !self.core_only
            && self.overrides().is_empty()
    }

    fn overrides(&self) -> Overrides {
        Overrides {
            provider: self.provider.clone(),
            model: self.model.clone(),
            max_iterations: self.max_iterations,
            timeout: self.timeout.map(Duration::from_secs),
            readonly: self.readonly,
        }
    }
}

#[derive(Debug, thiserror::Error)]
#[error(
    "a conversation is `last` or an identifier of 36 characters such as 01a2070a-1852-76cb-95fa-73927dd28e8b; \
     `cl-bot memory list --conversations` shows those that there are"
)]
struct NoConversation;

fn conversation(text: &str) -> Result<String, NoConversation> {
    let id: ConversationId = text.parse().map_err(|_| NoConversation)?;
    if text == "last" || id.is_generated() { Ok(id.into()) } else { Err(NoConversation) }
}

/// The longest name of a model, in characters.
const MAX_MODEL: usize = 200;

#[derive(Debug, thiserror::Error)]
#[error("a model's name has 1 to {MAX_MODEL} characters and no blanks")]
struct NoModelName;

fn model(text: &str) -> Result<String, NoModelName> {
    let is_fine = |c: char| !shared_types::text::is_unsafe(c) && !c.is_whitespace();
    match text.chars().all(is_fine) && (1..=MAX_MODEL).contains(&text.chars().count()) {
        true => Ok(text.to_owned()),
        false => Err(NoModelName),
    }
}

/// Reads the pictures that the command line names, before confinement: each once, and no further than a message has room.
fn pictures(paths: &[PathBuf]) -> Result<Vec<Attachment>, Error> {
    let mut pictures = vec![];
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let unfit = |why: AttachmentError| Error::Usage {
            what: why.to_string(),
            hint: "as in: cl-bot -m \"what is this?\" --attach cat.png".to_owned(),
        };
        let room = attachment::room(&pictures, &name).map_err(unfit)?;
        // Without O_NONBLOCK a pipe in the place of a file would hang the program before it can be refused.
        let flags = OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
        #[expect(clippy::disallowed_methods, reason = "named on the command line, opened before confinement")]
        let file =
            OpenOptions::new().read(true).custom_flags(flags.bits()).open(path).map_err(Error::io(path))?;
        if !file.metadata().map_err(Error::io(path))?.is_file() {
            let why = io::Error::other("not a regular file; a picture is wanted");
            return Err(Error::Io { path: path.clone(), source: why });
        }
        let mut bytes = vec![];
        file.take(room as u64 + 1).read_to_end(&mut bytes).map_err(Error::io(path))?;
        pictures.push(Attachment::beside(&pictures, &name, bytes).map_err(unfit)?);
    }
    Ok(pictures)
}

/// Talks.
pub(super) fn run(options: &Options, arguments: Arguments) -> Result<u8, Error> {
    let purpose = Purpose {
        talks: true,
        overrides: arguments.overrides(),
        message: arguments.message,
        pictures: pictures(&arguments.attach)?,
        conversation: arguments.conversation,
        json: arguments.json,
        core_only: arguments.core_only,
        ..Purpose::default()
    };
    let (kernel, warnings) = become_mind(options, purpose)?;
    for warning in warnings {
        say(&warning);
    }
    let ended = kernel.run();
    // The process ends with this; to take apart what is in it would only take time.
    std::mem::forget(kernel);
    ended
}
