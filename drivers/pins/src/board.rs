//! The lines of a chip, opened by the kernel's character device.

use std::io;
use std::time::Duration;

use gpiocdev::Request;
use gpiocdev::line::{Bias, EdgeDetection, EdgeKind, Value};

use crate::lines::{Direction, Line, Pull};

/// A line that is open.
pub trait Open: Send + Sync {
    /// Its level.
    ///
    /// # Errors
    /// The chip is gone or refuses.
    fn level(&self) -> io::Result<bool>;

    /// Switches it.
    ///
    /// # Errors
    /// The chip is gone or refuses.
    fn switch(&self, on: bool) -> io::Result<()>;

    /// The level after the next change that was not taken yet; nothing where none came in time.
    ///
    /// # Errors
    /// The chip is gone, or tells no changes.
    fn change(&self, at_most: Duration) -> io::Result<Option<bool>>;
}

/// A line of the kernel.
struct Real {
    request: Request,
    tells_changes: bool,
}

/// Why a line cannot be opened.
#[derive(Debug, thiserror::Error)]
#[error("line `{name}`, number {offset} of {chip}: {why}")]
pub struct Fault {
    /// The line.
    pub name: String,
    /// Its number.
    pub offset: u32,
    pub chip: String,
    pub why: gpiocdev::Error,
}

/// Opens a line as the file names it; an output is at its safe level from the beginning.
///
/// # Errors
/// The chip is not there or is none, or another program has the line.
pub fn open(line: &Line) -> Result<Box<dyn Open>, Fault> {
    let opened = match &line.direction {
        Direction::Out { .. } => request(line, false).map(|request| Real { request, tells_changes: false }),
        Direction::In { .. } => request(line, true)
            .map(|request| Real { request, tells_changes: true })
            // A chip without interrupts tells no changes; its lines can still be read.
            .or_else(|_| request(line, false).map(|request| Real { request, tells_changes: false })),
    };
    let failed = |why| {
        let (name, chip) = (line.name.clone(), line.chip.display().to_string());
        Fault { name, offset: line.offset, chip, why }
    };
    Ok(Box::new(opened.map_err(failed)?))
}

fn request(line: &Line, changes: bool) -> gpiocdev::Result<Request> {
    let mut builder = Request::builder();
    builder.on_chip(line.chip.clone()).with_consumer("cl-pins").with_line(line.offset);
    match line.direction {
        Direction::Out { safe, .. } => builder.as_output(value(safe)),
        Direction::In { .. } => builder.as_input(),
    };
    if line.active_low {
        builder.as_active_low();
    }
    if let Direction::In { pull, debounce } = line.direction {
        let bias = match pull {
            Pull::AsIs => None,
            Pull::Up => Some(Bias::PullUp),
            Pull::Down => Some(Bias::PullDown),
            Pull::None => Some(Bias::Disabled),
        };
        builder.with_bias(bias);
        if debounce > 0 {
            builder.with_debounce_period(Duration::from_millis(debounce));
        }
        if changes {
            builder.with_edge_detection(EdgeDetection::BothEdges);
        }
    }
    builder.request()
}

impl Open for Real {
    fn level(&self) -> io::Result<bool> {
        Ok(self.request.lone_value().map_err(io::Error::other)? == Value::Active)
    }

    fn switch(&self, on: bool) -> io::Result<()> {
        self.request.set_lone_value(value(on)).map_err(io::Error::other)
    }

    fn change(&self, at_most: Duration) -> io::Result<Option<bool>> {
        if !self.tells_changes {
            return Err(io::ErrorKind::Unsupported.into());
        }
        if !self.request.wait_edge_event(at_most).map_err(io::Error::other)? {
            return Ok(None);
        }
        let event = self.request.read_edge_event().map_err(io::Error::other)?;
        Ok(Some(event.kind == EdgeKind::Rising))
    }
}

fn value(on: bool) -> Value {
    if on { Value::Active } else { Value::Inactive }
}
