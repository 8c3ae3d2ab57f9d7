//! What the service reads of the child that reads an MCP server.

use actions::plugins::mcp::frames::{Answer, FromReader, MOST_DESCRIPTION, MOST_NAME, MOST_SCHEMA};

use crate::harness::{Verdict, target};

#[test]
fn a_frame_is_taken_whole_within_its_limits_and_has_one_spelling() {
    target!(bytes holds);
}

fn holds(bytes: &[u8]) -> Verdict {
    let Ok(told) = FromReader::decode(bytes) else { return Verdict::Refused };
    assert_eq!(told.encode(), bytes, "{told:?}");
    match told {
        FromReader::Tool(tool) => {
            assert!(tool.name.len() <= MOST_NAME && tool.description.len() <= MOST_DESCRIPTION);
            assert!(tool.schema.is_none_or(|schema| schema.len() <= MOST_SCHEMA));
        }
        FromReader::Answered(Answer { text, .. }) => assert!(text.len() <= shared_types::action::MAX_OUTPUT),
        _ => {}
    }
    Verdict::Taken
}
