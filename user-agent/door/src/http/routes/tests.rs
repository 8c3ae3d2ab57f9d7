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
    let (described, mut seen) = (json!(described()), 0);
    walk(&described, &described, &mut seen);
    assert!(seen > 10, "{seen}");
}

/// Everything that is JSON has a schema of its own: `true` would say nothing to a client.
#[test]
fn every_body_and_answer_of_the_description_has_a_type() {
    let described = json!(described());
    let mut bodies = 0;
    for operation in
        described["paths"].as_object().unwrap().values().flat_map(|path| path.as_object().unwrap().values())
    {
        let places = ["/requestBody/content/application~1json", "/responses/200/content/application~1json"];
        for content in places.iter().filter_map(|place| operation.pointer(place)) {
            assert!(content["schema"]["$ref"].is_string(), "{operation}");
            bodies += 1;
        }
    }
    assert!(bodies > 14, "only {bodies} were found");
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
