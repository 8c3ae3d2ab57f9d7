//! Calculates with + - * / ^ and parentheses, exactly.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT).tool(
            Tool::new("@calculate", "Calculates an expression with + - * / ^ and parentheses")
                .param(Param::text("@calculate.expression", "the expression, such as (2 + 3) * 4.5"))
                .phrase("en", "calculate|compute|evaluate|solve {@calculate.expression}")
                .phrase("en", "work out {@calculate.expression}")
                .phrase("en", "how much is {@calculate.expression}")
                .phrase("en", "what is {@calculate.expression}")
                .phrase("de", "berechne|rechne {@calculate.expression} [aus]")
                .phrase("de", "wie viel ist|sind|ergibt|macht {@calculate.expression}")
                .phrase("de", "was ist|sind|ergibt|macht {@calculate.expression}")
                .example("what is (2 + 3) * 4.5?")
                .example("wie viel ist (2 + 3) * 4,5?"),
        )
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            "@calculate" => calculate(call.text("@calculate.expression")?, german(call)),
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

fn calculate(text: &str, german: bool) -> Answer {
    let text = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '?' | '!' | '='));
    // "what is love" is for somebody else, and so is a number alone.
    let tokens = tokens(text, german).ok_or_else(Refusal::not_mine)?;
    if !tokens.iter().any(|token| matches!(token, Token::Sign(_))) || tokens.len() > 200 {
        return Err(Refusal::not_mine());
    }
    let mut reader = Reader { tokens: &tokens, at: 0, german };
    let result = reader.sum(0)?;
    if reader.at < tokens.len() {
        return Err(reader.unreadable());
    }
    let is_exact = result.rounded(10).and_then(|units| Ratio::new(units, ten_to(10))) == Some(result);
    let shown = in_words(&result.shown(10).ok_or_else(too_large)?, german);
    Ok(match (is_exact, german) {
        (true, false) => format!("{} is {}.", text, shown),
        (true, true) => format!("{} ist {}.", text, shown),
        (false, false) => format!("{} is about {}.", text, shown),
        (false, true) => format!("{} ist etwa {}.", text, shown),
    })
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Number(Ratio),
    Sign(char),
    Open,
    Close,
}

/// Reads numbers, signs, and the words for signs; nothing if a word means something else.
fn tokens(text: &str, german: bool) -> Option<Vec<Token>> {
    let mut lower = lower(text);
    for (words, sign) in WORDS {
        lower = lower.replace(words, sign);
    }
    let mut tokens = Vec::new();
    let mut rest = lower.trim_start();
    while let Some(first) = rest.chars().next() {
        if first.is_ascii_digit() || first == '.' || first == ',' {
            let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == ',')).unwrap_or(rest.len());
            tokens.push(Token::Number(Ratio::parse(rest.get(..end)?, german)?));
            rest = rest.get(end..)?.trim_start();
            continue;
        }
        tokens.push(match first {
            '+' => Token::Sign('+'),
            '-' | '\u{2212}' | '\u{2013}' => Token::Sign('-'),
            '*' | 'x' | '\u{d7}' | '\u{b7}' => Token::Sign('*'),
            '/' | ':' | '\u{f7}' => Token::Sign('/'),
            '^' => Token::Sign('^'),
            '(' => Token::Open,
            ')' => Token::Close,
            _ => return None,
        });
        rest = rest.get(first.len_utf8()..)?.trim_start();
    }
    Some(tokens)
}

const WORDS: &[(&str, &str)] = &[
    (" divided by ", " / "),
    (" geteilt durch ", " / "),
    (" durch ", " / "),
    (" over ", " / "),
    (" multiplied by ", " * "),
    (" times ", " * "),
    (" mal ", " * "),
    (" to the power of ", " ^ "),
    (" hoch ", " ^ "),
    (" squared", " ^ 2"),
    (" cubed", " ^ 3"),
    ("**", "^"),
    (" plus ", " + "),
    (" and ", " + "),
    (" minus ", " - "),
    ("minus ", "-"),
];

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    german: bool,
}

impl Reader<'_> {
    fn refusal(&self, english: &str, german: &str) -> Refusal {
        Refusal::failed(if self.german { german } else { english })
    }

    fn unreadable(&self) -> Refusal {
        self.refusal("I cannot read that as a calculation.", "Das kann ich nicht als Rechnung lesen.")
    }

    fn sum(&mut self, depth: usize) -> Result<Ratio, Refusal> {
        let mut value = self.product(depth)?;
        while let Some(sign) = self.sign("+-") {
            let right = self.product(depth)?;
            value = if sign == '+' { value.plus(right) } else { value.minus(right) }.ok_or_else(too_large)?;
        }
        Ok(value)
    }

    fn product(&mut self, depth: usize) -> Result<Ratio, Refusal> {
        let mut value = self.signed(depth)?;
        while let Some(sign) = self.sign("*/") {
            let right = self.signed(depth)?;
            if sign == '/' && right.top == 0 {
                return Err(self.refusal("Nothing can be divided by 0.", "Durch 0 kann man nicht teilen."));
            }
            value = if sign == '*' { value.times(right) } else { value.over(right) }.ok_or_else(too_large)?;
        }
        Ok(value)
    }

    fn signed(&mut self, depth: usize) -> Result<Ratio, Refusal> {
        let mut negative = false;
        while let Some(sign) = self.sign("+-") {
            negative ^= sign == '-';
        }
        let value = self.power(depth)?;
        if negative {
            Ratio::whole(0).minus(value).ok_or_else(too_large)
        } else {
            Ok(value)
        }
    }

    fn power(&mut self, depth: usize) -> Result<Ratio, Refusal> {
        let base = self.operand(depth)?;
        if self.sign("^").is_none() {
            return Ok(base);
        }
        let exponent = self.operand(depth)?;
        if exponent.bottom != 1 || !(0..=200).contains(&exponent.top) {
            return Err(self.refusal(
                "A power has a whole number from 0 to 200 above it.",
                "Eine Potenz hat eine ganze Zahl von 0 bis 200 als Hochzahl.",
            ));
        }
        (0..exponent.top).try_fold(Ratio::whole(1), |power, _| power.times(base)).ok_or_else(too_large)
    }

    fn operand(&mut self, depth: usize) -> Result<Ratio, Refusal> {
        let token = self.tokens.get(self.at).ok_or_else(|| self.unreadable())?;
        self.at += 1;
        match token {
            Token::Number(number) => Ok(*number),
            Token::Open if depth < 30 => {
                let value = self.sum(depth + 1)?;
                if self.tokens.get(self.at) != Some(&Token::Close) {
                    return Err(self.unreadable());
                }
                self.at += 1;
                Ok(value)
            }
            _ => Err(self.unreadable()),
        }
    }

    fn sign(&mut self, wanted: &str) -> Option<char> {
        match self.tokens.get(self.at) {
            Some(Token::Sign(sign)) if wanted.contains(*sign) => {
                self.at += 1;
                Some(*sign)
            }
            _ => None,
        }
    }
}

// @include ratio whole plus minus shown
// @include german

const GERMAN: &[&str] = &[
    "ist", "sind", "ergibt", "macht", "viel", "berechne", "rechne", "mal", "geteilt", "durch", "hoch",
];
