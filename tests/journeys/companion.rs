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

/// Behind a sum a line takes up its numbers or its result; behind a day, that day.
#[test]
fn a_line_goes_on_from_a_sum_and_from_a_day_that_was_told() {
    let world = World::new();
    for (chat, parts) in [
        (
            "15% of 240\nwhat about 17.5%\nand for 300?\nplus 7.50\nround it please\nwhat's the VAT on 1,284.50 at 20%\n\
             and the total incl vat?\nthe nursery charges 62.50 a day, 3 days a week, what's that a month\n\
             and with 20% off?\nsorry i meant friday, half eleven\n",
            &[
                "15% × 240 = 36",
                "17.5% × 240 = 42",
                "17.5% × 300 = 52.5",
                "52.5 + 7.5 = 60",
                "1284.5 × 20% = 256.9",
                "1284.5 + 20% = 1541.4",
                "62.5 × 3 × 52 ÷ 12 = 812.5",
                "812.5 - 20% = 650",
            ][..],
        ),
        (
            "Was sind 19 % Mehrwertsteuer auf 1.284,50 Euro?\nUnd der Bruttobetrag?\nBitte auch für 736 Euro.\n\
             meine pension ist 1640 euro, die miete 590, was bleibt da\ndavon noch 85 für strom weg\n\
             hab ne 3, ne 2 und ne 4, was ist der schnitt\n",
            &[
                "19% × 1284,5 = 244,055",
                "1284,5 + 19% = 1528,555",
                "736 + 19% = 875,84",
                "1640 - 590 = 1050",
                "1050 - 85 = 965",
                "(3 + 2 + 4) ÷ 3 = 3",
            ],
        ),
        (
            "Jake has football at 6 on wednesday and Lily has her recital on the 24th of december at 2\n\
             how many days until the recital?\nour trip is on 3 January 2087\nhow many years is that from now\n\
             how many days is that?\nwe were married June 14, 1969\nhow many years is that now?\n\
             my aunt lives in Vancouver\nwhat time is it there\nif i ring her at 9am our time what time is it there\n",
            &["24 December 20", "3 January 2087", "since Saturday, 14 June 1969", "America/Vancouver"],
        ),
        (
            "mathearbeit ist am 10. dezember\nwie viele tage noch\ndie wurde auf den 24.12. verschoben\n\
             also wieviel tage hab ich jetz noch\nDie Rechnung ist am 18.12. fällig. Wie viele Arbeitstage sind das noch?\n\
             wie spät is es grad in tokio, mein kumpel finn is da\n",
            &["10. Dezember", "24. Dezember", "Arbeitstage (Montag bis Freitag) bis", "Asia/Tokyo"],
        ),
    ] {
        let run = world.typed(Program::Bot, &["agent"], chat).done();
        for part in parts {
            assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
        }
        assert!(!run.stdout.contains("0.5 × 11"), "{}", run.stdout);
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

/// A talk as people have it: what continues about somebody is kept with their name, a part of a fact is put right, and two timers of
/// one line are two.
#[test]
fn a_talk_goes_on_about_what_was_said_just_before() {
    let world = World::new();
    let chat = "my best friend is called Zoe\nshe has a dog named Pickle\nwhat is the name of the dog\n\
                bench psu is in cabinet B, left shelf\nits not cabinet B its D sorry\nwhere is the bench psu\n\
                timer 25 mins for the rice and another one 40 mins for the dough\nhow long on the dough\n";
    let said = world.typed(Program::Bot, &["agent"], chat).done().stdout;
    for part in [
        "\"my best friend Zoe has a dog named Pickle\"",
        "cabinet D left shelf",
        ": the rice.",
        ": the dough.",
        "the dough: 40 minutes left",
    ] {
        assert!(said.contains(part), "`{part}`: {said}");
    }
}
