use super::*;

const BARE: Surroundings = Surroundings { rustup: false, apt: true, root: true, sudo: false, terminal: true };

fn lines(here: Surroundings) -> Vec<String> {
    steps(here).iter().map(Step::to_string).collect()
}

#[test]
fn rustup_comes_before_the_packages_and_root_needs_no_sudo() {
    let packages = "apt-get install --yes --no-install-recommends rustc libstd-rust-dev-wasm32 lld";
    assert_eq!(lines(Surroundings { rustup: true, ..BARE }), ["rustup target add wasm32-unknown-unknown"]);
    assert_eq!(lines(BARE), ["apt-get update", packages]);
    let user = Surroundings { root: false, sudo: true, ..BARE };
    assert_eq!(lines(user)[1], format!("sudo {packages}"));
    assert_eq!(lines(Surroundings { terminal: false, ..user })[0], "sudo -n apt-get update");
}

#[test]
fn without_a_way_there_is_no_step() {
    assert!(steps(Surroundings { apt: false, ..BARE }).is_empty());
    assert!(steps(Surroundings { root: false, ..BARE }).is_empty());
}

#[test]
fn the_packages_are_those_that_the_advice_names() {
    assert!(builder::toolchain::ADVICE.contains(&PACKAGES.join(" ")));
}
