//! What the server of a messenger does for the process that talks to it.

use std::time::Duration;

use models::http::Caps;

use super::frames::{Order, Outgoing, Said, What};

/// One exchange: a poll and the way to the server and back.
pub(crate) const CAPS: Caps = Caps { timeout: Duration::from_secs(60), max_bytes: 8 * 1024 * 1024 };
/// The longest wait that a server asks for.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_secs(600);

/// The server of a messenger.
pub(crate) trait Server: Sized + 'static {
    /// The server of an order.
    fn new(order: Order) -> Self;

    /// Whether the token is that of the account.
    ///
    /// # Errors
    /// See [`Failure`].
    async fn check(&self) -> Result<(), Failure>;

    /// Waits for what is new after `since`.
    ///
    /// # Errors
    /// See [`Failure`].
    async fn poll(&self, since: Option<&str>) -> Result<Polled, Failure>;

    /// Sends a message, or puts it in the place of another one; answers what the server calls it.
    ///
    /// # Errors
    /// See [`Failure`].
    async fn send(&self, outgoing: &Outgoing) -> Result<String, Failure>;

    /// How long the sign stays that somebody types, with some time to renew it.
    const SIGN: Duration;

    /// Shows in a room of the person that an answer is being written, or takes the sign away.
    ///
    /// # Errors
    /// See [`Failure`].
    async fn types(&self, room: &str, on: bool) -> Result<(), Failure>;
}

/// Why a call came to nothing.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Later it may work: after this time, where the server says so.
    Later(String, Option<Duration>),
    /// Nobody knows whether the server has done it.
    Unsure(String),
    /// The server does not want this, and will not.
    Never(String),
    /// The token or the account is not accepted.
    Account(String),
}

/// What one poll brought.
#[derive(Debug, Default)]
pub(crate) struct Polled {
    /// What the server calls its end.
    pub since: String,
    /// What the person's accounts said, in the order of each room.
    pub said: Vec<Said>,
    /// Who else wrote.
    pub strangers: Vec<String>,
}

impl Polled {
    /// Sender and text of each line that was typed.
    pub(crate) fn typed(self) -> Vec<(String, String)> {
        let line = |said: Said| match said.what {
            What::Line { text, .. } => Some((said.sender, text)),
            _ => None,
        };
        self.said.into_iter().filter_map(line).collect()
    }
}

/// The words of a message without those that it quotes: lines that begin with `>`.
pub(crate) fn line(body: &str) -> What {
    let is_quote = |line: &&str| line.starts_with('>');
    let quotes = body.lines().any(|line| is_quote(&line));
    let text = if quotes {
        let own: Vec<&str> = body.lines().filter(|line| !is_quote(line)).collect();
        own.join("\n").trim_start_matches('\n').to_owned()
    } else {
        body.to_owned()
    };
    What::Line { text, quotes }
}
