use super::*;

const MINUTE: i64 = 60;

/// After which of the turns, each so long after the one before, a reminder comes.
fn reminders(pauses: &[i64]) -> Vec<usize> {
    let (mut talk, mut now) = (None, 1_000_000);
    let mut found = Vec::new();
    for (n, pause) in pauses.iter().enumerate() {
        now += *pause;
        let (began, is_over) = count(talk, now);
        talk = Some((began, now));
        if is_over {
            found.push(n);
        }
    }
    found
}

#[test]
fn a_child_is_reminded_every_three_hours_of_talk() {
    let turns = [10 * MINUTE; 40];
    assert_eq!(reminders(&turns), [18, 36]);
    // A pause ends the talk.
    let mut turns = turns;
    turns[17] = 16 * MINUTE;
    assert_eq!(reminders(&turns), [35]);
    // So does a clock that is set back.
    turns[17] = -MINUTE;
    assert_eq!(reminders(&turns), [35]);
}

#[test]
fn times_that_cannot_be_begin_a_new_talk() {
    let now = 1_000_000;
    for talk in [(now + 1, now), (now, now + 1), (i64::MIN, now - SILENCE - 1)] {
        assert_eq!(count(Some(talk), now), (now, false), "{talk:?}");
    }
}
