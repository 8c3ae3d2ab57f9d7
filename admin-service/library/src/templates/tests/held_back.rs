//! What of a template's examples is held back.

use shared_types::capability::Token;

use super::*;
use crate::examples_of_template;

/// A wish of each family that names each of its tools as far as one wish can.
const WISHES: [(&str, &str); 31] = [
    ("dice", "learn to roll dice"),
    ("units", "learn to convert temperatures"),
    ("quiz", "learn to quiz me on capitals"),
    ("cipher", "learn the Caesar cipher"),
    ("dates", "learn to count the days until a date"),
    ("leap years", "learn to tell leap years"),
    ("Roman numerals", "learn to convert Roman numerals"),
    ("unit prices", "learn to do unit prices"),
    ("bill", "learn to split a bill"),
    ("list", "learn to keep a list of birds I saw"),
    ("percentages", "learn to calculate percentages"),
    ("calculator", "learn to do arithmetic"),
    ("counting", "learn to count words"),
    ("chance", "learn to flip a coin"),
    ("passwords", "learn to make passwords"),
    ("primes", "learn to find prime factors"),
    ("number bases", "learn to convert numbers to binary and hex"),
    ("wordplay", "learn to find anagrams and palindromes"),
    ("age", "learn to calculate my age"),
    ("body mass index", "learn to compute the body mass index"),
    ("rock paper scissors", "learn to play rock paper scissors"),
    ("check digits", "learn to check ISBN and IBAN numbers"),
    ("spelling alphabet", "learn the NATO phonetic alphabet"),
    ("averages", "learn to calculate averages and medians"),
    ("sayings", "learn to tell jokes and riddles"),
    ("calendar", "learn to read my calendar"),
    ("news", "learn to read the news from https://example.org/feed.xml"),
    ("weather", "learn to tell the weather in Oslo"),
    ("voice", "learn to talk to me by voice"),
    ("pins", "learn to switch and read the lamp on pin 17"),
    ("turns", "learn to tell whose turn it is to do the dishes: Anna, Ben and Carl"),
];

/// The families whose skill asks a server for each answer: a trial has no server, so page 1 says that nothing is held back.
const NEED_A_SERVER: [&str; 2] = ["news", "weather"];

fn wish_of(family: &Family) -> Proposal {
    let wish = WISHES.iter().find(|(name, _)| *name == family.name);
    let (_, wish) = wish.unwrap_or_else(|| panic!("no wish is listed for the family {}", family.name));
    let tokens = ["user:input", "user:output", "memory:read", "memory:write", "file:read"];
    let proposal = proposal(wish, &tokens);
    match family.name {
        "weather" => super::weather::wished(wish),
        "voice" => super::voice::wished(wish),
        "pins" => super::pins::wished(wish, &[Token::GpioRead, Token::GpioWrite]),
        "news" => Proposal {
            network: ["example.org"].map(|host| host.parse().unwrap()).into_iter().collect(),
            capabilities: [Token::NetworkRead].into_iter().collect(),
            ..proposal
        },
        _ => proposal,
    }
}

/// Each tool that a skill offers has an example that is held back, and not one that any answer would pass.
#[test]
fn every_family_holds_an_example_of_each_tool_back() {
    for family in FAMILIES {
        let proposal = wish_of(family);
        let Fit::Yes(plan) = (family.fit)(&Wish::of(&proposal)) else {
            panic!("{} takes no wish", family.name)
        };
        let written = written(&proposal);
        let author = written.author.to_string();
        assert!(author.starts_with(&format!("template {}", family.name)), "{}: {author}", family.name);
        let held_back = examples_of_template(&written.examples);
        let shapes = plan.tools.iter().filter(|shape| shape.standard);
        let mut offered: Vec<&str> = shapes.map(|shape| shape.key).collect();
        offered.retain(|_| !NEED_A_SERVER.contains(&family.name));
        let mut tools: Vec<&str> = held_back.iter().map(|trial| trial.tool.as_str()).collect();
        offered.sort_unstable();
        tools.sort_unstable();
        assert_eq!(tools, offered, "{}: {held_back:?}", family.name);
        for trial in held_back {
            assert!(!trial.expect.is_empty(), "{}: any answer would pass: {trial:?}", family.name);
        }
    }
}

/// Only the last example of a tool is held back, regardless of what is between.
#[test]
fn of_several_examples_of_a_tool_the_last_is_held_back() {
    let trial =
        |tool: &str, expect: &str| Trial { tool: tool.into(), args: json!({}), expect: expect.into() };
    let kept = [trial("a", "1"), trial("b", "2"), trial("a", "3")];
    assert_eq!(examples_of_template(&kept), [&kept[1], &kept[2]]);
    assert!(examples_of_template(&[]).is_empty());
}
