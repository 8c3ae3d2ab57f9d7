use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use nix::unistd::geteuid;

use super::{Unfit, locate, open, open_again};

fn world() -> (tempfile::TempDir, PathBuf) {
    let outer = tempfile::Builder::new().prefix("further").tempdir().unwrap();
    let at = outer.path().canonicalize().unwrap();
    for folder in ["docs/deep", "elsewhere", "ours/data", "above/ours"] {
        fs::create_dir_all(at.join(folder)).unwrap();
    }
    (outer, at)
}

fn own() -> [u32; 2] {
    [0, geteuid().as_raw()]
}

#[test]
fn a_home_folder_is_that_of_the_list_of_users() {
    assert_eq!(locate("~/Documents/x", 0), Ok(PathBuf::from("/root/Documents/x")));
    assert_eq!(locate("~root/Documents", 4_000_000_000), Ok(PathBuf::from("/root/Documents")));
    assert_eq!(locate("/srv/plans", 0), Ok(PathBuf::from("/srv/plans")));
    assert_eq!(locate("~nobody-of-this-name/x", 0), Err(Unfit::NoSuchUser("nobody-of-this-name".to_owned())));
    assert!(matches!(locate("~/x", 3_999_999_999), Err(Unfit::NoSuchUser(_))));
}

#[test]
fn folders_of_the_system_whole_homes_and_our_own_are_refused() {
    let (_outer, at) = world();
    let ours = at.join("ours");
    let refused = |path: &Path| open(path, &[&ours], false, &own()).unwrap_err();
    for system in ["/etc", "/etc/ssl", "/proc/self", "/sys/kernel", "/dev/shm", "/usr/share", "/run/user/0"] {
        assert!(matches!(refused(Path::new(system)), Unfit::System(_)), "{system}");
    }
    for wide in ["/", "/home", "/root", "/tmp", "/var"] {
        assert!(
            matches!(refused(Path::new(wide)), Unfit::TooWide(_)),
            "{wide}: {}",
            refused(Path::new(wide))
        );
    }
    for hidden in ["/root/.ssh", "/srv/.git/x"] {
        assert_eq!(refused(Path::new(hidden)), Unfit::Hidden, "{hidden}");
    }
    for home in [ours.clone(), ours.join("data"), at.clone()] {
        assert!(matches!(refused(&home), Unfit::OurHome(_)), "{home:?}: {}", refused(&home));
    }
    // Where the home is reached over a link, the folder to which it leads is ours too.
    symlink(&ours, at.join("link")).unwrap();
    let by_link = at.join("link");
    assert!(matches!(open(&ours, &[&by_link], false, &own()), Err(Unfit::OurHome(_))));
    assert!(open(&at.join("docs"), &[&ours], true, &own()).is_ok());
    assert!(open(&at.join("docs/deep"), &[&ours], false, &own()).is_ok());
}

#[test]
fn links_files_and_what_is_missing_are_refused() {
    let (_outer, at) = world();
    symlink(at.join("docs"), at.join("way")).unwrap();
    fs::write(at.join("file"), "x").unwrap();
    for (name, expected) in [
        ("way", Unfit::Link),
        ("way/deep", Unfit::Link),
        ("file", Unfit::NotAFolder),
        ("gone", Unfit::Missing),
    ] {
        assert_eq!(open(&at.join(name), &[], false, &own()).unwrap_err(), expected, "{name}");
    }
}

#[test]
fn a_folder_that_others_may_change_is_not_written_and_one_that_they_may_exchange_is_not_opened() {
    let (_outer, at) = world();
    let docs = at.join("docs");
    fs::set_permissions(&docs, fs::Permissions::from_mode(0o777)).unwrap();
    assert!(open(&docs, &[], false, &own()).is_ok());
    assert!(matches!(open(&docs, &[], true, &own()), Err(Unfit::Untrusted(_))));
    assert!(matches!(open(&docs.join("deep"), &[], false, &own()), Err(Unfit::Untrusted(_))));
}

#[test]
fn another_folder_in_the_place_of_the_known_one_is_not_opened_again() {
    let (_outer, at) = world();
    let docs = at.join("docs");
    let known = open(&docs, &[], false, &own()).unwrap();
    assert!(open_again(&docs, &known).is_ok());
    fs::rename(&docs, at.join("moved")).unwrap();
    assert_eq!(open_again(&docs, &known).unwrap_err(), Unfit::Missing);
    fs::rename(at.join("elsewhere"), &docs).unwrap();
    assert_eq!(open_again(&docs, &known).unwrap_err(), Unfit::Missing);
    fs::rename(&docs, at.join("elsewhere")).unwrap();
    symlink(at.join("moved"), &docs).unwrap();
    assert_eq!(open_again(&docs, &known).unwrap_err(), Unfit::Link);
}
