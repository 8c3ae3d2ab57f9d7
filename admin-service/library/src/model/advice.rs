//! What helps with the errors that models make most: the way of `std` or the SDK, by what a message says.

use ledger::attempt::{Check, Objection};

/// Words that a message must all contain, and what to do then.
const ERRORS: &[(&[&str], &str)] = &[
    (
        &["{integer}", "f64"],
        "- A whole number beside an `f64` is written `2.0`; an integer variable becomes one by `n as f64`.",
    ),
    (
        &["cannot", "`f64`", "`i64`"],
        "- Numbers of two types do not mix: turn the integer into `f64` by `n as f64` first.",
    ),
    (
        &["Vec<String>", "&str"],
        "- `&str` becomes `String` by `.to_string()`: `text.split(' ').map(|w| w.to_string()).collect::<Vec<String>>()`.",
    ),
    (
        &["mismatched types", "`String`"],
        "- `&str` and numbers become `String` by `.to_string()` or `format!`.",
    ),
    (
        &["mismatched types", "`usize`"],
        "- `len()` and indices are `usize`: convert by `n as usize` or `n as i64`.",
    ),
    (
        &["mismatched types", "`()`"],
        "- The last line of a function is its value: no `;` after it, and a value in each branch.",
    ),
    (
        &["moved value"],
        "- A value that was moved is gone: pass `&value`, or `value.clone()` where it is used first.",
    ),
    (
        &["cannot borrow"],
        "- Finish with one borrow before the next: take what you need into a variable by `.clone()` or as a number.",
    ),
    (&["cannot add `&str` to `&str`"], "- Texts are joined by `format!(\"{a}{b}\")`."),
    (&["does not live long enough"], "- Return an owned `String` instead of a reference."),
    (&["missing lifetime"], "- Return an owned `String` instead of a reference."),
    (&["no method named"], "- That method is not in Rust 1.63: use a loop, or another method of `std`."),
    (
        &["cannot find"],
        "- Define each name that you use within the block, or use the arguments by the names of the signature.",
    ),
    (
        &["cannot index into", "str"],
        "- A text has no index: `text.chars().nth(i)`, or `let letters: Vec<char> = text.chars().collect()`.",
    ),
    (
        &["cannot be indexed by"],
        "- A text or list is indexed by `usize`: `letters[i as usize]`, after its bounds are checked.",
    ),
    (
        &["`?` operator can only be used on `Result`s, not `Option`s"],
        "- An `Option` becomes a `Result` before `?`: `value.ok_or(\"why not\")?`; a date does by `text.parse::<Date>()?`.",
    ),
    (&["couldn't convert the error"], "- Before `?` an error becomes text: `.map_err(|e| e.to_string())?`."),
];

/// Crates that are not there, and what is there instead.
const CRATES: &[(&[&str], &str)] = &[
    (
        &["regex"],
        "- There is no crate `regex`: use `find`, `split`, `strip_prefix`, or a loop over `text.chars()`.",
    ),
    (
        &["chrono", "time", "jiff"],
        "- There is no crate for dates: use the SDK's `text.parse::<Date>()?`, `date.weekday()`, `date.days_until(other)`, \
         `date.plus_days(n)`, `Date::is_leap(year)`, `host::today()` and `host::now()`.",
    ),
    (
        &["rand", "fastrand"],
        "- There is no crate `rand`: use the SDK's `host::random_between(low, high)` or `host::pick(&items)`.",
    ),
    (
        &["serde", "serde_json"],
        "- There is no crate `serde`: use the SDK's `json::parse(text)` and `value.get(\"key\")`.",
    ),
    (
        &["reqwest", "ureq", "hyper"],
        "- There is no crate for HTTP: use the SDK's `http::get(url, &[])`, if the wish grants it.",
    ),
    (&["itertools"], "- There is no crate `itertools`: use loops and the methods of `Iterator`."),
    (
        &["num_format", "thousands", "separator", "rust_decimal"],
        "- There is no crate for formatting numbers: use the SDK's `fixed(number, decimals)` and `grouped(number, \",\")`.",
    ),
    (
        &["num", "num_bigint", "bigdecimal"],
        "- There is no crate for large numbers: use `i128`, `u128` or `f64`.",
    ),
    (
        &["lazy_static", "once_cell"],
        "- There are no global tables made at run time: use a `const` array or a `match`.",
    ),
    (
        &["base64", "hex", "data_encoding"],
        "- There is no crate for base64 or hex: call the SDK's `base64::encode(text)`, `base64::decode(text)? -> Vec<u8>`, and \
         the same in `hex`, by these names and without `use`.",
    ),
    (&["anyhow", "thiserror"], "- There is no crate for errors: return `Err` with a text."),
    (
        &["unicode_segmentation"],
        "- There is no crate for letters and words: use `text.chars()`, and the SDK's `words(text)`.",
    ),
];

/// What helps with every objection of this check.
pub(super) fn of_check(check: &Check) -> Option<&'static str> {
    Some(match check {
        Check::Scan => {
            "- scan: a rule of the file was broken; do without what is quoted, in the way that the message names."
        }
        Check::Scaffold => {
            "- scaffold: write the function with the signature that is named, in one block of ```rust."
        }
        Check::Compile { .. } => {
            "- compile: the compiler is Rust 1.63. Lines are counted in the file as it is printed without comments; the quoted \
             line is what counts. Correct the first error first."
        }
        Check::Imports => {
            "- imports: drop the host calls that need these tokens; the wish does not grant them."
        }
        Check::Describe => {
            "- describe: offer the tools and events that the wish names, under exactly these names."
        }
        Check::Module => "- module: make it smaller and simpler, and do nothing at length in `describe`.",
        Check::Trial { .. } => {
            "- trial: the tool was called with these arguments, and its answer lacked the expected text. Correct the computation \
             or the wording in general; never answer this one example from a fixed text. Some examples are tried that you are \
             not shown: they have the form of those in the wish."
        }
        Check::Composition | Check::Other => return None,
    })
}

/// The advice that fits these objections, each once.
pub(super) fn of(objections: &[Objection]) -> Vec<&'static str> {
    let errors = ERRORS.iter().filter(|(words, _)| {
        objections.iter().any(|o| {
            matches!(o.check(), Check::Compile { .. }) && words.iter().all(|word| o.text().contains(word))
        })
    });
    let names = |objection: &Objection, name: &str| {
        let word = |c: char| !(c.is_alphanumeric() || c == '_');
        let mut words = objection.text().split(word);
        words.any(|word| word == name)
    };
    let is_foreign = |o: &&Objection| {
        let unknown = ["unresolved import", "undeclared crate", "unlinked crate", "maybe a missing crate"];
        *o.check() == Check::Scan || unknown.iter().any(|words| o.text().contains(words))
    };
    let crates = CRATES.iter().filter(|(all, _)| {
        objections.iter().filter(is_foreign).any(|o| all.iter().any(|name| names(o, name)))
    });
    errors.chain(crates).map(|(_, advice)| *advice).take(MOST).collect()
}

/// More than this is not read.
const MOST: usize = 6;
