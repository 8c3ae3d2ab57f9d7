use super::*;

#[test]
fn a_token_is_its_prefix_and_43_signs_that_stand_for_all_of_its_bytes() {
    let mut random = [0xff; 32];
    random[0] = 0xfb;
    let token = token(&random);
    let (prefix, signs) = token.expose().split_at(PREFIX.len());
    // RFC 4648, section 5: `-` and `_` in place of `+` and `/`, and no `=` at the end.
    assert_eq!((prefix, signs), ("tameclaw_", format!("-{}8", "_".repeat(41)).as_str()));
    assert_eq!(URL_SAFE_NO_PAD.decode(signs).unwrap(), random);
}
