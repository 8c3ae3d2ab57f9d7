use skill_sdk::prelude::*;

pub struct Skill;

const GOT: &str = "it got away with that";

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new("Takes what it can get")
            .tool(Tool::new("spin", "Never ends").phrase("en", "spin for ever"))
            .tool(Tool::new("fill", "Fills memory").phrase("en", "fill the memory"))
            .tool(Tool::new("dive", "Calls itself").phrase("en", "dive for ever"))
            .tool(Tool::new("trap", "Breaks").phrase("en", "break now"))
            .tool(Tool::new("flood", "Says too much").phrase("en", "flood the screen"))
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            "spin" => {
                let mut x = call.line().len() as u64 | 1;
                // A walk through the numbers that no compiler can foresee the end of, since it has none.
                while x != 0 {
                    x ^= x << 13;
                    x ^= x >> 7;
                    x ^= x << 17;
                }
                Ok(GOT.to_owned())
            }
            "fill" => {
                let mut all = Vec::new();
                while all.len() < 1_000_000 {
                    all.push(vec![1_u8; 65_536]);
                }
                Ok(format!("{} {}", GOT, all.len()))
            }
            "dive" => Ok(format!("{} {}", GOT, dive(1))),
            "flood" => Ok(GOT.repeat(200_000)),
            _ => {
                let none: Vec<i64> = Vec::new();
                Ok(format!("{} {}", GOT, none[call.line().len()]))
            }
        }
    }
}

fn dive(depth: u64) -> u64 {
    if depth == u64::MAX {
        return depth;
    }
    let below = dive(depth + 1);
    below.wrapping_mul(depth) ^ below
}
