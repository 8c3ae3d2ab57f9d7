//! A certificate that is made for the door of a profile. It signs itself: clients compare its fingerprint.

use std::net::SocketAddr;
use std::path::PathBuf;

use base::error::Error;
use base::folders::{READABLE, READABLE_FILE, make_folder};
use base::home::Home;
use documents::profile_file::DoorTls;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use rcgen::{
    CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, KeyPair, KeyUsagePurpose,
    date_time_ymd,
};
use shared_types::id::ProfileId;
use zeroize::Zeroizing;

/// For how many days it is valid. Browsers take at most 825.
const DAYS: i32 = 800;

/// The names of a certificate for the door: its names, its address where it is one, and `localhost`.
pub(super) fn names(address: SocketAddr, hosts: &[String]) -> Vec<String> {
    let address = Some(address.ip()).filter(|ip| !ip.is_unspecified()).map(|ip| ip.to_string());
    let hosts = hosts.iter().map(|host| host.trim_matches(['[', ']']).to_owned());
    let mut names: Vec<String> = hosts.chain(address).chain(["localhost".to_owned()]).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Where the certificate of a profile's door is made, as the profile's file names it: one file holds it and its key, so that both
/// are replaced at once.
pub(super) fn place(home: &Home, profile: &ProfileId) -> DoorTls {
    let file = home.made_certificate(profile);
    let file = file.strip_prefix(home.root()).map_or(file.clone(), PathBuf::from);
    DoorTls { certificate: file.clone(), key: file }
}

/// Puts a certificate and its key where the bot's user reads, in a folder that neither `mind` nor `net` can open.
pub(super) fn put(home: &Home, profile: &ProfileId, (certificate, key): &Made) -> Result<(), Error> {
    make_folder(&home.certificates(), READABLE)?;
    let path = home.made_certificate(profile);
    let both = Zeroizing::new([certificate.as_bytes(), key.as_bytes()].concat());
    durable::replace(&path, &both, READABLE_FILE).map_err(Error::io(&path))
}

/// Makes a certificate for these names that is valid from now on.
pub(super) fn make(names: &[String]) -> Result<Made, rcgen::Error> {
    pair(names, Timestamp::now().to_zoned(TimeZone::UTC).date())
}

/// A certificate and its key, in PEM.
pub(super) type Made = (String, Zeroizing<String>);

/// A certificate that is valid from the day before on, and its key (ECDSA, P-256), in PEM.
fn pair(names: &[String], today: Date) -> Result<Made, rcgen::Error> {
    let moment = |date: Date| date_time_ymd(date.year().into(), date.month() as u8, date.day() as u8);
    let begins = today - 1.day();
    let mut params = CertificateParams::new(names)?;
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, "TameClaw door");
    params.not_before = moment(begins);
    params.not_after = moment(begins + DAYS.days());
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let key = KeyPair::generate()?;
    let certificate = params.self_signed(&key)?;
    Ok((certificate.pem(), Zeroizing::new(key.serialize_pem())))
}

#[cfg(test)]
mod tests;
