//! What is said in a room beside the answers, in the profile's language.

/// The sentences of a language.
pub struct Words {
    /// A line that was taken and not answered before the program ended.
    pub interrupted: &'static str,
    /// Lines that are older than a day.
    pub stale: &'static str,
    /// A message that was edited.
    pub edit: &'static str,
    /// A picture, a file, a voice message.
    pub other: &'static str,
    /// An encrypted room.
    pub encrypted: &'static str,
    /// A room of more than two.
    pub crowd: &'static str,
    /// A line that is too long.
    pub long: &'static str,
    /// Words of somebody else beside the line.
    pub quoted: &'static str,
    /// What was taken cannot be written down.
    pub unkept: &'static str,
    /// A yes or a no without the number of a question that waits here.
    pub which: &'static str,
    /// An answer without words.
    pub nothing: &'static str,
    /// The emergency stop holds.
    pub stopped: &'static str,
    /// A question of the gate, with `{number}` and `{tool}`.
    pub question: &'static str,
    /// A call whose arguments are too long to be shown.
    pub unasked: &'static str,
    /// How it is answered, with `{number}`.
    pub answer: &'static str,
}

/// The sentences of a profile's language.
pub fn of(language: Option<&str>) -> &'static Words {
    match language {
        Some("de") => &GERMAN,
        _ => &ENGLISH,
    }
}

static ENGLISH: Words = Words {
    interrupted: "I was ended while I answered you. What you asked may have been done or not. Please look, and ask again if you need to.",
    stale: "I was away. I do not act on messages that are older than a day; please send again what still matters.",
    edit: "I read each message once, so an edit changes nothing. Please send it as a new message.",
    other: "I can read text only here.",
    encrypted: "This room is encrypted, and I cannot read it. Please make a room without encryption.",
    crowd: "I answer in rooms of two only: you and me.",
    long: "This is too long for one message. Please send less.",
    quoted: "I left out the words that you quoted.",
    unkept: "I cannot write down what you said, so I did not do it. Is the disk of my machine full?",
    which: "Which question do you mean? Please answer with its number, as in: y 3. A question that is over needs no answer.",
    nothing: "That came to nothing.",
    stopped: "Stopped. No tool of this profile runs until somebody types `cl-bot estop --clear` at my machine.",
    question: "Question {number}: may I call {tool}?",
    unasked: "For this I need a yes, and what I would do is too long to show here, so it is a no in ten minutes. Ask me in a chat at my machine.",
    answer: "Answer: y {number} or n {number}. Without an answer within ten minutes it is a no.",
};

static GERMAN: Words = Words {
    interrupted: "Ich wurde beendet, während ich dir antwortete. Vielleicht ist es getan, vielleicht nicht. Sieh bitte nach und frag noch einmal, wenn nötig.",
    stale: "Ich war nicht da. Was älter als einen Tag ist, führe ich nicht aus; schick bitte noch einmal, was noch wichtig ist.",
    edit: "Ich lese jede Nachricht einmal, darum ändert ein Bearbeiten nichts. Schick es bitte als neue Nachricht.",
    other: "Ich kann hier nur Text lesen.",
    encrypted: "Dieser Raum ist verschlüsselt, und ich kann ihn nicht lesen. Leg bitte einen Raum ohne Verschlüsselung an.",
    crowd: "Ich antworte nur in Räumen zu zweit: du und ich.",
    long: "Das ist zu lang für eine Nachricht. Schick bitte weniger.",
    quoted: "Was du zitiert hast, habe ich weggelassen.",
    unkept: "Ich kann nicht festhalten, was du gesagt hast, darum habe ich es nicht getan. Ist der Speicher meines Geräts voll?",
    which: "Welche Frage meinst du? Antworte bitte mit ihrer Nummer, zum Beispiel: j 3. Eine Frage, die vorbei ist, braucht keine Antwort.",
    nothing: "Dabei kam nichts heraus.",
    stopped: "Gestoppt. Kein Werkzeug dieses Profils läuft, bis jemand an meinem Gerät `cl-bot estop --clear` eingibt.",
    question: "Frage {number}: Darf ich {tool} aufrufen?",
    unasked: "Dafür brauche ich ein Ja, und was ich täte, ist zu lang, um es hier zu zeigen. In zehn Minuten gilt es als Nein. Frag mich in einem Chat an meinem Gerät.",
    answer: "Antwort: j {number} oder n {number}. Ohne Antwort binnen zehn Minuten gilt es als Nein.",
};
