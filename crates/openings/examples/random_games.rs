//! Writes random games as WTHOR files, to measure large databases with:
//! `cargo run --release -p emilia-openings --example random_games -- FOLDER FILES GAMES_EACH`

use std::error::Error;
use std::path::PathBuf;

use emilia_record::thor::Header;
use emilia_rules::batch::random_game;
use emilia_rules::{Board, Kernel, Size, Task, Tier};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, files, games] = arguments.as_slice() else {
        return Err("say FOLDER FILES GAMES_EACH".into());
    };
    let (folder, files, games) = (PathBuf::from(folder), files.parse::<u64>()?, games.parse::<u32>()?);
    std::fs::create_dir_all(&folder)?;
    for file in 0..files {
        let bytes = Tier::best().run(Games { games, seed: file });
        std::fs::write(folder.join(format!("random-{file:03}.wtb")), bytes)?;
    }
    Ok(())
}

/// A file of random games.
struct Games {
    games: u32,
    seed: u64,
}

impl Task for Games {
    type Output = Vec<u8>;

    fn run<K: Kernel>(self, kernel: K) -> Vec<u8> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let header = Header {
            century: 20,
            year: 26,
            month: 1,
            day: 1,
            games: self.games,
            played: 2026,
            ..Header::default()
        };
        let mut bytes = header.to_bytes().to_vec();
        for _ in 0..self.games {
            let begin = bytes.len();
            bytes.extend([0; 8]);
            let below = |limit: u32| random.random_range(0..limit);
            let end = random_game(kernel, Board::START, Size::EIGHT, below, |square| {
                bytes.push(10 * (square / 8 + 1) + square % 8 + 1);
            });
            let (black, white) = (end.own.0.count_ones(), end.opponent.0.count_ones());
            let empty = 64 - black - white;
            // Empty squares are the winner's, and half of them each side's in a draw.
            bytes[begin + 6] = match black.cmp(&white) {
                std::cmp::Ordering::Greater => black + empty,
                std::cmp::Ordering::Equal => 32,
                std::cmp::Ordering::Less => black,
            } as u8;
            bytes.resize(begin + 68, 0);
        }
        bytes
    }
}
