use super::{Complex, reduced, transform};

/// A second of a tone between two seconds of noise.
fn sound(noise: f32) -> Vec<i16> {
    let mut state = 7_u32;
    (0..48_000_usize)
        .map(|at| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let hiss = ((state >> 16) as f32 / 32_768.0 - 1.0) * noise;
            let is_tone = (16_000..32_000).contains(&at);
            let tone = if is_tone { (at as f32 * 0.3).sin() * 8_000.0 } else { 0.0 };
            (tone + hiss) as i16
        })
        .collect()
}

fn power(sound: &[i16]) -> f64 {
    sound.iter().map(|one| f64::from(*one).powi(2)).sum::<f64>() / sound.len() as f64
}

/// Noise becomes less, and what stands out of it stays; sound that is quiet, short or empty stays as it is.
#[test]
fn noise_becomes_less() {
    let noisy = sound(3_000.0);
    let clean = reduced(&noisy);
    assert_eq!(clean.len(), noisy.len());
    assert!(power(&clean[2_000..14_000]) < power(&noisy[2_000..14_000]) / 10.0);
    assert!(power(&clean[18_000..30_000]) > 0.7 * 32e6, "{}", power(&clean[18_000..30_000]));
    for same in [sound(10.0), vec![0; 16_000], vec![100; 300], vec![]] {
        assert_eq!(reduced(&same), same);
    }
}

#[test]
fn a_transform_and_its_inverse_are_nothing() {
    let values: Vec<Complex> = (0..16_u8).map(|at| Complex(f32::from(at * at % 7), 0.0)).collect();
    let mut turned = values.clone();
    transform(&mut turned, false);
    transform(&mut turned, true);
    for (one, other) in values.iter().zip(&turned) {
        assert!((one.0 - other.0 / 16.0).abs() < 1e-4 && other.1.abs() < 1e-3);
    }
}
