//! What a built-in skill has beyond its tokens: as the program's table says, less what the manifest takes away.

use shared_types::power::Power;
use shared_types::power::Powers;
use skills::{self, powers};

use super::grid::held;
use super::*;

/// A built-in skill as the table has it, with what the manifest names.
pub(super) fn of_table<'a>(name: &'a SkillName, named: Option<&'a [Power]>) -> Holder<'a> {
    Holder::BuiltIn(name, Powers::new(powers::of(name), named))
}

/// The handles of a built-in skill with every token.
fn with(name: &SkillName, named: Option<&[Power]>) -> Vec<String> {
    held(name, &of_table(name, named), &Token::ALL).split(' ').map(str::to_owned).collect()
}

#[test]
fn a_power_that_the_manifest_names_and_the_table_does_not_gives_nothing() {
    for skill in skills::built_in(true) {
        let (name, own) = (skill.name(), powers::of(skill.name()));
        let usual = with(name, None);
        for beyond in Power::ALL.into_iter().filter(|power| !own.contains(power)) {
            assert_eq!(with(name, Some(&[own, &[beyond][..]].concat())), usual, "{name} with {beyond:?}");
            assert!(!Powers::new(own, Some(&[beyond])).has(beyond));
        }
        assert_eq!(with(name, Some(&Power::ALL)), usual, "{name} with all");
    }
}

#[test]
fn a_power_that_the_manifest_takes_away_takes_handles_and_gives_none() {
    for skill in skills::built_in(true) {
        let name = skill.name();
        let (usual, narrowed) = (with(name, None), with(name, Some(&[])));
        let more: Vec<_> = narrowed.iter().filter(|handle| !usual.contains(handle)).collect();
        assert!(more.is_empty(), "{name} gained {more:?}");
        // The screen's power is not a handle.
        let has_handles = powers::of(name).iter().any(|power| *power != Power::ShowForOthers);
        assert_eq!(narrowed.len() < usual.len(), has_handles, "{name}: {usual:?} became {narrowed:?}");
    }
}

#[test]
fn what_is_no_part_of_the_bot_has_no_power() {
    let name: SkillName = "dice".parse().unwrap();
    assert!(powers::of(&name).is_empty());
    assert!(Power::ALL.into_iter().all(|power| !Powers::default().has(power)));
}
