use proptest::prelude::*;

use super::*;

fn read(text: &str) -> Result<Option<Ask>, Fault> {
    read_ask(&mut text.as_bytes())
}

fn names() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9_-]{1,15}( [0-9]{1,2})?"
}

fn asks() -> impl Strategy<Value = Ask> {
    let edge = prop::sample::select(vec![Edge::Rising, Edge::Falling, Edge::Any]);
    prop_oneof![
        Just(Ask::List),
        names().prop_map(Ask::Read),
        (names(), any::<bool>()).prop_map(|(name, on)| Ask::Write(name, on)),
        (names(), edge, 0..=LONGEST_WAIT, any::<bool>()).prop_map(|(line, edge, ms, new)| Ask::Wait {
            line,
            edge,
            ms,
            new
        }),
    ]
}

fn answers() -> impl Strategy<Value = Reply> {
    prop_oneof![
        any::<Option<bool>>().prop_map(Reply::Level),
        "\\PC{0,200}".prop_map(Reply::Refused),
        prop::collection::vec((names(), any::<bool>()), 0..=MOST_LINES).prop_map(Reply::Lines),
    ]
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(ask in asks(), told in answers()) {
        let mut bytes = Vec::new();
        write_ask(&mut bytes, &ask).unwrap();
        prop_assert_eq!(read_ask(&mut bytes.as_slice()).unwrap(), Some(ask));
        let mut bytes = Vec::new();
        write_told(&mut bytes, &told).unwrap();
        prop_assert!(bytes.len() as u64 <= LONGEST);
        prop_assert_eq!(read_told(&mut bytes.as_slice()).unwrap(), Some(told));
    }
}

#[test]
fn what_is_no_question_is_refused() {
    assert!(matches!(read(""), Ok(None)));
    for torn in ["{", "{\"ask\":\"list\"}", &"x".repeat(10_000)] {
        assert!(matches!(read(torn), Err(Fault::Torn)), "{torn}");
    }
    for malformed in [
        "\n",
        "[]\n",
        "{\"ask\":\"burn\"}\n",
        "{\"ask\":\"list\",\"more\":1}\n",
        "{\"ask\":\"read\"}\n",
        "{\"ask\":\"read\",\"line\":\"\"}\n",
        "{\"ask\":\"read\",\"line\":\"../gpiochip1\"}\n",
        "{\"ask\":\"write\",\"line\":\"lamp\",\"on\":1}\n",
        "{\"ask\":\"wait\",\"line\":\"lamp\",\"edge\":\"any\",\"ms\":30001,\"new\":true}\n",
        "{\"ask\":\"wait\",\"line\":\"lamp\",\"edge\":\"any\",\"ms\":-1,\"new\":true}\n",
    ] {
        assert!(matches!(read(malformed), Err(Fault::Malformed)), "{malformed}");
    }
}

/// The longest answer is within the limit of a line.
#[test]
fn an_answer_with_the_most_lines_fits() {
    let name = "a".repeat(LONGEST_NAME);
    let mut bytes = Vec::new();
    write_told(&mut bytes, &Reply::Lines(vec![(name, false); MOST_LINES])).unwrap();
    assert!(read_told(&mut bytes.as_slice()).unwrap().is_some());
}
