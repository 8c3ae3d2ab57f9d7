use super::*;

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

#[test]
fn a_short_answer_is_one_message_as_it_is() {
    assert_eq!(parts("short"), ["short"]);
    let longest = "😀".repeat(LONGEST / 2);
    assert_eq!(parts(&longest), [longest.as_str()]);
}

#[test]
fn a_long_answer_goes_out_in_numbered_parts_that_lose_nothing() {
    let words: Vec<String> = (0..4_000).map(|number| format!("word{number}😀")).collect();
    let whole = words.chunks(300).map(|line| line.join(" ")).collect::<Vec<_>>().join("\n");
    let cut = parts(&whole);
    assert!(cut.len() > 10);
    let mut again = Vec::new();
    for (at, part) in cut.iter().enumerate() {
        assert!(units(part) <= LONGEST + 16, "{}", units(part));
        let (number, own) = part.split_once('\n').unwrap();
        assert_eq!(number, format!("({}/{})", at + 1, cut.len()));
        again.extend(own.split_whitespace().map(str::to_owned));
    }
    assert_eq!(again, words);
}

#[test]
fn a_word_without_an_end_is_cut_and_what_is_left_out_is_said() {
    let endless = "é".repeat(LONGEST * 3);
    let cut = parts(&endless);
    assert_eq!(cut.iter().map(|part| part.matches('é').count()).sum::<usize>(), LONGEST * 3);
    let more = parts(&"é".repeat(LONGEST * (MOST_PARTS + 1)));
    assert_eq!(more.len(), MOST_PARTS);
    assert!(more.last().is_some_and(|last| last.ends_with("[...]") && units(last) < LONGEST + 64));
}
