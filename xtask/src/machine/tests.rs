use super::*;

#[test]
fn a_check_runs_the_whole_way_of_one_user_in_two_machines_and_the_walls_of_two() {
    let plan = steps::plan();
    let run = |boot: &Boot| -> Vec<&str> {
        boot.steps().into_iter().map(|number| plan[number].1.name.as_ref()).collect()
    };
    let of = |at: usize| plan.iter().filter(|(setting, ..)| setting.name == steps::SETTINGS[at].name).count();
    let [one, attacked, two] = CHECKED.each_ref().map(run);
    assert_eq!(one.len() + NOT_BY_ONE.len(), of(0));
    assert!(NOT_BY_ONE.iter().all(|name| !one.contains(name)));
    assert_eq!(attacked, WITHOUT_A_SKILL);
    assert_eq!(two.len() + WITH_A_SKILL.len(), of(1));
    let once = [one, attacked].concat();
    let elsewhere = ["a wish becomes a package", "the self-test keeps every attack out"];
    assert!(WITH_A_SKILL.iter().all(|name| once.contains(name) || elsewhere.contains(name)));
    assert!(once.contains(&"the walls of this kernel hold against a bot that is owned"));
    assert!(two.contains(&"an action is done"));
    assert_eq!(
        CHECKED[2].command_line().split("steps=").nth(1).map(|steps| steps.split(',').count()),
        Some(two.len())
    );
}

#[test]
fn a_release_tries_every_step_of_one_and_of_two_users_on_every_kernel() {
    let with_a_skill = steps::plan().iter().filter(|(setting, ..)| setting.has_a_skill()).count();
    assert!(BOOTS.iter().all(|boot| boot.steps().len() == with_a_skill));
}

#[test]
fn a_release_tries_the_drivers_with_a_sound_card_and_no_check_does() {
    assert_eq!(all().len(), BOOTS.len() + 1);
    assert!(DRIVERS.has_sound() && DRIVERS.steps().len() == 4);
    assert!(!BOOTS.iter().chain(&CHECKED).any(Boot::has_sound));
}

#[test]
fn machines_that_run_at_once_have_names_of_their_own() {
    for boots in [&all()[..], &CHECKED] {
        let names: std::collections::BTreeSet<&str> = boots.iter().map(|boot| boot.name).collect();
        assert_eq!(names.len(), boots.len(), "{names:?}");
        // A name is part of a file's, and qemu ends a file's name at a comma.
        assert!(names.iter().all(|name| !name.contains(',')), "{names:?}");
    }
}
