//! Without [`SearchOptions::selective`] the search is plain alpha-beta, which has the value of
//! minimax: iterations, windows, move ordering and the transposition table change the number of
//! nodes and never the score.

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use lovec::chess::{Move, Position};
use lovec::eval::{Score, evaluate_fresh};
use lovec::search::{Bound, MAX_PLY, SearchOptions, Searcher};
use lovec::suite::bench;

use crate::search::{position, search_again, to_depth};

/// The depth to which scores are compared, within the budget.
const DEEPEST: usize = 5;

/// The nodes that the reference search may visit for one score. Positions that need more are
/// skipped, so that a few of them do not take most of the time.
const BUDGET: u64 = 7_000;
/// The positions that must be compared, of about a hundred.
const ENOUGH: usize = 50;

/// Promotions of every kind, en passant, castling, checks answered by checks, mates, stalemates
/// and the fifty-move rule.
const SPECIAL: [&str; 16] = [
    "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/8/2pP4/1k6/8/8/6K1 w - c6 0 2",
    "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - e3 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
    "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 40 90",
    "8/8/8/8/1k3q2/8/2Q5/1K6 w - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
    "k7/8/1K6/8/8/8/8/7R w - - 0 1",
    "7k/5K2/8/6P1/8/8/8/8 w - - 0 1",
    "8/8/8/8/8/2k5/1p6/1K6 w - - 0 1",
    "7k/8/8/8/8/8/R7/K7 w - - 97 80",
    "8/5k2/3R4/4p3/8/8/1b3P2/6K1 b - - 96 90",
    "2r3k1/5ppp/8/8/8/8/1Q3PPP/R5K1 b - - 95 90",
    "8/8/4k3/8/2b5/8/3PK3/8 w - - 0 1",
];

/// Endings in which the pieces can shuffle to and fro.
const SHUFFLING: [&str; 12] = [
    "8/5pk1/6p1/2r5/1R6/6P1/5PK1/8 b - - 3 50",
    "8/8/8/4k3/8/2Q5/1K6/5q2 b - - 0 1",
    "8/8/1k1n1n2/8/8/1K1N1N2/8/8 w - - 7 30",
    "2k5/2p5/2P5/p1p1p1p1/P1P1P1P1/1R6/8/K1r5 w - - 0 1",
    "6k1/5p1p/8/8/8/8/r4PPP/3R2K1 w - - 0 1",
    "8/3k4/2p1p3/2PpPp2/3P1P2/4K3/8/8 w - - 0 1",
    "4k3/p6p/1b6/8/8/6B1/P6P/4K3 b - - 0 1",
    "7k/8/8/8/8/8/R7/K7 w - - 0 1",
    "8/8/2k5/3r4/8/3N4/2K5/8 w - - 0 1",
    "6k1/6p1/8/7Q/8/8/qr4PP/7K w - - 0 1",
    "3r2k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
    "8/1p3k2/1P6/8/4B3/8/5K2/2n5 b - - 0 1",
];

/// The error of a search whose budget is spent.
#[derive(Clone, Copy, Debug)]
struct Spent;

type Searched = Result<Score, Spent>;

/// The reference search: no table, no pruning, almost no move ordering.
struct Plain {
    position: Position,
    budget: u64,
}

impl Plain {
    fn new(position: &Position, budget: u64) -> Self {
        Self { position: position.clone(), budget }
    }

    fn visit(&mut self) -> Result<(), Spent> {
        self.budget = self.budget.checked_sub(1).ok_or(Spent)?;
        Ok(())
    }

    /// The score of a node that is not searched: a draw, or the maximal ply.
    fn rule(&self, ply: usize) -> Option<Score> {
        if ply > 0 && self.position.is_draw(ply) {
            Some(Score::DRAW)
        } else if ply >= MAX_PLY {
            Some(if self.in_check() { Score::DRAW } else { evaluate_fresh(&self.position) })
        } else {
            None
        }
    }

    fn in_check(&self) -> bool {
        self.position.in_check()
    }

    /// The score of a node before any move is searched; final if there is no move.
    fn floor(&self, ply: usize, moves: &[Move]) -> Score {
        match (moves.is_empty(), self.in_check()) {
            (false, _) => -Score::INFINITE,
            (true, true) => Score::mated_in(ply),
            (true, false) => Score::DRAW,
        }
    }

    /// The same in quiescence, where a side may stand pat; a stalemate is seen only of a side
    /// with king and pawns. Keeps the moves to search.
    fn stand_pat(&self, ply: usize, moves: &mut Vec<Move>) -> Score {
        let pawns_only = !self.position.has_non_pawn_material(self.position.side_to_move());
        if self.in_check() || pawns_only && moves.is_empty() {
            return self.floor(ply, moves);
        }
        moves.retain(|m| m.is_noisy());
        evaluate_fresh(&self.position)
    }

    /// The exact score.
    fn open_alpha_beta(&mut self, depth: u8, ply: usize) -> Searched {
        self.alpha_beta(-Score::INFINITE, Score::INFINITE, depth, ply)
    }

    /// Alpha-beta, fail-soft.
    fn alpha_beta(&mut self, alpha: Score, beta: Score, depth: u8, ply: usize) -> Searched {
        if depth == 0 {
            return self.quiescence(alpha, beta, ply);
        }
        self.visit()?;
        if let Some(score) = self.rule(ply) {
            return Ok(score);
        }
        let moves = captures_first(&self.position);
        let mut best = self.floor(ply, &moves);
        for m in moves {
            self.position.make(m);
            let score = -self.alpha_beta(-beta, -best.max(alpha), depth - 1, ply + 1)?;
            self.position.unmake();
            best = best.max(score);
            if best >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// Every reply to a check, otherwise the evaluation or the best capture or promotion.
    fn quiescence(&mut self, alpha: Score, beta: Score, ply: usize) -> Searched {
        self.visit()?;
        if let Some(score) = self.rule(ply) {
            return Ok(score);
        }
        let mut moves = captures_first(&self.position);
        let mut best = self.stand_pat(ply, &mut moves);
        for m in moves {
            if best >= beta {
                break;
            }
            self.position.make(m);
            let score = -self.quiescence(-beta, -best.max(alpha), ply + 1)?;
            self.position.unmake();
            best = best.max(score);
        }
        Ok(best)
    }
}

/// All legal moves, captures first by MVV-LVA; otherwise quiescence takes too long.
fn captures_first(position: &Position) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.sort_by_key(|&m| {
        let victim = position.captured(m).map_or(0, |piece| 8 * (1 + piece.index() as i32));
        let promotion = m.promotion().map_or(0, |piece| 8 * piece.index() as i32);
        let attacker = if m.is_noisy() { position.moved_piece(m).index() as i32 } else { 0 };
        attacker - victim - promotion
    });
    moves
}

/// The positions of the bench, special ones, some from random games, and some with a game.
fn positions() -> Vec<Position> {
    let mut random = StdRng::seed_from_u64(5);
    let mut positions: Vec<Position> =
        bench::POSITIONS.into_iter().chain(SPECIAL).map(position).collect();
    for length in (10..=240).step_by(8) {
        positions.extend(random_game(length, &mut random));
    }
    let repeating = SHUFFLING.map(|fen| shuffle(position(fen), &mut random));
    let counts = repeating.iter().filter(|position| may_repeat(position)).count();
    assert!(counts >= SHUFFLING.len() / 2, "only {counts} draws by repetition");
    positions.extend(repeating);
    positions
}

/// The position after `length` plies of a random game, unless it is over. Captures are
/// frequent, so that few pieces are left.
fn random_game(length: usize, random: &mut StdRng) -> Option<Position> {
    let mut game = Position::startpos();
    for _ in 0..length {
        let moves = game.legal_moves().to_vec();
        let captures: Vec<Move> = moves.iter().copied().filter(|m| m.is_capture()).collect();
        let capture = random.random_bool(0.3) && !captures.is_empty();
        let m = *if capture { &captures } else { &moves }.choose(random)?;
        game.make(m);
        if game.is_draw(0) {
            return None;
        }
    }
    (!game.legal_moves().is_empty()).then(|| position(&game.fen()))
}

/// Both sides shuffle until a move draws by repetition; the position with its game.
fn shuffle(mut game: Position, random: &mut StdRng) -> Position {
    let mut played: Vec<Move> = Vec::new();
    for _ in 0..100 {
        if may_repeat(&game) {
            break;
        }
        let goes_on = |m: &Move| {
            let mut game = game.clone();
            game.make(*m);
            m.is_quiet() && !game.is_draw(0) && !game.legal_moves().is_empty()
        };
        let moves: Vec<Move> = game.legal_moves().into_iter().filter(goes_on).collect();
        let last = played.iter().nth_back(1).copied();
        let goes_back = |m: &&Move| last.is_some_and(|l| (l.to(), l.from()) == (m.from(), m.to()));
        let back = moves.iter().find(goes_back).filter(|_| random.random_bool(0.8));
        let Some(&m) = back.or_else(|| moves.choose(random)) else { break };
        game.make(m);
        played.push(m);
    }
    game
}

/// Whether a move makes a draw by repetition.
fn may_repeat(position: &Position) -> bool {
    position.legal_moves().into_iter().any(|m| {
        let mut game = position.clone();
        game.make(m);
        game.is_repetition(1)
    })
}

/// The score as the engine reports it: one centipawn either way is a draw.
fn as_reported(score: Score) -> Score {
    if score.abs() <= Score::new(1) { Score::DRAW } else { score }
}

/// The score of the engine at each depth, and its move. An iteration that changes nothing is not
/// reported.
fn engine(searcher: &mut Searcher, position: &Position, depth: u8) -> (Vec<Score>, Move) {
    let options = SearchOptions { selective: false, ..SearchOptions::default() };
    let (result, reports) = search_again(searcher, position, &to_depth(depth), &options);
    let fen = position.fen();
    assert!(reports.lines.iter().all(|line| line.bound == Bound::Exact), "{fen}");
    assert_eq!(result.score, reports.last().score, "{fen}");
    let last = |depth| reports.lines.iter().rfind(|line| line.depth <= depth).expect("a line");
    ((1..=depth).map(|depth| last(depth).score).collect(), result.best.expect("a move"))
}

#[test]
fn without_selectivity_the_search_is_plain_alpha_beta() {
    let mut searcher = Searcher::new(64).expect("64 MiB");
    let mut compared = [0; DEEPEST];
    for mut position in positions() {
        let depths = 1..=DEEPEST as u8;
        let plain = depths.map_while(|depth| {
            let score = Plain::new(&position, BUDGET).open_alpha_beta(depth, 0);
            score.ok().map(as_reported)
        });
        let plain: Vec<Score> = plain.collect();
        let depth = plain.len() as u8;
        let fen = position.fen();
        searcher.clear();
        let (scores, best) = engine(&mut searcher, &position, depth);
        assert_eq!(scores, plain, "the iterations of {fen}");
        let (scores, _) = engine(&mut searcher, &position, depth);
        assert_eq!(scores, plain, "with a full table in {fen}");

        // The move has the reported score.
        position.make(best);
        let worth = Plain::new(&position, u64::MAX).open_alpha_beta(depth - 1, 1);
        assert_eq!(worth.ok().map(|score| as_reported(-score)), plain.last().copied(), "{fen}");
        compared.iter_mut().take(plain.len()).for_each(|count| *count += 1);
    }
    assert!(compared[3] >= ENOUGH, "positions compared, by depth: {compared:?}");
}
