use super::*;

#[test]
fn a_number_that_nobody_has_is_a_user_with_the_group_of_the_same_number() {
    let user = User::find("3912345678", None).unwrap();
    assert_eq!((user.uid(), user.gid(), user.name()), (3_912_345_678, 3_912_345_678, "3912345678"));
    let user = User::find("3912345678", Some("17")).unwrap();
    assert_eq!((user.uid(), user.gid()), (3_912_345_678, 17));
}

#[test]
fn root_is_refused_by_name_and_by_number() {
    for name in ["root", "0", "00"] {
        assert_eq!(User::find(name, None), Err(UserError::Root(name.to_owned())));
    }
}

#[test]
fn the_group_of_root_is_refused() {
    for group in ["root", "0"] {
        assert_eq!(User::find("4242", Some(group)), Err(UserError::RootGroup(group.to_owned())));
    }
}

#[test]
fn a_name_that_nobody_has_is_refused() {
    for name in ["no-such-user-here", "", "-1", "4294967295", "12 34"] {
        assert_eq!(User::find(name, None), Err(UserError::Unknown(name.to_owned())));
    }
}

#[test]
fn a_group_that_is_not_there_is_refused() {
    let error = User::find("4242", Some("no-such-group-here")).unwrap_err();
    assert_eq!(error, UserError::UnknownGroup("no-such-group-here".to_owned()));
}
