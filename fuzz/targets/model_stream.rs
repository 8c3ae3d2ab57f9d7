//! What a server streams: server-sent events, and in them the pieces of an answer in either wire format.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use models::Rank;
use models::sse::Parser;
use models::transport::{Incoming, Part};
use models::{
    Anthropic, Message, OpenAi, Piece, Provider, ProviderConfig, Request, Transport, TransportError,
};

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn a_stream_is_the_same_however_it_is_cut_and_its_pieces_are_its_text() {
    target!(bytes holds);
}

/// A server that sends these events.
struct Streams(Vec<String>);

impl Transport for Streams {
    fn chat(
        &self,
        _: &str,
        _: &[u8],
        _: Rank,
        incoming: &mut Incoming<'_>,
        _: &AtomicBool,
    ) -> Result<(), TransportError> {
        for event in &self.0 {
            if incoming(Part::Event(event)).is_break() {
                break;
            }
        }
        Ok(())
    }
}

fn holds(stream: &[u8]) -> Verdict {
    let whole = events(stream, stream.len().max(1));
    for size in [1, 7] {
        assert_eq!(events(stream, size), whole, "cut into {size}");
    }
    let Ok(events) = whole else { return Verdict::Refused };
    let config = ProviderConfig { model: Some("tiny".to_owned()), ..ProviderConfig::embedded("local") };
    let wire = || Arc::new(Streams(events.clone()));
    let by_openai = answered(&OpenAi::new(&config, wire()));
    let by_anthropic = answered(&Anthropic::new(&config, wire()));
    if by_openai || by_anthropic { Verdict::Taken } else { Verdict::Refused }
}

fn events(stream: &[u8], size: usize) -> Result<Vec<String>, String> {
    let mut parser = Parser::default();
    let mut events = Vec::new();
    for part in stream.chunks(size) {
        parser.feed(part, &mut |event| events.push(event)).map_err(|e| e.to_string())?;
    }
    parser.finish(&mut |event| events.push(event));
    Ok(events)
}

fn answered(provider: &dyn Provider) -> bool {
    let request = Request {
        messages: vec![Message::user("hi")],
        // With a tool on offer, what may be a call in the text is kept back.
        named: vec!["dice.roll".to_owned()],
        ..Request::default()
    };
    let mut told = String::new();
    let answer = provider.chat(
        &request,
        &mut |piece| match piece {
            Piece::Text(text) => told.push_str(text),
            Piece::Again => told.clear(),
            Piece::Call(_) => {}
        },
        &AtomicBool::new(false),
    );
    match &answer {
        // The words around a call are not an answer.
        Ok(response) if !response.tool_calls.is_empty() => {}
        Ok(response) => {
            assert!(response.text.starts_with(told.trim_end()) || told.starts_with(&response.text))
        }
        Err(error) => is_safe_to_show(&error.to_string()),
    }
    answer.is_ok()
}
