//! The answer of a server that speaks OpenAI-compatible chat completions.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use models::Rank;
use models::transport::{Incoming, Part};
use models::{Message, OpenAi, Provider as _, ProviderConfig, Request, ToolSpec, Transport, TransportError};
use serde_json::json;

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn a_servers_answer_is_a_text_or_calls_of_offered_tools_or_an_error() {
    target!(bytes holds);
}

/// A server that always says the same.
struct Says(Vec<u8>);

impl Transport for Says {
    fn chat(
        &self,
        _: &str,
        _: &[u8],
        _: Rank,
        incoming: &mut Incoming<'_>,
        _: &AtomicBool,
    ) -> Result<(), TransportError> {
        let _ = incoming(Part::Whole(&String::from_utf8_lossy(&self.0)));
        Ok(())
    }
}

fn holds(answer: &[u8]) -> Verdict {
    let config = ProviderConfig { model: Some("tiny".to_owned()), ..ProviderConfig::embedded("local") };
    let provider = OpenAi::new(&config, Arc::new(Says(answer.to_vec())));
    let request =
        Request { messages: vec![Message::user("roll")], tools: vec![dice()], ..Request::default() };
    let answered = provider.chat(&request, &mut |_| {}, &AtomicBool::new(false));
    match &answered {
        Ok(response) => {
            assert!(!response.text.trim().is_empty() || !response.tool_calls.is_empty());
            assert!(response.tool_calls.len() <= 32);
            for call in &response.tool_calls {
                assert!((1..=200).contains(&call.id.len()));
                if call.fault.is_none() {
                    assert_eq!(call.name, "dice.roll", "only what was offered is called");
                    assert!(call.arguments.is_object());
                }
            }
        }
        Err(error) => is_safe_to_show(&error.to_string()),
    }
    Verdict::of(&answered)
}

fn dice() -> ToolSpec {
    ToolSpec {
        examples: vec![],
        only_answers: false,
        name: "dice.roll".to_owned(),
        description: "Roll dice".to_owned(),
        parameters: json!({"type": "object", "properties": {"dice": {"type": "string"}}}),
        phrases: Vec::new(),
    }
}
