//! The sign in a room that an answer is being written, renewed until the answer is there.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use tokio::task::{JoinHandle, spawn_local};
use tokio::time::{sleep, timeout};

use super::server::Server;

/// An answer that is there within this time needs no sign.
const SOON: Duration = Duration::from_secs(1);
/// The longest that a server is waited for.
const CALL: Duration = Duration::from_secs(10);
/// The most signs for one answer, and the most rooms that have one.
const MOST: u32 = 150;
const MOST_ROOMS: usize = 16;

/// The signs of all rooms.
pub(super) struct Signs<S> {
    server: Rc<S>,
    rooms: RefCell<BTreeMap<String, Sign>>,
}

struct Sign {
    renewed: JoinHandle<()>,
    /// Whether the server has shown it.
    stands: Rc<Cell<bool>>,
}

impl<S: Server> Signs<S> {
    /// No room has one.
    pub(super) fn of(server: Rc<S>) -> Signs<S> {
        Signs { server, rooms: RefCell::default() }
    }

    /// Shows the sign in a room, or no longer. A server that refuses it is not asked again for this answer.
    pub(super) fn turn(&self, room: String, on: bool) {
        let mut rooms = self.rooms.borrow_mut();
        let server = self.server.clone();
        if on && rooms.len() < MOST_ROOMS && !rooms.contains_key(&room) {
            let stands = Rc::<Cell<bool>>::default();
            let (of, shown) = (room.clone(), stands.clone());
            let renewed = spawn_local(async move {
                sleep(SOON).await;
                for _ in 0..MOST {
                    shown.set(true);
                    if !matches!(timeout(CALL, server.types(&of, true)).await, Ok(Ok(()))) {
                        return;
                    }
                    sleep(S::SIGN).await;
                }
            });
            rooms.insert(room, Sign { renewed, stands });
        } else if !on && let Some(sign) = rooms.remove(&room) {
            sign.renewed.abort();
            if sign.stands.get() {
                spawn_local(async move { timeout(CALL, server.types(&room, false)).await });
            }
        }
    }
}
