use super::*;

#[test]
fn a_certificate_names_what_the_door_is_called_each_once() {
    let hosts = ["companion.lan".to_owned(), "localhost".to_owned(), "[fd00::1]".to_owned()];
    let names_of = |address: &str| names(address.parse().unwrap(), &hosts);
    assert_eq!(names_of("192.168.1.5:8787"), ["192.168.1.5", "companion.lan", "fd00::1", "localhost"]);
    // Nobody calls the address that stands for all.
    assert_eq!(names_of("0.0.0.0:8787"), ["companion.lan", "fd00::1", "localhost"]);
    assert_eq!(names_of("[::]:8787"), ["companion.lan", "fd00::1", "localhost"]);
}

#[test]
fn a_certificate_is_of_no_longer_use_than_browsers_take() {
    let (certificate, key) = pair(&["localhost".to_owned()], Date::constant(2028, 2, 29)).unwrap();
    assert!(key.starts_with("-----BEGIN PRIVATE KEY-----"), "a key in PEM");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.crt");
    std::fs::write(&file, certificate).unwrap();
    let certificate = certificates::Certificate::read(&file).unwrap();
    assert_eq!(certificate.last_day(), "2030-05-08");
}
