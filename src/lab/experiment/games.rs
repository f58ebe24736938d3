//! Experiments by games.

use crate::chess::adjudication::AdjudicationRules;
use crate::chess::notation::openings::OpeningList;
use crate::lab::arena::{ArenaJob, MatchScore, OPENINGS, PlayerLimit, play_match};
use crate::lab::experiment::laboratory::{Experiment, ExperimentError, Laboratory};
use crate::lab::game::evaluation::Evaluation;
use crate::lab::row::Row;

pub(super) const T2: Experiment = Experiment {
    name: "T2",
    title: "a limit of probability in place of a depth",
    reported: "Croatian thesis: probability 10^-8 against depths 6 and 7, mean nodes a move; 6 \
               games each. Lai's Giraffe: 26 Elo, with an error of 12",
    measured: "a probability between two depths, captures below leaves",
    run: t2,
};

fn t2(lab: &mut Laboratory<'_>) -> Result<(), ExperimentError> {
    const SETTINGS: &str = "order=mvv+killers+history:leaf=captures";
    /// The exponent of ten for a ply of 32 moves.
    const PLY: f64 = 1.505;
    let depth = lab.depth(3).clamp(1, 6);
    let exponent = ((f64::from(depth) + 0.4) * PLY).round();
    let probability = format!("probability:exponent={exponent}:{SETTINGS}");
    let fixed = format!("ab:{SETTINGS}");
    let exercises = lab.exercises(20)?;
    lab.table(&["search", "nodes reported", "nodes measured"]);
    let mut nodes = Vec::new();
    for (name, reported, row, depth) in [
        (format!("depth {depth}"), "743885", &fixed, depth),
        (format!("probability 10^-{exponent}"), "1583180", &probability, 1),
        (format!("depth {}", depth + 1), "3198683", &fixed, depth + 1),
    ] {
        let mean = lab.sum(row, &exercises, depth, u64::MAX)?.nodes() / exercises.len() as f64;
        lab.row(vec![name, reported.to_owned(), format!("{mean:.0}")]);
        nodes.push(mean);
    }
    lab.table(&["probability against", "reported", "won", "drawn", "lost", "points"]);
    let mut shares = Vec::new();
    for (depth, reported) in [(depth, "4-2"), (depth + 1, "1-5")] {
        let score = play(lab, [&probability, &fixed], [1, depth], u64::MAX)?;
        let [won, drawn, lost] = [score.wins, score.draws, score.losses].map(|it| it.to_string());
        let share = score.points() / score.games().max(1) as f64;
        let points = format!("{:.0} %", 100.0 * share);
        lab.row(vec![format!("depth {depth}"), reported.to_owned(), won, drawn, lost, points]);
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
    measured: "matches of alpha-beta against itself at one ply less, captures below leaves",
    run: t10,
};

fn t10(lab: &mut Laboratory<'_>) -> Result<(), ExperimentError> {
    const ROW: &str = "pvs:order=tt+mvv+killers+history:table=200000:leaf=captures";
    lab.table(&["depths", "reported", "won", "drawn", "lost", "points", "Elo", "95 % interval"]);
    let mut shares = Vec::new();
    for depth in 2..=lab.depth(4).max(2) {
        (lab.progress)(&format!("depth {depth} against {}", depth - 1));
        let score = play(lab, [ROW, ROW], [depth, depth - 1], u64::MAX)?;
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
        lab.row(vec![
            format!("{depth} against {}", depth - 1),
            reported.to_owned(),
            score.wins.to_string(),
            score.draws.to_string(),
            score.losses.to_string(),
            format!("{:.0} %", 100.0 * share),
            elo,
            interval,
        ]);
        shares.push(share);
    }
    lab.shape("a ply more wins at each depth", shares.iter().all(|share| *share > 0.5));
    let falls = shares.last() <= shares.first();
    lab.shape("a ply more is worth less at greater depth", falls);
    Ok(())
}

/// Plays a match of the size of the experiment.
fn play(
    lab: &Laboratory<'_>,
    rows: [&str; 2],
    depths: [u32; 2],
    nodes: u64,
) -> Result<MatchScore, ExperimentError> {
    let [first, second] = [Row::parse(rows[0], &[])?, Row::parse(rows[1], &[])?];
    let openings: OpeningList = OPENINGS.parse()?;
    let mut score = MatchScore::default();
    let job = ArenaJob {
        tables: Default::default(),
        rows: [&first, &second],
        limits: depths.map(|depth| PlayerLimit { depth, nodes, time: None, memory: 1 << 28 }),
        evaluations: [&Evaluation::lovec; 2],
        openings: &openings.shuffled(1),
        games: lab.size.games.unwrap_or(20),
        rules: Some(AdjudicationRules::MATCH),
        concurrency: 1,
        stop: lab.stop,
    };
    play_match(&job, |game| score.add(&game))?;
    if lab.is_stopped() { Err(ExperimentError::Interrupted) } else { Ok(score) }
}
