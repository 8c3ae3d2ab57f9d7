use std::time::SystemTime;

use super::*;

#[test]
fn the_copy_follows_the_source_and_leaves_alone_what_is_equal() {
    let folder = std::env::temp_dir().join(format!("tameclaw-cut-copy-{}", std::process::id()));
    let (from, to) = (folder.join("from"), folder.join("to"));
    let write = |path: PathBuf, text: &str| {
        fs::create_dir_all(path.parent().expect("a folder")).expect("is made");
        fs::write(path, text).expect("is written");
    };
    write(from.join("src/a.rs"), "a");
    write(from.join("src/b.rs"), "b");
    write(from.join("target/built"), "x");
    write(from.join(".git/head"), "x");
    equal(&from, &to).expect("is copied");
    assert_eq!(files(&to).expect("is read").len(), 2, "neither what is built nor git's is copied");

    let long_ago = SystemTime::UNIX_EPOCH;
    fs::File::open(to.join("src/a.rs")).and_then(|file| file.set_modified(long_ago)).expect("a time is set");
    write(to.join("src/b.rs"), "cut");
    write(to.join("src/left.rs"), "left behind");
    write(from.join("src/c.rs"), "c");
    equal(&from, &to).expect("is copied");
    let read = |name: &str| fs::read_to_string(to.join("src").join(name)).ok();
    assert_eq!(read("b.rs").as_deref(), Some("b"), "a cut that was left behind is taken back");
    assert_eq!(read("c.rs").as_deref(), Some("c"));
    assert_eq!(read("left.rs"), None);
    let kept = fs::metadata(to.join("src/a.rs")).and_then(|data| data.modified()).expect("a time");
    assert_eq!(kept, long_ago, "a file that is equal is not written again");
    fs::remove_dir_all(folder).expect("is removed");
}
