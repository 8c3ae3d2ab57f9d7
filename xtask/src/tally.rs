//! How many tests passed and failed, counted from what `cargo test` says.

/// The sum over all test programs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Tests that passed.
    pub(crate) passed: u64,
    /// Tests that failed.
    pub(crate) failed: u64,
}

impl Tally {
    /// Adds one line of output, if it is a test program's closing line.
    pub(crate) fn add_line(&mut self, line: &str) {
        if let Some((passed, failed)) = closing_line(line) {
            self.passed += passed;
            self.failed += failed;
        }
    }

    /// The closing summary, or `None` where the sum cannot be the truth: a program that dies prints no closing line, so
    /// a failed run without a failed test (or the other way round) was not counted to its end.
    pub(crate) fn summary(self, run_succeeded: bool) -> Option<String> {
        (run_succeeded == (self.failed == 0))
            .then(|| format!("{} passed, {} failed", self.passed, self.failed))
    }
}

/// Reads `test result: ok. 12 passed; 0 failed; ...`.
fn closing_line(line: &str) -> Option<(u64, u64)> {
    let counts = line.trim_end().strip_prefix("test result: ")?.split_once(". ")?.1;
    let mut parts = counts.split("; ");
    let passed = parts.next()?.strip_suffix(" passed")?.parse().ok()?;
    let failed = parts.next()?.strip_suffix(" failed")?.parse().ok()?;
    Some((passed, failed))
}

#[cfg(test)]
mod tests;
