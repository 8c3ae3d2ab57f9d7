//! How much `data/` holds: beyond the limit the bot is stopped, until there is room again.

pub mod chats;
mod walk;

use std::time::{Duration, Instant};

use base::config::{Config, DataLimit};
use base::error::Error;
use beneath::Folder;
use ledger::Store;
use nix::sys::statvfs::fstatvfs;
use walk::Walk;

use base::home::Home;
use base::log::Event;

pub use walk::Usage;

/// The most entries that are counted in one pass.
const STEP: usize = 20_000;
/// At least so long passes between the end of one count and the beginning of the next.
const PAUSE: Duration = Duration::from_secs(10);
/// After a count, the next one waits this many times as long as it took.
const SPARING: u32 = 50;
/// What was not too much is counted again after so long, though the disk holds exactly what it held.
const AT_REST: Duration = Duration::from_secs(60);

/// What a count began with; a later one would come to the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Ground {
    limit: DataLimit,
    /// Free blocks and inodes of the disk.
    free: (u64, u64),
}

impl Ground {
    fn of(data: &Folder, limit: DataLimit) -> Option<Ground> {
        let disk = fstatvfs(data).ok()?;
        Some(Ground { limit, free: (disk.blocks_free(), disk.files_free()) })
    }
}

/// What is counted, and when again.
#[derive(Debug, Default)]
pub struct Room {
    walk: Option<Walk>,
    next: Option<Instant>,
    spent: Duration,
    ground: Option<Ground>,
    /// When a count came to something that is not too much, and what it began with.
    fine: Option<(Instant, Ground)>,
}

impl Room {
    /// Continues counting when it is time to; answers whether there is more to count right now.
    ///
    /// # Errors
    /// `config/halt` cannot be written or taken away.
    pub fn pass(&mut self, store: &Store, config: &Config) -> Result<bool, Error> {
        let start = Instant::now();
        if self.walk.is_none() && self.next.is_some_and(|next| start < next) {
            return Ok(false);
        }
        let limit = &config.data_limit;
        let walk = match &mut self.walk {
            Some(walk) => walk,
            None => {
                let data = store.home.data().folder()?;
                self.ground = data.as_ref().and_then(|data| Ground::of(data, *limit));
                let is_same =
                    |(when, ground): (Instant, Ground)| self.ground == Some(ground) && start < when + AT_REST;
                if self.fine.is_some_and(is_same) {
                    self.next = Some(start + PAUSE);
                    return Ok(false);
                }
                self.walk.insert(Walk::over(data))
            }
        };
        let done = walk.step(STEP);
        let usage = walk.usage();
        self.spent += start.elapsed();
        // Too much is too much, however much more there is.
        let over = usage.is_over(limit);
        if !done && !over {
            return Ok(true);
        }
        self.walk = None;
        self.next = Some(Instant::now() + PAUSE.max(self.spent * SPARING));
        self.spent = Duration::ZERO;
        self.fine = self.ground.filter(|_| usage.leaves_room(limit)).map(|ground| (start, ground));
        if over {
            halt(store, &usage, limit)?;
        } else if usage.leaves_room(limit) {
            go_on(store)?;
        }
        Ok(false)
    }
}

/// The most entries that are counted at once for somebody who asks.
const MOST: usize = 500_000;

/// What `data/` holds now, and whether all of it was counted.
///
/// # Errors
/// `data/` cannot be opened.
pub fn usage(home: &Home) -> Result<(Usage, bool), Error> {
    let mut walk = Walk::over(home.data().folder()?);
    let whole = walk.step(MOST);
    Ok((walk.usage(), whole && walk.usage().closed == 0))
}

fn halt(store: &Store, usage: &Usage, limit: &DataLimit) -> Result<(), Error> {
    let path = store.home.halt();
    if !path.exists() {
        let text = format!(
            "{usage}, and the limit is {} MB in {} files.\n\
             Take something out of it, or raise `data_limit` in admin/admin.yaml: {}. \
             Once less than nine tenths of the limit is used, the service lets the chat start again.\n",
            limit.bytes >> 20,
            limit.files,
            store.home.data()
        );
        durable::replace(&path, text.as_bytes(), base::folders::READABLE_FILE).map_err(Error::io(&path))?;
        store.tell(&Event::BotStopped {}, &format!("the bot is stopped: {text}"));
    }
    chats::end(&store.home, &|line| store.tell(&Event::ChatEnded {}, line));
    Ok(())
}

fn go_on(store: &Store) -> Result<(), Error> {
    let path = store.home.halt();
    match std::fs::remove_file(&path) {
        Ok(()) => {
            store.tell(&Event::BotMayStart {}, "there is room in data/ again: the bot may start");
            Ok(())
        }
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(Error::io(&path)(e)),
    }
}
