/// Whether the person's line is German: it has a word that English has not.
fn german(call: &Call) -> bool {
    let line = call.line().to_lowercase();
    let mut words = line.split(|c: char| !c.is_alphanumeric());
    words.any(|word| GERMAN.contains(&word))
}

const GERMAN: &[&str] = &[
    "ab", "addiere", "auf", "berechne", "billiger", "bitte", "buchstaben", "das", "durch", "ein", "eine", "einen",
    "einer", "entferne", "entscheide", "entschlüssele", "ergibt", "erhöhe", "frag", "frage", "füge", "für", "geteilt", "gib",
    "grad", "günstiger", "hinzu", "ist", "kehre", "kostet", "leere", "liste", "lösche", "mal", "mein", "meine", "meinem", "meinen",
    "meiner", "mich", "mir", "mit", "münze", "oder", "primzahl", "prozent", "rechne", "römisch", "römische",
    "römischen", "schaltjahr", "seit", "setze", "sind", "steht", "streiche", "stück", "tag", "tage", "teile", "und", "vergleiche",
    "verschlüssele", "viel", "viele", "von", "wandle", "wann", "welche", "welcher", "welches", "wie", "wirf", "wochentag", "wähle", "wörter",
    "würfel", "würfle", "zahl", "zeig", "zeige", "zerlege", "ziehe", "zu", "zum", "zur", "zwischen", "zähle",
];
