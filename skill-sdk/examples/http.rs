//! Fetches and sends: `network:read` and `network:write`.

use skill_sdk::prelude::*;

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new("Tells and reports the weather")
            .tool(
                Tool::new("weather", "Tells the weather of a place")
                    .param(Param::text("place", "the place"))
                    .phrase("en", "weather in {place}"),
            )
            .tool(
                Tool::new("report", "Reports the temperature of a place")
                    .param(Param::text("place", "the place"))
                    .param(Param::number("degrees", "degrees Celsius").min(-90).max(60))
                    .phrase("en", "it is {degrees} degrees in {place}"),
            )
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            "weather" => weather(call.text("place")?),
            "report" => report(call.text("place")?, call.number("degrees")?),
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

fn weather(place: &str) -> Answer {
    let url = format!("https://weather.example/now?q={}", http::encode(place));
    let answer = json::parse(&http::get(&url, &[("accept", "application/json")])?.ok()?)?;
    let degrees = answer.at("current.degrees").and_then(Value::as_number);
    let degrees = degrees.ok_or_else(|| Refusal::failed("The weather service did not say."))?;
    Ok(format!("It is {degrees} degrees in {place}."))
}

fn report(place: &str, degrees: f64) -> Answer {
    let body = json::write(&Value::map([("place", place.into()), ("degrees", degrees.into())]));
    http::post("https://weather.example/report", &[("content-type", "application/json")], &body)?.ok()?;
    Ok("Reported.".to_string())
}
