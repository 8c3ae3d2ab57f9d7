//! One profile from a backup, into a home that stands: its data, and its configuration where it has none. The journal, the
//! skills, the approvers and the keys of the home are not touched.

use api::Request;
use base::error::Error;
use base::home::Home;
use base::layout::{self, Users};
use ledger::Ledger;
use service::session::submit;
use shared_types::id::{Digest, ProfileId};

use crate::data::{self, Hands, Putter};
use crate::fault::Fault;
use crate::index::Header;
use crate::name::{Name, Part};
use crate::reader;
use crate::seal::Key;
use crate::verify::Opened;

use super::fault::Fault as Unfit;

/// The largest file of a profile that is read, in bytes.
const MOST_SETTINGS: u64 = 1 << 20;
/// What a profile has seen of the signed files of the home that the backup is of: this home shows it its own.
const SEEN: [&str; 2] = ["memory/manifest_serial", "memory/approvers_seen"];

/// What is to be brought back.
pub struct Prepared {
    header: Header,
    settings: Option<String>,
    files: u64,
    /// Of the backup as it was shown.
    digest: Digest,
}

/// What was brought back.
#[derive(Debug)]
pub struct Done {
    /// How many files.
    pub files: u64,
    /// Whether its configuration came from the backup.
    pub configured: bool,
    /// Whether the home has a signed head of its receipts, which those of the backup may not reach.
    pub had_head: bool,
}

impl Prepared {
    /// The header of the backup.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// How many files there are to bring back.
    pub fn files(&self) -> u64 {
        self.files
    }
}

/// Reads all of the backup, and looks whether the profile may be brought back; nothing is changed.
///
/// # Errors
/// A backup that does not hold or has nothing of the profile, a profile that has data, or one that was taken away since.
pub fn prepare(
    home: &Home,
    hands: &Hands,
    opened: &Opened,
    unlock: Option<&Key>,
    id: &ProfileId,
) -> Result<Prepared, Error> {
    let own = format!("config/profiles/{id}.yaml");
    let (mut settings, mut files) = (None, 0);
    let whole = reader::read::<Fault>(
        opened.read(unlock)?,
        |_| Ok(()),
        |file| {
            if file.name.as_str() == own && file.size <= MOST_SETTINGS {
                let mut text = String::new();
                file.content.read_to_string(&mut text).map_err(Fault::Read)?;
                settings = Some(text);
            }
            files += u64::from(is_of(file.name, id));
            Ok(())
        },
    )?;
    if files == 0 && settings.is_none() {
        let there: Vec<String> = whole.index.profiles().iter().map(ToString::to_string).collect();
        return Err(Error::failed(Unfit::NothingOf { profile: id.clone(), there }));
    }
    let configured = home.profile_file(id).exists();
    if let (Some(at), false) = (Ledger::read(home)?.gone(id), configured) {
        return Err(Error::refused(Unfit::TakenAway { profile: id.clone(), at: at.to_owned() }));
    }
    if settings.is_none() && !configured {
        return Err(Error::failed(Unfit::NoConfiguration(id.clone())));
    }
    if let Some(found) =
        data::survey(home, hands)?.into_iter().find(|found| found.id == *id && found.files > 0)
    {
        return Err(Error::refused(Unfit::HasFiles { profile: id.clone(), files: found.files }));
    }
    Ok(Prepared { header: whole.index.header, settings, files, digest: whole.digest })
}

/// Brings the profile back.
///
/// # Errors
/// A failing disk or child; what was written then is removed by `profile erase`.
pub fn run(
    home: &Home,
    hands: &Hands,
    opened: &Opened,
    unlock: Option<&Key>,
    id: &ProfileId,
    prepared: Prepared,
) -> Result<Done, Error> {
    // Before the profile is added: the folders belong to the bot's user then.
    data::make_folders(home, hands, std::slice::from_ref(id))?;
    let configured = match prepared.settings {
        Some(text) if !home.profile_file(id).exists() => {
            submit(home, Request::AddProfile { id: id.clone(), text })?;
            true
        }
        _ => false,
    };
    let mut putter = Putter::start(home, hands)?;
    let mut files = 0;
    let read = reader::read::<Error>(
        opened.read(unlock)?,
        |_| Ok(()),
        |file| {
            if !is_of(file.name, id) {
                return Ok(());
            }
            files += 1;
            putter
                .put(file.name, file.size, file.mode, file.content)
                .map_err(Error::step("handing over a file"))
        },
    );
    putter.end()?;
    if read?.digest != prepared.digest {
        return Err(Error::integrity(Unfit::Changed(id.clone())));
    }
    let users = Users::of(home)?;
    if users.bot.is_some() {
        layout::apply_to(home, &users, id);
    }
    let had_head = home.own_heads().join(receipts::head::Log::Receipts(id.clone()).file_name()).exists();
    Ok(Done { files, configured, had_head })
}

/// Whether a file is data of the profile. Its proposals belong to the journal of the home that they were made in.
fn is_of(name: &Name, id: &ProfileId) -> bool {
    let folder = format!("data/profiles/{id}/");
    matches!(name.part(), Part::Profile(found) if found == *id)
        && name.as_str().strip_prefix(&folder).is_some_and(|below| !SEEN.contains(&below))
}
