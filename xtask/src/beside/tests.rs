use super::*;

const LIBRARY: &str = r#"{"reason":"compiler-artifact","manifest_path":"/w/libs/a/Cargo.toml","target":{"kind":["lib"],"test":true},"profile":{"opt_level":"0","test":true},"executable":"/w/target/a-1","fresh":true}"#;

#[test]
fn only_test_programs_are_run() {
    let program = Program { executable: "/w/target/a-1".into(), folder: "/w/libs/a".into() };
    assert_eq!(test_program(LIBRARY), Some(program));
    for other in [
        LIBRARY.replace(r#""0","test":true"#, r#""0","test":false"#),
        LIBRARY.replace(r#""/w/target/a-1""#, "null"),
        r#"{"reason":"build-finished","success":true}"#.to_owned(),
    ] {
        assert_eq!(test_program(&other), None, "{other}");
    }
}

#[test]
fn the_programs_that_take_minutes_begin_first() {
    let place = |name: &str| Program { executable: name.into(), folder: "/".into() }.place();
    assert!(place("/t/journeys-1") < place("/t/attacks-1") && place("/t/attacks-1") < place("/t/base-1"));
    assert_eq!(place("/journeys-1/base-1"), place("/t/base-1"));
}

#[test]
fn a_program_that_fails_or_cannot_start_is_no_success() {
    let run = |executable: &str| {
        let program = Program { executable: executable.into(), folder: "/".into() };
        program.job(|command| command).run()
    };
    assert!(run("/bin/true").0);
    assert!(!run("/bin/false").0 && !run("/nowhere/at/all").0);
}
