//! Laws of games that are solved: with perfect play tic-tac-toe is drawn, and so is Connect-4
//! on a board of four columns and four rows (J. Tromp, "Connect-4 solutions on small boards").

use crate::lab::answer::Proof;
use crate::lab::law::{Law, LawSample, ensure};

pub const LAWS: [Law; 2] = [
    Law {
        name: "tictactoe-is-drawn",
        text: "all searches to a depth find that tic-tac-toe is drawn, and proofs that neither \
               side wins",
        applies: |sample| sample.name == "tictactoe",
        check: |sample| {
            const ROWS: [&str; 13] = [
                "negamax:table=20000",
                "ab",
                "ab:order=tt+killers+history:table=20000",
                "ab:classes=turned:table=2000",
                "probability:moves=9",
                "hybrid",
                "negascout",
                "pvs:deepen:aspiration=5",
                "mtdf:table=20000",
                "mtd:kind=+inf",
                "mtd:kind=-inf",
                "sss",
                "dual",
            ];
            is_drawn(&sample.at_depth(9), &ROWS, &["pn", "pn2", "dfpn"])
        },
    },
    Law {
        name: "connect4-on-4x4-is-drawn",
        text: "searches with a table find that Connect-4 on a board of 4x4 is drawn, and df-pn \
               that neither side wins",
        applies: |sample| sample.name == "connect4:4x4",
        check: |sample| {
            const ROWS: [&str; 4] = [
                "ab:table=100000:order=tt+killers",
                "pvs:table=100000:order=tt+killers:classes=mirrored",
                "mtdf:table=100000:order=tt+killers",
                "mtd:kind=bi:table=100000:order=tt+killers",
            ];
            is_drawn(&sample.at_depth(16), &ROWS, &["dfpn"])
        },
    },
];

/// Checks the values of rows, and that provers disprove a win and prove that the side to
/// move does not lose.
fn is_drawn(game: &LawSample, rows: &[&str], provers: &[&str]) -> Result<(), String> {
    rows.iter().try_for_each(|row| game.expect_value(row, 0))?;
    for prover in provers {
        for (goal, expected) in [("win", Proof::Disproved), ("not-lose", Proof::Proved)] {
            let proof = game.run(&format!("{prover}:goal={goal}"))?.proof;
            ensure(proof == expected, || format!("{prover}, {goal}: {proof:?}"))?;
        }
    }
    Ok(())
}
