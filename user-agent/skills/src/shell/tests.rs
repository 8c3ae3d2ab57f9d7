use bot_testing::{StandIn, World};
use ports::actions::ActionOutcome;
use shared_types::action::ActionResult;
use shared_types::grants::CommandPattern;

use serde_json::json;

use super::*;

fn world(config: &str) -> World {
    let mut world = World::with(config, vec![Box::new(models::Embedded::default())]);
    world.grants.commands =
        vec![CommandPattern::parse("ls").unwrap(), CommandPattern::parse("true").unwrap()];
    world
}

fn call(world: &World, args: &Value) -> Outcome {
    let kernel = world.boot(world.built_in(&[])).unwrap();
    kernel.context_of("reasoning").unwrap().call_tool("shell", args, "")
}

fn denied(world: &World, args: &Value) -> String {
    match call(world, args) {
        Outcome::Denied(_, why) => {
            assert!(world.files("proposals").is_empty(), "nothing may be asked for: {args}");
            why
        }
        other => panic!("{args}: {other:?}"),
    }
}

#[test]
fn what_is_blocked_high_or_unreadable_goes_no_further_than_the_gate() {
    let world = world("autonomy: full");
    for (line, says) in [
        ("rm -rf /", "never runs"),
        ("/bin/rm x", "never runs"),
        ("true; rm -rf /", "never runs"),
        ("cat secret", "high"),
        ("ls $(cat x)", "high"),
    ] {
        let why = denied(&world, &json!({"command": line}));
        assert!(why.contains(says) && why.contains("rule"), "{line}: {why}");
    }
    denied(&world, &json!({"command": "ls\u{202e}"}));
    denied(&world, &json!({"command": "ls", "timeout_s": 0}));
    denied(&world, &json!({"command": "ls", "sudo": true}));
}

#[test]
fn a_readonly_profile_runs_no_command() {
    assert!(denied(&world("autonomy: readonly"), &json!({"command": "ls"})).contains("readonly"));
}

#[test]
fn a_mixed_conversation_gets_no_network_but_still_a_command() {
    let world = world("autonomy: full\nlimits: {action_wait_seconds: 1}");
    let result = ActionResult { exit: Some(0), ..ActionResult::default() };
    let _admin = StandIn::allowing(world.dir.path(), result);
    let kernel = world.boot(world.built_in(&[])).unwrap();
    let ctx = kernel.context_of("reasoning").unwrap();
    // A command's output may be anybody's words, and may be the person's files.
    let first = ctx.call_tool("shell", &json!({"command": "true"}), "");
    assert_eq!(first, Outcome::Said("exit 0, no output".to_owned()));
    let mixed = ctx.call_tool("shell", &json!({"command": "ls b", "network": true}), "");
    assert!(matches!(&mixed, Outcome::Denied(_, why) if why.contains("the network")), "{mixed:?}");
    assert!(matches!(ctx.call_tool("shell", &json!({"command": "ls"}), ""), Outcome::Said(_)));
}

#[test]
fn the_shell_has_no_files_and_no_outbox_of_its_own() {
    let world = World::new();
    let kernel = world.boot(world.built_in(&[])).unwrap();
    let ctx = kernel.context_of("shell").unwrap();
    assert!(
        ctx.handles().file_read().is_none()
            && ctx.handles().file_write().is_none()
            && ctx.handles().outbox().is_none()
    );
    assert!(ctx.handles().actions().is_some());
    let others = ["cli", "reasoning", "memory", "proposer", "clock"];
    assert!(others.iter().all(|name| kernel.context_of(name).unwrap().handles().actions().is_none()));
}

#[test]
fn an_outcome_tells_exit_code_outputs_and_what_was_cut() {
    let result = ActionResult {
        network: vec![],
        exit: None,
        ended: Some("killed after 15 s".to_owned()),
        stdout: "one\n\u{1b}[2Jtwo\n".to_owned(),
        stderr: "oh\n".to_owned(),
        cut: true,
        ms: 15_000,
    };
    let Outcome::Failed(told) = told::outcome(ActionOutcome::Done(result)) else {
        panic!("a killed command failed")
    };
    assert!(told.starts_with("no exit code: killed after 15 s\nstdout:\none\n"), "{told}");
    assert!(told.ends_with("stderr:\noh\n[cut: at most 50 KB of each output are kept]"), "{told}");
    assert!(!told.contains('\u{1b}'));
}

#[test]
fn a_workflow_is_no_command_and_is_named_with_the_verb_that_starts_it() {
    for line in [
        "the morning workflow",
        "my morning workflow.",
        "the workflow morning",
        "workflow morning",
        "den Ablauf morning",
    ] {
        assert_eq!(workflow(line).unwrap().as_str(), "morning", "{line}");
    }
    assert_eq!(workflow("den Morgen-Workflow").unwrap().as_str(), "morgen");
    for line in [
        "ls workflow",
        "the morning",
        "the workflow",
        "echo the morning workflow",
        "the good morning workflow",
        "workflow-engine",
        "./run-workflow all",
    ] {
        assert!(workflow(line).is_none(), "{line}");
    }
}

#[test]
fn a_line_reaches_the_shell_by_its_phrases() {
    let tools: Vec<models::ToolSpec> = {
        let world = World::new();
        let kernel = world.boot(world.built_in(&[])).unwrap();
        ports::offered::specs(&kernel.context_of("reasoning").unwrap())
    };
    for (line, command) in [
        ("run ls -l", "ls -l"),
        ("run rm -rf .", "rm -rf ."),
        ("Please run ls ../..", "ls ../.."),
        ("Execute git status --short", "git status --short"),
        ("führe ls -l notes aus", "ls -l notes"),
        ("führe den Befehl df -h aus", "df -h"),
    ] {
        let found = models::phrases::route(line, &tools, None);
        let first = found.first().unwrap_or_else(|| panic!("{line} reaches nothing"));
        assert_eq!(
            (first.tool.as_str(), &first.arguments),
            ("shell", &json!({"command": command})),
            "{line}"
        );
    }
}
