//! Primes, factors, common divisors and multiples.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT)
            // @if prime
            .tool(
                Tool::new("@prime", "Tells whether a number is a prime")
                    .param(Param::int("@prime.number", "the number, up to 10000000000"))
                    .phrase("en", "is {@prime.number} [a] prime [number]")
                    .phrase("en", "check whether|if {@prime.number} is [a] prime [number]")
                    .phrase("de", "ist {@prime.number} eine primzahl")
                    .phrase("de", "ist {@prime.number} prim")
                    .phrase("de", "ist die [zahl] {@prime.number} [eine] primzahl|prim")
                    .phrase("de", "prüfe|prüf [mal|bitte] ob [die] [zahl] {@prime.number} [eine] primzahl|prim ist")
                    .phrase("de", "{@prime.number} [eine] primzahl|prim")
                    .phrase("en", "{@prime.number} [a] prime")
                    .example("is 97 a prime number?")
                    .example("ist 97 eine Primzahl?"),
            )
            // @end
            // @if factors
            .tool(
                Tool::new("@factors", "Writes a number as a product of primes")
                    .param(Param::int("@factors.number", "the number, up to 10000000000"))
                    .phrase("en", "factor|factorize|factorise {@factors.number}")
                    .phrase("en", "what are the [prime] factors of {@factors.number}")
                    .phrase("en", "[prime] factors of {@factors.number}")
                    .phrase("de", "zerlege {@factors.number} in primfaktoren|faktoren")
                    .phrase("de", "was sind die primfaktoren von {@factors.number}")
                    .phrase("de", "primfaktoren von {@factors.number}")
                    .example("factor 360")
                    .example("was sind die Primfaktoren von 360?"),
            )
            // @end
            // @if divisor
            .tool(
                Tool::new("@divisor", "The greatest common divisor of two numbers")
                    .param(Param::int("@divisor.a", "the first number"))
                    .param(Param::int("@divisor.b", "the second number"))
                    .phrase("en", "[what is the] gcd of {@divisor.a} and {@divisor.b}")
                    .phrase("en", "[what is the] greatest common divisor|factor of {@divisor.a} and {@divisor.b}")
                    .phrase("de", "[was ist der] ggt von {@divisor.a} und {@divisor.b}")
                    .phrase("de", "[was ist der] größte|größter gemeinsame|gemeinsamer teiler von {@divisor.a} und {@divisor.b}")
                    .example("gcd of 84 and 36")
                    .example("was ist der ggT von 84 und 36?"),
            )
            // @end
            // @if multiple
            .tool(
                Tool::new("@multiple", "The least common multiple of two numbers")
                    .param(Param::int("@multiple.a", "the first number"))
                    .param(Param::int("@multiple.b", "the second number"))
                    .phrase("en", "[what is the] lcm of {@multiple.a} and {@multiple.b}")
                    .phrase("en", "[what is the] least|lowest common multiple of {@multiple.a} and {@multiple.b}")
                    .phrase("de", "[was ist das] kgv von {@multiple.a} und {@multiple.b}")
                    .phrase("de", "[was ist das] kleinste|kleinstes gemeinsame|gemeinsames vielfache|vielfaches von {@multiple.a} und {@multiple.b}")
                    .example("lcm of 4 and 6")
                    .example("was ist das kgV von 4 und 6?"),
            )
            // @end
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        let german = german(call);
        match call.tool() {
            // @if prime
            "@prime" => prime(within(call.int("@prime.number")?, german)?, german),
            // @end
            // @if factors
            "@factors" => product(within(call.int("@factors.number")?, german)?, german),
            // @end
            // @if divisor
            "@divisor" => {
                let (a, b) = (within(call.int("@divisor.a")?, german)?, within(call.int("@divisor.b")?, german)?);
                Ok(common(a, b, common_divisor(a, b), if german { "größte gemeinsame Teiler" } else { "greatest common divisor" }, german))
            }
            // @end
            // @if multiple
            "@multiple" => {
                let (a, b) = (within(call.int("@multiple.a")?, german)?, within(call.int("@multiple.b")?, german)?);
                let multiple = (a / common_divisor(a, b)).checked_mul(b).ok_or("The numbers are too large for me.")?;
                Ok(common(a, b, multiple, if german { "kleinste gemeinsame Vielfache" } else { "least common multiple" }, german))
            }
            // @end
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

const MOST: i64 = 10_000_000_000;

fn within(number: i64, german: bool) -> Result<i64, Refusal> {
    if (1..=MOST).contains(&number) {
        return Ok(number);
    }
    Err(Refusal::failed(if german {
        format!("Ich rechne mit ganzen Zahlen von 1 bis {}.", MOST)
    } else {
        format!("I work with whole numbers from 1 to {}.", MOST)
    }))
}

// @if prime|factors
/// The prime factors with their powers, the smallest first.
fn factors(number: i64) -> Vec<(i64, u32)> {
    let mut found = Vec::new();
    let (mut rest, mut factor) = (number, 2);
    while factor * factor <= rest {
        let mut power = 0;
        while rest % factor == 0 {
            rest /= factor;
            power += 1;
        }
        if power > 0 {
            found.push((factor, power));
        }
        factor += if factor == 2 { 1 } else { 2 };
    }
    if rest > 1 {
        found.push((rest, 1));
    }
    found
}
// @end

// @if prime
fn prime(number: i64, german: bool) -> Answer {
    let first = factors(number).first().map_or(1, |(factor, _)| *factor);
    Ok(match (number == 1, first == number, german) {
        (true, _, false) => "1 is not a prime: a prime has exactly two divisors.".to_string(),
        (true, _, true) => "1 ist keine Primzahl: eine Primzahl hat genau zwei Teiler.".to_string(),
        (_, true, false) => format!("{} is a prime number.", number),
        (_, true, true) => format!("{} ist eine Primzahl.", number),
        (_, false, false) => format!("{} is not a prime number: it is {} × {}.", number, first, number / first),
        (_, false, true) => format!("{} ist keine Primzahl: es ist {} × {}.", number, first, number / first),
    })
}
// @end

// @if factors
fn product(number: i64, german: bool) -> Answer {
    let parts: Vec<String> = factors(number)
        .iter()
        .map(|(factor, power)| if *power == 1 { factor.to_string() } else { format!("{}^{}", factor, power) })
        .collect();
    let is = if german { "ist" } else { "is" };
    if parts.is_empty() {
        return Ok(format!("1 {} 1.", is));
    }
    Ok(format!("{} {} {}.", number, is, parts.join(" × ")))
}
// @end

// @if divisor|multiple
fn common_divisor(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn common(a: i64, b: i64, found: i64, what: &str, german: bool) -> String {
    if german {
        let article = if what.ends_with("Teiler") { "Der" } else { "Das" };
        format!("{} {} von {} und {} ist {}.", article, what, a, b, found)
    } else {
        format!("The {} of {} and {} is {}.", what, a, b, found)
    }
}
// @end

// @include german

const GERMAN: &[&str] = &[
    "ist", "eine", "primzahl", "zerlege", "primfaktoren", "faktoren", "ggt", "kgv", "teiler", "vielfache", "vielfaches", "und",
];
