//! JSON-RPC 2.0 on standard input, one message a line: what `mcp` and `acp` read alike.

use std::io::{self, BufRead, Read};

use serde_json::{Value, json};

/// The longest message, in bytes.
pub const MOST: u64 = 1024 * 1024;

/// Why a request has no result: the number of JSON-RPC 2.0 and words.
pub type Refusal = (i64, String);

/// What is not JSON.
pub const NO_JSON: i64 = -32700;
/// What is not a request.
pub const NO_REQUEST: i64 = -32600;
/// A method that is not offered.
pub const NO_METHOD: i64 = -32601;
/// Parameters that do not fit.
pub const NO_PARAMETERS: i64 = -32602;

/// A line of the client; nothing where it was longer than [`MOST`].
pub type Line = Option<Vec<u8>>;

/// What a line holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Heard {
    /// A message with a method: a request, or a notification where the id is null.
    Method {
        /// The id, a number or a text.
        id: Value,
        /// The whole message.
        message: Value,
    },
    /// Nothing to answer: an empty line, or the answer to a request that was never made.
    Nothing,
    /// Not a request: the answer that says so.
    Refused(Value),
}

/// The next line without its end; nothing at the end of the input. Of a line that is too long the rest is read and dropped.
///
/// # Errors
/// The input cannot be read.
pub fn next(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    if input.by_ref().take(MOST + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() as u64 <= MOST || line.ends_with(b"\n") {
        return Ok(Some(Some(line)));
    }
    while !line.ends_with(b"\n") {
        line.clear();
        if input.by_ref().take(MOST).read_until(b'\n', &mut line)? == 0 {
            break;
        }
    }
    Ok(Some(None))
}

/// Reads a line.
pub fn heard(line: Option<&[u8]>) -> Heard {
    let refused = |refusal| Heard::Refused(answer(&Value::Null, Err(refusal)));
    let Some(line) = line else {
        return refused((NO_REQUEST, format!("a message has at most {MOST} bytes")));
    };
    if line.iter().all(u8::is_ascii_whitespace) {
        return Heard::Nothing;
    }
    let message: Value = match serde_json::from_slice(line) {
        Ok(message) => message,
        Err(e) => return refused((NO_JSON, format!("this is not JSON: {e}"))),
    };
    let (id, method) = (&message["id"], &message["method"]);
    let is_of_rpc =
        message["jsonrpc"] == "2.0" && (id.is_string() || id.is_i64() || id.is_u64() || id.is_null());
    match (is_of_rpc, method.is_string()) {
        (true, true) => Heard::Method { id: id.clone(), message },
        (true, false) if message.is_object() && !id.is_null() => Heard::Nothing,
        _ => refused((NO_REQUEST, "this is not a request of JSON-RPC 2.0".to_owned())),
    }
}

/// The answer to a request.
pub fn answer(id: &Value, result: Result<Value, Refusal>) -> Value {
    match result {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err((code, message)) => {
            json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
        }
    }
}

#[cfg(test)]
mod tests;
