//! A wish that is expressed by examples alone: pairs of a text and what is to be made of it.

use serde_json::{Value, json};

/// The tool of such a wish. Its name tells a wish by examples from one in words.
pub const TOOL: &str = "by_examples";
/// The tool's one parameter.
pub const PARAM: &str = "text";
/// The most pairs of a wish.
pub const MOST_PAIRS: usize = 64;

/// The tools of a wish by these pairs, as they stand in its file.
pub fn tools(pairs: &[(String, String)]) -> Value {
    let example = |(input, output): &(String, String)| json!({"args": {PARAM: input}, "expect": output});
    json!([{
        "name": TOOL,
        "description": "Does with a text what the examples show",
        "parameters": {"type": "object", "properties": {PARAM: {"type": "string"}}, "required": [PARAM]},
        "examples": pairs.iter().map(example).collect::<Vec<_>>(),
    }])
}
