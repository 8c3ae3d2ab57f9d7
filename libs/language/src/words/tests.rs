use super::*;

fn words(line: &str) -> Words<'_> {
    Words::of(line, |word| (word == "what's").then_some(List::of("\u{4}what\u{2}is"))).unwrap()
}

#[test]
fn a_line_is_divided_at_white_space_and_behind_numbers() {
    for (line, norms) in [
        ("What’s 500g of Käse, please?", vec!["what", "is", "500", "g", "of", "kase", "please"]),
        ("€2.49 and 10%", vec!["€", "2.49", "and", "10", "%"]),
        ("the 1st - ( 2nd )", vec!["the", "1st", "-", "2nd"]),
        ("?!", vec![]),
    ] {
        assert_eq!(words(line).norms().collect::<Vec<_>>(), norms, "{line}");
    }
    assert_eq!(Words::of(&"a ".repeat(MAX_WORDS + 1), |_| None), None);
}

#[test]
fn words_in_lower_case_keep_their_accents() {
    let words: Vec<String> = lower("Don’t: ÜBER-all, it's 2d6 ' !").collect();
    assert_eq!(words, ["dont", "über", "all", "its", "2d6"]);
}

#[test]
fn what_was_typed_between_two_words_is_all_there() {
    let line = words("run ( ls  . ) ; echo \"a b\" . now");
    assert_eq!(line.norms().collect::<Vec<_>>(), ["run", "ls", "echo", "a", "b", "now"]);
    assert_eq!(line.typed(1..5), "( ls  . ) ; echo \"a b\" .");
    assert_eq!(line.span(1..5), "ls  . ) ; echo \"a b\"");
    assert_eq!(line.slice(1..5).typed(0..4), line.typed(1..5));
    assert_eq!(line.slice(1..5).typed(0..1), "( ls  . ) ;");
    assert_eq!((line.typed(6..6), line.span(2..2)), ("", ""));
}

#[test]
fn words_of_one_contraction_stand_on_the_same_bytes() {
    let three = List::of("\u{3}you\u{3}all\u{5}would");
    let line = Words::of("y'all'd go", |word| (word == "y'all'd").then_some(three)).unwrap();
    for from in 0..=line.len() {
        for to in from..=line.len() {
            assert!("y'all'd go".contains(line.slice(from..to).typed(0..to - from)));
        }
    }
    assert_eq!((line.typed(2..2), line.typed(3..4)), ("", "go"));
}

#[test]
fn a_sentences_last_marks_are_no_part_of_it_and_folders_are() {
    for (line, rest) in [
        ("do it.", "do it"),
        ("do it ?!", "do it"),
        ("do it... ", "do it"),
        ("do it ...", "do it"),
        ("ls .", "ls ."),
        ("ls ..?", "ls .."),
        ("ls ../..", "ls ../.."),
        ("ls a/.", "ls a/."),
        ("ls a/b.", "ls a/b"),
        (" . ", " ."),
        ("…", ""),
    ] {
        assert_eq!(without_end(line), rest, "{line:?}");
    }
}
