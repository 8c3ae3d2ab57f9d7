//! What the journal knows of schedules: what was seen to, what ran, which text is pinned.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use shared_types::exit;
use shared_types::id::{Digest, ProfileId, WorkflowName};
use shared_types::scheduled::{DIGEST, MOST, Over};

use crate::digests::{Counts, Digests};

/// What the journal tells of a schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "told", rename_all = "kebab-case")]
pub enum ScheduleEvent {
    /// The schedule was seen for the first time, or with other times; times before that are ignored.
    Known {
        /// The expression and the zone.
        times: String,
    },
    /// A run begins. Its time is done, regardless of the result.
    Begun {
        /// For which time, in RFC 3339; that of the wish, where a person asked for the run.
        #[serde(with = "moment")]
        due: Timestamp,
        /// Whether a person asked for it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_hand: bool,
    },
    /// A run is over.
    Ended {
        /// For which time.
        #[serde(with = "moment")]
        due: Timestamp,
        /// The exit code; none where it was ended, or could not begin.
        exit: Option<u8>,
        /// What it said last, safe to show.
        words: String,
        /// Whether it said more before that.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        cut: bool,
        /// Whose conversation it was; records of earlier versions do not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        profile: Option<ProfileId>,
    },
    /// Times at which nothing ran.
    Missed {
        /// How many.
        count: usize,
        #[serde(with = "moment")]
        first: Timestamp,
        #[serde(with = "moment")]
        last: Timestamp,
    },
    /// A time came and nothing runs until a person has done something.
    Held {
        /// Which time.
        #[serde(with = "moment")]
        due: Timestamp,
        /// Why, with the next step.
        why: String,
    },
    /// A person has seen the text of the workflow and said yes to it.
    Pinned {
        /// Its digest.
        sha256: Digest,
    },
    /// From now on the weeks of a profile are counted.
    DigestBegins { profile: ProfileId },
    /// They are counted no longer.
    DigestEnds { profile: ProfileId },
    /// A week is over.
    DigestMade {
        /// Whose.
        profile: ProfileId,
        /// Up to when it was counted.
        #[serde(with = "moment")]
        until: Timestamp,
        /// What it came to.
        counts: Counts,
    },
}

/// A moment in RFC 3339.
mod moment {
    use jiff::Timestamp;
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(moment: &Timestamp, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(moment)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Timestamp, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}

/// Where one schedule stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScheduleState {
    /// The times that were seen to, up to and with this one.
    pub base: Option<Timestamp>,
    /// The expression and the zone as they were.
    pub times: String,
    /// The run that began and has not ended.
    pub runs: Option<Timestamp>,
    /// The last run: for which time, and what came of it.
    pub last: Option<(Timestamp, Option<u8>, String)>,
    /// Whose the last runs were, and the last [`MOST`] of them.
    pub over: Option<(ProfileId, Vec<Over>)>,
    /// Why nothing runs at present.
    pub held: Option<String>,
    /// What was missed last: how many, and the last of them.
    pub missed: Option<(usize, Timestamp)>,
    /// The text that may run.
    pub pinned: Option<Digest>,
}

impl ScheduleState {
    fn seen_to(&mut self, time: Timestamp) {
        self.base = Some(self.base.map_or(time, |base| base.max(time)));
    }

    /// Adds a run that has ended. The runs of another profile are dropped.
    fn is_over(&mut self, profile: &ProfileId, mut over: Over) {
        let mut runs = match self.over.take() {
            Some((whose, runs)) if whose == *profile => runs,
            _ => vec![],
        };
        over.number = runs.last().map_or(1, |last| last.number + 1);
        runs.push(over);
        if runs.len() > MOST {
            runs.remove(0);
        }
        self.over = Some((profile.clone(), runs));
    }
}

/// Where all schedules stand, and the digests of weeks.
#[derive(Debug, Clone, Default)]
pub struct Schedules {
    standings: BTreeMap<WorkflowName, ScheduleState>,
    digests: BTreeMap<ProfileId, Digests>,
}

impl Schedules {
    /// Lets the state follow a record.
    pub fn follow(&mut self, at: &str, name: &WorkflowName, told: &ScheduleEvent) {
        self.follow_digests(at.parse().ok(), told);
        if name.as_str() == DIGEST {
            return;
        }
        let standing = self.standings.entry(name.clone()).or_default();
        match told {
            ScheduleEvent::Known { times } => {
                standing.base = at.parse().ok();
                standing.times.clone_from(times);
            }
            ScheduleEvent::Begun { due, by_hand } => {
                if !by_hand {
                    standing.seen_to(*due);
                }
                standing.runs = Some(*due);
                standing.held = None;
            }
            ScheduleEvent::Ended { due, exit, words, cut, profile } => {
                standing.runs = None;
                standing.last = Some((*due, *exit, words.clone()));
                if let Some(profile) = profile {
                    let (schedule, at, words) = (name.clone(), at.to_owned(), words.clone());
                    let over = Over { schedule, number: 1, at, exit: *exit, words, cut: *cut };
                    standing.is_over(profile, over);
                }
            }
            ScheduleEvent::Missed { count, last, .. } => {
                standing.seen_to(*last);
                standing.missed = Some((*count, *last));
                standing.held = None;
            }
            ScheduleEvent::Held { due, why } => {
                standing.seen_to(*due);
                standing.held = Some(why.clone());
            }
            ScheduleEvent::Pinned { sha256 } => {
                standing.pinned = Some(sha256.clone());
                standing.held = None;
            }
            ScheduleEvent::DigestBegins { .. }
            | ScheduleEvent::DigestEnds { .. }
            | ScheduleEvent::DigestMade { .. } => {}
        }
    }

    fn follow_digests(&mut self, at: Option<Timestamp>, told: &ScheduleEvent) {
        match told {
            ScheduleEvent::DigestBegins { profile } => self.of_profile(profile).begin(at),
            ScheduleEvent::DigestEnds { profile } => self.of_profile(profile).begin(None),
            ScheduleEvent::DigestMade { profile, until, counts } => {
                self.of_profile(profile).made(at.unwrap_or(*until), *until, *counts);
            }
            ScheduleEvent::Ended { profile: Some(profile), exit, .. } => {
                if let Some(digests) = self.digests.get_mut(profile) {
                    digests.run(!matches!(*exit, Some(exit::DONE | exit::WAITS)));
                }
            }
            _ => {}
        }
    }

    /// The last runs of each schedule whose person is this profile's, and of none that another profile took over.
    pub fn over<'a>(&'a self, profile: &'a ProfileId) -> impl Iterator<Item = &'a Over> {
        let theirs =
            move |standing: &'a ScheduleState| standing.over.as_ref().filter(|(whose, _)| whose == profile);
        self.standings.values().filter_map(theirs).flat_map(|(_, runs)| runs)
    }

    /// The last run of each schedule, and whose it was.
    pub fn last_over(&self) -> impl Iterator<Item = (&ProfileId, &Over)> {
        self.standings.values().filter_map(|standing| {
            let (whose, runs) = standing.over.as_ref()?;
            Some((whose, runs.last()?))
        })
    }

    fn of_profile(&mut self, profile: &ProfileId) -> &mut Digests {
        self.digests.entry(profile.clone()).or_default()
    }

    /// The digests of a profile's weeks.
    pub fn digests(&self, profile: &ProfileId) -> Digests {
        self.digests.get(profile).cloned().unwrap_or_default()
    }

    /// The digests of each profile's weeks.
    pub fn all_digests(&self) -> impl Iterator<Item = (&ProfileId, &Digests)> {
        self.digests.iter()
    }

    /// Forgets the digests of a profile that was erased.
    pub(crate) fn forget_digests(&mut self, profile: &ProfileId) {
        self.digests.remove(profile);
    }

    /// Where one stands.
    pub fn of(&self, name: &WorkflowName) -> ScheduleState {
        self.standings.get(name).cloned().unwrap_or_default()
    }
}
