//! One request and its answer, regardless of the wire format.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use shared_types::text;

use crate::draft::Draft;
use crate::error::ModelError;
use crate::plain_calls::Teller;
use crate::request::{Rank, Response};
use crate::sse::Parser;
use crate::transport::{Part, Transport, TransportError};
use crate::wire_names::WireNames;

/// How a kind of server writes its answers.
pub(crate) trait Wire {
    /// Takes the data of one event.
    fn event(&mut self, data: &str, teller: &mut Teller<'_, '_>) -> Result<(), ModelError>;

    /// Reads an answer that came at once.
    fn whole(&self, text: &str) -> Result<Draft, ModelError>;

    /// The whole answer, once the events are over.
    fn finish(self, teller: &mut Teller<'_, '_>) -> Result<Draft, ModelError>;
}

/// A body on its way to a provider.
pub(crate) struct Sending<'a> {
    pub(crate) transport: &'a dyn Transport,
    pub(crate) provider: &'a str,
    pub(crate) body: &'a str,
    pub(crate) rank: Rank,
    pub(crate) cancel: &'a AtomicBool,
}

/// Sends a body and reads what comes; the outer error is one of the way there, which another body may mend.
pub(crate) fn exchange<W: Wire>(
    sending: &Sending<'_>,
    mut wire: W,
    names: &WireNames,
    teller: &mut Teller<'_, '_>,
) -> Result<Result<Draft, ModelError>, TransportError> {
    let mut settled = None;
    let mut incoming = |part: Part<'_>| {
        match part {
            Part::Event(data) => match wire.event(data, teller) {
                Ok(()) => return ControlFlow::Continue(()),
                Err(error) => settled = Some(Err(error)),
            },
            Part::Whole(text) if is_stream(text) => {
                let told = events_in(text).iter().try_for_each(|event| wire.event(event, teller));
                settled = told.err().map(Err);
            }
            Part::Whole(text) => {
                let draft = wire.whole(text);
                if let Ok(draft) = &draft {
                    teller.text(&draft.text);
                    draft.calls.iter().for_each(|call| tell_call(&call.name, names, teller));
                }
                settled = Some(draft);
            }
        }
        ControlFlow::Break(())
    };
    let Sending { transport, provider, body, rank, cancel } = *sending;
    transport.chat(provider, body.as_bytes(), rank, &mut incoming, cancel)?;
    Ok(settled.unwrap_or_else(|| wire.finish(teller)))
}

/// Judges an answer and reports what of it was kept back; of one that broke off, the words that were reported are kept.
pub(crate) fn settled(
    came: Result<Draft, ModelError>,
    provider: &str,
    model: &str,
    names: &WireNames,
    teller: Teller<'_, '_>,
) -> Result<Response, ModelError> {
    let draft = match came {
        Ok(draft) => draft,
        Err(error @ ModelError::Cancelled { .. }) => return Err(error),
        Err(error) => {
            let text = teller.told().trim_end();
            if text.is_empty() {
                return Err(error);
            }
            let (text, provider, model) = (text.to_owned(), provider.to_owned(), model.to_owned());
            let partial = Response { text, provider, model, ..Response::default() };
            return Err(ModelError::BrokeOff { partial: Box::new(partial), why: Box::new(error) });
        }
    };
    let proper = !draft.calls.is_empty();
    let response = draft.settle(provider, model, names)?;
    let in_text = if proper { &[][..] } else { &response.tool_calls };
    teller.finish(&response.text, in_text);
    Ok(response)
}

/// Tells that a call has begun, by the tool's own name where it has one.
pub(crate) fn tell_call(wire: &str, names: &WireNames, teller: &mut Teller<'_, '_>) {
    match names.to_own(wire) {
        Some(own) => teller.call(own),
        None => teller.call(&text::cut(wire, 80)),
    }
}

/// Whether a body is a stream that the server did not declare as one.
fn is_stream(text: &str) -> bool {
    let text = text.trim_start_matches(['\u{feff}', '\r', '\n']);
    ["data:", "event:", ":"].iter().any(|start| text.starts_with(start))
}

fn events_in(text: &str) -> Vec<String> {
    let mut events = Vec::new();
    let mut parser = Parser::default();
    // What a broken line leaves out is missed where the answer is put together.
    if parser.feed(text.as_bytes(), &mut |event| events.push(event)).is_ok() {
        parser.finish(&mut |event| events.push(event));
    }
    events
}
