//! Whether the doors of the profiles that listen at an address have TLS that works.

use base::home::Home;
use base::layout::{self, Users};
use base::profiles::Listed;
use certificates::{Pair, Term};
use documents::profile_file::Door;
use jiff::Timestamp;
use pipeline::door;
use shared_types::id::ProfileId;

use super::look::Look;
use crate::commands::door::{OWN_HOSTS, one_host};

/// One line for each profile whose door listens at an address, and one for each two doors that a browser finds at one host.
pub(super) fn doors(home: &Home) -> Vec<Look> {
    // `profiles` says what is wrong with a file that cannot be read.
    let listed = base::profiles::list(home).unwrap_or_default();
    let readable = listed.into_iter().filter_map(|Listed { id, settings }| Some((id, settings.ok()?.door)));
    let doors: Vec<(ProfileId, Door)> = readable.collect();
    let mut looks: Vec<Look> = doors.iter().filter_map(|(id, door)| look(home, id, door)).collect();
    for (at, (id, door)) in doors.iter().enumerate() {
        for (other, theirs) in &doors[at + 1..] {
            if let Some(host) = door.shared_host(theirs) {
                looks.push(Look::warn("door", one_host(id, other, &host), OWN_HOSTS));
            }
        }
    }
    looks
}

fn look(home: &Home, profile: &ProfileId, door: &Door) -> Option<Look> {
    let address = door.listen?;
    let Some(tls) = &door.tls else {
        return Some(match door.is_bare() {
            false => Look::pass("door", format!("{profile} at http://{address}, of this machine alone")),
            true => Look::warn(
                "door",
                format!("{profile}: other machines reach {address}, and the connection has no TLS"),
                format!(
                    "`cl-admin door listen {address} --profile {profile} --tls-made`, or an address of this machine behind a proxy"
                ),
            ),
        });
    };
    let files = door::files(home, tls);
    let pair = match Pair::read(&files) {
        Ok(pair) => pair,
        Err(fault) => return Some(Look::fail("door", format!("{profile}: {fault}"), fault.next())),
    };
    let bot = Users::of(home).ok().and_then(|users| users.bot);
    let closed = bot.as_ref().and_then(|bot| {
        [&files.certificate, &files.key].into_iter().find_map(|file| layout::closed_file(file, bot))
    });
    if let (Some(closed), Some(bot)) = (closed, &bot) {
        return Some(Look::fail(
            "door",
            format!("{profile}: {} is closed to the bot's user `{}`", closed.display(), bot.name),
            "give that user the right to read it, as by its group",
        ));
    }
    if files.key.starts_with(home.root()) && !files.key.starts_with(home.certificates()) {
        let key = files.key.display();
        return Some(Look::warn(
            "door",
            format!("{profile}: the key {key} is where other processes of the bot can read it"),
            format!(
                "`cl-admin door listen {address} --profile {profile} --tls-made` makes a new one in {}; start the door again, then \
                 remove {key}",
                home.certificates().display()
            ),
        ));
    }
    let (certificate, now) = (pair.certificate(), Timestamp::now());
    let words = format!(
        "{profile} at https://{address}, certificate SHA-256 {}, until {}",
        certificate.fingerprint(),
        certificate.last_day()
    );
    Some(match (certificate.term(now), certificate.warning(now)) {
        (Term::Long, _) | (_, None) => Look::pass("door", words),
        (_, Some(warning)) => Look::warn(
            "door",
            format!("{profile}: {warning}"),
            format!(
                "`cl-admin door listen {address} --profile {profile} --tls-made` makes a new one, where this home made it; else renew it \
                 where you had it from; then start the door again"
            ),
        ),
    })
}
