//! How fast files are looked at: a bucket for each user of the system, and one for each profile.

use std::collections::BTreeMap;
use std::time::Instant;

use base::config::{Flood, Rate};
use shared_types::id::ProfileId;

/// The buckets of all who have written a proposal; on the monotonic clock, so that nobody refills them by the date.
#[derive(Debug, Default)]
pub struct Buckets {
    users: BTreeMap<u32, Bucket>,
    profiles: BTreeMap<ProfileId, Bucket>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: f64,
    at: Instant,
}

impl Buckets {
    /// Takes one token of a user and of a profile; nothing is taken when either has none.
    #[must_use]
    pub fn take(&mut self, rates: &Flood, user: u32, profile: &ProfileId, now: Instant) -> bool {
        let of_user = self.users.entry(user).or_insert_with(|| Bucket::full(&rates.user, now));
        of_user.fill(&rates.user, now);
        let of_profile = match self.profiles.get_mut(profile) {
            Some(bucket) => bucket,
            None => self.profiles.entry(profile.clone()).or_insert(Bucket::full(&rates.profile, now)),
        };
        of_profile.fill(&rates.profile, now);
        if of_user.left < 1.0 || of_profile.left < 1.0 {
            return false;
        }
        of_user.left -= 1.0;
        of_profile.left -= 1.0;
        true
    }
}

impl Bucket {
    fn full(rate: &Rate, now: Instant) -> Bucket {
        Bucket { left: f64::from(rate.burst), at: now }
    }

    fn fill(&mut self, rate: &Rate, now: Instant) {
        let minutes = now.saturating_duration_since(self.at).as_secs_f64() / 60.0;
        self.left = (self.left + minutes * f64::from(rate.per_minute)).min(f64::from(rate.burst));
        self.at = now;
    }
}

#[cfg(test)]
mod tests;
