use axum::body::Body;

use super::*;

const KIND: &str = "multipart/form-data; boundary=edge";

fn read(kind: &str, body: impl Into<Body>) -> Result<Said, Failed> {
    let request = Request::post("/page/say").header(header::CONTENT_TYPE, kind).body(body.into()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(Said::of(request))
}

fn part(disposition: &str, content: &str) -> String {
    format!("--edge\r\nContent-Disposition: form-data; {disposition}\r\n\r\n{content}\r\n")
}

/// A line comes as pairs or in parts; a file keeps the name that it was sent with, and one that nobody chose is not a file.
#[test]
fn a_form_is_read_in_both_shapes() {
    let said = read("application/x-www-form-urlencoded", "message=a+b&c=01").unwrap();
    assert_eq!((said.message.as_str(), said.c.as_str(), said.pictures.len()), ("a b", "01", 0));
    let body = part("name=\"message\"", "a\r\nb")
        + &part("name=\"c\"", "01")
        + &part("name=\"picture\"; filename=\"../\u{202e}gnp.exe\"", "--edg")
        + &part("name=\"picture\"; filename=\"List.CSV\"", "a,b\n1,2")
        + &part("name=\"picture\"; filename=\"\"", "")
        + "--edge--\r\n";
    let said = read(KIND, body).unwrap();
    assert_eq!((said.message.as_str(), said.c.as_str()), ("a\r\nb", "01"));
    let sent = SentPicture { name: "../\u{202e}gnp.exe".to_owned(), data: STANDARD.encode("--edg") };
    assert_eq!(said.pictures, [sent]);
    assert_eq!(said.texts, [SentText { name: "List.CSV".to_owned(), text: "a,b\n1,2".to_owned() }]);
}

/// Anything else than such a form is refused, and the refusal names what is wrong.
#[test]
fn another_form_is_refused() {
    let nested = "--edge\r\nContent-Disposition: form-data; name=\"picture\"\r\nContent-Type: multipart/mixed; boundary=in\r\n\r\n\
                  --in\r\n\r\nx\r\n--in--\r\n--edge--\r\n";
    let many = part("name=\"c\"", "").repeat(MOST_PARTS + 1) + "--edge--\r\n";
    let headers = format!("--edge\r\n{}\r\n\r\n--edge--\r\n", "X-A: b\r\n".repeat(1_000));
    let endless = format!("--edge\r\nContent-Disposition: form-data; name=\"{}", "x".repeat(200_000));
    for (kind, body, why) in [
        ("multipart/form-data", part("name=\"message\"", "a"), "boundary"),
        ("multipart/mixed; boundary=edge", part("name=\"message\"", "a"), ""),
        (KIND, nested.to_owned(), "nothing else"),
        (KIND, many, "at most 11 parts"),
        (KIND, headers, ""),
        (KIND, endless, ""),
        (KIND, part("name=\"message\"", "a"), ""),
        (KIND, part("name=\"message\"; filename=\"a.png\"", "a") + "--edge--\r\n", "nothing else"),
        (KIND, part("name=\"other\"", "a") + "--edge--\r\n", "nothing else"),
        ("application/json", "{}".to_owned(), ""),
    ] {
        let failed = read(kind, body.clone()).expect_err(&body[..body.len().min(200)]);
        assert_eq!(failed.status, StatusCode::BAD_REQUEST, "{failed:?}");
        assert!(failed.message.contains(why), "{failed:?}");
    }
    let no_text =
        [&b"--edge\r\nContent-Disposition: form-data; name=\"message\"\r\n\r\n\xff\r\n--edge--\r\n"[..]]
            .concat();
    assert!(read(KIND, no_text).is_err());
}
