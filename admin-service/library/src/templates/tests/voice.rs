//! The skill that hears and speaks, compiled and asked.

use super::answers::answers;
use super::harness::build;
use super::*;
use shared_types::capability::Token;

/// A wish as the bot proposes it.
pub(super) fn wished(wish: &str) -> Proposal {
    Proposal {
        capabilities: [Token::AudioRead, Token::AudioWrite].into_iter().collect(),
        ..proposal(wish, &[])
    }
}

#[test]
fn what_is_heard_is_answered_and_what_is_asked_is_said() {
    let proposal = wished("learn to talk to me by voice");
    let mut built = build(&proposal, &written(&proposal));
    built.world.utterances.extend(["good morning", "guten Morgen"].map(str::to_owned));
    answers(
        &mut built,
        &[
            ("can you hear me?", "I heard: good morning"),
            ("kannst du mich hören?", "Ich habe gehört: guten Morgen"),
            ("listen to me", "I heard nothing that I understand."),
            ("say dinner is ready aloud", "I said it aloud."),
            ("sag laut das Essen ist fertig", "Das habe ich laut gesagt."),
            ("what is the capital of France?", "-"),
        ],
    );
    let said = ["I am listening.", "Ich höre.", "I am listening.", "dinner is ready", "das Essen ist fertig"];
    assert_eq!(built.world.spoken, said);
}

#[test]
fn a_wish_to_talk_finds_the_family_and_another_does_not() {
    for wish in [
        "learn to talk to me by voice",
        "can you learn to speak with me by voice?",
        "learn to talk to me aloud",
        "lerne, mit mir zu sprechen",
        "lerne mit mir zu reden",
        "lerne per Stimme mit mir zu sprechen",
    ] {
        let Answer::Written(written) = write(&wished(wish)) else { panic!("{wish}") };
        assert_eq!(written.author.to_string(), "template voice", "{wish}");
    }
    for wish in ["learn to talk like a pirate by voice", "learn to sing by voice", "learn to talk to my cat"]
    {
        assert!(!matches!(write(&wished(wish)), Answer::Written(_)), "{wish}");
    }
    assert!(matches!(write(&proposal("learn to talk to me by voice", &[])), Answer::Infeasible { .. }));
}
