use super::*;

fn word(text: &str, glob: bool) -> Word {
    Word { text: text.to_owned(), glob }
}

#[test]
fn patterns_become_names_and_never_options_or_programs() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["b.txt", "a.txt", "-rf.txt", ".hidden.txt"] {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    let pattern = format!("{}/*.txt", folder.path().display());
    let found = expanded(&[word("cat", false), word(&pattern, true), word("*.none", true), word("*", false)]);
    let names: Vec<&str> = found.iter().map(|n| n.rsplit('/').next().unwrap()).collect();
    assert_eq!(names, ["cat", "-rf.txt", "a.txt", "b.txt", "*.none", "*"]);
    assert_eq!(harmless("-rf.txt"), "./-rf.txt");
    // The name of the program is what was judged.
    assert_eq!(expanded(&[word(&pattern, true)]), [pattern]);
}
