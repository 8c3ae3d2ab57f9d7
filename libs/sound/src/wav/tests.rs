use hound::{SampleFormat, WavSpec, WavWriter};
use proptest::prelude::*;

use super::{Fault, LONGEST_SECONDS, read, write};
use crate::RATE;

fn file(spec: WavSpec, samples: &[i16]) -> Vec<u8> {
    let mut file = std::io::Cursor::new(Vec::new());
    let mut writer = WavWriter::new(&mut file, spec).expect("a writer");
    for sample in samples {
        writer.write_sample(*sample).expect("a sample");
    }
    writer.finalize().expect("a file");
    file.into_inner()
}

fn spec(rate: u32) -> WavSpec {
    WavSpec { channels: 1, sample_rate: rate, bits_per_sample: 16, sample_format: SampleFormat::Int }
}

proptest! {
    #[test]
    fn samples_are_read_as_they_were_written(samples in proptest::collection::vec(any::<i16>(), 0..200)) {
        let bytes = write(&samples).expect("a file");
        prop_assert_eq!(read(bytes.as_slice()).expect("it is valid"), samples);
    }

    #[test]
    fn no_bytes_bring_the_reader_down(bytes in proptest::collection::vec(any::<u8>(), 0..200), cut in 0usize..44) {
        let _ = read(bytes.as_slice());
        let mut torn = write(&[1, 2, 3]).expect("a file");
        torn.truncate(cut);
        torn.extend(bytes);
        let _ = read(torn.as_slice());
    }
}

/// A tone keeps its length and its height at another rate.
#[test]
fn a_higher_rate_becomes_ours() {
    for rate in [22_050, 44_100, 48_000] {
        let wave = |at: u32| (f64::from(at) * 440.0 * std::f64::consts::TAU / f64::from(rate)).sin();
        let tone: Vec<i16> = (0..rate).map(|at| (wave(at) * 10_000.0) as i16).collect();
        let read = read(file(spec(rate), &tone).as_slice()).expect("it is taken");
        assert!(read.len().abs_diff(RATE as usize) <= 1, "{rate}: {}", read.len());
        let crossings = read.windows(2).filter(|pair| pair[0] < 0 && pair[1] >= 0).count();
        assert!((438..=441).contains(&crossings), "{rate}: {crossings}");
        assert!(read.iter().map(|sample| sample.unsigned_abs()).max() > Some(9_000), "{rate}");
    }
}

/// What is not taken is refused with what is allowed, and a length that a header names is not believed.
#[test]
fn other_sound_is_refused() {
    for spec in [spec(8_000), spec(96_000), WavSpec { channels: 2, ..spec(RATE) }] {
        let refused = read(file(spec, &[0; 8]).as_slice()).expect_err("it is refused");
        assert!(
            matches!(refused, Fault::Format { .. }) && refused.to_string().contains("one channel"),
            "{refused}"
        );
    }
    let long = vec![0; (LONGEST_SECONDS * RATE) as usize + 1];
    assert!(matches!(read(file(spec(RATE), &long).as_slice()), Err(Fault::TooLong)));
    let mut lying = write(&[1, 2, 3]).expect("a file");
    lying[40..44].copy_from_slice(&0xffff_fff0_u32.to_le_bytes());
    assert!(matches!(read(lying.as_slice()), Err(Fault::Malformed(_))));
    assert!(matches!(read(&b"RIFF"[..]), Err(Fault::Malformed(_))));
}
