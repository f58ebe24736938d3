//! Experiments about positions with a known best move.

use std::time::Duration;

use crate::chess::Position;
use crate::lab::experiment::laboratory::{
    Exercise, Experiment, ExperimentError, Laboratory, percent,
};
use crate::lab::game::{AnyGame, Evaluation};
use crate::lab::measure::value_text;
use crate::lab::player::{MAX_DEPTH, RowPlayer};
use crate::lab::row::ALGORITHMS;
use crate::lab::{Limit, Row};

/// The settings of a good alpha-beta search.
const GOOD: &str = "order=tt+mvv+killers+history:table=500000:leaf=captures";

pub(super) const T3: Experiment = Experiment {
    name: "T3",
    title: "null moves that reduce the depth by 1, 2 or 3",
    reported: "Czech thesis: nodes and solved positions of 138 by Neishtadt",
    measured: "positions of Win at Chess, two depths",
    sizes: &["depth", "positions", "epd"],
    run: t3,
};

fn t3(lab: &mut Laboratory<'_>) -> Result<(), ExperimentError> {
    const ROWS: [[&str; 5]; 4] = [
        ["off", "-", "-", "-", "-"],
        ["1", "1652668804", "64", "11040766367", "71"],
        ["2", "603549661", "62", "1892829685", "66"],
        ["3", "267208422", "53", "862153828", "65"],
    ];
    let (depth, exercises) = (lab.depth(5, 9).max(2), lab.exercises(20, 138)?);
    lab.table(&format!(
        "R | reported depth 9 | solved | depth 10 | solved | depth {depth} | solved | depth {} | \
         solved",
        depth + 1
    ));
    let mut sums = Vec::new();
    // The search without null moves would take days at the depths of the thesis.
    let first = usize::from(depth > 8);
    for reported in &ROWS[first..] {
        let row = format!("ab:deepen:{GOOD}:null={}", reported[0]);
        let mut fields = reported.map(str::to_owned).to_vec();
        let mut pair = Vec::new();
        for depth in [depth, depth + 1] {
            let sum = lab.sum(&row, &exercises, depth)?;
            fields.extend([format!("{:.0}", sum.nodes()), sum.solved.unwrap_or(0).to_string()]);
            pair.push(sum);
        }
        lab.add_row(fields);
        sums.push(pair);
    }
    let nodes = |r: usize, depth: usize| sums[r - first][depth].nodes();
    let falls = (first..3).all(|r| nodes(r + 1, 1) < nodes(r, 1));
    lab.shape("the greater R, the fewer nodes", falls);
    let solved = |r: usize, depth: usize| sums[r - first][depth].solved.unwrap_or(0);
    let falls = (0..2).all(|depth| (1..3).all(|r| solved(r + 1, depth) < solved(r, depth)));
    lab.shape("the greater R, the fewer positions are solved, at both depths", falls);
    let costs = [0, 1].map(|depth| solved(1, depth).saturating_sub(solved(3, depth)));
    lab.shape("R=3 costs fewer positions at the greater depth", costs[1] < costs[0]);
    lab.shape("a ply more with R=3 visits fewer nodes than R=1", nodes(3, 1) < nodes(1, 0));
    Ok(())
}

pub(super) const T8: Experiment = Experiment {
    name: "T8",
    title: "Win at Chess, by algorithm",
    reported: "Slovene thesis, 5 seconds a position: ECM 273 of 879, WAC 222 of 300, WCS 666 of \
               1001; the program scored about 60 % of the games against people with a minute a \
               move, 80 % in blitz",
    measured: "positions of Win at Chess, each algorithm with the same nodes; without an answer \
               in them a position is not solved",
    sizes: &["positions", "nodes", "epd"],
    run: t8,
};

fn t8(lab: &mut Laboratory<'_>) -> Result<(), ExperimentError> {
    let (nodes, exercises) = (lab.nodes(20_000, 200_000), lab.exercises(30, 300)?);
    let limit = Limit { nodes, ..Limit::NONE };
    let shares = by_algorithm(lab, &exercises, limit, |_| true)?;
    let share_of = |name: &str| shares.iter().find(|it| it.0 == name).map_or(0.0, |it| it.1);
    let is_best = shares.iter().all(|it| it.1 <= share_of("lovec"));
    lab.shape("the playing search solves most", is_best);
    lab.shape("alpha-beta solves more than minimax", share_of("ab") > share_of("minimax"));
    if lab.size.is_full {
        // With the algorithms of the thesis.
        let is_its_own = |name: &str| ["ab", "pvs", "mtdf", "lovec"].contains(&name);
        let limit = Limit { time: Some(Duration::from_secs(5)), ..Limit::NONE };
        by_algorithm(lab, &exercises, limit, is_its_own)?;
    }
    Ok(())
}

/// The table of the exercises that algorithms solve within a limit. Returns their names and the
/// share that each solves.
fn by_algorithm(
    lab: &mut Laboratory<'_>,
    exercises: &[Exercise],
    limit: Limit<'_>,
    is_chosen: impl Fn(&str) -> bool,
) -> Result<Vec<(&'static str, f64)>, ExperimentError> {
    let count = exercises.len();
    lab.table("algorithm | solved | share | no answer | mean depth");
    lab.row(&[&"reported, 5 s", &"222 of 300", &"74 %", &"-", &"-"]);
    let mut shares = Vec::new();
    for (_, info) in ALGORITHMS.iter().filter(|it| is_chosen(it.1.name)) {
        let text = if info.name == "lovec" { "lovec:hash=1" } else { info.name };
        let can_deepen = Row::parse(text, &[])?.can_deepen();
        let common: Vec<&str> = if can_deepen { GOOD.split(':').collect() } else { Vec::new() };
        let mut player = RowPlayer::new(Row::parse(text, &common)?, Evaluation::Lovec);
        let row = [&[text], &common[..]].concat().join(":");
        let (mut solved, mut silent, mut depths) = (0, 0, 0);
        for exercise in exercises {
            (lab.progress)(&row);
            let limit = Limit { job: Some(lab.stop), ..limit };
            let choice = player.choose(&exercise.position, None, MAX_DEPTH, limit, &mut |_| true);
            lab.check_stop()?;
            match choice.filter(|choice| choice.has_answer()) {
                Some(choice) => {
                    solved += usize::from(exercise.best.contains(&choice.best));
                    depths += choice.depth;
                }
                None => silent += 1,
            }
        }
        let depth = match can_deepen {
            true => format!("{:.1}", f64::from(depths) / count as f64),
            false => "-".to_owned(),
        };
        let share = solved as f64 / count as f64;
        let solved = format_args!("{solved} of {count}");
        lab.row(&[&row, &solved, &percent(share), &silent, &depth]);
        shares.push((info.name, share));
    }
    Ok(shares)
}

pub(super) const T9: Experiment = Experiment {
    name: "T9",
    title: "positions that show what a search sees",
    reported: "Czech and Slovene theses, null-move article; from diagrams, the first two a move \
               before them",
    measured: "the move and the value of rows with and without the part in question",
    sizes: &[],
    run: t9,
};

/// A position, what is said of it, and rows to search it with.
struct Exhibit {
    fen: &'static str,
    reported: &'static str,
    rows: &'static [(&'static str, u32)],
    /// The move that the last row should find; empty for any.
    wanted: &'static str,
    /// Whether the first row should miss it, if all rows evaluate material alone.
    is_missed: bool,
}

const EXHIBITS: [Exhibit; 6] = [
    Exhibit {
        fen: "2k5/8/2PK4/8/8/8/8/8 w - - 0 1",
        reported: "after c7, Kb7 Kd7 wins; a null move sees a draw (material alone)",
        // The worst order, so that there is a bound for the null move when c7 is searched.
        rows: &[
            ("ab:order=worst:null=2", 5),
            ("ab:order=worst:null=2:nullif=pieces", 5),
            ("ab:order=worst", 5),
        ],
        wanted: "c6c7",
        is_missed: true,
    },
    Exhibit {
        fen: "3r2k1/ppq2p2/2p1pPp1/3pP1P1/3P3Q/2P5/PP6/6K1 w - - 0 1",
        reported: "after Qh6, Qg7 mates; a null move at depth 2 does not see it (material alone)",
        rows: &[("ab:null=2", 3), ("ab", 3)],
        wanted: "h4h6",
        is_missed: true,
    },
    Exhibit {
        fen: "rnbqk1nr/ppp2ppp/8/4P3/1BP5/8/PP2KpPP/RN1Q1BNR b kq - 0 1",
        reported: "fxg1=N+ is the move, not a queen",
        rows: &[("ab:order=mvv:leaf=captures", 1), ("ab:order=mvv:leaf=captures", 4)],
        wanted: "f2g1n",
        is_missed: false,
    },
    Exhibit {
        fen: "8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1",
        reported: "c8=R wins, c8=Q draws by a stalemate",
        rows: &[
            ("ab:order=tt+mvv+killers:table=500000:leaf=captures", 2),
            ("ab:order=tt+mvv+killers:table=500000:leaf=captures", 6),
        ],
        wanted: "c7c8r",
        is_missed: false,
    },
    Exhibit {
        fen: "8/8/8/8/5K2/8/1k6/r7 b - - 0 1",
        reported: "king and rook win, with tables or without",
        rows: &[("ab:order=tt+mvv:table=500000", 5), ("lovec:hash=1", 12)],
        wanted: "",
        is_missed: false,
    },
    Exhibit {
        fen: "8/5K2/8/2b5/8/8/r7/k7 b - - 0 1",
        reported: "king, rook and bishop win by driving the king to the edge",
        rows: &[("ab:order=tt+mvv:table=500000", 4), ("lovec:hash=1", 12)],
        wanted: "",
        is_missed: false,
    },
];

fn t9(lab: &mut Laboratory<'_>) -> Result<(), ExperimentError> {
    lab.table("position | reported | algorithm | depth | move | value");
    let (mut is_found, mut is_missed) = (true, true);
    for exhibit in EXHIBITS {
        let mut found = Vec::new();
        let mut described = [exhibit.fen, exhibit.reported];
        for &(row, depth) in exhibit.rows {
            let position = Position::from_fen(exhibit.fen)?;
            let evaluation =
                if exhibit.is_missed { Evaluation::Material } else { Evaluation::Lovec };
            let mut game = AnyGame::chess(position, evaluation);
            let result = lab.measure(row, &mut game, depth, u64::MAX)?;
            let value = value_text(result.value.unwrap_or(0));
            let best = result.best().unwrap_or_default();
            found.push(best == exhibit.wanted);
            let [fen, reported] = std::mem::take(&mut described);
            lab.row(&[&fen, &reported, &row, &depth, &best, &value]);
        }
        is_found &= exhibit.wanted.is_empty() || found.last() == Some(&true);
        is_missed &= !exhibit.is_missed || found.first() == Some(&false);
    }
    lab.shape("the last row of each position finds its move", is_found);
    lab.shape("null moves miss the moves that they are reported to miss", is_missed);
    Ok(())
}
