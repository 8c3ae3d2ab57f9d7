use super::*;

#[test]
fn later_lines_replace_and_forget_earlier_ones() {
    let records = [
        json!({"id": "1", "text": "my dog is Rex"}),
        json!({"id": "2", "text": "I like tea"}),
        json!({"id": "3", "text": "my dog is Max", "replaces": "1"}),
        json!({"forgets": "2"}),
    ];
    let texts: Vec<String> = facts_of(&records).into_iter().map(|f| f.text).collect();
    assert_eq!(texts, ["my dog is Max"]);
}

#[test]
fn a_fact_says_what_it_is_about_only_in_the_form_my_x_is_y() {
    assert_eq!(subject("My favourite colour is green").as_deref(), Some("favourite colour"));
    assert_eq!(subject("mein Hund heißt Rex").as_deref(), Some("hund"));
    assert_eq!(subject("I like tea"), None);
    assert_eq!(subject("my is x"), None);
    assert_eq!(subject("the sky is blue"), None);
}
