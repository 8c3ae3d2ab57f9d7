//! What came of a line that is a sum.

use super::ratio::Ratio;

/// Why a sum has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// These signs are not a sum.
    NoSum,
    ByZero,
    TooLarge,
}

pub(super) type Outcome = Result<Ratio, Fault>;

/// A number or a sign of a sum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Sign {
    Number(Ratio),
    Of(char),
}

/// Digits behind the point of a result.
pub(super) const MAX_DIGITS: usize = 6;

/// Amounts with their units, and the unit that they are asked in.
pub(super) type Measured = (Vec<(Ratio, &'static str)>, &'static str);

/// How a result is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Plain,
    /// A part of a whole in percent; its last two signs are the times 100.
    Percent,
    /// As a fraction of whole numbers.
    Fraction,
    /// With the sign of a unit behind it.
    Unit(&'static str),
    /// Hours, as hours and minutes.
    Hours,
    /// Minutes, as minutes and seconds for one of a unit.
    Pace(&'static str),
    /// A whole number of one base in another.
    Base(u32, u32),
}

/// A line that was worked out.
pub(super) struct Worked {
    pub(super) signs: Vec<Sign>,
    pub(super) outcome: Outcome,
    /// Digits behind the point of the result.
    pub(super) digits: usize,
    /// The amounts that were converted, and the unit of the result.
    pub(super) measured: Option<Measured>,
    pub(super) form: Form,
}

impl Worked {
    pub(super) fn of(signs: Vec<Sign>, outcome: Outcome) -> Worked {
        Worked { signs, outcome, digits: MAX_DIGITS, measured: None, form: Form::Plain }
    }
}
