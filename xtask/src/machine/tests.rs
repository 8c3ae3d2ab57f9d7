use super::*;

#[test]
fn a_check_runs_the_whole_way_of_one_user_and_the_walls_of_two() {
    let plan = steps::plan();
    let run = |boot: &Boot| boot.steps().into_iter().map(|number| &plan[number]).collect::<Vec<_>>();
    let [one, two] = CHECKED.each_ref().map(run);
    assert_eq!(one.len(), plan.iter().filter(|(setting, ..)| setting.word == "one").count());
    assert_eq!(
        two.len() + WITH_A_SKILL.len(),
        plan.iter().filter(|(setting, ..)| setting.word == "two").count()
    );
    assert!(
        WITH_A_SKILL
            .iter()
            .all(|name| one.iter().any(|(_, step, _)| step.name == *name)
                || *name == "a wish becomes a package")
    );
    assert!(two.iter().any(|(_, step, _)| step.name == "an action is done"));
    assert_eq!(
        CHECKED[1].command_line().split("steps=").nth(1).map(|steps| steps.split(',').count()),
        Some(two.len())
    );
}
