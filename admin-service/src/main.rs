//! admin-service
fn main() {}
