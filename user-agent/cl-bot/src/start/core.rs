//! A start with the core skills alone: for a supervisor whose chat keeps failing, or a person who suspects a skill.

use shared_types::manifest::Manifest;

/// What a conversation cannot be without; everything else is optional or learned.
const CORE: [&str; 4] = ["cli", "reasoning", "memory", "proposer"];

/// Leaves the optional and the learned skills and the plugins out of a verified manifest and says so.
pub fn keep(manifest: &mut Manifest, supervised: bool) -> String {
    let is_core = |name: &str| CORE.contains(&name);
    let optional = manifest.builtin.iter().map(|entry| &entry.name).filter(|name| !is_core(name.as_str()));
    let learned = manifest.learned.iter().map(|entry| &entry.name);
    let plugins = manifest.plugins.iter().map(|entry| &entry.name);
    let left_out: Vec<String> = optional.chain(learned).chain(plugins).map(ToString::to_string).collect();
    manifest.builtin.retain(|entry| is_core(entry.name.as_str()));
    manifest.learned.clear();
    manifest.plugins.clear();
    let why = if supervised { "the chat failed again and again" } else { "--core-only" };
    let left_out = if left_out.is_empty() { "nothing".to_owned() } else { left_out.join(" ") };
    format!("started with the core skills only ({why}); left out: {left_out}")
}

#[cfg(test)]
mod tests;
