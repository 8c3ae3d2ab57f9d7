//! The lowest layer of the admin service: a home, its paths, keys and configuration, and what can go wrong. It uses no other
//! layer.
//!
//! - [`home`]: the paths of a home; what is below `data/` is opened by its rules alone
//! - [`folders`]: makes folders of a home, with their modes
//! - [`package`]: the files of a proposal and of an installed version
//! - [`profiles`]: the configured profiles
//! - [`layout`]: who owns each folder of a home, and who reads it
//! - [`scratch`]: the folders that programs of others write: bounded, tidied, removed
//! - [`version`]: the version that a home carries
//! - [`config`]: `admin.yaml`, every fault in one pass
//! - [`backups`]: what is known of the home's backups
//! - [`credentials`]: secrets that the service's surroundings hand over
//! - [`change`]: changes single keys of a configuration file, and no other byte
//! - [`keys`], [`totp`]: signing keys and one-time codes
//! - [`lock`], [`log`], [`bell`]: one service at a time, what it tells, what wakes its threads
//! - [`stop`]: the emergency stop, and what runs while it does not hold
//! - [`clock`]: the present time as records have it
//! - [`raw`]: the terminal in raw mode
//! - [`error`]: what can go wrong, by culprit
//! - [`failpoints`]: the points at which tests end the service; nothing in the shipped program
//!
//! # How it works
//!
//! `shared-types/src/home.rs` is the one place that knows these paths. `admin-service/base/src/layout` is the one table
//! of owner, group, mode and set-group bit for each of them: `init --bot-user` applies it by handles, `doctor` verifies
//! it. With two users the bot reads by its group; the set-group bit gives that group to what is made later, and both
//! programs set their mask to 027. The service reads the bot's folders by the same group, unless it is root; of
//! `memory/` it sees names and sizes, and opens no file. Who the bot's user is stands in one place, `security.user` of
//! `config/default.yaml`. `libs/owners` says who may change a path; both programs ask it at each start about the way to
//! the home, `config/` as a whole and, of `admin/`, its top, keys, heads and journal. A group counts as the users in
//! it.
#![forbid(unsafe_code)]

pub mod backups;
pub mod bell;
pub mod change;
pub mod clock;
pub mod config;
pub mod credentials;
pub mod error;
pub mod failpoints;
pub mod folders;
pub mod home;
pub mod keys;
pub mod layout;
pub mod lock;
pub mod log;
pub mod package;
pub mod profiles;
pub mod raw;
pub mod scratch;
pub mod stop;
pub mod totp;
pub mod version;
