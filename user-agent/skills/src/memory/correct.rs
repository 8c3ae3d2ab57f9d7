//! A fact that the person replaces by other words, outside of a conversation: a page, or a line of a command.

use memory::{Fact, MAX_FACT, statements};
use ports::KernelContext;
use ports::guard::Verdict;
use ports::handles::HandleError;
use shared_types::id::ConversationId;

/// Why a fact stays as it is.
#[derive(Debug, thiserror::Error)]
pub enum NotCorrected {
    /// The token was not granted.
    #[error(transparent)]
    NotGranted(#[from] HandleError),
    /// The memory cannot do it.
    #[error(transparent)]
    Memory(#[from] memory::Error),
    /// No words.
    #[error("there is nothing to remember; forget the fact to remove it")]
    Nothing,
    /// More than a fact may have.
    #[error("a fact has at most {MAX_FACT} bytes, and this one has {0}; leave something out")]
    TooLong(usize),
    /// The guard stops the words.
    #[error("this is not remembered: it {0}")]
    Blocked(String),
    /// The words speak of a person in need: what that person is answered.
    #[error("{0}")]
    InNeed(String),
    /// No fact has the identifier.
    #[error("no fact is remembered under this identifier")]
    Unknown,
}

/// Keeps words of the person in the place of a fact, in one step, and answers the fact as it is kept. The words are looked at as a
/// line that tells a fact; from then on the fact is the person's own. `ctx` is that of the skill `memory`.
///
/// # Errors
/// See [`NotCorrected`]; the fact is then as it was.
pub fn correct(id: &str, words: &str, ctx: &KernelContext) -> Result<Fact, NotCorrected> {
    let store = ctx.handles().store()?;
    let shared = ctx.shared();
    if let Some(need) = language::need(words) {
        let help = shared.config.help_lines.listed(need.language.code());
        return Err(NotCorrected::InNeed(format!("{}\n\n{help}", need.answer(shared.audience.is_minor()))));
    }
    let judged = shared.guard().input(words);
    if matches!(judged.verdict, Verdict::Block(_)) {
        return Err(NotCorrected::Blocked(judged.reasons.join("; it ")));
    }
    let text = judged.text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    match text.len() {
        0 => return Err(NotCorrected::Nothing),
        1..=MAX_FACT => {}
        more => return Err(NotCorrected::TooLong(more)),
    }
    let statement = statements::statement(&text);
    let fact = Fact {
        id: ConversationId::generate().to_string(),
        kind: statement.map(|statement| statement.kind).unwrap_or_default(),
        text,
        said_by: "person".to_owned(),
        at: shared.timestamp(),
        source: "memory".to_owned(),
        ..Fact::default()
    };
    store.correct(id, fact)?.ok_or(NotCorrected::Unknown)
}
