use std::fs;
use std::os::unix::fs::symlink;

use super::*;

#[test]
fn a_script_names_its_interpreter_directly_or_by_env() {
    let dir = tempfile::tempdir().unwrap();
    let script = |text: &str| {
        let path = dir.path().join("script");
        fs::write(&path, text).unwrap();
        interpreters(&path)
    };
    assert_eq!(script("#!/bin/sh\necho\n").unwrap(), [PathBuf::from("/bin/sh")]);
    let by_env = script("#!/usr/bin/env sh\n").unwrap();
    assert!(by_env.len() == 2 && by_env[1].ends_with("sh"), "{by_env:?}");
    assert!(script("no script").unwrap().is_empty());
    for wrong in [
        "#!sh\n",
        "#!/no/such/program\n",
        "#!/usr/bin/env no-such-program-here\n",
        "#!/usr/bin/env\n",
        "#!\n",
    ] {
        assert!(script(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_link_that_leads_elsewhere_is_a_change() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    fs::write(path("one"), "1").unwrap();
    fs::write(path("two"), "2").unwrap();
    symlink(path("one"), path("program")).unwrap();
    let pinned = pin(&path("program")).unwrap();
    check(&pinned).unwrap();
    fs::remove_file(path("program")).unwrap();
    symlink(path("two"), path("program")).unwrap();
    assert!(check(&pinned).unwrap_err().to_string().contains("changed since"));
}
