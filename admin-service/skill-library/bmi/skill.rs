//! Computes the body mass index.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT).tool(
            Tool::new("@bmi", "Computes the body mass index from weight and height")
                .param(Param::text("@bmi.weight", "the weight in kilograms, such as 70"))
                .param(Param::text("@bmi.height", "the height in metres or centimetres, such as 1.75 or 175"))
                .phrase("en", "[what is] [my|the] bmi for|of|at|with {@bmi.weight} [kg] and|at {@bmi.height} [m|cm|metres|meters]")
                .phrase("en", "[what is] [my|the] body mass index for|of|at|with {@bmi.weight} [kg] and|at {@bmi.height} [m|cm|metres|meters]")
                .phrase("en", "calculate [my|the] bmi for|of|at|with {@bmi.weight} [kg] and|at {@bmi.height} [m|cm|metres|meters]")
                .phrase("de", "[was|wie] [ist] [mein|der] bmi bei|mit|von {@bmi.weight} [kg] und|bei {@bmi.height} [m|cm|meter|metern]")
                .phrase("de", "berechne [meinen|den] bmi bei|mit|für {@bmi.weight} [kg] und|bei {@bmi.height} [m|cm|meter|metern]")
                .example("bmi for 70 kg and 175 cm")
                .example("wie ist mein BMI bei 70 kg und 175 cm?"),
        )
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            "@bmi" => {
                let weight = measure(call.text("@bmi.weight")?, &["kg", "kilograms", "kilogramm", "kilo"]);
                let height = measure(call.text("@bmi.height")?, &["cm", "centimetres", "zentimeter", "metres", "meters", "metern", "meter", "m"]);
                match (weight, height) {
                    (Some(weight), Some(height)) => index(weight, height, german(call)),
                    _ => Err(Refusal::not_mine()),
                }
            }
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

fn index(weight: f64, height: f64, german: bool) -> Answer {
    // Nobody is three metres tall: such a number is in centimetres.
    let metres = if height > 3.0 { height / 100.0 } else { height };
    if !(20.0..=400.0).contains(&weight) || !(0.9..=2.6).contains(&metres) {
        return Err(Refusal::failed(if german {
            "Ich brauche das Gewicht in Kilogramm und die Größe in Metern oder Zentimetern."
        } else {
            "I need the weight in kilograms and the height in metres or centimetres."
        }));
    }
    let index = format!("{:.1}", weight / (metres * metres));
    Ok(if german {
        format!("Der BMI ist {}. Bei Erwachsenen gelten 18,5 bis 25 als normal; mehr sagt er nicht.", index.replace('.', ","))
    } else {
        format!("The BMI is {}. For adults 18.5 to 25 counts as normal; it says no more than that.", index)
    })
}

/// Reads `70`, `70.5 kg` or `1,75m`.
fn measure(text: &str, units: &[&str]) -> Option<f64> {
    let text = lower(text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '?' | '!')));
    let number = units.iter().find_map(|unit| text.strip_suffix(unit)).unwrap_or(&text).trim().replace(',', ".");
    let plain = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if !plain || number.len() > 8 {
        return None;
    }
    number.parse().ok()
}

// @include german

const GERMAN: &[&str] = &["bei", "und", "mein", "meinen", "berechne", "der", "mit", "wie"];
