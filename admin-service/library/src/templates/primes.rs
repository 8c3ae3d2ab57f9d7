//! Primes: `is 97 prime?`, `factor 360`, `gcd of 84 and 36`.

use serde_json::json;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, needed, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "primes",
    source: include_str!("skills/primes.rs"),
    words: &[
        "prime*",
        "primzahl*",
        "primfaktor*",
        "factor*",
        "faktor*",
        "divisor*",
        "teiler*",
        "greatest",
        "common",
        "groesst*",
        "gemeinsam*",
        "gcd",
        "ggt",
        "lcm",
        "kgv",
        "least",
        "multiple*",
        "vielfach*",
        "number*",
        "zahl*",
        "check*",
        "pruef*",
        "test*",
        "find*",
        "zerleg*",
        "whether",
        "integer*",
        "numbers",
        "kleinst*",
    ],
    most_strangers: 2,
    fit,
};

const PRIME: ToolShape = tool(
    "prime",
    &["prime", "is_prime", "check", "primzahl"],
    &[&[needed("number", &["n", "value", "x", "integer", "zahl"])]],
);
const FACTORS: ToolShape = tool(
    "factors",
    &["factor", "faktor", "decompos", "zerleg"],
    &[&[needed("number", &["n", "value", "x", "integer", "zahl"])]],
);
const DIVISOR: ToolShape = tool("divisor", &["gcd", "ggt", "divisor", "greatest", "teiler"], &[PAIR]);
const MULTIPLE: ToolShape = tool("multiple", &["lcm", "kgv", "multiple", "least", "vielfach"], &[PAIR]);
const PAIR: &[super::offer::ParamShape] = &[
    needed("a", &["first", "x", "m", "num1", "number1"]),
    needed("b", &["second", "y", "n", "num2", "number2"]),
];

fn fit(wish: &Wish) -> Fit {
    const PRIMES: &[&str] = &["prime", "primes", "primzahl*", "prime number*"];
    const FACTOR: &[&str] = &["factor*", "primfaktor*", "faktorisier*", "prime factor*"];
    const GCD: &[&str] = &[
        "gcd",
        "ggt",
        "greatest common*",
        "groesste* gemeinsame*",
        "groesster gemeinsam*",
        "groessten gemeinsam*",
    ];
    const LCM: &[&str] = &[
        "lcm",
        "kgv",
        "least common*",
        "kleinste* gemeinsame*",
        "kleinstes gemeinsam*",
        "kleinste gemeinsam*",
    ];
    const OTHER: &[&str] = &[
        "list*",
        "all prime*",
        "minister*",
        "video",
        "amazon",
        "delivery",
        "factory",
        "factories",
        "two factor",
        "risk*",
        "polynom*",
        "rsa",
        "next prime*",
        "denominator*",
        "nenner",
        "sum*",
        "add*",
    ];
    let mut tools = vec![];
    if wish.has(FACTOR) {
        tools.push(FACTORS);
    }
    if wish.has(PRIMES) {
        tools.insert(0, PRIME);
    }
    if wish.has(GCD) {
        tools.push(DIVISOR);
    }
    if wish.has(LCM) {
        tools.push(MULTIPLE);
    }
    if tools.is_empty() || wish.has(OTHER) {
        return Fit::No;
    }
    let pair = [("a", json!(84)), ("b", json!(36))];
    Fit::Yes(Plan {
        parameters: tools.iter().map(|tool| tool.key).collect::<Vec<_>>().join("+"),
        tools,
        trials: vec![
            example("prime", &[("number", json!(97))], "97 is a prime").german("97 ist eine Primzahl"),
            example("prime", &[("number", json!(91))], (7).to_string()),
            example("factors", &[("number", json!(360))], "2^3 × 3^2 × 5"),
            example("divisor", &pair, "12"),
            example("multiple", &pair, (84 / 12 * 36).to_string()),
        ],
        ..Plan::default()
    })
}
