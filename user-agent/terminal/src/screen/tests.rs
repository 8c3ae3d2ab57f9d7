use super::*;

/// A stream that a test can read.
#[derive(Clone, Default)]
pub(crate) struct Paper(Arc<Mutex<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Paper {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

/// What stands on both streams after a turn.
fn shown(manner: Manner, turn: impl FnOnce(&Screen)) -> (String, String) {
    let (out, aside) = (Paper::default(), Paper::default());
    let screen = Screen::onto(Box::new(out.clone()), Box::new(aside.clone()));
    let running = screen.begin(manner, Tongue::default());
    turn(&screen);
    drop(running);
    (out.text(), aside.text())
}

#[test]
fn a_streamed_answer_is_shown_once() {
    for reply in ["Hello **you**.", "Hello **you**.\n"] {
        let (out, aside) = shown(Manner::Plain, |screen| {
            for piece in ["Hel", "lo *", "*you*", "*."] {
                screen.stream(piece);
            }
            screen.answer(reply);
        });
        assert_eq!((out.as_str(), aside.as_str()), ("Hello you.\n", ""));
    }
}

#[test]
fn an_answer_that_differs_from_what_was_streamed_is_shown_whole_after_a_mark() {
    let (out, aside) = shown(Manner::Plain, |screen| {
        screen.stream("The key is sk-");
        screen.answer("The key is [secret removed]");
    });
    assert_eq!(out, "The key is sk-\nThe key is [secret removed]\n");
    assert_eq!(aside, "(the answer that counts)\n");
}

#[test]
fn what_is_said_before_a_tool_call_is_no_part_of_the_answer() {
    let (out, aside) = shown(Manner::Plain, |screen| {
        screen.stream("I will roll.");
        screen.doing("calling dice.roll");
        screen.stream("You have a 5.");
        screen.answer("You have a 5.");
    });
    assert_eq!((out.as_str(), aside.as_str()), ("I will roll.\nYou have a 5.\n", ""));
}

#[test]
fn what_another_provider_began_does_not_count() {
    let (out, aside) = shown(Manner::Plain, |screen| {
        screen.stream("Half an an");
        screen.again();
        screen.stream("Whole.");
        screen.answer("Whole.");
    });
    assert_eq!(out, "Half an an\nWhole.\n");
    assert!(aside.contains("begins anew"), "{aside}");
    let (_, aside) = shown(Manner::Plain, |screen| screen.again());
    assert_eq!(aside, "", "nothing was shown that could be void");
}

#[test]
fn a_pipe_gets_the_answer_alone_and_unchanged() {
    let reply = "# Top\n**bold** \u{1b} and `code`";
    let (out, aside) = shown(Manner::Pipe, |screen| {
        screen.stream("# To");
        screen.again();
        screen.doing("calling x.y");
        screen.answer(reply);
    });
    assert_eq!((out, aside), (format!("{reply}\n"), String::new()));
}

#[test]
fn a_note_is_told_once_beside_the_answer() {
    let (out, aside) = shown(Manner::Plain, |screen| {
        screen.stream("One ");
        screen.note("the first model did not answer\u{1b}[2J");
        screen.note("the first model did not answer\u{1b}[2J");
        screen.stream("two");
        screen.answer("One two");
    });
    assert_eq!(out, "One \ntwo\n");
    assert_eq!(aside, "(the first model did not answer\\u{1b}[2J)\n");
}

#[test]
fn the_sign_of_life_comes_after_a_moment_and_is_taken_away_for_the_text() {
    let (out, _) = shown(Manner::Fancy, |screen| {
        std::thread::sleep(Duration::from_millis(600));
        screen.stream("Done");
        screen.answer("Done");
    });
    assert!(out.starts_with("\r| thinking 0 s\u{1b}[K"), "{out:?}");
    assert!(out.ends_with("\r\u{1b}[KDone\n"), "{out:?}");
    let (out, _) = shown(Manner::Fancy, |screen| screen.answer("Quick"));
    assert_eq!(out, "Quick\n", "a quick answer needs no sign");
    // A turn that ends without an answer leaves nothing behind.
    let (out, _) = shown(Manner::Fancy, |_| std::thread::sleep(Duration::from_millis(300)));
    assert!(out.ends_with("\r\u{1b}[K"), "{out:?}");
}

#[test]
fn nothing_is_drawn_while_somebody_is_asked() {
    let (out, _) = shown(Manner::Fancy, |screen| {
        let _pause = screen.pause();
        screen.say("[quiz] How many?");
        std::thread::sleep(Duration::from_millis(1600));
    });
    assert_eq!(out, "[quiz] How many?\n");
}

#[test]
fn without_escapes_one_sentence_is_the_sign_of_life() {
    let (out, aside) = shown(Manner::Plain, |screen| {
        std::thread::sleep(Duration::from_millis(2600));
        screen.answer("Done");
    });
    assert_eq!((out.as_str(), aside.as_str()), ("Done\n", "(thinking...)\n"));
}

#[test]
fn a_cancelled_stream_leaves_the_cursor_at_the_beginning_of_a_line() {
    let (out, _) = shown(Manner::Fancy, |screen| screen.stream("half **an"));
    assert_eq!(out, "half **an\n");
}
