//! The regions whose help lines are shipped.

/// The regions by their codes: countries, and `eu` for the rest of Europe.
pub const REGIONS: [&str; 10] = ["de", "at", "ch", "gb", "ie", "us", "ca", "au", "nz", "eu"];

/// The locale that systems have before anybody chose one; it does not say where its user lives.
const PRESET: &str = "en_US";

/// The region of a locale such as `de_AT.UTF-8`, where the locale tells it.
pub fn of_locale(locale: &str) -> Option<&'static str> {
    let name = locale.split(['.', '@']).next()?;
    let (_, country) = name.split_once('_').filter(|_| name != PRESET)?;
    REGIONS.into_iter().find(|region| country.eq_ignore_ascii_case(region))
}

#[cfg(test)]
mod tests;
