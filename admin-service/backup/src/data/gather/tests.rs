use std::fs;
use std::os::unix::fs::symlink;

use super::*;

#[derive(Default)]
struct Taken {
    files: BTreeMap<String, Vec<u8>>,
    skipped: Vec<(String, String)>,
}

impl Sink for Taken {
    fn file(&mut self, name: &str, size: u64, _: u32, content: &mut dyn Read) -> io::Result<()> {
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes)?;
        assert_eq!(bytes.len() as u64, size);
        self.files.insert(name.to_owned(), bytes);
        Ok(())
    }

    fn skip(&mut self, name: &str, why: &str) {
        self.skipped.push((name.to_owned(), why.to_owned()));
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
