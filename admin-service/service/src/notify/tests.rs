use std::collections::BTreeSet;

use shared_types::capability::Token;
use shared_types::id::ProposalId;

use super::sent::SentLog;
use super::*;

fn notice(tokens: &[Token]) -> Notice {
    Notice {
        id: ProposalId::generate(),
        kind: "skill".into(),
        profile: "default".parse().unwrap(),
        tokens: Some(tokens.iter().copied().collect()),
        recommendation: "APPROVE".into(),
        words: None,
    }
}

#[test]
fn a_digest_counts_and_lists_within_its_bounds() {
    let one = Digest { notices: vec![notice(&[Token::MemoryRead])], waiting: 3, test: false, page: None };
    assert_eq!(one.title(), "1 proposal waits for you (2 more since before)");
    assert!(one.text().contains("profile default  tokens: memory:read  APPROVE\n"), "{}", one.text());
    let unread =
        Digest { notices: vec![Notice { tokens: None, ..notice(&[]) }], waiting: 1, test: false, page: None };
    assert!(unread.text().contains("tokens: unknown"), "{}", unread.text());
    let many =
        Digest { notices: (0..50).map(|_| notice(&[])).collect(), waiting: 50, test: false, page: None };
    assert!(many.text().contains("\nand 30 more\n") && many.text().lines().count() < 30, "{}", many.text());
    assert_eq!(many.json()["new"], 50);
    assert_eq!(many.json()["proposals"].as_array().map(Vec::len), Some(20));
}

#[test]
fn an_alarm_says_that_something_was_tampered_with_and_where_to_look_and_not_what() {
    let alarm = Notice { kind: "alarm".into(), tokens: None, recommendation: String::new(), ..notice(&[]) };
    let digest = Digest { notices: vec![notice(&[]), alarm], waiting: 2, test: false, page: None };
    assert_eq!(digest.title(), "ALARM: what is on record was tampered with (1)");
    assert!(digest.text().ends_with("\ncl-admin audit list\n"), "{}", digest.text());
    assert_eq!(
        (&digest.json()["event"], &digest.json()["next"]),
        (&"alarm".into(), &"cl-admin audit list".into())
    );
}

#[test]
fn a_failed_backup_stands_before_proposals_and_behind_an_alarm() {
    let backup = || Notice { kind: "backup".into(), recommendation: "FAILED".into(), ..notice(&[]) };
    let alarm = Notice { kind: "alarm".into(), ..notice(&[]) };
    let told = |notices: Vec<Notice>, waiting| {
        let digest = Digest { notices, waiting, test: false, page: None };
        (digest.title(), digest.json()["event"].clone(), digest.next())
    };
    assert_eq!(
        told(vec![backup()], 0),
        ("the backup failed".to_owned(), "backup-failed".into(), "cl-admin status")
    );
    assert_eq!(
        told(vec![backup(), notice(&[])], 3).0,
        "the backup failed; waiting for you: 1 (2 more since before)"
    );
    assert_eq!(told(vec![backup(), alarm], 1).2, "cl-admin audit list");
    let stopped = Notice { kind: "no-backup".into(), recommendation: "STOPPED".into(), ..notice(&[]) };
    assert_eq!(
        told(vec![stopped], 0),
        ("the backups have stopped".to_owned(), "backups-stopped".into(), "cl-admin status")
    );
}

#[test]
fn a_scheduled_run_is_told_with_its_profile_and_its_outcome() {
    let run = |outcome: &str| Notice {
        kind: "schedule".into(),
        profile: "anna".parse().unwrap(),
        recommendation: outcome.into(),
        ..notice(&[])
    };
    let told = |notices: Vec<Notice>, waiting| {
        let digest = Digest { notices, waiting, test: false, page: None };
        (digest.title(), digest.json()["event"].clone(), digest.next())
    };
    let list = "cl-admin schedule list";
    for (outcome, title, event) in [
        ("DONE", "a scheduled run ended (anna)", "schedule-ended"),
        ("WAITS", "a scheduled run waits for a person (anna)", "schedule-waits"),
        ("FAILED", "a scheduled run failed (anna)", "schedule-failed"),
    ] {
        assert_eq!(told(vec![run(outcome)], 0), (title.to_owned(), event.into(), list));
    }
    let reminder = Notice { kind: "reminder".into(), ..run("DUE") };
    assert_eq!(
        told(vec![reminder], 0),
        ("a reminder is due (anna)".to_owned(), "reminder-due".into(), "cl-bot agent")
    );
    let stranger = Notice { kind: "unknown-sender".into(), ..run("") };
    assert_eq!(
        told(vec![stranger], 0).0,
        "an unknown account wrote to the assistant (anna)",
        "and never its name, which a stranger chose"
    );
    let backup = Notice { kind: "backup".into(), ..notice(&[]) };
    let both = vec![run("DONE"), run("DONE"), backup, notice(&[])];
    assert_eq!(
        told(both, 1),
        (
            "the backup failed; a scheduled run ended (anna); waiting for you: 1".to_owned(),
            "backup-failed".into(),
            "cl-admin status"
        )
    );
}

/// One item has its own page, several have the list, and what the page does not show has none.
#[test]
fn a_link_leads_to_what_waits_and_stands_beside_no_alarm() {
    let link = |notices: &[Notice], page: Option<&str>| {
        let page = page.map(|page| page.parse().unwrap());
        let digest = Digest { notices: notices.to_vec(), waiting: notices.len(), test: false, page };
        assert_eq!(digest.json().get("link").and_then(|link| link.as_str()), digest.link().as_deref());
        digest.link()
    };
    let page = Some("https://review.example.org");
    let (one, other) = (notice(&[]), Notice { kind: "action".into(), ..notice(&[]) });
    let item = format!("https://review.example.org/item/{}", one.id);
    let backup = Notice { kind: "backup".into(), ..notice(&[]) };
    let alarm = Notice { kind: "alarm".into(), ..notice(&[]) };
    assert_eq!(link(std::slice::from_ref(&one), None), None);
    assert_eq!(link(std::slice::from_ref(&one), page), Some(item.clone()));
    assert_eq!(link(&[backup.clone(), one.clone()], page), Some(item));
    assert_eq!(link(&[one.clone(), other], page).as_deref(), Some("https://review.example.org/"));
    assert_eq!(link(&[backup], page), None);
    assert_eq!(link(&[one, alarm], page), None, "what was tampered with comes first");
    let test = |page: Option<&str>| Digest::test(page.map(|page| page.parse().unwrap())).link();
    assert_eq!((test(page).as_deref(), test(None)), (Some("https://review.example.org/"), None));
}

#[test]
fn a_ledger_remembers_what_was_told_and_forgets_what_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::new(folder.path().to_owned(), None);
    std::fs::create_dir_all(home.admin()).unwrap();
    let (one, two) = (ProposalId::generate(), ProposalId::generate());
    let mut sent = SentLog::read(&home, "phone");
    assert!(sent.failed("no answer").unwrap());
    assert!(!sent.failed("still none").unwrap(), "a series of failures is reported once");
    let since = sent.fault().unwrap().0;
    assert_eq!(SentLog::read(&home, "phone").fault(), Some((since, "still none".to_owned())));
    sent.told([one.clone(), two.clone()], &BTreeSet::from([one.clone(), two.clone()])).unwrap();
    let mut again = SentLog::read(&home, "phone");
    assert!(again.has(&one) && again.has(&two) && again.fault().is_none() && again.told_at().is_some());
    again.told([], &BTreeSet::from([two.clone()])).unwrap();
    assert!(!SentLog::read(&home, "phone").has(&one) && again.has(&two));
    // Another notifier has a ledger of its own; one that cannot be read has told nothing.
    assert!(!SentLog::read(&home, "mail").has(&two));
    std::fs::write(home.admin().join("notified/phone.json"), "{\"told\": [").unwrap();
    assert!(!SentLog::read(&home, "phone").has(&two));
}

/// The message of a notifier that is a person's own holds the words of the reminders; every other one holds none.
#[test]
fn words_of_a_reminder_are_the_message_of_its_person() {
    let anna = "anna".parse().unwrap();
    let of = |second: &str, words: Option<&str>| Notice {
        words: words.map(str::to_owned),
        ..Notice::about("reminder", &anna, second, "DUE")
    };
    let digest = |notices| Digest { notices, waiting: 0, test: false, page: None };
    let own = digest(vec![of("1", Some("feed the cat")), of("2", Some("Müll"))]);
    assert_eq!(
        (own.title().as_str(), own.text().as_str()),
        ("a reminder is due (anna)", "feed the cat\nMüll\n")
    );
    assert_eq!(own.json()["reminders"], serde_json::json!(["feed the cat", "Müll"]));
    let bare = digest(vec![of("1", None)]);
    assert!(
        bare.json().get("reminders").is_none() && bare.text().contains("cl-bot agent"),
        "{}",
        bare.text()
    );
}
