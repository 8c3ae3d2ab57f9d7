//! What a person's line means and what the programs say, as a folder of data per language.
//!
//! A language is a folder of `data/`; nothing else names it. The build makes tables of the folders, so that a start reads
//! nothing.
//!
//! - [`fold`]: the form in which letters and words are compared
//! - [`terms`]: the words by which a text is searched for
//! - [`words`]: a line as words
//! - [`pattern`]: the matcher of sentence patterns with slots; [`slot`]: what a slot takes
//! - `data`: the tables; `languages`: what is asked of all of them
//! - [`sum`](mod@sum): a sum, worked out
//! - `polite`: a polite request as a friend says it
//! - `indirect`: an indirect question as a direct one
//! - `remark`: what asks for nothing
//! - `slip`: what a line with a slip of the finger means
//! - `dated`: a question for a day, a place or an age that the person told
//! - `exact`: a vague time as an exact one
//! - `remind`: lines about the reminders that are more than one order
//! - `intent`: which intent a line has; `draft`: how a wish becomes a proposal
//! - [`need`](mod@need): whether a person is in need, by rules and by a score that the build learns from the lists in `src/need`
//! - [`restate`]: a fact that is found by a question and said back
#![forbid(unsafe_code)]

pub mod address;
mod compiled;
mod correct;
mod data;
mod dated;
mod draft;
mod exact;
pub mod fold;
mod indirect;
mod intent;
mod languages;
mod near;
pub mod need;
mod packed;
pub mod pairs;
pub mod pattern;
mod polite;
mod remark;
mod remind;
pub mod restate;
mod slip;
pub mod slot;
mod squeeze;
mod start;
pub mod sum;
pub mod terms;
pub mod words;

pub use correct::{corrected, in_its_words, told_anew};
pub use data::{Says, Statements};
pub use dated::{aged, dated};
pub use draft::{Draft, draft};
pub use indirect::directly;
pub use intent::{
    ALSO, Intent, Last, Meant, Refusal, about, asked_part, asks_how, asks_within, behind_greeting,
    beside_timer, clauses, direct, ended, follow_up, forbids, intent, intent_in, is_about_list, is_directive,
    is_question, knocks, looks_like_request, named_workflow, of_file, of_last, otherwise, perhaps, refusal,
    remind, sought, takes_back, two_reminders, wished,
};
pub use languages::{
    Language, day, detect, detect_among, feast, fill, gap, is_common, is_no_answer, joins, loose_reading,
    moment, month, number, offers_to_learn, place, readings, span, speak_as, spelt, told, weekday, with_unit,
    without_fillers,
};
pub use need::{After, Need, Said, need, need_in_text};
pub use packed::List;
pub use pattern::{Pattern, PatternError};
pub use polite::plainly;
pub use remark::{for_one, is_remark, small_talk};
pub use remind::{another, in_clauses, instead, may_be_reminded, of_other, on_second_thought};
pub use restate::{asks_an_amount, asks_why, names_time, yours};
pub use slip::mended;
pub use sum::able;
pub use words::Words;

#[cfg(test)]
mod tests;
