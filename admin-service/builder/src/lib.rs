//! Model-written code is hostile here: scanned, compiled in a jail, compared with what was declared, tried. This layer uses
//! `base` alone.
//!
//! - [`children`]: the confined children that read hostile bytes
//! - [`scan`]: which source is let through; [`compile`], [`toolchain`]: the compiler in its jail
//! - [`scaffold`]: the file around the functions that somebody else wrote
//! - [`trial`], [`edges`]: the tools of a module called, with odd arguments too
//!
//! # How it works
//!
//! `cl-admin` opens what the bot wrote beneath the folder's handle (no link, no blocking, regular file of the folder's
//! owner, at most 64 KiB), hashes the bytes, and parses exactly those bytes. All that reads hostile bytes runs in a
//! short-lived child of the same program with an empty environment and no file access: `parse`, `scan`, `assemble`,
//! `strip`, `inspect` (load, describe, try), and the compiler in a jail that sees the toolchain and one work folder.
//! All of them are confined by `confine::Jail`: a root of their own with the paths of their rules and nothing else,
//! namespaces, Landlock besides, the table of calls (`docs/CONFINEMENT.md` lists each right and what refuses it). Where
//! no child can be confined, proposals wait, which is reported once, and `run --once` ends with 1. Where the service is
//! root's, each compilation runs as a user of its own (a free number from 62000 to 62999 that no process has), and
//! processes are counted (`builder/src/compile/user.rs`, `work.rs`). Its work folder is in the home; without a root of
//! its own, in the system's temporary folder.
#![forbid(unsafe_code)]

pub mod compile;
pub mod edges;
pub mod scaffold;
pub mod scan;
pub mod toolchain;
pub mod trial;
pub mod workers;
