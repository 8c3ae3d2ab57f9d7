//! The child's side: it reads what a server says and speaks the protocol with it, for one conversation.
//!
//! It has neither the server's pipes nor a socket. The service does its errands ([`FromReader`]) and brings what came back as
//! it came.

mod fault;
mod listed;
pub mod message;
mod speaker;
mod wire;

use std::io::{self, Read, Write};

use self::fault::Spoken;
use self::speaker::Speaker;
use self::wire::{Pipes, Way};
use super::frames::{FromReader, ToReader};

/// Serves one conversation, until the service ends it.
///
/// # Errors
/// A service that is gone, or says what it does not say.
pub fn serve(input: &mut dyn Read, output: &mut dyn Write) -> io::Result<()> {
    let mut pipes = Pipes::new(input, output);
    let mut speaker = None;
    while let Some(order) = pipes.order()? {
        let told = match obey(&mut pipes, &mut speaker, &order) {
            Ok(told) => told,
            Err(Spoken::Protocol(fault)) => FromReader::Misspoke(fault.to_string()),
            Err(Spoken::Error { code, message }) => FromReader::Error { code, message },
            Err(Spoken::Refused(status)) => FromReader::Refused(status),
            Err(Spoken::Gone(error)) => return Err(error),
        };
        pipes.tell(&told)?;
    }
    Ok(())
}

fn obey(
    pipes: &mut Pipes<'_>,
    speaker: &mut Option<Speaker>,
    order: &ToReader,
) -> Result<FromReader, Spoken> {
    let unexpected = || Spoken::Gone(io::ErrorKind::InvalidData.into());
    if let ToReader::Greet { lines } = order {
        let way = if *lines { Way::Lines { changed: false } } else { Way::Posts { version: None } };
        *speaker = Some(Speaker::greet(pipes, way)?);
        return Ok(FromReader::Greeted);
    }
    let speaker = speaker.as_mut().ok_or_else(unexpected)?;
    match order {
        ToReader::List => {
            let listed = speaker.tools(pipes)?;
            for tool in &listed {
                pipes.tell(&FromReader::Tool(tool.told()))?;
            }
            Ok(FromReader::Listed(listed::digest(&listed)))
        }
        ToReader::Changed => Ok(FromReader::Changed(speaker.says_changed(pipes)?)),
        ToReader::Call { tool, args } => Ok(FromReader::Answered(speaker.call(pipes, tool, args)?)),
        _ => Err(unexpected()),
    }
}

#[cfg(test)]
mod tests;
