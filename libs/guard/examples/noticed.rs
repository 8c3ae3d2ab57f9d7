//! Says how much of each file of texts is noticed: `cargo run -p guard --example noticed -- [-v] FILE...`; with `-v` it
//! lists the texts that pass in files of attacks, and those that are held up in any other file.

use std::{env, fs};

use guard::{Judge, Judgement, Source, Verdict};
use shared_types::audience::Audience;

fn main() -> Result<(), String> {
    let (flags, files): (Vec<String>, Vec<String>) = env::args().skip(1).partition(|a| a == "-v");
    let judge = Judge::new(Audience::Adult, Source::Typed);
    for file in files {
        let text = fs::read_to_string(&file).map_err(|e| format!("{file}: {e}; give a text file"))?;
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with("//"));
        let judged: Vec<(&str, Judgement)> =
            lines.map(|line| (line, judge.judge(&line.replace("\\n", "\n")))).collect();
        let reach = |least| judged.iter().filter(|(_, j)| j.verdict >= least).count();
        let percent = |count: usize| count * 1000 / judged.len().max(1);
        println!(
            "{file}: {} texts, of 1000 {} noticed, {} blocked",
            judged.len(),
            percent(reach(Verdict::Caution)),
            percent(reach(Verdict::Block))
        );
        let attacks = file.contains("attacks");
        for (line, judgement) in &judged {
            if !flags.is_empty() && (judgement.verdict == Verdict::Pass) == attacks {
                let rules: Vec<&str> = judgement.noticed.iter().map(|n| n.id).collect();
                println!("  {} {} <- {}", judgement.score, line, rules.join(" "));
            }
        }
    }
    Ok(())
}
