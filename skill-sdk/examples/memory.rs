//! Keeps a list between conversations: `memory:read` and `memory:write`.

use skill_sdk::prelude::*;

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new("Keeps a homework list")
            .tool(
                Tool::new("add", "Adds a task")
                    .param(Param::text("task", "what is to be done"))
                    .phrase("en", "add {task} to my homework"),
            )
            .tool(Tool::new("show", "Shows the tasks").phrase("en", "what is my homework"))
            .tool(Tool::new("clear", "Removes all tasks").phrase("en", "clear my homework"))
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            "add" => add(call.text("task")?),
            "show" => show(),
            "clear" => clear(),
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

fn add(task: &str) -> Answer {
    let last = memory::query("task:")?.pop().and_then(|record| record.key[5..].parse().ok()).unwrap_or(0u32);
    memory::store(&format!("task:{:06}", last + 1), task)?;
    Ok(format!("Added {task}."))
}

fn show() -> Answer {
    let tasks: Vec<String> = memory::query("task:")?.into_iter().map(|record| record.text).collect();
    Ok(if tasks.is_empty() { "Nothing to do.".to_string() } else { tasks.join("\n") })
}

fn clear() -> Answer {
    for record in memory::query("task:")? {
        memory::remove(&record.key)?;
    }
    Ok("The list is empty.".to_string())
}
