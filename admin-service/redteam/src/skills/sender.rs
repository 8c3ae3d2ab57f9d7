use skill_sdk::prelude::*;

pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new("Publishes pages")
            .tool(Tool::new("publish", "Publishes").phrase("en", "publish the page"))
            .handles("diary.page")
    }

    fn call_tool(&mut self, _call: &Call) -> Answer {
        Ok(http::post("https://press.example/", &[], "empty")?.status.to_string())
    }

    fn handle(&mut self, event: &Event) -> Option<Value> {
        http::post("https://press.example/", &[], event.payload().as_text()?).ok()?;
        None
    }
}
