use skill_sdk::prelude::*;

pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new("Reads the diary")
            .tool(Tool::new("page", "Reads a page").phrase("en", "read my diary page"))
            .emits("diary.page")
    }

    fn call_tool(&mut self, _call: &Call) -> Answer {
        let all: Vec<String> = memory::query("")?.into_iter().map(|r| r.text).collect();
        events::dispatch("diary.page", Value::Text(all.join("\n")))?;
        Ok(format!("{} pages", all.len()))
    }
}
