//! What the pages say, in each language. What `mind` refuses is English, so another language says the kind of refusal in its own
//! words, and those of `mind` only where they say more.

use axum::http::HeaderMap;
use language::fill;

use super::super::app::App;
use super::super::failure::Failed;

/// The code of a failure whose message is in the page's language.
pub(super) const IN_WORDS: &str = "in_words";

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
    pub(super) stop_reason: &'static str,
    pub(super) stop_set: &'static str,
    pub(super) stop_hint: &'static str,
    pub(super) halted: &'static str,
    ready_one: &'static str,
    ready_many: &'static str,
    pub(super) nothing_approved: &'static str,
    pub(super) talk: &'static str,
    pub(super) empty: &'static str,
    pub(super) line: &'static str,
    pub(super) keys: &'static str,
    pub(super) send: &'static str,
    pub(super) pictures: &'static str,
    pub(super) choose: &'static str,
    pub(super) kinds: &'static str,
    pub(super) too_much: &'static str,
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
    pub(super) no_pin: &'static str,
    pub(super) pin_unset: &'static str,
    pub(super) slower: &'static str,
    pub(super) search: &'static str,
    pub(super) find: &'static str,
    pub(super) all: &'static str,
    pub(super) facts: &'static str,
    pub(super) outside: &'static str,
    pub(super) forget: &'static str,
    pub(super) correct: &'static str,
    pub(super) right: &'static str,
    pub(super) keep: &'static str,
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
    pub(super) line_length: &'static str,
    pub(super) fact_length: &'static str,
    /// What each kind of refusal is called, by its code; `{why}` are the words of the program. Without a row they stand alone.
    refusals: &'static [(&'static str, &'static str)],
}

const EN_NO_ORIGIN: &str =
    "This was not sent from a page of this door. Open the page again and repeat it there.";
const DE_NO_ORIGIN: &str =
    "Das kam nicht von einer Seite dieser Tür. Öffne die Seite neu und wiederhole es dort.";

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
    stop_reason: "Reason:",
    stop_set: "set in a browser",
    stop_hint: "It is cleared on the bot's machine only. Nothing on these pages can do it.",
    halted: "Nobody may talk at the moment",
    ready_one: "One new ability is ready for review. An approver decides on it.",
    ready_many: "{count} new abilities are ready for review. An approver decides on them.",
    nothing_approved: "No new ability is approved on these pages. An approver does that on the bot's machine, or with a device of their own.",
    talk: "Conversation",
    empty: "Nothing has been said yet.",
    line: "Your message",
    keys: "Enter sends, Shift+Enter begins a new line.",
    send: "Send",
    pictures: "Pictures",
    choose: "Pictures that go with your message",
    kinds: "PNG, JPEG, GIF or WebP; at most 4, and 2 MiB together.",
    too_much: "These are too many or too large: at most 4 pictures go with one message, and 2 MiB together. Choose fewer or smaller ones.",
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
    no_pin: "That is not the PIN of this profile.",
    pin_unset: "This profile has no PIN. A token opens it.",
    slower: "Too many tries without a valid token. Wait a little.",
    search: "Search what is remembered",
    find: "Search",
    all: "Show everything",
    facts: "What is remembered",
    outside: "from outside",
    forget: "Forget",
    correct: "Correct",
    right: "What is right",
    keep: "Save",
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
    no_origin: EN_NO_ORIGIN,
    line_length: "A message has 1 to 65,536 bytes.",
    fact_length: "What is remembered has words, and at most 500 bytes.",
    refusals: &[
        ("no_page", "There is no such page."),
        ("wrong_method", "This address is used in another way. Go back, and use the button there."),
        ("wrong_origin", EN_NO_ORIGIN),
    ],
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
    stop_reason: "Grund:",
    stop_set: "im Browser gesetzt",
    stop_hint: "Aufheben kann es nur jemand auf dem Rechner des Bots. Auf diesen Seiten geht das nicht.",
    halted: "Gerade darf niemand sprechen",
    ready_one: "Eine neue Fähigkeit wartet auf die Prüfung. Darüber entscheidet, wer genehmigen darf.",
    ready_many: "{count} neue Fähigkeiten warten auf die Prüfung. Darüber entscheidet, wer genehmigen darf.",
    nothing_approved: "Auf diesen Seiten wird keine neue Fähigkeit genehmigt. Das geschieht auf dem Rechner des Bots oder mit einem eigenen Gerät der Person, die genehmigen darf.",
    talk: "Gesprächsverlauf",
    empty: "Noch wurde nichts gesagt.",
    line: "Deine Nachricht",
    keys: "Eingabe sendet, Umschalt+Eingabe beginnt eine neue Zeile.",
    send: "Senden",
    pictures: "Bilder",
    choose: "Bilder zu deiner Nachricht",
    kinds: "PNG, JPEG, GIF oder WebP; höchstens 4, zusammen 2 MiB.",
    too_much: "Das sind zu viele oder zu große: Zu einer Nachricht gehören höchstens 4 Bilder, zusammen 2 MiB. Wähle weniger oder kleinere.",
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
    no_pin: "Das ist nicht die PIN dieses Profils.",
    pin_unset: "Dieses Profil hat keine PIN. Ein Token öffnet es.",
    slower: "Zu viele Versuche ohne gültiges Token. Warte ein wenig.",
    search: "Im Gemerkten suchen",
    find: "Suchen",
    all: "Alles zeigen",
    facts: "Was gemerkt ist",
    outside: "von außen",
    forget: "Vergessen",
    correct: "Berichtigen",
    right: "So ist es richtig",
    keep: "Speichern",
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
    no_origin: DE_NO_ORIGIN,
    line_length: "Eine Nachricht hat 1 bis 65.536 Bytes.",
    fact_length: "Was gemerkt wird, hat Wörter, und höchstens 500 Bytes.",
    refusals: &[
        ("no_page", "Diese Seite gibt es nicht."),
        ("wrong_method", "Diese Adresse wird anders benutzt. Geh zurück und nimm den Knopf dort."),
        ("wrong_origin", DE_NO_ORIGIN),
        (
            "wrong_host",
            "Diese Tür heißt anders. `door.hosts` in der Datei des Profils sagt, wie sie außer ihrer Adresse heißt.",
        ),
        ("unauthorized", "Dafür musst du dich anmelden."),
        ("invalid_request", "Damit kann der Bot nichts anfangen: {why}"),
        (
            "not_person",
            "Das darf nur die Person, der das Profil gehört: mit einem Token, das mit `--person` gemacht wurde, oder mit der PIN.",
        ),
        ("not_found", "Das gibt es hier nicht, oder nicht mehr."),
        ("busy", "Gerade wartet zu viel. Versuch es ein wenig später noch einmal."),
        ("cancelled", "Die Antwort wurde abgebrochen."),
        ("failed", "Das ist misslungen: {why}"),
        (
            "too_large",
            "Das ist zu groß: Eine Anfrage hat höchstens 1 MiB, und eine Nachricht mit Bildern 3,5 MiB.",
        ),
        ("too_late", "Die Anfrage kam nicht rechtzeitig an. Versuch es noch einmal."),
    ],
};

/// Every language; the first is that of whoever names none of them.
pub(super) const ALL: [&Words; 2] = [&EN, &DE];

impl Words {
    /// The words of a language, where it has some.
    pub(super) fn of(code: &str) -> Option<&'static Words> {
        ALL.into_iter().find(|words| words.code.eq_ignore_ascii_case(code))
    }

    /// The words of the profile's language, or of the one that a browser likes best.
    pub(super) fn spoken(app: &App, headers: &HeaderMap) -> &'static Words {
        app.language.as_deref().and_then(Words::of).unwrap_or_else(|| Words::accepted(headers))
    }

    /// How many packages wait for an approver.
    pub(super) fn of_ready(&self, count: usize) -> String {
        match count {
            1 => self.ready_one.to_owned(),
            _ => fill(self.ready_many, &[("count", &count.to_string())]),
        }
    }

    /// What failed.
    pub(super) fn of_failure(&self, failed: &Failed) -> String {
        let row = self.refusals.iter().find(|(code, _)| *code == failed.code);
        row.map_or_else(|| failed.message.clone(), |(_, words)| fill(words, &[("why", &failed.message)]))
    }

    /// The same failure, in these words.
    pub(super) fn told(&self, failed: Failed) -> Failed {
        Failed { message: self.of_failure(&failed), ..failed }
    }

    /// The words of the language that a browser likes best.
    pub(super) fn accepted(headers: &HeaderMap) -> &'static Words {
        ALL[web::accepted(headers, &ALL.map(|words| words.code))]
    }
}

#[cfg(test)]
mod tests;
