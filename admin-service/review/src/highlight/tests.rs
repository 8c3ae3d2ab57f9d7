use proptest::prelude::*;

use super::*;

fn kinds(text: &str) -> Vec<(&str, Kind)> {
    let mut highlighter = Highlighter::default();
    let all = text.lines().flat_map(|line| highlighter.line(line));
    all.filter(|(piece, kind)| *kind != Kind::Plain || piece.trim().len() > 1).collect()
}

#[test]
fn words_texts_numbers_and_comments_are_told_apart() {
    assert_eq!(
        kinds("fn f<'a>(x: &'a Vec<u8>) { x[0x1f] = b'\\''; } // end"),
        [
            ("fn", Kind::Keyword),
            ("Vec", Kind::Type),
            ("u8", Kind::Plain),
            ("0x1f", Kind::Number),
            ("b'\\''", Kind::Text),
            ("// end", Kind::Comment),
        ]
    );
}

#[test]
fn a_text_over_several_lines_stays_a_text() {
    let text = "let s = \"fn one\nfn two\"; let r = r#\"fn \" three\nfn\"#; /* fn /* fn */\nfn */ fn";
    let kinds = kinds(text);
    assert_eq!(kinds.iter().filter(|(_, kind)| *kind == Kind::Keyword).count(), 3, "{kinds:?}");
    assert_eq!(kinds.last(), Some(&("fn", Kind::Keyword)));
}

proptest! {
    #[test]
    fn the_pieces_are_the_line(lines in proptest::collection::vec("[\"'r#b/*\\\\a-zA-Z0-9 äß語.]{0,40}", 0..6)) {
        let mut highlighter = Highlighter::default();
        for line in &lines {
            let joined: String = highlighter.line(line).iter().map(|(piece, _)| *piece).collect();
            prop_assert_eq!(&joined, line);
        }
    }
}
