use super::*;

fn words(words: &[&str]) -> Option<Vec<String>> {
    Some(words.iter().map(|w| (*w).to_owned()).collect())
}

#[test]
fn visual_goes_before_editor_and_both_before_what_is_usual() {
    let both = |name: &str| Some(if name == "VISUAL" { "code --wait" } else { "ed" }.to_owned());
    assert_eq!(chosen(both, |_| true), words(&["code", "--wait"]));
    assert_eq!(chosen(|name| (name == "EDITOR").then(|| "ed".to_owned()), |_| true), words(&["ed"]));
    assert_eq!(chosen(|_| Some(" ".to_owned()), |name| name == "nano"), words(&["nano"]));
    assert_eq!(chosen(|_| None, |name| name != "editor"), words(&["nano"]));
    assert_eq!(chosen(|_| None, |_| false), None);
}

#[test]
fn a_line_of_an_editor_is_no_shell_line() {
    let tricky = |_: &str| Some("ed; touch x".to_owned());
    assert_eq!(chosen(tricky, |_| true), words(&["ed;", "touch", "x"]));
}

#[test]
fn the_folder_is_closed_to_others_and_goes_with_the_draft() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::new(dir.path().to_owned(), None);
    fs::create_dir_all(home.admin()).unwrap();
    let draft = Draft { folder: folder(&home).unwrap(), text: None, kept: false };
    let path = draft.folder.clone();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
    drop(draft);
    assert!(!path.exists());
    let draft = Draft { folder: folder(&home).unwrap(), text: None, kept: false };
    fs::write(draft.folder.join(FILE), "x").unwrap();
    assert!(draft.keep().exists());
}

#[test]
fn a_file_that_is_not_text_is_refused_with_its_line() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("skill.rs");
    fs::write(&path, b"one\ntwo\n\xff").unwrap();
    assert!(read(&path).unwrap_err().to_string().contains("line 3"));
    fs::write(&path, vec![b'x'; (MOST + 1) as usize]).unwrap();
    assert!(read(&path).unwrap_err().to_string().contains("more than"));
}
