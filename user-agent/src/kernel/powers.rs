//! What a built-in skill may do beyond its tokens: a row of the program's table, as far as the manifest leaves it.

use shared_types::power::Power;

/// The powers of one built-in skill.
#[derive(Debug, Clone, Copy, Default)]
pub struct Powers<'a> {
    table: &'a [Power],
    named: Option<&'a [Power]>,
}

impl<'a> Powers<'a> {
    /// What the program's table says, narrowed to what the manifest names, where it names any.
    pub fn new(table: &'a [Power], named: Option<&'a [Power]>) -> Powers<'a> {
        Powers { table, named }
    }

    /// Whether the skill has a power.
    pub fn has(&self, power: Power) -> bool {
        self.table.contains(&power) && self.named.is_none_or(|named| named.contains(&power))
    }

    /// Whether the program's table lists the power. Such a skill gets no usual files in its place, also where the manifest
    /// takes the power away.
    pub fn is_made_for(&self, power: Power) -> bool {
        self.table.contains(&power)
    }
}
