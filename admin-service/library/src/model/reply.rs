//! Reads what a model answered: a source, a reason why not, or neither.

/// What an answer holds.
#[derive(Debug, PartialEq)]
pub(super) enum Reply {
    /// The first block of Rust.
    Source(String),
    /// The wish cannot be served, and why.
    Infeasible(String),
    /// Neither; the message for the next attempt.
    Garbage(String),
}

/// Larger sources are refused by the scan in any case.
const LARGEST: usize = 64 << 10;
const LONGEST_REASON: usize = 500;

/// Reads an answer; chatter around the block is passed over.
pub(super) fn read(text: &str) -> Reply {
    match block(text) {
        Some(Block::Whole(source)) if source.trim().is_empty() => {
            Reply::Garbage("the block of code is empty".to_owned())
        }
        Some(Block::Whole(source)) if source.len() > LARGEST => {
            Reply::Garbage(format!("the block of code has {} bytes; {LARGEST} are allowed", source.len()))
        }
        Some(Block::Whole(source)) => Reply::Source(source),
        Some(Block::Open) => {
            Reply::Garbage("the block of code has no end: it was cut off, or ``` is missing".to_owned())
        }
        None => match infeasible(text) {
            Some(reason) => Reply::Infeasible(reason),
            None => Reply::Garbage(
                "there is neither a block of ```rust nor a line INFEASIBLE: in the answer".to_owned(),
            ),
        },
    }
}

/// The reason of an answer that says that it cannot be done.
pub(super) fn infeasible(text: &str) -> Option<String> {
    let reason = text.lines().find_map(|line| line.trim().trim_matches('`').strip_prefix("INFEASIBLE:"));
    reason.map(reason_of)
}

enum Block {
    Whole(String),
    Open,
}

/// The first block marked as Rust; without one, the first that is not marked but looks like a skill.
fn block(text: &str) -> Option<Block> {
    let blocks = blocks(text);
    let is_rust = |label: &str| matches!(label, "rust" | "rs");
    let marked = blocks.iter().position(|(label, _)| is_rust(label));
    let bare = || {
        blocks.iter().position(|(label, block)| {
            label.is_empty()
                && matches!(block, Block::Whole(source) if source.contains("impl skill_sdk::Skill for"))
        })
    };
    let at = marked.or_else(bare)?;
    blocks.into_iter().nth(at).map(|(_, block)| block)
}

/// Every fenced block with its label; a fence is a line of its own, so one within a string stays inside.
fn blocks(text: &str) -> Vec<(String, Block)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in text.lines() {
        let fence = line.trim().strip_prefix("```");
        open = match (open, fence) {
            (None, Some(label)) => {
                let label = label.split([',', ' ']).next().unwrap_or_default();
                Some((label.to_lowercase(), String::new()))
            }
            (Some((label, source)), Some("")) => {
                blocks.push((label, Block::Whole(source)));
                None
            }
            (Some((label, mut source)), _) => {
                source.push_str(line);
                source.push('\n');
                Some((label, source))
            }
            (None, None) => None,
        };
    }
    if let Some((label, _)) = open {
        blocks.push((label, Block::Open));
    }
    blocks
}

fn reason_of(text: &str) -> String {
    match shared_types::text::cut(text.trim(), LONGEST_REASON) {
        reason if reason.is_empty() => "the model gives no reason".to_owned(),
        reason => reason,
    }
}
