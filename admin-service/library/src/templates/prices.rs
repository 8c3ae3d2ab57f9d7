//! Unit prices: `which is cheaper, 500 g for 2.49 or 750 g for 3.59?`.

use serde_json::json;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, needed, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "unit prices",
    source: include_str!("skills/prices.rs"),
    words: &[
        "unit*",
        "price*",
        "preis*",
        "grundpreis*",
        "einheit*",
        "compar*",
        "vergleich*",
        "cheap*",
        "billig*",
        "guenstig*",
        "offer*",
        "angebot*",
        "better",
        "best",
        "deal*",
        "value*",
        "product*",
        "produkt*",
        "shop*",
        "supermarket*",
        "supermarkt*",
        "einkauf*",
        "pack*",
        "calculat*",
        "berechn*",
        "rechn*",
        "kilo*",
        "litre*",
        "liter*",
        "per",
        "pro",
        "cost*",
        "groceries",
        "grocery",
        "size*",
        "find",
        "different",
        "which",
    ],
    most_strangers: 2,
    fit,
};

const TOOLS: &[ToolShape] = &[tool(
    "compare",
    &["compar", "cheap", "price", "deal", "vergleich", "preis", "offer"],
    &[&[needed("offers", &["items", "text", "products", "options", "angebote", "query"])]],
)];

fn fit(wish: &Wish) -> Fit {
    const PRICE: &[&str] = &[
        "price",
        "prices",
        "preis*",
        "grundpreis*",
        "offers",
        "angebot*",
        "deals",
        "better deal",
        "cost*",
        "cheap*",
        "guenstig*",
        "billig*",
    ];
    const COMPARE: &[&str] = &[
        "unit price*",
        "unit",
        "per kilo*",
        "per unit",
        "compar*",
        "vergleich*",
        "cheaper",
        "cheapest",
        "billiger*",
        "guenstiger*",
        "grundpreis*",
        "better deal",
        "best deal",
        "best value",
    ];
    const OTHER: &[&str] = &[
        "house*",
        "rent",
        "stock*",
        "aktien*",
        "crypto*",
        "bitcoin",
        "flight*",
        "hotel*",
        "fuel",
        "gas price*",
        "benzin*",
        "online",
    ];
    if !wish.has_all(&[PRICE, COMPARE]) || wish.has(OTHER) {
        return Fit::No;
    }
    let per_kilo = |grams: f64, price: f64| format!("{:.2}", price / grams * 1000.0);
    let compare = |text: &str, expect: String| example("compare", &[("offers", json!(text))], expect);
    Fit::Yes(Plan {
        tools: TOOLS.to_vec(),
        trials: vec![
            compare("500 g for 2.49 or 750 g for 3.59", "750 g for 3.59 is cheaper".to_owned()),
            compare("500 g for 2.49 or 750 g for 3.59", per_kilo(500.0, 2.49)),
            compare("500 g for 2.49 or 750 g for 3.59", per_kilo(750.0, 3.59)),
            compare(
                "1.5 l for 0.99, 6 x 330 ml for 2.40 or 0,5 l for 0,45",
                "1.5 l for 0.99 is cheaper".to_owned(),
            ),
            compare("6 eggs for $1.80 or 10 eggs for $2.90", format!("${:.2}", 2.90 / 10.0)),
        ],
        ..Plan::default()
    })
}
