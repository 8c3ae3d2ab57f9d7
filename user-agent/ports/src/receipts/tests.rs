#![expect(clippy::disallowed_methods, reason = "the tests build what must be refused")]
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use receipts::{Status, audit};
use serde_json::Value;
use shared_types::risk::Risk;

use super::*;

fn attempt() -> Attempt<'static> {
    Attempt {
        conversation: "c",
        tool: "clock.time",
        args: &Value::Null,
        result: "",
        status: Status::Allowed,
        approved_by: "policy",
        risk: Risk::Low,
        network: &[],
    }
}

fn world() -> (tempfile::TempDir, Receipts) {
    let dir = tempfile::tempdir().unwrap();
    let receipts = Receipts::new(Arc::new(Folder::root(dir.path()).unwrap()), None);
    (dir, receipts)
}

#[test]
fn receipts_are_kept_beneath_the_folder_and_full_files_make_way() {
    let (dir, receipts) = world();
    let chain = receipts.chain.of_at_most(1000);
    for _ in 0..5 {
        chain.write(&attempt()).unwrap();
    }
    assert!(dir.path().join("receipts.1.jsonl").is_file());
    assert_eq!(audit(chain.files(), None, None).unwrap().end.count, 5);
}

#[test]
fn no_receipt_goes_over_a_link_or_into_a_pipe() {
    for place in ["receipts.jsonl", "receipts.lock"] {
        let (dir, receipts) = world();
        let elsewhere = tempfile::tempdir().unwrap();
        symlink(elsewhere.path().join("x"), dir.path().join(place)).unwrap();
        assert!(receipts.unready().is_some());
        receipts.write(&attempt());
        assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
        let (dir, receipts) = world();
        nix::unistd::mkfifo(&dir.path().join(place), nix::sys::stat::Mode::S_IRWXU).unwrap();
        assert!(receipts.unready().is_some(), "{place}");
    }
}

#[test]
fn a_key_is_made_once_for_its_owner_alone_and_one_that_others_may_read_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let folder = Folder::root(dir.path()).unwrap();
    key(&folder).unwrap();
    let path = dir.path().join(KEY);
    let made = fs::read(&path).unwrap();
    assert_eq!((made.len(), fs::metadata(&path).unwrap().permissions().mode() & 0o777), (32, 0o600));
    key(&folder).unwrap();
    assert_eq!(fs::read(&path).unwrap(), made);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    assert!(key(&folder).unwrap_err().to_string().contains("others may read it"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    fs::write(&path, "short").unwrap();
    assert!(key(&folder).is_err());
}
