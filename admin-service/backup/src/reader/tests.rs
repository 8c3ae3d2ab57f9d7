use minisign::KeyPair;

use super::*;
use crate::writer::Writer;

/// A backup of these files, signed.
fn made(files: &[(&str, &[u8])]) -> Vec<u8> {
    let pair = KeyPair::generate_unencrypted_keypair().unwrap();
    let header = Header {
        format: 1,
        home: 1,
        program: "0.1.0".into(),
        made_at: "2026-01-02T03:04:05Z".into(),
        with_keys: false,
        trust: pair.pk.to_base64(),
        serial: 1,
        active: vec![],
        approvers: vec!["owner".into()],
    };
    let mut writer = Writer::begin(Vec::new(), header).unwrap();
    for (name, content) in files {
        writer.add(Name::parse(name).unwrap(), content.len() as u64, 0o600, *content).unwrap();
    }
    writer.left.skip("data/profiles/anna/workspace/link", "is a link");
    let sign = |bytes: &[u8]| {
        let signed = minisign::sign(None, &pair.sk, bytes, None, None).map_err(io::Error::other)?;
        Ok::<_, io::Error>(signed.into_string())
    };
    writer.end(sign).unwrap().2
}

fn all(bytes: &[u8]) -> Result<Whole, Fault> {
    read::<Fault>(bytes, |_| Ok(()), |_| Ok(()))
}

#[test]
fn what_was_written_is_read_back_long_names_and_empty_files_too() {
    let long = format!("data/profiles/anna/workspace/{}/a.txt", ["folder"; 30].join("/"));
    let files: [(&str, &[u8]); 3] = [
        ("config/default.yaml", b"a: 1\n"),
        ("data/profiles/anna/memory/facts.jsonl", b""),
        (&long, &[7; 5000]),
    ];
    let bytes = made(&files);
    let mut seen = vec![];
    let take = |file: File<'_>| {
        let mut content = vec![];
        file.content.read_to_end(&mut content).map_err(Fault::Read)?;
        seen.push((file.name.to_string(), content));
        Ok::<_, Fault>(())
    };
    let whole = read(bytes.as_slice(), |_| Ok(()), take).unwrap();
    let expected: Vec<(String, Vec<u8>)> = files.iter().map(|(n, c)| ((*n).to_owned(), c.to_vec())).collect();
    assert_eq!(seen, expected);
    assert_eq!((whole.index.files.len(), whole.index.skipped.len(), whole.index.bytes()), (3, 1, 5005));
}

#[test]
fn each_changed_byte_of_what_counts_and_each_missing_end_is_noticed() {
    let bytes = made(&[("config/default.yaml", b"a: 1\n")]);
    assert!(all(&bytes).is_ok());
    // All but the last bytes, which are zeros that no reader needs.
    for length in 0..bytes.len() - 1024 {
        assert!(all(&bytes[..length]).is_err(), "cut at {length}");
    }
    for at in (0..bytes.len()).filter(|at| bytes[*at] != 0) {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        assert!(all(&changed).is_err(), "byte {at}");
    }
}

#[test]
fn a_file_that_became_shorter_is_filled_and_named() {
    let mut writer = Writer::begin(Vec::new(), all(&made(&[])).unwrap().index.header).unwrap();
    writer.add(Name::parse("config/default.yaml").unwrap(), 600, 0o600, &b"short"[..]).unwrap();
    assert_eq!(writer.left.skipped.len(), 1);
    assert_eq!(writer.index().files[0].size, 600);
}
