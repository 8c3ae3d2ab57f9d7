//! What the pages say, in each language. What the service answers is shown as it says it, and so are the pages of the review.

use axum::http::HeaderMap;
use language::fill;
use review::queue::Item;
use shared_types::status::{Status, Wait};
use shared_types::text::line;

/// The words of one language. Names in braces stand for facts.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) code: &'static str,
    // Every page.
    pub(super) name: &'static str,
    pub(super) skip: &'static str,
    pub(super) sections: &'static str,
    pub(super) queue: &'static str,
    pub(super) leave: &'static str,
    pub(super) stopped: &'static str,
    pub(super) stop_hint: &'static str,
    pub(super) footer: &'static str,
    // The queue.
    pub(super) waiting: &'static str,
    pub(super) none_waits: &'static str,
    pub(super) empty: &'static str,
    pub(super) others: &'static str,
    pub(super) others_hint: &'static str,
    pub(super) since: &'static str,
    for_profile: &'static str,
    asked_times: &'static str,
    recommended: &'static str,
    status_new: &'static str,
    status_discovered: &'static str,
    status_implementation: &'static str,
    status_agent_review: &'static str,
    status_human_review: &'static str,
    status_accepted: &'static str,
    status_rejected: &'static str,
    status_removed: &'static str,
    waits_for_person: &'static str,
    waits_for_model: &'static str,
    waits_for_compiler: &'static str,
    waits_for_room: &'static str,
    // The login.
    pub(super) login: &'static str,
    pub(super) token: &'static str,
    pub(super) token_hint: &'static str,
    pub(super) enter: &'static str,
    pub(super) nothing_typed: &'static str,
    pub(super) no_token: &'static str,
    pub(super) not_known: &'static str,
    pub(super) slower: &'static str,
    // The pages of the review.
    pub(super) by_others: &'static str,
    pub(super) bad: &'static str,
    pub(super) caution: &'static str,
    // The decision.
    pub(super) decision: &'static str,
    pub(super) notes_first: &'static str,
    pub(super) not_now: &'static str,
    pub(super) no_yes_while_stopped: &'static str,
    pub(super) goes_to: &'static str,
    pub(super) sign: &'static str,
    pub(super) sign_hint: &'static str,
    pub(super) unscripted: &'static str,
    pub(super) preparing: &'static str,
    pub(super) look_there: &'static str,
    pub(super) sending: &'static str,
    pub(super) blocked: &'static str,
    silent: &'static str,
    pub(super) closed: &'static str,
    pub(super) broken: &'static str,
    pub(super) elsewhere: &'static str,
    pub(super) elsewhere_look: &'static str,
    pub(super) download: &'static str,
    pub(super) key_is_there: &'static str,
    pub(super) needs_code: &'static str,
    pub(super) gate: &'static str,
    // A no, a note, a call.
    pub(super) reason: &'static str,
    pub(super) reject: &'static str,
    pub(super) rejected: &'static str,
    pub(super) leave_note: &'static str,
    pub(super) note: &'static str,
    pub(super) keep_note: &'static str,
    pub(super) try_it: &'static str,
    arguments: &'static str,
    call: &'static str,
    pub(super) tried: &'static str,
    pub(super) tried_hint: &'static str,
    tried_by: &'static str,
    // What went wrong.
    pub(super) failed: &'static str,
    pub(super) back: &'static str,
    pub(super) back_to_item: &'static str,
    pub(super) no_page: &'static str,
    pub(super) no_item: &'static str,
    pub(super) other_method: &'static str,
    pub(super) no_origin: &'static str,
    wrong_host: &'static str,
    pub(super) busy: &'static str,
    pub(super) too_large: &'static str,
    pub(super) too_late: &'static str,
    pub(super) unfit: &'static str,
}

const EN: Words = Words {
    code: "en",
    name: "TameClaw review",
    skip: "Skip to the content",
    sections: "Pages",
    queue: "What waits",
    leave: "Log out",
    stopped: "Emergency stop: nothing is approved",
    stop_hint: "It is cleared at the machine of the service only. Nothing on these pages can do it.",
    footer: "What is approved here is signed on another device; this page cannot approve anything by itself.",
    waiting: "Waits for your decision",
    none_waits: "Nothing waits for your decision.",
    empty: "When the assistant lacks an ability, it writes down what it wants and why. That is built, tried and examined, and then it stands here.",
    others: "Others, at work",
    others_hint: "These do not wait for your decision.",
    since: "since",
    for_profile: "for the profile {profile}",
    asked_times: "asked {count} times",
    recommended: "Recommendation: {what}",
    status_new: "received",
    status_discovered: "read and kept",
    status_implementation: "its source is being written",
    status_agent_review: "it is being examined",
    status_human_review: "ready for a decision",
    status_accepted: "approved",
    status_rejected: "rejected",
    status_removed: "removed",
    waits_for_person: "waits for a person",
    waits_for_model: "waits for a language model",
    waits_for_compiler: "waits for the compiler",
    waits_for_room: "waits for room: a budget, or space on the disk",
    login: "Log in",
    token: "Token",
    token_hint: "An approver's token. It is made at the machine of the service, with this command:",
    enter: "Log in",
    nothing_typed: "Type or paste the token.",
    no_token: "That is not the token of an approver.",
    not_known: "You are logged out. Load the page again and log in.",
    slower: "Too many tries without a valid token. Wait a little.",
    by_others: "Written by the author of the skill or by others; not checked",
    bad: "Warning:",
    caution: "Note:",
    decision: "Your decision",
    notes_first: "There are notes of other people. Read them first.",
    not_now: "It does not wait for a decision now.",
    no_yes_while_stopped: "The emergency stop holds, so no yes is taken. Reject it, or come back once the stop is cleared.",
    goes_to: "Who gets the skill",
    sign: "Look at it on the signing page and sign",
    sign_hint: "It opens in another tab, and shows by itself what a yes is for. Check its address:",
    unscripted: "To sign, this page needs its script. Without it, run this command at the machine of the service:",
    preparing: "The request is being made ...",
    look_there: "Look at the request in the other tab, and sign it there.",
    sending: "The signature is being checked ...",
    blocked: "The browser did not open the signing page. Allow this page to open other tabs, and try again.",
    silent: "The signing page does not answer. Check that its address is right and that it opens: {origin}",
    closed: "The other tab was closed before it gave a signature. Nothing was approved; try again.",
    broken: "The connection ended. Load the page again to see where the proposal stands.",
    elsewhere: "Your key is on another machine. Run this command at the machine of the service; it makes the request that you sign:",
    elsewhere_look: "The signing page shows such a request and checks it by itself. To read it there before:",
    download: "download the request",
    key_is_there: "Your key is at the machine of the service, and signs there only. Run this command there:",
    needs_code: "You need a one-time code, which is typed at the machine of the service only. Run this command there:",
    gate: "It is held at a gate. A yes lets it go on by one step, installs nothing, and is said at the machine of the service only:",
    reason: "Why it is rejected; whoever asked reads this",
    reject: "Reject",
    rejected: "Rejected",
    leave_note: "Leave a note",
    note: "Note for whoever looks next",
    keep_note: "Keep the note",
    try_it: "Try it",
    arguments: "Arguments of {tool} ({parameters}), a JSON object",
    call: "Call {tool}",
    tried: "Tried",
    tried_hint: "It runs in a sandbox: nothing is reached, written or kept.",
    tried_by: "What {tool} answered, and what it used; the answer is not checked",
    failed: "That did not work",
    back: "Back to what waits",
    back_to_item: "Back to the proposal",
    no_page: "There is no such page.",
    no_item: "There is no such proposal.",
    other_method: "This address is used in another way. Go back, and use the button there.",
    no_origin: "This was not sent from a page of this server. Open the page again and repeat it there.",
    wrong_host: "This server is not called {host}. The option --host of `cl-admin page serve` gives it a name besides its address.",
    busy: "There are more requests than are answered. Try again in a second.",
    too_large: "That is too large: at most 64 KiB are read.",
    too_late: "The request did not arrive in time. Try again.",
    unfit: "The service gave an answer that cannot be read. The page and the service must be of the same version.",
};

const DE: Words = Words {
    code: "de",
    name: "TameClaw-Prüfung",
    skip: "Zum Inhalt springen",
    sections: "Seiten",
    queue: "Was wartet",
    leave: "Abmelden",
    stopped: "Notaus: Nichts wird genehmigt",
    stop_hint: "Aufheben kann es nur jemand auf dem Rechner des Dienstes. Auf diesen Seiten geht das nicht.",
    footer: "Was hier genehmigt wird, wird auf einem anderen Gerät unterschrieben; diese Seite allein kann nichts genehmigen.",
    waiting: "Wartet auf deine Entscheidung",
    none_waits: "Nichts wartet auf deine Entscheidung.",
    empty: "Fehlt dem Assistenten eine Fähigkeit, schreibt er auf, was er will und warum. Das wird gebaut, probiert und untersucht, und dann steht es hier.",
    others: "Anderes, in Arbeit",
    others_hint: "Das wartet nicht auf deine Entscheidung.",
    since: "seit",
    for_profile: "für das Profil {profile}",
    asked_times: "{count}-mal erbeten",
    recommended: "Empfehlung: {what}",
    status_new: "eingegangen",
    status_discovered: "gelesen und aufbewahrt",
    status_implementation: "der Quelltext wird geschrieben",
    status_agent_review: "wird untersucht",
    status_human_review: "bereit für eine Entscheidung",
    status_accepted: "genehmigt",
    status_rejected: "abgelehnt",
    status_removed: "entfernt",
    waits_for_person: "wartet auf einen Menschen",
    waits_for_model: "wartet auf ein Sprachmodell",
    waits_for_compiler: "wartet auf den Übersetzer",
    waits_for_room: "wartet auf Platz: ein Budget, oder Platz auf der Platte",
    login: "Anmelden",
    token: "Token",
    token_hint: "Das Token einer prüfenden Person. Dieser Befehl auf dem Rechner des Dienstes macht eines:",
    enter: "Anmelden",
    nothing_typed: "Gib das Token ein.",
    no_token: "Das ist kein Token einer prüfenden Person.",
    not_known: "Du bist abgemeldet. Lade die Seite neu und melde dich an.",
    slower: "Zu viele Versuche ohne gültiges Token. Warte ein wenig.",
    by_others: "Vom Autor der Fähigkeit oder von anderen geschrieben; nicht geprüft",
    bad: "Warnung:",
    caution: "Beachte:",
    decision: "Deine Entscheidung",
    notes_first: "Andere haben Notizen hinterlassen. Lies sie zuerst.",
    not_now: "Es wartet gerade nicht auf eine Entscheidung.",
    no_yes_while_stopped: "Das Notaus gilt, also zählt kein Ja. Lehne es ab, oder komm wieder, wenn das Notaus aufgehoben ist.",
    goes_to: "Wer die Fähigkeit bekommt",
    sign: "Auf der Unterschriftenseite ansehen und unterschreiben",
    sign_hint: "Sie öffnet sich in einem anderen Tab und zeigt von sich aus, wofür ein Ja ist. Prüfe ihre Adresse:",
    unscripted: "Zum Unterschreiben braucht diese Seite ihr Skript. Ohne es geht dieser Befehl auf dem Rechner des Dienstes:",
    preparing: "Die Anfrage wird vorbereitet ...",
    look_there: "Sieh dir die Anfrage im anderen Tab an und unterschreib sie dort.",
    sending: "Die Unterschrift wird geprüft ...",
    blocked: "Der Browser hat die Unterschriftenseite nicht geöffnet. Erlaube dieser Seite, andere Tabs zu öffnen, und versuch es noch einmal.",
    silent: "Die Unterschriftenseite antwortet nicht. Prüfe, ob ihre Adresse stimmt und sie sich öffnen lässt: {origin}",
    closed: "Der andere Tab wurde ohne Unterschrift geschlossen. Nichts wurde genehmigt; versuch es noch einmal.",
    broken: "Die Verbindung ist abgebrochen. Lade die Seite neu, um zu sehen, wo der Vorschlag steht.",
    elsewhere: "Dein Schlüssel liegt auf einem anderen Rechner. Dieser Befehl auf dem Rechner des Dienstes macht die Anfrage, die du unterschreibst:",
    elsewhere_look: "Die Unterschriftenseite zeigt so eine Anfrage und prüft sie von sich aus. Um sie vorher dort zu lesen:",
    download: "Anfrage herunterladen",
    key_is_there: "Dein Schlüssel liegt auf dem Rechner des Dienstes und unterschreibt nur dort. Dieser Befehl tut es:",
    needs_code: "Du brauchst einen Einmalcode, und den gibst du nur auf dem Rechner des Dienstes ein. Dieser Befehl fragt danach:",
    gate: "Eine Schranke hält es. Ein Ja lässt es um einen Schritt weiter, installiert nichts, und geht nur auf dem Rechner des Dienstes:",
    reason: "Warum es abgelehnt wird; das liest, wer darum bat",
    reject: "Ablehnen",
    rejected: "Abgelehnt",
    leave_note: "Eine Notiz hinterlassen",
    note: "Notiz für die nächste Person",
    keep_note: "Notiz behalten",
    try_it: "Probieren",
    arguments: "Argumente von {tool} ({parameters}), ein JSON-Objekt",
    call: "{tool} aufrufen",
    tried: "Probiert",
    tried_hint: "Es läuft in einem Sandkasten: Nichts wird erreicht, geschrieben oder behalten.",
    tried_by: "Was {tool} geantwortet und was es benutzt hat; die Antwort ist nicht geprüft",
    failed: "Das hat nicht geklappt",
    back: "Zurück zu dem, was wartet",
    back_to_item: "Zurück zum Vorschlag",
    no_page: "Diese Seite gibt es nicht.",
    no_item: "Diesen Vorschlag gibt es nicht.",
    other_method: "Diese Adresse wird anders benutzt. Geh zurück und nimm den Knopf dort.",
    no_origin: "Das kam nicht von einer Seite dieses Servers. Öffne die Seite neu und wiederhole es dort.",
    wrong_host: "Dieser Server heißt nicht {host}. Die Option --host von `cl-admin page serve` gibt ihm einen Namen neben seiner Adresse.",
    busy: "Es kommen mehr Anfragen, als beantwortet werden. Versuch es in einer Sekunde wieder.",
    too_large: "Das ist zu groß: Höchstens 64 KiB werden gelesen.",
    too_late: "Die Anfrage kam nicht rechtzeitig an. Versuch es noch einmal.",
    unfit: "Die Antwort des Dienstes lässt sich nicht lesen. Seite und Dienst müssen dieselbe Version haben.",
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
        ALL[web::accepted(headers, &ALL.map(|words| words.code))]
    }

    /// For whom an item is.
    pub(super) fn for_profile(&self, profile: &str) -> String {
        fill(self.for_profile, &[("profile", &line(profile))])
    }

    /// How often an item was asked for.
    pub(super) fn asked_times(&self, count: u64) -> String {
        fill(self.asked_times, &[("count", &count.to_string())])
    }

    /// What the program recommends.
    pub(super) fn recommended(&self, what: &str) -> String {
        fill(self.recommended, &[("what", what)])
    }

    /// Where an item stands, and what it waits for.
    pub(super) fn state(&self, item: &Item) -> String {
        let status = self.status(item.status);
        match item.waits_for {
            // Its status says so.
            Some(Wait::Person) if item.status == Status::HumanReview => status.to_owned(),
            Some(wait) => format!("{status}, {}", self.waits_for(wait)),
            None => status.to_owned(),
        }
    }

    fn status(&self, status: Status) -> &'static str {
        match status {
            Status::New => self.status_new,
            Status::Discovered => self.status_discovered,
            Status::Implementation => self.status_implementation,
            Status::AgentReview => self.status_agent_review,
            Status::HumanReview => self.status_human_review,
            Status::Accepted => self.status_accepted,
            Status::Rejected => self.status_rejected,
            Status::Removed => self.status_removed,
        }
    }

    fn waits_for(&self, wait: Wait) -> &'static str {
        match wait {
            Wait::Person => self.waits_for_person,
            Wait::Model => self.waits_for_model,
            Wait::Compiler => self.waits_for_compiler,
            Wait::Room => self.waits_for_room,
        }
    }

    /// The signing page does not answer.
    pub(super) fn silent(&self, origin: &str) -> String {
        fill(self.silent, &[("origin", origin)])
    }

    /// What is typed for a call.
    pub(super) fn arguments(&self, tool: &str, parameters: &str) -> String {
        fill(self.arguments, &[("tool", tool), ("parameters", parameters)])
    }

    /// The button of a call.
    pub(super) fn call(&self, tool: &str) -> String {
        fill(self.call, &[("tool", tool)])
    }

    /// What stands above the answer of a call.
    pub(super) fn tried_by(&self, tool: &str) -> String {
        fill(self.tried_by, &[("tool", tool)])
    }

    /// A request that names another host.
    pub(super) fn wrong_host(&self, host: &str) -> String {
        fill(self.wrong_host, &[("host", host)])
    }
}

#[cfg(test)]
mod tests;
