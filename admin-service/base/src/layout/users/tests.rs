use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use super::*;

fn bot(group: Option<&str>) -> Bot {
    Bot { uid: 4242, gid: 4242, name: "cl-bot".to_owned(), group: group.map(str::to_owned) }
}

fn home(text: &str) -> (tempfile::TempDir, Home, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::new(folder.path().to_owned(), None);
    fs::create_dir_all(home.config()).unwrap();
    let path = home.bot_config();
    fs::write(&path, text).unwrap();
    (folder, home, path)
}

#[test]
fn the_shipped_configuration_keeps_its_comments_and_names_the_user() {
    let shipped = include_str!("../../../../../config/default.yaml");
    let (_folder, home, path) = home(shipped);
    record(&home, &bot(Some("family"))).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(configured(&home).unwrap(), (Some("cl-bot".to_owned()), Some("family".to_owned())));
    let kept = shipped.lines().all(|line| text.lines().any(|other| other == line));
    assert!(kept, "a line is lost:\n{text}");
    record(&home, &bot(None)).unwrap();
    assert_eq!(configured(&home).unwrap(), (Some("cl-bot".to_owned()), None));
    let before = fs::metadata(&path).unwrap().ino();
    record(&home, &bot(None)).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().ino(), before, "nothing is written twice");
}

#[test]
fn a_configuration_without_the_section_gets_it_and_an_older_user_is_replaced() {
    for text in [
        "",
        "limits: {max_tool_rounds: 3}\n",
        "security:\n",
        "security: # ours\n  user: 7\n  landlock: off\nlimits: {}\n",
    ] {
        let (_folder, home, path) = home(text);
        record(&home, &bot(None)).unwrap();
        assert_eq!(configured(&home).unwrap().0.as_deref(), Some("cl-bot"), "{text:?}");
        let written = fs::read_to_string(&path).unwrap();
        assert_eq!(written.contains("landlock: off"), text.contains("landlock: off"), "{written}");
        assert_eq!(written.matches("user:").count(), 1, "{written}");
    }
}

#[test]
fn a_section_on_one_line_gets_the_user_and_one_with_another_kind_of_user_is_left_alone() {
    let (_folder, first, path) = home("security: {landlock: off}\n");
    record(&first, &bot(None)).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "security: {user: cl-bot, landlock: off}\n");
    let text = "security:\n  user:\n    - someone\n";
    let (_folder, other, path) = home(text);
    let why = record(&other, &bot(None)).unwrap_err().to_string();
    assert!(why.contains("user: cl-bot") && why.contains("by hand"), "{why}");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}
