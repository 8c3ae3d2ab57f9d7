//! The page for the Raspberry Pi as steps: each block of commands that it says the machine runs, under its heading.

use std::borrow::Cow;

use super::steps::Step;

const PAGE: &str = include_str!("../../../docs/RASPBERRY_PI.md");

/// How a block says that it is run here; `tests/journeys/documents.rs` reads the same comment.
const MARK: &str = "<!-- not run: all: `cargo xtask machine` runs it";

/// Seconds that one block may take.
const LIMIT: u32 = 900;

/// A step for each marked block: `page` of `guest/lib.sh` runs its lines one by one.
pub(crate) fn steps() -> Vec<Step> {
    steps_of(PAGE)
}

fn steps_of(page: &str) -> Vec<Step> {
    let (mut steps, mut heading, mut is_marked, mut block) = (Vec::new(), "", false, None::<String>);
    for line in page.lines() {
        match (&mut block, line) {
            (Some(_), "```") => {
                let lines = block.take().unwrap_or_default();
                if std::mem::take(&mut is_marked) {
                    steps.push(Step {
                        name: format!("the page: {heading}").into(),
                        seconds: LIMIT,
                        script: Cow::from(format!("page <<'END'\n{lines}END\n")),
                    });
                }
            }
            (Some(lines), line) => lines.push_str(&format!("{line}\n")),
            (None, line) if line.starts_with("```") => block = Some(String::new()),
            (None, line) if line.starts_with(MARK) => is_marked = true,
            (None, line) => {
                if let Some(words) = line.strip_prefix("## ") {
                    heading = words;
                }
            }
        }
    }
    steps
}

#[cfg(test)]
mod tests;
