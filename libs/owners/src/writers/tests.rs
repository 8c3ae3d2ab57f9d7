use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;

const TRUSTED: [u32; 3] = [0, 1000, 2000];

fn of(uid: u32, gid: u32, mode: u32) -> Facts {
    Facts { uid, gid, mode }
}

fn groups(gid: u32) -> Members {
    match gid {
        0 => Members::Listed(vec![0]),
        1000 => Members::Listed(vec![1000]),
        50 => Members::Listed(vec![]),
        100 => Members::Listed(vec![1000, 3000]),
        _ => Members::Unlisted,
    }
}

#[test]
fn what_only_trusted_users_can_change_is_accepted() {
    for facts in [
        of(1000, 1000, 0o40700),
        of(0, 0, 0o40755),
        of(2000, 3000, 0o40750),
        of(1000, 1000, 0o40775),
        of(1000, 2000, 0o40770),
        of(0, 50, 0o42775),
        of(0, 100, 0o40750),
    ] {
        assert_eq!(stranger(facts, &TRUSTED, groups), None, "{facts:?}");
    }
}

#[test]
fn what_a_third_user_can_change_is_refused_with_who() {
    for (facts, who) in [
        (of(1000, 1000, 0o40777), Writer::Everybody),
        (of(3000, 3000, 0o40700), Writer::Owner(3000)),
        (of(3000, 3000, 0o41777), Writer::Owner(3000)),
        (of(0, 0, 0o41777), Writer::Everybody),
        (of(0, 100, 0o41770), Writer::Group { gid: 100, member: 3000 }),
        (of(1000, 1000, 0o100_666), Writer::Everybody),
        (of(1000, 1000, 0o101_666), Writer::Everybody),
        (of(1000, 100, 0o40770), Writer::Group { gid: 100, member: 3000 }),
        (of(1000, 4000, 0o40770), Writer::UnlistedGroup(4000)),
    ] {
        assert_eq!(stranger(facts, &TRUSTED, groups), Some(who), "{facts:?}");
    }
}

#[test]
fn a_tree_is_looked_at_to_its_depth_and_no_link_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let own = [0, nix::unistd::geteuid().as_raw()];
    let (top, deep) = (folder.path().join("a"), folder.path().join("a/b/c"));
    fs::create_dir_all(&deep).unwrap();
    for folder in [&top, &folder.path().join("a/b"), &deep] {
        fs::set_permissions(folder, Permissions::from_mode(0o750)).unwrap();
    }
    let file = deep.join("file");
    fs::write(&file, "").unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o666)).unwrap();
    assert_eq!(check_tree(&top, 2, &own), Ok(()), "the file lies a level deeper");
    let found = check_tree(&top, 3, &own).unwrap_err();
    assert_eq!(found.path(), file);
    assert!(
        found.to_string().contains("may be changed by everybody") && found.to_string().contains("mode 0666")
    );
    fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
    assert_eq!(check_tree(&top, 3, &own), Ok(()));
    symlink("/etc", top.join("link")).unwrap();
    assert!(matches!(check_tree(&top, 3, &own), Err(Untrusted::Kind { what: "a link", .. })));
    assert_eq!(check_tree(&folder.path().join("missing"), 3, &own), Ok(()));
}

/// On the way to a home a folder such as /tmp may stand: its entries are their owners'. A link there is as good as its owner.
#[test]
fn the_way_to_a_path_passes_sticky_folders_and_no_strangers_link() {
    let folder = tempfile::tempdir().unwrap();
    let own = [0, nix::unistd::geteuid().as_raw()];
    let (sticky, home) = (folder.path().join("sticky"), folder.path().join("home"));
    for folder in [&sticky, &home] {
        fs::create_dir(folder).unwrap();
        fs::set_permissions(folder, Permissions::from_mode(0o755)).unwrap();
    }
    fs::set_permissions(&sticky, Permissions::from_mode(0o1777)).unwrap();
    let link = sticky.join("link");
    symlink(&home, &link).unwrap();
    assert_eq!(check_way(&link, &own), Ok(()));
    assert!(check_tree(&sticky, 0, &own).is_err(), "a tree in which everybody makes files is no trusted one");
    if nix::unistd::geteuid().is_root() {
        std::os::unix::fs::lchown(&link, Some(3_042_042), None).unwrap();
        assert_eq!(check_way(&link, &own).unwrap_err().path(), link);
    }
    fs::set_permissions(&sticky, Permissions::from_mode(0o777)).unwrap();
    assert_eq!(check_way(&link, &own).unwrap_err().path(), sticky);
}

#[test]
fn the_group_of_root_is_listed_with_root_in_it() {
    let Members::Listed(users) = members(0) else { panic!("every system lists root's group") };
    assert!(users.contains(&0), "{users:?}");
    assert_eq!(members(3_042_042), Members::Unlisted);
}
