use std::io::Write;

use age::secrecy::ExposeSecret;
use age::x25519::Identity;

use super::*;

fn sealed(seal: &Seal) -> File {
    let mut output = Output::begin(tempfile::tempfile().unwrap(), seal).unwrap();
    output.write_all(b"a diary").unwrap();
    output.end().unwrap()
}

fn opened(file: &File, key: &Key) -> Result<String, Fault> {
    let mut text = String::new();
    open(file, key)?.read_to_string(&mut text).map_err(Fault::Read)?;
    Ok(text)
}

fn key_of(identity: &Identity) -> Key {
    Key::identities(&Secret::new(format!("# a comment\n{}", identity.to_string().expose_secret()))).unwrap()
}

#[test]
fn each_of_the_public_keys_has_an_identity_that_opens() {
    let (one, two, other) = (Identity::generate(), Identity::generate(), Identity::generate());
    let file = sealed(&Seal::Recipients(vec![one.to_public(), two.to_public()]));
    for identity in [&one, &two] {
        assert_eq!(opened(&file, &key_of(identity)).unwrap(), "a diary");
    }
    assert!(matches!(opened(&file, &key_of(&other)), Err(Fault::Identity)));
    let passphrase = Key::Passphrase(Secret::new("correct horse battery".to_owned()));
    assert!(matches!(opened(&file, &passphrase), Err(Fault::WantsIdentity)));
    assert!(!takes_passphrase(&file).unwrap());
}

#[test]
fn an_identity_does_not_stand_for_a_passphrase() {
    let secret = || Secret::new("correct horse battery".to_owned());
    let file = sealed(&Seal::Passphrase(secret()));
    assert!(takes_passphrase(&file).unwrap());
    assert_eq!(opened(&file, &Key::Passphrase(secret())).unwrap(), "a diary");
    assert!(matches!(opened(&file, &key_of(&Identity::generate())), Err(Fault::WantsPassphrase)));
}

#[test]
fn a_file_without_an_identity_is_refused() {
    for text in ["", "# nothing\n", "correct horse battery\n"] {
        assert!(Key::identities(&Secret::new(text.to_owned())).is_err(), "{text}");
    }
}
