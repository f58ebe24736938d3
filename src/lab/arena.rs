//! Games between two rows.
//!
//! Each opening is played twice, with reversed colours. The rows are deterministic under a
//! limit of depth or nodes, so a match has as many different games as it has openings, and
//! is the same each time.

use std::io;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::chess::adjudication::{AdjudicationRules, Adjudicator};
use crate::chess::{Color, GameResult, Position};
use crate::lab::Limit;
use crate::lab::player::{Choice, RowPlayer};
use crate::search::STACK_BYTES;
use crate::util::confidence::error_of_mean;
use crate::util::tasks::Tasks;

/// Openings that are level, for matches without a file of openings; a FEN on each line.
pub const OPENINGS: &str = include_str!("openings.epd");

/// Elo for a factor of ten in the ratio of points.
const ELO_PER_DECADE: f64 = 400.0;

/// A match.
pub struct ArenaJob<'a> {
    /// The players. Of several games at a time each has copies, with tables of their own.
    pub players: [RowPlayer; 2],
    /// What ends the search for a move of each player. Their jobs also end the match.
    pub depths: [u32; 2],
    pub limits: [Limit<'a>; 2],
    /// The openings in the order in which they are played, at least one.
    pub openings: &'a [&'a Position],
    pub games: u64,
    /// The rules by which a game ends early; `None` plays to the end.
    pub rules: Option<AdjudicationRules>,
    /// Games to play at the same time.
    pub concurrency: usize,
}

/// A match cannot be played.
#[derive(Debug, Error)]
#[error("cannot start a player: {0}")]
pub struct ArenaError(#[from] io::Error);

/// A move of a game, and the time that it took.
#[derive(Clone, Debug)]
pub struct ArenaMove {
    pub choice: Choice,
    pub time: Duration,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct ArenaGame {
    /// From 0 in the order of the match.
    pub number: u64,
    pub opening: Position,
    /// The colour of the first row.
    pub first: Color,
    pub moves: Vec<ArenaMove>,
    pub result: GameResult,
    /// Whether the game ended before the rules of chess end it.
    pub is_adjudicated: bool,
}

impl ArenaGame {
    /// The half points of the first row.
    fn half_points(&self) -> u32 {
        match self.result {
            GameResult::Won(winner) => 2 * u32::from(winner == self.first),
            GameResult::Drawn => 1,
        }
    }
}

/// Plays a match. `done` gets each game, in the order of the match. A match that is stopped
/// ends with the games that are finished.
pub fn play_match(job: &ArenaJob<'_>, mut done: impl FnMut(ArenaGame)) -> Result<(), ArenaError> {
    let games = Tasks {
        numbers: 0..job.games,
        threads: job.concurrency,
        name: "table",
        stack_bytes: STACK_BYTES,
        is_stopped: &|| false,
    };
    let rest = games.in_order(
        |_| Ok(job.players.clone()),
        |players, number| Ok(play_game(job, players, number)),
        || {},
        |game| {
            done(game);
            Ok::<_, ArenaError>(())
        },
    )?;
    rest.into_iter().for_each(done);
    Ok(())
}

/// Plays a game; `None` if the match is stopped.
fn play_game(job: &ArenaJob<'_>, players: &mut [RowPlayer; 2], number: u64) -> Option<ArenaGame> {
    let opening = job.openings[(number / 2) as usize % job.openings.len()];
    let first = if number.is_multiple_of(2) { Color::White } else { Color::Black };
    let mut position = opening.clone();
    let mut adjudicator = job.rules.map(Adjudicator::new);
    let mut moves = Vec::new();
    let (result, is_adjudicated) = loop {
        if let Some(result) = GameResult::by_rule(&position) {
            break (result, false);
        }
        let side = position.side_to_move();
        let player = usize::from(side != first);
        let (depth, limit) = (job.depths[player], job.limits[player]);
        let start = Instant::now();
        let choice = players[player].choose(&position, None, depth, limit, &mut |_| true)?;
        if limit.is_interrupted() {
            return None;
        }
        let time = start.elapsed();
        let value = choice.value * side.sign();
        let judged = adjudicator.as_mut().and_then(|it| it.judge(position.plies(), value));
        position.make(choice.best);
        moves.push(ArenaMove { choice, time });
        if let Some(result) = judged {
            break (GameResult::by_rule(&position).unwrap_or(result), true);
        }
    };
    Some(ArenaGame { number, opening: opening.clone(), first, moves, result, is_adjudicated })
}

/// How a player has played.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayerTotals {
    pub moves: u64,
    /// The moves for which the row had no answer.
    pub unanswered: u64,
    pub nodes: u64,
    /// The sum of the depths.
    pub depths: u64,
    pub time: Duration,
}

/// The result of a match so far.
#[derive(Clone, Debug, Default)]
pub struct MatchScore {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub players: [PlayerTotals; 2],
    /// The half points of the first row in each pair of games, both of them finished.
    pairs: Vec<u32>,
    /// The half points of the first game of a pair whose second is not finished.
    open_pair: Option<(u64, u32)>,
}

/// A difference in strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EloDifference {
    pub elo: f64,
    /// The ends of the 95 % confidence interval. An end is infinite where the points of the
    /// interval reach none or all.
    pub interval: (f64, f64),
}

impl EloDifference {
    /// The Elo and the two ends of the interval as text: whole numbers with a sign, `-∞` or
    /// `+∞`.
    pub fn texts(&self) -> [String; 3] {
        [self.elo, self.interval.0, self.interval.1]
            .map(|value| format!("{value:+.0}").replace("inf", "∞"))
    }
}

impl MatchScore {
    /// Adds the next game of the match.
    pub fn add(&mut self, game: &ArenaGame) {
        let half_points = game.half_points();
        match half_points {
            2 => self.wins += 1,
            1 => self.draws += 1,
            _ => self.losses += 1,
        }
        match self.open_pair.take() {
            Some((pair, first)) if pair == game.number / 2 => self.pairs.push(first + half_points),
            _ => self.open_pair = Some((game.number / 2, half_points)),
        }
        let mut side = game.opening.side_to_move();
        for ArenaMove { choice, time } in &game.moves {
            let totals = &mut self.players[usize::from(side != game.first)];
            totals.moves += 1;
            totals.unanswered += u64::from(!choice.has_answer());
            totals.nodes += choice.counts.all_nodes();
            totals.depths += u64::from(choice.depth);
            totals.time += *time;
            side = !side;
        }
    }

    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The points of the first row.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The Elo of the first row less the Elo of the second, from the variance between pairs of
    /// games: the games of a pair share their opening. `None` if all pairs end alike, as in a
    /// match that is won without loss: they do not show the variance.
    pub fn elo(&self) -> Option<EloDifference> {
        let sum: u32 = self.pairs.iter().sum();
        let squares: u32 = self.pairs.iter().map(|half_points| half_points.pow(2)).sum();
        let count = self.pairs.len() as u64;
        let error = error_of_mean(sum.into(), squares.into(), count)? / 4.0;
        let mean = f64::from(sum) / count as f64 / 4.0;
        let [low, elo, high] = [mean - error, mean, mean + error].map(elo_of);
        (error > 0.0).then_some(EloDifference { elo, interval: (low, high) })
    }
}

/// The Elo difference that a share of the points means.
fn elo_of(share: f64) -> f64 {
    if share <= 0.0 || share >= 1.0 {
        return f64::INFINITY.copysign(share - 0.5);
    }
    -ELO_PER_DECADE * (1.0 / share - 1.0).log10()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::openings::OpeningList;
    use crate::lab::Row;
    use crate::lab::game::Evaluation;

    fn play(rows: [&str; 2], depths: [u32; 2], games: u64, concurrency: usize) -> Vec<ArenaGame> {
        let rows = rows.map(|row| Row::parse(row, &[]).unwrap());
        let openings: OpeningList = OPENINGS.parse().unwrap();
        let openings = openings.shuffled(1);
        let job = ArenaJob {
            players: rows.map(|row| RowPlayer::new(row, Evaluation::Lovec)),
            depths,
            limits: [Limit { nodes: 3000, memory: 1 << 24, ..Limit::NONE }; 2],
            openings: &openings,
            games,
            rules: Some(AdjudicationRules::MATCH),
            concurrency,
        };
        let mut played = Vec::new();
        play_match(&job, |game| played.push(game)).unwrap();
        played
    }

    fn score(half_points: &[u32]) -> MatchScore {
        let opening = Position::startpos();
        let result =
            [GameResult::Won(Color::Black), GameResult::Drawn, GameResult::Won(Color::White)];
        let mut score = MatchScore::default();
        for (number, &half_points) in (0..).zip(half_points) {
            score.add(&ArenaGame {
                number,
                opening: opening.clone(),
                first: Color::White,
                moves: Vec::new(),
                result: result[half_points as usize],
                is_adjudicated: false,
            });
        }
        score
    }

    #[test]
    fn the_openings_are_level_positions() {
        let openings: OpeningList = OPENINGS.parse().unwrap();
        assert_eq!(openings.len(), 250);
        for opening in openings.shuffled(1) {
            assert!(GameResult::by_rule(opening).is_none() && !opening.is_chess960());
        }
    }

    #[test]
    fn games_are_pairs_that_repeat() {
        let games = play(["ab:order=mvv", "pvs:order=mvv"], [2, 2], 4, 1);
        let moves =
            |game: &ArenaGame| game.moves.iter().map(|it| it.choice.best).collect::<Vec<_>>();
        assert_eq!(games[0].opening.fen(), games[1].opening.fen());
        assert_ne!(games[1].opening.fen(), games[2].opening.fen());
        assert_eq!((games[0].first, games[1].first), (Color::White, Color::Black));
        // The rows are the same search: they play the same game with either colour.
        assert_eq!(moves(&games[0]), moves(&games[1]));
        let again = play(["ab:order=mvv", "pvs:order=mvv"], [2, 2], 4, 3);
        assert_eq!(
            games.iter().map(moves).collect::<Vec<_>>(),
            again.iter().map(moves).collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_deeper_search_wins() {
        let games = play(["ab:order=mvv:leaf=captures", "ab"], [3, 1], 6, 2);
        let mut total = MatchScore::default();
        games.iter().for_each(|game| total.add(game));
        assert!(total.points() > 4.0 && total.games() == 6, "{total:?}");
        assert!(total.players[0].depths > 2 * total.players[1].depths);
    }

    #[test]
    fn elo_of_known_scores() {
        let near = |value: f64, expected: f64| assert!((value - expected).abs() < 0.1, "{value}");
        // Ten pairs, the last won and lost twice: an error of 2.262 times 0.0745 points.
        let level = [[2, 0].repeat(8), vec![2, 2, 0, 0]].concat();
        let level = score(&level).elo().unwrap();
        near(level.elo, 0.0);
        near(level.interval.0, -121.9);
        near(level.interval.1, 121.9);
        // Three points of four.
        near(score(&[2, 2, 2, 0, 2, 1, 1, 2]).elo().unwrap().elo, 190.8);
        // Seven wins and a draw: less than the error below all points.
        let nearly_all = score(&[2, 2, 2, 2, 2, 1, 2, 2]).elo().unwrap();
        near(nearly_all.elo, 470.4);
        assert_eq!(nearly_all.interval.1, f64::INFINITY);
        assert!(nearly_all.interval.0.is_finite());
        assert_eq!(nearly_all.texts()[2], "+∞");
        // Pairs that all end alike say nothing about their error.
        assert_eq!(score(&[2, 0, 2, 0]).elo(), None);
        assert_eq!(score(&[2, 2, 2, 2]).elo(), None);
        assert_eq!(score(&[]).elo(), None);
        assert_eq!(score(&[2, 1]).points(), 1.5);
    }
}
