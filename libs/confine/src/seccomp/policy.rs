//! Which tables a role has.

use crate::Role;

use super::architecture::Architecture;
use super::row::{Row, Table};
use super::{allowed, refused};

/// The rows of a role, and whether they allow or refuse.
pub(super) struct Policy {
    pub(super) verdict: Verdict,
    pub(super) tables: &'static [Table],
    pub(super) absent: &'static [Row],
}

/// What a row of a table says about its call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Allow,
    Refuse,
}

impl Policy {
    pub(super) fn of(role: Role) -> Policy {
        let (verdict, tables) = match role {
            Role::Mind => (Verdict::Allow, allowed::MIND),
            Role::Net => (Verdict::Allow, allowed::NET),
            Role::Door => (Verdict::Allow, allowed::DOOR),
            Role::Pins => (Verdict::Allow, allowed::PINS),
            Role::Worker => (Verdict::Allow, allowed::WORKER),
            Role::Compiler => (Verdict::Refuse, refused::COMPILER),
            Role::Action => (Verdict::Refuse, refused::ACTION),
            Role::Online => (Verdict::Refuse, refused::ONLINE),
            Role::Server => (Verdict::Refuse, refused::SERVER),
        };
        Policy { verdict, tables, absent: refused::ABSENT }
    }

    /// The rows whose calls exist on an architecture.
    pub(super) fn rows(&self, on: Architecture) -> impl Iterator<Item = &'static Row> + use<> {
        let tables: &'static [Table] = self.tables;
        let tables = tables.iter().filter(move |table| table.only.is_none_or(|only| only == on));
        tables.flat_map(|table| table.rows)
    }
}
