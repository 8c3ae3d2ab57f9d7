//! Attacks every limit of a call, one tool each; used by the host's tests.

use skill_sdk::prelude::*;

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        ["loop", "allocate", "recurse", "flood", "panic", "chatter", "deep", "echo", "shout"]
            .iter()
            .fold(Description::new("Attacks"), |all, name| all.tool(Tool::new(name, "attacks a limit")))
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            "loop" => endless(call.int("start").unwrap_or(0)),
            "allocate" => allocate(),
            "recurse" => Ok(recurse(call.int("start").unwrap_or(0)).to_string()),
            "flood" => Ok("x".repeat(1 << 20)),
            "panic" => Ok(call.line().split_at(1_000_000).0.to_string()),
            "chatter" => chatter(),
            "deep" => deep(),
            "shout" => {
                host::log(&"x".repeat(1 << 20));
                Ok(String::new())
            }
            "echo" => Ok(format!("{} {}", call.text("what")?, (call.number("x").unwrap_or(1.0)).ln())),
            _ => Err(Refusal::not_mine()),
        }
    }
}

fn endless(start: i64) -> Answer {
    let mut number = start as u64;
    loop {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        if number == 42 && start == 43 {
            return Ok(number.to_string());
        }
    }
}

fn allocate() -> Answer {
    let mut hoard = Vec::new();
    loop {
        hoard.push(vec![1u8; 100_000]);
        if hoard.len() > 1_000_000 {
            return Ok(hoard.len().to_string());
        }
    }
}

fn recurse(n: i64) -> i64 {
    if n == -1 {
        return 0;
    }
    recurse(n + 1).wrapping_mul(3) ^ recurse(n + 2)
}

fn chatter() -> Answer {
    loop {
        host::random_u64()?;
    }
}

fn deep() -> Answer {
    let mut value = Value::Null;
    for _ in 0..100 {
        value = Value::List(vec![value]);
    }
    // The host must never see a message that its decoder would refuse.
    match fits(&value) {
        true => Err(Refusal::failed("the nesting went through")),
        false => Ok("kept out".to_string()),
    }
}

fn fits(value: &Value) -> bool {
    skill_sdk::codec::encode(value).is_ok()
}
