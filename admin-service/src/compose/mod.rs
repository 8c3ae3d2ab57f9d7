//! What a skill adds up to beside the others.

pub mod graph;
pub mod rules;

#[cfg(test)]
mod tests;
