//! Splits a bill, exactly to the cent.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT).tool(
            Tool::new("@split", "Splits an amount between people, with or without a tip")
                .param(Param::text("@split.amount", "the whole bill, such as 84.60"))
                .param(Param::int("@split.people", "how many people pay").min(1).max(1000))
                .param(Param::number("@split.tip", "the tip in percent").min(0).max(1000).optional())
                .phrase("en", "split|divide {@split.amount} between|among|by|for {@split.people} [people|persons|friends|of] [us] with|and|plus [a] [add] {@split.tip} [percent|%] tip")
                .phrase("en", "split|divide {@split.amount} {@split.people} ways with|and|plus [a] [add] {@split.tip} [percent|%] tip")
                .phrase("en", "split|divide {@split.amount} with|plus [a] {@split.tip} [percent|%] tip between|among|by|for {@split.people} [people|persons|friends|of] [us]")
                .phrase("en", "split|divide {@split.amount} between|among|by|for {@split.people} [people|persons|friends|of] [us]")
                .phrase("en", "split|divide {@split.amount} {@split.people} ways")
                .phrase("en", "{@split.amount} split|divided between|among|by|for {@split.people} people|persons|friends")
                .phrase("en", "there are {@split.people} of us and the bill|total is|was {@split.amount} [euros|dollars|pounds] how|what much|does|do|should does|do|should|each|we [each|everyone] [of] [us] pay")
                .phrase("de", "teile|teil {@split.amount} durch|auf|unter|zwischen {@split.people} [personen|leute|leuten|freunde|freunden] mit|plus|und {@split.tip} [prozent|%] trinkgeld [auf]")
                .phrase("de", "teile|teil {@split.amount} mit|plus {@split.tip} [prozent|%] trinkgeld durch|auf|unter|zwischen {@split.people} [personen|leute|leuten|freunde|freunden] [auf]")
                .phrase("de", "teile|teil {@split.amount} durch|auf|unter|zwischen {@split.people} [personen|leute|leuten|freunde|freunden] [auf]")
                .phrase("de", "{@split.amount} durch|auf|unter|zwischen|für {@split.people} personen|leute|leuten|freunde|freunden|kinder|mann [teilen|aufteilen|aufgeteilt|geteilt]")
                .phrase("de", "wir sind|waren [zu] {@split.people} [personen|leute|leuten|freunde|freunden|kinder|mann] [und] die rechnung ist|macht|beträgt|war {@split.amount} was|wieviel zahlt|bezahlt|muss jeder|jede [zahlen|bezahlen]")
                .phrase("de", "wir sind|waren [zu] {@split.people} [personen|leute|leuten|freunde|freunden|kinder|mann] [und] die rechnung ist|macht|beträgt|war {@split.amount} wie viel zahlt|bezahlt|muss jeder|jede [zahlen|bezahlen]")
                .phrase("de", "was|wieviel zahlt|bezahlt jeder|jede bei {@split.amount} und|für|durch {@split.people} personen|leute|leuten|freunde|freunden|kinder|mann")
                .example("split 84.60 between 4 with 10% tip")
                .example("teile 84,60 Euro durch 4 mit 10 % Trinkgeld"),
        )
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            "@split" => {
                let tip = call.opt_text("@split.tip")?.unwrap_or("0").trim_end_matches('%');
                let tip = Ratio::parse(tip, false).ok_or("I cannot read the tip.")?;
                split(call.text("@split.amount")?, call.int("@split.people")?, tip, german(call))
            }
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

fn split(amount: &str, people: i64, tip: Ratio, german: bool) -> Answer {
    // "split the cake between 4" is for somebody else.
    let (bill, currency) = money(amount, german).ok_or_else(Refusal::not_mine)?;
    if !(1..=1000).contains(&people) {
        return Err(Refusal::failed(if german { "Es müssen 1 bis 1000 Personen sein." } else { "There must be 1 to 1000 people." }));
    }
    let cents = bill.rounded(2).ok_or_else(too_large)?;
    if cents < 0 || tip.top < 0 || Ratio::new(cents, 100) != Some(bill) {
        return Err(Refusal::failed(if german {
            "Der Betrag braucht höchstens zwei Stellen nach dem Komma und kein Minus."
        } else {
            "The amount needs at most two places after the point and no minus."
        }));
    }
    let extra = bill.times(tip).and_then(|product| product.over(Ratio::whole(100))).ok_or_else(too_large)?;
    let total = cents + extra.rounded(2).ok_or_else(too_large)?;
    let (each, rest) = (total / i128::from(people), total % i128::from(people));
    let shown = |cents: i128| -> Result<String, Refusal> {
        let text = Ratio::new(cents, 100).and_then(|euros| euros.fixed(2)).ok_or_else(too_large)?;
        let text = in_words(&text, german);
        Ok(match currency {
            "" => text,
            "€" => format!("{} €", text),
            sign => format!("{}{}", sign, text),
        })
    };
    let whole = if tip.top > 0 {
        let percent = in_words(&tip.shown(4).ok_or_else(too_large)?, german);
        if german {
            format!("Mit {} % Trinkgeld sind es {}", percent, shown(total)?)
        } else {
            format!("With {}% tip it is {}", percent, shown(total)?)
        }
    } else if german {
        format!("Es sind {}", shown(total)?)
    } else {
        format!("It is {}", shown(total)?)
    };
    let payers = |number: i128| match (number, german) {
        (1, false) => "1 pays".to_string(),
        (_, false) => format!("{} pay", number),
        (1, true) => "1 zahlt".to_string(),
        (_, true) => format!("{} zahlen", number),
    };
    Ok(match (rest, german) {
        (0, false) => format!("{}: each of the {} pays {}.", whole, people, shown(each)?),
        (0, true) => format!("{}: jeder der {} zahlt {}.", whole, people, shown(each)?),
        (_, false) => format!(
            "{}: each pays {} and {} remain{}, so {} {} and {} {}.",
            whole, shown(each)?, cents_in_words(rest, false), if rest == 1 { "s" } else { "" },
            payers(rest), shown(each + 1)?, payers(i128::from(people) - rest), shown(each)?
        ),
        (_, true) => format!(
            "{}: jeder zahlt {}, {} {} übrig, also {} {} und {} {}.",
            whole, shown(each)?, cents_in_words(rest, true), if rest == 1 { "bleibt" } else { "bleiben" },
            payers(rest), shown(each + 1)?, payers(i128::from(people) - rest), shown(each)?
        ),
    })
}

fn cents_in_words(cents: i128, german: bool) -> String {
    let word = if cents == 1 || german { "cent" } else { "cents" };
    format!("{} {}", cents, if german { "Cent" } else { word })
}

/// Reads `84.60`, `€84.60`, `84,60 Euro` or `the bill of $84.60`.
fn money(text: &str, german: bool) -> Option<(Ratio, &'static str)> {
    let text = lower(text);
    let start = ["the bill of ", "a bill of ", "a total of ", "die rechnung von ", "eine rechnung von ", "die rechnung über "];
    let text = start.iter().find_map(|start| text.strip_prefix(start)).unwrap_or(&text).trim();
    for (sign, currency) in CURRENCIES {
        let number = text.strip_prefix(sign).or_else(|| text.strip_suffix(sign));
        if let Some(number) = number.and_then(|number| Ratio::parse(number.trim(), german)) {
            return Some((number, currency));
        }
    }
    Some((Ratio::parse(text, german)?, ""))
}

const CURRENCIES: &[(&str, &str)] = &[
    ("€", "€"),
    ("euros", "€"),
    ("euro", "€"),
    ("eur", "€"),
    ("$", "$"),
    ("dollars", "$"),
    ("dollar", "$"),
    ("usd", "$"),
    ("£", "£"),
    ("pounds", "£"),
    ("gbp", "£"),
    ("francs", "CHF "),
    ("franken", "CHF "),
    ("chf", "CHF "),
];

// @include ratio whole shown
// @include german

const GERMAN: &[&str] = &[
    "teile", "teil", "durch", "auf", "unter", "zwischen", "mit", "leute", "personen", "trinkgeld",
];
