use super::*;

#[test]
fn each_part_of_an_entry_ends_at_a_multiple_of_four_bytes() {
    let mut archive = Archive::new(vec![]);
    archive.folder("etc", 0o755).expect("memory takes it");
    archive.file("etc/a", 0o640, b"seven b").expect("memory takes it");
    archive.link("lib", "usr/lib").expect("memory takes it");
    archive.device("dev/console", 0o600, 5, 1).expect("memory takes it");
    let bytes = archive.finish().expect("memory takes it");
    assert_eq!(bytes.len() % 4, 0);
    let text = String::from_utf8(bytes).expect("all of it is text here");
    let starts: Vec<usize> = text.match_indices("070701").map(|(at, _)| at).collect();
    assert_eq!(starts.len(), 5, "four entries and the end");
    assert!(starts.iter().all(|at| at % 4 == 0), "{starts:?}");
    // The second entry: a file's mode, seven bytes, a name of five letters and its end.
    assert_eq!(&text[starts[1]..starts[1] + 22], "070701000000020000 81A0".replace(' ', "").as_str());
    assert!(text.contains("etc/a\0") && text.contains("seven b\0"), "{text:?}");
    assert!(text.contains("0000000500000001"), "the console's numbers");
}
