//! What the pages say, in each language. What `mind` answers is shown as it says it.

use axum::http::{HeaderMap, header};

/// The words of one language.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) code: &'static str,
    pub(super) skip: &'static str,
    pub(super) sections: &'static str,
    pub(super) chat: &'static str,
    pub(super) memory: &'static str,
    pub(super) receipts: &'static str,
    pub(super) leave: &'static str,
    pub(super) stop: &'static str,
    pub(super) stopped: &'static str,
    pub(super) stop_hint: &'static str,
    pub(super) halted: &'static str,
    pub(super) nothing_approved: &'static str,
    pub(super) talk: &'static str,
    pub(super) empty: &'static str,
    pub(super) line: &'static str,
    pub(super) keys: &'static str,
    pub(super) send: &'static str,
    pub(super) abort: &'static str,
    pub(super) begin: &'static str,
    pub(super) you: &'static str,
    pub(super) bot: &'static str,
    pub(super) waiting: &'static str,
    pub(super) asked: &'static str,
    pub(super) asked_facts: &'static str,
    pub(super) yes: &'static str,
    pub(super) no: &'static str,
    pub(super) aborted: &'static str,
    pub(super) broken: &'static str,
    pub(super) login: &'static str,
    pub(super) pin: &'static str,
    pub(super) use_token: &'static str,
    pub(super) token: &'static str,
    pub(super) token_hint: &'static str,
    pub(super) enter: &'static str,
    pub(super) nothing_typed: &'static str,
    pub(super) no_token: &'static str,
    pub(super) slower: &'static str,
    pub(super) search: &'static str,
    pub(super) find: &'static str,
    pub(super) all: &'static str,
    pub(super) facts: &'static str,
    pub(super) outside: &'static str,
    pub(super) forget: &'static str,
    pub(super) conversations: &'static str,
    pub(super) unnamed: &'static str,
    pub(super) nothing: &'static str,
    pub(super) receipts_are: &'static str,
    pub(super) time: &'static str,
    pub(super) tool: &'static str,
    pub(super) status: &'static str,
    pub(super) risk: &'static str,
    pub(super) by: &'static str,
    pub(super) failed: &'static str,
    pub(super) back: &'static str,
    pub(super) no_origin: &'static str,
}

const EN: Words = Words {
    code: "en",
    skip: "Skip to the content",
    sections: "Pages",
    chat: "Chat",
    memory: "Memory",
    receipts: "Receipts",
    leave: "Log out",
    stop: "Emergency stop",
    stopped: "Emergency stop: no tool runs",
    stop_hint: "It is cleared on the bot's machine only. Nothing on these pages can do it.",
    halted: "Nobody may talk at the moment",
    nothing_approved: "No new ability is approved on these pages. Whoever approves one does so on the bot's machine.",
    talk: "Conversation",
    empty: "Nothing has been said yet.",
    line: "Your message",
    keys: "Enter sends, Shift+Enter begins a new line.",
    send: "Send",
    abort: "Cancel the answer",
    begin: "New conversation",
    you: "You",
    bot: "TameClaw",
    waiting: "The answer is coming ...",
    asked: "May this call be made?",
    asked_facts: "tool|skill|risk|reason|to|arguments, as the assistant wrote them|words that you did not type",
    yes: "Yes, once",
    no: "No",
    aborted: "The answer was called off.",
    broken: "The connection ended before the answer did. Try again.",
    login: "Log in",
    pin: "PIN",
    use_token: "Use a token instead",
    token: "Token",
    token_hint: "`cl-admin door add NAME` on the bot's machine makes one.",
    enter: "Log in",
    nothing_typed: "Type the PIN, or a token.",
    no_token: "That is no token of this profile.",
    slower: "Too many tries without a valid token. Wait a little.",
    search: "Search what is remembered",
    find: "Search",
    all: "Show everything",
    facts: "What is remembered",
    outside: "from outside",
    forget: "Forget",
    conversations: "Conversations",
    unnamed: "(no words)",
    nothing: "There is nothing here.",
    receipts_are: "The newest attempts to use a tool, at most 50.",
    time: "Time",
    tool: "Tool",
    status: "Status",
    risk: "Risk",
    by: "By whom",
    failed: "That did not work",
    back: "Back to the chat",
    no_origin: "This was not sent from a page of this door. Open the page again and repeat it there.",
};

const DE: Words = Words {
    code: "de",
    skip: "Zum Inhalt springen",
    sections: "Seiten",
    chat: "Gespräch",
    memory: "Gedächtnis",
    receipts: "Belege",
    leave: "Abmelden",
    stop: "Notaus",
    stopped: "Notaus: Kein Werkzeug läuft",
    stop_hint: "Aufheben kann es nur jemand auf dem Rechner des Bots. Auf diesen Seiten geht das nicht.",
    halted: "Gerade darf niemand sprechen",
    nothing_approved: "Auf diesen Seiten wird keine neue Fähigkeit genehmigt. Wer eine genehmigt, tut das auf dem Rechner des Bots.",
    talk: "Gesprächsverlauf",
    empty: "Noch wurde nichts gesagt.",
    line: "Deine Nachricht",
    keys: "Eingabe sendet, Umschalt+Eingabe beginnt eine neue Zeile.",
    send: "Senden",
    abort: "Antwort abbrechen",
    begin: "Neues Gespräch",
    you: "Du",
    bot: "TameClaw",
    waiting: "Die Antwort kommt ...",
    asked: "Darf dieser Aufruf geschehen?",
    asked_facts: "Werkzeug|Skill|Risiko|Grund|Ziel|Argumente, wie der Assistent sie schrieb|Wörter, die du nicht getippt hast",
    yes: "Ja, einmal",
    no: "Nein",
    aborted: "Die Antwort wurde abgebrochen.",
    broken: "Die Verbindung endete vor der Antwort. Versuch es noch einmal.",
    login: "Anmelden",
    pin: "PIN",
    use_token: "Stattdessen mit einem Token",
    token: "Token",
    token_hint: "`cl-admin door add NAME` auf dem Rechner des Bots macht eines.",
    enter: "Anmelden",
    nothing_typed: "Gib die PIN oder ein Token ein.",
    no_token: "Das ist kein Token dieses Profils.",
    slower: "Zu viele Versuche ohne gültiges Token. Warte ein wenig.",
    search: "Im Gemerkten suchen",
    find: "Suchen",
    all: "Alles zeigen",
    facts: "Was gemerkt ist",
    outside: "von außen",
    forget: "Vergessen",
    conversations: "Gespräche",
    unnamed: "(ohne Worte)",
    nothing: "Hier ist nichts.",
    receipts_are: "Die neuesten Versuche, ein Werkzeug zu benutzen, höchstens 50.",
    time: "Zeit",
    tool: "Werkzeug",
    status: "Ausgang",
    risk: "Risiko",
    by: "Von wem",
    failed: "Das hat nicht geklappt",
    back: "Zurück zum Gespräch",
    no_origin: "Das kam nicht von einer Seite dieser Tür. Öffne die Seite neu und wiederhole es dort.",
};

/// Every language; the first is that of whoever names none of them.
pub(super) const ALL: [&Words; 2] = [&EN, &DE];

impl Words {
    /// The words of a language, where it has some.
    pub(super) fn of(code: &str) -> Option<&'static Words> {
        ALL.into_iter().find(|words| words.code.eq_ignore_ascii_case(code))
    }

    /// The words of the language that a browser likes best.
    pub(super) fn accepted(headers: &HeaderMap) -> &'static Words {
        let text = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        let mut best = (0.0, ALL[0]);
        for wish in text.unwrap_or_default().split(',') {
            let (tag, weight) = wish.split_once(';').unwrap_or((wish, "q=1"));
            let weight: f32 = weight.trim().trim_start_matches("q=").parse().unwrap_or(0.0);
            let code = tag.trim().split('-').next().unwrap_or_default();
            if let Some(words) = Words::of(code).filter(|_| weight > best.0) {
                best = (weight, words);
            }
        }
        best.1
    }
}

#[cfg(test)]
mod tests;
