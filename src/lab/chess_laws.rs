//! Laws of the values of chess: what pieces are worth beside each other, and what a draw is
//! worth.

use crate::chess::{Piece, see};
use crate::lab::law::{Law, LawSample, ensure};

/// What a draw is worth less than nothing.
const CONTEMPT: i32 = 20;

pub const LAWS: [Law; 2] = [
    Law {
        name: "material-inequalities",
        text: "a rook is worth more than a bishop and a pawn, and less than a bishop and two pawns",
        applies: LawSample::is_chess,
        check: |_| {
            let [pawn, bishop, rook] = [Piece::Pawn, Piece::Bishop, Piece::Rook].map(see::value);
            let holds = bishop + pawn < rook && rook < bishop + 2 * pawn;
            ensure(holds, || format!("pawn {pawn}, bishop {bishop}, rook {rook}"))
        },
    },
    Law {
        name: "contempt",
        text: "contempt lowers the value by no more than itself, and the algorithms agree on it",
        applies: |sample| sample.is_chess() && sample.size() < 2000,
        check: |sample| {
            let indifferent = sample.minimax()?.value;
            let value = sample.run(&format!("minimax:contempt={CONTEMPT}"))?.value;
            let holds = (indifferent - CONTEMPT..=indifferent).contains(&value);
            ensure(holds, || format!("value {value}, without contempt {indifferent}"))?;
            for row in ["ab", "negascout:table=1000:order=tt", "mtdf", "sss", "best-first"] {
                sample.expect_value(&format!("{row}:contempt={CONTEMPT}"), value)?;
            }
            Ok(())
        },
    },
];
