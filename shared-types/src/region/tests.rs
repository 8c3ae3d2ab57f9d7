use super::*;

#[test]
fn a_locale_tells_its_country_where_somebody_chose_it() {
    for (locale, region) in [
        ("de_AT.UTF-8", Some("at")),
        ("de_CH", Some("ch")),
        ("en_GB.utf8@euro", Some("gb")),
        ("en_US.UTF-8", None),
        ("es_US.UTF-8", Some("us")),
        ("fr_FR.UTF-8", None),
        ("C.UTF-8", None),
        ("de", None),
        ("", None),
    ] {
        assert_eq!(of_locale(locale), region, "{locale}");
    }
}
