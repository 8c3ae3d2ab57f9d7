use super::*;

fn read(lines: &[&str]) -> (Vec<Ended>, Console) {
    let mut console = Console::default();
    let ended = lines
        .iter()
        .enumerate()
        .filter_map(|(second, line)| console.line(line, Duration::from_secs(second as u64)))
        .collect();
    (ended, console)
}

#[test]
fn a_step_ends_with_its_last_words_and_its_time() {
    let (ended, console) =
        read(&["[    0.1] boot", "@machine begin 0\r", "one", "two\r", "", "@machine end 0 0\r"]);
    let expected = Ended { step: 0, outcome: Outcome::Passed("two".into()), took: Duration::from_secs(4) };
    assert_eq!(ended, [expected]);
    assert!(!console.is_over());
}

#[test]
fn the_exit_code_tells_failed_from_skipped_and_from_too_long() {
    let (ended, console) = read(&[
        "@machine begin 0",
        "no",
        "@machine end 0 1",
        "@machine begin 1",
        "there is none here",
        "@machine end 1 77",
        "@machine begin 2",
        "@machine end 2 124",
        "@machine over",
    ]);
    let outcomes: Vec<Outcome> = ended.into_iter().map(|ended| ended.outcome).collect();
    let expected = [
        Outcome::Failed(vec!["no".into(), "exit code 1".into()]),
        Outcome::Skipped("there is none here".into()),
        Outcome::Failed(vec!["it took too long and was ended".into()]),
    ];
    assert_eq!(outcomes, expected);
    assert!(console.is_over());
}

#[test]
fn the_words_of_a_machine_that_died_are_kept_up_to_a_limit() {
    let lines: Vec<String> = (0..100).map(|number| format!("line {number}")).collect();
    let mut console = Console::default();
    console.line("@machine begin 3", Duration::ZERO);
    for line in &lines {
        console.line(line, Duration::ZERO);
        console.line(line, Duration::ZERO);
    }
    assert_eq!(console.last_words(), lines[76..]);
}

#[test]
fn an_end_without_its_begin_is_not_an_end() {
    let (ended, _) = read(&["@machine begin 1", "@machine end 2 0", "@machine end x 0"]);
    assert_eq!(ended, []);
}
