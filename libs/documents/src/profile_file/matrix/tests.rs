use std::path::PathBuf;

use crate::profile_file::Profile;

fn parse(text: &str) -> Result<Profile, String> {
    let home = |_: &str| Err::<PathBuf, &str>("no home");
    Profile::parse(text, || vec!["en"], home)
        .map_err(|faults| faults.into_iter().map(|fault| format!("{fault}\n")).collect())
}

const WHOLE: &str = "matrix:\n  server: https://matrix.example.org/\n  user: \"@bot:example.org\"\n  token: MATRIX\n  people:\n  \
                     - {id: \"@anna:example.org\", may_confirm: true}\n  - {id: \"@anna:home.lan:8448\"}\n";

#[test]
fn a_whole_section_is_read_and_written_in_the_same_way() {
    let matrix = parse(WHOLE).unwrap().matrix.unwrap();
    assert_eq!(matrix.server.to_string(), "https://matrix.example.org");
    assert_eq!((matrix.user.as_str(), matrix.token.as_str()), ("@bot:example.org", "MATRIX"));
    assert!(!matrix.minors && matrix.drafts);
    let people: Vec<_> = matrix.people.iter().map(|p| (p.id.as_str(), p.may_confirm)).collect();
    assert_eq!(people, [("@anna:example.org", true), ("@anna:home.lan:8448", false)]);
    let whole = WHOLE.replacen("  token", "  drafts: false\n  token", 1);
    assert!(!parse(&whole).unwrap().matrix.unwrap().drafts);
    let written = serde_json::json!({ "matrix": matrix }).to_string();
    assert_eq!(parse(&written).unwrap().matrix, Some(matrix));
}

#[test]
fn without_a_server_there_is_no_channel() {
    assert_eq!(parse("audience: adult\n").unwrap().matrix, None);
    assert_eq!(parse("matrix: {minors: true}\n").unwrap().matrix, None);
}

#[test]
fn each_fault_names_its_key_and_what_is_allowed() {
    let faults = |from: &str, to: &str| parse(&WHOLE.replacen(from, to, 1)).unwrap_err();
    assert!(faults("https://matrix.example.org/", "matrix.example.org").contains("https://HOST"));
    assert!(
        faults("https://matrix.example.org/", "https://matrix.example.org/path").contains("matrix.server")
    );
    assert!(faults("https://", "http://").contains("http://HOST:PORT"));
    assert!(faults("\"@bot:example.org\"", "bot").contains("matrix.user"));
    assert!(faults("token: MATRIX", "token: \"no name\"").contains("matrix.token"));
    assert!(faults("  token: MATRIX\n", "").contains("matrix.token"));
    assert!(faults("@anna:example.org", "@bot:example.org").contains("account of the assistant"));
    let page = |page: &str| parse(&WHOLE.replacen("  token", &format!("  review_page: {page}\n  token"), 1));
    for good in ["https://review.example.org", "https://review.example.org:8443/", "http://127.0.0.1:8788"] {
        let shown = page(good).unwrap().matrix.unwrap().review_page.unwrap().to_string();
        assert_eq!(shown, good.trim_end_matches('/'));
    }
    for bad in ["http://review.example.org:80", "review.example.org", "https://review.example.org/x"] {
        assert!(page(bad).unwrap_err().contains("matrix.review_page"), "{bad}");
    }
    assert!(faults("@anna:home.lan:8448", "@anna:example.org").contains("named twice"));
    assert!(faults("@anna:example.org", "@an na:example.org").contains("not a Matrix account"));
    let nobody = WHOLE.split("  people").next().unwrap();
    assert!(parse(nobody).unwrap_err().contains("matrix.people"));
}
