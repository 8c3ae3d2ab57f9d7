use super::*;

fn row(id: &str, name: &str, reason: Option<&str>) -> Row {
    Row {
        id: id.to_owned(),
        name: name.to_owned(),
        kind: Kind::Skill,
        status: Status::Implementation,
        waits_for: Some("compiler"),
        since: "2026-03-10T10:00:00Z".to_owned(),
        recurrence: 98,
        profile: "default".to_owned(),
        reason: reason.map(str::to_owned),
        recommendation: Some(ledger::Recommendation::ApproveWithNote),
    }
}

#[test]
fn the_table_keeps_to_eighty_columns_and_cuts_no_name() {
    let long = "a-name-of-sixty-three-characters-which-is-the-longest-allowed-x";
    let rows = [
        row("019a0000-0000-7000-8000-000000000001", "dice", Some(&"word ".repeat(100))),
        row("019a0000-0001-7000-8000-000000000001", long, Some(&"x".repeat(130))),
    ];
    let all: Vec<&Row> = rows.iter().collect();
    let lines = table(&all, id_width(&rows), "2026-03-10T12:00:00Z".parse().unwrap());
    for line in &lines {
        assert!(line.chars().count() <= 80, "{} columns: {line}", line.chars().count());
    }
    let text = lines.join("\n");
    assert!(text.contains(long), "{text}");
    assert!(text.contains("99x") && text.contains("2 h"), "{text}");
    assert!(text.contains("more characters]"), "a cut is said: {text}");
}

#[test]
fn what_ended_long_ago_without_an_installation_is_old() {
    let mut row = row("019a0000-0000-7000-8000-000000000001", "dice", None);
    let old = |row: &Row, now: &str| row.is_old(now.parse().unwrap());
    for (status, is_old) in [
        (Status::Rejected, true),
        (Status::Removed, true),
        (Status::Accepted, false),
        (Status::HumanReview, false),
    ] {
        row.status = status;
        assert_eq!(old(&row, "2026-03-11T10:00:01Z"), is_old, "{status}");
        assert!(!old(&row, "2026-03-11T10:00:00Z"), "{status}");
    }
}

#[test]
fn ids_are_shown_as_far_as_they_tell_the_proposals_apart() {
    let near = [
        row("019a0000-0000-7000-8000-000000000001", "a", None),
        row("019a0000-0000-7000-8000-000000000002", "b", None),
    ];
    assert_eq!(id_width(&near), 36);
    assert_eq!(id_width(&near[..1]), SHORTEST_ID);
}

#[test]
fn a_line_is_wrapped_without_losing_anything() {
    let text = format!("one two  three {} four", "y".repeat(25));
    let lines = wrapped(&text, 10);
    assert!(lines.iter().all(|l| l.chars().count() <= 10), "{lines:?}");
    assert_eq!(lines.concat().replace(' ', ""), text.replace(' ', ""));
}
