//! Why units are not written or used.

use std::path::PathBuf;

use base::error::Error;

/// Why units are not written or used.
#[derive(Debug, thiserror::Error)]
pub(super) enum ServiceError {
    #[error(
        "this system was not started by systemd: `cl-admin up` starts service and chat in this window, `cl-admin run` the \
         service until it is ended"
    )]
    NoSystemd,
    #[error(
        "no systemd manager of this user runs: log in as that user, or `loginctl enable-linger NAME` as root; without systemd \
         `cl-admin up` and `cl-admin run` do the same"
    )]
    NoUserManager,
    #[error("only root writes units of the system: run it as root, or with --user for yourself")]
    NotRoot,
    #[error("{0} cannot stand in a unit: move it to a path of ASCII letters, digits and /._+@-")]
    OddPath(PathBuf),
    #[error(
        "{0} is hidden from the unit, which sees no file below /home, /root and /run/user: move it, or use --user"
    )]
    Hidden(PathBuf),
    #[error("{0} was not written by this program: remove it, or put changes into {0}.d/*.conf")]
    Foreign(PathBuf),
    #[error("{program} ended with {status}")]
    Command { program: String, status: std::process::ExitStatus },
    #[error(
        "the service was not started: `cl-admin service logs` says why; without a home at {0}, `cl-admin service install` makes one"
    )]
    NotStarted(PathBuf),
    #[error(
        "TAMECLAW_DATA_DIR is set here, and units do not inherit it: unset it, and mount the disk at `data/` of the home"
    )]
    DataElsewhere,
    #[error("not done: answer yes, or give --yes")]
    NotConfirmed,
    #[error("{0}: `cl-admin doctor` names what is left to do")]
    Home(String),
}

impl From<ServiceError> for Error {
    fn from(error: ServiceError) -> Error {
        match error {
            ServiceError::NotRoot | ServiceError::Hidden(_) | ServiceError::Foreign(_) => {
                Error::refused(error)
            }
            ServiceError::OddPath(_) | ServiceError::DataElsewhere => Error::usage(error),
            _ => Error::failed(error),
        }
    }
}
