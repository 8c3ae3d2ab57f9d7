use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use rcgen::{CertificateParams, KeyPair, date_time_ymd};

use super::*;

/// A certificate that ends on this day, and its key.
fn made(end: (i32, u8, u8)) -> (String, String) {
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(["door.example".to_owned()]).unwrap();
    params.not_before = date_time_ymd(2020, 1, 1);
    params.not_after = date_time_ymd(end.0, end.1, end.2);
    (params.self_signed(&key).unwrap().pem(), key.serialize_pem())
}

fn files(folder: &Path, certificate: &str, key: &str) -> Files {
    let files = Files { certificate: folder.join("a.crt"), key: folder.join("a.key") };
    fs::write(&files.certificate, certificate).unwrap();
    fs::write(&files.key, key).unwrap();
    fs::set_permissions(&files.key, fs::Permissions::from_mode(0o640)).unwrap();
    files
}

#[test]
fn a_pair_crosses_to_another_process_and_has_a_fingerprint_as_browsers_show_it() {
    let folder = tempfile::tempdir().unwrap();
    let (certificate, key) = made((2049, 12, 31));
    let pair = Pair::read(&files(folder.path(), &certificate, &key)).unwrap();
    let packed = pair.packed();
    let config = unpacked(&packed).unwrap();
    assert_eq!(config.alpn_protocols, [b"http/1.1".to_vec()]);
    assert!(unpacked(&packed[..packed.len() - 100]).is_none() && unpacked(&[]).is_none());
    let shown = pair.certificate().fingerprint();
    assert_eq!((shown.len(), shown.matches(':').count()), (95, 31), "{shown}");
    assert_eq!(shown.replace(':', "").to_lowercase(), pair.certificate().digest().to_string());
}

#[test]
fn one_file_may_hold_both_and_what_everybody_may_know_crosses_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (certificate, key) = made((2049, 12, 31));
    let both = files(folder.path(), &certificate, &format!("{certificate}{key}")).key;
    let pair = Pair::read(&Files { certificate: both.clone(), key: both.clone() }).unwrap();
    assert!(unpacked(&pair.packed()).is_some());
    let shown = Certificate::of_der(pair.certificate().der()).unwrap();
    assert_eq!((shown.digest(), shown.ends), (pair.certificate().digest(), pair.certificate().ends));
    assert!(Certificate::of_der(key.as_bytes()).is_none() && Certificate::of_der(&[]).is_none());
    fs::set_permissions(&both, fs::Permissions::from_mode(0o644)).unwrap();
    let open = Pair::read(&Files { certificate: both.clone(), key: both });
    assert!(matches!(open, Err(Fault::TooOpen { .. })));
}

#[test]
fn what_does_not_fit_or_is_open_to_others_is_refused_with_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let (certificate, key) = made((2049, 12, 31));
    let (_, other) = made((2049, 12, 31));
    let read =
        |certificate: &str, key: &str| Pair::read(&files(folder.path(), certificate, key)).err().unwrap();
    assert!(matches!(read(&certificate, &other), Fault::Misfit { .. }));
    assert!(matches!(read(&certificate, &certificate), Fault::NoKey(_)));
    assert!(matches!(read(&key, &key), Fault::NoCertificate(_)));
    assert!(matches!(read("", &key), Fault::NoCertificate(_)));
    assert!(matches!(read(&"x".repeat(70_000), &key), Fault::NotAFile(_)));
    let files = files(folder.path(), &certificate, &key);
    for mode in [0o644, 0o604, 0o660, 0o602] {
        fs::set_permissions(&files.key, fs::Permissions::from_mode(mode)).unwrap();
        let fault = Pair::read(&files).err().unwrap();
        assert!(
            fault.to_string().contains(&format!("{mode:04o}")) && fault.next().contains("chmod"),
            "{fault}"
        );
    }
    fs::remove_file(&files.key).unwrap();
    assert!(matches!(Pair::read(&files), Err(Fault::Unread { .. })));
    assert!(matches!(Certificate::read(folder.path()), Err(Fault::NotAFile(_))));
}

#[test]
fn an_end_is_read_in_both_spellings_and_warned_of_from_30_days_before() {
    let folder = tempfile::tempdir().unwrap();
    for (end, day) in
        [((2049, 12, 31), "2049-12-31"), ((2050, 2, 1), "2050-02-01"), ((2021, 3, 4), "2021-03-04")]
    {
        let (certificate, key) = made(end);
        let files = files(folder.path(), &certificate, &key);
        let certificate = Certificate::read(&files.certificate).unwrap();
        assert_eq!(certificate.last_day(), day);
        let at = |hours: i64| certificate.ends + SignedDuration::from_hours(hours);
        assert_eq!(certificate.term(at(-31 * 24)), Term::Long);
        assert_eq!(certificate.term(at(-30 * 24 + 1)), Term::Soon(29));
        assert_eq!(certificate.term(at(-1)), Term::Soon(0));
        assert_eq!(certificate.term(at(1)), Term::Over);
        assert!(certificate.warning(at(-31 * 24)).is_none());
        assert!(certificate.warning(at(1)).is_some_and(|warning| warning.contains(day)));
    }
}

#[test]
fn bytes_that_are_no_certificate_are_none() {
    let (certificate, _) = made((2049, 12, 31));
    let der = CertificateDer::from_pem_slice(certificate.as_bytes()).unwrap();
    assert!(der::ends(&der).is_some());
    for length in 0..160 {
        assert_eq!(der::ends(&der[..length]), None);
    }
    assert_eq!(der::ends(&[0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]), None);
}
