//! Compares offers by their price for one unit.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT).tool(
            Tool::new("@compare", "Compares offers by the price for one unit")
                .param(Param::text("@compare.offers", "the offers, such as 500 g for 2.49 or 750 g for 3.59"))
                .phrase("en", "what|which [one] is cheaper {@compare.offers}")
                .phrase("en", "what|which is the better|best deal|value|offer|price {@compare.offers}")
                .phrase("en", "what|which is better value {@compare.offers}")
                .phrase("en", "is {@compare.offers} cheaper")
                .phrase("en", "compare [the] [prices] [of] {@compare.offers}")
                .phrase("en", "[what] [is] [the] unit price of {@compare.offers}")
                .phrase("de", "was|welches|welche ist billiger|günstiger|billigste|günstigste {@compare.offers}")
                .phrase("de", "welches|welche|welcher angebot|packung|preis ist billiger|günstiger|besser [von] {@compare.offers}")
                .phrase("de", "was ist das bessere|günstigere angebot {@compare.offers}")
                .phrase("de", "vergleiche|vergleich [die] [preise] [von] {@compare.offers}")
                .example("which is cheaper, 500 g for 2.49 or 750 g for 3.59?")
                .example("was ist günstiger, 500 g für 2,49 oder 750 g für 3,59?"),
        )
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            "@compare" => compare(call.text("@compare.offers")?, german(call)),
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

/// An amount for a price.
#[derive(Debug, Clone)]
struct Offer {
    said: String,
    kind: String,
    amount: Ratio,
    price: Ratio,
    currency: &'static str,
}

fn compare(text: &str, german: bool) -> Answer {
    let parts = split_offers(text);
    let offers: Vec<Option<Offer>> = parts.iter().map(|part| offer(part, german)).collect();
    // "compare apples and oranges" is for somebody else.
    if offers.iter().all(Option::is_none) {
        return Err(Refusal::not_mine());
    }
    let mut known = Vec::new();
    for (offer, part) in offers.into_iter().zip(&parts) {
        let hint = if german { "Sag es etwa so: 500 g für 2,49" } else { "Say it like 500 g for 2.49" };
        known.push(offer.ok_or_else(|| Refusal::failed(format!("{}; \"{}\" I cannot read.", hint, part.trim())))?);
    }
    let first = known.first().ok_or_else(Refusal::not_mine)?;
    if known.iter().any(|offer| offer.kind != first.kind || offer.currency != first.currency) {
        return Err(Refusal::failed(if german {
            "Diese Angebote lassen sich nicht vergleichen: Einheiten oder Währungen sind verschieden."
        } else {
            "These offers cannot be compared: their units or currencies differ."
        }));
    }
    let mut prices = Vec::new();
    for offer in &known {
        prices.push(offer.price.over(offer.amount).ok_or_else(too_large)?);
    }
    let lowest = prices.iter().copied().fold(prices[0], |lowest, price| if less(price, lowest) { price } else { lowest });
    let mut each = Vec::new();
    for (offer, price) in known.iter().zip(&prices) {
        let price = in_words(&with_places(*price, &prices).ok_or_else(too_large)?, german);
        let (costs, per) = if german { ("kostet", "je") } else { ("costs", "per") };
        each.push(format!("{} {} {} {} {}", offer.said, costs, money(&price, offer.currency), per, unit_name(&offer.kind, german)));
    }
    let winners: Vec<&Offer> = known.iter().zip(&prices).filter(|(_, price)| **price == lowest).map(|(offer, _)| offer).collect();
    let details = each.join(", ");
    match (known.len(), winners.as_slice()) {
        (1, _) => Ok(format!("{}.", details)),
        (_, [winner]) if german => Ok(format!("{} ist günstiger: {}.", winner.said, details)),
        (_, [winner]) => Ok(format!("{} is cheaper: {}.", winner.said, details)),
        _ if german => Ok(format!("Es ist kein Unterschied bei den günstigsten: {}.", details)),
        _ => Ok(format!("The cheapest ones cost the same: {}.", details)),
    }
}

fn less(one: Ratio, other: Ratio) -> bool {
    one.minus(other).map_or(false, |difference| difference.top < 0)
}

/// Two places, and more where two prices would look the same.
fn with_places(price: Ratio, prices: &[Ratio]) -> Option<String> {
    let mut places = 2;
    while places < 6 && prices.iter().any(|other| *other != price && other.rounded(places) == price.rounded(places)) {
        places += 1;
    }
    price.fixed(places)
}

fn money(number: &str, currency: &str) -> String {
    match currency {
        "" => number.to_string(),
        "€" => format!("{} €", number),
        sign => format!("{}{}", sign, number),
    }
}

fn unit_name(kind: &str, german: bool) -> &str {
    match (kind, german) {
        ("piece", true) => "Stück",
        (kind, _) => kind,
    }
}

/// Splits at "or", "versus", a semicolon, or a comma with a blank.
fn split_offers(text: &str) -> Vec<String> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '?' | '!' | '.' | ',' | ':'));
    let mut parts = vec![text.to_string()];
    for separator in [" or ", " oder ", " versus ", " vs. ", " vs ", "; ", ", ", " and ", " und ", " with ", " mit "] {
        parts = parts.iter().flat_map(|part| part.split(separator)).map(|part| part.trim().to_string()).collect();
    }
    parts.retain(|part| !part.is_empty());
    parts.truncate(20);
    for part in &mut parts {
        let bare = part.strip_prefix("or ").or_else(|| part.strip_prefix("oder "));
        if let Some(bare) = bare {
            *part = bare.to_string();
        }
    }
    parts
}

/// Reads `500 g for 2.49`, `6 x 330 ml at €4.20`, `12 eggs for 3.29` or `2,49 € für 500 g`.
fn offer(text: &str, german: bool) -> Option<Offer> {
    let lower = lower(text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '?' | '!' | '.' | ',')));
    let (left, right) = [" for ", " at ", " für ", " fuer ", " zu ", " costs ", " cost ", " kostet ", " kosten ", " = ", " à "]
        .iter()
        .find_map(|word| lower.split_once(word))?;
    let (amount, price) = match price_of(right, german) {
        Some(price) if price_of(left, german).map_or(true, |(_, currency)| currency.is_empty()) => (left, price),
        _ => (right, price_of(left, german)?),
    };
    let (amount_of, kind) = amount_and_kind(amount, german)?;
    if amount_of.top <= 0 || price.0.top < 0 {
        return None;
    }
    Some(Offer { said: lower.clone(), kind, amount: amount_of, price: price.0, currency: price.1 })
}

fn price_of(text: &str, german: bool) -> Option<(Ratio, &'static str)> {
    let text = text.trim();
    for (sign, currency) in CURRENCIES {
        let number = text.strip_prefix(sign).or_else(|| text.strip_suffix(sign));
        if let Some(number) = number.and_then(|number| Ratio::parse(number.trim(), german)) {
            return Some((number, currency));
        }
    }
    for sign in ["cents", "cent", "ct", "c"] {
        if let Some(number) = text.strip_suffix(sign).and_then(|number| Ratio::parse(number.trim(), german)) {
            return Some((number.over(Ratio::whole(100))?, ""));
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

/// The amount in kilograms, litres, metres or pieces.
fn amount_and_kind(text: &str, german: bool) -> Option<(Ratio, String)> {
    let text = text.trim().trim_start_matches("a pack of ").trim_start_matches("eine packung mit ");
    let (times, text) = match text.split_once(" x ").or_else(|| text.split_once(" \u{d7} ")).or_else(|| split_times(text)) {
        Some((times, rest)) => (Ratio::parse(times, german)?, rest.trim()),
        None => (Ratio::whole(1), text),
    };
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == ',')).unwrap_or(text.len());
    let (number, unit) = (text.get(..end)?, text.get(end..)?.trim());
    let number = if number.is_empty() && ["a ", "an ", "one ", "ein ", "eine "].iter().any(|start| unit.starts_with(start)) {
        Ratio::whole(1)
    } else {
        Ratio::parse(number, german)?
    };
    let word = unit.split_whitespace().next().unwrap_or_default();
    let known = AMOUNTS.iter().find(|(names, _, _)| names.split(' ').any(|name| name == word));
    let (kind, factor) = match known {
        Some((_, kind, (top, bottom))) => (*kind, Ratio::new(*top, *bottom)?),
        // "12 eggs" are twelve pieces.
        None => ("piece", Ratio::whole(1)),
    };
    Some((times.times(number)?.times(factor)?, kind.to_string()))
}

/// Splits `6x330 ml`.
fn split_times(text: &str) -> Option<(&str, &str)> {
    let (times, rest) = text.split_once('x')?;
    let digits = !times.is_empty() && times.bytes().all(|byte| byte.is_ascii_digit());
    if digits && rest.starts_with(|c: char| c.is_ascii_digit()) {
        Some((times, rest))
    } else {
        None
    }
}

const AMOUNTS: &[(&str, &str, (i128, i128))] = &[
    ("mg", "kg", (1, 1_000_000)),
    ("g gram grams gramm gr", "kg", (1, 1000)),
    ("kg kilo kilos kilogram kilograms kilogramm", "kg", (1, 1)),
    ("oz ounce ounces", "kg", (28_349_523_125, 1_000_000_000_000)),
    ("lb lbs pound pounds", "kg", (45_359_237, 100_000_000)),
    ("pfund", "kg", (1, 2)),
    ("ml millilitre millilitres milliliter milliliters", "l", (1, 1000)),
    ("cl", "l", (1, 100)),
    ("dl", "l", (1, 10)),
    ("l litre litres liter liters", "l", (1, 1)),
    ("mm", "m", (1, 1000)),
    ("cm", "m", (1, 100)),
    ("m metre metres meter meters", "m", (1, 1)),
];

// @include ratio whole plus minus
// @include german

const GERMAN: &[&str] = &[
    "ist", "oder", "für", "welches", "welche", "billiger", "günstiger", "billigste", "günstigste",
    "vergleiche", "vergleich",
];
