use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use nix::sys::stat::{Mode, SFlag, makedev, mknod};
use nix::unistd::{geteuid, mkfifo};

use super::*;

const MOST: u64 = 1000;

/// A folder `in` with the handle of the folder above it, and a secret beside it.
fn place() -> (tempfile::TempDir, Folder) {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir(place.path().join("in")).unwrap();
    fs::write(place.path().join("secret"), "a secret").unwrap();
    let folder = Folder::open(place.path()).unwrap().folder("in").unwrap();
    (place, folder)
}

fn at(place: &tempfile::TempDir, name: &str) -> PathBuf {
    place.path().join("in").join(name)
}

fn read(folder: &Folder, name: &str) -> Result<Vec<u8>, NotOpened> {
    folder.file(name)?.read(MOST)
}

#[test]
fn a_regular_file_of_its_folders_owner_is_read() {
    let (place, folder) = place();
    fs::write(at(&place, "a"), "text").unwrap();
    let opened = folder.file("a").unwrap();
    assert_eq!((opened.facts().size, opened.facts().kind), (4, Kind::File));
    assert_eq!(opened.text(4), Ok("text".to_owned()));
    assert_eq!(folder.file("a").unwrap().last(2), Ok(b"xt".to_vec()));
    assert_eq!(folder.check("a").unwrap().look(), folder.look("a").unwrap());
}

#[test]
fn every_other_kind_is_named_and_nothing_blocks() {
    let (place, folder) = place();
    symlink("../secret", at(&place, "link")).unwrap();
    symlink("nowhere", at(&place, "dangling")).unwrap();
    fs::create_dir(at(&place, "folder")).unwrap();
    mkfifo(&at(&place, "pipe"), Mode::S_IRWXU).unwrap();
    let _socket = UnixListener::bind(at(&place, "socket")).unwrap();
    fs::hard_link(place.path().join("secret"), at(&place, "second")).unwrap();
    let start = Instant::now();
    let expected = [
        ("link", NotOpened::Link),
        ("dangling", NotOpened::Link),
        ("folder", NotOpened::NotAFile(Kind::Folder)),
        ("pipe", NotOpened::NotAFile(Kind::Pipe)),
        ("socket", NotOpened::NotAFile(Kind::Socket)),
        ("second", NotOpened::SecondName),
        ("missing", NotOpened::Gone),
        ("../secret", NotOpened::Outside),
        ("/etc/hostname", NotOpened::Outside),
    ];
    for (name, why) in expected {
        assert_eq!(read(&folder, name).unwrap_err(), why, "{name}");
        assert_eq!(folder.check(name).unwrap_err(), why, "{name}");
    }
    assert!(start.elapsed() < Duration::from_secs(5), "nothing waits for a writer");
    assert_eq!(folder.facts_of("link").unwrap().kind, Kind::Link);
    assert!(read(&folder.with_second_names(), "second").is_ok());
}

#[test]
fn a_device_is_judged_before_it_is_opened() {
    let (place, folder) = place();
    // Nothing drives this number: an open would answer ENXIO, and a device that is driven might start.
    let made = mknod(&at(&place, "device"), SFlag::S_IFCHR, Mode::S_IRWXU, makedev(250, 250));
    if made.is_ok() {
        assert_eq!(read(&folder, "device").unwrap_err(), NotOpened::NotAFile(Kind::Device));
    } else {
        eprintln!("skipped: only root makes a device");
    }
}

#[test]
fn no_link_is_followed_on_the_way_and_none_in_a_folders_place() {
    let (place, folder) = place();
    fs::create_dir(place.path().join("else")).unwrap();
    fs::write(place.path().join("else/a"), "elsewhere").unwrap();
    symlink(place.path().join("else"), at(&place, "way")).unwrap();
    assert_eq!(folder.file("way/a").unwrap_err(), NotOpened::Link);
    assert_eq!(folder.facts_of("way/a").unwrap_err(), NotOpened::Link);
    assert!(folder.folder("way").unwrap_err().is_another_kind());
    fs::write(at(&place, "file"), "").unwrap();
    mkfifo(&at(&place, "pipe"), Mode::S_IRWXU).unwrap();
    assert_eq!(folder.folder("file").unwrap_err(), NotOpened::NotAFolder);
    assert_eq!(folder.folder("pipe").unwrap_err(), NotOpened::NotAFolder);
    assert_eq!(folder.folder("missing").unwrap_err(), NotOpened::Gone);
    assert_eq!(folder.folder("..").unwrap_err(), NotOpened::Outside);
}

#[test]
fn a_file_that_claims_a_terabyte_is_refused_unread_and_one_that_grows_is_cut_off() {
    let (place, folder) = place();
    File::create(at(&place, "sparse")).unwrap().set_len(1 << 40).unwrap();
    assert_eq!(read(&folder, "sparse").unwrap_err(), NotOpened::TooLarge { most: MOST });
    assert_eq!(folder.file("sparse").unwrap().last(3).unwrap(), [0, 0, 0]);
    fs::write(at(&place, "grows"), "").unwrap();
    let opened = folder.file("grows").unwrap();
    fs::write(at(&place, "grows"), vec![b'x'; 2000]).unwrap();
    assert_eq!(opened.read(MOST).unwrap_err(), NotOpened::TooLarge { most: MOST });
    fs::write(at(&place, "edge"), vec![b'x'; 1000]).unwrap();
    assert_eq!(read(&folder, "edge").unwrap().len(), 1000);
}

#[test]
fn text_has_no_broken_bytes_no_nul_and_no_byte_order_mark() {
    let (place, folder) = place();
    for (name, bytes) in [("bytes", &b"\xff\xfe"[..]), ("nul", b"a\0b"), ("mark", "\u{feff}a".as_bytes())] {
        fs::write(at(&place, name), bytes).unwrap();
        assert_eq!(folder.file(name).unwrap().text(MOST).unwrap_err(), NotOpened::NotText, "{name}");
    }
}

#[test]
fn a_file_of_another_user_is_refused() {
    if !geteuid().is_root() {
        eprintln!("skipped: only root gives a file away");
        return;
    }
    let (place, folder) = place();
    fs::write(at(&place, "foreign"), "").unwrap();
    chown(at(&place, "foreign"), Some(4321), None).unwrap();
    assert_eq!(read(&folder, "foreign").unwrap_err(), NotOpened::Owner { found: 4321, expected: 0 });
    // Of a folder that is opened by path nothing is known.
    assert!(Folder::open(&place.path().join("in")).unwrap().file("foreign").is_ok());
}

#[test]
fn a_file_that_may_not_be_read_is_denied() {
    if geteuid().is_root() {
        eprintln!("skipped: root reads everything");
        return;
    }
    let (place, folder) = place();
    fs::write(at(&place, "closed"), "").unwrap();
    fs::set_permissions(at(&place, "closed"), fs::Permissions::from_mode(0o0)).unwrap();
    assert_eq!(read(&folder, "closed").unwrap_err(), NotOpened::Denied);
}

#[test]
fn a_folder_that_was_moved_is_still_the_one_that_was_opened() {
    let (place, folder) = place();
    fs::write(at(&place, "a"), "mine").unwrap();
    fs::rename(place.path().join("in"), place.path().join("moved")).unwrap();
    symlink(place.path(), place.path().join("in")).unwrap();
    assert_eq!(read(&folder, "a").unwrap(), b"mine");
    assert_eq!(folder.file("secret").unwrap_err(), NotOpened::Gone);
    assert_eq!(fs::read(folder.by_handle().join("a")).unwrap(), b"mine");
    let names: Result<Vec<_>, _> = folder.names().unwrap().collect();
    assert_eq!(names.unwrap(), ["a"]);
}

#[test]
fn a_name_that_changes_between_file_link_and_pipe_gives_the_file_or_nothing() {
    let (place, folder) = place();
    let name = at(&place, "name");
    let done = AtomicBool::new(false);
    let mut read_well = 0;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (file, link, pipe) = (at(&place, "f"), at(&place, "l"), at(&place, "p"));
            let put = |from: &Path| fs::rename(from, &name).unwrap();
            while !done.load(Ordering::Relaxed) {
                fs::write(&file, "mine").unwrap();
                put(&file);
                symlink("../secret", &link).unwrap();
                put(&link);
                mkfifo(&pipe, Mode::S_IRWXU).unwrap();
                put(&pipe);
            }
        });
        let start = Instant::now();
        let goes_on = |seconds| start.elapsed() < Duration::from_secs(seconds);
        // A busy machine may need longer until the file is caught once.
        while goes_on(1) || read_well == 0 && goes_on(30) {
            match read(&folder, "name") {
                Ok(bytes) => {
                    assert_eq!(bytes, b"mine");
                    read_well += 1;
                }
                Err(why) => assert!(
                    matches!(why, NotOpened::Gone | NotOpened::Link | NotOpened::NotAFile(Kind::Pipe)),
                    "{why}"
                ),
            }
        }
        done.store(true, Ordering::Relaxed);
    });
    assert!(read_well > 0, "the file was never caught: the test shows nothing");
}

#[test]
fn a_folder_is_made_once_and_only_within_its_folder() {
    let (place, folder) = place();
    let made = folder.make("new", 0o700).unwrap();
    assert_eq!(made.facts().mode, 0o700);
    assert_eq!(folder.make("new", 0o755).unwrap().identity(), made.identity());
    symlink("../..", at(&place, "link")).unwrap();
    assert!(folder.make("link", 0o700).unwrap_err().is_another_kind());
    assert!(folder.make("../outside", 0o700).is_err() && folder.make("new/../../outside", 0o700).is_err());
    assert!(!place.path().join("outside").exists());
}

/// A path that a person names: links of trusted users are followed, wherever they stand, and no other.
#[test]
fn a_link_on_the_way_to_a_named_path_counts_only_by_its_maker() {
    let place = tempfile::tempdir().unwrap();
    let (path, own) = (place.path(), geteuid().as_raw());
    fs::create_dir_all(path.join("real/deep")).unwrap();
    fs::write(path.join("real/deep/a"), "text").unwrap();
    symlink("real/../real", path.join("way")).unwrap();
    symlink(path.join("way/deep/a"), path.join("end")).unwrap();
    symlink("loop", path.join("loop")).unwrap();
    for name in ["end", "way/deep/a", "way/deep/../deep/a", "real/deep/a"] {
        let opened = Opened::open_by(&path.join(name), &[0, own]).unwrap();
        assert_eq!(opened.text(MOST), Ok("text".to_owned()), "{name}");
    }
    let folder = Folder::open_by(&path.join("way/deep"), &[0, own]).unwrap();
    let whole = |path: &Path| Folder::open(path).unwrap().identity();
    assert_eq!(folder.identity(), whole(&path.join("real/deep")));
    assert_eq!(folder.is_within(&[whole(&path.join("real"))]), Ok(true));
    assert_eq!(folder.is_within(&[whole(&path.join("real/deep"))]), Ok(true));
    let beside = path.join("beside");
    fs::create_dir(&beside).unwrap();
    assert_eq!(folder.is_within(&[whole(&beside)]), Ok(false));
    let refused = |name: &str, makers: &[u32]| Opened::open_by(&path.join(name), makers).unwrap_err();
    assert_eq!(refused("loop", &[0, own]), NotOpened::Link);
    assert_eq!(refused("real", &[0, own]), NotOpened::NotAFile(Kind::Folder));
    assert_eq!(refused("gone/a", &[0, own]), NotOpened::Gone);
    assert_eq!(refused("real/deep/a/b", &[0, own]), NotOpened::NotAFolder);
    let stranger = own.wrapping_add(7);
    for name in ["end", "way/deep/a"] {
        assert_eq!(refused(name, &[stranger]), NotOpened::StrangersLink { maker: own }, "{name}");
    }
    // A second name may be that of a file elsewhere, where others may write.
    fs::hard_link(path.join("real/deep/a"), path.join("real/second")).unwrap();
    fs::set_permissions(path.join("real"), fs::Permissions::from_mode(0o755)).unwrap();
    assert!(Opened::open_by(&path.join("real/second"), &[0, own]).is_ok());
    fs::set_permissions(path.join("real"), fs::Permissions::from_mode(0o777)).unwrap();
    assert_eq!(refused("real/second", &[0, own]), NotOpened::SecondName);
}
