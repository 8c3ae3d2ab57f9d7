use std::fs;
use std::io::Write as _;

use receipts::{Attempt, Disk};
use shared_types::risk::Risk;

use super::*;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn weekly(day: &str) -> Times {
    let text = format!("weekly_digest: {{profiles: [anna], day: {day}}}\n");
    Config::parse("admin.yaml".as_ref(), &text).unwrap().weekly_digest.unwrap().times
}

/// The digests of a profile whose counting began, and of which these were made.
fn digests(began: &str, made: &[&str]) -> Digests {
    let mut ledger = ledger::schedules::Schedules::default();
    let (name, profile) = (DIGEST.parse().unwrap(), "anna".parse::<ProfileId>().unwrap());
    ledger.follow(began, &name, &ScheduleEvent::DigestBegins { profile: profile.clone() });
    for until in made {
        let told = ScheduleEvent::DigestMade {
            profile: profile.clone(),
            until: at(until),
            counts: Counts::default(),
        };
        ledger.follow(until, &name, &told);
    }
    ledger.digests(&profile)
}

#[test]
fn a_week_is_over_at_its_time_and_several_that_were_missed_are_one_digest() {
    let times = weekly("monday");
    let monday = |zoned: Timestamp| local(zoned).strftime("%A %H:%M").to_string();
    let begun = digests("2026-11-25T12:00:00Z", &[]);
    let due_at = |digests: &Digests, now| due(digests, digests.since().unwrap(), &times, at(now));
    assert_eq!(due_at(&begun, "2026-11-27T12:00:00Z"), None, "no Monday came");
    let first = due_at(&begun, "2026-12-02T12:00:00Z").unwrap();
    assert_eq!(monday(first), "Monday 07:00");
    // The machine slept for weeks.
    let late = due_at(&begun, "2026-12-23T12:00:00Z").unwrap();
    assert_eq!((monday(late), local(late).day()), ("Monday 07:00".to_owned(), 21));
    let made = digests("2026-11-25T12:00:00Z", &[&late.to_string()]);
    assert_eq!(made.since(), Some(late));
    assert_eq!(due_at(&made, "2026-12-23T12:00:01Z"), None, "never twice");
    assert_eq!(due_at(&made, "2026-12-29T12:00:00Z").map(|next| local(next).day()), Some(28));
}

#[test]
fn another_day_in_the_configuration_makes_no_second_digest_within_six_days() {
    let made = digests("2026-11-25T12:00:00Z", &["2026-11-30T07:00:00Z"]);
    let since = made.since().unwrap();
    for day in ["tuesday", "wednesday", "saturday"] {
        assert_eq!(due(&made, since, &weekly(day), at("2026-12-05T23:00:00Z")), None, "{day}");
    }
    assert!(due(&made, since, &weekly("tuesday"), at("2026-12-09T12:00:00Z")).is_some());
}

#[test]
fn the_approver_gets_a_digest_once_it_was_shown_or_two_days_later() {
    let digests = digests("2026-11-25T12:00:00Z", &["2026-11-30T07:00:00Z"]);
    let [digest] = digests.kept() else { panic!("one digest") };
    assert!(!is_open(digest, 0, at("2026-12-02T06:59:59Z")));
    assert!(is_open(digest, 0, at("2026-12-02T07:00:00Z")));
    assert!(is_open(digest, 1, at("2026-11-30T07:00:01Z")));
}

#[test]
fn what_was_withdrawn_is_no_refusal_and_only_the_week_counts() {
    let step = |timestamp: &str, status, actor: &str| HistoryEntry {
        timestamp: timestamp.to_owned(),
        status,
        actor: actor.to_owned(),
        reason: None,
    };
    let week = (at("2026-11-23T07:00:00Z"), at("2026-11-30T07:00:00Z"));
    let mut asked = Asked::default();
    let history = [
        step("2026-11-22T07:00:00Z", Status::New, PROPOSER),
        step("2026-11-23T06:59:59Z", Status::HumanReview, "policy"),
        step("2026-11-23T07:00:00Z", Status::Accepted, "owner"),
    ];
    count(&mut asked, &history, week);
    assert_eq!(asked, Asked { asked: 0, approved: 1, refused: 0 });
    let new = step("2026-11-24T07:00:00Z", Status::New, PROPOSER);
    count(&mut asked, &[new.clone(), step("2026-11-24T08:00:00Z", Status::Rejected, PROPOSER)], week);
    count(&mut asked, &[new, step("2026-11-30T07:00:00Z", Status::Rejected, "owner")], week);
    assert_eq!(asked, Asked { asked: 2, approved: 1, refused: 0 });
}

/// A receipt of that moment as a line of a file.
fn receipt(timestamp: &str, status: CallStatus) -> String {
    let attempt = Attempt {
        conversation: "c",
        tool: "DATE",
        args: &serde_json::Value::Null,
        result: "",
        status,
        approved_by: "policy",
        risk: Risk::Low,
        network: &[],
    };
    Receipt { timestamp: timestamp.to_owned(), ..Receipt::after("", &attempt, None) }.line() + "\n"
}

#[test]
fn large_files_of_receipts_are_counted_rightly_and_no_line_of_them_ends_the_count() {
    let folder = tempfile::tempdir().unwrap();
    let week = (at("2026-11-23T07:00:00Z"), at("2026-11-30T07:00:00Z"));
    let put = |name: &str, parts: &[&str]| {
        let mut file = fs::File::create(folder.path().join(name)).unwrap();
        parts.iter().for_each(|part| file.write_all(part.as_bytes()).unwrap());
    };
    let made = receipt("2026-11-24T07:00:00.000Z", CallStatus::Allowed);
    let denied = receipt("2026-11-24T07:00:00.000Z", CallStatus::Denied);
    let before = receipt("2026-11-22T07:00:00.000Z", CallStatus::Allowed);
    let (many, long) = (made.repeat(20_000), "x".repeat(9 << 20));
    // The oldest file is not read: the one after it begins before the week.
    put("receipts.1.jsonl", &[&made]);
    put("receipts.2.jsonl", &[&before, &many]);
    put("receipts.jsonl", &[&many, &long, "\n", &denied, "no receipt\n", &denied, "{"]);
    let files = Disk::new(folder.path());
    assert_eq!(calls_in(&files, week), Calls { made: 40_000, denied: 2, failed: 0 });
    // Of more than is read the newest counts: here a line alone, of zeros that need no room on the disk.
    let file = fs::OpenOptions::new().write(true).open(folder.path().join("receipts.jsonl")).unwrap();
    file.set_len(MOST_READ + 1).unwrap();
    assert_eq!(calls_in(&files, week), Calls { made: 20_000, denied: 2, failed: 0 });
}
