//! Units of measure: `what is 100 Fahrenheit in Celsius?`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::family::{Example, Family, Fit, Plan, example};
use super::offer::{ToolShape, needed, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "units",
    source: include_str!("skills/units.rs"),
    words: &[
        "convert*",
        "conversion*",
        "umrechn*",
        "rechne*",
        "umwandel*",
        "wandel*",
        "wandle",
        "change",
        "translate",
        "unit*",
        "einheit*",
        "measure*",
        "masse",
        "masseinheit*",
        "temperature*",
        "temperatur*",
        "celsius",
        "fahrenheit",
        "kelvin",
        "degree*",
        "grad",
        "length*",
        "laenge*",
        "distance*",
        "entfernung*",
        "weight*",
        "gewicht*",
        "mass",
        "volume*",
        "volumen",
        "speed*",
        "geschwindigkeit*",
        "area*",
        "flaeche*",
        "time",
        "zeit*",
        "metric",
        "imperial",
        "kilomet*",
        "mile*",
        "meile*",
        "met*",
        "inch*",
        "zoll",
        "feet",
        "foot",
        "yard*",
        "cm",
        "km",
        "kg",
        "lb",
        "lbs",
        "g",
        "kilo*",
        "pound*",
        "ounce*",
        "gram*",
        "stone*",
        "lit*",
        "gallon*",
        "cup*",
        "pint*",
        "number*",
        "value*",
        "common",
        "different",
        "various",
        "back",
        "forth",
        "types",
        "calculat*",
        "system*",
        "amount*",
        "cooking",
        "scale*",
    ],
    most_strangers: 2,
    fit,
};

const TOOLS: &[ToolShape] = &[tool(
    "convert",
    &["convert", "conversion", "umrechn", "temperature", "unit", "to_"],
    &[
        &[
            needed("value", &["amount", "quantity", "input", "expression", "temperature", "measure", "wert"]),
            needed("to", &["target", "unit", "nach", "into", "output"]),
        ],
        &[
            needed("value", &["amount", "quantity", "number", "temperature", "wert", "degrees", "input"]),
            needed("from", &["source", "from_unit", "unit", "von"]),
            needed("to", &["target", "to_unit", "nach", "into"]),
        ],
    ],
)];

const KINDS: &[(&str, &[&str])] = &[
    ("temperature", &["temperature*", "temperatur*", "celsius", "fahrenheit", "kelvin"]),
    (
        "length",
        &[
            "length*",
            "laenge*",
            "distance*",
            "entfernung*",
            "kilomet*",
            "mile*",
            "meile*",
            "meter*",
            "metre*",
            "inch*",
            "zoll",
            "feet",
            "foot",
            "yard*",
            "cm",
            "km",
        ],
    ),
    (
        "weight",
        &[
            "weight*",
            "gewicht*",
            "kg",
            "kilo",
            "kilos",
            "kilogram*",
            "pound*",
            "ounce*",
            "gram*",
            "lbs",
            "stones",
        ],
    ),
    (
        "volume",
        &["volume*", "volumen", "litre*", "liter*", "gallon*", "cup", "cups", "pint*", "cooking measure*"],
    ),
    ("speed", &["speed*", "geschwindigkeit*", "mph", "km h", "knots", "knoten"]),
    ("area", &["area*", "flaeche*", "square*", "hectare*", "hektar", "acre*"]),
    ("time", &["units of time", "time units", "hours", "stunden", "minutes", "minuten", "zeiteinheit*"]),
];

fn fit(wish: &Wish) -> Fit {
    const CONVERT: &[&str] = &[
        "convert*",
        "conversion*",
        "umrechn*",
        "rechne um",
        "rechne*",
        "umwandel*",
        "umzuwandeln",
        "umzurechnen",
        "wandle*",
        "change",
    ];
    const UNITS: &[&str] =
        &["unit", "units", "einheit*", "measurement*", "measures", "masseinheit*", "metric", "imperial"];
    const OTHER: &[&str] = &[
        "currenc*",
        "waehrung*",
        "money",
        "euro*",
        "dollar*",
        "roman*",
        "roemisch*",
        "price*",
        "preis*",
        "time zone*",
        "timezone*",
        "file*",
        "binary",
        "hex*",
    ];
    if !wish.has(CONVERT) || wish.has(OTHER) {
        return Fit::No;
    }
    let named: Vec<&'static str> =
        KINDS.iter().filter(|(_, words)| wish.has(words)).map(|(kind, _)| *kind).collect();
    let kinds = match (named.as_slice(), wish.has(UNITS)) {
        ([], false) => return Fit::No,
        ([], true) => KINDS.iter().map(|(kind, _)| *kind).collect(),
        _ => named,
    };
    let sample = SAMPLES.iter().find(|sample| kinds.contains(&sample.kind));
    Fit::Yes(Plan {
        parameters: format!("units={}", kinds.join("+")),
        tools: TOOLS.to_vec(),
        texts: BTreeMap::from([
            (
                "example",
                sample.map_or(String::new(), |s| format!("what is {} {} in {}?", s.amount, s.from, s.to)),
            ),
            ("german_example", sample.map_or(String::new(), |s| format!("wie viel sind {}?", s.german))),
        ]),
        trials: SAMPLES.iter().filter(|sample| kinds.contains(&sample.kind)).flat_map(trials).collect(),
        switches: BTreeSet::from_iter(kinds),
        ..Plan::default()
    })
}

/// One conversion, and its result by another way of reckoning.
struct Sample {
    kind: &'static str,
    amount: f64,
    from: &'static str,
    to: &'static str,
    /// The same in German.
    german: &'static str,
    result: fn(f64) -> f64,
}

const SAMPLES: &[Sample] = &[
    Sample {
        kind: "temperature",
        amount: 100.0,
        from: "Fahrenheit",
        to: "Celsius",
        german: "100 Fahrenheit in Celsius",
        result: |f| (f - 32.0) * 5.0 / 9.0,
    },
    Sample {
        kind: "temperature",
        amount: -40.0,
        from: "Celsius",
        to: "Fahrenheit",
        german: "-40 Celsius in Fahrenheit",
        result: |c| c * 9.0 / 5.0 + 32.0,
    },
    Sample {
        kind: "temperature",
        amount: 20.0,
        from: "Celsius",
        to: "Fahrenheit",
        german: "20 Celsius in Fahrenheit",
        result: |c| c * 9.0 / 5.0 + 32.0,
    },
    Sample {
        kind: "length",
        amount: 26.2,
        from: "miles",
        to: "km",
        german: "26,2 Meilen in Kilometer",
        result: |mi| mi * 1.609_344,
    },
    Sample {
        kind: "weight",
        amount: 12.0,
        from: "pounds",
        to: "kg",
        german: "12 lb in kg",
        result: |lb| lb * 0.453_592_37,
    },
    Sample {
        kind: "volume",
        amount: 5.0,
        from: "gallons",
        to: "litres",
        german: "5 Gallonen in Liter",
        result: |gal| gal * 3.785_411_784,
    },
    Sample {
        kind: "speed",
        amount: 100.0,
        from: "km/h",
        to: "mph",
        german: "100 km/h in mph",
        result: |kmh| kmh / 1.609_344,
    },
    Sample {
        kind: "area",
        amount: 3.0,
        from: "hectares",
        to: "m²",
        german: "3 Hektar in Quadratmeter",
        result: |ha| ha * 10_000.0,
    },
    Sample {
        kind: "time",
        amount: 90.0,
        from: "minutes",
        to: "hours",
        german: "90 Minuten in Stunden",
        result: |min| min / 60.0,
    },
];

fn trials(sample: &Sample) -> [Example; 2] {
    let rounded = format!("{:.2}", (sample.result)(sample.amount));
    let expect = rounded.trim_end_matches('0').trim_end_matches('.').to_owned();
    let whole = json!(format!("{} {}", sample.amount, sample.from));
    [
        example("convert", &[("value", whole), ("to", json!(sample.to))], expect.clone()),
        example(
            "convert",
            &[
                ("value", json!(sample.amount.to_string())),
                ("from", json!(sample.from)),
                ("to", json!(sample.to)),
            ],
            expect,
        ),
    ]
}
