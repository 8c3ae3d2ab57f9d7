use super::*;

fn parse(line: &str) -> Result<Task, UsageError> {
    Task::parse(line.split_whitespace().map(str::to_owned))
}

#[test]
fn words_after_the_dashes_go_to_up_untouched() {
    let task = parse("start --no-install -- --home /tmp/x --no-install").expect("parses");
    let up = ["--home", "/tmp/x", "--no-install"].map(str::to_owned).to_vec();
    assert_eq!(task, Task::Start { install: Install::Declined, up });
}

#[test]
fn start_installs_unless_it_is_declined() {
    assert_eq!(parse("start"), Ok(Task::Start { install: Install::Allowed, up: vec![] }));
    assert_eq!(parse("wasm --no-install"), Ok(Task::Wasm { install: Install::Declined }));
}

#[test]
fn a_word_that_the_task_does_not_take_is_refused() {
    assert_eq!(
        parse("check --no-install"),
        Err(UsageError::Unexpected { task: "check", word: "--no-install".into() })
    );
    assert_eq!(parse("bench fast"), Err(UsageError::Unexpected { task: "bench", word: "fast".into() }));
    assert_eq!(parse("start --home"), Err(UsageError::Unexpected { task: "start", word: "--home".into() }));
    assert_eq!(parse("chek"), Err(UsageError::Unknown("chek".into())));
    assert_eq!(parse(""), Err(UsageError::Missing));
}

#[test]
fn bench_has_no_flags_and_the_machine_one() {
    assert_eq!(parse("bench"), Ok(Task::Bench));
    let machine =
        |packages: Option<&str>, which| Ok(Task::Machine { packages: packages.map(Into::into), which });
    assert_eq!(parse("machine"), machine(None, Which::All));
    assert_eq!(parse("machine debs"), machine(Some("debs"), Which::All));
    assert_eq!(parse("machine --drivers debs"), machine(Some("debs"), Which::Drivers));
    let word = "--fast".to_owned();
    assert_eq!(parse("machine --fast"), Err(UsageError::Unexpected { task: "machine", word }));
    assert_eq!(parse("systemd"), Ok(Task::Systemd));
}

#[test]
fn a_site_takes_one_folder() {
    assert_eq!(parse("site"), Ok(Task::Site { folder: None }));
    assert_eq!(parse("site public"), Ok(Task::Site { folder: Some("public".into()) }));
    assert_eq!(parse("site a b"), Err(UsageError::Unexpected { task: "site", word: "b".into() }));
    assert_eq!(parse("site --fast"), Err(UsageError::Unexpected { task: "site", word: "--fast".into() }));
}

#[test]
fn soak_takes_a_number_of_minutes() {
    assert_eq!(parse("soak"), Ok(Task::Soak { minutes: 60 }));
    assert_eq!(parse("soak --minutes 5"), Ok(Task::Soak { minutes: 5 }));
    assert_eq!(parse("soak --minutes 0"), Err(UsageError::Number { flag: "--minutes" }));
    assert_eq!(parse("soak now"), Err(UsageError::Unexpected { task: "soak", word: "now".into() }));
}

#[test]
fn fuzz_takes_one_target_and_a_number_of_seconds() {
    assert_eq!(parse("fuzz"), Ok(Task::Fuzz { target: None, seconds: 60 }));
    let one = Task::Fuzz { target: Some("frames".into()), seconds: 5 };
    assert_eq!(parse("fuzz frames --seconds 5"), Ok(one));
    for line in ["fuzz --seconds", "fuzz --seconds 0", "fuzz --seconds x"] {
        assert_eq!(parse(line), Err(UsageError::Number { flag: "--seconds" }), "{line}");
    }
    assert_eq!(parse("fuzz a b"), Err(UsageError::Unexpected { task: "fuzz", word: "b".into() }));
    assert_eq!(parse("fuzz --fast"), Err(UsageError::Unexpected { task: "fuzz", word: "--fast".into() }));
}

#[test]
fn cut_takes_names_and_how_much_is_done() {
    assert_eq!(parse("cut"), Ok(Task::Cut { names: vec![], depth: Depth::Run }));
    let check = Task::Cut { names: vec!["data".into(), "receipts".into()], depth: Depth::Check };
    assert_eq!(parse("cut data --check receipts"), Ok(check));
    assert_eq!(parse("cut --fast"), Err(UsageError::Unexpected { task: "cut", word: "--fast".into() }));
}

#[test]
fn a_check_is_what_ci_runs_or_quick_or_all() {
    assert_eq!(parse("check"), Ok(Task::Check(Scope::Ci)));
    assert_eq!(parse("check --quick"), Ok(Task::Check(Scope::Quick)));
    assert_eq!(parse("check --all"), Ok(Task::Check(Scope::All)));
    let both = UsageError::Unexpected { task: "check", word: "--all".into() };
    assert_eq!(parse("check --quick --all"), Err(both));
}

#[test]
fn the_words_of_packages_and_releases_are_handed_on() {
    for first in ["packages", "trial", "release"] {
        let words = [first, "--out", "x"].map(str::to_owned);
        assert_eq!(Task::parse(words.clone()), Ok(Task::Packaging(words.to_vec())));
    }
}
