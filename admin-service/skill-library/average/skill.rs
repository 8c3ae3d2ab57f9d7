//! Averages and medians.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT)
            // @if average
            .tool(
                Tool::new("@average", "The average of numbers")
                    .param(Param::text("@average.numbers", "the numbers, such as 2, 3 and 4"))
                    .phrase("en", "[what is the] average|mean of {@average.numbers}")
                    .phrase("en", "calculate the average|mean of {@average.numbers}")
                    .phrase("de", "[was ist der] durchschnitt|mittelwert von|aus {@average.numbers}")
                    .phrase("de", "berechne den durchschnitt|mittelwert von|aus {@average.numbers}")
                    .example("what is the average of 2, 3 and 4?")
                    .example("was ist der Durchschnitt von 2, 3 und 4?"),
            )
            // @end
            // @if median
            .tool(
                Tool::new("@median", "The median of numbers: the one in the middle")
                    .param(Param::text("@median.numbers", "the numbers"))
                    .phrase("en", "[what is the] median of {@median.numbers}")
                    .phrase("de", "[was ist der] median|zentralwert von|aus {@median.numbers}")
                    .example("median of 9, 1 and 4")
                    .example("was ist der Median von 9, 1 und 4?"),
            )
            // @end
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            // @if average
            "@average" => {
                let german = german(call);
                let numbers = numbers(call.text("@average.numbers")?, german).ok_or_else(Refusal::not_mine)?;
                let mean = shown(numbers.iter().sum::<f64>() / numbers.len() as f64, german);
                Ok(if german {
                    format!("Der Durchschnitt der {} Zahlen ist {}.", numbers.len(), mean)
                } else {
                    format!("The average of the {} numbers is {}.", numbers.len(), mean)
                })
            }
            // @end
            // @if median
            "@median" => {
                let german = german(call);
                let mut numbers = numbers(call.text("@median.numbers")?, german).ok_or_else(Refusal::not_mine)?;
                numbers.sort_by(|a, b| a.total_cmp(b));
                let upper = numbers.get(numbers.len() / 2).copied().unwrap_or(0.0);
                let lower = numbers.get((numbers.len() - 1) / 2).copied().unwrap_or(0.0);
                let middle = shown((lower + upper) / 2.0, german);
                Ok(if german {
                    format!("Der Median der {} Zahlen ist {}.", numbers.len(), middle)
                } else {
                    format!("The median of the {} numbers is {}.", numbers.len(), middle)
                })
            }
            // @end
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

/// Reads `2, 3 and 4`, `2 3 4`, `1,5; 2` or `2,3,4`; at least two numbers.
fn numbers(text: &str, german: bool) -> Option<Vec<f64>> {
    let text = lower(text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '?' | '!' | '.')));
    let text = text.replace(" and ", " ").replace(" und ", " ").replace(';', " ");
    let mut words: Vec<&str> = text.split_whitespace().map(|word| word.trim_end_matches(',')).collect();
    if words.len() == 1 {
        // Without a space, commas stand between the numbers.
        words = text.split(',').collect();
    }
    let numbers: Option<Vec<f64>> = words.iter().map(|word| number(word, german)).collect();
    numbers.filter(|numbers| (2..=1000).contains(&numbers.len()))
}

fn number(word: &str, german: bool) -> Option<f64> {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let plain = !digits.is_empty()
        && digits.len() <= 15
        && digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b',');
    if !plain || (!german && digits.contains(',')) || (german && digits.contains('.')) {
        return None;
    }
    word.replace(',', ".").parse().ok()
}

fn shown(number: f64, german: bool) -> String {
    let text = format!("{:.4}", number);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    let text = if text == "-0" { "0" } else { text };
    if german {
        text.replace('.', ",")
    } else {
        text.to_string()
    }
}

// @include german

const GERMAN: &[&str] = &["was", "ist", "der", "den", "durchschnitt", "mittelwert", "zentralwert", "von", "aus", "berechne", "und"];
