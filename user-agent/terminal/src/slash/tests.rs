use bot_testing::{SendJson, World};
use ports::tongue::Tongue;
use serde_json::json;
use shared_types::event::core;
use shared_types::exit;

use super::*;

/// Runs a line in a world without some of its skills.
fn ran(line: &str, without: &[&str]) -> Done {
    let world = World::new();
    let kernel = world.boot(world.built_in(without)).unwrap();
    run(line, &Cli::default(), &kernel.context_of("cli").unwrap())
}

#[test]
fn a_slip_of_the_finger_finds_the_command() {
    let nearest = |name: &str| text::nearest(name, names());
    assert_eq!(nearest("/hlep"), Some("/help"));
    assert_eq!(nearest("/skill"), Some("/skills"));
    assert_eq!(nearest("/proposal"), Some("/proposals"));
    assert_eq!(nearest("/completely-else"), None);
    assert_eq!(nearest("/"), None);
    assert_eq!(nearest("/aprove"), None, "what cannot be done here is not offered");
}

#[test]
fn every_command_of_the_design_is_there_once() {
    let mut expected = vec![
        "/help",
        "/exit",
        "/quit",
        "/tools",
        "/call",
        "/attach",
        "/skills",
        "/memory",
        "/policy",
        "/permissions",
        "/proposals",
        "/model",
        "/tokens",
        "/whoami",
        "/voice",
        "/login",
        "/new",
        "/clear",
        "/retry",
    ];
    let mut shown: Vec<&str> = names().collect();
    expected.sort_unstable();
    shown.sort_unstable();
    assert_eq!(shown, expected);
}

#[test]
fn the_help_fits_a_small_console() {
    for code in ["en", "de"] {
        let lines = help::lines(Tongue::of(Some(code)));
        assert!(lines.len() < 24 && lines.iter().all(|line| line.chars().count() < 80), "{lines:#?}");
    }
}

#[test]
fn two_slashes_and_several_lines_are_text() {
    assert_eq!(ran("//tmp is what?", &[]), Done::Text("/tmp is what?".to_owned()));
    assert_eq!(ran("/usr/bin\nand more", &[]), Done::Text("/usr/bin\nand more".to_owned()));
    assert_eq!(ran("no command", &[]), Done::Text("no command".to_owned()));
}

#[test]
fn a_command_without_its_skill_fails_and_a_slip_is_no_text() {
    for (line, without) in [("/memory", "memory"), ("/proposals", "proposer"), ("/memory", "reasoning")] {
        assert_eq!(ran(line, &[]), Done::Handled(exit::DONE), "{line}");
        assert_eq!(ran(line, &[without]), Done::Handled(exit::FAILED), "{line} without {without}");
    }
    for line in ["/policy", "/permissions", "/model", "/retry"] {
        assert_eq!(ran(line, &["reasoning"]), Done::Handled(exit::FAILED), "{line}");
    }
    for line in ["/", "/hlep", "/completely-else 1"] {
        assert_eq!(ran(line, &[]), Done::Unknown, "{line}");
    }
}

#[test]
fn nothing_is_approved_in_the_chat() {
    let world = World::new();
    let kernel = world.boot(world.built_in(&[])).unwrap();
    let ctx = kernel.context_of("cli").unwrap();
    assert!(matches!(run("learn to roll dice", &Cli::default(), &ctx), Done::Text(_)));
    ctx.send(core::USER_INPUT, json!({"text": "learn to roll dice"})).unwrap();
    let before = (world.files("proposals"), world.files("status"));
    for line in ["/approve", "/approve dice-roller", "/reject dice-roller", "/approve 0193 --yes"] {
        assert_eq!(run(line, &Cli::default(), &ctx), Done::Handled(exit::REFUSED), "{line}");
    }
    assert_eq!((world.files("proposals"), world.files("status")), before);
    assert_eq!(before.0.len(), 1);
}

#[test]
fn names_are_completed() {
    let providers = ["local".to_owned(), "companion".to_owned(), "cloud".to_owned()];
    let words = |typed: &str| complete(typed, &providers);
    assert_eq!(words("/pro"), (0, vec!["/proposals".to_owned()]));
    assert_eq!(words("/model c"), (7, vec!["companion".to_owned(), "cloud".to_owned()]));
    assert_eq!(words("/model ").1.len(), 3);
    assert_eq!(words("/").1.len(), names().count());
    for nothing in ["", "pro", "say /pro", "/approve", "/help x", "/model x"] {
        assert!(words(nothing).1.is_empty(), "{nothing}");
    }
}

#[test]
fn the_way_out_is_found_without_a_slash_and_only_alone() {
    for line in ["exit", " Quit ", "/exit", "/quit"] {
        assert!(matches!(ran(line, &[]), Done::Leave), "{line}");
    }
    for line in ["exit the shop", "how do I quit smoking?", "exit\nquit", "bye", "//exit"] {
        assert!(matches!(ran(line, &[]), Done::Text(_)), "{line}");
    }
}

#[test]
fn a_call_names_what_is_missing_or_wrong() {
    let call = |line: &str| ran(line, &[]);
    for line in [
        "/call",
        "/call nothing",
        "/call time utc",
        "/call time [1]",
        "/call file_read",
        "/call file_read {\"path\": 1}",
        "/call time {\"zon\": \"utc\"}",
    ] {
        assert_eq!(call(line), Done::Handled(exit::USAGE), "{line}");
    }
    assert_eq!(call("/call time {\"zone\": \"utc\"}"), Done::Handled(exit::DONE));
    assert_eq!(call("/call time {\"zone\": \"Nowhere\"}"), Done::Handled(exit::FAILED), "and no wish");
    assert_eq!(
        call("/call file_read {\"path\": \"/etc/passwd\"}"),
        Done::Handled(exit::REFUSED),
        "the gate's no"
    );
}

#[test]
fn words_to_leave_by_are_those_of_the_language_that_is_spoken() {
    let world = World::new();
    let kernel = world.boot(world.built_in(&[])).unwrap();
    let ctx = kernel.context_of("cli").unwrap();
    let left = |lines: &[&str]| {
        let cli = Cli::default();
        lines.iter().fold(false, |_, line| leaves(line, &cli, &ctx))
    };
    for lines in
        [&["exit"][..], &[" Quit "], &["wie heißt du", "Beenden"], &["wie spät ist es", "ok", "ende"]]
    {
        assert!(left(lines), "{lines:?}");
    }
    for lines in
        [&["ende"][..], &["what is your name", "ende"], &["beenden"], &["wie heißt du", "exit please"]]
    {
        assert!(!left(lines), "{lines:?}");
    }
}
