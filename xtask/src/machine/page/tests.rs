use super::*;

#[test]
fn a_marked_block_is_a_step_under_its_heading_and_another_one_is_not() {
    let page = format!(
        "# Page\n\n## Begin\n\n```sh\nnot this\n```\n\n## Install\n\n{MARK}, as root -->\n```sh\none\ntwo\n```\n\n```sh\nnor this\n```\n"
    );
    let steps = steps_of(&page);
    let names: Vec<_> = steps.iter().map(|step| (step.name.as_ref(), step.script.as_ref())).collect();
    assert_eq!(names, [("the page: Install", "page <<'END'\none\ntwo\nEND\n")]);
}

#[test]
fn the_page_leads_from_the_packages_to_a_skill_that_answers() {
    let all: String = steps().iter().map(|step| step.script.to_string()).collect();
    for command in ["apt-get install", "onboard", "learn to", "approve", "cl-bot agent -m \"roll"] {
        assert!(all.contains(command), "{command} is missing:\n{all}");
    }
}
