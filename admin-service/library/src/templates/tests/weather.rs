//! The skill that asks a weather service, compiled and asked.

use super::answers::answers;
use super::harness::{Built, build};
use super::*;
use shared_types::capability::Token;

const SERVICE: &str = "https://wttr.in/{place}?format=3";

/// A wish as the bot proposes it around the shipped service.
pub(super) fn wished(wish: &str) -> Proposal {
    around(wish, SERVICE, &["wttr.in"])
}

fn around(wish: &str, service: &str, hosts: &[&str]) -> Proposal {
    Proposal {
        network: hosts.iter().map(|host| host.parse().unwrap()).collect(),
        capabilities: [Token::NetworkRead].into_iter().collect(),
        rationale: format!("The person asked for it.\nservice: {service}"),
        ..proposal(wish, &[])
    }
}

/// The skill of a wish where the service answers so for these places.
fn with(wish: &str, pages: &[(&str, &str)]) -> Built {
    let proposal = wished(wish);
    let mut built = build(&proposal, &written(&proposal));
    for (place, body) in pages {
        let address = format!("https://wttr.in/{place}?format=3");
        built.world.pages.insert(address, (200, (*body).to_owned()));
    }
    built
}

#[test]
fn the_line_of_the_service_is_repeated_in_both_languages() {
    let pages =
        [("Oslo", "Oslo: ⛅️ -3°C\n"), ("New%20York", "New York: ☀️ +12°C"), ("K%C3%B6ln", "Köln: 🌧 +7°C")];
    let mut built = with("learn to tell the weather", &pages);
    answers(
        &mut built,
        &[
            ("what is the weather in Oslo?", "wttr.in says: Oslo: ⛅️ -3°C"),
            ("what's the weather like in Oslo today?", "wttr.in says: Oslo: ⛅️ -3°C"),
            ("weather in New York", "wttr.in says: New York: ☀️ +12°C"),
            ("how cold is it in Oslo right now?", "wttr.in says: Oslo: ⛅️ -3°C"),
            ("is it raining in Oslo?", "wttr.in says: Oslo: ⛅️ -3°C"),
            ("wie ist das Wetter in Köln?", "wttr.in sagt: Köln: 🌧 +7°C"),
            ("wie ist heute das Wetter in Oslo?", "wttr.in sagt: Oslo: ⛅️ -3°C"),
            ("regnet es gerade in Köln?", "wttr.in sagt: Köln: 🌧 +7°C"),
            ("will it rain today in Oslo?", "wttr.in says: Oslo: ⛅️ -3°C"),
            ("do i need an umbrella in Oslo", "wttr.in says: Oslo: ⛅️ -3°C"),
            ("brauche ich heute in Köln einen Schirm?", "wttr.in sagt: Köln: 🌧 +7°C"),
            ("wird es in Köln regnen?", "wttr.in sagt: Köln: 🌧 +7°C"),
            ("do i need an umbrella", "!Name a place, as in: what is the weather in Oslo?"),
            ("what is the weather?", "!Name a place, as in: what is the weather in Oslo?"),
            ("wie ist das Wetter?", "!Nenne einen Ort, etwa so: Wie ist das Wetter in Oslo?"),
            (
                "what is the weather in Oslo tomorrow?",
                "!I ask wttr.in how the weather is now; I can't ask it about another day.",
            ),
            (
                "will it rain tomorrow in Oslo",
                "!I ask wttr.in how the weather is now; I can't ask it about another day.",
            ),
            (
                "wie wird das Wetter morgen",
                "!Ich frage wttr.in, wie das Wetter jetzt ist; nach einem anderen Tag kann ich nicht fragen.",
            ),
            (
                "wie ist das Wetter in Köln am Wochenende?",
                "!Ich frage wttr.in, wie das Wetter jetzt ist; nach einem anderen Tag kann ich nicht fragen.",
            ),
            ("weather in Paris", "!I can't get the weather in Paris from wttr.in: no server answers."),
            ("what is the capital of France?", "-"),
        ],
    );
}

#[test]
fn the_place_of_the_wish_is_the_usual_one() {
    for wish in [
        "learn to tell me the weather in New York",
        "lerne, das Wetter in New York zu sagen",
        "learn the weather for New York!",
    ] {
        let mut built = with(wish, &[("New%20York", "New York: +12°C")]);
        answers(&mut built, &[("what is the weather?", "wttr.in says: New York: +12°C")]);
    }
}

/// The name of a place cannot change the address, and only an answer in plain text is repeated.
#[test]
fn neither_a_place_nor_an_answer_is_taken_for_more() {
    let no_name =
        "!That is not the name of a place: it may have up to 60 letters, digits, blanks and . , - '.";
    let mut built = with(
        "learn to tell the weather",
        &[
            ("Rome", "<html>Rome</html>"),
            ("Bonn", "{\"temperature\": 3}"),
            ("Graz", ""),
            ("Wien", "Wien:\u{1b}[31m +3°C \u{202e}x\n\nline 2\nline 3\nline 4\nline 5"),
        ],
    );
    answers(
        &mut built,
        &[
            ("weather in Oslo?format=j1&x=", no_name),
            ("weather in ../:help", no_name),
            ("weather in https://example.org/", no_name),
            (&format!("weather in {}", "a".repeat(61)), no_name),
            ("weather in Rome", "!What wttr.in answers is not a line of text."),
            ("weather in Bonn", "!What wttr.in answers is not a line of text."),
            ("weather in Graz", "!What wttr.in answers is not a line of text."),
            ("weather in Wien", "wttr.in says: Wien: [31m +3°C x\nline 2\nline 3\nline 4"),
        ],
    );
}

/// The address is the configured one at the one host of the proposal; for anything else no template fits.
#[test]
fn the_service_is_that_of_the_proposal_at_its_one_host() {
    let author = |proposal: &Proposal| match write(proposal) {
        Answer::Written(written) => written.author.to_string(),
        Answer::NotMine(_) => "-".to_owned(),
        other => format!("{other:?}"),
    };
    let wish = "learn to tell the weather in Oslo";
    assert_eq!(author(&wished(wish)), "template weather (host=wttr.in, place=Oslo)");
    assert_eq!(author(&wished("learn to tell the weather")), "template weather (host=wttr.in)");
    for (service, hosts) in [
        ("https://wttr.in/now", &["wttr.in"][..]),
        ("https://wttr.in/{place}?x={place}", &["wttr.in"]),
        ("https://wttr.in/{place}", &["example.org"]),
        ("https://wttr.in/{place}", &["wttr.in", "example.org"]),
        ("https://wttr.in/{place}", &[]),
        ("wttr.in/{place}", &["wttr.in"]),
        ("", &["wttr.in"]),
    ] {
        assert_eq!(author(&around(wish, service, hosts)), "-", "{service} {hosts:?}");
    }
    for wish in
        ["learn to warn me of bad weather", "learn to remember the weather", "learn to tell the news in Oslo"]
    {
        assert_eq!(author(&wished(wish)), "-", "{wish}");
    }
}
