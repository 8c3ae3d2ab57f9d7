//! The skill that tells whose turn it is, compiled and asked; today is Sunday, 2026-02-08.

use super::answers::{answers, learn};
use super::*;

#[test]
fn each_day_is_the_turn_of_the_next_one_in_both_languages() {
    let mut turns = learn("learn to tell whose turn it is to do the dishes: Anna, Ben and Carl", &[]);
    answers(
        &mut turns,
        &[
            ("whose turn is it?", "Today it is the turn of Ben (do the dishes), the day after of Carl."),
            (
                "whose turn is it today?",
                "Today it is the turn of Ben (do the dishes), the day after of Carl.",
            ),
            (
                "whose turn is it tomorrow?",
                "Tomorrow it is the turn of Carl (do the dishes), the day after of Anna.",
            ),
            (
                "whose turn is it on Wednesday?",
                "On Wednesday, 2026-02-11 it is the turn of Ben (do the dishes), the day after of Carl.",
            ),
            (
                "whose turn is it on 2026-02-07?",
                "On Saturday, 2026-02-07 it was the turn of Anna (do the dishes), the day after of Ben.",
            ),
            ("wer ist dran?", "Heute ist Ben dran (do the dishes), am Tag danach Carl."),
            (
                "who does the dishes today?",
                "Today it is the turn of Ben (do the dishes), the day after of Carl.",
            ),
            ("und wer ist danach dran?", "Heute ist Ben dran (do the dishes), am Tag danach Carl."),
            ("wer wäscht heute ab?", "Heute ist Ben dran (do the dishes), am Tag danach Carl."),
            ("wer ist morgen dran?", "Morgen ist Carl dran (do the dishes), am Tag danach Anna."),
            ("whose turn is it to speak?", "-"),
            ("who is there?", "-"),
        ],
    );
}

#[test]
fn a_turn_of_a_week_begins_on_monday() {
    let mut turns = learn("lerne einen wöchentlichen Putzplan für Anna und Ben", &[]);
    answers(
        &mut turns,
        &[
            ("wer ist dran?", "Heute ist Anna dran, in der Woche danach Ben."),
            ("wer ist am Montag dran?", "Morgen ist Ben dran, in der Woche danach Anna."),
            (
                "whose turn is it on 2026-02-15?",
                "On Sunday, 2026-02-15 it is the turn of Ben, the week after of Anna.",
            ),
            (
                "whose turn is it on 2026-02-16?",
                "On Monday, 2026-02-16 it is the turn of Anna, the week after of Ben.",
            ),
        ],
    );
}

/// A name is a name, and a list that holds something else is not half taken.
#[test]
fn who_takes_turns_is_read_from_the_wish_or_not_at_all() {
    let author = |wish: &str| match write(&proposal(wish, &[])) {
        Answer::Written(written) => written.author.to_string(),
        Answer::NotMine(why) => why,
        other => format!("{other:?}"),
    };
    for wish in [
        "learn to tell whose turn it is: Anna",
        "learn to tell whose turn it is: Anna, Anna",
        "learn to tell whose turn it is: Anna, the dog",
        "learn to tell whose turn it is: Anna, B3n",
        "learn to tell whose turn it is between my sons",
    ] {
        assert!(author(wish).starts_with("the template needs the names"), "{wish}: {}", author(wish));
    }
    let many: Vec<String> = ('A'..='M').map(|letter| format!("{letter}a")).collect();
    let wish = format!("learn to tell whose turn it is: {}", many.join(", "));
    assert_eq!(author(&wish), "the template lets at most 12 take turns, and the wish names 13");
}
