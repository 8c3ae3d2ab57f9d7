use shared_types::recipients::Recipients;
use shared_types::status::Status;

use super::super::item::tests::shown;
use super::super::words::ALL;
use super::*;

const ORIGIN: &str = "https://sign.example.org";
const APPROVE: &str = "cl-admin approve 0193e4a0-5b7c-7def-8123-456789abcdef --approver owner";

fn there() -> Yes {
    Yes::There { origin: ORIGIN.to_owned(), seen: Digest::of(b"shown") }
}

fn html(words: &Words, yes: Yes) -> String {
    card(words, &Shown { yes, ..shown(&["summary"]) }).into_string()
}

/// The button is there for the script alone; without it there is the command.
#[test]
fn a_passkey_signs_at_the_signing_page() {
    for words in ALL.iter() {
        let html = html(words, there());
        let seen = Digest::of(b"shown");
        assert!(html.contains(&format!("<div id=\"signing\" hidden data-origin=\"{ORIGIN}\"")), "{html}");
        assert!(html.contains(&format!("data-seen=\"{seen}\"")), "{html}");
        assert!(html.contains("data-item=\"/item/0193e4a0-5b7c-7def-8123-456789abcdef\""), "{html}");
        assert!(html.contains(&format!("<bdi>{ORIGIN}</bdi>")), "the address is said: {html}");
        assert!(html.contains(words.unscripted) && html.contains(APPROVE), "{html}");
        for place in ["id=\"doing\" role=\"status\"", "role=\"alert\"", "id=\"result\" role=\"status\""] {
            assert!(html.contains(place), "{place}: {html}");
        }
        assert!(!html.contains("<select"), "{html}");
    }
}

#[test]
fn a_choice_of_recipients_is_that_of_the_service() {
    let choices: Vec<Recipients> =
        ["everyone", "child", "profile:anna"].iter().map(|to| to.parse().unwrap()).collect();
    let shown = Shown { recipients: choices[1].clone(), choices, yes: there(), ..shown(&["summary"]) };
    let html = card(&ALL[0], &shown).into_string();
    assert!(html.contains("<label for=\"to\">") && html.contains("<select id=\"to\""), "{html}");
    assert!(html.contains("<option value=\"everyone\">every profile</option>"), "{html}");
    assert!(html.contains("<option value=\"child\" selected>child</option>"), "{html}");
    assert!(html.contains("<option value=\"profile:anna\">profile:anna</option>"), "{html}");
}

#[test]
fn elsewhere_the_command_is_named() {
    let seen = Digest::of(b"shown");
    let command = "cl-admin approve x --approver <b>".to_owned();
    for words in ALL.iter() {
        let of_file = html(words, Yes::Elsewhere { seen: seen.clone() });
        assert!(
            of_file.contains(APPROVE) && of_file.contains(&format!("/request?seen={seen}\"")),
            "{of_file}"
        );
        for (why, said) in [
            (Why::KeyIsThere, words.key_is_there),
            (Why::NeedsCode, words.needs_code),
            (Why::Gate, words.gate),
        ] {
            let html = html(words, Yes::AtTheMachine { why, command: command.clone() });
            assert!(html.contains(said), "{html}");
            assert!(html.contains("<code class=\"command\">cl-admin approve x --approver &lt;b&gt;</code>"));
            assert!(!html.contains("id=\"sign\""), "{html}");
        }
        assert!(html(words, Yes::NotNow).contains(words.not_now));
    }
}

/// While the stop holds, a yes is refused; a no is not.
#[test]
fn the_stop_takes_the_yes_away() {
    let at_the_machine = Yes::AtTheMachine { why: Why::Gate, command: "x".to_owned() };
    for yes in [there(), Yes::Elsewhere { seen: Digest::of(b"x") }, at_the_machine] {
        let mut shown = Shown { yes, ..shown(&["summary"]) };
        shown.holds.stopped = Some("fire".to_owned());
        let html = card(&ALL[0], &shown).into_string();
        assert!(html.contains(ALL[0].no_yes_while_stopped), "{html}");
        assert!(!html.contains("id=\"sign\"") && !html.contains("class=\"command\""), "{html}");
        assert!(html.contains("/reject\""), "{html}");
    }
}

#[test]
fn a_no_a_note_and_a_call_are_forms() {
    let html = html(&ALL[0], Yes::NotNow);
    for verb in ["reject", "note", "try"] {
        let form = format!("method=\"post\" action=\"/item/0193e4a0-5b7c-7def-8123-456789abcdef/{verb}\"");
        assert_eq!(html.matches(&form).count(), 1, "{verb}: {html}");
    }
    assert!(html.contains("name=\"reason\" required"), "{html}");
    assert!(html.contains(&ALL[0].arguments("roll", "dice")), "{html}");
    assert!(html.contains("{\n  &quot;dice&quot;: &quot;&quot;\n}</textarea>"), "{html}");
    assert!(!html.contains(ALL[0].notes_first), "{html}");
    let noted = card(&ALL[0], &shown(&["summary", "notes"])).into_string();
    assert!(noted.contains("href=\"#page-notes\""), "{noted}");
}

/// An action has no notes and no tools, and what is settled takes no answer.
#[test]
fn there_is_no_form_that_the_service_would_refuse() {
    let action = Shown { tools: [].into(), ..shown(&["action", "judgement"]) };
    let html = card(&ALL[0], &action).into_string();
    assert!(html.contains("/reject\"") && !html.contains("/note\"") && !html.contains("/try\""), "{html}");
    let mut settled = shown(&["summary"]);
    settled.item.status = Status::Accepted;
    assert!(!card(&ALL[0], &settled).into_string().contains("/reject\""));
}
