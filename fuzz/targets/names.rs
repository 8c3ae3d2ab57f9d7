//! Identifiers, names, hosts and digests, one a line.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use shared_types::capability::Token;
use shared_types::id::{
    ApproverId, ConversationId, Digest, EventType, HostName, ProfileId, ProposalId, SecretName, SkillName,
    ToolName,
};

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn a_name_that_is_taken_is_plain_ascii_and_names_no_other_folder() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let mut verdict = Verdict::Refused;
    for line in text.lines() {
        let kinds = [
            same::<SkillName>(line),
            same::<ToolName>(line),
            same::<ProfileId>(line),
            same::<ApproverId>(line),
            same::<ProposalId>(line),
            same::<ConversationId>(line),
            same::<EventType>(line),
            same::<HostName>(line),
            same::<SecretName>(line),
            same::<Digest>(line),
            same::<Token>(line),
        ];
        if kinds.contains(&true) {
            verdict = Verdict::Taken;
            assert!(
                line.bytes().all(|b| b.is_ascii_graphic() && !b"/\\\"'$`&|;<>*?~".contains(&b)),
                "{line:?}"
            );
            assert!(!line.contains("..") && !line.starts_with('.'), "{line:?}");
        }
        if let Ok(host) = line.parse::<HostName>() {
            let port = host.port().map_or(String::new(), |port| format!(":{port}"));
            assert_eq!(format!("{}{port}", host.host()), line);
        }
    }
    verdict
}

/// Whether the text is one; then it shows as it was written.
fn same<T: FromStr<Err: Display> + Display + Debug>(text: &str) -> bool {
    match text.parse::<T>() {
        Ok(parsed) => {
            assert_eq!(parsed.to_string(), text);
            true
        }
        Err(error) => {
            is_safe_to_show(&error.to_string());
            false
        }
    }
}
