//! Tells ages.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT).tool(
            Tool::new("@age", "Tells how old somebody is who was born on a date")
                .param(Param::text("@age.born", "the date of birth, such as 1990-05-17"))
                .phrase("en", "how old is|am|are somebody|someone|i|you born on {@age.born}")
                .phrase("en", "how old is|am|are somebody|someone|i|you if|who i|was|were|is [was] born on {@age.born}")
                .phrase("en", "[what is] [the] age of somebody|someone born on {@age.born}")
                .phrase("en", "[i|somebody|someone] was born on {@age.born} how old am|is [i|he|she|that]")
                .phrase("de", "wie alt ist|bin jemand|ich der|die|wenn [ich] am {@age.born} geboren ist|wurde|bin")
                .phrase("de", "wie alt ist man wenn man am {@age.born} geboren ist|wurde")
                .example("how old is somebody born on 17 May 1990?")
                .example("wie alt ist jemand, der am 17. Mai 1990 geboren ist?"),
        )
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            "@age" => {
                let text = call.text("@age.born")?.trim_matches(|c: char| c.is_whitespace() || matches!(c, '?' | '!' | '.' | ','));
                let born = Date::parse(text).ok_or_else(Refusal::not_mine)?;
                age(born, host::today()?, german(call))
            }
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

fn age(born: Date, today: Date, german: bool) -> Answer {
    let lived = born.days_until(today);
    if lived < 0 {
        return Err(Refusal::failed(if german { "Dieser Tag kommt erst noch." } else { "That day is still to come." }));
    }
    let had = (today.month(), today.day()) >= (born.month(), born.day());
    let years = today.year() - born.year() - i64::from(!had);
    // Who was born on 29 February is a year older on 1 March of other years.
    let is_birthday = (today.month(), today.day()) == (born.month(), born.day());
    let cheer = match (is_birthday && years > 0, german) {
        (false, _) => "",
        (true, false) => " Happy birthday!",
        (true, true) => " Herzlichen Glückwunsch!",
    };
    Ok(match (years, german) {
        (1, false) => format!("1 year, that is {} days.{}", lived, cheer),
        (_, false) => format!("{} years, that is {} days.{}", years, lived, cheer),
        (1, true) => format!("1 Jahr, das sind {} Tage.{}", lived, cheer),
        (_, true) => format!("{} Jahre, das sind {} Tage.{}", years, lived, cheer),
    })
}

// @include german

const GERMAN: &[&str] = &["wie", "alt", "geboren", "jemand", "ich", "wurde", "bin", "wenn"];
