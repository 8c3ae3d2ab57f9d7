//! `weekly_digest:`, whose weeks are counted for the approver.

use jiff::tz::TimeZone;
use shared_types::audience::Audience;
use shared_types::id::ProfileId;
use shared_types::settings::Section;

use crate::config::times::Times;
use crate::home::Home;
use crate::profiles;

/// Whose weeks are counted, and when.
#[derive(Debug, Clone)]
pub struct WeeklyDigest {
    pub profiles: Vec<ProfileId>,
    /// When a week is over.
    pub times: Times,
}

/// Why the weeks of a profile are not counted.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    /// No profile has that name.
    #[error("there is no profile `{0}`; `cl-admin profile list` shows them")]
    Missing(ProfileId),
    /// An adult's week is private.
    #[error(
        "`{profile}` is a profile of audience {audience}, and a weekly digest is made for child and teen alone: take it out of the list"
    )]
    NotMinor {
        profile: ProfileId,
        /// For whom it is.
        audience: Audience,
    },
    /// Its file has faults.
    #[error("the file of the profile `{0}` has faults: `cl-bot config validate` names them")]
    Faults(ProfileId),
}

/// Whether the weeks of a profile may be counted, as its file says now; answers the language that it always speaks.
///
/// # Errors
/// Why not.
pub fn check(home: &Home, profile: &ProfileId) -> Result<Option<String>, Unfit> {
    if !home.profile_file(profile).is_file() {
        return Err(Unfit::Missing(profile.clone()));
    }
    match profiles::read(home, profile) {
        Ok(settings) if settings.audience.is_minor() => Ok(settings.language),
        Ok(settings) => Err(Unfit::NotMinor { profile: profile.clone(), audience: settings.audience }),
        Err(_) => Err(Unfit::Faults(profile.clone())),
    }
}

impl WeeklyDigest {
    /// Every profile of the list whose weeks may not be counted, and why.
    pub fn unfit(&self, home: &Home) -> Vec<Unfit> {
        self.profiles.iter().filter_map(|profile| check(home, profile).err()).collect()
    }
}

/// Reads the section; nothing where it names nobody.
pub(super) fn read(top: &mut Section) -> Option<WeeklyDigest> {
    let mut below = top.section("weekly_digest");
    let mut profiles: Vec<ProfileId> = vec![];
    for name in below.texts("profiles") {
        match name.parse() {
            Ok(profile) if profiles.contains(&profile) => {}
            Ok(profile) => profiles.push(profile),
            Err(e) => below.fault("profiles", format!("{e}")),
        }
    }
    let time = below.text("time").unwrap_or_default();
    let day = DAYS.iter().position(|day| *day == below.word("day")).unwrap_or_default();
    let times = clock(&time).and_then(|(hour, minute)| Times::weekly(day, hour, minute, TimeZone::system()));
    if times.is_none() {
        below.fault("time", "allowed: \"HH:MM\" from 00:00 to 23:59");
    }
    top.close(below);
    (!profiles.is_empty()).then_some(WeeklyDigest { profiles, times: times? })
}

/// The days as the expressions of times number them.
const DAYS: [&str; 7] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

fn clock(text: &str) -> Option<(u8, u8)> {
    let (hour, minute) = text.split_once(':')?;
    let is_number = |part: &str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
    let (hour, minute): (u8, u8) =
        (is_number(hour) && is_number(minute)).then(|| hour.parse().ok().zip(minute.parse().ok()))??;
    (hour < 24 && minute < 60).then_some((hour, minute))
}
