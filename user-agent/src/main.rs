//! user-agent
fn main() {}
