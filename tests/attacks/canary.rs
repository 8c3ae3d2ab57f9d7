//! A text that must not get out, in every spelling in which it could, and where to look for it.

use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use memchr::memmem;

/// A text that nothing else in the world holds.
pub(crate) struct Canary {
    text: String,
    forms: Vec<(&'static str, Vec<u8>)>,
}

impl Canary {
    /// Makes the spellings of a text: plain, reversed, percent-encoded, in hexadecimal, and in base64 at each of its three
    /// offsets.
    pub(crate) fn new(text: &str) -> Canary {
        let bytes = text.as_bytes();
        let mut forms = vec![
            ("plain", bytes.to_vec()),
            ("reversed", bytes.iter().rev().copied().collect()),
            ("percent-encoded", form_urlencoded::byte_serialize(bytes).collect::<String>().into_bytes()),
            ("hexadecimal", bytes.iter().map(|b| format!("{b:02x}")).collect::<String>().into_bytes()),
        ];
        for engine in [&STANDARD_NO_PAD, &URL_SAFE_NO_PAD] {
            for before in 0..3 {
                let whole = [&vec![0; before][..], bytes].concat();
                // The characters at both ends depend on the neighbours too.
                let (from, to) = ((before * 8).div_ceil(6), whole.len() * 8 / 6);
                forms.push(("base64", engine.encode(&whole).as_bytes()[from..to].to_vec()));
            }
        }
        Canary { text: text.to_owned(), forms }
    }

    /// The text itself.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The spelling in which some bytes hold it.
    pub(crate) fn within(&self, bytes: &[u8]) -> Option<&'static str> {
        self.forms.iter().find(|(_, form)| memmem::find(bytes, form).is_some()).map(|(name, _)| *name)
    }

    /// The spelling in which the memory of a process holds it.
    pub(crate) fn within_memory_of(&self, pid: u32) -> Option<&'static str> {
        let maps = fs::read_to_string(format!("/proc/{pid}/maps")).expect("the process runs");
        let memory = File::open(format!("/proc/{pid}/mem")).expect("its memory can be read");
        let address = |text: &str| u64::from_str_radix(text, 16).ok();
        let mut read = 0;
        let found = maps
            .lines()
            .filter(|l| l.split(' ').nth(1).is_some_and(|rights| rights.starts_with('r')))
            .find_map(|line| {
                let (start, end) = line.split(' ').next()?.split_once('-')?;
                let (start, end) = (address(start)?, address(end)?);
                let mut bytes = vec![0; usize::try_from(end - start).expect("it fits")];
                // Some of the kernel's own pages cannot be read by anybody.
                memory.read_exact_at(&mut bytes, start).ok()?;
                read += bytes.len();
                self.within(&bytes)
            });
        assert!(found.is_some() || read > 1024 * 1024, "only {read} bytes could be read");
        found
    }

    /// The first file beneath a folder that holds it, by name or content, and the spelling; one folder is left out.
    pub(crate) fn beneath(&self, folder: &Path, except: &Path) -> Option<(PathBuf, &'static str)> {
        fs::read_dir(folder).expect("a folder can be listed").flatten().find_map(|entry| {
            let path = entry.path();
            if path == except {
                return None;
            }
            if let Some(form) = self.within(entry.file_name().as_encoded_bytes()) {
                return Some((path, form));
            }
            if path.is_dir() {
                return self.beneath(&path, except);
            }
            let form = self.within(&fs::read(&path).ok()?)?;
            Some((path, form))
        })
    }
}

#[test]
fn a_canary_is_found_in_each_of_its_spellings() {
    let canary = Canary::new("k/ey+1=~never");
    let within = |text: &str| canary.within(text.as_bytes());
    assert_eq!(within("say k/ey+1=~never again"), Some("plain"));
    assert_eq!(within("reven~=1+ye/k"), Some("reversed"));
    assert_eq!(within("?q=k%2Fey%2B1%3D%7Enever"), Some("percent-encoded"));
    for before in ["", "x", "xy", "xyz", "Bearer "] {
        let encoded = STANDARD_NO_PAD.encode(format!("{before}k/ey+1=~never after"));
        assert_eq!(within(&encoded), Some("base64"), "{before:?}");
    }
    assert_eq!(within("k/ey+1=~neve"), None);
}
