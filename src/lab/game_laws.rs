//! Laws of games: in chess what pieces are worth beside each other, and what a draw is, and that
//! colours and boards make no difference; with perfect play tic-tac-toe is drawn, and so is
//! Connect-4 on a board of four columns and four rows (J. Tromp, "Connect-4 solutions on small
//! boards").

use crate::chess::{Piece, Position, see};
use crate::eval::Accumulator;
use crate::lab::board::search_board::SEARCH_BOARDS;
use crate::lab::game::evaluation::EVALUATIONS;
use crate::lab::{Law, LawSample, Proof, ensure};

/// What a draw is worth less than nothing.
const CONTEMPT: i32 = 20;

pub const LAWS: [Law; 6] = [
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
        name: "colours-are-worth-the-same",
        text: "every evaluation gives a position and its image with exchanged colours one value",
        applies: LawSample::is_chess,
        check: |sample| {
            let Some(position) = sample.game.position() else { return Ok(()) };
            let image = with_exchanged_colours(&position.fen());
            let image = Position::from_fen(&image).map_err(|error| error.to_string())?;
            EVALUATIONS.iter().try_for_each(|(name, _, evaluation)| {
                let [here, there] =
                    [position, &image].map(|it| evaluation.value(it, &Accumulator::from_state(it)));
                ensure(here == there, || format!("{name}: {here}, the image {there}"))
            })
        },
    },
    Law {
        name: "any-board",
        text: "on every board an algorithm finds the same value and move with the same nodes and \
               leaves, and minimax those of chess",
        applies: |sample| sample.is_chess() && sample.size() < 500,
        check: |sample| {
            let run = |board: &str, row: &str| {
                sample.on_board(board)?.run(row).map_err(|error| format!("{board}: {error}"))
            };
            let minimax = format!("minimax:contempt={CONTEMPT}");
            let (chess, bitboards) = (sample.run(&minimax)?, run(SEARCH_BOARDS[0], &minimax)?);
            let is_equal =
                (chess.value, chess.counts.leaves) == (bitboards.value, bitboards.counts.leaves);
            ensure(is_equal, || format!("minimax: {}", bitboards.value))?;
            for row in [
                "minimax",
                "ab:order=mvv+killers+history",
                "pvs:deepen:table=1000:order=tt+see:null=2:extend=check+recapture",
                "mtdf",
                "sss",
                "mcts:visits=50",
                "ab:leaf=turbulence",
            ] {
                let first = run(SEARCH_BOARDS[0], row)?;
                for board in &SEARCH_BOARDS[1..] {
                    ensure(run(board, row)? == first, || format!("{row} on {board}"))?;
                }
            }
            Ok(())
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
            let rows = ["ab", "negascout:table=1000:order=tt", "mtdf", "sss", "best-first"];
            sample.expect_values(&rows, &format!("contempt={CONTEMPT}"), value)
        },
    },
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
                "probability:branching=9",
                "hybrid",
                "negascout",
                "pvs:deepen:aspiration=5",
                "mtdf:table=20000",
                "mtd:kind=+inf",
                "mtd:kind=-inf",
                "sss",
                "dual",
            ];
            is_drawn(&sample.at_depth(9), &ROWS, &["pn", "pn:mobility", "pn2", "dfpn"])
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

/// The FEN with White's men as Black's on the other side of the board, and the other way round.
fn with_exchanged_colours(fen: &str) -> String {
    let exchanged = |letter: char| match letter {
        'a'..='z' => letter.to_ascii_uppercase(),
        _ => letter.to_ascii_lowercase(),
    };
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    let ranks: Vec<&str> = fields[0].rsplit('/').collect();
    fields[0] = ranks.join("/").chars().map(exchanged).collect();
    fields[1] = if fields[1] == "w" { "b" } else { "w" }.to_owned();
    fields[2] = fields[2].chars().map(exchanged).collect();
    fields[3] = fields[3].replace('3', "_").replace('6', "3").replace('_', "6");
    fields.join(" ")
}

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
