//! Lists the voices of the crate `ttspico-sys`, which names no path to them, so that the program holds them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Language, and the names of its two files: the analysis of text, and the signal.
const VOICES: [(&str, &str, &str); 6] = [
    ("de-DE", "de-DE_ta.bin", "de-DE_gl0_sg.bin"),
    ("en-GB", "en-GB_ta.bin", "en-GB_kh0_sg.bin"),
    ("en-US", "en-US_ta.bin", "en-US_lh0_sg.bin"),
    ("es-ES", "es-ES_ta.bin", "es-ES_zl0_sg.bin"),
    ("fr-FR", "fr-FR_ta.bin", "fr-FR_nk0_sg.bin"),
    ("it-IT", "it-IT_ta.bin", "it-IT_cm0_sg.bin"),
];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let folder = crate_folder("ttspico-sys").join("build/pico/lang");
    let path = |name: &str| {
        let path = folder.join(name);
        assert!(path.is_file(), "{} is missing", path.display());
        path
    };
    let mut table = String::from("static VOICES: [Voice; 6] = [\n");
    for (language, analysis, signal) in VOICES {
        let (analysis, signal) = (path(analysis), path(signal));
        table.push_str(&format!(
            "    Voice {{ language: {language:?}, analysis: include_bytes!({analysis:?}), signal: include_bytes!({signal:?}) }},\n"
        ));
    }
    table.push_str("];\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("voices.rs"), table).expect("the output folder can be written");
}

/// The folder of a dependency's source, by what cargo knows of this workspace.
fn crate_folder(name: &str) -> PathBuf {
    let manifest = Path::new(&env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("Cargo.toml");
    let output = Command::new(env::var_os("CARGO").expect("cargo sets it"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline", "--manifest-path"])
        .arg(manifest)
        // Crates of other platforms were not fetched.
        .arg("--filter-platform")
        .arg(env::var_os("TARGET").expect("cargo sets it"))
        .output()
        .expect("cargo can be started");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let packages = metadata["packages"].as_array().expect("it lists packages");
    let package = packages.iter().find(|package| package["name"] == name).expect("it is a dependency");
    let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
    manifest.parent().expect("a file is in a folder").to_owned()
}
