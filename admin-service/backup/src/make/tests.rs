use super::*;

#[test]
fn a_profiles_file_loses_its_pin_and_nothing_else() {
    let plain = "# for whom\naudience: adult\n";
    assert_eq!(without_pin(plain).as_deref(), Some(plain));
    let locked = "audience: child\nlanguage: de\nopen:\n  users: [anna]\n  pin: \"$argon2id$v=19$m=1,t=1,p=1$c2FsdA$aGFzaA\"\n";
    let text = without_pin(locked).unwrap();
    assert!(!text.contains("argon2id") && text.contains("anna") && text.contains("child"), "{text}");
    assert_eq!(without_pin("open: [\n"), None);
}
