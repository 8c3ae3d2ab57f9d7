use std::time::Duration;

use super::*;

fn budgets() -> Budgets {
    Budgets { proposals: 10, actions: 40, model_tokens: 0, compile: Duration::ZERO }
}

#[test]
fn each_profile_has_an_equal_share_and_actions_are_counted_apart() {
    let left = |wishes, actions, profiles| Left::of(Looked { wishes, actions }, &budgets(), profiles);
    assert!(left(4, 19, 2).allows(Kind::Skill) && left(4, 19, 2).allows(Kind::Action));
    assert!(!left(5, 0, 2).allows(Kind::Skill) && left(5, 0, 2).allows(Kind::Action));
    assert!(left(0, 20, 2).allows(Kind::Skill) && !left(0, 20, 2).allows(Kind::Action));
    assert!(!left(5, 20, 2).any());
    assert_eq!((share(10, 1), share(10, 3), share(10, 1_000), share(10, 0)), (10, 3, 1, 10));
}

#[test]
fn a_file_is_left_alone_until_it_changes_or_there_is_room_for_its_kind() {
    let (mut aside, name) = (Aside::default(), OsString::from("a.yaml"));
    let full = Left::of(Looked { wishes: 10, actions: 0 }, &budgets(), 1);
    assert!(!aside.holds(&name, || None, full));
    aside.put(name.clone(), None, Kind::Skill);
    assert!(aside.holds(&name, || None, full));
    assert!(!aside.holds(&name, || None, Left::of(Looked::default(), &budgets(), 1)));
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.yaml"), "x").unwrap();
    let folder = beneath::Folder::open(dir.path()).unwrap();
    assert!(!aside.holds(&name, || folder.look(&name), full), "it changed");
}
