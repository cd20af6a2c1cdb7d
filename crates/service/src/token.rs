use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A secret of 128 random bits: who knows it holds a seat. Also the name of a game, which is known to whoever has its
/// link and to nobody else. Written as 22 letters of the URL alphabet.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Token([u8; 16]);

/// A text that is no token.
#[derive(Debug, thiserror::Error)]
#[error("a token is 22 letters, digits, - and _")]
pub struct TokenError;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

impl Token {
    /// A new one, of random bytes.
    #[must_use]
    pub fn new(bytes: [u8; 16]) -> Token {
        Token(bytes)
    }

    /// Whether both are the same. Takes the same time wherever they differ.
    pub fn same(self, other: Token) -> bool {
        let difference = self.0.iter().zip(other.0).fold(0, |sum, (a, b)| sum | (a ^ b));
        std::hint::black_box(difference) == 0
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = u128::from_be_bytes(self.0);
        for place in (0..22).rev() {
            // 22 letters hold 132 bits: the first has only two of them.
            let letter = (bits >> (6 * place)) as usize & 63;
            write!(f, "{}", char::from(ALPHABET[letter]))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Token {
    /// Secrets do not belong in logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl FromStr for Token {
    type Err = TokenError;

    fn from_str(text: &str) -> Result<Token, TokenError> {
        if text.len() != 22 {
            return Err(TokenError);
        }
        let mut bits: u128 = 0;
        for (place, byte) in text.bytes().enumerate() {
            let letter = ALPHABET.iter().position(|known| *known == byte).ok_or(TokenError)?;
            if place == 0 && letter > 3 {
                return Err(TokenError);
            }
            bits = (bits << 6) | letter as u128;
        }
        Ok(Token(bits.to_be_bytes()))
    }
}

impl TryFrom<String> for Token {
    type Error = TokenError;

    fn try_from(text: String) -> Result<Token, TokenError> {
        text.parse()
    }
}

impl From<Token> for String {
    fn from(token: Token) -> String {
        token.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_read_as_they_are_written_and_differ() {
        let tokens: Vec<Token> =
            (0..100_u128).map(|n| Token::new((n.pow(9) << 40 | n).to_be_bytes())).collect();
        for (at, token) in tokens.iter().enumerate() {
            let again: Token = token.to_string().parse().unwrap();
            assert!(again.same(*token));
            assert!(tokens[..at].iter().all(|other| !other.same(*token)));
        }
        assert_eq!(Token([0; 16]).to_string(), "A".repeat(22));
        assert_eq!(Token([255; 16]).to_string(), format!("D{}", "_".repeat(21)));
        for text in ["", "AAAA", &"E".repeat(22), &"é".repeat(11), &"+".repeat(22)] {
            assert!(text.parse::<Token>().is_err(), "{text}");
        }
        assert_eq!(format!("{:?}", tokens[0]), "Token(…)");
    }
}
