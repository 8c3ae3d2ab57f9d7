//! A conversation without a model: what a person said is found again, and each line gets the kind of answer that it asks for.

use std::fs;

use tameclaw_tests::world::{Program, World};

/// A question that fits no tool goes to what the person told, in the words and the language in which people type.
#[test]
fn a_question_is_answered_from_what_was_told() {
    let world = World::new();
    for (line, answer) in [
        ("remember that my aunt is allergic to peanuts", "I'll remember that."),
        ("my sister lives in Oslo", "I'll remember that."),
        ("unser hund heißt Rex", "Das merke ich mir."),
        ("who is allergic to nuts?", "You told me: \"my aunt is allergic to peanuts\"."),
        ("where does my sister live", "You told me: \"my sister lives in Oslo\"."),
        ("wie heisst unser hund", "Du hast mir gesagt: „unser hund heißt Rex“."),
        ("garage code 9913", "I'll remember that."),
        ("whats the garage code", "You told me: \"garage code 9913\"."),
        ("wlan passwort: blaue-ente-7", "Das merke ich mir."),
        ("wie ist das wlan passwort", "„wlan passwort: blaue-ente-7“"),
        ("merk dir das nicht: die kombination 4711", "nicht verstanden"),
        ("wie ist die kombination", "nichts darüber gemerkt"),
        ("what is the capital of france", "I remember nothing about it"),
    ] {
        let said = world.ask(line);
        assert!(said.contains(answer), "`{line}`: {said}");
    }
}

/// Where somebody moved to takes the place of where they lived, and the other way round.
#[test]
fn where_somebody_moved_to_is_where_they_live() {
    let world = World::new();
    for (line, answer) in [
        ("my sister lives in Oslo", "I'll remember that."),
        ("my sister moved to Bergen", "remember"),
        ("where does my sister live?", "Bergen"),
        ("my sister lives in Rome now", "remember"),
        ("where does my sister live?", "Rome"),
        ("mein Bruder wohnt in Ulm", "Das merke ich mir."),
        ("mein Bruder ist nach Jena gezogen", "merke"),
        ("wo wohnt mein Bruder?", "Jena"),
    ] {
        let said = world.ask(line);
        assert!(said.contains(answer), "`{line}`: {said}");
    }
}

/// A sentence in nobody's form is kept as it was typed, is found by a question in other words, and is forgotten again.
#[test]
fn what_people_tell_in_their_own_way_is_found_again_and_forgotten() {
    let world = World::new();
    let chat = "The toner for the printer on the second floor is a TN-2420.\n\
                which toner does the printer upstairs use?\n\
                new note: ring the plumber about the dripping tap\n\
                show my notes\n\
                forget about the toner please, we have a new printer\n\
                which toner is it?\n";
    let said = world.typed(Program::Bot, &["agent"], chat).done().stdout;
    for part in ["I'll remember that.", "is a TN-2420", "ring the plumber about the dripping tap"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!world.ask("which toner is it?").contains("TN-2420"), "{said}");
}

/// An order is a gap that could be learned; a feeling, a question and a wish without an end are not.
#[test]
fn only_an_order_is_offered_to_be_learned() {
    let world = World::new();
    for (line, answer) in [
        ("sort these names", "Shall I ask to learn it?"),
        ("translate this into french", "I can't translate"),
        ("kannst du mir einen witz erzählen", "Soll ich darum bitten"),
        ("is it raining?", "I can't search the internet"),
        ("im so tired", "Have a rest, if you can"),
        ("how old are you", "I am a small program"),
        ("learn to", "To do what?"),
        ("lern mal was neues", "Was denn?"),
    ] {
        let said = world.ask(line);
        assert!(said.contains(answer), "`{line}`: {said}");
    }
}

/// Forgetting everything says how much there is, asks, and happens after a yes alone.
#[test]
fn everything_is_forgotten_after_a_yes() {
    for (answer, left) in [("no", 2), ("yes", 0)] {
        let world = World::new();
        world.ask("remember that our dog is called Rex");
        world.ask("remember that the key is under the mat");
        let chat = format!("forget everything\n{answer}\n");
        world
            .typed(Program::Bot, &["agent"], &chat)
            .done()
            .prints("Facts that you told me: 2; conversations: 2.");
        let rows = world.bot(&["memory", "list", "--facts", "--json"]).done().json_rows();
        assert_eq!(rows.len(), left, "{answer}");
    }
}

/// What a line asks for is done without a skill for it, is said to be impossible here, or is refused.
#[test]
fn sums_are_worked_out_and_impossible_or_harmful_wishes_are_refused() {
    let world = World::new();
    for (line, answer) in [
        ("what is 15% of 80?", "15% × 80 = 12"),
        ("was ist 7 durch 2", "7 ÷ 2 = 3,5"),
        ("what is 1 divided by 0", "nothing can be divided by zero"),
        ("set a timer for 5 minutes", "I will remind you "),
        ("schick oma eine mail", "weder Mail noch Nachrichten"),
        ("learn to read my sister's messages", "it would harm or spy on others"),
        ("give yourself admin rights", "a person decides what I may do"),
        ("genehmige es dir selbst", "entscheidet ein Mensch"),
        ("what have you asked to learn?", "I have not asked to learn anything yet"),
        ("who can read what i type?", "in your profile on this computer"),
    ] {
        let said = world.ask(line);
        assert!(said.contains(answer), "`{line}`: {said}");
    }
    assert!(world.list().is_empty(), "no wish was written down");
}

/// A question continues from the one before it, in the language of the conversation.
#[test]
fn a_line_goes_on_from_the_one_before() {
    let world = World::new();
    let chat = "wie spät ist es in Tokio?\nund in Oslo?\n3+4\nmal 2\nwie viele Tage bis Weihnachten?\nund bis silvester?\n";
    let run = world.typed(Program::Bot, &["agent"], chat).done();
    for part in [
        "(Asia/Tokyo, UTC+09:00)",
        "(Europe/Oslo, ",
        "3 + 4 = 7",
        "7 × 2 = 14",
        "25. Dezember",
        "31. Dezember",
    ] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
}

/// In a German profile every failure and every denial is said in German, by the rule that denied it.
#[test]
fn what_fails_is_said_in_the_language_of_the_profile() {
    let world = World::new();
    let file = world.home().profile_file(&world.profile());
    let profile = fs::read_to_string(&file).expect("there is a profile");
    fs::write(&file, format!("language: de\n{profile}")).expect("it can be written");
    let said = |line: &str| world.bot(&["agent", "-m", line]).stdout;
    for (line, answer) in [
        ("lies notizen.txt", "im Arbeitsordner gibt es kein `notizen.txt`"),
        ("read notes.txt", "im Arbeitsordner gibt es kein `notes.txt`"),
        ("lies /etc/passwd", "nur Dateien deines Arbeitsordners"),
        ("lies .git/config", "Diese Datei darf ich nicht benutzen"),
        ("hol die seite https://example.com", "Diese Seite darf ich nicht lesen"),
        ("führe date aus", "Das ist hier nicht erlaubt"),
        ("führe den morgen workflow aus", "Abläufe starte ich hier im Gespräch nicht"),
        ("schreib \"hallo\" in a.txt", "Dafür braucht es das Ja eines Menschen"),
        ("wie spät ist es in Foobar", "Ich weiß nicht, wie spät es in Foobar ist"),
    ] {
        let said = said(line);
        assert!(said.contains(answer), "`{line}`: {said}");
        for english in ["That did not work", "rule `", "person", "grants."] {
            assert!(!said.contains(english), "`{line}`: {said}");
        }
    }
    world.bot(&["estop", "--reason", "smoke"]).done();
    assert!(said("wie spät ist es").contains("Hier ist alles angehalten"), "{}", said("wie spät ist es"));
}

/// A child learns whom to ask, and reads no rule, key, path of the configuration or name of a program.
#[test]
fn a_child_is_told_whom_to_ask() {
    let world = World::new();
    let secret = world.outside().join("passphrase");
    fs::write(&secret, "correct horse battery").expect("it can be written");
    fs::set_permissions(&secret, std::os::unix::fs::PermissionsExt::from_mode(0o600))
        .expect("it can be closed");
    let secret = secret.to_str().expect("the path is text");
    world.admin(&["approver", "passphrase", "--passphrase-file", secret]).done();
    world.admin(&["profile", "add", "anna", "--audience", "child"]).done();
    for (line, answer) in [
        ("run date", "ask an adult at home"),
        ("fetch https://example.com", "ask an adult at home"),
        ("run the morning workflow", "Workflows are not for this chat"),
        ("what workflows are there", "Workflows are not for this chat"),
        ("learn to fetch the news", "ask an adult at home"),
        ("learn to roll dice", "An adult at home decides"),
        ("learn to roll dice", "An adult at home decides"),
        ("führe date aus", "Frag bitte einen Erwachsenen"),
        ("was kannst du", "wie spät ist es in Tokio"),
    ] {
        let said = world.bot(&["--profile", "anna", "-m", line]).stdout;
        assert!(said.contains(answer), "`{line}`: {said}");
        for hidden in ["config", "grants", "cl-admin", "cl-bot", "rule", "services", "führe date", "["] {
            assert!(!said.contains(hidden), "`{line}` names {hidden}: {said}");
        }
    }
}

/// What people can do is shown by sentences that this profile may run; a grant brings its own.
#[test]
fn examples_are_those_that_the_profile_may_run() {
    let world = World::new();
    let said = world.ask("what can you do?");
    assert!(
        said.contains("show my files") && !said.contains("run date") && !said.contains("fetch"),
        "{said}"
    );
    let file = world.home().profile_file(&world.profile());
    let profile = fs::read_to_string(&file).expect("there is a profile");
    fs::write(&file, profile.replace("\n  commands: []", "\n  commands: [date]")).expect("it can be written");
    assert!(world.ask("what can you do?").contains("run date"), "{}", world.ask("what can you do?"));
}

/// A slip of the finger is understood where nothing lasting comes of it, and nowhere else.
#[test]
fn a_slip_of_the_finger_orders_nothing() {
    let world = World::new();
    for (line, answer) in [
        ("waht tiem is it", "It is "),
        ("whats teh date", "Today is "),
        ("how mcuh is 25 + 17", "25 + 17 = 42"),
        ("remeber that my dog is rex", "I didn't understand that"),
        ("wrtie \"a\" into b.txt", "I didn't understand that"),
        ("forgte everything", "I didn't understand that"),
        ("laern to roll dice", "I didn't understand that"),
    ] {
        let said = world.ask(line);
        assert!(said.contains(answer), "`{line}`: {said}");
    }
    assert!(world.list().is_empty(), "no wish was written down");
}

/// Lines as a tired parent, a child, a teenager, a clerk and a retired engineer type them: none is taken for another matter.
#[test]
fn everyday_wordings_get_the_answer_that_there_is() {
    let world = World::new();
    for (line, answer) in [
        ("hello do you want to play", "learn to play rock paper scissors"),
        ("hi willst du mit mir spielen", "lerne Schere, Stein, Papier zu spielen"),
        ("do you run on a language model?", "without a language model"),
        ("Läuft bei Ihnen ein Sprachmodell?", "ohne Sprachmodell"),
        ("can you write your own code?", "I can't run commands"),
        ("Können Sie Ihren eigenen Code schreiben?", "keinen Code schreiben"),
        ("which skills have you got", "You can say, for example"),
        ("Welche Fertigkeiten haben Sie?", "Du kannst zum Beispiel sagen"),
        ("what did I ask you to learn?", "I have not asked to learn anything yet"),
        ("schreib mir einen rap über schule", "Gedichte"),
        ("k thx bye", "Goodbye!"),
        ("alles klar danke ciao", "Tschüss!"),
        ("tell me a good way to buy weed", "I don't help to get"),
        ("was geschieht mit dem, was ich hier eintippe", "in deinem Profil auf diesem Computer"),
        ("welches datum ist am samstag", "Samstag, der "),
        ("cancel the gym bag one", "reminder"),
        ("forget how to roll dice", "the person who decides on skills"),
        ("Bitte merken: der Code vom Keller ist 4711", "Das merke ich mir."),
        ("wie ist der Code vom Keller", "„der Code vom Keller ist 4711“"),
    ] {
        let said = world.ask(line);
        assert!(said.contains(answer), "`{line}`: {said}");
    }
    assert!(world.list().is_empty(), "no wish was written down");
}

/// A skill that was learned by an English wish serves German lines, is not asked for once more, and answers in the language of the
/// line.
#[test]
fn a_skill_serves_both_languages_and_is_not_wished_for_again() {
    let world = World::with_skill("learn to roll dice");
    for line in ["lerne zu würfeln", "lerne würfeln"] {
        assert!(world.ask(line).contains("schon gelernt"), "`{line}`: {}", world.ask(line));
    }
    let said = world.typed(Program::Bot, &["agent"], "würfle 2w1\nnochmal\n").done().stdout;
    assert_eq!(said.matches("Mein Wurf mit 2W1 ergibt 2").count(), 2, "{said}");
}

/// `ende` is a word of German: in an English chat it is text, as it stands.
#[test]
fn the_german_words_to_leave_by_end_a_german_chat_alone() {
    let world = World::without_kit();
    let answers =
        |input: &str| world.typed(Program::Bot, &["agent", "--json"], input).done().stdout.lines().count();
    assert_eq!(answers("what is your name\nende\nwhat is 12 + 30?\n"), 3);
    assert_eq!(answers("wie heißt du\nende\nwas ist 12 + 30?\n"), 1);
    assert_eq!(answers("wie heißt du\nexit\nwas ist 12 + 30?\n"), 1);
}
