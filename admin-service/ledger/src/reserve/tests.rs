use std::fs;
use std::io;

use super::*;

fn full() -> Error {
    Error::Io { path: "somewhere".into(), source: io::Error::from(io::ErrorKind::StorageFull) }
}

#[test]
fn work_on_a_full_disk_is_done_again_for_as_long_as_there_is_room_to_give() {
    let place = tempfile::tempdir().unwrap();
    let home = Home::new(place.path().to_owned(), None);
    fs::create_dir_all(home.reserve().parent().unwrap()).unwrap();
    renew(&home).unwrap();
    let mut tries = 0;
    let done = spend(&home, || {
        tries += 1;
        if tries < 4 { Err(full()) } else { Ok(fs::metadata(home.reserve()).unwrap().len()) }
    });
    assert_eq!(done.unwrap(), SIZE - 3 * STEP);
    assert_eq!(fs::metadata(home.reserve()).unwrap().len(), SIZE, "it is whole again");

    tries = 0;
    let never = spend(&home, || -> Result<(), Error> {
        tries += 1;
        Err(full())
    });
    assert!(never.unwrap_err().wants_room());
    assert_eq!(tries, 1 + SIZE / STEP);

    tries = 0;
    let other = spend(&home, || -> Result<(), Error> {
        tries += 1;
        Err(Error::failed("not for room"))
    });
    assert!(other.is_err());
    assert_eq!(tries, 1);
}
