//! `cl-admin model available`: what can be fetched, what it needs, and what is here.

use std::fs;

use base::error::Error;
use base::home::Home;
use serde_json::json;

use super::list::{Model, memory};
use super::place::{Place, SPARE};
use super::{connect, serve};
use crate::commands::out::{self, outln};

/// The memory of this machine, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::commands) struct Memory {
    total: u64,
    available: u64,
}

/// Whether a model fits a machine, by the estimate of its memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::commands) enum Fit {
    /// Now.
    Fits,
    /// If less else runs.
    Tight,
    /// Never.
    TooLarge,
    /// The kernel does not tell.
    Unknown,
}

impl Fit {
    fn word(self) -> &'static str {
        match self {
            Fit::Fits => "fits",
            Fit::Tight => "tight",
            Fit::TooLarge => "too large",
            Fit::Unknown => "unknown",
        }
    }
}

impl Memory {
    /// Asks the kernel; a limit of the container or unit is not known to it.
    pub(in crate::commands) fn of_this_machine() -> Option<Memory> {
        Memory::parse(&fs::read_to_string("/proc/meminfo").ok()?)
    }

    /// Reads proc_meminfo(5), whose `kB` are 1024 bytes.
    fn parse(text: &str) -> Option<Memory> {
        let of = |field: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))?;
            line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
        };
        Some(Memory { total: of("MemTotal")?, available: of("MemAvailable")? })
    }
}

/// Whether a file of this many bytes fits.
pub(in crate::commands) fn fit(bytes: u64, machine: Option<Memory>) -> Fit {
    match machine {
        None => Fit::Unknown,
        Some(Memory { available, .. }) if memory(bytes) <= available => Fit::Fits,
        Some(Memory { total, .. }) if memory(bytes) <= total => Fit::Tight,
        Some(_) => Fit::TooLarge,
    }
}

/// The largest model of the list that fits this machine now.
pub(in crate::commands) fn best() -> Result<Option<Model>, Error> {
    let machine = Memory::of_this_machine();
    Ok(Model::all()?.into_iter().rev().find(|model| fit(model.bytes, machine) == Fit::Fits))
}

/// Shows the list.
pub(super) fn run(home: &Home, as_json: bool) -> Result<(), Error> {
    let place = Place::of(home);
    let here = place.fetched();
    let connected = connect::connected(home)?;
    let machine = Memory::of_this_machine();
    let free = place.free().ok();
    let listed = Model::all()?;
    let others = here.iter().filter(|known| !listed.iter().any(|model| model.name == known.name));
    let rows = listed.iter().map(|model| (&model.name, model.bytes, Some(model.licence.as_str())));
    let rows = rows.chain(others.map(|known| (&known.name, known.bytes, None)));
    if !as_json {
        let mb = |bytes: u64| bytes / 1_000_000;
        let memory = machine.map_or_else(
            || "not known".to_owned(),
            |m| format!("{} MB available of {} MB", mb(m.available), mb(m.total)),
        );
        outln!(
            "memory: {memory}; disk: {}",
            free.map_or("not known".to_owned(), |free| format!("{} MB free", mb(free)))
        );
        outln!(
            "{:<16} {:>9} {:>10}  {:<9}  {:<12}  here",
            "name",
            "download",
            "memory",
            "this one",
            "licence"
        );
    }
    for (name, bytes, licence) in rows {
        let fetched = here.iter().any(|known| known.name == *name);
        let begun = fs::metadata(place.part(name)).map(|facts| facts.len()).ok();
        let is_connected = connected.as_ref() == Some(name);
        let fits = fit(bytes, machine);
        let has_room =
            fetched || free.is_none_or(|free| free >= bytes.saturating_sub(begun.unwrap_or(0)) + SPARE);
        if as_json {
            out::json(&json!({
                "name": name, "bytes": bytes, "memory_estimate": memory(bytes), "memory": fits.word(), "disk": has_room,
                "licence": licence, "fetched": fetched, "part_bytes": begun, "connected": is_connected,
            }));
            continue;
        }
        let fitting = if has_room { fits.word() } else { "no room" };
        let state = match (fetched, begun) {
            (true, _) if is_connected => "fetched, connected".to_owned(),
            (true, _) => "fetched".to_owned(),
            (false, Some(part)) => format!("{} %", part * 100 / bytes.max(1)),
            (false, None) => "-".to_owned(),
        };
        let size = format!("{} MB", bytes / 1_000_000);
        let need = format!("~{} MB", memory(bytes) / 1_000_000);
        outln!(
            "{:<16} {size:>9} {need:>10}  {fitting:<9}  {:<12}  {state}",
            name.to_string(),
            licence.unwrap_or("yours")
        );
    }
    if !as_json {
        outln!("The memory is an estimate: the file, a fifth more, and 512 MiB.");
        match serve::installed(serve::PROGRAM) {
            Some(program) => outln!(
                "{} runs them: `cl-admin model fetch NAME`, `cl-admin model connect NAME`",
                program.display()
            ),
            None => outln!("{}", serve::NO_PROGRAM),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
