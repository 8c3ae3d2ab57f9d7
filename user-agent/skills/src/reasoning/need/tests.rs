use super::*;

const MINUTE: Duration = Duration::from_secs(60);

/// After which of the turns, each so long after the one before, a reminder comes.
fn reminders(audience: Audience, pauses: &[Duration]) -> Vec<usize> {
    let (talk, mut now) = (TalkTime::default(), Instant::now());
    let mut found = Vec::new();
    for (n, pause) in pauses.iter().enumerate() {
        now += *pause;
        if talk.is_over(audience, now) {
            found.push(n);
        }
    }
    found
}

#[test]
fn a_child_is_reminded_every_three_hours_of_talk() {
    let turns = [10 * MINUTE; 40];
    assert_eq!(reminders(Audience::Child, &turns), [18, 36]);
    assert!(reminders(Audience::Adult, &turns).is_empty());
    // A pause ends the talk.
    let mut turns = turns;
    turns[17] = 16 * MINUTE;
    assert_eq!(reminders(Audience::Child, &turns), [35]);
}
