use super::*;

fn channel(patterns: &[&str]) -> Channel {
    let tools_allow = patterns.iter().map(|p| p.parse().unwrap()).collect();
    Channel { enabled: true, tools_allow }
}

#[test]
fn a_pattern_names_every_tool_those_of_a_skill_or_one() {
    assert!(Channel::default().allows("anything.at_all"));
    let some = channel(&["clock.*", "dice.roll"]);
    for tool in ["clock.time", "clock.date", "dice.roll"] {
        assert!(some.allows(tool), "{tool}");
    }
    for tool in ["clocks.time", "clock", "dice.rolls", "dice.reroll", "dice.*", ""] {
        assert!(!some.allows(tool), "{tool}");
    }
    assert!(!channel(&[]).allows("clock.time"));
}

#[test]
fn what_is_no_pattern_is_refused_with_what_is_allowed() {
    for text in
        ["", "clock", "*.time", "cl*.x", "a.b.c", "../x.y", "Clock.time", "clock.**", "clock. time", "."]
    {
        let error = text.parse::<ToolPattern>().unwrap_err().to_string();
        assert!(error.contains("SKILL.TOOL"), "{text:?}: {error}");
    }
}
