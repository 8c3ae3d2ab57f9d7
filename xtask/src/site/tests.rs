use super::*;

/// A folder for one test, which is removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("tameclaw-site-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What stays is in the folder for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Every link of every page holds, and the pictures are there: a link to nothing ends it.
#[test]
fn the_documents_of_this_repository_make_a_site() {
    let folder = Folder::new("real");
    let count = write(root(), &folder.0).expect("every link of the documents holds");
    assert!(count > 50, "only {count} pages");
    let page = |name: &str| fs::read_to_string(folder.0.join("src").join(name)).expect("a page");
    assert!(page("index.md").contains("](USING.md)") && page("index.md").contains("](guides/matrix.md)"));
    assert!(page("SUMMARY.md").starts_with("# Summary\n\n[TameClaw](index.md)\n"));
    for name in ["FIRST_EVENING.md", "USING.md"] {
        assert!(page(name).contains("<svg "), "{name} has no picture");
    }
    assert!(page("terminals/ten-minutes-parent-1.svg").starts_with("<svg "));
}

#[test]
fn a_page_of_an_earlier_run_goes_and_files_of_others_are_left_alone() {
    let folder = Folder::new("again");
    write(root(), &folder.0).expect("the site is made");
    fs::write(folder.0.join("src/OLD.md"), "old").expect("it can be written");
    write(root(), &folder.0).expect("the site is made again");
    assert!(!folder.0.join("src/OLD.md").exists());

    let other = Folder::new("other");
    fs::create_dir(other.0.join("src")).expect("a folder can be made");
    fs::write(other.0.join("src/main.rs"), "mine").expect("it can be written");
    let fault = write(root(), &other.0).expect_err("it is refused");
    assert!(fault.to_string().contains("did not make: name an empty or a new folder"), "{fault}");
    assert_eq!(fs::read_to_string(other.0.join("src/main.rs")).expect("it is there"), "mine");
}
