use super::*;

#[test]
fn a_name_with_spaces_and_parentheses_does_not_shift_the_fields() {
    let mut fields: Vec<String> = (3..=52).map(|field| field.to_string()).collect();
    fields[0] = "S".into();
    let line = format!("7 (a) (b c) {}\n", fields.join(" "));
    assert_eq!(parse_stat(&line), Some(Stat { threads: 20, environment: Some(50..51) }));
}

#[test]
fn a_hidden_environment_is_none() {
    let mut fields = vec!["0"; 50];
    fields[17] = "1";
    let line = format!("7 (x) {}", fields.join(" "));
    assert_eq!(parse_stat(&line), Some(Stat { threads: 1, environment: None }));
    assert_eq!(parse_stat("7 (x) S 1 2"), None);
}

#[test]
fn a_process_with_threads_is_not_forked() {
    // With one test thread the runner has no other, so this one is made to exist.
    let (end, wait) = std::sync::mpsc::channel::<()>();
    let other = std::thread::spawn(move || wait.recv());
    assert!(fork_pair().is_err());
    drop(end);
    assert!(other.join().unwrap().is_err());
}

#[test]
fn what_only_maps_files_is_given_back_and_comes_again() {
    let mapped = || {
        let all = std::fs::read_to_string("/proc/self/smaps_rollup").unwrap();
        let kib = |key: &str| -> u64 {
            let line = all.lines().find(|line| line.starts_with(key)).unwrap();
            line.split_whitespace().nth(1).unwrap().parse().unwrap()
        };
        kib("Rss:") - kib("Anonymous:")
    };
    let before = mapped();
    give_back();
    let after = mapped();
    assert!(after < before, "{before} KiB were mapped, and {after} KiB are");
    assert_eq!(parse_stat("7 (x) S 1 2"), None);
}
