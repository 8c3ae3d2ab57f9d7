//! Calculations: `what is (2 + 3) * 4.5?`.

use serde_json::json;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, needed, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "calculator",
    source: include_str!("skills/calculator.rs"),
    words: &[
        "calculat*",
        "rechn*",
        "taschenrechner*",
        "berechn*",
        "arithmetic*",
        "math*",
        "mathe*",
        "sum*",
        "add*",
        "subtract*",
        "multipl*",
        "divi*",
        "plus",
        "minus",
        "times",
        "number*",
        "zahl*",
        "compute*",
        "evaluat*",
        "expression*",
        "ausdruck*",
        "ausdruecke*",
        "solve*",
        "basic",
        "operation*",
        "parenthes*",
        "klammer*",
        "pocket",
        "four",
        "problem*",
        "decimal*",
        "exact*",
    ],
    most_strangers: 0,
    fit,
};

const TOOLS: &[ToolShape] = &[tool(
    "calculate",
    &["calc", "eval", "comput", "rechn", "math", "solve"],
    &[&[needed("expression", &["formula", "text", "input", "calculation", "ausdruck", "query"])]],
)];

fn fit(wish: &Wish) -> Fit {
    const CALCULATE: &[&str] = &[
        "calculator*",
        "taschenrechner*",
        "do sums",
        "do arithmetic",
        "arithmetic",
        "basic math*",
        "simple math*",
        "do math*",
        "rechnen",
        "calculate numbers",
        "calculate expression*",
        "calculate sum*",
        "evaluate expression*",
        "arithmetic expression*",
        "math expression*",
        "mathematical expression*",
        "add numbers",
        "multiply numbers",
        "add and *",
        "to calculate",
    ];
    const OTHER: &[&str] = &[
        "quiz*",
        "frag*",
        "tip",
        "tips",
        "trinkgeld*",
        "percent*",
        "prozent*",
        "tax*",
        "steuer*",
        "calorie*",
        "kalorie*",
        "bmi",
        "loan*",
        "mortgage*",
        "interest*",
        "zins*",
        "age",
        "alter",
        "date*",
        "days",
        "price*",
        "preis*",
        "unit*",
        "einheit*",
        "equation*",
        "gleichung*",
        "derivative*",
        "integral*",
        "matri*",
        "statistic*",
        "teach me",
        "graph*",
        "bill*",
        "kopfrechn*",
        "area*",
        "volume*",
        "roman*",
        "distance*",
        "prime*",
        "primzahl*",
        "wahrscheinlich*",
        "probabilit*",
        "logarithm*",
        "sine",
        "cosine",
        "root*",
        "wurzel*",
        "speed",
    ];
    if !wish.has(CALCULATE) || wish.has(OTHER) {
        return Fit::No;
    }
    let calculate = |text: &str, expect: String| example("calculate", &[("expression", json!(text))], expect);
    Fit::Yes(Plan {
        tools: TOOLS.to_vec(),
        trials: vec![
            calculate("(2 + 3) * 4.5", format!("{}", (2.0 + 3.0) * 4.5)),
            calculate("0.1 + 0.2", "0.3".to_owned()),
            calculate("2 ^ 40 - 1", ((1_i64 << 40) - 1).to_string()),
            calculate("1 / 8", "0.125".to_owned()),
        ],
        ..Plan::default()
    })
}
