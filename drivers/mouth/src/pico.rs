//! Text to samples, by Pico.

use std::cell::RefCell;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::rc::Rc;

use ttspico::{Engine, EngineResetMode, EngineStatus, PicoError, System};

/// Samples a second of every voice.
pub const RATE: u32 = 16_000;
/// The longest text that is spoken at once, in bytes: two minutes of speech.
pub const LONGEST: usize = 2_000;
/// What Pico reserves for one voice, in bytes, as its documentation advises.
const MEMORY: usize = 2_500_000;
/// Samples that are computed before they are handed on: a twentieth of a second.
const PIECE: usize = 800;

/// A voice of the program, by its two files.
struct Voice {
    language: &'static str,
    analysis: &'static [u8],
    signal: &'static [u8],
}

// What the build script found: `VOICES`.
include!(concat!(env!("OUT_DIR"), "/voices.rs"));

/// The languages that can be spoken.
pub fn languages() -> impl Iterator<Item = &'static str> {
    VOICES.iter().map(|voice| voice.language)
}

/// Why a voice cannot be had, or a text cannot be spoken.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// There are voices for other languages only.
    #[error("no voice speaks `{wanted}`; voices: {}", languages().collect::<Vec<_>>().join(", "))]
    Language {
        /// The wanted language.
        wanted: String,
    },
    /// The text is too long.
    #[error("the text has {0} bytes; at most {LONGEST} are spoken at once")]
    TooLong(usize),
    /// Pico refuses.
    #[error("the voice failed: {0}")]
    Pico(PicoError),
    /// A voice's file cannot be handed to Pico.
    #[error("the voice cannot be loaded: {0}")]
    Load(#[from] io::Error),
}

impl From<PicoError> for Fault {
    fn from(error: PicoError) -> Fault {
        Fault::Pico(error)
    }
}

/// A voice that is ready.
pub struct Speech {
    language: &'static str,
    engine: Engine,
}

impl Speech {
    /// Loads the voice for a language, as in `de-DE`, or `de` for the first one of German. Pico reads a voice from a file, so this
    /// has to happen before confinement.
    ///
    /// # Errors
    /// No voice speaks it, or Pico refuses the voice.
    pub fn load(language: &str) -> Result<Speech, Fault> {
        let voice = VOICES
            .iter()
            .find(|voice| speaks(voice.language, language))
            .ok_or_else(|| Fault::Language { wanted: shared_types::text::cut(language, 40) })?;
        let system = System::new(MEMORY)?;
        let created = System::create_voice(system.clone(), "voice")?;
        for bytes in [voice.analysis, voice.signal] {
            let resource = resource(&system, bytes)?;
            created.borrow_mut().add_resource(resource)?;
        }
        #[expect(unsafe_code, reason = "the crate cannot see that both parts of a voice were added")]
        // SAFETY: the analysis and the signal were both added above, which is what the function asks for.
        let engine = unsafe { ttspico::Voice::create_engine(created) }?;
        Ok(Speech { language: voice.language, engine })
    }

    /// What it speaks.
    pub fn language(&self) -> &'static str {
        self.language
    }

    /// Speaks a text. Each piece of samples is handed over as soon as it is computed; `Break` ends the speech.
    ///
    /// # Errors
    /// A text that is too long, or Pico gives up.
    pub fn speak(
        &mut self,
        text: &str,
        mut take: impl FnMut(&[i16]) -> ControlFlow<()>,
    ) -> Result<(), Fault> {
        if text.len() > LONGEST {
            return Err(Fault::TooLong(text.len()));
        }
        let spoken = self.compute(&spoken(text), &mut take);
        // Else what is left of this text would be the beginning of the next one.
        if !matches!(spoken, Ok(ControlFlow::Continue(()))) {
            self.engine.reset(EngineResetMode::Full)?;
        }
        spoken.map(drop)
    }

    fn compute(
        &mut self,
        text: &str,
        take: &mut impl FnMut(&[i16]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Fault> {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let taken = self.engine.put_text(rest)?;
            rest = rest.get(taken..).unwrap_or_default();
            if self.pieces(take)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        self.engine.flush()?;
        self.pieces(take)
    }

    fn pieces(&mut self, take: &mut impl FnMut(&[i16]) -> ControlFlow<()>) -> Result<ControlFlow<()>, Fault> {
        let mut samples = Vec::with_capacity(PIECE);
        let mut buffer = [0_i16; 256];
        loop {
            let (computed, status) = self.engine.get_data(&mut buffer)?;
            samples.extend_from_slice(&buffer[..computed]);
            let is_last = status == EngineStatus::Idle;
            if samples.len() >= PIECE || (is_last && !samples.is_empty()) {
                if take(&samples).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
                samples.clear();
            }
            if is_last {
                return Ok(ControlFlow::Continue(()));
            }
        }
    }
}

/// Whether a voice's language is the wanted one, or a kind of it.
pub fn speaks(voice: &str, wanted: &str) -> bool {
    let wanted = wanted.replace('_', "-");
    voice.eq_ignore_ascii_case(&wanted)
        || voice.split('-').next().is_some_and(|language| language.eq_ignore_ascii_case(&wanted))
}

/// Hands Pico a file of the program: it reads files by their paths alone, and takes those for voices whose names end like this.
fn resource(system: &Rc<RefCell<System>>, bytes: &[u8]) -> Result<Rc<RefCell<ttspico::Resource>>, Fault> {
    let mut file = tempfile::Builder::new().suffix(".bin").tempfile()?;
    file.write_all(bytes)?;
    Ok(System::load_resource(system.clone(), file.path().to_string_lossy())?)
}

/// The text as Pico gets it. `<` and `\` begin Pico's own orders, one of which plays a file; nothing ends the text early.
fn spoken(text: &str) -> String {
    let said = |c: char| if c.is_control() || matches!(c, '<' | '>' | '\\') { ' ' } else { c };
    text.chars().map(said).collect()
}

#[cfg(test)]
mod tests;
