use super::*;

fn of(message: &Value) -> Option<What> {
    let mut whole = json!({"chat": {"id": 5, "type": "private"}});
    for (key, value) in message.as_object().unwrap() {
        whole[key] = value.clone();
    }
    what(&whole, false)
}

fn typed_as(text: &str, quotes: bool) -> Option<What> {
    Some(What::Line { text: text.to_owned(), quotes })
}

#[test]
fn a_message_is_what_its_fields_say() {
    assert_eq!(of(&json!({"text": "hi"})), typed_as("hi", false));
    for key in FOREIGN {
        assert_eq!(of(&json!({"text": "hi", key: {"id": 1}})), Some(What::Foreign), "{key}");
    }
    for key in OTHER {
        assert_eq!(of(&json!({key: "x"})), Some(What::Other), "{key}");
    }
    assert_eq!(of(&json!({"caption": "do it", "photo": [], "forward_date": 5})), Some(What::Foreign));
    // What the server says of the chat.
    assert_eq!(of(&json!({"pinned_message": {"text": "hi"}})), None);
    assert_eq!(of(&json!({"text": "hi", "chat": {"id": -5, "type": "supergroup"}})), Some(What::Group));
    assert_eq!(of(&json!({"text": "hi", "chat": null})), Some(What::Group));
    assert_eq!(what(&json!({"text": "hi", "chat": {"type": "private"}}), true), Some(What::Edit));
}

#[test]
fn quoted_words_are_left_out_of_a_line() {
    for key in QUOTES {
        assert_eq!(of(&json!({"text": "yes", key: {"text": "do it"}})), typed_as("yes", true), "{key}");
    }
    let quote =
        |offset: u64, length: u64| json!([{"type": "blockquote", "offset": offset, "length": length}]);
    // Offsets count UTF-16 units.
    assert_eq!(of(&json!({"text": "😀do it\nmine", "entities": quote(2, 6)})), typed_as("😀mine", true));
    assert_eq!(of(&json!({"text": "all", "entities": quote(0, u64::MAX)})), typed_as("", true));
    assert_eq!(of(&json!({"text": "> theirs\nmine"})), typed_as("mine", true));
    let bold = json!([{"type": "bold", "offset": 0, "length": 2}, {"offset": {}}, 7]);
    assert_eq!(of(&json!({"text": "hi", "entities": bold})), typed_as("hi", false));
}

#[test]
fn a_point_counts_as_long_as_the_server_counts_on() {
    assert_eq!(offset("7 1000", 1_000), Some(7));
    assert_eq!(offset("7 1000", 1_000 + RESTED - 1), Some(7));
    assert_eq!(offset("7 1000", 1_000 + RESTED), None);
    // A clock that was put back.
    assert_eq!(offset("7 1000", 500), Some(7));
    for other in ["", "7", "x 5", "7 x", "-7 5"] {
        assert_eq!(offset(other, 1_000), None, "{other}");
    }
}

#[test]
fn only_a_token_of_a_bot_comes_into_a_path() {
    assert!(is_token("123456789:AAF-x_Y0"));
    for other in
        ["", "123", "123:", ":abc", "12a:abc", "123:a/b", "123:a b", "123:a?b", "123:a\nb", "123:a:b"]
    {
        assert!(!is_token(other), "{other:?}");
    }
}

#[test]
fn what_is_for_the_person_goes_to_no_other_chat() {
    let order = Order {
        server: "http://127.0.0.1:9".to_owned(),
        host: "127.0.0.1:9".parse().unwrap(),
        local: vec![],
        user: String::new(),
        people: vec!["5".to_owned()],
        token: "1:a".to_owned(),
        hidden: vec![],
        namespace: false,
    };
    let server = BotApi::new(order);
    let sent = |room: &str| {
        let (key, room, text) = ("k".to_owned(), room.to_owned(), "hello".to_owned());
        let outgoing =
            Outgoing { key, room, text, is_private: true, mark: None, replaces: None, tried: false };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(server.send(&outgoing)).unwrap_err()
    };
    for room in ["-77", "6", "x", ""] {
        assert!(matches!(sent(room), Failure::Never(_)), "{room}");
    }
    // This one would go out.
    assert!(matches!(sent("5"), Failure::Later(..)));
}
