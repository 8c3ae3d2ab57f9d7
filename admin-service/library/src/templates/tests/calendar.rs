//! The skill that reads a calendar file, compiled and asked; today is Sunday, 2026-02-08, an hour ahead of universal time.

use super::answers::{answers, learn};
use super::harness::{Built, Said};
use super::*;

fn calendar() -> Built {
    learn("learn to read my calendar", &["file:read"])
}

/// The skill with a file of these events, each as its lines.
fn with(events: &[&str]) -> Built {
    let mut built = calendar();
    let events: String =
        events.iter().map(|lines| format!("BEGIN:VEVENT\r\n{lines}\r\nEND:VEVENT\r\n")).collect();
    let file = format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{events}END:VCALENDAR\r\n");
    built.world.files.insert("calendar.ics".to_owned(), file.replace('|', "\r\n"));
    built
}

/// The days of February and March 2026 on which an event of such lines is.
fn days(lines: &str) -> Vec<String> {
    let mut built = with(&[&format!("SUMMARY:X|{lines}")]);
    let dates = (1..=28)
        .map(|day| format!("2026-02-{day:02}"))
        .chain((1..=31).map(|day| format!("2026-03-{day:02}")));
    dates
        .filter(|date| match built.say(&format!("what is on {date}")) {
            Said::Answer(text) => {
                assert!(!text.contains("could not read"), "{lines}: {text}");
                text.contains("X")
            }
            other => panic!("{lines}: {other:?}"),
        })
        .map(|date| date["2026-".len()..].to_owned())
        .collect()
}

#[test]
fn the_events_of_a_day_are_listed_in_order_in_both_languages() {
    let mut built = with(&[
        "SUMMARY:Dentist|LOCATION:Main Street 5\\, 2nd floor|DTSTART;TZID=Europe/Berlin:20260209T140000|DTEND;TZID=Europe/Berlin:20260209T143000",
        "SUMMARY:Choir|DTSTART:20260209T073000Z|DURATION:PT1H30M",
        "SUMMARY:Grandma's birthday|DTSTART;VALUE=DATE:20260209",
        "SUMMARY:A very long title that the program which wrote|  the file folded\\; with a mark|DTSTART:20260209T200000",
        "SUMMARY:Called off|STATUS:CANCELLED|DTSTART:20260209T100000",
        "SUMMARY:Football|DTSTART:20260213T170000|BEGIN:VALARM|TRIGGER:-PT15M|DURATION:PT5M|DTSTART:20260209T170000|END:VALARM",
    ]);
    let monday = "On Monday, 2026-02-09:\n- all day: Grandma's birthday\n- 08:30-10:00: Choir\n\
                  - 14:00-14:30: Dentist, Main Street 5, 2nd floor\n\
                  - 20:00: A very long title that the program which wrote the file folded; with a mark";
    let friday = "On Friday, 2026-02-13:\n- 17:00: Football";
    let german_friday = "Am Freitag, 13.2.2026:\n- 17:00: Football";
    let nothing = "Nothing is on your calendar on Sunday, 2026-02-08.";
    answers(
        &mut built,
        &[
            ("what is on tomorrow?", monday),
            ("what's on my calendar tomorrow?", monday),
            ("what do I have on Monday?", monday),
            ("what is on February 9?", monday),
            ("what is on my calendar today?", nothing),
            ("what is on my calendar?", nothing),
            ("what is on Friday?", friday),
            ("what is planned for next Friday?", friday),
            ("show me my appointments on 2026-02-13", friday),
            ("was steht am Freitag an?", german_friday),
            ("was steht heute an?", "In deinem Kalender steht nichts am Sonntag, 8.2.2026."),
            ("was steht am 13.2. im Kalender?", german_friday),
            ("was habe ich am Freitag vor?", german_friday),
            ("what is on your mind?", "-"),
            ("was steht in der Zeitung?", "-"),
        ],
    );
    let german = match built.say("was steht morgen an?") {
        Said::Answer(text) => text,
        other => panic!("{other:?}"),
    };
    assert!(
        german.starts_with("Am Montag, 9.2.2026:\n- ganztägig: Grandma's birthday\n- 08:30-10:00: Choir"),
        "{german}"
    );
}

#[test]
fn an_event_of_several_days_is_on_each_of_them() {
    assert_eq!(days("DTSTART;VALUE=DATE:20260210|DTEND;VALUE=DATE:20260213"), ["02-10", "02-11", "02-12"]);
    let mut built = with(&["SUMMARY:Night shift|DTSTART:20260210T220000|DTEND:20260211T060000"]);
    answers(
        &mut built,
        &[
            ("what is on 2026-02-10?", "On Tuesday, 2026-02-10:\n- 22:00: Night shift"),
            ("what is on 2026-02-11?", "On Wednesday, 2026-02-11:\n- until 06:00: Night shift"),
            ("what is on 2026-02-12?", "Nothing is on your calendar on Thursday, 2026-02-12."),
        ],
    );
}

#[test]
fn events_recur_by_their_rules() {
    for (lines, expected) in [
        ("DTSTART:20260224T090000|RRULE:FREQ=DAILY;INTERVAL=2;COUNT=3", vec!["02-24", "02-26", "02-28"]),
        ("DTSTART:20260323T090000|RRULE:FREQ=WEEKLY;BYDAY=MO,WE", vec!["03-23", "03-25", "03-30"]),
        ("DTSTART:20260202T090000|RRULE:FREQ=WEEKLY;INTERVAL=3", vec!["02-02", "02-23", "03-16"]),
        ("DTSTART:20260202T090000|RRULE:FREQ=WEEKLY;UNTIL=20260216T090000", vec!["02-02", "02-09", "02-16"]),
        ("DTSTART:20260202T090000|RRULE:FREQ=WEEKLY;UNTIL=20260216T075900Z", vec!["02-02", "02-09"]),
        ("DTSTART:20251231T090000|RRULE:FREQ=MONTHLY", vec!["03-31"]),
        ("DTSTART:20260113T090000|RRULE:FREQ=MONTHLY;BYDAY=2TU", vec!["02-10", "03-10"]),
        ("DTSTART:20260130T090000|RRULE:FREQ=MONTHLY;BYDAY=-1FR", vec!["02-27", "03-27"]),
        (
            "DTSTART:20260101T090000|RRULE:FREQ=MONTHLY;BYMONTHDAY=1,-1",
            vec!["02-01", "02-28", "03-01", "03-31"],
        ),
        ("DTSTART;VALUE=DATE:19840214|RRULE:FREQ=YEARLY", vec!["02-14"]),
        ("DTSTART;VALUE=DATE:20240229|RRULE:FREQ=YEARLY", vec![]),
        ("DTSTART:20200329T020000|RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", vec!["03-29"]),
        (
            "DTSTART:20260202T090000|RRULE:FREQ=WEEKLY;COUNT=4|EXDATE:20260209T090000,20260216T090000",
            vec!["02-02", "02-23"],
        ),
        ("DTSTART:20260202T090000|RRULE:FREQ=WEEKLY;COUNT=2|EXDATE:20260209T080000Z", vec!["02-02"]),
        (
            "DTSTART:20260202T220000|DURATION:PT4H|RRULE:FREQ=WEEKLY;COUNT=2",
            vec!["02-02", "02-03", "02-09", "02-10"],
        ),
        // Near midnight universal time is another day.
        ("DTSTART:20260209T233000Z", vec!["02-10"]),
    ] {
        assert_eq!(days(lines), expected, "{lines}");
    }
}

#[test]
fn one_event_of_a_series_is_moved_or_called_off() {
    let mut built = with(&[
        "UID:a|SUMMARY:Piano|DTSTART:20260202T160000|RRULE:FREQ=WEEKLY",
        "UID:a|SUMMARY:Piano at another hour|RECURRENCE-ID:20260209T160000|DTSTART:20260210T180000",
        "UID:a|SUMMARY:Piano|STATUS:CANCELLED|RECURRENCE-ID:20260216T160000|DTSTART:20260216T160000",
    ]);
    answers(
        &mut built,
        &[
            ("what is on 2026-02-09?", "Nothing is on your calendar on Monday, 2026-02-09."),
            ("what is on 2026-02-10?", "On Tuesday, 2026-02-10:\n- 18:00: Piano at another hour"),
            ("what is on 2026-02-16?", "Nothing is on your calendar on Monday, 2026-02-16."),
            ("what is on 2026-02-23?", "On Monday, 2026-02-23:\n- 16:00: Piano"),
        ],
    );
}

#[test]
fn an_event_that_cannot_be_read_is_named_and_counted() {
    let mut built = with(&[
        "SUMMARY:Fine|DTSTART:20260209T100000",
        "SUMMARY:No such day|DTSTART:20260230T100000",
        "SUMMARY:No start",
        "SUMMARY:By the hour|DTSTART:20260209T100000|RRULE:FREQ=HOURLY",
        "SUMMARY:By place|DTSTART:20260209T100000|RRULE:FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1",
        "SUMMARY:Never|DTSTART:20260209T100000|RRULE:FREQ=DAILY;INTERVAL=0",
        "SUMMARY:Backwards|DTSTART:20260209T100000|DTEND:20260209T090000",
    ]);
    let (listed, list) =
        ("On Monday, 2026-02-09:\n- 10:00: Fine", "No such day, No start, By the hour, By place, Never, ...");
    answers(
        &mut built,
        &[
            ("what is on tomorrow?", &format!("{listed}\nI could not read 6 events: {list}.")),
            (
                "was steht am Dienstag an?",
                &format!(
                    "In deinem Kalender steht nichts am Dienstag, 10.2.2026.\n6 Termine konnte ich nicht lesen: {list}."
                ),
            ),
        ],
    );
}

#[test]
fn times_of_several_zones_are_told_with_their_zone() {
    let mut built = with(&[
        "SUMMARY:Here|DTSTART;TZID=Europe/Berlin:20260209T100000",
        "SUMMARY:There|DTSTART;TZID=\"America/New_York\":20260209T090000",
        "SUMMARY:Anywhere|DTSTART:20260209T110000",
    ]);
    let all = "On Monday, 2026-02-09:\n- 09:00 (America/New_York): There\n- 10:00 (Europe/Berlin): Here\n- 11:00: Anywhere";
    answers(&mut built, &[("what is on tomorrow?", all)]);
}

#[test]
fn what_is_no_calendar_is_refused() {
    let broken = "!calendar.ics is not a calendar file: it does not begin with BEGIN:VCALENDAR and end with END:VCALENDAR.";
    let mut built = calendar();
    answers(
        &mut built,
        &[
            (
                "what is on tomorrow?",
                "There is no calendar file yet: put calendar.ics into the folder some-skill of the workspace.",
            ),
            (
                "was steht morgen an?",
                "Noch fehlt die Kalenderdatei: Leg calendar.ics in den Ordner some-skill des Arbeitsbereichs.",
            ),
        ],
    );
    let cut = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Cut\r\nDTSTART:20260209";
    for text in ["", "\n\n", "Dear diary", "<ics/>", cut, "\u{feff}", "BEGIN:VCALENDAR:"] {
        built.world.files.insert("calendar.ics".to_owned(), text.to_owned());
        answers(&mut built, &[("what is on tomorrow?", broken)]);
    }
}

/// A file as large as the host gives out, all of whose events recur, is read within the fuel of one call; what it says stays on
/// lines of its own.
#[test]
fn a_full_file_is_read_and_its_text_stays_text() {
    let event =
        "UID:u|SUMMARY:Every day\\nsay yes \u{1b}[31m|DTSTART:20200101T100000|RRULE:FREQ=DAILY;COUNT=100000";
    let events: Vec<&str> = std::iter::repeat_n(event, 20).collect();
    let mut built = with(&events);
    let Said::Answer(text) = built.say("what is on tomorrow?") else { panic!() };
    assert_eq!(text.matches("\n- 10:00: Every day say yes [31m").count(), 20, "{text}");
    let plain = "SUMMARY:Every week|DTSTART:20200101T100000|RRULE:FREQ=WEEKLY;BYDAY=MO|DESCRIPTION:none";
    let events: Vec<&str> = std::iter::repeat_n(plain, 1_110).collect();
    let mut built = with(&events);
    assert!(built.world.files["calendar.ics"].len() > 126 * 1024);
    let Said::Answer(text) = built.say("what is on tomorrow?") else { panic!() };
    assert!(text.ends_with("\nand 1080 more"), "{text}");
}

#[test]
fn the_file_is_the_one_that_the_wish_names() {
    for (wish, file) in [
        ("learn to read my calendar", "calendar.ics"),
        ("lerne, meinen Kalender zu lesen", "calendar.ics"),
        ("learn to read my calendar from our-family.ics.", "our-family.ics"),
        ("learn to read my calendar from ../secret.ics", "calendar.ics"),
        ("lerne, den Familienkalender aus „familie.ics“ zu lesen", "familie.ics"),
    ] {
        let written = written(&proposal(wish, &["file:read"]));
        assert_eq!(written.author.to_string(), format!("template calendar (file={file})"), "{wish}");
    }
}

#[test]
fn other_wishes_about_calendars_are_left_to_others() {
    for wish in [
        "learn to add events to my calendar",
        "lerne, Termine in meinen Kalender einzutragen",
        "learn to sync my google calendar",
    ] {
        let answer = write(&proposal(wish, &["file:read"]));
        assert!(
            matches!(&answer, Answer::NotMine(why) if why.contains("reads a calendar file")),
            "{wish}: {answer:?}"
        );
    }
    assert!(matches!(write(&proposal("learn to read my calendar", &[])), Answer::Infeasible { .. }));
}
