use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::process::Command;

use proptest::prelude::*;

use super::*;

#[test]
fn plain_paths_stay_readable() {
    assert_eq!(word(Path::new("/var/lib/tame-claw_1/a.yaml")).unwrap(), "/var/lib/tame-claw_1/a.yaml");
    assert_eq!(word(Path::new("/a b/größe")).unwrap(), "'/a b/größe'");
}

#[test]
fn what_a_shell_would_read_is_quoted() {
    assert_eq!(word(Path::new("/x;reboot")).unwrap(), "'/x;reboot'");
    assert_eq!(word(Path::new("/it's $(id) `id` \"x\"")).unwrap(), r#"'/it'\''s $(id) `id` "x"'"#);
    assert_eq!(word(Path::new("-rf")).unwrap(), "./-rf");
    assert_eq!(word(Path::new("~root")).unwrap(), "'~root'");
}

#[test]
fn what_cannot_be_shown_is_reached_by_its_number() {
    for name in ["a\nb", "a\u{202e}b", "a\u{200b}b", "a\u{9b}2J", "\u{7f}", "a\u{336}"] {
        assert_eq!(word(Path::new(name)), None, "{}", name.escape_unicode());
    }
    let bytes = Path::new("/data").join(OsString::from_vec(vec![b'a', 0xff]));
    assert_eq!(
        command("chmod o-w", &bytes, 42),
        "find /data -xdev -mindepth 1 -maxdepth 1 -inum 42 -exec chmod o-w -- '{}' ';'"
    );
    assert_eq!(
        command("chmod o-w", Path::new("/a b/\n/file"), 7),
        "find '/a b' -xdev -inum 7 -exec chmod o-w -- '{}' ';'"
    );
    assert_eq!(command("chmod o-w", Path::new("/a b/file"), 7), "chmod o-w -- '/a b/file'");
}

/// Runs the command line in a real shell, and tells the mode that the one file has afterwards.
fn through_a_shell(name: &OsString) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, "").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o666)).unwrap();
    let inode = std::fs::metadata(&path).unwrap().ino();
    let line = command("chmod o-w", &path, inode);
    let done = Command::new("sh").args(["-c", &line]).current_dir(folder.path()).output().unwrap();
    assert!(done.status.success(), "{line}: {}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else was made: {line}");
    std::fs::metadata(&path).unwrap().mode() & 0o777
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn a_shell_does_what_the_line_says_for_every_name(
        bytes in prop::collection::vec(prop_oneof![
            any::<u8>(),
            prop::sample::select(b"'\"$`\\;&|<>(){}[]*?~#! \n\t-".to_vec()),
        ], 1..24)
    ) {
        let bytes: Vec<u8> = bytes.into_iter().filter(|b| *b != 0 && *b != b'/').collect();
        let name = OsString::from_vec(bytes);
        prop_assume!(!name.is_empty() && name != "." && name != "..");
        prop_assert_eq!(through_a_shell(&name), 0o664);
    }
}
