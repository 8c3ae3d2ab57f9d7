use review::diff::reports;
use review::package::read_report;
use review::words::Words;
use shared_types::capability::Token;

use super::decision::{package, world};

#[test]
fn rights_tools_and_phrases_that_change_are_named() {
    let (_place, shared) = world();
    let id = package(&shared, "dice", &[Token::MemoryRead]);
    let old = read_report(&shared.home, &id).unwrap();
    assert!(reports(Words::DEFAULT, &old, &old).is_empty());
    let mut new = old.clone();
    new.derived = [Token::NetworkRead].into_iter().collect();
    new.network = vec!["evil.example".parse().unwrap()];
    new.memory_scope = shared_types::proposal::Scope::Profile;
    new.handles_events = vec!["user_input".parse().unwrap()];
    let text: String =
        reports(Words::DEFAULT, &old, &new).iter().map(|line| format!("{}\n", line.text())).collect();
    for line in [
        "granted     - memory:read",
        "granted     + network:read",
        "hosts       + evil.example",
        "reach       - memory: its own",
        "reach       + memory: the whole profile's",
        "events      + receives user_input",
    ] {
        assert!(text.lines().any(|l| l == line), "no `{line}` in\n{text}");
    }
}
