//! An independent judge of moves and lines: the rules of `cozy-chess`.

use cozy_chess::{Board, Color, File, GameStatus, Move, Piece, Rank, Square};

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

    /// The move that this text means, if it is legal and written as the mode
    /// wants it: castling is king takes rook in Chess960 and the king's
    /// destination otherwise.
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

    /// Some legal move, always the same in the same position, that is no
    /// castling.
    pub fn first_move(&self) -> String {
        let mut moves = Vec::new();
        self.board().generate_moves(|piece_moves| {
            moves.extend(piece_moves.into_iter().map(|m| m.to_string()));
            false
        });
        moves.sort();
        moves.into_iter().find(|text| self.is_legal(text)).expect("the game is over")
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

    /// Panics unless the line is legal move by move, does not run past the end
    /// of the game, and is as long as its mate score says.
    pub fn check_info(&self, info: &str) {
        let words: Vec<&str> = info.split(' ').collect();
        let after = |name: &str| {
            words.iter().position(|word| *word == name).map(|place| &words[place + 1..])
        };
        for name in ["depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time"] {
            let value = after(name).unwrap_or_else(|| panic!("no {name} in {info:?}"));
            assert!(value[0].parse::<u64>().is_ok(), "{name} is no plain number in {info:?}");
        }
        let number = |name: &str| after(name).unwrap()[0].parse::<usize>().unwrap();
        assert!(number("hashfull") <= 1000, "{info:?}");
        assert!(number("multipv") >= 1 && number("depth") >= 1, "{info:?}");
        let mut line = Self { boards: self.boards.clone(), chess960: self.chess960 };
        let pv = after("pv").unwrap_or_else(|| panic!("no pv in {info:?}"));
        assert!(!pv.is_empty(), "an empty pv in {info:?}");
        for (index, text) in pv.iter().enumerate() {
            assert!(line.is_legal(text), "{text} is not legal in {info:?}");
            assert!(index == 0 || !line.is_over(), "{text} comes after the end in {info:?}");
            line.play(text);
        }
        assert!(number("seldepth") >= pv.len(), "the line is deeper than the search: {info:?}");
        let score = after("score").unwrap_or_else(|| panic!("no score in {info:?}"));
        let exact = !words.contains(&"lowerbound") && !words.contains(&"upperbound");
        if let (["mate", moves], true) = (&score[..2], exact) {
            let moves: i64 = moves.parse().unwrap();
            let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
            assert_eq!(pv.len() as i64, plies, "the mate is not as long as its line: {info:?}");
            assert!(line.is_checkmate(), "the line does not end in mate: {info:?}");
        }
    }
}
