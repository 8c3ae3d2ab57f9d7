//! Less of a steady noise: what sounds in the quietest moments is taken from all others, frequency by frequency.
//!
//! A Wiener filter with the decision-directed estimate of Ephraim and Malah. Sound that is quiet already stays as it is.

use std::f32::consts::PI;

/// Samples of a window; half of it is a step.
const WINDOW: usize = 512;
const STEP: usize = WINDOW / 2;
/// The part of the frames, the quietest ones, that shows the noise: one in so many.
const QUIETEST: usize = 6;
/// How much the loudest frames must be above the noise, as a power, for sound to be quiet already.
const QUIET: f32 = 3_000.0;
/// The noise in the quietest frames is less than the mean: by this factor.
const BIAS: f32 = 1.6;
/// The weight of the frame before.
const BEFORE: f32 = 0.96;
/// The least that stays of a frequency: what is taken away whole sounds like nothing that the model has seen.
const LEAST: f32 = 0.12;

/// The sound with less of its noise.
pub(crate) fn reduced(sound: &[i16]) -> Vec<i16> {
    let count = (sound.len() + STEP).div_ceil(STEP);
    if sound.len() < 4 * WINDOW {
        return sound.to_vec();
    }
    let window: Vec<f32> = (0..WINDOW).map(|at| (PI * (at as f32 + 0.5) / WINDOW as f32).sin()).collect();
    let at = |index: usize| {
        index.checked_sub(STEP).and_then(|at| sound.get(at)).map_or(0.0, |one| f32::from(*one))
    };
    let spectra: Vec<Vec<Complex>> = (0..count)
        .map(|frame| {
            let mut values: Vec<Complex> =
                (0..WINDOW).map(|one| Complex(at(frame * STEP + one) * window[one], 0.0)).collect();
            transform(&mut values, false);
            values
        })
        .collect();
    let noise = quietest(&spectra);
    let floor: f32 = noise.iter().sum::<f32>();
    let mut powers: Vec<f32> = spectra.iter().map(|one| one.iter().map(Complex::power).sum()).collect();
    powers.sort_by(f32::total_cmp);
    if floor <= 0.0 || powers[count * 9 / 10] > floor * QUIET {
        return sound.to_vec();
    }
    let mut clean = vec![0.0; (count + 1) * STEP];
    let mut before = vec![0.0; WINDOW];
    for (frame, mut values) in spectra.into_iter().enumerate() {
        for ((value, noise), before) in values.iter_mut().zip(&noise).zip(&mut before) {
            let noise = noise.max(1e-3);
            let above = (value.power() / noise - 1.0).max(0.0);
            let estimate = BEFORE * *before + (1.0 - BEFORE) * above;
            let gain = (estimate / (1.0 + estimate)).max(LEAST);
            *before = gain * gain * value.power() / noise;
            *value = Complex(value.0 * gain, value.1 * gain);
        }
        transform(&mut values, true);
        for (one, value) in values.iter().enumerate() {
            clean[frame * STEP + one] += value.0 / WINDOW as f32 * window[one];
        }
    }
    (0..sound.len())
        .map(|at| clean[at + STEP].clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16)
        .collect()
}

/// The mean power of each frequency in the quietest frames.
fn quietest(spectra: &[Vec<Complex>]) -> Vec<f32> {
    let mut frames: Vec<(f32, &Vec<Complex>)> =
        spectra.iter().map(|one| (one.iter().map(Complex::power).sum(), one)).collect();
    // The frames at both ends are half empty, and silence that was added says nothing of noise.
    frames.retain(|(power, _)| *power > 0.0);
    frames.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let count = (frames.len() / QUIETEST).max(1).min(frames.len());
    let mut noise = vec![0.0; WINDOW];
    for (_, frame) in &frames[..count] {
        noise.iter_mut().zip(*frame).for_each(|(noise, value)| *noise += value.power() * BIAS / count as f32);
    }
    noise
}

#[derive(Clone, Copy)]
struct Complex(f32, f32);

impl Complex {
    fn power(&self) -> f32 {
        self.0 * self.0 + self.1 * self.1
    }

    fn times(self, other: Complex) -> Complex {
        Complex(self.0 * other.0 - self.1 * other.1, self.0 * other.1 + self.1 * other.0)
    }
}

/// The Fourier transform of a number of values that is a power of two, or its inverse without the factor.
fn transform(values: &mut [Complex], is_inverse: bool) {
    let count = values.len();
    let bits = count.trailing_zeros();
    for at in 0..count {
        let other = at.reverse_bits() >> (usize::BITS - bits);
        if at < other {
            values.swap(at, other);
        }
    }
    let mut half = 1;
    while half < count {
        let angle = if is_inverse { PI } else { -PI } / half as f32;
        for at in 0..half {
            let turn = Complex((angle * at as f32).cos(), (angle * at as f32).sin());
            for first in (at..count).step_by(2 * half) {
                let (one, other) = (values[first], values[first + half].times(turn));
                values[first] = Complex(one.0 + other.0, one.1 + other.1);
                values[first + half] = Complex(one.0 - other.0, one.1 - other.1);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests;
