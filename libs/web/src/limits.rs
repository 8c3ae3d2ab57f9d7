//! How many requests are looked at: buckets that fill with time. Each caller whose token holds has its own; strangers share one, so
//! that no number of them takes room from a caller who is known. At the log-in each address has a bucket beside the one that all
//! strangers share, and a browser that logged in before is a caller who is known.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::peers::Peer;

/// Requests a second: of one caller who is known, or of all strangers together.
const RATE: f64 = 100.0;
/// The most requests at once after a silence.
const BURST: f64 = 300.0;
/// Requests with an invalid token, a second; a stranger who guesses gets no further.
const STRANGERS: f64 = 2.0;
/// The most such requests at once after a silence.
const FIRST_STRANGERS: f64 = 20.0;
/// Requests of the log-in a second, of one address that is not known yet; beside it, the PIN has limits of its own.
const LOGINS: f64 = 5.0;
/// The most such requests at once after a silence.
const FIRST_LOGINS: f64 = 60.0;
/// Requests of the log-in a second, of all such addresses together.
const ALL_LOGINS: f64 = 100.0;
/// The most such requests at once after a silence.
const FIRST_OF_ALL_LOGINS: f64 = 300.0;
/// Emergency stops a second of one caller, beside the other requests.
const STOPS: f64 = 2.0;
/// The most emergency stops at once after a silence.
const FIRST_STOPS: f64 = 20.0;
/// For how long a token counts as one that holds after it was judged. It has a bucket in that time, and nothing else.
const FRESH: Duration = Duration::from_secs(60);
/// The most callers that have a bucket; the one that was judged least lately makes room.
const MOST_CALLERS: usize = 512;
/// The most addresses that have a bucket; the one that came least lately makes room.
const MOST_PEERS: usize = 1024;
/// The most browsers that are remembered after a log-in, where nothing else remembers them; the oldest makes room.
const MOST_BROWSERS: usize = 64;

/// What a request is, for its bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Any request.
    Usual,
    /// A request of the log-in: its page, or what is typed there. There is room for it where strangers have used theirs up.
    Login,
    /// The emergency stop, for which there is room where the caller's other requests have used theirs up.
    Stop,
}

/// The buckets of a server.
#[derive(Debug)]
pub struct Limits {
    requests: Bucket,
    logins: Bucket,
    strangers: Bucket,
    callers: Mutex<HashMap<u64, Caller>>,
    /// The bucket of each address at the log-in, and when it came last.
    peers: Mutex<HashMap<Option<Peer>, (Instant, Bucket)>>,
    /// The numbers of the browsers that logged in before.
    browsers: Mutex<VecDeque<u64>>,
    /// Makes the number of a token, by a key of this process alone; the token itself is not kept.
    numbers: RandomState,
}

/// The buckets of a caller whose token holds.
#[derive(Debug)]
struct Caller {
    judged: Instant,
    requests: Bucket,
    stops: Bucket,
}

impl Default for Limits {
    fn default() -> Limits {
        let now = Instant::now();
        Limits {
            requests: Bucket::new(RATE, BURST, now),
            logins: Bucket::new(ALL_LOGINS, FIRST_OF_ALL_LOGINS, now),
            strangers: Bucket::new(STRANGERS, FIRST_STRANGERS, now),
            callers: Mutex::default(),
            peers: Mutex::default(),
            browsers: Mutex::default(),
            numbers: RandomState::new(),
        }
    }
}

impl Limits {
    /// Whether a request may be looked at, by the bucket of its caller, or by that of the strangers. At the log-in an address that
    /// has used up its own bucket takes nothing from that of all; at a socket file all come from the same one.
    pub fn take(&self, token: Option<&str>, kind: Kind, peer: Option<Peer>) -> bool {
        let (number, now) = (self.numbers.hash_one(token), Instant::now());
        match (self.callers().get(&number), kind) {
            (Some(caller), Kind::Usual | Kind::Login) => caller.requests.take(now),
            (Some(caller), Kind::Stop) => caller.stops.take(now),
            (None, Kind::Login) => self.of_peer(peer, now) && self.logins.take(now),
            (None, _) => self.requests.take(now),
        }
    }

    /// Whether the bucket of an address has room.
    fn of_peer(&self, peer: Option<Peer>, now: Instant) -> bool {
        let mut peers = self.peers.lock().unwrap_or_else(PoisonError::into_inner);
        if peers.len() >= MOST_PEERS && !peers.contains_key(&peer) {
            let oldest = peers.iter().min_by_key(|(_, (last, _))| *last).map(|(peer, _)| *peer);
            if let Some(oldest) = oldest {
                peers.remove(&oldest);
            }
        }
        let (last, bucket) = peers.entry(peer).or_insert((now, Bucket::new(LOGINS, FIRST_LOGINS, now)));
        *last = now;
        bucket.take(now)
    }

    /// Remembers a browser that logged in, by the value of a cookie that it alone has.
    pub fn remember(&self, browser: &str) {
        let mut browsers = self.browsers();
        browsers.push_back(self.numbers.hash_one(browser));
        if browsers.len() > MOST_BROWSERS {
            browsers.pop_front();
        }
    }

    /// Whether a browser is remembered.
    pub fn remembers(&self, browser: &str) -> bool {
        self.browsers().contains(&self.numbers.hash_one(browser))
    }

    fn browsers(&self) -> MutexGuard<'_, VecDeque<u64>> {
        self.browsers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this caller was judged lately, and has a bucket.
    pub fn knows(&self, token: Option<&str>) -> bool {
        let number = self.numbers.hash_one(token);
        self.callers().get(&number).is_some_and(|caller| caller.judged.elapsed() < FRESH)
    }

    /// Notes whether a caller was found to be known: one who is has a bucket from now on, and one who is not has none.
    pub fn judge(&self, token: Option<&str>, is_known: bool) {
        let (number, now) = (self.numbers.hash_one(token), Instant::now());
        let mut callers = self.callers();
        if !is_known {
            callers.remove(&number);
        } else if let Some(caller) = callers.get_mut(&number) {
            caller.judged = now;
        } else {
            let oldest = callers.iter().min_by_key(|(_, caller)| caller.judged).map(|(number, _)| *number);
            if let Some(oldest) = oldest.filter(|_| callers.len() >= MOST_CALLERS) {
                callers.remove(&oldest);
            }
            let (requests, stops) = (Bucket::new(RATE, BURST, now), Bucket::new(STOPS, FIRST_STOPS, now));
            callers.insert(number, Caller { judged: now, requests, stops });
        }
    }

    fn callers(&self) -> MutexGuard<'_, HashMap<u64, Caller>> {
        self.callers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a request whose token was invalid; whether there is room for a further one.
    pub fn stranger(&self) -> bool {
        self.strangers.take(Instant::now())
    }
}

/// A bucket that fills with time, and from which each request takes one.
#[derive(Debug)]
struct Bucket {
    rate: f64,
    most: f64,
    state: Mutex<(f64, Instant)>,
}

impl Bucket {
    fn new(rate: f64, most: f64, now: Instant) -> Bucket {
        Bucket { rate, most, state: Mutex::new((most, now)) }
    }

    fn take(&self, now: Instant) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (left, last) = *state;
        let left = (left + now.saturating_duration_since(last).as_secs_f64() * self.rate).min(self.most);
        let is_room = left >= 1.0;
        *state = (if is_room { left - 1.0 } else { left }, now);
        is_room
    }
}

#[cfg(test)]
mod tests;
