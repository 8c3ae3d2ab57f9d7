//! Who does the errands in `data/`: a child that is started when it is needed, or one that root started before it became the
//! owner of the home.

use std::cell::RefCell;
use std::io::Write;
use std::path::{Path, PathBuf};

use base::error::Error;
use base::home::Home;
use base::layout::{self, Bot, HomeOwner, Users};
use confine::{Child, Piped, Tier, User};
use nix::unistd::geteuid;
use shared_types::id::ProfileId;

use super::orders::{GO, GO_UNCONFINED, Job, Orders, VERB};
use crate::TRIES;

/// What is to be done in `data/`.
#[derive(Debug, Clone, Copy)]
pub enum Errand<'a> {
    /// A backup, with logins where they are wanted.
    Backup {
        /// Whether they are.
        logins: bool,
    },
    Restore,
    /// An erasure of this profile.
    Erase(&'a ProfileId),
}

/// Why an errand is not done.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("the home at {} belongs to the bot's user `{bot}`: give it to a user of the service's own", .home.display())]
    HomeOfBot { home: PathBuf, bot: String },
    #[error(
        "the configuration names `{bot}` as the bot's user, and root acts only as the one user in whose own group `{owner}` is: \
         put it into that group by `usermod -aG`, and into no other user's own group"
    )]
    OtherBot { bot: String, owner: String },
    #[error(
        "the files below `data/` belong to `{bot}`, and only root may act as that user: run this as root"
    )]
    NeedsRoot { bot: String },
    #[error("root started no further child for this: run it again")]
    NoChild,
}

/// The children.
#[derive(Debug, Default)]
pub struct Hands {
    /// The bot's user, whom those are that root started.
    bot: Option<u32>,
    waiting: RefCell<Vec<(Job, Piped)>>,
}

impl Hands {
    /// As root, starts what the errand needs as the bot's user, and then becomes the owner of the home for good. Where there is
    /// no owner to become, children are started when they are needed.
    ///
    /// # Errors
    /// A child that cannot be started, or an owner whom the process cannot become.
    pub fn of(home: &Home, owner: Option<&HomeOwner>, errand: Errand<'_>) -> Result<Hands, Error> {
        let Some(owner) = owner else { return Ok(Hands::default()) };
        let mut waiting = vec![];
        if let Some(bot) = owner.bot() {
            for job in errand.jobs() {
                let child = spawn(home, Some((bot.uid(), bot.gid())), true, job.clone())?;
                waiting.push((job, child));
            }
        }
        owner.become_for_good()?;
        let bot = owner.bot().map(User::uid);
        // Read as the owner: what the configuration says must be what root found.
        match Bot::recorded(home)? {
            Some(named) if named.uid == geteuid().as_raw() => {
                Err(Error::refused(Fault::HomeOfBot { home: home.root().to_owned(), bot: named.name }))
            }
            Some(named) if Some(named.uid) != bot => {
                Err(Error::refused(Fault::OtherBot { bot: named.name, owner: owner.name().to_owned() }))
            }
            _ => Ok(Hands { bot, waiting: RefCell::new(waiting) }),
        }
    }

    /// Whether these are the bot's user, who is another than that of this process.
    pub(super) fn are_the_bots(&self, users: &Users) -> bool {
        users.bot.as_ref().is_some_and(|bot| self.bot == Some(bot.uid))
    }

    /// Whether all of the bot's files are read: as the bot's user, or where both users are one.
    ///
    /// # Errors
    /// A configuration that cannot be read, or a user that this system does not know.
    pub fn read_all(&self, home: &Home) -> Result<bool, Error> {
        let (users, own) = (Users::of(home)?, geteuid());
        let is_one = |bot: &Bot| own.is_root() || own.as_raw() == bot.uid;
        Ok(users.bot.as_ref().is_none_or(is_one) || self.are_the_bots(&users))
    }

    /// Whether the bot's files can be written or removed.
    ///
    /// # Errors
    /// They cannot: only root can become the bot's user.
    pub fn may_write(&self, home: &Home) -> Result<(), Error> {
        match Users::of(home)?.bot {
            Some(bot) if !self.read_all(home)? => Err(Error::refused(Fault::NeedsRoot { bot: bot.name })),
            _ => Ok(()),
        }
    }

    /// Starts a child, or has one begin that root started.
    pub(super) fn start(&self, home: &Home, job: Job) -> Result<Piped, Error> {
        let users = Users::of(home)?;
        let mut child = if self.are_the_bots(&users) {
            self.waiting(&job)?
        } else {
            if job.writes() {
                self.may_write(home)?;
            }
            let bot = users.bot.filter(|_| geteuid().is_root());
            spawn(home, bot.map(|bot| (bot.uid, bot.gid)), false, job)?
        };
        let word = match layout::least_isolation(home)? {
            Tier::Degraded => GO_UNCONFINED,
            _ => GO,
        };
        if let Some(stdin) = &mut child.stdin {
            // One that has ended says why itself.
            let _ = stdin.write_all(&[word]);
        }
        Ok(child)
    }

    fn waiting(&self, job: &Job) -> Result<Piped, Error> {
        let mut waiting = self.waiting.borrow_mut();
        let at = waiting.iter().position(|(found, _)| found == job);
        let found = at.map(|at| waiting.remove(at).1);
        found.ok_or_else(|| Error::failed(Fault::NoChild))
    }
}

impl Errand<'_> {
    fn jobs(self) -> Vec<Job> {
        match self {
            Errand::Backup { logins } => (0..TRIES).map(|_| Job::Gather { logins }).collect(),
            Errand::Restore => vec![Job::Survey, Job::Folders, Job::Put],
            Errand::Erase(profile) => vec![Job::Survey, Job::Erase { profile: profile.clone() }],
        }
    }
}

fn spawn(home: &Home, user: Option<(u32, u32)>, waits: bool, job: Job) -> Result<Piped, Error> {
    let orders = serde_json::to_vec(&Orders { data: home.data().unguarded_path(), user, waits, job })?;
    Child::new(Path::new("/proc/self/exe"))
        .args(["child", VERB])
        .orders(orders)
        .piped()
        .map_err(Error::step("starting a child"))
}
