//! What a line that no phrase takes comes near to.

use std::ops::Range;

use language::slot::SlotKind;
use language::{Language, Pattern, slot};

use super::{Candidate, given};
use crate::request::{ToolCall, ToolSpec};

/// A call that a line may mean.
#[derive(Debug, Clone, PartialEq)]
pub struct Near {
    pub candidate: Candidate,
    /// The line in the words of a phrase of the tool.
    pub said: String,
    /// Whether the line differs by no more than a small word.
    pub is_close: bool,
}

/// The call that `line` comes nearest to, of the learned tools and their phrases in `language`; nothing where two tools are as near,
/// and none of the calls that were tried.
/// It is a guess: the person is asked before it is made.
pub fn near(line: &str, tools: &[ToolSpec], language: Language, tried: &[&ToolCall]) -> Option<Near> {
    let mut readings = language::readings(line);
    readings.extend(language::loose_reading(line));
    let asks = language::is_question(line);
    let mut best: Option<((u32, u32), Near)> = None;
    let mut is_tie = false;
    for tool in tools.iter().filter(|tool| tool.name.contains('.')) {
        for phrase in tool.phrases.iter().filter(|phrase| phrase.language == language.code()) {
            let Ok(pattern) = Pattern::parse(&phrase.pattern) else { continue };
            let Some(kinds) = slot::kinds(&tool.parameters, pattern.slots(), language.decimal_comma()) else {
                continue;
            };
            for words in &readings {
                let Some(found) = pattern.nearest(words, &kinds, MOST_COST, &phrase.pattern) else {
                    continue;
                };
                let has_text = kinds.contains(&SlotKind::Text);
                // A question has words that no slot is for, and a slot of small words alone holds nothing.
                let is_empty =
                    |taken: &Range<usize>| taken.clone().all(|at| language::is_common(words.norm(at)));
                if has_text && (asks || found.slots.iter().flatten().any(is_empty)) {
                    continue;
                }
                let most = found.telling * if has_text { COST_WITH_TEXT } else { COST_OF_EACH };
                if found.telling == 0 || found.cost > most {
                    continue;
                }
                let Some(arguments) = given(tool, &pattern, &kinds, &found.slots, words, line) else {
                    continue;
                };
                if tried.iter().any(|call| call.name == tool.name && call.arguments == arguments) {
                    continue;
                }
                let rank = (found.cost, u32::MAX - found.telling);
                let candidate = Candidate { tool: tool.name.clone(), arguments, score: 0 };
                match &best {
                    Some((known, _)) if *known < rank => {}
                    Some((known, near)) if *known == rank => is_tie |= near.candidate.tool != candidate.tool,
                    _ => {
                        is_tie = false;
                        best = Some((rank, Near { candidate, said: found.said, is_close: found.cost <= 1 }));
                    }
                }
            }
        }
    }
    best.filter(|_| !is_tie).map(|(_, near)| near)
}

/// What a line may lack and have too much, as [`Pattern::nearest`] counts it: at most, and for each telling word that it has.
const MOST_COST: u32 = 6;
const COST_OF_EACH: u32 = 3;
/// The same where a slot takes any words.
const COST_WITH_TEXT: u32 = 2;
