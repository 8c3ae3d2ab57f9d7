//! How many tests passed, failed and were skipped, counted from what `cargo test` says.

/// The sum over all test programs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Tests that passed.
    pub(crate) passed: u64,
    /// Tests that failed.
    pub(crate) failed: u64,
    /// Tests that this machine could not run, wholly or in part.
    pub(crate) skipped: u64,
    /// Of those that passed, the ones that failed beside others and held alone.
    pub(crate) second: u64,
}

impl Tally {
    /// Adds one line of output, if it is a test program's closing line.
    pub(crate) fn add_line(&mut self, line: &str) {
        if let Some((passed, failed, ignored)) = closing_line(line) {
            self.passed += passed;
            self.failed += failed;
            self.skipped += ignored;
        }
    }

    /// Both together.
    pub(crate) fn plus(self, other: Tally) -> Tally {
        Tally {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
            skipped: self.skipped + other.skipped,
            second: self.second + other.second,
        }
    }

    /// Takes tests that said that they were skipped out of those that passed: a test program counts them there.
    pub(crate) fn less_skipped(self, skipped: u64) -> Tally {
        Tally { passed: self.passed.saturating_sub(skipped), skipped: self.skipped + skipped, ..self }
    }

    /// The closing summary, or `None` where the sum cannot be the truth: a program that dies prints no closing line, so
    /// a failed run without a failed test (or the other way round) was not counted to its end.
    pub(crate) fn summary(self, run_succeeded: bool) -> Option<String> {
        (run_succeeded == (self.failed == 0)).then(|| self.line())
    }

    /// The numbers.
    pub(crate) fn line(self) -> String {
        let line = format!("{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped);
        if self.second > 0 { format!("{line}, {} only at the second try", self.second) } else { line }
    }
}

/// Tests that say on standard error that they are skipped: `skipped: NAME: REASON`, each counted once for each test
/// program, whose name `cargo` prints before it runs.
#[derive(Debug, Default)]
pub(crate) struct Skips {
    of_this_program: std::collections::BTreeSet<String>,
    before: u64,
}

impl Skips {
    /// Adds one line of standard error.
    pub(crate) fn add_line(&mut self, line: &str) {
        if line.trim_start().starts_with("Running ") || line.trim_start().starts_with("Doc-tests ") {
            self.before = self.sum();
            self.of_this_program.clear();
        } else if let Some((name, _)) = line.strip_prefix("skipped: ").and_then(|rest| rest.split_once(": "))
        {
            self.of_this_program.insert(name.to_owned());
        }
    }

    /// How many there were.
    pub(crate) fn sum(&self) -> u64 {
        self.before + self.of_this_program.len() as u64
    }
}

/// Reads `test result: ok. 12 passed; 0 failed; 1 ignored; ...`.
fn closing_line(line: &str) -> Option<(u64, u64, u64)> {
    let counts = line.trim_end().strip_prefix("test result: ")?.split_once(". ")?.1;
    let mut parts = counts.split("; ");
    let mut next = |word: &str| parts.next()?.strip_suffix(word)?.parse().ok();
    Some((next(" passed")?, next(" failed")?, next(" ignored")?))
}

#[cfg(test)]
mod tests;
