//! The skills that switch and read pins, compiled and asked.

use super::answers::answers;
use super::harness::build;
use super::*;
use shared_types::capability::Token;

/// A wish as the bot proposes it.
pub(super) fn wished(wish: &str, tokens: &[Token]) -> Proposal {
    Proposal { capabilities: tokens.iter().copied().collect(), ..proposal(wish, &[]) }
}

#[test]
fn a_lamp_is_switched_by_its_pin() {
    let proposal = wished("learn to switch the lamp on pin 17", &[Token::GpioWrite]);
    let mut built = build(&proposal, &written(&proposal));
    answers(
        &mut built,
        &[
            ("turn the lamp on", "lamp (pin 17) is on."),
            ("switch off the lamp please", "lamp (pin 17) is off."),
            ("mach lamp an", "lamp (pin 17) ist an."),
            ("is the lamp on?", "-"),
        ],
    );
    assert_eq!(built.world.wires, ["pin 17 on", "pin 17 off", "pin 17 on"]);
}

#[test]
fn a_button_is_read_by_its_pin() {
    let proposal = wished("lerne, den Taster an Pin 4 zu lesen", &[Token::GpioRead]);
    let mut built = build(&proposal, &written(&proposal));
    answers(
        &mut built,
        &[
            ("ist der Taster gedrückt?", "taster (pin 4) ist aus."),
            ("is the taster on?", "taster (pin 4) is off."),
            ("warte auf den Taster", "taster (pin 4) hat sich in zehn Sekunden nicht geändert."),
            ("turn the taster on", "-"),
        ],
    );
    assert_eq!(built.world.wires, ["read pin 4", "read pin 4", "wait pin 4"]);
}

#[test]
fn a_wish_for_a_pin_finds_the_family_and_another_does_not() {
    let (read, write) = ([Token::GpioRead], [Token::GpioWrite]);
    for (wish, tokens, line) in [
        ("learn to switch the lamp on pin 17", write, "lamp (pin 17)"),
        ("learn to turn the desk lamp on pin 17 on and off", write, "desk lamp (pin 17)"),
        ("learn to control the LED on GPIO pin 5", write, "led (pin 5)"),
        ("learn to switch pin 17", write, "pin 17"),
        ("lerne, die Lampe an Pin 17 zu schalten", write, "lampe (pin 17)"),
        ("learn to read the button on pin 4", read, "button (pin 4)"),
        ("learn to tell whether the door on pin 4 is open", read, "door (pin 4)"),
        ("lerne, den Taster an Pin 4 abzufragen", read, "taster (pin 4)"),
    ] {
        let Answer::Written(written) = super::write(&wished(wish, &tokens)) else { panic!("{wish}") };
        assert_eq!(written.author.to_string(), format!("template pins (line={line})"), "{wish}");
    }
    for wish in [
        "learn to blink the LED on pin 17",
        "learn to switch the lamp on pin 17 every evening",
        "learn to switch the pins",
        "learn to switch pin 70000",
    ] {
        let answer = super::write(&wished(wish, &write));
        assert!(matches!(answer, Answer::NotMine(_)), "{wish}");
    }
}
