//! `lovec book openings`: a book of the named openings, weighted by searches.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::{Result, bail};

use crate::book::{BookEntry, EncodedMove, key, named_lines};
use crate::chess::{Move, Position};
use crate::cli::book::write_book;
use crate::cli::outputs::{ForceArg, OutputPath};
use crate::cli::{CommandStatus, Interrupt, progress, whole};
use crate::search::{Limits, SearchRequest, Searcher, Stop};

const EXAMPLES: &str = "\
Every position of the 3 807 named lines is searched. A move that leads to a named line is
weighted by what it loses against the best move, and by the number of named lines that go
through it: 1000 * sqrt(lines) * e^(-loss/20), with the loss in centipawns. Moves that lose
more than 40 centipawns are left out. `lovec book show own` shows the book inside Lovec,
which this command made.

Examples:
  lovec book openings -o own_book.bin --nodes 100000
  lovec book openings -o small.bin --max-ply 12";

/// What a move may lose, in centipawns.
const MAX_LOSS: f64 = 40.0;
/// A move that loses so much more has 1/e of the weight.
const LOSS_SCALE: f64 = 20.0;
/// The weight of a move on one line that loses nothing.
const FULL_WEIGHT: f64 = 1000.0;
/// The table of the searches, in MiB.
const HASH_MIB: usize = 8;

/// Build a book of the named openings, weighted by searches
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Where to write the book
    #[arg(short, long, value_name = "BOOK")]
    output: OutputPath,
    #[command(flatten)]
    force: ForceArg,
    /// Nodes to search of each position
    #[arg(long, default_value_t = 100_000, value_name = "N", value_parser = whole::<u64>(1, u64::MAX))]
    nodes: u64,
    /// Maximum number of plies of each line to use
    #[arg(long, default_value_t = 40, value_name = "N", value_parser = whole::<u32>(1, u64::from(u32::MAX)))]
    max_ply: u32,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

/// A position of the named lines.
struct OpeningNode {
    position: Position,
    /// Its moves, with the keys of the positions after them and the lines that go through.
    moves: BTreeMap<EncodedMove, (u64, u32)>,
}

type OpeningTree = BTreeMap<u64, OpeningNode>;

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let output = args.output.prepare(args.force)?;
    let tree = tree(args.max_ply as usize);
    let interrupt = Interrupt::catch()?;
    let Some(scores) = scores(&tree, args.nodes, &interrupt.stop)? else {
        log::warn!("interrupted; no book written");
        return Ok(interrupt.status(CommandStatus::Passed));
    };
    let entries = entries(&tree, &scores);
    if entries.is_empty() {
        bail!("no move is good enough; no book written");
    }
    let schema = args.json.then_some("lovec.book-openings/1");
    write_book(&output, &entries, None, schema, out)?;
    Ok(CommandStatus::Passed)
}

/// The positions of all named lines, up to a ply, by their keys.
fn tree(max_ply: usize) -> OpeningTree {
    let mut tree = OpeningTree::new();
    for mut line in named_lines() {
        while line.plies() > max_ply {
            line.unmake();
        }
        let mut after: Option<(Move, u64)> = None;
        while let Some(key) = key(&line) {
            let new = || OpeningNode { position: line.clone(), moves: BTreeMap::new() };
            let node = tree.entry(key).or_insert_with(new);
            if let Some((m, next)) = after {
                node.moves.entry(m.into()).or_insert((next, 0)).1 += 1;
            }
            let Some(m) = line.last_move() else { break };
            line.unmake();
            after = Some((m, key));
        }
    }
    tree
}

/// The score of each position for its side to move, in centipawns; `None` after a stop.
fn scores(tree: &OpeningTree, nodes: u64, stop: &Stop) -> Result<Option<BTreeMap<u64, f64>>> {
    let mut searcher = Searcher::new(HASH_MIB)?;
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let bar = progress::bar(tree.len());
    let mut scores = BTreeMap::new();
    for (&key, node) in tree {
        searcher.clear();
        let request = SearchRequest::new(node.position.clone(), limits.clone()).of_job(stop);
        let score = searcher.search(request, &mut ()).score;
        if stop.is_stopped() {
            return Ok(None);
        }
        scores.insert(key, f64::from(score.cp()));
        bar.inc(1);
    }
    Ok(Some(scores))
}

fn entries(tree: &OpeningTree, scores: &BTreeMap<u64, f64>) -> Vec<BookEntry> {
    let mut entries = Vec::new();
    for (&key, node) in tree {
        let values = node.moves.iter().map(|(&m, &(next, lines))| (m, -scores[&next], lines));
        let best = values.clone().map(|(_, value, _)| value).fold(scores[&key], f64::max);
        let mut moves: Vec<BookEntry> = values
            .filter(|(_, value, _)| best - value <= MAX_LOSS)
            .map(|(m, value, lines)| {
                let share = f64::from(lines).sqrt() * ((value - best) / LOSS_SCALE).exp();
                let weight = (FULL_WEIGHT * share).clamp(1.0, f64::from(u16::MAX)) as u16;
                BookEntry { key, m, weight, learn: 0 }
            })
            .collect();
        moves.sort_by_key(|entry| std::cmp::Reverse(entry.weight));
        entries.extend(moves);
    }
    entries
}
