use super::*;

#[test]
fn old_runs_go_and_fresh_ones_stay() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::new(folder.path().to_owned(), None);
    let run = home.runs(&"default".parse().unwrap()).join("one");
    fs::create_dir_all(&run).unwrap();
    fs::write(run.join("result.txt"), "kept").unwrap();
    sweep(&home, SystemTime::now());
    assert!(run.join("result.txt").exists());
    sweep(&home, SystemTime::now() + KEPT + Duration::from_secs(60));
    assert!(!run.exists());
}

#[test]
fn a_time_that_a_command_set_keeps_nothing_for_longer() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::new(folder.path().to_owned(), None);
    let run = home.runs(&"default".parse().unwrap()).join("one");
    fs::create_dir_all(&run).unwrap();
    let future = SystemTime::now() + KEPT * 1000;
    fs::File::open(&run).unwrap().set_modified(future).unwrap();
    sweep(&home, SystemTime::now() + KEPT + Duration::from_secs(60));
    assert!(!run.exists());
}
