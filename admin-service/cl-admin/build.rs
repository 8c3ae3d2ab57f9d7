//! Refuses other systems than those that `cl-admin` runs on.

#[path = "../../packaging/system.rs"]
mod system;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    system::check();
}
