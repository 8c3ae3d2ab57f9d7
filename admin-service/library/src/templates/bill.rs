//! Bills: `split 84.60 between 4 with 10% tip`.

use serde_json::json;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, needed, optional, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "bill",
    source: include_str!("skills/bill.rs"),
    words: &[
        "split*",
        "divid*",
        "share",
        "sharing",
        "teil*",
        "aufteil*",
        "aufzuteilen",
        "bill*",
        "rechnung*",
        "restaurant*",
        "check",
        "cost*",
        "kosten",
        "expense*",
        "tip",
        "tips",
        "trinkgeld*",
        "friend*",
        "freund*",
        "group*",
        "evenly",
        "equally",
        "fair*",
        "amount*",
        "betrag",
        "calculat*",
        "berechn*",
        "several",
        "mehrere*",
        "leute*",
        "person*",
        "dinner",
        "percent*",
        "prozent*",
        "money",
        "geld",
        "total",
    ],
    most_strangers: 2,
    fit,
};

const TOOLS: &[ToolShape] = &[tool(
    "split",
    &["split", "bill", "divide", "share", "teil", "tip", "rechnung"],
    &[&[
        needed("amount", &["total", "bill", "sum", "betrag", "cost", "price", "bill_amount"]),
        needed(
            "people",
            &["persons", "count", "number", "ways", "n", "personen", "among", "diners", "guests"],
        ),
        optional("tip", &["tip_percent", "percent", "percentage", "trinkgeld", "gratuity"]),
    ]],
)];

fn fit(wish: &Wish) -> Fit {
    const SPLIT: &[&str] = &[
        "split*",
        "divid*",
        "share",
        "sharing",
        "teile*",
        "teilen",
        "aufteil*",
        "aufzuteilen",
        "tip",
        "tips",
        "trinkgeld*",
    ];
    const BILL: &[&str] = &[
        "bill",
        "bills",
        "rechnung*",
        "restaurant*",
        "cost*",
        "kosten",
        "expense*",
        "tip",
        "tips",
        "trinkgeld*",
    ];
    const OTHER: &[&str] =
        &["tax*", "steuer*", "wood", "text*", "file*", "tips on", "tips for", "tips about"];
    if !wish.has_all(&[SPLIT, BILL]) || wish.has(OTHER) {
        return Fit::No;
    }
    let split = |cents: i64, people: i64, tip: i64| {
        // The examples reckon in cents and whole percent, where nothing is rounded.
        let total = cents + cents * tip / 100;
        let each = total / people;
        let args = [
            ("amount", json!(format!("{}.{:02}", cents / 100, cents % 100))),
            ("people", json!(people)),
            ("tip", json!(tip)),
        ];
        example("split", &args, format!("{}.{:02}", each / 100, each % 100))
    };
    let mut without_tip = split(9_000, 4, 0);
    without_tip.args.truncate(2);
    Fit::Yes(Plan {
        tools: TOOLS.to_vec(),
        trials: vec![split(8_460, 4, 10), split(10_000, 3, 15), without_tip],
        ..Plan::default()
    })
}
