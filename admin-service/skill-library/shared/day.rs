/// The day that a line names: `tomorrow`, `on Friday`, `24 December`, `am 24.12.`, `2030-01-31`.
fn day_named(text: &str, today: Date) -> Option<Date> {
    let text = lower(text.trim_matches(|letter: char| letter.is_whitespace() || matches!(letter, '?' | '!' | ',')));
    let mut words: Vec<&str> = text.split_whitespace().collect();
    while words.len() > 1 && BEFORE_A_DAY.contains(&words[0]) {
        words.remove(0);
    }
    let day = words.join(" ");
    let ahead = match day.as_str() {
        "today" | "tonight" | "heute" | "heute abend" => 0,
        "tomorrow" | "morgen" => 1,
        "day after tomorrow" | "übermorgen" => 2,
        "yesterday" | "gestern" => -1,
        _ => match DAY_NAMES.iter().position(|names| names.contains(&day.as_str())) {
            Some(at) => {
                let days = (at as i64 - weekday(today)).rem_euclid(7);
                // The next Friday is not today.
                let is_next = text.contains("next ") || text.contains("nächste");
                if days == 0 && is_next { 7 } else { days }
            }
            None => return dated(&day, today),
        },
    };
    today.plus_days(ahead)
}

/// A date; the next such day where it names no year.
fn dated(text: &str, today: Date) -> Option<Date> {
    let text = text.replacen(" of ", " ", 1);
    let in_year = |year: i64| Date::parse(&format!("{} {}", text, year)).or_else(|| Date::parse(&format!("{}{}", text, year)));
    Date::parse(&text).or_else(|| in_year(today.year()).filter(|date| *date >= today)).or_else(|| in_year(today.year() + 1))
}

const BEFORE_A_DAY: &[&str] = &[
    "on", "for", "the", "this", "next", "coming", "am", "für", "der", "den", "dem", "diesen", "nächsten", "kommenden",
];

const DAY_NAMES: &[&[&str]] = &[
    &["monday", "mon", "montag"],
    &["tuesday", "tue", "dienstag"],
    &["wednesday", "wed", "mittwoch"],
    &["thursday", "thu", "donnerstag"],
    &["friday", "fri", "freitag"],
    &["saturday", "sat", "samstag", "sonnabend"],
    &["sunday", "sun", "sonntag"],
];

/// A day as the answer writes it.
fn shown(date: Date, german: bool) -> String {
    if german {
        let names = ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"];
        format!("{}, {}.{}.{}", names[weekday(date) as usize], date.day(), date.month(), date.year())
    } else {
        format!("{}, {}", date.weekday(), date)
    }
}

/// Monday is 0.
fn weekday(date: Date) -> i64 {
    (date.days() + 3).rem_euclid(7)
}
