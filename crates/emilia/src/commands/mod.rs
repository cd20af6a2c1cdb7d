//! The subcommands, one file each: its arguments, its examples, what it does.

mod analyse;
mod bench;
mod book;
mod cluster;
mod completions;
mod conditions;
mod console;
mod convert;
mod data;
mod dataset;
mod eval;
mod evaltest;
mod evolve;
mod explore;
mod games;
mod gtp;
mod health;
mod humantest;
mod insights;
mod jsonl;
mod ladder;
mod live;
mod matches;
mod nboard;
mod openings;
mod perft;
mod play;
mod players;
mod probcut;
mod puzzles;
mod selfplay;
mod serve;
mod show;
mod site;
mod solve;
mod tournament;
mod train;
mod tree;
mod tui;
mod ugi;
mod window;
mod work;

use clap::Subcommand;

use crate::{Failure, Streams};

#[derive(Subcommand)]
pub(crate) enum Command {
    Play(play::Play),
    Tui(Box<tui::Tui>),
    Console(console::Console),
    Match(Box<matches::MatchCommand>),
    Tournament(Box<tournament::Tournament>),
    Ladder(Box<ladder::Ladder>),
    Openings(openings::Openings),
    Book(book::BookCommand),
    Evolve(Box<evolve::Evolve>),
    Train(train::Train),
    Players(players::Players),
    #[command(name = "selfplay")]
    SelfPlay(selfplay::SelfPlay),
    Data(data::Data),
    Dataset(Box<dataset::Dataset>),
    Work(work::Work),
    Cluster(cluster::Cluster),
    #[command(name = "evaltest")]
    EvalTest(evaltest::EvalTest),
    #[command(name = "humantest")]
    HumanTest(humantest::HumanTest),
    #[command(name = "probcut")]
    ProbCut(probcut::ProbCut),
    Puzzles(puzzles::Puzzles),
    Insights(Box<insights::Insights>),
    Show(show::Show),
    Explore(Box<explore::Explore>),
    Games(games::Games),
    Convert(convert::Convert),
    Eval(eval::Eval),
    Tree(tree::TreeCommand),
    Analyse(analyse::Analyse),
    Solve(solve::Solve),
    Bench(bench::Bench),
    Serve(serve::Serve),
    Site(site::Site),
    Health(health::Health),
    Jsonl(jsonl::Jsonl),
    Gtp(gtp::Gtp),
    #[command(name = "nboard")]
    NBoard(nboard::NBoard),
    Ugi(ugi::Ugi),
    Perft(perft::Perft),
    Completions(completions::Completions),
}

impl Command {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        match self {
            Command::Play(command) => command.run(streams),
            Command::Tui(command) => command.run(streams),
            Command::Console(command) => command.run(streams),
            Command::Match(command) => command.run(streams),
            Command::Tournament(command) => command.run(streams),
            Command::Ladder(command) => command.run(streams),
            Command::Openings(command) => command.run(streams),
            Command::Book(command) => command.run(streams),
            Command::Evolve(command) => command.run(streams),
            Command::Train(command) => command.run(streams),
            Command::Players(command) => command.run(streams),
            Command::SelfPlay(command) => command.run(streams),
            Command::Data(command) => command.run(streams),
            Command::Dataset(command) => command.run(streams),
            Command::Work(command) => command.run(streams),
            Command::Cluster(command) => command.run(streams),
            Command::EvalTest(command) => command.run(streams),
            Command::HumanTest(command) => command.run(streams),
            Command::ProbCut(command) => command.run(streams),
            Command::Puzzles(command) => command.run(streams),
            Command::Insights(command) => command.run(streams),
            Command::Show(command) => command.run(streams),
            Command::Explore(command) => command.run(streams),
            Command::Games(command) => command.run(streams),
            Command::Convert(command) => command.run(streams),
            Command::Eval(command) => command.run(streams),
            Command::Tree(command) => command.run(streams),
            Command::Analyse(command) => command.run(streams),
            Command::Solve(command) => command.run(streams),
            Command::Bench(command) => command.run(streams),
            Command::Serve(command) => command.run(streams),
            Command::Site(command) => command.run(streams),
            Command::Health(command) => command.run(streams),
            Command::Jsonl(command) => command.run(streams),
            Command::Gtp(command) => command.run(streams),
            Command::NBoard(command) => command.run(streams),
            Command::Ugi(command) => command.run(streams),
            Command::Perft(command) => command.run(streams),
            Command::Completions(command) => command.run(streams),
        }
    }
}

/// What a player is called in conversations: Emilia herself by her name, others as they were called.
fn spoken_name(player: &str) -> String {
    if player.trim() == "emilia" { "Emilia".to_owned() } else { player.trim().to_owned() }
}
