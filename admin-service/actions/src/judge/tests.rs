use serde_json::json;

use super::*;

fn home(profile: &str, all: &str) -> (tempfile::TempDir, Home) {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::new(folder.path().to_owned(), None);
    std::fs::create_dir_all(home.profile_files()).unwrap();
    std::fs::write(home.profile_file(&id()), profile).unwrap();
    std::fs::write(home.bot_config(), all).unwrap();
    (folder, home)
}

fn id() -> ProfileId {
    "default".parse().unwrap()
}

fn line(text: &str, network: bool) -> Action {
    serde_json::from_value(json!({"type": "shell", "line": text, "network": network})).unwrap()
}

#[track_caller]
fn judged(profile: &str, all: &str, action: &Action) -> (Verdict, String) {
    let (_folder, home) = home(profile, all);
    let judged = judge(&home, &id(), action, std::iter::empty());
    (judged.verdict, judged.rule)
}

const TRUE: &str = "grants: {commands: ['true']}\n";

#[test]
fn autonomy_comes_from_the_profile_else_from_the_configuration_else_it_asks() {
    let action = line("true", false);
    for (profile, all, verdict, rule) in [
        ("", "", Verdict::Asks, "medium-risk"),
        ("", "autonomy: full\n", Verdict::Runs, "autonomy"),
        ("", "autonomy: full\nother: {key: 1}\n", Verdict::Runs, "autonomy"),
        ("autonomy: supervised\n", "autonomy: full\n", Verdict::Asks, "medium-risk"),
        ("autonomy: readonly\n", "", Verdict::Refused, "readonly"),
        ("autonomy: full\n", "autonomy: nonsense\n", Verdict::Runs, "autonomy"),
        ("", "autonomy: nonsense\n", Verdict::Refused, "configuration"),
        ("audience: teen\nautonomy: full\n", "", Verdict::Asks, "minor"),
        ("audience: nobody\n", "autonomy: full\n", Verdict::Refused, "configuration"),
    ] {
        let found = judged(&format!("{profile}{TRUE}"), all, &action);
        assert_eq!(found, (verdict, rule.to_owned()), "{profile} / {all}");
    }
}

#[test]
fn the_network_is_a_persons_and_what_is_not_granted_nobodys() {
    let full = format!("autonomy: full\n{TRUE}");
    assert_eq!(judged(&full, "", &line("true", true)), (Verdict::Asks, "network".to_owned()));
    assert_eq!(judged(&full, "", &line("true; false", true)).0, Verdict::Refused);
    assert_eq!(judged(&full, "", &line("true; rm x", false)), (Verdict::Refused, "blocked".to_owned()));
    assert_eq!(judged("autonomy: readonly\n", "", &line("true", true)).0, Verdict::Refused);
}

#[test]
fn a_permission_is_always_a_persons_and_never_for_what_nobody_may_do() {
    let permit = |risk: &str| -> Action {
        serde_json::from_value(
            json!({"type": "permit", "tool": "files.file_write", "args": {}, "risk": risk, "reason": "x"}),
        )
        .unwrap()
    };
    for (risk, verdict) in [
        ("low", Verdict::Asks),
        ("medium", Verdict::Asks),
        ("high", Verdict::Refused),
        ("blocked", Verdict::Refused),
    ] {
        assert_eq!(judged("autonomy: full\n", "", &permit(risk)).0, verdict, "{risk}");
    }
}
