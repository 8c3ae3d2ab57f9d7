//! How the program was started, and what holds.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bot_base::config::Overrides;
use bot_base::config::channel::Through;
use confine::{Confinement, Tier};
use models::attachment::{self, Text};
use models::{Attachment, AttachmentError};
use shared_types::id::ProposalId;

/// How the program was started, and what holds.
#[derive(Debug, Clone, Default)]
pub struct Session {
    /// The line of `-m`.
    pub message: Option<String>,
    /// The conversation that was asked for, or `last`.
    pub conversation: Option<String>,
    /// Whether each turn is answered with one JSON value.
    pub json: bool,
    /// What the command line tightened; the configuration holds it already.
    pub overrides: Overrides,
    /// Whether a person sits at a terminal.
    pub interactive: bool,
    /// Whether a schedule started this, so that nobody is there to ask.
    pub scheduled: bool,
    /// Whether answers go to a terminal.
    pub terminal: bool,
    /// Whether nothing but the core skills was started.
    pub core_only: bool,
    /// Whether something starts the program again after exit code 75.
    pub supervised: bool,
    /// Whether escapes may be written.
    pub colour: bool,
    /// The tier of isolation.
    pub tier: Option<Tier>,
    /// The channel on which the person talks.
    pub through: Through,
    /// The address of the pages of the review, where messages of this channel carry a link.
    pub review_page: Option<String>,
    /// What holds.
    pub held: Confinement,
    /// The serial of the manifest.
    pub serial: u64,
    /// Whether there is a network process.
    pub network: bool,
    /// What is shown to the person between two prompts.
    pub later: Later,
    /// The pictures that go with the next line.
    pub pictures: Pictures,
    /// The texts that go with the next line, which are judged when it is answered.
    pub texts: Texts,
}

impl Session {
    /// How the review is opened from here: by a link to the item, in a window of the admin's by a key, or by a command.
    pub fn how_reviewed(&self, item: &ProposalId) -> String {
        match &self.review_page {
            Some(page) => format!("{page}/item/{item}"),
            None => if self.supervised { "Ctrl-G" } else { "`cl-admin review`" }.to_owned(),
        }
    }
}

/// Sentences that wait for the next prompt, so that none is written over a line that is being typed.
#[derive(Debug, Clone, Default)]
pub struct Later(Arc<Mutex<Vec<String>>>);

impl Later {
    /// Adds sentences.
    pub fn add(&self, sentences: Vec<String>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(sentences);
    }

    /// Takes all that wait.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Pictures that wait for the line that the person types next.
#[derive(Debug, Clone, Default)]
pub struct Pictures(Arc<Mutex<Vec<Attachment>>>);

/// Texts that wait for the line that is answered next.
#[derive(Debug, Clone, Default)]
pub struct Texts(Arc<Mutex<Vec<Text>>>);

impl Texts {
    /// Has these wait, in the place of all that do.
    pub fn put(&self, texts: Vec<Text>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = texts;
    }

    /// Takes all that wait.
    pub fn take(&self) -> Vec<Text> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Pictures {
    /// These wait already.
    pub fn of(pictures: Vec<Attachment>) -> Pictures {
        Pictures(Arc::new(Mutex::new(pictures)))
    }

    /// How many bytes a further picture of that name may have.
    ///
    /// # Errors
    /// As many wait as one message takes.
    pub fn room(&self, name: &str) -> Result<usize, AttachmentError> {
        attachment::room(&self.waiting(), name)
    }

    /// Adds a picture of these bytes.
    ///
    /// # Errors
    /// Bytes that are not a picture, and a picture beyond the bounds of a message.
    pub fn add(&self, name: &str, bytes: Vec<u8>) -> Result<Attachment, AttachmentError> {
        let mut waiting = self.waiting();
        let picture = Attachment::beside(&waiting, name, bytes)?;
        waiting.push(picture.clone());
        Ok(picture)
    }

    /// Has those of a line wait here, in the place of all that do.
    pub fn put(&self, others: &Pictures) {
        *self.waiting() = others.take();
    }

    /// Takes all that wait.
    pub fn take(&self) -> Vec<Attachment> {
        std::mem::take(&mut *self.waiting())
    }

    /// Name and size of each that waits.
    pub fn shown(&self) -> Vec<String> {
        self.waiting().iter().map(ToString::to_string).collect()
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<Attachment>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
