//! Experiments by games.

use crate::chess::adjudication::AdjudicationRules;
use crate::chess::notation::openings::OpeningList;
use crate::lab::arena::{ArenaJob, MatchScore, OPENINGS, play_match};
use crate::lab::experiment::laboratory::{Experiment, ExperimentError, Laboratory, percent};
use crate::lab::game::Evaluation;
use crate::lab::player::RowPlayer;
use crate::lab::{Limit, Row};

pub(super) const T2: Experiment = Experiment {
    name: "T2",
    title: "a limit of probability in place of a depth",
    reported: "Croatian thesis: probability 10^-8 against depths 6 and 7, mean nodes a move; 6 \
               games each. Lai's Giraffe: 26 Elo, with an error of 12",
    measured: "a probability between two depths, captures below leaves",
    sizes: &["depth", "positions", "games", "epd"],
    run: t2,
};

fn t2(lab: &mut Laboratory<'_>) -> Result<(), ExperimentError> {
    const SETTINGS: &str = "order=mvv+killers+history:leaf=captures";
    /// The exponent of ten for a ply of 32 moves.
    const PLY: f64 = 1.505;
    let depth = lab.depth(3, 6).clamp(1, 6);
    // At the depths of the thesis its probability.
    let exponent = if depth == 6 { 8.0 } else { ((f64::from(depth) + 0.4) * PLY).round() };
    let probability = format!("probability:exponent={exponent}:{SETTINGS}");
    let fixed = format!("ab:{SETTINGS}");
    let exercises = lab.exercises(20, 20)?;
    lab.timed_table("search | nodes reported | nodes measured", "s reported | s");
    let mut nodes = Vec::new();
    for (name, reported, row, depth) in [
        (format!("depth {depth}"), ["743885", "13.47"], &fixed, depth),
        (format!("probability 10^-{exponent}"), ["1583180", "30.97"], &probability, 1),
        (format!("depth {}", depth + 1), ["3198683", "56.86"], &fixed, depth + 1),
    ] {
        let sum = lab.sum(row, &exercises, depth)?;
        let count = exercises.len() as f64;
        let mean = sum.nodes() / count;
        let seconds = sum.time.as_secs_f64() / count;
        let fields = vec![name, reported[0].to_owned(), format!("{mean:.0}")];
        lab.timed_row(fields, [reported[1].to_owned(), format!("{seconds:.2}")]);
        nodes.push(mean);
    }
    lab.table("probability against | reported | won | drawn | lost | points");
    let mut shares = Vec::new();
    for (depth, reported) in [(depth, "4-2"), (depth + 1, "1-5")] {
        let score = play(lab, [&probability, &fixed], [1, depth], lab.games(20, 12))?;
        let MatchScore { wins, draws, losses, .. } = score;
        let share = score.points() / score.games().max(1) as f64;
        let against = format_args!("depth {depth}");
        lab.row(&[&against, &reported, &wins, &draws, &losses, &percent(share)]);
        shares.push(share);
    }
    let is_between = nodes[0] < nodes[1] && nodes[1] < nodes[2];
    lab.shape("the nodes lie between the two depths", is_between);
    lab.shape(
        "it beats the smaller depth and loses to the greater one",
        shares[0] > 0.5 && shares[1] < 0.5,
    );
    Ok(())
}

pub(super) const T10: Experiment = Experiment {
    name: "T10",
    title: "what a ply more is worth",
    reported: "Slovene thesis, of the machine Belle: Elo 200, 1230, 2328 at depths 1, 4, 9; a ply \
               more wins 80 % at depths 3 to 8; Croatian thesis: depth 12 against 11, 130 Elo",
    measured: "matches of alpha-beta against itself at one ply less, captures below leaves; in \
               full also of the playing search",
    sizes: &["depth", "games"],
    run: t10,
};

fn t10(lab: &mut Laboratory<'_>) -> Result<(), ExperimentError> {
    const ROW: &str = "pvs:order=tt+mvv+killers+history:table=200000:leaf=captures";
    if lab.size.is_full {
        // First, as it takes minutes where the other takes hours.
        let wins = "in the playing search a ply more wins at each depth";
        let falls = "in it a ply more is worth less at greater depth";
        a_ply_more(lab, "lovec:hash=1", [wins, falls])?;
    }
    let falls = "a ply more is worth less at greater depth";
    a_ply_more(lab, ROW, ["a ply more wins at each depth", falls])
}

/// The table of matches of a row at each depth against itself at one ply less, and the shapes
/// that the ply more wins, and less and less.
fn a_ply_more(
    lab: &mut Laboratory<'_>,
    row: &str,
    [wins, falls]: [&'static str; 2],
) -> Result<(), ExperimentError> {
    lab.table(
        "depths | reported | won | drawn | lost | points | Elo | 95 % interval | from depth 1",
    );
    let mut shares = Vec::new();
    let mut from_first = Some(0.0);
    for depth in 2..=lab.depth(4, 9).max(2) {
        (lab.progress)(&format!("depth {depth} against {}", depth - 1));
        let score = play(lab, [row, row], [depth, depth - 1], lab.games(20, 200))?;
        let reported = match depth {
            3..=8 => "80 %",
            12 => "130 Elo",
            _ => "-",
        };
        let share = score.points() / score.games().max(1) as f64;
        let [elo, interval] = score.elo().map_or(["-".to_owned(), "-".to_owned()], |it| {
            let [elo, low, high] = it.texts();
            [elo, format!("{low} to {high}")]
        });
        from_first = from_first.zip(score.elo()).map(|(sum, it)| sum + it.elo);
        lab.row(&[
            &format_args!("{depth} against {}", depth - 1),
            &reported,
            &score.wins,
            &score.draws,
            &score.losses,
            &percent(share),
            &elo,
            &interval,
            &from_first.map_or("-".to_owned(), |elo| format!("{elo:+.0}")),
        ]);
        shares.push(share);
    }
    lab.shape(wins, shares.iter().all(|share| *share > 0.5));
    lab.shape(falls, shares.last() <= shares.first());
    Ok(())
}

fn play(
    lab: &Laboratory<'_>,
    rows: [&str; 2],
    depths: [u32; 2],
    games: u64,
) -> Result<MatchScore, ExperimentError> {
    let rows = [Row::parse(rows[0], &[])?, Row::parse(rows[1], &[])?];
    let openings: OpeningList = OPENINGS.parse()?;
    let mut score = MatchScore::default();
    let job = ArenaJob {
        players: rows.map(|row| RowPlayer::new(row, Evaluation::Lovec)),
        depths,
        limits: [Limit { memory: 1 << 28, job: Some(lab.stop), ..Limit::NONE }; 2],
        openings: &openings.shuffled(1),
        games,
        rules: Some(AdjudicationRules::MATCH),
        concurrency: 1,
    };
    play_match(&job, |game| score.add(&game))?;
    lab.check_stop()?;
    Ok(score)
}
