//! WAV files.

use std::io::{self, Cursor, Read, Seek, Write};

use hound::{SampleFormat, WavReader, WavSpec, WavWriter};

use crate::RATE;

/// The highest rate that is taken, in samples a second; the lowest is [`RATE`].
pub const HIGHEST_RATE: u32 = 48_000;
/// The longest file, in seconds.
pub const LONGEST_SECONDS: u32 = 600;

/// How samples are written.
const SPEC: WavSpec =
    WavSpec { channels: 1, sample_rate: RATE, bits_per_sample: 16, sample_format: SampleFormat::Int };

/// Why a file is not taken.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The input is not a WAV file, ends within one, or cannot be read.
    #[error("this cannot be read as a WAV file: {0}")]
    Malformed(#[from] hound::Error),
    /// The samples are of another kind.
    #[error(
        "the sound has {channels} channels, {bits} bits a sample and {rate} samples a second; allowed: one channel, 16 bits as \
         whole numbers, {RATE} to {HIGHEST_RATE} samples a second"
    )]
    Format {
        channels: u16,
        /// Bits a sample.
        bits: u16,
        /// Samples a second.
        rate: u32,
    },
    /// The file is too long.
    #[error("the sound is longer than {LONGEST_SECONDS} seconds")]
    TooLong,
}

/// The samples of a WAV file, [`RATE`] a second. Those of a higher rate are averaged.
///
/// # Errors
/// Another kind of file or of samples, a file that is too long, or an input that cannot be read.
pub fn read(input: impl Read) -> Result<Vec<i16>, Fault> {
    let reader = WavReader::new(input)?;
    let WavSpec { channels, sample_rate: rate, bits_per_sample: bits, sample_format } = reader.spec();
    let is_taken = channels == 1
        && bits == 16
        && sample_format == SampleFormat::Int
        && (RATE..=HIGHEST_RATE).contains(&rate);
    if !is_taken {
        return Err(Fault::Format { channels, bits, rate });
    }
    let most = (LONGEST_SECONDS * rate) as usize;
    // What the header says of the length reserves nothing.
    let mut samples = Vec::new();
    for sample in reader.into_samples::<i16>() {
        if samples.len() == most {
            return Err(Fault::TooLong);
        }
        samples.push(sample?);
    }
    Ok(slower(samples, rate))
}

/// The same sound with [`RATE`] samples a second: each is the mean of the time that it stands for.
fn slower(samples: Vec<i16>, rate: u32) -> Vec<i16> {
    if rate == RATE {
        return samples;
    }
    let step = f64::from(rate) / f64::from(RATE);
    let count = (samples.len() as f64 / step) as usize;
    let mean = |index: usize| {
        let (from, to) = (index as f64 * step, (index + 1) as f64 * step);
        let (first, last) = (from as usize, (to.ceil() as usize).min(samples.len()));
        let mut sum = 0.0;
        for (at, sample) in samples.iter().enumerate().take(last).skip(first) {
            let part = (at as f64 + 1.0).min(to) - (at as f64).max(from);
            sum += part * f64::from(*sample);
        }
        (sum / step) as i16
    };
    (0..count).map(mean).collect()
}

/// Samples as a WAV file.
///
/// # Errors
/// More samples than such a file can hold: 37 hours.
pub fn write(samples: &[i16]) -> io::Result<Vec<u8>> {
    let mut file = Cursor::new(Vec::new());
    Writer::new(&mut file)?.write(samples)?;
    Ok(file.into_inner())
}

/// A WAV file that is whole after each write.
pub struct Writer<W: Write + Seek>(WavWriter<W>);

impl<W: Write + Seek> Writer<W> {
    /// A file without a sample.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn new(file: W) -> io::Result<Writer<W>> {
        WavWriter::new(file, SPEC).map(Writer).map_err(io::Error::other)
    }

    /// Adds samples.
    ///
    /// # Errors
    /// They cannot be written, or the file can hold no more.
    pub fn write(&mut self, samples: &[i16]) -> io::Result<()> {
        let written = samples.iter().try_for_each(|sample| self.0.write_sample(*sample));
        written.and_then(|()| self.0.flush()).map_err(io::Error::other)
    }
}

#[cfg(test)]
mod tests;
