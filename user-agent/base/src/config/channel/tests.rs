use super::*;

fn channel(patterns: &[&str]) -> Channel {
    let tools_allow = patterns.iter().map(|p| p.parse().unwrap()).collect();
    Channel { enabled: true, tools_allow }
}

#[test]
fn a_pattern_names_every_tool_those_of_a_skill_or_one() {
    assert!(Channel::default().allows("anything.at_all"));
    let some = channel(&["clock.*", "dice.roll"]);
    for (skill, tool) in [("clock", "time"), ("clock", "date"), ("dice", "dice.roll")] {
        assert!(some.allows_of(skill, tool), "{tool}");
    }
    for (skill, tool) in [
        ("clocks", "clocks.time"),
        ("files", "clock"),
        ("dice", "dice.rolls"),
        ("dice", "dice.reroll"),
        ("dice", "dice.*"),
        ("dice", ""),
    ] {
        assert!(!some.allows_of(skill, tool), "{tool}");
    }
    assert!(!channel(&[]).allows_of("clock", "time"));
}

#[test]
fn a_built_in_tool_is_named_alone_or_with_its_skill_and_no_learned_one_is_meant() {
    for pattern in ["file_read", "files.file_read", "files.*"] {
        let some = channel(&[pattern]);
        assert!(some.allows_of("files", "file_read"), "{pattern}");
        // A learned skill's tool carries the skill's name, regardless of what it calls itself.
        for (skill, tool) in [("notes", "notes.file_read"), ("file-read", "file-read.file_read")] {
            assert!(!some.allows_of(skill, tool), "{pattern} {tool}");
        }
    }
    assert!(!channel(&["file_read"]).allows_of("files", "file_write"));
}

#[test]
fn what_is_no_pattern_is_refused_with_what_is_allowed() {
    for text in [
        "",
        "*.time",
        "cl*.x",
        "Clock",
        "cl ock",
        "a.b.c",
        "../x.y",
        "Clock.time",
        "clock.**",
        "clock. time",
        ".",
    ] {
        let error = text.parse::<ToolPattern>().unwrap_err().to_string();
        assert!(error.contains("SKILL.TOOL"), "{text:?}: {error}");
    }
}
