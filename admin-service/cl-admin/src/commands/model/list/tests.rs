use super::*;

#[test]
fn the_list_is_sorted_pinned_and_has_an_address_for_each() {
    let all = Model::all().unwrap();
    assert!(all.len() > 3 && all.is_sorted_by(|a, b| a.bytes < b.bytes));
    for model in &all {
        let address = model.address().unwrap();
        assert!(address.tls() && address.host() == "huggingface.co", "{address}");
        assert_eq!(model.revision.len(), 40, "{}", model.name);
        assert_eq!(Model::find(&model.name).unwrap().as_ref(), Some(model));
    }
}

#[test]
fn a_name_leads_to_no_other_folder() {
    for name in ["qwen3-4b", "a", "my_model.v2"] {
        assert!(name.parse::<ModelName>().is_ok(), "{name}");
    }
    let long = "a".repeat(61);
    for name in ["", "..", ".hidden", "a/b", "A", "a b", "-x", &long] {
        assert!(name.parse::<ModelName>().is_err(), "{name}");
    }
}

#[test]
fn the_estimate_of_memory_grows_with_the_file() {
    assert_eq!(memory(0), 512 << 20);
    assert_eq!(memory(1000 << 20), 1712 << 20);
}
