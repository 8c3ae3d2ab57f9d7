use std::path::PathBuf;

use super::{Fault, KNOWN, Model, Sha, known};

/// Each line names a file once, with its size and a digest.
#[test]
fn the_table_names_each_model_once() {
    let lines: Vec<Vec<&str>> =
        KNOWN.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect()).collect();
    let mut seen = std::collections::BTreeSet::new();
    for line in &lines {
        let [name, size, sha, languages] = line[..] else { panic!("{line:?}") };
        assert!(name.starts_with("ggml-") && name.ends_with(".bin"), "{name}");
        assert!(size.parse::<u64>().is_ok_and(|size| size > 30_000_000), "{name}");
        assert!(matches!(languages, "en" | "many"), "{name}");
        let sha: Sha = sha.parse().expect(name);
        assert_eq!(known(sha), Some(name));
        assert!(seen.insert(sha.to_string()), "{name}");
    }
    assert!(lines.len() > 10);
}

#[test]
fn a_digest_has_64_digits() {
    let text = "be07e048e1e599ad46341c8d2a135645097a538221678b7acdd1b1919c6e1b21";
    assert_eq!(text.parse::<Sha>().map(|sha| sha.to_string()).as_deref(), Ok(text));
    for wrong in ["", "be07", &text[1..], &format!("{text}00"), &text.replace('b', "x")] {
        assert!(wrong.parse::<Sha>().is_err(), "{wrong}");
    }
}

/// A file is used where its digest is known or named, and for nothing else.
#[test]
fn a_file_without_a_known_digest_is_not_used() {
    let path: PathBuf = std::env::temp_dir().join(format!("ear-model-{}.bin", std::process::id()));
    std::fs::write(&path, b"lmgg and nothing else").expect("a file");
    let found = match Model::read(&path, None) {
        Err(Fault::Unknown { found, .. }) => found,
        other => panic!("{other:?}"),
    };
    assert_eq!(Model::read(&path, Some(found)).expect("it is named").sha, found);
    let other = "0".repeat(64).parse().expect("a digest");
    assert!(matches!(Model::read(&path, Some(other)), Err(Fault::Digest { .. })));
    std::fs::write(&path, b"RIFF").expect("a file");
    assert!(matches!(Model::read(&path, Some(found)), Err(Fault::Other(_))));
    std::fs::remove_file(&path).expect("it is there");
    assert!(matches!(Model::read(&path, None), Err(Fault::File { .. })));
}
