use super::*;

#[test]
fn a_check_runs_the_whole_way_of_one_user_in_two_machines_and_the_walls_of_two() {
    let plan = steps::plan();
    let run = |boot: &Boot| -> Vec<&str> {
        boot.steps().into_iter().map(|number| plan[number].1.name.as_ref()).collect()
    };
    let of = |word: &str| plan.iter().filter(|(setting, ..)| setting.word == word).count();
    let [one, attacked, two] = CHECKED.each_ref().map(run);
    assert_eq!(one.len() + 1, of("one"));
    assert!(!one.contains(&SELF_TEST));
    assert_eq!(attacked, ATTACKED);
    assert_eq!(two.len() + WITH_A_SKILL.len(), of("two"));
    let once = [one, attacked].concat();
    assert!(WITH_A_SKILL.iter().all(|name| once.contains(name) || *name == "a wish becomes a package"));
    assert!(two.contains(&"an action is done"));
    assert_eq!(
        CHECKED[2].command_line().split("steps=").nth(1).map(|steps| steps.split(',').count()),
        Some(two.len())
    );
}

#[test]
fn machines_that_run_at_once_have_names_of_their_own() {
    for boots in [&BOOTS, &CHECKED] {
        let names: std::collections::BTreeSet<&str> = boots.iter().map(|boot| boot.name).collect();
        assert_eq!(names.len(), boots.len(), "{names:?}");
        // A name is part of a file's, and qemu ends a file's name at a comma.
        assert!(names.iter().all(|name| !name.contains(',')), "{names:?}");
    }
}
