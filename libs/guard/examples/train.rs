//! Learns the weights of `learned-words` from the lines in `dev/` that are for tuning, and writes them to
//! `src/weights.bin`: `cargo run -p guard --release --example train` in the crate's folder. The same lines give the same
//! weights.

use std::{error, fs};

use guard::learned::{BUCKETS, Signature};

/// How often all lines are gone through, and how far one line moves the weights at first.
const ROUNDS: u32 = 30;
const STEP: f64 = 0.1;

/// How far a weight shrinks each time that it is used, so that no single line decides.
const SHRINK: f64 = 3e-4;

fn main() -> Result<(), Box<dyn error::Error>> {
    let mut lines: Vec<(Signature, bool)> = Vec::new();
    let mut files: Vec<_> =
        fs::read_dir("dev")?.map(|entry| entry.map(|e| e.path())).collect::<Result<_, _>>()?;
    files.sort();
    for file in files {
        let name = file.to_string_lossy();
        let held_out = ["held-out", "blind-c", "blind-d", "blind-e"].iter().any(|part| name.contains(part));
        if held_out || !name.ends_with(".txt") {
            continue;
        }
        let attack = name.contains("attacks");
        for line in fs::read_to_string(&file)?.lines().filter(|l| !l.is_empty() && !l.starts_with("//")) {
            lines.push((Signature::of(&line.replace("\\n", "\n")), attack));
        }
    }
    let attacks = lines.iter().filter(|(_, attack)| *attack).count();
    // Both kinds count alike, however many lines of each there are.
    let balance = (lines.len() - attacks) as f64 / attacks as f64;
    let (mut weights, mut bias) = (vec![0.0_f64; BUCKETS], 0.0_f64);
    let mut order: Vec<usize> = (0..lines.len()).collect();
    let mut chance = 1_u64;
    for round in 0..ROUNDS {
        for at in (1..order.len()).rev() {
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            order.swap(at, (chance >> 33) as usize % (at + 1));
        }
        let rate = STEP / (1.0 + 0.3 * f64::from(round));
        for at in &order {
            let (signature, attack) = &lines[*at];
            let Some(buckets) = signature.buckets() else { continue };
            let scale = ((buckets.len() + 1) as f64).sqrt();
            let sum: f64 = buckets.iter().map(|b| weights[usize::from(*b)]).sum();
            let guess = 1.0 / (1.0 + (-(bias + sum / scale)).exp());
            let (wanted, worth) = if *attack { (1.0, balance) } else { (0.0, 1.0) };
            let step = rate * worth * (wanted - guess);
            bias += step;
            for b in buckets {
                let weight = &mut weights[usize::from(*b)];
                *weight = *weight * (1.0 - SHRINK) + step / scale * 3.0;
            }
        }
    }
    let largest = weights.iter().fold(0.0_f64, |most, w| most.max(w.abs()));
    let unit = (largest / 127.0 * 1000.0).ceil().max(1.0);
    let mut out = Vec::with_capacity(BUCKETS + 4);
    out.extend((bias * 1000.0).round().clamp(-30_000.0, 30_000.0).to_string().parse::<i16>()?.to_le_bytes());
    out.extend(unit.to_string().parse::<i16>()?.to_le_bytes());
    for weight in weights {
        let byte: i8 = (weight * 1000.0 / unit).round().to_string().parse()?;
        out.extend(byte.to_le_bytes());
    }
    fs::write("src/weights.bin", out)?;
    println!("{} lines, of them {attacks} attacks; bias {bias:.2}, unit {unit}", lines.len());
    Ok(())
}
