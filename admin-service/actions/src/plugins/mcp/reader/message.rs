//! One message of a server: an answer to us, a request that is refused, or something to pass over.

use serde_json::{Value, json};
use shared_types::text::cut;

use super::fault::{ProtocolFault, Spoken};

/// What a message asks of us.
#[derive(Debug)]
pub enum Heard {
    /// The result of the request, or the error in its place.
    Answer(Result<Value, Spoken>),
    /// This is to be sent back.
    Reply(Value),
    /// Its tools are said to be others now.
    Changed,
    Nothing,
}

/// Sorts one message, while the answer to `id` is waited for.
///
/// # Errors
/// A text that is not a message of the protocol, or an answer without a request.
pub fn sort(bytes: &[u8], id: u64) -> Result<Heard, Spoken> {
    let message: Value = serde_json::from_slice(bytes)
        .map_err(|_| ProtocolFault::NoMessage(cut(&String::from_utf8_lossy(bytes), 60)))?;
    if !message.is_object() || message["jsonrpc"] != "2.0" {
        return Err(ProtocolFault::NoRpc.into());
    }
    if let Some(method) = message["method"].as_str() {
        let Some(asked) = message.get("id").filter(|id| id.is_string() || id.is_number()) else {
            // Progress and log lines are nothing to us.
            let changed = method == "notifications/tools/list_changed";
            return Ok(if changed { Heard::Changed } else { Heard::Nothing });
        };
        return Ok(Heard::Reply(match method {
            "ping" => json!({"jsonrpc": "2.0", "id": asked, "result": {}}),
            // Sampling, roots, elicitation: nobody here thinks, reads or asks for a server.
            _ => {
                json!({"jsonrpc": "2.0", "id": asked, "error": {"code": -32601, "message": "not offered here"}})
            }
        }));
    }
    if message["id"].as_u64() != Some(id) {
        return Err(ProtocolFault::Unasked.into());
    }
    if let Some(error) = message.get("error") {
        let code = error["code"].as_i64().unwrap_or(0);
        let message = cut(error["message"].as_str().unwrap_or("no words"), 500);
        return Ok(Heard::Answer(Err(Spoken::Error { code, message })));
    }
    match message.get("result") {
        Some(result) => Ok(Heard::Answer(Ok(result.clone()))),
        None => Err(ProtocolFault::Empty.into()),
    }
}
