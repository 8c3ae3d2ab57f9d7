//! Keeps a diary in its own folder: `file:read` and `file:write`.

use skill_sdk::prelude::*;

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new("Keeps a diary")
            .tool(
                Tool::new("write", "Writes a line into today's page")
                    .param(Param::text("line", "what to write"))
                    .phrase("en", "dear diary {line}"),
            )
            .tool(Tool::new("read", "Reads all pages").phrase("en", "read my diary"))
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            "write" => write(call.text("line")?),
            "read" => read(),
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

fn write(line: &str) -> Answer {
    let page = format!("{}.txt", host::today()?);
    let before = if files::list("")?.contains(&page) { files::read(&page)? } else { String::new() };
    files::write(&page, &format!("{before}{line}\n"))?;
    Ok("Written.".to_string())
}

fn read() -> Answer {
    let mut pages = String::new();
    for page in files::list("")? {
        pages += &files::read(&page)?;
    }
    Ok(pages)
}
