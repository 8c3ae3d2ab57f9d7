//! The one table of what built-in skills may do beyond their tokens. It is part of the program: the manifest may only take
//! away from it, and no plugin or learned skill stands in it.

use shared_types::id::SkillName;
use shared_types::power::Power;

/// A skill that is not listed has no power.
const TABLE: [(&str, &[Power]); 7] = [
    ("cli", &[Power::ShowForOthers]),
    ("reasoning", &[Power::CallTools]),
    ("memory", &[Power::KeepFacts]),
    ("proposer", &[Power::Outbox]),
    ("files", &[Power::WholeWorkspace]),
    ("web", &[Power::Pages]),
    // Its files are the admin's children's to touch, and it has no hand of its own.
    ("shell", &[Power::Actions]),
];

/// The powers of a built-in skill.
pub fn of(name: &SkillName) -> &'static [Power] {
    TABLE.iter().find(|(skill, _)| *skill == name.as_str()).map_or(&[], |(_, powers)| powers)
}
