use super::super::request::token;
use super::*;

/// Every reference of the description leads to a schema that is there.
#[test]
fn every_reference_of_the_description_leads_somewhere() {
    fn walk(value: &Value, whole: &Value, seen: &mut usize) {
        match value {
            Value::Object(fields) => {
                if let Some(Value::String(to)) = fields.get("$ref") {
                    let to = to.strip_prefix('#').unwrap();
                    assert!(whole.pointer(to).is_some(), "{to}");
                    *seen += 1;
                }
                fields.values().for_each(|value| walk(value, whole, seen));
            }
            Value::Array(values) => values.iter().for_each(|value| walk(value, whole, seen)),
            _ => {}
        }
    }
    let (described, mut seen) = (described(), 0);
    walk(&described, &described, &mut seen);
    assert!(seen > 10, "{seen}");
}

/// A token is what stands behind `Bearer`, and nothing else.
#[test]
fn a_token_is_a_bearers() {
    let of = |text: &str| {
        let mut headers = HeaderMap::new();
        headers.insert(header::AUTHORIZATION, text.parse().unwrap());
        token(&headers)
    };
    assert_eq!(of("Bearer abc").as_deref(), Some("abc"));
    assert_eq!(of("bearer  abc ").as_deref(), Some("abc"));
    assert_eq!((of("Basic abc"), of("abc"), token(&HeaderMap::new())), (None, None, None));
}
