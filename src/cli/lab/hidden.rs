//! `lovec lab hidden`: games with hidden cards.

use std::io::Write;

use anyhow::{Context, Result, ensure};
use serde::Serialize;

use crate::cli::{CommandStatus, Interrupt, aligned, json, progress, whole};
use crate::lab::hidden::double_dummy::{DoubleDummy, Sharing};
use crate::lab::hidden::exact::plans;
use crate::lab::hidden::suit::Deal;
use crate::lab::hidden::world_text::FAULTS;
use crate::lab::hidden::{HiddenGame, Worlds, methods, open_wins};

const EXAMPLES: &str = "\
A deal is one suit of bridge: the cards of North, of South, and those that East and West hold
between them. You play North and South, lead every trick, and have to take --tricks of them.
In a tree you and the other side move in turn; a leaf has a digit for each world, 1 if you win
there, 0 if not, - where a move of the other side is not legal. The other side sees all.

The column `chance` is how often the strategy of a method wins, `best` how often the best one
does after its first move. Without GAME: trees that show what sampling does wrong.

Examples:
  lovec lab hidden
  lovec lab hidden AQT/432/KJ98 --tricks 2
  lovec lab hidden \"[[[10 01] [11]] 10]\"
  lovec lab hidden --deals 50 --cards 3";

/// Find strategies where cards are hidden: exactly, by sampling, and by other methods
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[arg(
        value_name = "GAME",
        help = "A deal as AQT/432/KJ98, a tree as [[[10 01] [11]] 10], or fusion, locality or information"
    )]
    game: Option<String>,
    /// The tricks to take of a deal [default: the most that some world allows]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1, 4))]
    tricks: Option<u32>,
    /// The worlds that sampling looks at for each move
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = whole::<usize>(1, 1000))]
    worlds: usize,
    /// Random deals instead, in which some world allows the tricks; the table has their means
    #[arg(long, value_name = "N", conflicts_with = "game", value_parser = whole::<u64>(1, 100_000))]
    deals: Option<u64>,
    /// The cards of North and of South in random deals; East and West have one more together
    #[arg(long, default_value_t = 3, value_name = "N", requires = "deals", conflicts_with = "game", value_parser = whole::<u32>(1, 3))]
    cards: u32,
    /// A number that chooses deals and samples
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let tricks = args.tricks.filter(|&tricks| args.deals.is_some() && tricks > args.cards);
    ensure!(tricks.is_none(), "hands of {} cards do not take so many --tricks", args.cards);
    let texts: Vec<String> = match (&args.game, args.deals) {
        (Some(game), _) => vec![game.clone()],
        (_, Some(deals)) => random_deals(args, deals),
        _ => FAULTS.iter().map(|(name, ..)| (*name).to_owned()).collect(),
    };
    let interrupt = Interrupt::catch()?;
    let bar = progress::bar(texts.len());
    let mut games = Vec::new();
    for text in &texts {
        if interrupt.is_raised() {
            break;
        }
        let solved = solve(args, text);
        games.push(if args.deals.is_some() { solved.context(text.clone()) } else { solved }?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    if args.json {
        let interrupted = interrupt.is_raised();
        json::write(out, "lovec.lab-hidden/1", &JsonHidden { games, interrupted })?;
    } else {
        match args.deals {
            Some(_) => write!(out, "{}", means(&games))?,
            None => write!(out, "{}", games.iter().map(table).collect::<Vec<_>>().join("\n"))?,
        }
        if interrupt.is_raised() {
            writeln!(out, "interrupted")?;
        }
    }
    Ok(interrupt.status(CommandStatus::Passed))
}

/// Deals in which some world allows the tricks: with others every method would be right.
fn random_deals(args: &Args, count: u64) -> Vec<String> {
    let tricks = args.tricks.unwrap_or(1);
    let deals = (0..).map(|number| Deal::random(args.cards, args.seed.wrapping_add(number)));
    let winnable = deals.filter(|deal| deal.most_tricks() >= tricks);
    winnable.take(count as usize).map(|deal| deal.text()).collect()
}

fn solve(args: &Args, text: &str) -> Result<SolvedGame> {
    let deal = if text.contains('/') { Some(Deal::parse(text)?) } else { None };
    let tricks = deal.map(|deal| args.tricks.unwrap_or_else(|| deal.most_tricks().max(1)));
    ensure!(deal.is_some() || args.tricks.is_none(), "--tricks is for deals, not for trees");
    let game = match deal.zip(tricks) {
        Some((deal, tricks)) => deal.game(tricks)?,
        None => HiddenGame::parse_tree(text)?,
    };
    let after_first = plans(&game)?;
    let digits = |wins: Worlds| {
        let digit = |world: usize| if wins >> world & 1 == 1 { '1' } else { '0' };
        (0..game.weights.len()).map(digit).collect()
    };
    let methods = methods(&game, &after_first, args.worlds, args.seed);
    let methods = methods.map(|(method, plan)| SolvedMethod {
        method,
        first_move: game.moves[plan.first].clone(),
        chance: game.chance(plan.wins),
        best_chance: game.chance(after_first[plan.first]),
        wins: digits(plan.wins),
    });
    Ok(SolvedGame {
        game: text.to_owned(),
        worlds: game.weights.len(),
        tricks,
        open_chance: game.chance(open_wins(&game.tree)),
        methods: methods.into(),
        positions: deal.zip(tricks).map(|(deal, tricks)| OpenPositions::count(&deal, tricks)),
    })
}

#[derive(Serialize)]
struct JsonHidden {
    games: Vec<SolvedGame>,
    interrupted: bool,
}

#[derive(Serialize)]
struct SolvedGame {
    game: String,
    worlds: usize,
    tricks: Option<u32>,
    /// How often open cards win.
    open_chance: f64,
    methods: Vec<SolvedMethod>,
    positions: Option<OpenPositions>,
}

#[derive(Serialize)]
struct SolvedMethod {
    method: &'static str,
    first_move: String,
    chance: f64,
    /// How often the best strategy after the first move wins.
    best_chance: f64,
    /// A digit for each world.
    wins: String,
}

/// The positions of searches of all worlds with open cards.
#[derive(Clone, Copy, Serialize)]
struct OpenPositions {
    without_table: u64,
    equal: u64,
    partition: u64,
}

impl OpenPositions {
    fn count(deal: &Deal, tricks: u32) -> Self {
        let count = |sharing| {
            let mut search = DoubleDummy::new(sharing);
            for hands in deal.hands() {
                search.takes(hands, tricks);
            }
            search.positions
        };
        Self {
            without_table: count(Sharing::None),
            equal: count(Sharing::Equal),
            partition: count(Sharing::Partition),
        }
    }

    fn text(self) -> String {
        let Self { without_table, equal, partition } = self;
        format!(
            "positions with open cards: {without_table}, with a table {equal}, by partition search \
             {partition}\n"
        )
    }
}

fn percent(chance: f64) -> String {
    format!("{:.1} %", 100.0 * chance)
}

/// The widest list of worlds that the table shows.
const MOST_DIGITS: usize = 16;

/// The table of a game.
fn table(game: &SolvedGame) -> String {
    let mut text = match FAULTS.iter().find(|(name, ..)| *name == game.game) {
        Some((name, tree, summary)) => format!("{name}: {tree}\n{summary}\n"),
        None => format!("{}\n", game.game),
    };
    if let Some(tricks) = game.tricks {
        text += &format!("{tricks} tricks in {} worlds\n", game.worlds);
    }
    let head = ["method", "move", "chance", "best", "worlds"];
    let digits = |wins: &str| if wins.len() > MOST_DIGITS { "-" } else { wins }.to_owned();
    let row = |it: &SolvedMethod| {
        let [chance, best] = [it.chance, it.best_chance].map(percent);
        vec![it.method.to_owned(), it.first_move.clone(), chance, best, digits(&it.wins)]
    };
    let mut lines: Vec<Vec<String>> = game.methods.iter().map(row).collect();
    let open = percent(game.open_chance);
    lines.push(["open cards", "-", &open, "-", "-"].map(str::to_owned).to_vec());
    text += &aligned(&head, &lines, &[0, 1, 4]);
    text + &game.positions.map_or_else(String::new, OpenPositions::text)
}

/// The means of many games.
fn means(games: &[SolvedGame]) -> String {
    let count = games.len().max(1) as f64;
    let mut lines = Vec::new();
    let methods = games.first().map_or(&[][..], |game| &game.methods);
    for (place, SolvedMethod { method, .. }) in methods.iter().enumerate() {
        let best = |game: &&SolvedGame| game.methods[place].chance >= game.methods[0].chance;
        let solved = games.iter().filter(best).count() as f64;
        let sum: f64 = games.iter().map(|game| game.methods[place].chance).sum();
        lines.push(vec![(*method).to_owned(), percent(solved / count), percent(sum / count)]);
    }
    let open: f64 = games.iter().map(|game| game.open_chance).sum();
    lines.push(vec!["open cards".to_owned(), "-".to_owned(), percent(open / count)]);
    let mut sum = OpenPositions { without_table: 0, equal: 0, partition: 0 };
    for positions in games.iter().filter_map(|game| game.positions) {
        sum.without_table += positions.without_table;
        sum.equal += positions.equal;
        sum.partition += positions.partition;
    }
    aligned(&["method", "solved", "chance"], &lines, &[0]) + &sum.text()
}
