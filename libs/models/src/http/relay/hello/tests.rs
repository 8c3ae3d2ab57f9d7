use super::*;

fn list(width: usize, content: &[u8]) -> Vec<u8> {
    [&content.len().to_be_bytes()[8 - width..], content].concat()
}

/// The message of a client that names these hosts.
fn hello(names: &[&str]) -> Vec<u8> {
    let each: Vec<u8> = names.iter().flat_map(|name| [vec![0], list(2, name.as_bytes())].concat()).collect();
    let named = [vec![0, 0], list(2, &list(2, &each))].concat();
    let other = [vec![0, 43], list(2, &[2, 3, 4])].concat();
    let extensions = if names.is_empty() { other } else { [other, named].concat() };
    let start = [vec![3, 3], vec![7; 32], list(1, &[9; 32]), list(2, &[0x13, 1]), list(1, &[0])].concat();
    [vec![1], list(3, &[start, list(2, &extensions)].concat())].concat()
}

/// The message in records of at most the given number of bytes.
fn records(message: &[u8], most: usize) -> Vec<u8> {
    message.chunks(most).flat_map(|part| [vec![22, 3, 1], list(2, part)].concat()).collect()
}

#[test]
fn the_name_is_found_however_the_greeting_is_split() {
    let message = hello(&["api.example.org"]);
    for most in [1, 7, 100, 16_384] {
        let bytes = records(&message, most);
        for length in 1..bytes.len() {
            assert_eq!(greeting(&bytes[..length]), Greeting::Unfinished, "{most} {length}");
        }
        assert_eq!(greeting(&bytes), Greeting::Named("api.example.org".to_owned()), "{most}");
        // What follows the greeting is not read.
        let more = [bytes, vec![23, 3, 3, 0, 1, 0]].concat();
        assert_eq!(greeting(&more), Greeting::Named("api.example.org".to_owned()), "{most}");
    }
}

#[test]
fn what_names_none_and_what_is_not_tls_is_told_apart_from_what_is_broken() {
    assert_eq!(greeting(&records(&hello(&[]), 16_384)), Greeting::Unnamed);
    for other in [&b"GET / HTTP/1.1\r\n"[..], b"\x00", b"EHLO"] {
        assert_eq!(greeting(other), Greeting::Other);
    }
    let whole = records(&hello(&["a.example"]), 16_384);
    let server = records(&[&[2][..], &hello(&["a.example"])[1..]].concat(), 16_384);
    let twice = records(&hello(&["a.example", "b.example"]), 16_384);
    let between = [&records(&hello(&["a.example"])[..20], 20)[..], &[21, 3, 1, 0, 2, 1, 0]].concat();
    let empty = [&[22, 3, 1, 0, 0][..], &whole].concat();
    let mut longer = hello(&["a.example"]);
    let at = longer.len() - 12;
    longer[at] = 0xff;
    let endless = records(&[&[1, 0xff, 0xff, 0xff][..], &vec![0; MOST]].concat(), 16_384);
    for broken in [server, twice, between, empty, records(&longer, 16_384), endless] {
        assert_eq!(greeting(&broken), Greeting::Broken, "{:?}", &broken[..broken.len().min(80)]);
    }
}
