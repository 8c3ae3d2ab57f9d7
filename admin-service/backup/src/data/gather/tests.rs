use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;

use super::*;

#[derive(Default)]
struct Taken {
    files: BTreeMap<String, Vec<u8>>,
    skipped: Vec<(String, String)>,
    unread: Vec<(String, String)>,
}

impl Sink for Taken {
    fn file(&mut self, name: &str, size: u64, _: u32, content: &mut dyn Read) -> io::Result<()> {
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes)?;
        bytes.resize(usize::try_from(size).unwrap(), 0);
        self.files.insert(name.to_owned(), bytes);
        Ok(())
    }

    fn skip(&mut self, name: &str, why: &str) {
        self.skipped.push((name.to_owned(), why.to_owned()));
    }

    fn unread(&mut self, name: &str, why: &str) {
        self.unread.push((name.to_owned(), why.to_owned()));
    }
}

#[test]
fn a_log_ends_behind_its_last_whole_line_and_no_link_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("a")).unwrap();
    fs::write(path("a/log.jsonl"), "{}\n{}\n{\"torn").unwrap();
    fs::write(path("a/none.jsonl"), "{\"torn").unwrap();
    fs::write(path("a/note.txt"), "as it is").unwrap();
    fs::write(path("a/lock"), "").unwrap();
    fs::write(path("a/.note.txt.12.0.tmp"), "half").unwrap();
    symlink("/etc/passwd", path("a/link")).unwrap();
    fs::write(path("second"), "x").unwrap();
    fs::hard_link(path("second"), path("a/second")).unwrap();
    nix::unistd::mkfifo(&path("a/pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let mut taken = Taken::default();
    let root = Folder::open(folder.path()).unwrap();
    walk(&root.folder("a").unwrap(), "data/a", &|name| !name.ends_with("/lock"), &mut taken).unwrap();
    let names: Vec<&str> = taken.files.keys().map(String::as_str).collect();
    assert_eq!(names, ["data/a/log.jsonl", "data/a/none.jsonl", "data/a/note.txt"]);
    assert_eq!(taken.files["data/a/log.jsonl"], b"{}\n{}\n");
    assert!(taken.files["data/a/none.jsonl"].is_empty());
    let skipped: Vec<&str> = taken.skipped.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(skipped, ["data/a/link", "data/a/pipe", "data/a/second"]);
}

/// A disk that fails after this many bytes.
struct Failing(u64);

impl Read for Failing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let given = self.0.min(buffer.len() as u64);
        if given == 0 {
            return Err(io::Error::from_raw_os_error(libc::EIO));
        }
        self.0 -= given;
        buffer[..given as usize].fill(b'x');
        Ok(given as usize)
    }
}

#[test]
fn a_disk_that_fails_in_one_file_ends_that_file_alone() {
    let mut taken = Taken::default();
    handed_over(Failing(10), "data/small", 20, 0o600, &mut taken).unwrap();
    handed_over(Failing(SMALL), "data/large", SMALL + 20, 0o600, &mut taken).unwrap();
    handed_over(Failing(20), "data/whole", 20, 0o600, &mut taken).unwrap();
    let names: Vec<&str> = taken.files.keys().map(String::as_str).collect();
    assert_eq!(names, ["data/large", "data/whole"], "of a small file nothing is handed over");
    let unread: Vec<&str> = taken.unread.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(unread, ["data/small", "data/large"]);
    assert!(taken.unread[0].1.contains("Input/output error"), "{:?}", taken.unread);
}

/// Receipts or a lock that cannot be opened are named.
#[test]
fn receipts_that_cannot_be_read_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("receipts.lock"), "").unwrap();
    fs::write(at("receipts.jsonl"), "{}\n").unwrap();
    symlink("/etc/passwd", at("receipts.1.jsonl")).unwrap();
    let taken = || {
        let mut taken = Taken::default();
        walk(&Folder::open(folder.path()).unwrap(), "data/logs", &|_| true, &mut taken).unwrap();
        taken
    };
    let one = taken();
    assert!(one.files.contains_key("data/logs/receipts.jsonl"));
    assert_eq!(one.skipped[0].0, "data/logs/receipts.1.jsonl");
    fs::remove_file(at("receipts.lock")).unwrap();
    fs::create_dir(at("receipts.lock")).unwrap();
    let none = taken();
    assert!(none.files.is_empty());
    assert_eq!(none.unread[0].0, "data/logs", "{:?}", none.unread);
}

#[test]
fn a_chain_of_any_length_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("receipts.lock"), "").unwrap();
    fs::write(at("receipts.jsonl"), "{}\n").unwrap();
    (1..=1100).for_each(|number| fs::write(at(&format!("receipts.{number}.jsonl")), "{}\n").unwrap());
    let mut taken = Taken::default();
    walk(&Folder::open(folder.path()).unwrap(), "data/logs", &|name| !name.ends_with(".lock"), &mut taken)
        .unwrap();
    assert_eq!((taken.files.len(), taken.skipped.len(), taken.unread.len()), (1101, 0, 0));
}
