//! An independent check of moves, lines of play and answers, by the rules of `cozy-chess`.

use std::collections::HashSet;

use cozy_chess::{Board, Color, File, GameStatus, Move, Piece, Rank, Square};

use crate::lines::{EngineLine, Info, UciScore};
use crate::session::{Answer, Session};

/// A game so far.
pub struct Referee {
    boards: Vec<Board>,
    chess960: bool,
}

impl Referee {
    /// The position of a `position` command's arguments, such as
    /// `startpos moves e2e4`.
    pub fn new(arguments: &str, chess960: bool) -> Self {
        let (setup, moves) = arguments.split_once(" moves ").unwrap_or((arguments, ""));
        let board = match setup.strip_prefix("fen ") {
            Some(fen) => fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}")),
            None => Board::startpos(),
        };
        let mut referee = Self { boards: vec![board], chess960 };
        for text in moves.split_whitespace() {
            referee.play(text);
        }
        referee
    }

    fn board(&self) -> &Board {
        self.boards.last().unwrap()
    }

    /// The move of this text, if it is legal and written as the mode requires: castling is
    /// king takes rook in Chess960 and the king's destination otherwise.
    fn read(&self, text: &str) -> Option<Move> {
        let board = self.board();
        let mut m: Move = text.parse().ok()?;
        if m.to_string() != text {
            return None;
        }
        let side = board.side_to_move();
        if board.piece_on(m.from) == Some(Piece::King) && !self.chess960 {
            if board.color_on(m.to) == Some(side) {
                return None;
            }
            let rights = board.castle_rights(side);
            let rook = match (m.from.file(), m.to.file()) {
                (File::E, File::G) => rights.short,
                (File::E, File::C) => rights.long,
                _ => None,
            };
            if let Some(rook) = rook {
                let rank = if side == Color::White { Rank::First } else { Rank::Eighth };
                m.to = Square::new(rook, rank);
            }
        }
        board.is_legal(m).then_some(m)
    }

    pub fn is_legal(&self, text: &str) -> bool {
        self.read(text).is_some()
    }

    pub fn play(&mut self, text: &str) {
        let m = self.read(text).unwrap_or_else(|| panic!("{text} in {}", self.board()));
        let mut board = self.board().clone();
        board.play_unchecked(m);
        self.boards.push(board);
    }

    /// A legal move other than castling, always the same in the same position.
    pub fn first_move(&self) -> String {
        let mut moves = Vec::new();
        self.board().generate_moves(|piece_moves| {
            moves.extend(piece_moves.into_iter().map(|m| m.to_string()));
            false
        });
        moves.sort();
        moves.into_iter().find(|text| self.is_legal(text)).expect("a legal move")
    }

    pub fn is_checkmate(&self) -> bool {
        self.board().status() == GameStatus::Won
    }

    /// Whether the game is over: mate, stalemate, the fifty-move rule or a
    /// threefold repetition.
    pub fn is_over(&self) -> bool {
        let board = self.board();
        let seen = self.boards.iter().filter(|other| other.same_position(board)).count();
        board.status() != GameStatus::Ongoing || seen >= 3
    }

    /// Fails unless the line of play is legal, does not go on after the end of the game,
    /// and is as long as its mate score.
    fn check_line(&self, info: &Info<'_>) {
        let (Some(seldepth), Some(score)) = (info.seldepth, info.score) else {
            panic!("incomplete: {info:?}")
        };
        assert!(info.depth >= 1 && !info.pv.is_empty(), "{info:?}");
        assert!(info.nps.is_some() && info.hashfull.is_some_and(|it| it <= 1000), "{info:?}");
        let mut line = Self { boards: self.boards.clone(), chess960: self.chess960 };
        for (index, text) in info.pv.iter().enumerate() {
            assert!(line.is_legal(text), "{text} is not legal in {info:?}");
            assert!(index == 0 || !line.is_over(), "{text} comes after the end in {info:?}");
            line.play(text);
        }
        assert!(seldepth >= info.pv.len() as u64, "longer than the selective depth: {info:?}");
        if score.is_mate && !score.is_bound {
            let plies = if score.value > 0 { 2 * score.value - 1 } else { -2 * score.value };
            assert_eq!(info.pv.len() as i64, plies, "the mate and its line differ: {info:?}");
            assert!(line.is_checkmate(), "the line does not end in mate: {info:?}");
        }
    }
}

/// Fails unless every line of the answer is sound, their numbers never decrease, and the
/// moves agree with the last lines.
pub fn check_answer(arguments: &str, chess960: bool, answer: &Answer) {
    let mut referee = Referee::new(arguments, chess960);
    let infos: Vec<Info<'_>> = answer
        .lines
        .iter()
        .filter_map(|line| match EngineLine::parse(line) {
            Ok(EngineLine::Info(info)) => Some(info),
            Ok(EngineLine::InfoString(_)) => None,
            other => panic!("{line:?} during the search of {arguments}: {other:?}"),
        })
        .collect();
    let scored: Vec<&Info<'_>> = infos.iter().filter(|info| info.score.is_some()).collect();
    scored.iter().for_each(|info| referee.check_line(info));
    check_progress(&referee, &infos);
    check_last_lines(&scored, answer);

    referee.play(&answer.best);
    if let Some(ponder) = &answer.ponder {
        assert!(!referee.is_over(), "ponder {ponder} when the game is over in {arguments}");
        assert!(referee.is_legal(ponder), "ponder {ponder} in {arguments}");
    }
}

/// Searches a position, checks the answer, and fails if anything follows it.
pub fn checked_go(session: &mut Session, position: &str, command: &str) -> Answer {
    session.position(position);
    let answer = session.go(command);
    check_answer(position, false, &answer);
    answer
}

/// Neither the depth of each multi-PV line nor the nodes nor the time decrease.
fn check_progress(referee: &Referee, infos: &[Info<'_>]) {
    let mut depths = [0; 257];
    let (mut nodes, mut time) = (Some(0), Some(0));
    for info in infos {
        if let Some(current) = info.current_move {
            assert!(referee.is_legal(current), "{info:?}");
            assert!(info.current_number.is_some_and(|number| number >= 1), "{info:?}");
            assert!(info.depth >= depths[1], "{info:?} after depth {}", depths[1]);
            continue;
        }
        let depth = &mut depths[info.multipv.expect("a multi-PV number") as usize];
        assert!(info.depth >= *depth, "{info:?} after depth {depth}");
        assert!(info.nodes >= nodes, "{info:?} after {nodes:?} nodes");
        assert!(info.time >= time, "{info:?} after {time:?} ms");
        (*depth, nodes, time) = (info.depth, info.nodes, info.time);
    }
}

/// The last report has all multi-PV lines, best first, each with another move.
fn check_last_lines(scored: &[&Info<'_>], answer: &Answer) {
    let count = scored.iter().filter_map(|info| info.multipv).max().expect("a score");
    let last = &scored[scored.len() - count as usize..];
    assert!(last.iter().filter_map(|info| info.multipv).eq(1..=count), "{answer:#?}");
    // A line that the last iteration has not reached is of the iteration before.
    let depths = last.iter().map(|info| info.depth);
    assert!(depths.clone().max().unwrap() - depths.min().unwrap() <= 1, "{answer:#?}");
    let ranks = last.iter().filter_map(|info| info.score).map(UciScore::rank);
    assert!(ranks.is_sorted_by(|a, b| a >= b), "not the best first: {answer:#?}");
    let moves: HashSet<&str> = last.iter().map(|info| info.pv[0]).collect();
    assert_eq!(moves.len() as u64, count, "two lines with the same move: {answer:#?}");
    assert_eq!(last[0].pv[0], answer.best, "{answer:#?}");
    if let Some(ponder) = &answer.ponder {
        // A line that is cut short has no reply.
        assert!(last[0].pv.get(1).is_none_or(|reply| reply == ponder), "{answer:#?}");
    }
}
