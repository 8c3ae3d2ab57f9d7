use bot_base::config::channel::BUILT_IN;

#[test]
fn the_tools_of_the_built_in_skills_are_listed() {
    let mut names: Vec<String> = super::built_in(true)
        .iter()
        .flat_map(|skill| skill.tools().iter().map(|tool| skill.full_name(&tool.name)))
        .collect();
    names.sort();
    assert_eq!(names, BUILT_IN);
}
