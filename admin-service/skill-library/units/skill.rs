//! Converts between units of measure.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT).tool(
            Tool::new("@convert", "Converts an amount into another unit")
                .param(Param::text("@convert.value", "the amount, with its unit unless that is given apart, such as 100 Fahrenheit"))
                .param(Param::text("@convert.from", "the unit of the amount"))
                .param(Param::text("@convert.to", "the unit that is wanted"))
                // @if !convert.from
                .phrase("en", "convert|change|turn {@convert.value} to|into|in {@convert.to}")
                .phrase("en", "what|how [much|hot|cold|far|long|heavy] is|are {@convert.value} in {@convert.to}")
                .phrase("en", "how many {@convert.to} is|are|make [there] [in] {@convert.value}")
                .phrase("en", "{@convert.value} in|to {@convert.to}")
                .phrase("de", "was|wie [viel|warm|kalt|weit|lang|schwer] ist|sind {@convert.value} in {@convert.to}")
                .phrase("de", "wie viele {@convert.to} sind|hat|haben {@convert.value}")
                .phrase("de", "rechne|wandle|wandel {@convert.value} in|zu {@convert.to} um")
                .phrase("de", "wieviel|wieviele ist|sind {@convert.value} in {@convert.to}")
                .phrase("de", "rechne|wandle|wandel [mal|bitte] {@convert.value} in|zu {@convert.to} [um]")
                .phrase("de", "{@convert.value} in|zu {@convert.to} [umrechnen|umwandeln]")
                .phrase("de", "wie viel {@convert.to} sind|hat|haben|ist {@convert.value}")
                // @end
                // @if convert.from
                .phrase("en", "convert|change|turn {@convert.value} {@convert.from} to|into|in {@convert.to}")
                .phrase("en", "what|how [much|hot|cold|far|long|heavy] is|are {@convert.value} {@convert.from} in {@convert.to}")
                .phrase("en", "how many {@convert.to} is|are|make [there] [in] {@convert.value} {@convert.from}")
                .phrase("en", "{@convert.value} {@convert.from} in|to {@convert.to}")
                .phrase("de", "was|wie [viel|warm|kalt|weit|lang|schwer] ist|sind {@convert.value} {@convert.from} in {@convert.to}")
                .phrase("de", "wie viele {@convert.to} sind|hat|haben {@convert.value} {@convert.from}")
                .phrase("de", "rechne|wandle|wandel {@convert.value} {@convert.from} in|zu {@convert.to} um")
                .phrase("de", "wieviel|wieviele ist|sind {@convert.value} {@convert.from} in {@convert.to}")
                .phrase("de", "rechne|wandle|wandel [mal|bitte] {@convert.value} {@convert.from} in|zu {@convert.to} [um]")
                .phrase("de", "{@convert.value} {@convert.from} in|zu {@convert.to} [umrechnen|umwandeln]")
                .phrase("de", "wie viel {@convert.to} sind|hat|haben|ist {@convert.value} {@convert.from}")
                // @end
                .example("@example")
                .example("@german_example"),
        )
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            "@convert" => {
                // @if convert.from
                let amount = format!("{} {}", call.text("@convert.value")?, call.text("@convert.from")?);
                // @end
                // @if !convert.from
                let amount = call.text("@convert.value")?;
                // @end
                // A number that is one already has a point before its fraction, in every language.
                let spelled = matches!(call.value("@convert.value"), Some(Value::Text(_)));
                convert(&amount, spelled && german(call), call.text("@convert.to")?, german(call))
            }
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

fn convert(amount: &str, german_number: bool, to: &str, german: bool) -> Answer {
    let (number, unit) = split_amount(amount).ok_or_else(Refusal::not_mine)?;
    let number = Ratio::parse(&number, german_number).ok_or_else(Refusal::not_mine)?;
    // "what is 7 in Roman numerals" is for somebody else.
    let (from, to) = (find(&unit).ok_or_else(Refusal::not_mine)?, find(to).ok_or_else(Refusal::not_mine)?);
    if from.kind != to.kind {
        return Err(Refusal::failed(if german {
            format!("{} und {} messen nicht dasselbe.", from.symbol, to.symbol)
        } else {
            format!("{} and {} do not measure the same thing.", from.symbol, to.symbol)
        }));
    }
    let base = from.to_base(number).ok_or_else(too_large)?;
    if base.top < 0 && from.kind == "temperature" {
        return Err(Refusal::failed(if german {
            "Das liegt unter dem absoluten Nullpunkt."
        } else {
            "That is below absolute zero."
        }));
    }
    let result = to.from_base(base).ok_or_else(too_large)?;
    let said = format!("{} {}", in_words(&number.shown(12).ok_or_else(too_large)?, german), from.symbol);
    let found = format!("{} {}", in_words(&with_sense(result).ok_or_else(too_large)?, german), to.symbol);
    Ok(if german { format!("{} sind {}.", said, found) } else { format!("{} is {}.", said, found) })
}

/// Two places, and more for numbers that are small.
fn with_sense(number: Ratio) -> Option<String> {
    if number.top == 0 {
        return Some("0".to_string());
    }
    let mut places = 2;
    while places < 12 && number.rounded(places)?.checked_abs()? < 100 {
        places += 1;
    }
    number.shown(places)
}

/// Splits `37.5 C`, `minus 40 degrees Celsius` or `100°F` into number and unit.
fn split_amount(text: &str) -> Option<(String, String)> {
    let text = text.trim().replace('\u{2212}', "-");
    let (sign, text) = match text.strip_prefix("minus ") {
        Some(rest) => ("-", rest.trim().to_string()),
        None => ("", text),
    };
    let (one, text) = match text.strip_prefix("a ").or_else(|| text.strip_prefix("an ")).or_else(|| text.strip_prefix("ein ")) {
        Some(rest) => ("1", rest.to_string()),
        None => ("", text),
    };
    let end = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | ','))).unwrap_or(text.len());
    let (number, unit) = (text.get(..end)?, text.get(end..)?);
    if unit.trim().is_empty() || (number.is_empty() && one.is_empty()) {
        return None;
    }
    Some((format!("{}{}{}", sign, one, number), unit.to_string()))
}

/// A unit: its base is `(x + offset) * top / bottom`.
struct Unit {
    kind: &'static str,
    symbol: &'static str,
    names: &'static str,
    offset: (i128, i128),
    factor: (i128, i128),
}

impl Unit {
    fn to_base(&self, number: Ratio) -> Option<Ratio> {
        let offset = Ratio::new(self.offset.0, self.offset.1)?;
        number.plus(offset)?.times(Ratio::new(self.factor.0, self.factor.1)?)
    }

    fn from_base(&self, base: Ratio) -> Option<Ratio> {
        let offset = Ratio::new(self.offset.0, self.offset.1)?;
        base.over(Ratio::new(self.factor.0, self.factor.1)?)?.minus(offset)
    }
}

fn find(name: &str) -> Option<&'static Unit> {
    let name = lower(name);
    let name = name.trim_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '!' | '?'));
    let name = ["degrees ", "degree ", "grad ", "deg ", "°"]
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))
        .unwrap_or(name)
        .trim();
    UNITS.iter().find(|unit| lower(unit.symbol) == name || unit.names.split(", ").any(|known| known == name))
}

const UNITS: &[Unit] = &[
    // @if temperature
    Unit { kind: "temperature", symbol: "°C", names: "c, celsius, centigrade", offset: (27315, 100), factor: (1, 1) },
    Unit { kind: "temperature", symbol: "°F", names: "f, fahrenheit", offset: (45967, 100), factor: (5, 9) },
    Unit { kind: "temperature", symbol: "K", names: "k, kelvin, kelvins", offset: (0, 1), factor: (1, 1) },
    // @end
    // @if length
    Unit { kind: "length", symbol: "mm", names: "millimetre, millimetres, millimeter, millimeters, millimetern", offset: (0, 1), factor: (1, 1000) },
    Unit { kind: "length", symbol: "cm", names: "centimetre, centimetres, centimeter, centimeters, zentimeter, zentimetern", offset: (0, 1), factor: (1, 100) },
    Unit { kind: "length", symbol: "m", names: "metre, metres, meter, meters, metern", offset: (0, 1), factor: (1, 1) },
    Unit { kind: "length", symbol: "km", names: "kilometre, kilometres, kilometer, kilometers, kilometern", offset: (0, 1), factor: (1000, 1) },
    Unit { kind: "length", symbol: "in", names: "inch, inches, zoll, \"", offset: (0, 1), factor: (254, 10000) },
    Unit { kind: "length", symbol: "ft", names: "foot, feet, fuß, fuss, '", offset: (0, 1), factor: (3048, 10000) },
    Unit { kind: "length", symbol: "yd", names: "yard, yards", offset: (0, 1), factor: (9144, 10000) },
    Unit { kind: "length", symbol: "mi", names: "mile, miles, meile, meilen", offset: (0, 1), factor: (1609344, 1000) },
    Unit { kind: "length", symbol: "nmi", names: "nautical mile, nautical miles, seemeile, seemeilen", offset: (0, 1), factor: (1852, 1) },
    // @end
    // @if weight
    Unit { kind: "weight", symbol: "mg", names: "milligram, milligrams, milligramm", offset: (0, 1), factor: (1, 1000) },
    Unit { kind: "weight", symbol: "g", names: "gram, grams, gramm, gramme", offset: (0, 1), factor: (1, 1) },
    Unit { kind: "weight", symbol: "kg", names: "kilo, kilos, kilogram, kilograms, kilogramm", offset: (0, 1), factor: (1000, 1) },
    Unit { kind: "weight", symbol: "t", names: "tonne, tonnes, tonnen, metric tons", offset: (0, 1), factor: (1000000, 1) },
    Unit { kind: "weight", symbol: "oz", names: "ounce, ounces, unze, unzen", offset: (0, 1), factor: (28349523125, 1000000000) },
    Unit { kind: "weight", symbol: "lb", names: "lbs, pound, pounds", offset: (0, 1), factor: (45359237, 100000) },
    Unit { kind: "weight", symbol: "st", names: "stone, stones", offset: (0, 1), factor: (635029318, 100000) },
    // @end
    // @if volume
    Unit { kind: "volume", symbol: "ml", names: "millilitre, millilitres, milliliter, milliliters, millilitern", offset: (0, 1), factor: (1, 1000) },
    Unit { kind: "volume", symbol: "cl", names: "centilitre, centilitres, centiliter, centiliters, zentiliter", offset: (0, 1), factor: (1, 100) },
    Unit { kind: "volume", symbol: "dl", names: "decilitre, decilitres, deciliter, deciliters, deziliter", offset: (0, 1), factor: (1, 10) },
    Unit { kind: "volume", symbol: "l", names: "litre, litres, liter, liters, litern", offset: (0, 1), factor: (1, 1) },
    Unit { kind: "volume", symbol: "US gal", names: "gal, gallon, gallons, us gallon, us gallons, gallone, gallonen", offset: (0, 1), factor: (3785411784, 1000000000) },
    Unit { kind: "volume", symbol: "US pt", names: "pt, pint, pints, us pint, us pints", offset: (0, 1), factor: (473176473, 1000000000) },
    Unit { kind: "volume", symbol: "US cup", names: "cup, cups, us cups, tasse, tassen", offset: (0, 1), factor: (2365882365, 10000000000) },
    Unit { kind: "volume", symbol: "US fl oz", names: "fl oz, fluid ounce, fluid ounces", offset: (0, 1), factor: (295735295625, 10000000000000) },
    Unit { kind: "volume", symbol: "tbsp", names: "tablespoon, tablespoons, el, esslöffel", offset: (0, 1), factor: (15, 1000) },
    Unit { kind: "volume", symbol: "tsp", names: "teaspoon, teaspoons, tl, teelöffel", offset: (0, 1), factor: (5, 1000) },
    // @end
    // @if speed
    Unit { kind: "speed", symbol: "m/s", names: "metres per second, meters per second, meter pro sekunde", offset: (0, 1), factor: (1, 1) },
    Unit { kind: "speed", symbol: "km/h", names: "kmh, kph, kilometres per hour, kilometers per hour, kilometer pro stunde", offset: (0, 1), factor: (10, 36) },
    Unit { kind: "speed", symbol: "mph", names: "miles per hour, meilen pro stunde", offset: (0, 1), factor: (44704, 100000) },
    Unit { kind: "speed", symbol: "kn", names: "knot, knots, knoten", offset: (0, 1), factor: (1852, 3600) },
    // @end
    // @if area
    Unit { kind: "area", symbol: "m²", names: "m2, square metre, square metres, square meter, square meters, quadratmeter", offset: (0, 1), factor: (1, 1) },
    Unit { kind: "area", symbol: "km²", names: "km2, square kilometres, square kilometers, quadratkilometer", offset: (0, 1), factor: (1000000, 1) },
    Unit { kind: "area", symbol: "ha", names: "hectare, hectares, hektar", offset: (0, 1), factor: (10000, 1) },
    Unit { kind: "area", symbol: "ft²", names: "ft2, square foot, square feet, quadratfuß", offset: (0, 1), factor: (9290304, 100000000) },
    Unit { kind: "area", symbol: "ac", names: "acre, acres", offset: (0, 1), factor: (40468564224, 10000000) },
    // @end
    // @if time
    Unit { kind: "time", symbol: "s", names: "sec, second, seconds, sekunde, sekunden", offset: (0, 1), factor: (1, 1) },
    Unit { kind: "time", symbol: "min", names: "minute, minutes, minuten", offset: (0, 1), factor: (60, 1) },
    Unit { kind: "time", symbol: "h", names: "hour, hours, stunde, stunden", offset: (0, 1), factor: (3600, 1) },
    Unit { kind: "time", symbol: "days", names: "day, tag, tage, tagen", offset: (0, 1), factor: (86400, 1) },
    Unit { kind: "time", symbol: "weeks", names: "week, woche, wochen", offset: (0, 1), factor: (604800, 1) },
    // @end
];

// @include ratio plus minus shown
// @include german

const GERMAN: &[&str] = &[
    "sind", "ist", "wie", "viele", "rechne", "wandle", "wandel", "grad",
];
