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
