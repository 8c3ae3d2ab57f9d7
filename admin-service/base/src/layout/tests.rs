use super::*;

fn bot() -> Bot {
    Bot { uid: 2000, gid: 3000, name: "bot".to_owned(), group: None }
}

fn row_of(place: Place) -> Row {
    *TABLE.iter().find(|row| row.place == place).unwrap()
}

#[test]
fn each_place_stands_once_in_the_table_and_nothing_of_the_service_is_the_bots() {
    for (at, row) in TABLE.iter().enumerate() {
        assert!(TABLE[..at].iter().all(|other| other.place != row.place), "{:?}", row.place);
        let of_the_bot = row.is_of_a_profile() || matches!(row.place, Place::Credentials | Place::Net);
        assert_eq!(row.owner == Owner::Bot, of_the_bot, "{:?}", row.place);
    }
}

#[test]
fn what_the_bot_reads_has_the_group_and_the_set_group_bit() {
    let users = Users { admin: 0, bot: Some(bot()) };
    for place in [
        Place::Config,
        Place::Skills,
        Place::Status,
        Place::Runs,
        Place::Secrets,
        Place::Certificates,
        Place::Profiles,
    ] {
        let wanted = row_of(place).wants(&users, true);
        assert_eq!((wanted.uid, wanted.gid, wanted.needs), (0, Some(3000), 0o2750), "{place:?}");
        assert_eq!(wanted.lacks & 0o022, 0o022, "{place:?}");
    }
    for place in [Place::Admin, Place::Keys, Place::Journal] {
        let wanted = row_of(place).wants(&users, true);
        assert_eq!((wanted.uid, wanted.gid, wanted.lacks), (0, None, 0o077), "{place:?}");
    }
}

#[test]
fn the_service_reads_the_bots_folders_by_the_group_unless_it_is_root() {
    let row = row_of(Place::Profile);
    let as_root = row.wants(&Users { admin: 0, bot: Some(bot()) }, true);
    assert_eq!((as_root.uid, as_root.gid, as_root.lacks), (2000, None, 0o077));
    let as_its_own = row.wants(&Users { admin: 1000, bot: Some(bot()) }, true);
    assert_eq!((as_its_own.uid, as_its_own.gid, as_its_own.needs), (2000, Some(3000), 0o2750));
    let credentials = row_of(Place::Credentials).wants(&Users { admin: 1000, bot: Some(bot()) }, true);
    assert_eq!((credentials.uid, credentials.gid, credentials.lacks), (2000, None, 0o077));
}

#[test]
fn the_service_counts_what_is_in_a_memory_and_opens_no_file_of_it() {
    let users = Users { admin: 1000, bot: Some(bot()) };
    let folder = row_of(Place::Memory).wants(&users, true);
    assert_eq!((folder.uid, folder.gid, folder.needs), (2000, Some(3000), 0o2750));
    let file = row_of(Place::Memory).wants(&users, false);
    assert_eq!((file.uid, file.gid, file.lacks), (2000, None, 0o077));
}

#[test]
fn one_user_owns_everything() {
    let users = Users { admin: 1000, bot: None };
    for row in TABLE {
        assert_eq!(row.wants(&users, true).uid, 1000, "{:?}", row.place);
    }
}
