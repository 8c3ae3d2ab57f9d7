use super::*;

/// A Tuesday morning, with summer time to come in March.
fn now() -> Zoned {
    at("2026-11-24T10:00:00+01:00[Europe/Zurich]")
}

fn at(moment: &str) -> Zoned {
    moment.parse().unwrap()
}

fn said(line: &str, all: &mut Vec<Reminder>) -> Option<(String, TurnOutcome)> {
    let (command, language) = language::remind(line)?;
    let answered = answer(&command, false, language, &Around::default(), all, &now());
    answered.map(|(came, _)| (came.said, came.outcome))
}

/// What a line does that goes back to the reminder that was set last, or to the lines before it.
fn goes_back(line: &str, earlier: &[&str], all: &mut Vec<Reminder>) -> Option<String> {
    let around = |beside: String| Around {
        last: all.last().map(|one| one.id),
        beside,
        earlier: earlier.iter().map(|line| (*line).to_owned()).collect(),
    };
    let orders = [
        language::remind(line).map(|(command, language)| {
            let more = command.strip_prefix(language::ALSO).map(|also| also.replacen('|', " ", 1));
            (more.map_or(command, |more| format!("more |to| {more}")), language, String::new())
        }),
        language::in_clauses(line).into_iter().next(),
        language::another(line).map(|(command, language)| (command, language, String::new())),
    ];
    let of_other =
        language::of_other(line).into_iter().map(|(command, language)| (command, language, String::new()));
    let instead = language::instead(line)
        .map(|(moments, language, beside)| (format!("redo || {}", moments.join("|")), language, beside));
    let orders: Vec<(String, Language, Around)> = orders
        .into_iter()
        .flatten()
        .chain(of_other)
        .chain(instead)
        .map(|(command, language, beside)| (command, language, around(beside)))
        .collect();
    orders.into_iter().find_map(|(command, language, around)| {
        let answered = answer(&command, false, language, &around, all, &now());
        answered
            .map(|(came, _)| came)
            .filter(|came| came.outcome == TurnOutcome::Answered)
            .map(|came| came.said)
    })
}

/// A line and the reminder that it sets: when it is due, when again, and its text.
fn sets(table: &[(&str, &str, &str, &str)]) {
    let mut wrong = Vec::new();
    for (line, due, again, text) in table {
        let mut all = vec![];
        let reply = said(line, &mut all);
        let found = all.first().map(|one| {
            let due = zoned(one.due, now().time_zone()).strftime("%Y-%m-%d %H:%M:%S").to_string();
            (due, one.again.clone().unwrap_or_default(), one.text.clone())
        });
        let seconds = if due.len() > 16 { "" } else { ":00" };
        if found != Some((format!("{due}{seconds}"), (*again).to_owned(), (*text).to_owned())) {
            wrong.push(format!("{line}: {found:?}, {reply:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn english_lines_set_reminders() {
    sets(&[
        ("remind me to water the plants at 6pm", "2026-11-24 18:00", "", "water the plants"),
        ("remind me 7.40 tmrw swim bag", "2026-11-25 07:40", "", "swim bag"),
        (
            "remind me on the tenth at half past two to see the dentist",
            "2026-12-10 14:30",
            "",
            "see the dentist",
        ),
        ("rematch next tuesday 7.30pm put it in reminders", "2026-12-01 19:30", "", "rematch"),
        ("Remind me at 6pm to water the plants.", "2026-11-24 18:00", "", "water the plants"),
        ("please remind me to water the plants at 18:00", "2026-11-24 18:00", "", "water the plants"),
        (
            "can you remind me in ten minutes to turn off the oven?",
            "2026-11-24 10:10",
            "",
            "turn off the oven",
        ),
        ("remind me to turn off the oven in ten minutes", "2026-11-24 10:10", "", "turn off the oven"),
        ("remind me in an hour to call mum", "2026-11-24 11:00", "", "call mum"),
        ("remind me in half an hour about the cake", "2026-11-24 10:30", "", "the cake"),
        ("remind me in an hour and a half to check the oven", "2026-11-24 11:30", "", "check the oven"),
        ("remind me in two and a half hours to leave", "2026-11-24 12:30", "", "leave"),
        ("remind me in 1 1/2 hours to leave", "2026-11-24 11:30", "", "leave"),
        ("remind me in 1.5 hours to leave", "2026-11-24 11:30", "", "leave"),
        ("remind me in 1h20 to stir", "2026-11-24 11:20", "", "stir"),
        ("remind me in 20 to check the oven", "2026-11-24 10:20", "", "check the oven"),
        ("remind me in 90s to check the build", "2026-11-24 10:01:30", "", "check the build"),
        ("remind me tomorow at 7 to sign the letter", "2026-11-25 07:00", "", "sign the letter"),
        ("remind me on wensday at 4 to ring peter", "2026-11-25 16:00", "", "ring peter"),
        ("every morning at 7 tell me to take vitamins", "2026-11-25 07:00", "127 07:00", "take vitamins"),
        ("remind me every evening at half seven to feed Rex", "2026-11-24 19:30", "127 19:30", "feed Rex"),
        ("remind me in an hour and a quarter to stir", "2026-11-24 11:15", "", "stir"),
        ("set a timer for two and a half minutes", "2026-11-24 10:03", "", ""),
        ("remind me 2 days before christmas to buy a tree", "2026-12-23 09:00", "", "buy a tree"),
        ("remind me the day before christmas to buy milk", "2026-12-24 09:00", "", "buy milk"),
        ("remind me to buy a tree two days before Christmas", "2026-12-23 09:00", "", "buy a tree"),
        (
            "remind me at 6 before dinner to take the pills",
            "2026-11-24 18:00",
            "",
            "before dinner to take the pills",
        ),
        (
            "remind me to call mum at 6 because she is ill",
            "2026-11-24 18:00",
            "",
            "call mum because she is ill",
        ),
        ("wake me up at 6", "2026-11-25 06:00", "", ""),
        ("remind me next monday to ring the garage, 8ish", "2026-11-30 08:00", "", "ring the garage"),
        ("remind me on friday around 8 to call Bob", "2026-11-27 08:00", "", "call Bob"),
        ("remind me shortly before noon to eat", "2026-11-24 11:55", "", "eat"),
        ("remind mr doyle is coming at 11.15", "2026-11-24 11:15", "", "mr doyle is coming"),
        ("remind me at half past twelve to eat", "2026-11-24 12:30", "", "eat"),
        ("remind me at half past 12 at night to sleep", "2026-11-25 00:30", "", "sleep"),
        ("set 40 minutes, they're starting now", "2026-11-24 10:40", "", ""),
        ("ok 25 more minutes then its bedtime, let us know", "2026-11-24 10:25", "", "bedtime"),
        ("the lorry comes at 18:15 remind me at 18:00", "2026-11-24 18:00", "", "the lorry comes at 18:15"),
        ("wake me in ten minutes", "2026-11-24 10:10", "", ""),
        ("at 6 tell me to leave", "2026-11-24 18:00", "", "leave"),
        ("tell me in 5 minutes to stop", "2026-11-24 10:05", "", "stop"),
        ("ping me in 10 minutes", "2026-11-24 10:10", "", ""),
        ("remind us at 7 to feed the cat", "2026-11-24 19:00", "", "feed the cat"),
        ("set alarm for 6:30 tomorrow", "2026-11-25 06:30", "", ""),
        ("pasta timer 9 minutes", "2026-11-24 10:09", "", "pasta"),
        ("set a pasta timer for 8 minutes", "2026-11-24 10:08", "", "pasta"),
        ("set the timer 3 minutes for eggs", "2026-11-24 10:03", "", "eggs"),
        ("i have to leave at 5, remind me", "2026-11-24 17:00", "", "leave"),
        ("remind me in 90 seconds to stir", "2026-11-24 10:01:30", "", "stir"),
        ("remind me in 5min to stir", "2026-11-24 10:05", "", "stir"),
        ("remind me in 3 days to call Tom", "2026-11-27 10:00", "", "call Tom"),
        ("remind me in two weeks about the invoice", "2026-12-08 10:00", "", "the invoice"),
        ("set a timer for 5 minutes", "2026-11-24 10:05", "", ""),
        ("set a timer for an hour", "2026-11-24 11:00", "", ""),
        ("set a 5 minute timer", "2026-11-24 10:05", "", ""),
        ("start a timer for 8 minutes for the eggs", "2026-11-24 10:08", "", "the eggs"),
        ("timer 10 minutes", "2026-11-24 10:10", "", ""),
        ("20 minute timer", "2026-11-24 10:20", "", ""),
        ("set a timer for 1 hour 30 minutes", "2026-11-24 11:30", "", ""),
        ("set a timer for 45 seconds", "2026-11-24 10:00:45", "", ""),
        ("set a timer for twenty five minutes", "2026-11-24 10:25", "", ""),
        ("set a timer for thirty-five minutes", "2026-11-24 10:35", "", ""),
        ("stell einen Timer auf fünfundzwanzig Minuten", "2026-11-24 10:25", "", ""),
        ("every Monday remind me to put the bins out", "2026-11-30 09:00", "1 09:00", "put the bins out"),
        (
            "remind me every Monday at 7pm to put the bins out",
            "2026-11-30 19:00",
            "1 19:00",
            "put the bins out",
        ),
        ("remind me to put the bins out every Monday", "2026-11-30 09:00", "1 09:00", "put the bins out"),
        ("remind me on Mondays to put the bins out", "2026-11-30 09:00", "1 09:00", "put the bins out"),
        ("remind me every Monday and Thursday at 8:30 to stretch", "2026-11-26 08:30", "9 08:30", "stretch"),
        ("remind me every day at 8 to take my pill", "2026-11-25 08:00", "127 08:00", "take my pill"),
        ("remind me daily at 22:00 to lock up", "2026-11-24 22:00", "127 22:00", "lock up"),
        ("remind me every morning to stretch", "2026-11-25 08:00", "127 08:00", "stretch"),
        ("remind me every weekday at 5pm to go home", "2026-11-24 17:00", "31 17:00", "go home"),
        ("remind me every two hours to drink", "2026-11-24 12:00", "120", "drink"),
        ("remind me every hour to drink", "2026-11-24 11:00", "60", "drink"),
        ("remind me tomorrow to call mum at 6pm", "2026-11-25 18:00", "", "call mum"),
        ("tomorrow remind me to call mum", "2026-11-25 09:00", "", "call mum"),
        ("remind me tomorrow morning about the dentist", "2026-11-25 08:00", "", "the dentist"),
        ("remind me tonight to lock the door", "2026-11-24 20:00", "", "lock the door"),
        ("remind me tonight at 9 to lock the door", "2026-11-24 21:00", "", "lock the door"),
        ("remind me at 6 to cook", "2026-11-24 18:00", "", "cook"),
        ("remind me at 9 to cook", "2026-11-24 21:00", "", "cook"),
        ("remind me at 9am to cook", "2026-11-25 09:00", "", "cook"),
        ("remind me at half past four to leave", "2026-11-24 16:30", "", "leave"),
        ("remind me at noon to eat", "2026-11-24 12:00", "", "eat"),
        ("remind me on Friday to water the plants", "2026-11-27 09:00", "", "water the plants"),
        ("remind me to pay the rent on 3 December at 8pm", "2026-12-03 20:00", "", "pay the rent"),
        (
            "remind me to buy a tree for Christmas tomorrow",
            "2026-11-25 09:00",
            "",
            "buy a tree for Christmas",
        ),
        ("remind me in ten minutes", "2026-11-24 10:10", "", ""),
        ("set a reminder for 6pm to feed the cat", "2026-11-24 18:00", "", "feed the cat"),
        ("set an alarm for 7am", "2026-11-25 07:00", "", ""),
        (
            "remind me on the 1st of every month to pay the rent",
            "2026-12-01 09:00",
            "m1 09:00",
            "pay the rent",
        ),
        (
            "remind me to pay the rent on the 1st of each month",
            "2026-12-01 09:00",
            "m1 09:00",
            "pay the rent",
        ),
        (
            "remind me on the 24th of every month at 9am to pay the rent",
            "2026-12-24 09:00",
            "m24 09:00",
            "pay the rent",
        ),
        (
            "remind me on the 24th of every month at 8 in the evening to pay the rent",
            "2026-11-24 20:00",
            "m24 20:00",
            "pay the rent",
        ),
        (
            "remind me at 8am on the 15th of every month to read the meter",
            "2026-12-15 08:00",
            "m15 08:00",
            "read the meter",
        ),
        ("remind me every month on the 31st to back up", "2026-11-30 09:00", "m31 09:00", "back up"),
        ("on the last day of every month remind me to back up", "2026-11-30 09:00", "m31 09:00", "back up"),
        ("remind me monthly on the first to back up", "2026-12-01 09:00", "m1 09:00", "back up"),
        ("remind me on the 15th to pay the rent", "2026-12-15 09:00", "", "pay the rent"),
        ("remind me to pay the rent on the first at 8pm", "2026-12-01 20:00", "", "pay the rent"),
        ("remind me on the 24th at 6pm to pay the rent", "2026-11-24 18:00", "", "pay the rent"),
        ("remind me on the 31st to back up", "2026-12-31 09:00", "", "back up"),
        ("remind me every 15th of the month about the meter", "2026-12-15 09:00", "m15 09:00", "the meter"),
        (
            "remind me every other day to water the basil",
            "2026-11-25 09:00",
            "127/2 09:00",
            "water the basil",
        ),
        ("every third day at 6pm remind me to run", "2026-11-24 18:00", "127/3 18:00", "run"),
        ("remind me to run every 10 days", "2026-11-25 09:00", "127/10 09:00", "run"),
        ("remind me of my tablets at nine every morning", "2026-11-25 09:00", "127 09:00", "tablets"),
        (
            "remind me on the first monday of each month to test the alarm",
            "2026-12-07 09:00",
            "m32 09:00",
            "test the alarm",
        ),
        (
            "remind me to send expenses on the last friday of the month at 8am",
            "2026-11-27 08:00",
            "m64 08:00",
            "send expenses",
        ),
        ("remind me every second tuesday of the month to swim", "2026-12-08 09:00", "m40 09:00", "swim"),
    ]);
}

#[test]
fn german_lines_set_reminders() {
    sets(&[
        ("erinnere mich in anderthalb Stunden an den Ofen", "2026-11-24 11:30", "", "den Ofen"),
        ("erinnere mich in zweieinhalb Stunden an die Wäsche", "2026-11-24 12:30", "", "die Wäsche"),
        ("erinner mich jeden zweiten Tag an die Vokabeln", "2026-11-25 09:00", "127/2 09:00", "die Vokabeln"),
        ("erinnere mich alle drei Tage um 18 Uhr ans Gießen", "2026-11-24 18:00", "127/3 18:00", "Gießen"),
        (
            "erinnere mich am ersten Montag im Monat an den Bericht",
            "2026-12-07 09:00",
            "m32 09:00",
            "den Bericht",
        ),
        (
            "erinnere mich jeden letzten Freitag im Monat ans Putzen",
            "2026-11-27 09:00",
            "m64 09:00",
            "Putzen",
        ),
        ("erinner mich jeden ersten im Monat ans Geld", "2026-12-01 09:00", "m1 09:00", "Geld"),
        ("erinnere mich in 1,5 Stunden ans Gehen", "2026-11-24 11:30", "", "Gehen"),
        ("erinnere mich zwei Tage vor Weihnachten an den Baum", "2026-12-23 09:00", "", "den Baum"),
        ("weck mich um 7", "2026-11-25 07:00", "", ""),
        ("erinner mich morgen so gegen 8 an müll", "2026-11-25 08:00", "", "müll"),
        ("sag mir kurz vor elf bescheid", "2026-11-24 10:55", "", ""),
        ("mach mir um halb eins ne erinnerung silikon holen", "2026-11-24 12:30", "", "silikon holen"),
        ("erinner mich nachts um halb eins ans bett", "2026-11-25 00:30", "", "bett"),
        ("erinner mich um 0 uhr ans bett", "2026-11-25 00:00", "", "bett"),
        ("lkw kommt 1815 erinner mich 18 uhr", "2026-11-24 18:00", "", "lkw kommt 1815"),
        ("ok noch 25 minuten dann ist bettzeit, sag bescheid", "2026-11-24 10:25", "", "bettzeit"),
        (
            "timer auf eine dreiviertelstunde, dann ist schluss mit korrigieren",
            "2026-11-24 10:45",
            "",
            "schluss mit korrigieren",
        ),
        ("stell den Wecker auf 6", "2026-11-25 06:00", "", ""),
        ("sag mir in 10 Minuten Bescheid", "2026-11-24 10:10", "", ""),
        (
            "gib mir in 10 Minuten Bescheid, dass der Kuchen fertig ist",
            "2026-11-24 10:10",
            "",
            "der Kuchen fertig ist",
        ),
        ("in 10 Minuten wecken", "2026-11-24 10:10", "", ""),
        ("erinnerst du mich um 5 ans Training?", "2026-11-24 17:00", "", "Training"),
        ("ich muss um 17 Uhr los, erinner mich", "2026-11-24 17:00", "", "los"),
        ("erinnere mich werktags um 7 ans Frühstück", "2026-11-25 07:00", "31 07:00", "Frühstück"),
        ("nudeltimer 8 minuten", "2026-11-24 10:08", "", ""),
        ("stell die Eieruhr auf 5 Minuten", "2026-11-24 10:05", "", ""),
        ("erinnere mich in zehn Minuten an die Pizza", "2026-11-24 10:10", "", "die Pizza"),
        (
            "erinnere mich um 18 Uhr daran, die Blumen zu gießen",
            "2026-11-24 18:00",
            "",
            "die Blumen zu gießen",
        ),
        (
            "Erinnere mich daran, die Blumen zu gießen, um 18 Uhr.",
            "2026-11-24 18:00",
            "",
            "die Blumen zu gießen",
        ),
        ("stell einen Timer auf 5 Minuten", "2026-11-24 10:05", "", ""),
        ("erinnere mich jeden Montag an die Mülltonnen", "2026-11-30 09:00", "1 09:00", "die Mülltonnen"),
        ("erinner mich um acht an meine Tabletten", "2026-11-24 20:00", "", "meine Tabletten"),
        ("erinnere mich an meine Tabletten um 20 Uhr", "2026-11-24 20:00", "", "meine Tabletten"),
        ("erinnere mich morgen um 8 Uhr an den Zahnarzt", "2026-11-25 08:00", "", "den Zahnarzt"),
        ("erinnere mich morgen früh an den Sportbeutel", "2026-11-25 08:00", "", "den Sportbeutel"),
        ("erinnere mich übermorgen an Omas Brille", "2026-11-26 09:00", "", "Omas Brille"),
        ("erinnere mich heute Abend an die Haustür", "2026-11-24 19:00", "", "die Haustür"),
        ("erinnere mich heute Abend um acht an die Haustür", "2026-11-24 20:00", "", "die Haustür"),
        ("bitte erinnere mich in einer halben Stunde an die Wäsche", "2026-11-24 10:30", "", "die Wäsche"),
        ("erinnere mich in einer Stunde an die Wäsche", "2026-11-24 11:00", "", "die Wäsche"),
        ("erinnere mich in anderthalb Stunden an die Wäsche", "2026-11-24 11:30", "", "die Wäsche"),
        ("erinnere mich in 30 Sekunden ans Umrühren", "2026-11-24 10:00:30", "", "Umrühren"),
        ("erinnere mich in 3 Tagen an die Rechnung", "2026-11-27 10:00", "", "die Rechnung"),
        ("erinner mich jede Stunde ans Trinken", "2026-11-24 11:00", "60", "Trinken"),
        (
            "erinner mich alle sechs Stunden an die Augentropfen",
            "2026-11-24 16:00",
            "360",
            "die Augentropfen",
        ),
        ("erinnere mich jeden Tag um 8 Uhr an die Tablette", "2026-11-25 08:00", "127 08:00", "die Tablette"),
        ("erinnere mich täglich um 22 Uhr an die Haustür", "2026-11-24 22:00", "127 22:00", "die Haustür"),
        ("erinnere mich jeden Morgen ans Dehnen", "2026-11-25 08:00", "127 08:00", "Dehnen"),
        ("erinner mich jeden Abend um acht an die Tablette", "2026-11-24 20:00", "127 20:00", "die Tablette"),
        (
            "erinnere mich jeden Mittwoch um 17 Uhr an die Gymnastik",
            "2026-11-25 17:00",
            "4 17:00",
            "die Gymnastik",
        ),
        (
            "erinnere mich montags und donnerstags um 7 an den Sport",
            "2026-11-26 07:00",
            "9 07:00",
            "den Sport",
        ),
        ("jeden Montag erinnere mich an die Mülltonnen", "2026-11-30 09:00", "1 09:00", "die Mülltonnen"),
        ("erinnere mich am Freitag an die Stundenzettel", "2026-11-27 09:00", "", "die Stundenzettel"),
        ("erinnere mich am 24. Dezember um 15 Uhr an den Braten", "2026-12-24 15:00", "", "den Braten"),
        ("erinnere mich um halb fünf an den Bus", "2026-11-24 16:30", "", "den Bus"),
        ("erinnere mich mittags ans Essen", "2026-11-24 12:00", "", "Essen"),
        ("kannst du mich um 18 Uhr an die Blumen erinnern?", "2026-11-24 18:00", "", "die Blumen"),
        ("Timer 8 Minuten für die Eier", "2026-11-24 10:08", "", "die Eier"),
        ("stell nen Timer auf eine Dreiviertelstunde", "2026-11-24 10:45", "", ""),
        ("Timer zehn Minuten", "2026-11-24 10:10", "", ""),
        ("stell den Wecker auf 7 Uhr", "2026-11-25 07:00", "", ""),
        ("erinnern Sie mich bitte um 18 Uhr an die Blumen", "2026-11-24 18:00", "", "die Blumen"),
        ("erinnere mich am 15. an die Miete", "2026-12-15 09:00", "", "die Miete"),
        ("erinnere mich am 24. um 18 Uhr an die Miete", "2026-11-24 18:00", "", "die Miete"),
        ("erinnere mich am Mittag ans Essen", "2026-11-24 12:00", "", "Essen"),
        ("erinnere mich am Abend um acht an die Haustür", "2026-11-24 20:00", "", "die Haustür"),
        ("erinnere mich jeden Monat am 15. an die Miete", "2026-12-15 09:00", "m15 09:00", "die Miete"),
        (
            "erinnere mich am 1. jedes Monats um 8 Uhr an die Miete",
            "2026-12-01 08:00",
            "m1 08:00",
            "die Miete",
        ),
        (
            "erinnere mich um acht an jedem 15. des Monats an die Miete",
            "2026-12-15 08:00",
            "m15 08:00",
            "die Miete",
        ),
        ("jeden Monat am letzten Tag erinnere mich ans Sichern", "2026-11-30 09:00", "m31 09:00", "Sichern"),
        (
            "erinnere mich monatlich am ersten abends an die Miete",
            "2026-12-01 19:00",
            "m1 19:00",
            "die Miete",
        ),
    ]);
}

#[test]
fn weeks_and_months_are_counted() {
    sets(&[
        // It is Tuesday at 10: nine o'clock of today is over.
        ("remind me once a month to pay the rent", "2026-12-24 09:00", "m24 09:00", "pay the rent"),
        ("remind me every month at 8pm to pay the rent", "2026-11-24 20:00", "m24 20:00", "pay the rent"),
        ("remind me monthly to pay the rent", "2026-12-24 09:00", "m24 09:00", "pay the rent"),
        ("remind me every two months to pay the rent", "2027-01-24 09:00", "m24/2 09:00", "pay the rent"),
        (
            "remind me every 2nd month on the 15th to pay the rent",
            "2026-12-15 09:00",
            "m15/2 09:00",
            "pay the rent",
        ),
        (
            "remind me on the 1st of every other month at 8 to pay the rent",
            "2026-12-01 08:00",
            "m1/2 08:00",
            "pay the rent",
        ),
        ("remind me every second month to pay the rent", "2027-01-24 09:00", "m24/2 09:00", "pay the rent"),
        (
            "remind me once every 3 months to check the filter",
            "2027-02-24 09:00",
            "m24/3 09:00",
            "check the filter",
        ),
        (
            "remind me on the last day of every third month to back up",
            "2026-11-30 09:00",
            "m31/3 09:00",
            "back up",
        ),
        ("remind me every other week to mow", "2026-12-08 09:00", "2/2 09:00", "mow"),
        ("remind me every two weeks on Friday at 7pm to mow", "2026-11-27 19:00", "16/2 19:00", "mow"),
        ("remind me every other Monday to mow", "2026-11-30 09:00", "1/2 09:00", "mow"),
        ("remind me to mow every second week", "2026-12-08 09:00", "2/2 09:00", "mow"),
        ("remind me once a week on Sunday to call mum", "2026-11-29 09:00", "64 09:00", "call mum"),
        ("remind me weekly to call mum", "2026-12-01 09:00", "2 09:00", "call mum"),
        ("erinnere mich einmal im Monat an die Miete", "2026-12-24 09:00", "m24 09:00", "die Miete"),
        ("erinnere mich alle zwei Monate an die Miete", "2027-01-24 09:00", "m24/2 09:00", "die Miete"),
        (
            "erinnere mich jeden zweiten Monat am 15. an die Miete",
            "2026-12-15 09:00",
            "m15/2 09:00",
            "die Miete",
        ),
        ("erinnere mich jeden 2. Monat an die Miete", "2027-01-24 09:00", "m24/2 09:00", "die Miete"),
        (
            "erinnere mich am letzten Tag jedes Monats an die Miete",
            "2026-11-30 09:00",
            "m31 09:00",
            "die Miete",
        ),
        ("erinnere mich jede zweite Woche ans Mähen", "2026-12-08 09:00", "2/2 09:00", "Mähen"),
        (
            "erinnere mich alle zwei Wochen am Freitag um 19 Uhr ans Mähen",
            "2026-11-27 19:00",
            "16/2 19:00",
            "Mähen",
        ),
        ("erinnere mich jeden zweiten Montag ans Mähen", "2026-11-30 09:00", "1/2 09:00", "Mähen"),
        ("erinnere mich einmal in der Woche ans Gießen", "2026-12-01 09:00", "2 09:00", "Gießen"),
        ("erinnere mich einmal pro Woche ans Gießen", "2026-12-01 09:00", "2 09:00", "Gießen"),
    ]);
}

#[test]
fn what_comes_in_every_second_week_or_month_stays_in_it() {
    let day = |moment: &Zoned| moment.strftime("%m-%d %H:%M").to_string();
    let follow = |again: Again, first: &str| {
        let mut told = at(first);
        let mut days = vec![];
        for _ in 0..4 {
            told = again.next(&told, &told).unwrap();
            days.push(day(&told));
        }
        days
    };
    let nine = jiff::civil::time(9, 0, 0, 0);
    let week = Again::Week(0b1_0001, nine, 2);
    let days = follow(week, "2026-11-30T09:00:00+01:00[Europe/Zurich]");
    assert_eq!(days, ["12-04 09:00", "12-14 09:00", "12-18 09:00", "12-28 09:00"]);
    let month = Again::Month(31, nine, 2);
    let days = follow(month, "2026-12-31T09:00:00+01:00[Europe/Zurich]");
    assert_eq!(days, ["02-28 09:00", "04-30 09:00", "06-30 09:00", "08-31 09:00"]);
    // Nobody was there for a while, over the change of the clock: it stays in its weeks and months.
    let now = at("2027-04-05T12:00:00+02:00[Europe/Zurich]");
    let told = at("2026-11-30T09:00:00+01:00[Europe/Zurich]");
    assert_eq!(day(&week.next(&told, &now).unwrap()), "04-09 09:00");
    assert_eq!(day(&Again::Month(1, nine, 2).next(&told, &now).unwrap()), "05-01 09:00");
    for (written, again) in [("17/2 09:00", week), ("m31/2 09:00", month)] {
        assert_eq!((again.written().as_str(), Again::read(written)), (written, Some(again)));
    }
    for other in ["17/1 09:00", "17/25 09:00", "m15/0 09:00", "m15/x 09:00", "m15/ 09:00"] {
        assert_eq!(Again::read(other), None, "{other}");
    }
}

#[test]
fn a_reminder_of_every_second_week_is_listed_and_moved_within_it() {
    let mut all = vec![];
    let set = said("remind me every other Monday to mow", &mut all).unwrap().0;
    assert_eq!(
        set,
        "I will remind you every 2 weeks on Monday at 09:00, next on Monday, 30 November 2026: mow."
    );
    let moved = said("move the reminder to 7pm", &mut all).unwrap().0;
    assert!(moved.contains("every 2 weeks on Monday at 19:00, next on Monday, 30 November 2026"), "{moved}");
    let mut all = vec![];
    let set = said("erinnere mich alle zwei Monate am 15. an die Miete", &mut all).unwrap().0;
    assert!(set.contains("alle 2 Monate am 15. um 09:00, als Nächstes am"), "{set}");
}

#[test]
fn a_moment_that_is_over_or_not_understood_is_refused_and_says_what_is_understood() {
    for line in [
        "remind me to water the plants",
        "remind me at 25:00 to water the plants",
        "remind me soon to call mum",
        "remind me on the 32nd of every month to pay the rent",
        "remind me on the 1st and 15th of every month to pay the rent",
        "erinnere mich am 1. und 15. jeden Monat an die Miete",
        "remind me every month on the 1st and 15th to pay the rent",
        "remind me every 30 months to pay the rent",
        "remind me every 30 days to pay the rent",
        "remind me on the last working day of the month to pay the rent",
        "erinnere mich am letzten Arbeitstag im Monat an die Zeiten",
        "remind me on the 32nd to pay the rent",
        "remind me on Monday and Friday to stretch",
        "remind me to buy 15",
        "remind me to buy twenty",
        "remind me every minute to blink",
        "remind me every 90 seconds to blink",
        "remind me at the station to buy bread",
        "remind me to buy 2",
        "set a timer",
        "set a timer for the eggs",
        "set a timer for 0 minutes",
        "set a timer for 99999999999 minutes",
        "erinnere mich an die Blumen",
        "erinnere mich bald an die Blumen",
        "stell einen Timer auf bald",
    ] {
        let mut all = vec![];
        let (reply, outcome) = said(line, &mut all).unwrap_or_else(|| panic!("{line}"));
        assert!(all.is_empty() && outcome == TurnOutcome::Unknown, "{line}: {all:?} {reply}");
        let hints =
            reply.contains("set a timer for 5 minutes") || reply.contains("stell einen Timer auf 5 Minuten");
        assert!(hints || reply.contains("is over"), "{line}: {reply}");
    }
    for line in [
        "remind me today at 8am to water the plants",
        "remind me yesterday to water the plants",
        "remind me on 3 May 2020 to water the plants",
        "erinnere mich heute um 08:30 an die Blumen",
        "erinnere mich gestern an die Blumen",
    ] {
        let mut all = vec![];
        let (reply, _) = said(line, &mut all).unwrap_or_else(|| panic!("{line}"));
        let is_past = reply.contains("That moment is over") || reply.contains("schon vorbei");
        assert!(all.is_empty() && is_past, "{line}: {all:?} {reply}");
    }
}

#[test]
fn a_line_that_asks_for_something_else_is_none_of_it() {
    for line in [
        "remind me what my sister is called",
        "remind me where I parked",
        "the song reminds me of you",
        "my notes remind me of tomorrow",
        "what is the time",
        "what is a timer",
        "I remember the plants",
        "remember that the timer is broken",
        "erinnerst du dich an gestern?",
        "erinnere dich, dass der Schlüssel unter der Matte liegt",
    ] {
        assert_eq!(said(line, &mut vec![]), None, "{line}");
    }
}

#[test]
fn a_day_that_a_month_does_not_have_comes_on_its_last_one() {
    let last = Again::Month(31, jiff::civil::time(18, 0, 0, 0), 1);
    let mut told = at("2026-11-30T18:00:00+01:00[Europe/Zurich]");
    let mut days = vec![];
    for _ in 0..7 {
        told = last.next(&told, &told).unwrap();
        days.push(told.strftime("%m-%d %H:%M").to_string());
    }
    let expected =
        ["12-31", "01-31", "02-28", "03-31", "04-30", "05-31", "06-30"].map(|day| format!("{day} 18:00"));
    assert_eq!(days, expected);
    let leap = at("2028-02-01T00:00:00+01:00[Europe/Zurich]");
    for (day, expected) in [(29, "02-29"), (30, "02-29"), (28, "02-28"), (1, "02-01")] {
        let next = Again::Month(day, jiff::civil::time(9, 0, 0, 0), 1).next(&leap, &leap).unwrap();
        assert_eq!(next.strftime("%m-%d").to_string(), expected, "{day}");
    }
    // Nobody was there for a quarter: the next time lies ahead. The clock was a year ahead once: it is less than a year away.
    let now = at("2027-03-05T12:00:00+01:00[Europe/Zurich]");
    for told in ["2026-11-30T18:00:00+01:00[Europe/Zurich]", "2028-03-31T18:00:00+02:00[Europe/Zurich]"] {
        assert_eq!(last.next(&at(told), &now).unwrap(), at("2027-03-31T18:00:00+02:00[Europe/Zurich]"));
    }
}

#[test]
fn a_monthly_reminder_is_listed_moved_and_keeps_its_day() {
    let mut all = vec![];
    let set = said("remind me on the 15th of every month to pay the rent", &mut all).unwrap().0;
    assert_eq!(set, "I will remind you on day 15 of every month at 09:00: pay the rent.");
    let moved = said("move the reminder about the rent to 7pm", &mut all).unwrap().0;
    assert_eq!(moved, "I will remind you on day 15 of every month at 19:00: pay the rent.");
    let moved = said("verschieb Erinnerung 1 auf den 31. jedes Monats", &mut all).unwrap().0;
    assert_eq!(
        moved,
        "Ich erinnere dich am 31. jedes Monats oder an seinem letzten Tag um 09:00: pay the rent."
    );
    let known = said("erinnere mich am 31. jedes Monats an pay the rent", &mut all).unwrap().0;
    assert!(known.starts_with("Diese Erinnerung gibt es schon") && all.len() == 1, "{known}");
    let moved = said("move reminder 1 to every Monday", &mut all).unwrap().0;
    assert_eq!(moved, "I will remind you every Monday at 09:00: pay the rent.");
}

fn three() -> Vec<Reminder> {
    let mut all = vec![];
    for line in [
        "remind me on Friday at 6pm to water the plants",
        "remind me in ten minutes to turn off the oven",
        "every Monday remind me to put the bins out",
    ] {
        said(line, &mut all).unwrap();
    }
    all
}

#[test]
fn reminders_are_listed_the_next_one_first_with_their_numbers() {
    let mut all = three();
    let list = "Your reminders:\n1. at 10:10: turn off the oven\n2. on Friday, 27 November 2026 at 18:00: water the plants\n\
                3. every Monday at 09:00: put the bins out";
    for line in
        ["what reminders do I have?", "list my reminders", "do I have any reminders?", "show my reminders"]
    {
        assert_eq!(said(line, &mut all).unwrap().0, list, "{line}");
    }
    let german = said("welche Erinnerungen habe ich?", &mut all).unwrap().0;
    assert!(german.starts_with("Deine Erinnerungen:\n1. um 10:10: turn off the oven\n"), "{german}");
    assert!(german.ends_with("3. jeden Montag um 09:00: put the bins out"), "{german}");
    assert_eq!(said("what reminders do I have?", &mut vec![]).unwrap().0, "You have no reminders.");
    assert_eq!(said("zeig mir meine Erinnerungen", &mut vec![]).unwrap().0, "Du hast keine Erinnerungen.");
}

#[test]
fn a_reminder_is_moved_by_its_words_and_keeps_its_day() {
    let mut all = three();
    let reply = said("move the reminder about the plants to 7pm", &mut all).unwrap().0;
    assert_eq!(reply, "I will remind you on Friday, 27 November 2026 at 19:00: water the plants.");
    let reply = said("verschieb die Erinnerung an die bins auf 19 Uhr", &mut all).unwrap().0;
    assert_eq!(reply, "Ich erinnere dich jeden Montag um 19:00: put the bins out.");
    let reply = said("move reminder 1 to tomorrow at noon", &mut all).unwrap().0;
    assert_eq!(reply, "I will remind you on Wednesday, 25 November 2026 at 12:00: turn off the oven.");
    let reply = said("verschieb Erinnerung 1 auf den 21.", &mut all).unwrap().0;
    assert_eq!(reply, "Ich erinnere dich am Montag, 21. Dezember 2026 um 09:00: turn off the oven.");
    let before = all.clone();
    for line in
        ["move reminder 9 to 7pm", "move the reminder about the car to 7pm", "move reminder 2 to soon"]
    {
        let (reply, outcome) = said(line, &mut all).unwrap();
        assert!(outcome == TurnOutcome::Unknown && all == before, "{line}: {reply}");
    }
    for line in ["move reminder 2 to soon", "move reminder 2 to yesterday at 7pm"] {
        let (reply, _) = said(line, &mut all).unwrap();
        assert!(
            reply.starts_with("I did not move the reminder") && !reply.contains("set"),
            "{line}: {reply}"
        );
    }
    let (reply, _) = said("verschieb Erinnerung 2 auf bald", &mut all).unwrap();
    assert!(reply.starts_with("Ich habe die Erinnerung nicht verschoben"), "{reply}");
    assert_eq!(all, before);
}

#[test]
fn the_same_line_said_twice_sets_one_reminder_and_says_so() {
    let mut all = three();
    for (line, reply) in [
        (
            "remind me on Friday at 6pm to water the plants",
            "That reminder is set already: water the plants, on Friday, 27 November 2026 at 18:00.",
        ),
        (
            "every Monday remind me to put the bins out",
            "That reminder is set already: put the bins out, every Monday at 09:00.",
        ),
    ] {
        assert_eq!(said(line, &mut all).unwrap(), (reply.to_owned(), TurnOutcome::Answered));
        assert_eq!(all, three());
    }
    // Another text, another moment and another repetition are other reminders.
    said("remind me on Friday at 6pm to water the lawn", &mut all).unwrap();
    said("remind me on Friday at 7pm to water the plants", &mut all).unwrap();
    said("remind me on Monday to put the bins out", &mut all).unwrap();
    assert_eq!(all.len(), 6);
}

#[test]
fn a_reminder_is_cancelled_by_its_words_or_its_number_and_only_where_one_is_meant() {
    let mut all = three();
    assert_eq!(
        said("cancel the reminder about the plants", &mut all).unwrap().0,
        "Cancelled: water the plants."
    );
    assert_eq!(said("delete reminder 1", &mut all).unwrap().0, "Cancelled: turn off the oven.");
    assert_eq!(said("lösch die Erinnerung an die bins", &mut all).unwrap().0, "Gelöscht: put the bins out.");
    assert!(all.is_empty());
    let mut all = three();
    let (reply, outcome) = said("cancel the reminder", &mut all).unwrap();
    assert!(outcome == TurnOutcome::Unknown && all.len() == 3 && reply.contains("1. at 10:10"), "{reply}");
    said("cancel all my reminders", &mut all).unwrap();
    assert!(all.is_empty());
    // The number that is free is given again, and no other changes.
    let mut all = three();
    said("delete reminder 1", &mut all).unwrap();
    said("set a timer for 5 minutes", &mut all).unwrap();
    assert_eq!(all.iter().map(|one| one.id).collect::<Vec<_>>(), [1, 3, 2]);
}

#[test]
fn the_fifty_first_is_refused_and_a_line_said_again_changes_nothing() {
    let mut all = vec![];
    for at in 0..MOST {
        said(&format!("remind me at 6pm to water plant {at}"), &mut all).unwrap();
    }
    let (reply, outcome) = said("remind me at 6pm to water the plants", &mut all).unwrap();
    assert!(all.len() == 50 && outcome == TurnOutcome::Failed && reply.contains("50"), "{reply}");
    let mut all = vec![];
    for line in ["set a timer for 5 minutes", "cancel all my reminders"] {
        let (command, language) = language::remind(line).unwrap();
        let (reply, is_changed) =
            answer(&command, true, language, &Around::default(), &mut all, &now()).unwrap();
        assert!(!is_changed && all.is_empty() && reply.said == "You have no reminders.", "{}", reply.said);
    }
}

#[test]
fn a_file_is_read_as_it_was_written_and_a_line_that_is_none_is_left_out() {
    let all = three();
    assert_eq!(read(&write(&all)), all);
    let spoiled = format!("{{\"id\": 4}}\n\u{0}\n{}[]\n", write(&all));
    assert_eq!(read(&spoiled), all);
    assert_eq!(Again::read("0 08:00"), None);
    assert_eq!(Again::read("200 08:00"), None);
    assert_eq!(Again::read("1"), None);
    for again in ["m1 08:00", "m31 23:59", "m32 08:00", "m66 08:00", "127/2 08:00"] {
        assert_eq!(Again::read(again).unwrap().written(), again);
    }
    for again in ["m0 08:00", "m67 08:00", "m 08:00", "m1 25:00", "m1"] {
        assert_eq!(Again::read(again), None, "{again}");
    }
}

#[test]
fn what_is_due_is_told_once_late_rather_than_never() {
    let all = three();
    let english = Language::DEFAULT;
    let here = now().timestamp().as_second();
    let (told, left) = take_due(all.clone(), &now(), here, english);
    assert!(told.is_empty() && left == all);
    let (told, left) = take_due(all.clone(), &at("2026-11-24T10:10:01+01:00[Europe/Zurich]"), here, english);
    assert_eq!((told, left.len()), (vec!["reminder: turn off the oven".to_owned()], 2));
    // Nobody was there for a month: each is announced once, the one that comes again too, and its next time is ahead.
    let later = at("2026-12-24T10:00:00+01:00[Europe/Zurich]");
    let (told, left) = take_due(all, &later, later.timestamp().as_second(), english);
    assert_eq!(
        told,
        [
            "while you were away, Tuesday, 24 November 2026, 10:10: turn off the oven",
            "while you were away, Friday, 27 November 2026, 18:00: water the plants",
            "while you were away, Monday, 30 November 2026, 09:00: put the bins out",
        ]
    );
    assert_eq!(left.len(), 1);
    assert_eq!(zoned(left[0].due, later.time_zone()), at("2026-12-28T09:00:00+01:00[Europe/Zurich]"));
    assert!(take_due(left, &later, 0, english).0.is_empty());
}

#[test]
fn summer_time_and_a_clock_that_jumps_lose_nothing_and_tell_nothing_twice() {
    let daily = Again::Week(127, jiff::civil::time(2, 30, 0, 0), 1);
    // 02:30 does not exist on that day: it comes when that time would have been.
    let told = at("2026-03-28T02:30:00+01:00[Europe/Zurich]");
    let next = daily.next(&told, &told).unwrap();
    assert_eq!(next, at("2026-03-29T03:30:00+02:00[Europe/Zurich]"));
    // 02:30 comes twice on that day, and is announced at the first.
    let told = at("2026-10-24T02:30:00+02:00[Europe/Zurich]");
    let next = daily.next(&told, &told).unwrap();
    assert_eq!(next, at("2026-10-25T02:30:00+02:00[Europe/Zurich]"));
    assert_eq!(daily.next(&next, &next).unwrap(), at("2026-10-26T02:30:00+01:00[Europe/Zurich]"));
    // The clock went back by an hour after it was announced: not again on that day.
    let weekly = Again::Week(2, jiff::civil::time(18, 0, 0, 0), 1);
    let told = at("2026-11-24T18:00:00+01:00[Europe/Zurich]");
    let back = at("2026-11-24T17:05:00+01:00[Europe/Zurich]");
    assert_eq!(weekly.next(&told, &back).unwrap(), at("2026-12-01T18:00:00+01:00[Europe/Zurich]"));
    // It was a year ahead once: the next time is not a year away.
    let ahead = at("2027-11-23T18:00:00+01:00[Europe/Zurich]");
    assert_eq!(weekly.next(&ahead, &back).unwrap(), at("2026-12-01T18:00:00+01:00[Europe/Zurich]"));
}

#[test]
fn a_moment_that_is_cut_off_sets_no_reminder() {
    for line in [
        "remind me on 31 february to pay",
        "remind me on february 30 to pay",
        "remind me the night before the test",
        "remind me the evening before the trip to pack",
        "remind me tomorrow after the concert to call",
        "erinnere mich am 31. Februar an die Miete",
        "erinnere mich am Abend vor dem Test",
        "erinnere mich morgen nach dem Konzert ans Anrufen",
        "snooze",
    ] {
        let mut all = vec![];
        let (reply, outcome) = said(line, &mut all).unwrap();
        assert!(all.is_empty() && outcome == TurnOutcome::Unknown, "{line}: {reply}");
    }
    for line in ["tell me in three words who you are", "tell me in english what you do", "ping me"] {
        assert!(said(line, &mut vec![]).is_none(), "{line}");
    }
}

#[test]
fn a_time_that_is_named_by_what_people_do_then_is_said_in_the_answer() {
    for (line, reply) in [
        (
            "remind me tomorrow after school to call",
            "I will remind you on Wednesday, 25 November 2026 at 15:00: call.",
        ),
        (
            "erinnere mich morgen nach der Arbeit ans Anrufen",
            "Ich erinnere dich am Mittwoch, 25. November 2026 um 17:30: Anrufen.",
        ),
    ] {
        assert_eq!(said(line, &mut vec![]).unwrap().0, reply, "{line}");
    }
}

#[test]
fn timers_are_a_kind_of_their_own() {
    let two = || {
        let mut all = three();
        said("set a pasta timer for 8 minutes", &mut all).unwrap();
        said("set a timer for 10 minutes", &mut all).unwrap();
        all
    };
    let mut all = two();
    assert_eq!(said("cancel all timers", &mut all).unwrap().0, "Cancelled: pasta; the time is up.");
    assert_eq!(all.len(), 3);
    // Without a timer nothing goes.
    let (reply, outcome) = said("lösch alle Timer", &mut all).unwrap();
    assert!(outcome == TurnOutcome::Unknown && all.len() == 3, "{reply}");
    let mut all = two();
    assert_eq!(said("stop the pasta timer", &mut all).unwrap().0, "Cancelled: pasta.");
    assert_eq!(
        said("add 5 minutes to the timer", &mut all).unwrap().0,
        "I will remind you at 10:15: the time is up."
    );
    assert_eq!(said("stopp den Timer", &mut all).unwrap().0, "Gelöscht: die Zeit ist um.");
    assert_eq!(all, three());
    let read = read(&write(&two()));
    assert_eq!(read.iter().filter(|one| one.timer).count(), 2);
}

#[test]
fn a_reminder_is_moved_without_the_word_for_it() {
    let mut all = vec![];
    said("erinnere mich um 18 Uhr ans Blumengießen", &mut all).unwrap();
    assert_eq!(
        said("verschieb die Blumen auf 19 Uhr", &mut all).unwrap().0,
        "Ich erinnere dich um 19:00: Blumengießen."
    );
    assert!(said("move the meeting to friday", &mut all).is_none());
    let reply = said("postpone the reminder by an hour", &mut all).unwrap().0;
    assert_eq!(reply, "I will remind you at 20:00: Blumengießen.");
}

#[test]
fn a_line_that_may_mean_something_else_cancels_a_reminder_by_its_words_alone() {
    let mut all = three();
    for line in ["remove that", "remove milk", "streich die butter", "delete the last one of them"] {
        assert_eq!(said(line, &mut all), None, "{line}");
        assert_eq!(all, three());
    }
    assert_eq!(said("cancel the plants", &mut all).unwrap().0, "Cancelled: water the plants.");
    assert_eq!(
        said("stop reminding me about the oven", &mut all).unwrap().0,
        "Cancelled: turn off the oven."
    );
    assert_eq!(all.len(), 1);
}

#[test]
fn an_alarm_is_told_from_a_timer_and_hours_are_said_as_hours() {
    let mut all = vec![];
    said("set a timer for 5 minutes", &mut all).unwrap();
    said("wecker 6 uhr", &mut all).unwrap();
    let (reply, _) = said("erinnere mich alle 2 stunden ans trinken", &mut all).unwrap();
    assert_eq!(reply, "Ich erinnere dich alle 2 Stunden: trinken.");
    let (reply, _) = said("remind me every hour to drink", &mut all).unwrap();
    assert_eq!(reply, "I will remind you every hour: drink.");
    said("wecker aus", &mut all).unwrap();
    assert!(all.len() == 3 && all[0].timer && !all.iter().any(Reminder::is_alarm));
    said("timer off", &mut all).unwrap();
    assert_eq!(all.len(), 2);
}

#[test]
fn an_alarm_rings_in_the_morning_where_no_half_of_the_day_is_said() {
    for line in ["set an alarm for 6.30", "alarm at 6.30", "stell einen wecker auf 6.30"] {
        let mut all = vec![];
        said(line, &mut all).unwrap();
        let due = zoned(all[0].due, now().time_zone());
        assert_eq!((due.hour(), due.minute()), (6, 30), "{line}");
    }
}

#[test]
fn a_line_behind_a_reminder_puts_it_right() {
    for (line, then, came) in [
        (
            "remind me tomorrow at 2:30 to put the roast in",
            "make it 2",
            "on Wednesday, 25 November 2026 at 14:00",
        ),
        (
            "remind me thursday at 7pm to study",
            "wait no its 6:30, i got practice after",
            "on Thursday, 26 November 2026 at 18:30",
        ),
        (
            "remind me on thursday at 10:15 to call him",
            "sorry i meant friday, half eleven",
            "on Friday, 27 November 2026 at 11:30",
        ),
        ("remind me on friday at 4 to study", "sorry, saturday", "on Saturday, 28 November 2026 at 16:00"),
        ("remind me at 11 to study", "make it 12", "at 12:00"),
        ("remind me at 11 to study", "make it 9", "at 21:00"),
        ("wake me at 7", "no, 10 to 7", "on Wednesday, 25 November 2026 at 06:50"),
        ("set a timer for 45 minutes", "make it 60 minutes", "at 11:00"),
        ("set a timer for 45 minutes", "actually 20", "at 10:20"),
        (
            "erinner mich morgen um 18 uhr an mathe",
            "ach mach halb sieben",
            "am Mittwoch, 25. November 2026 um 18:30",
        ),
        (
            "remind me every tuesday and thursday 6pm to run",
            "not tuesdays, just thursday",
            "every Thursday at 18:00",
        ),
        (
            "erinner mich jeden dienstag und donnerstag um 18 uhr ans training",
            "nicht dienstags, nur donnerstag",
            "jeden Donnerstag um 18:00",
        ),
        (
            "remind me friday 5pm to pick up the cake",
            "no the cake is at 4",
            "on Friday, 27 November 2026 at 16:00: pick up the cake",
        ),
        (
            "erinnere mich um 16 uhr ben vom hort holen",
            "ach hort ist heut bis 15:30, änder das bitte",
            "um 15:30: ben vom hort holen",
        ),
        ("weck mich um 7", "nee lieber 10 vor 7", "am Mittwoch, 25. November 2026 um 06:50"),
        (
            "erinnere mich am samstag um 9 ans einkaufen",
            "doch besser freitag um 17 uhr",
            "am Freitag, 27. November 2026 um 17:00",
        ),
        ("erinnere mich um 17 uhr an schnuffel", "jeden tag meine ich", "jeden Tag um 17:00"),
        (
            "stell einen timer auf 45 minuten für den braten",
            "der braten braucht länger, mach 60 minuten draus",
            "um 11:00",
        ),
    ] {
        let mut all = vec![];
        said(line, &mut all).unwrap();
        let reply = goes_back(then, &[], &mut all).unwrap_or_else(|| panic!("{line} / {then}"));
        assert!(reply.contains(came) && all.len() == 1, "{line} / {then}: {reply}");
    }
    for then in [
        "make it better",
        "no the train is at 4",
        "the plants are at 4",
        "no, red",
        "make it a good one",
        "mach das licht an",
        "nein danke",
        "not now but later",
    ] {
        let mut all = three();
        assert_eq!(goes_back(then, &[], &mut all), None, "{then}");
        assert_eq!(all, three());
    }
}

#[test]
fn a_line_behind_a_reminder_sets_another_one() {
    for (line, then, came) in [
        (
            "remind me at 8:30 pm to sign it",
            "and at 3.15pm pick him up, every weekday",
            "every Monday, Tuesday, Wednesday, Thursday, Friday at 15:15: pick him up",
        ),
        (
            "remind me every friday at 3pm to send it",
            "and call Mr Okafor on thursday at 10:15",
            "on Thursday, 26 November 2026 at 10:15: call Mr Okafor",
        ),
        (
            "erinner mich heute um 19 uhr an die dosen",
            "und um viertel nach 7 dass jonas seine turnsachen mitnimmt",
            "um 19:15: jonas seine turnsachen mitnimmt",
        ),
        ("timer 12 minuten für die nudeln", "und noch einen 45 min für den braten", "um 10:45: den braten"),
        (
            "erinnere mich jeden tag um 8 an die tabletten",
            "und abends um 7 die andere",
            "jeden Tag um 19:00: die andere",
        ),
        (
            "remind me tomorrow at 8 to pack",
            "and at 9 to ring the bank",
            "on Wednesday, 25 November 2026 at 09:00: ring the bank",
        ),
        (
            "remind me on friday at 6pm to leave",
            "and an hour before too",
            "on Friday, 27 November 2026 at 17:00: leave",
        ),
    ] {
        let mut all = vec![];
        said(line, &mut all).unwrap();
        let reply = goes_back(then, &[], &mut all).unwrap_or_else(|| panic!("{line} / {then}"));
        assert!(reply.contains(came) && all.len() == 2, "{line} / {then}: {reply}");
    }
    for then in [
        "and i have swimming on friday at 5",
        "and my brother comes at 7",
        "und am freitag um 10 hab ich den doktor meier",
        "und mein bruder kommt um 7",
        "and what is 5 + 5",
        "and thanks",
    ] {
        let mut all = three();
        assert_eq!(goes_back(then, &[], &mut all), None, "{then}");
        assert_eq!(all, three());
    }
}

#[test]
fn an_order_beside_a_sentence_has_its_own_moment() {
    for (line, came) in [
        (
            "i got a bio test friday, remind me thursday at 7pm to study",
            "on Thursday, 26 November 2026 at 19:00: study",
        ),
        (
            "i got a bio test friday at 4, remind me please",
            "on Friday, 27 November 2026 at 16:00: i got a bio test",
        ),
        (
            "die tabletten muss ich jeden tag um 8 nehmen, erinnern sie mich bittschön",
            "jeden Tag um 08:00: die tabletten muss ich nehmen",
        ),
        (
            "swimming is on thursdays at 4, remind me to pack his goggles the evening before",
            "every Wednesday at 19:00: pack his goggles",
        ),
        (
            "stell mir jeden mittwoch um 15:30 eine erinnerung flöte einpacken",
            "jeden Mittwoch um 15:30: flöte einpacken",
        ),
        (
            "tell me when its 10 minutes over cos i have to stop the tablet",
            "at 10:10: i have to stop the tablet",
        ),
    ] {
        let mut all = vec![];
        let reply = goes_back(line, &[], &mut all).unwrap_or_else(|| panic!("{line}"));
        assert!(reply.contains(came) && all.len() == 1, "{line}: {reply}");
    }
    // Two moments are two reminders.
    for (line, came) in [
        (
            "I take the white pill at 8 in the morning and the blue one at 9 at night. Please remind me every day.",
            ["every day at 08:00: I take the white pill", "every day at 21:00: the blue one"],
        ),
        (
            "frau Krüger nimmt tablete 8 uhr und 20 uhr bitte sag mir jeden tag",
            [
                "jeden Tag um 08:00: frau Krüger nimmt tablete",
                "jeden Tag um 20:00: frau Krüger nimmt tablete",
            ],
        ),
        (
            "hab morgen um 10 zahnarzt und um 14 uhr referat, bitte beides ne halbe stund vorher",
            ["am Mittwoch, 25. November 2026 um 09:30", "am Mittwoch, 25. November 2026 um 13:30: referat"],
        ),
    ] {
        let mut all = vec![];
        let reply = goes_back(line, &[], &mut all).unwrap_or_else(|| panic!("{line}"));
        assert!(came.iter().all(|came| reply.contains(came)) && all.len() == 2, "{line}: {reply}");
    }
}

#[test]
fn a_moment_that_is_counted_from_another_needs_that_one() {
    for (before, line, came) in [
        (
            "Dr. Feldman is my heart doctor. Appointment is December 10 at 1:45",
            "Remind me of it the day before at noon",
            "on Wednesday, 9 December 2026 at 12:00: Appointment is December 10 at 1:45",
        ),
        (
            "Die Rechnung ist am 18.12. fällig.",
            "Erinnern Sie mich zwei Tage vorher um 8 Uhr an die Rechnung",
            "am Mittwoch, 16. Dezember 2026 um 08:00: die Rechnung",
        ),
        (
            "the concert is on 20 December at 7pm",
            "remind me an hour before the concert to leave",
            "on Sunday, 20 December 2026 at 18:00: leave",
        ),
        (
            "am 14. Dezember ist der Elternabend",
            "erinnere mich am Vorabend dran",
            "am Sonntag, 13. Dezember 2026 um 19:00",
        ),
    ] {
        let mut all = vec![];
        let reply = goes_back(line, &[before], &mut all).unwrap_or_else(|| panic!("{line}"));
        assert!(reply.contains(came) && all.len() == 1, "{line}: {reply}");
        let mut all = vec![];
        let (reply, outcome) = said(line, &mut all).unwrap();
        let is_honest =
            reply.contains("the day that you count from") || reply.contains("von welchem Tag an du");
        assert!(all.is_empty() && outcome == TurnOutcome::Unknown && is_honest, "{line}: {reply}");
    }
    for (before, line, came) in [
        (
            "Greta go to ballet at thursday in 4 o'clock",
            "make me remember this at 3:30",
            "on Thursday, 26 November 2026 at 15:30: Greta go to ballet",
        ),
        (
            "I have the dentist on Thursday at ten past two",
            "remind me at 1",
            "26 November 2026 at 13:00: I have",
        ),
        ("I have the dentist on Thursday at ten past two", "remind me at 6", "at 18:00: the time is up"),
        (
            "frau lenz hat heut besuch um elf vom sohn",
            "sag mir kurz vor elf bescheid",
            "um 10:55: frau lenz hat heut besuch um elf vom sohn",
        ),
        (
            "die versammlung ist am 21. März um 19 Uhr im Gasthof Krone",
            "bitte eine woche vorher erinnern wegen der einladungen",
            "am Sonntag, 14. März 2027 um 09:00: einladungen",
        ),
        (
            "da Tierarzt kummt am Freitag um dreiviertel zwoa",
            "erinner mi a Stund vorher",
            "am Freitag, 27. November 2026 um 12:45",
        ),
    ] {
        let mut all = vec![];
        let reply = goes_back(line, &[before], &mut all).unwrap_or_else(|| panic!("{line}"));
        assert!(reply.contains(came) && all.len() == 1, "{before} / {line}: {reply}");
    }
    // A day that is over stays one.
    let mut all = vec![];
    let past = goes_back("remind me of it the day before at noon", &["the match is today at 6"], &mut all);
    assert!(past.is_none() && all.is_empty());
}

#[test]
fn a_reminder_is_cancelled_by_a_clause_and_asked_for_by_its_day_and_the_time_that_is_left() {
    let two = || {
        let mut all = three();
        said("set a timer for 20 minutes for the onions", &mut all).unwrap();
        said("timer 8 minuten für die nudeln", &mut all).unwrap();
        all
    };
    for (line, came) in [
        ("cancel the plants thing, found it already", "Cancelled: water the plants."),
        ("stop the onion timer, they burned. damn it", "Cancelled: the onions."),
        ("nudeln sind schon fertig, den timer brauch ich nimmer", "Gelöscht: die nudeln."),
        ("die mit den bins kann weg, fällt aus", "Gelöscht: put the bins out."),
    ] {
        let mut all = two();
        assert_eq!(goes_back(line, &[], &mut all).as_deref(), Some(came), "{line}");
        assert_eq!(all.len(), 4);
    }
    for (line, came) in [
        ("how long left on the onions?", "the onions: 20 minutes left (at 10:20)."),
        ("wie lang noch bei den nudeln?", "die nudeln: noch 8 Minuten (um 10:08)."),
        (
            "any reminders left for friday",
            "Your reminders:\n4. on Friday, 27 November 2026 at 18:00: water the plants",
        ),
        ("was hab ich am montag", "Deine Erinnerungen:\n5. jeden Montag um 09:00: put the bins out"),
    ] {
        let mut all = two();
        assert_eq!(said(line, &mut all).map(|(said, _)| said).as_deref(), Some(came), "{line}");
        assert_eq!(all, two());
    }
    for line in
        ["what is on the telly", "was hab ich vergessen", "how long until christmas", "how long till 8:40"]
    {
        assert_eq!(said(line, &mut two()), None, "{line}");
    }
}

#[test]
fn the_time_that_is_left_is_that_of_the_moment_beside_the_question_and_a_timer_gets_more() {
    let mut all = three();
    let left = goes_back("schichtende 13:30, wie lange noch", &[], &mut all);
    assert_eq!(left.as_deref(), Some("schichtende: noch 3 Stunden 30 Minuten (um 13:30)."));
    assert_eq!(all, three());
    said("timer for 45 min, dough", &mut all).unwrap();
    let more = said("put 5 more mins on the dough one", &mut all).unwrap().0;
    assert_eq!(more, "I will remind you at 10:50: dough.");
    let more = said("gib dem dough noch 5 minuten", &mut all).unwrap().0;
    assert_eq!(more, "Ich erinnere dich um 10:55: dough.");
}
