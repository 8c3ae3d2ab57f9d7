use super::*;

#[test]
fn the_environment_names_the_editor_as_words_and_no_shell_reads_it() {
    let of = |visual: Option<&str>, editor: Option<&str>| {
        named(|name| if name == "VISUAL" { visual } else { editor }.map(str::to_owned))
    };
    let words = |program: &str, rest: &[&str]| {
        Some((program.to_owned(), rest.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>()))
    };
    assert_eq!(of(Some("code --wait"), Some("vi")), words("code", &["--wait"]));
    assert_eq!(of(Some(" "), Some("vi; rm -rf /")), words("vi;", &["rm", "-rf", "/"]));
    assert_eq!(of(None, None), None);
}

#[test]
fn a_file_that_is_no_source_is_refused_by_name() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("skill.rs");
    for (bytes, told) in
        [(vec![b'x'; LARGEST + 1], "more than"), (vec![b'a', 0xff], "not UTF-8 text (byte 1)")]
    {
        fs::write(&path, bytes).unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains(told) && error.contains("skill.rs"), "{error}");
    }
    fs::write(&path, "fn main() {}\n").unwrap();
    assert_eq!(read(&path).unwrap(), "fn main() {}\n");
    assert!(read(&place.path().join("none")).is_err());
}
