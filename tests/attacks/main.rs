//! Each test is an attack that must be refused; the number is the invariant's.

mod calls;
mod canary;
mod files;
mod forge;
mod i01_writes;
mod i02_processes;
mod i03_registry;
mod i04_tokens;
mod i05_approvers;
mod i05_codes;
mod i05_decision;
mod i07_children;
mod i07_intake;
mod i08_profile;
mod i10_secrets;
mod i10_skill_secrets;
mod mind;
mod scan;
mod table;
mod tiers;
mod walls;
