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
    let written = write(root(), &folder.0.join("nowhere"), &folder.0.join("site"));
    let written = written.expect("every link of the documents holds");
    assert!(written.pages > 50, "only {} pages", written.pages);
    assert!(written.missing.contains(&"review-item-390x844-light.png".to_owned()), "{:?}", written.missing);
    let page = |name: &str| fs::read_to_string(folder.0.join("site/src").join(name)).expect("a page");
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
    let write = |folder: &Folder| write(root(), &folder.0.join("nowhere"), &folder.0);
    write(&folder).expect("the site is made");
    fs::write(folder.0.join("src/OLD.md"), "old").expect("it can be written");
    write(&folder).expect("the site is made again");
    assert!(!folder.0.join("src/OLD.md").exists());

    let other = Folder::new("other");
    fs::create_dir(other.0.join("src")).expect("a folder can be made");
    fs::write(other.0.join("src/main.rs"), "mine").expect("it can be written");
    let fault = write(&other).expect_err("it is refused");
    assert!(fault.to_string().contains("did not make: name an empty or a new folder"), "{fault}");
    assert_eq!(fs::read_to_string(other.0.join("src/main.rs")).expect("it is there"), "mine");
}

/// A picture that a test of the pages made is in the site; where there is none, its line is left out and its name is said.
#[test]
fn a_picture_of_a_page_is_shown_where_it_was_made() {
    let folder = Folder::new("screens");
    let put = |name: &str, text: &str| {
        let path = folder.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
        fs::write(path, text).expect("it can be written");
    };
    put("docs/SUMMARY.md", "# Summary\n\n[A guide](guides/a.md)\n");
    put(
        "docs/guides/a.md",
        "<!-- picture: one: What one sees -->\n\n<!-- picture: two: What is not there -->\n\nEnd.\n",
    );
    put("made/one.png", "a picture");
    let written = write(&folder.0, &folder.0.join("made"), &folder.0.join("site")).expect("the site is made");
    assert_eq!(written.missing, ["two.png"]);
    let page = fs::read_to_string(folder.0.join("site/src/guides/a.md")).expect("a page");
    assert_eq!(page, "![What one sees](../screens/one.png)\n\n\nEnd.\n");
    let shown = fs::read_to_string(folder.0.join("site/src/screens/one.png")).expect("a picture");
    assert_eq!(shown, "a picture");
}
