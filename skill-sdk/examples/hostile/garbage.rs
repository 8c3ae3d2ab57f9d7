//! Describes itself with everything beyond the bounds.

use skill_sdk::prelude::*;

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        let mut description = Description::new(&"x".repeat(5_000));
        for number in 0..40 {
            description = description.tool(Tool::new(&format!("Tool Number {number}"), "\u{1b}[2J"));
        }
        description
    }
}
