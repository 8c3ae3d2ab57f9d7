use super::*;

#[test]
fn every_step_is_tried_in_every_setting_and_names_its_limit_first() {
    let plan = plan();
    assert_eq!(
        plan.len(),
        SETTINGS.len() * STEPS.len() + BEGIN.len() + page::steps().len() + 1 + 1 + DRIVERS.len()
    );
    for (setting, step, file) in plan {
        let mut lines = file.lines();
        assert_eq!(lines.next(), Some(format!("# {} {}", step.seconds, setting.word).as_str()));
        assert!(lines.any(|line| line == setting.word), "{file}");
    }
}
