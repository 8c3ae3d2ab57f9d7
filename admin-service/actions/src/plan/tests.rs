use policy::shell::parse;

use super::*;

fn plan(line: &str) -> Plan {
    Plan::of(&parse(line).unwrap()).unwrap()
}

#[test]
fn a_plan_says_what_runs_when_and_where_its_streams_lead() {
    let plan = plan("cat a.txt | wc -l > n.txt && ls *.md || true; false 2>&1");
    assert_eq!(
        plan.shown(),
        ["   cat a.txt", "|  wc -l 1> n.txt", "&& ls \"*.md\" (pattern)", "|| true", ";  false 2>&1"]
    );
    let again: Plan = serde_json::from_str(&serde_json::to_string(&plan).unwrap()).unwrap();
    assert_eq!((again.digest(), &again), (plan.digest(), &plan));
}

#[test]
fn plans_that_run_something_else_have_another_digest() {
    let lines = [
        "ls",
        "ls -l",
        "ls '-l' x",
        "ls '-l x'",
        "ls *",
        "ls '*'",
        "ls > a",
        "ls >> a",
        "ls; ls",
        "ls && ls",
        "ls | ls",
    ];
    let digests: std::collections::BTreeSet<_> =
        lines.iter().map(|line| plan(line).digest().to_string()).collect();
    assert_eq!(digests.len(), lines.len());
    assert_eq!(plan("ls   'a'  b").digest(), plan("ls a b").digest());
}

#[test]
fn what_is_quoted_can_pass_for_nothing_else() {
    for (text, shown) in [
        ("plain-word_1.txt", "plain-word_1.txt"),
        ("", "\"\""),
        ("two words", "\"two words\""),
        ("a\" \"b", "\"a\\\" \\\"b\""),
        ("a;b", "\"a;b\""),
        ("\u{202e}gpj", "\"\\u{202e}gpj\""),
        ("p\u{430}th", "\"p\u{430}\\u{430}th\""),
        ("\u{1b}[2J", "\"\\u{1b}[2J\""),
    ] {
        assert_eq!(quoted(text), shown);
    }
}
