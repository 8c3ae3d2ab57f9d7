use std::fs;
use std::os::unix::fs::symlink;

use base::home::Home;

use super::*;

#[test]
fn a_proposal_is_read_and_hashed_and_a_file_over_the_cap_is_refused() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("a.yaml"), "x").unwrap();
    fs::write(place.path().join("big.yaml"), vec![b'a'; MAX_BYTES + 1]).unwrap();
    fs::write(place.path().join("edge.yaml"), vec![b'a'; MAX_BYTES]).unwrap();
    let folder = Folder::open(place.path()).unwrap();
    let read = |name: &str| Snapshot::read(&folder, name.as_ref());
    assert_eq!(read("a.yaml").unwrap().digest, Digest::of(b"x"));
    assert!(read("edge.yaml").is_ok());
    assert_eq!(read("big.yaml").unwrap_err(), NotOpened::TooLarge { most: MAX_BYTES as u64 });
}

#[test]
fn a_link_on_the_way_to_a_profiles_folder_is_not_followed() {
    let place = tempfile::tempdir().unwrap();
    let home = Home::new(place.path().join("home"), None);
    let proposals = home.proposals(&"default".parse().unwrap());
    assert!(proposals.folder().unwrap().is_none());
    let (all, one) = (home.all_proposals().unguarded_path(), proposals.unguarded_path());
    fs::create_dir_all(&all).unwrap();
    fs::create_dir(place.path().join("elsewhere")).unwrap();
    symlink(place.path().join("elsewhere"), &one).unwrap();
    assert!(proposals.folder().is_err());
    fs::remove_file(&one).unwrap();
    fs::remove_dir(&all).unwrap();
    fs::create_dir(place.path().join("elsewhere/default")).unwrap();
    symlink(place.path().join("elsewhere"), &all).unwrap();
    assert!(proposals.folder().is_err());
}
