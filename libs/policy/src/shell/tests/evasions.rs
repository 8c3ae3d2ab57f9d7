//! What tries to get around the judgement, with a profile that grants far too much.

use super::*;

/// Blocked in every spelling, also where the line does not even parse.
const BLOCKED: &str = include_str!("../../../tests/lines/blocked.txt");

/// At least high, regardless of what a profile grants.
const HIGH: &str = include_str!("../../../tests/lines/high.txt");

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.is_empty())
}

#[test]
fn what_is_never_done_is_blocked_in_every_spelling_whatever_is_granted() {
    let bad: Vec<_> = lines(BLOCKED)
        .flat_map(|line| [(line, CARELESS), (line, &[][..])])
        .filter(|(line, allowed)| risk(line, allowed) != Risk::Blocked)
        .map(|(line, allowed)| format!("{line}\n  {:?}", judged(line, allowed, &[])))
        .collect();
    assert!(bad.is_empty(), "{} are not blocked:\n{}", bad.len(), bad.join("\n"));
    assert!(lines(BLOCKED).count() > 180);
}

#[test]
fn what_does_more_than_it_seems_is_high_at_least_whatever_is_granted() {
    let tried: Vec<_> = lines(HIGH).collect();
    let bad: Vec<_> = tried
        .iter()
        .filter(|line| risk(line, CARELESS) < Risk::High)
        .map(|line| format!("{line}\n  {:?}", judged(line, CARELESS, &[])))
        .collect();
    assert!(bad.is_empty(), "{} are not high:\n{}", bad.len(), bad.join("\n"));
    assert!(tried.len() > 140);
}

#[test]
fn texts_in_texts_without_end_are_blocked_and_soon() {
    let mut line = "ls".to_owned();
    while line.len() < 1000 {
        line = format!("sh -c {}", line::quoted(&line));
    }
    assert!(risk(&line, CARELESS) >= Risk::High);
    let wide = (0..250).map(|at| format!("-x='ls {at}'")).collect::<Vec<_>>().join(" ");
    assert_eq!(risk(&format!("sh {wide}"), CARELESS), Risk::Blocked);
}
