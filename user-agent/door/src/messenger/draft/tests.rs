use super::*;

/// So many tenths of a second after a moment.
fn at(begun: Instant, tenths: u32) -> Instant {
    begun + Duration::from_millis(100) * tenths
}

#[test]
fn an_answer_is_shown_after_two_seconds_and_then_at_its_pace() {
    let (mut draft, begun) = (Draft::default(), Instant::now());
    draft.takes("Once ", begun);
    assert_eq!(draft.due(at(begun, 19)), None);
    assert_eq!(draft.due(at(begun, 20)), Some("Once "));
    draft.is_shown(at(begun, 20));
    draft.takes("upon", at(begun, 21));
    assert_eq!(draft.due(at(begun, 39)), None);
    assert_eq!(draft.due(at(begun, 40)), Some("Once upon"));
    let mut shown = Vec::new();
    for tenths in 40..20_000 {
        if draft.due(at(begun, tenths)).is_some() {
            draft.is_shown(at(begun, tenths));
            shown.push(tenths);
        }
    }
    assert_eq!(shown.len() as u32, MOST - 1);
    let gaps: Vec<u32> = shown.windows(2).map(|two| two[1] - two[0]).collect();
    assert!(
        gaps.iter().all(|gap| *gap >= 20) && gaps.iter().filter(|gap| **gap < 60).count() < MANY as usize
    );
}

#[test]
fn what_is_void_blank_refused_or_too_long_is_not_shown() {
    let begun = Instant::now();
    let late = at(begun, 100);
    let of = |change: &dyn Fn(&mut Draft)| {
        let mut draft = Draft::default();
        draft.takes("words", begun);
        change(&mut draft);
        draft.due(late).map(str::to_owned)
    };
    assert_eq!(of(&|_| {}).as_deref(), Some("words"));
    assert_eq!(of(&Draft::begins_anew), None);
    assert_eq!(of(&|draft| draft.came_to(Some("1".to_owned()), false)), None);
    assert_eq!(of(&|draft| draft.takes(&"x".repeat(LONGEST), begun)), None);
    let mut blank = Draft::default();
    blank.takes(" \n", begun);
    assert_eq!(blank.due(late), None);
}
