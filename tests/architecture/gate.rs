//! That every call of a tool passes one gate: one place calls, one admits, one decides.

use crate::tree::{Source, code_of, sources};

/// Where in the bot's own code and in its kernel, tests aside, a piece of code stands.
fn places(piece: &str) -> Vec<String> {
    let mut found = Vec::new();
    for Source { path, text } in sources() {
        let is_test =
            path.ends_with("tests.rs") || path.contains("/tests/") || path.starts_with("user-agent/testing/");
        if !path.starts_with("user-agent/") || is_test {
            continue;
        }
        let code = code_of(&text);
        let times = code.lines().filter(|line| holds(line, piece)).count();
        found.extend(std::iter::repeat_n(path, times));
    }
    found
}

/// Whether a line holds a piece of code that is not the end of a longer word.
fn holds(line: &str, piece: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let begins_word = piece.chars().next().is_some_and(part);
    line.match_indices(piece).any(|(at, _)| !begins_word || !line[..at].chars().next_back().is_some_and(part))
}

#[test]
fn one_place_calls_a_tool_and_one_place_admits_it() {
    // A skill's tool takes a `Call`, so code that cannot make one cannot call it.
    assert_eq!(places("Call { args"), ["user-agent/kernel/src/calls.rs"]);
    assert_eq!(places("skill.call_tool("), ["user-agent/kernel/src/calls.rs"]);
    // The dispatcher asks the gate, and the gate alone makes what the dispatcher needs.
    assert_eq!(places(".admit("), ["user-agent/kernel/src/calls.rs"]);
    assert_eq!(places("Ok(Admitted {"), ["user-agent/kernel/src/gate.rs"]);
    assert_eq!(places("fn admit("), ["user-agent/kernel/src/gate.rs"]);
}

#[test]
fn nobody_but_the_gate_decides_or_asks() {
    let mut deciding = places("decide(");
    deciding.dedup();
    assert_eq!(deciding, ["user-agent/kernel/src/gate.rs"]);
    assert_eq!(places(".approval("), ["user-agent/kernel/src/gate.rs"]);
    assert_eq!(places("event(GATE,"), ["user-agent/kernel/src/approval.rs"]);
}

#[test]
fn the_parts_of_the_bot_speak_by_types_and_learned_skills_alone_by_json() {
    let mut sending = places(".dispatch(");
    sending.dedup();
    let kernel = ["lib.rs", "screen.rs", "taint.rs"].map(|file| format!("user-agent/kernel/src/{file}"));
    assert_eq!(sending[0], "user-agent/cl-bot/src/learned/host.rs");
    assert_eq!(sending[1..], kernel);
    assert_eq!(places("fn handle(&self, event: &Event,"), ["user-agent/cl-bot/src/learned/mod.rs"]);
}

#[test]
fn only_the_kernel_makes_the_proof_that_it_asks() {
    let made = places("ByKernel(PhantomData");
    assert!(!made.is_empty(), "this test no longer sees it");
    assert!(made.iter().all(|path| path.starts_with("user-agent/kernel/src/")), "{made:?}");
}

#[test]
fn the_kernel_has_one_program() {
    assert_eq!(places("Program for "), ["user-agent/ports/src/program.rs"]);
}

#[test]
fn a_piece_is_found_where_it_begins_a_word() {
    assert!(
        holds("let c = Call { args, line };", "Call { args") && !holds("ToolCall { args }", "Call { args")
    );
}
