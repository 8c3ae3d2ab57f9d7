use proptest::prelude::*;

use super::*;

fn events(chunks: &[&[u8]]) -> Result<Vec<String>, SseError> {
    let mut parser = Parser::default();
    let mut events = Vec::new();
    for chunk in chunks {
        parser.feed(chunk, &mut |e| events.push(e))?;
    }
    parser.finish(&mut |e| events.push(e));
    Ok(events)
}

fn of(text: &str) -> Vec<String> {
    events(&[text.as_bytes()]).unwrap()
}

#[test]
fn each_kind_of_line_end_ends_a_line_once() {
    for text in ["data: a\n\ndata: b\n\n", "data: a\r\n\r\ndata: b\r\n\r\n", "data: a\r\rdata: b\r\r"] {
        assert_eq!(of(text), ["a", "b"], "{text:?}");
    }
}

#[test]
fn only_data_counts_and_its_lines_are_joined() {
    let text =
        ": keep-alive\nevent: delta\nid: 7\nretry: 5\ndata: one\ndata:two\ndata:  three\ndata\n\n:\n\n";
    assert_eq!(of(text), ["one\ntwo\n three\n"]);
    assert_eq!(of("database: x\n\nDATA: y\n\n"), Vec::<String>::new());
}

#[test]
fn a_byte_order_mark_counts_at_the_very_start_only() {
    assert_eq!(of("\u{feff}data: a\n\n\u{feff}data: b\n\n"), ["a"]);
}

#[test]
fn an_event_whose_last_line_is_whole_counts_and_half_a_line_does_not() {
    assert_eq!(of("data: a\n\ndata: b\n"), ["a", "b"]);
    assert_eq!(of("data: a\n\ndata: {\"half\":"), ["a"]);
}

#[test]
fn lines_and_events_without_end_are_refused_at_the_limit() {
    let line = |n: usize| [b"data:".as_slice(), &vec![b'x'; n - 5]].concat();
    assert_eq!(events(&[&line(MAX_LINE), b"\n\n"]).unwrap()[0].len(), MAX_LINE - 5);
    assert_eq!(events(&[&line(MAX_LINE), b"x"]), Err(SseError::Line));
    let part = [b"data:".as_slice(), &vec![b'x'; MAX_EVENT / 4 - 1], b"\n"].concat();
    assert_eq!(events(&[&part, &part, &part, &part]).unwrap()[0].len(), MAX_EVENT - 1);
    assert_eq!(events(&[&part, &part, &part, &part, b"data: x\n"]), Err(SseError::Event));
}

#[test]
fn the_last_id_and_the_wait_are_those_of_events_that_ended() {
    let mut parser = Parser::default();
    let mut feed = |text: &str| {
        parser.feed(text.as_bytes(), &mut |_| {}).unwrap();
        (parser.last_id().map(str::to_owned), parser.retry())
    };
    assert_eq!(feed("id: a\nretry: 15x\n"), (None, None));
    assert_eq!(feed("\n"), (Some("a".into()), None));
    assert_eq!(feed("data: no id of its own\nretry: 1500\n\n"), (Some("a".into()), Some(1500)));
    assert_eq!(feed("id: with\0in it\n\nretry: 99999999999\n"), (Some("a".into()), Some(1500)));
    assert_eq!(feed("id\n\n"), (Some(String::new()), Some(1500)));
}

proptest! {
    #[test]
    fn bytes_of_any_kind_never_panic_and_read_the_same_however_they_are_cut(
        pieces in proptest::collection::vec(
            prop_oneof![
                Just(b"data: ".to_vec()), Just(b"\r".to_vec()), Just(b"\n".to_vec()), Just(b"\r\n".to_vec()),
                Just("\u{feff}".as_bytes().to_vec()), Just("ü€".as_bytes().to_vec()), Just(b":".to_vec()),
                proptest::collection::vec(any::<u8>(), 0..20),
            ], 0..40),
        cuts in proptest::collection::vec(1usize..9, 1..20),
    ) {
        let whole: Vec<u8> = pieces.concat();
        let mut rest = whole.as_slice();
        let mut chunks = Vec::new();
        for cut in cuts.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (chunk, after) = rest.split_at((*cut).min(rest.len()));
            chunks.push(chunk);
            rest = after;
        }
        prop_assert_eq!(events(&chunks), events(&[&whole]));
    }

    #[test]
    fn what_is_written_as_events_is_read_back(datas in proptest::collection::vec("[^\r\u{0}]{0,40}", 0..10)) {
        let text: String = datas
            .iter()
            .map(|d| d.split('\n').map(|l| format!("data: {l}\n")).collect::<String>() + "\n")
            .collect();
        prop_assert_eq!(of(&text), datas);
    }
}
