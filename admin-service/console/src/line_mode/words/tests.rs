use super::*;

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn a_line_means_what_it_says_and_nothing_else_is_a_yes() {
    for (line, meant) in [
        ("a", Order::Approve),
        ("  Approve ", Order::Approve),
        ("r", Order::Reject(None)),
        ("reject  too much  ", Order::Reject(some("too much"))),
        ("v", Order::View(None)),
        ("V diff", Order::View(some("diff"))),
        ("e", Order::Edit(None)),
        ("e from my skill.rs", Order::Edit(some("my skill.rs"))),
        ("edit skill.rs", Order::Edit(some("skill.rs"))),
        ("t", Order::Try(None)),
        ("try roll {\"dice\": \"2d6\"}", Order::Try(some("roll {\"dice\": \"2d6\"}"))),
        ("n ask Anna", Order::Note(some("ask Anna"))),
        ("next", Order::Next),
        ("S", Order::Next),
        ("exit", Order::Quit),
        ("?", Order::Help),
        ("", Order::Nothing),
        ("   ", Order::Nothing),
    ] {
        assert_eq!(order(line), meant, "{line:?}");
    }
    for line in ["a now", "approve all", "yes", "y", "ok", "aa", "approve\u{200b}", "\u{430}", "q now", "1"] {
        assert!(matches!(order(line), Order::Unknown(_)), "{line:?} means {:?}", order(line));
    }
    assert!(matches!(order("\u{1b}[2J"), Order::Unknown(word) if !word.contains('\u{1b}')));
}
