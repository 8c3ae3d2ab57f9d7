use super::*;

#[test]
fn a_long_answer_goes_out_in_parts_between_lines() {
    assert_eq!(parts("short"), ["short"]);
    let line = "x".repeat(999) + "\n";
    let whole = line.repeat(40);
    let cut = parts(&whole);
    assert!(cut.iter().all(|part| part.len() <= LONGEST && !part.starts_with('\n')));
    assert_eq!(cut.concat().replace('\n', "").len(), 40 * 999);
    let endless = parts(&"é".repeat(LONGEST * MOST_PARTS));
    assert_eq!(endless.len(), MOST_PARTS);
    assert!(endless.last().is_some_and(|last| last.ends_with("[...]")));
}
