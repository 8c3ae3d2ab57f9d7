use std::string::ToString;
use std::vec;

use super::*;

fn reason<T: fmt::Debug>(result: Result<T, Refusal>) -> String {
    result.unwrap_err().reason().unwrap().to_string()
}

#[test]
fn text_is_trimmed_and_numbers_read_as_text() {
    let call = Call::new("t").with("a", "  hi ").with("b", 4).with("c", 2.5).with("d", true).with("e", " ");
    assert_eq!(call.text("a"), Ok("hi"));
    assert_eq!(call.text("b"), Ok("4"));
    assert_eq!(call.text("c"), Ok("2.5"));
    assert_eq!(call.text("d"), Ok("true"));
    assert_eq!(call.opt_text("e"), Ok(None));
    assert_eq!(reason(call.text("e")), "`e` is missing");
}

#[test]
fn whole_numbers_come_from_text_and_from_fractions_without_loss_only() {
    let call =
        Call::new("t").with("a", " 4 ").with("b", 4.0).with("c", 4.5).with("d", "four").with("e", 1e300);
    assert_eq!(call.int("a"), Ok(4));
    assert_eq!(call.int("b"), Ok(4));
    assert_eq!(reason(call.int("c")), "`c` should be a whole number");
    assert_eq!(reason(call.int("d")), "`d` should be a whole number");
    assert_eq!(reason(call.int("e")), "`e` should be a whole number");
    assert_eq!(Call::new("t").with("a", i64::MAX).int("a"), Ok(i64::MAX));
}

#[test]
fn numbers_take_a_decimal_comma_but_no_ambiguous_one() {
    let call =
        Call::new("t").with("a", "2,49").with("b", 3).with("c", "1,000").with("d", "1,2,3").with("e", "inf");
    assert_eq!(call.number("a"), Ok(2.49));
    assert_eq!(call.number("b"), Ok(3.0));
    for name in ["c", "d", "e"] {
        assert_eq!(reason(call.number(name)), format!("`{name}` should be a number"));
    }
    assert_eq!(Call::new("t").with("a", i64::MAX).number("a").map_err(|r| r.reason().is_some()), Err(true));
}

#[test]
fn a_missing_or_null_argument_is_missing() {
    let call = Call::new("t").with("a", Value::Null);
    for name in ["a", "b"] {
        assert_eq!(call.opt_text(name), Ok(None));
        assert_eq!(call.opt_int(name), Ok(None));
        assert_eq!(call.opt_number(name), Ok(None));
        assert_eq!(call.opt_date(name), Ok(None));
        assert_eq!(call.flag(name), Ok(false));
        assert_eq!(call.texts(name), Ok(vec![]));
        assert_eq!(reason(call.int(name)), format!("`{name}` is missing"));
    }
}

#[test]
fn flags_lists_and_dates_come_from_words_too() {
    let call = Call::new("t")
        .with("flag", "Yes")
        .with("odd", "perhaps")
        .with("list", "milk, eggs,,")
        .with("items", Value::list([1, 2]))
        .with("maps", Value::list([Value::Null]))
        .with("day", "24.12.2030");
    assert_eq!(call.flag("flag"), Ok(true));
    assert_eq!(reason(call.flag("odd")), "`odd` should be yes or no");
    assert_eq!(call.texts("list").unwrap(), ["milk", "eggs"]);
    assert_eq!(call.texts("items").unwrap(), ["1", "2"]);
    assert_eq!(reason(call.texts("maps")), "`maps` should be a list of texts");
    assert_eq!(call.date("day").unwrap().to_string(), "2030-12-24");
    assert_eq!(reason(call.date("list")), "`list` should be a date such as 2030-01-31");
}

#[test]
fn a_call_is_read_from_its_message() {
    let message = Value::map([
        ("op", "call_tool".into()),
        ("tool", "roll".into()),
        ("args", Value::map([("dice", "2d6".into())])),
        ("text", "roll 2d6".into()),
    ]);
    let call = Call::from_message(message).unwrap();
    assert_eq!((call.tool(), call.line(), call.text("dice").unwrap()), ("roll", "roll 2d6", "2d6"));
    assert!(Call::from_message(Value::map([("args", 3.into()), ("tool", "t".into())])).is_none());
    assert!(Call::from_message(Value::Null).is_none());
}

#[test]
fn anything_printable_becomes_a_refusal() {
    fn parse(text: &str) -> Result<i64, Refusal> {
        Ok(text.parse::<i64>()?)
    }
    fn say_no() -> Answer {
        Err("no")?
    }
    assert!(parse("x").is_err());
    assert_eq!(say_no().unwrap_err().reason(), Some("no"));
    assert_eq!(Refusal::not_mine().reason(), None);
}
