use super::super::layout::frame;
use super::super::layout::tests::is_a_page;
use super::super::words::ALL;
use super::*;

fn message(role: &str, content: &str) -> Message {
    let timestamp = "2026-03-04T05:06:07Z".to_owned();
    Message { role: role.to_owned(), content: content.to_owned(), timestamp }
}

/// What was said is text or safe HTML, and what could not be sent stays in the field.
#[test]
fn a_conversation_is_shown_and_the_unsent_line_kept() {
    let attack = "<script>alert(1)</script>";
    let messages = [message("user", attack), message("assistant", "**yes** <b>"), message("tool", attack)];
    for words in ALL.iter() {
        let talk = Talk {
            c: "\"><script>",
            messages: &messages,
            notes: &[attack.to_owned()],
            kept: "</textarea>",
            problem: Some(attack),
        };
        let page = frame(words, None, "/", words.chat, talk.shown(words)).into_string();
        is_a_page(&page);
        assert!(page.contains("<strong>yes</strong> &lt;b&gt;"), "{page}");
        assert!(page.contains(">&lt;/textarea&gt;</textarea>"), "{page}");
        assert!(page.contains("value=\"&quot;&gt;&lt;script&gt;\""), "{page}");
        assert!(page.contains("role=\"log\" aria-live=\"polite\""), "{page}");
    }
}

#[test]
fn a_reply_ends_with_its_html_and_its_notes() {
    let turn = json!({
        "reply": "*a*", "conversation_id": "c1", "turn_id": "", "provider": null, "model": null, "usage": null,
        "calls": null, "seconds": 0.5, "outcome": "answered", "exit": 0, "broke_off": "the model hung up",
        "notes": ["a\u{202E}b"],
    });
    let (name, data) = done(turn);
    assert_eq!(name, "done");
    let expected = json!({
        "html": "<p><em>a</em></p>", "conversation_id": "c1", "notes": ["ab", "the model hung up"], "kept": false,
    });
    assert_eq!(data, expected);
    assert_eq!(done(json!({})).0, "error");
}

#[test]
fn an_answer_leads_to_its_conversation_and_nowhere_else() {
    assert_eq!(address("01a2-b"), "/?c=01a2-b");
    for id in ["a&b", "//evil.example", "a\r\nb", ""] {
        assert_eq!(address(id), "/");
    }
}
