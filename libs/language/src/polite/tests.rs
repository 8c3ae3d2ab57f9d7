use super::*;

#[test]
fn a_polite_request_is_said_as_to_a_friend() {
    for (polite, plain) in [
        (
            "Bitte legen Sie eine Datei protokoll.txt an mit dem Inhalt: Legen Sie los",
            "Bitte leg eine Datei protokoll.txt an mit dem Inhalt: Legen Sie los",
        ),
        (
            "Merken Sie sich bitte: Die Kostenstelle ist 4711-20",
            "merk dir bitte: Die Kostenstelle ist 4711-20",
        ),
        ("Bitte löschen Sie montag.txt", "Bitte losch montag.txt"),
        ("koennen sie mir bitte sagen wie spaet es ist", "kannst du mir sagen wie spaet es ist"),
        (
            "Guten Tag, können Sie mir bitte sagen, was Sie alles können?",
            "Guten Tag, kannst du mir sagen, was du alles kannst?",
        ),
        ("Wie geht es Ihnen?", "wie geht es dir?"),
        ("Wie heißen Sie?", "wie heisst du?"),
        ("Speichern Sie das", "speicher das"),
        ("Rechnen Sie bitte 12 mal 12", "rechne bitte 12 mal 12"),
        ("Wo liegen Ihre Dateien?", "Wo liegen deine Dateien?"),
        ("zeig mir bitte meine dateien", "zeig mir meine dateien"),
        ("Zeigen Sie mir bitte meine Dateien", "zeig mir meine Dateien"),
        ("would you mind telling me the time", "tell me the time"),
        ("I'd like you to remember that I am 9", "can you remember that I am 9"),
    ] {
        assert_eq!(plainly(polite).as_deref(), Some(plain), "{polite}");
    }
}

#[test]
fn what_is_said_of_others_stays_as_it_is() {
    for line in [
        "meine Kinder sagen, sie kommen morgen",
        "wann haben sie Geburtstag",
        "Ihre Katze heißt Mia",
        "Sie haben zwei Katzen",
        "die Nachbarn wohnen hier und haben sie gesehen",
        "wo liegen ihre schuhe",
        "merk dir: \"können Sie kommen\" hat er gefragt",
        "what would you mind",
        "lösch montag.txt",
    ] {
        assert_eq!(plainly(line), None, "{line}");
    }
}
