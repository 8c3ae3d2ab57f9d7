use std::path::{Path, PathBuf};

use crate::profile_file::{Profile, Voice};

fn parse(text: &str) -> Result<Profile, String> {
    let home = |_: &str| Err::<PathBuf, &str>("no home");
    Profile::parse(text, || vec!["en"], home)
        .map_err(|faults| faults.into_iter().map(|fault| format!("{fault}\n")).collect())
}

#[test]
fn a_section_is_read_and_written_in_the_same_way() {
    let voice = parse(
        "voice: {ear: /run/ear.sock, mouth: /run/mouth.sock, wake: \"Hey  Computer\", volume: 40, longest_answer: 20, minors: true}\n",
    )
    .unwrap()
    .voice;
    assert_eq!(voice.ear.as_deref(), Some(Path::new("/run/ear.sock")));
    assert_eq!(voice.mouth.as_deref(), Some(Path::new("/run/mouth.sock")));
    assert_eq!(voice.wake.as_deref(), Some("hey computer"));
    assert!(voice.minors && voice.volume == Some(40) && voice.longest_answer == Some(20));
    let written = serde_json::json!({ "voice": voice }).to_string();
    assert_eq!(parse(&written).unwrap().voice, voice);
    assert_eq!(parse("audience: adult\n").unwrap().voice, Voice::default());
}

#[test]
fn a_path_that_depends_on_where_the_program_starts_is_refused() {
    for (wrong, key) in [
        ("volume: 101", "voice.volume"),
        ("volume: 0", "voice.volume"),
        ("wake: \"a b c d\"", "voice.wake"),
        ("wake: \"stop!\"", "voice.wake"),
        ("wake: \"\"", "voice.wake"),
        ("longest_answer: 0", "voice.longest_answer"),
    ] {
        let fault = parse(&format!("voice: {{{wrong}}}\n")).unwrap_err();
        assert!(fault.contains(key), "{fault}");
    }
    for (wrong, key) in [("voice: {ear: ear.sock}\n", "voice.ear"), ("pins: pins.sock\n", "pins")] {
        let fault = parse(wrong).unwrap_err();
        assert!(fault.contains(key) && fault.contains("not an absolute path"), "{fault}");
    }
    assert_eq!(parse("pins: /run/pins.sock\n").unwrap().pins.as_deref(), Some(Path::new("/run/pins.sock")));
}
