//! How far the mate is in king and queen, or king and rook, against king:
//! solved backwards from all mates, with the legal moves of the crate.

use std::sync::LazyLock;

use lovec::chess::position::setup::Setup;
use lovec::chess::{Color, Move, Piece, Position, Square};

/// The longest mates that are told from draws, in plies.
pub const LONGEST: u8 = 12;

/// Boards of one side to move: the weak king's square, which a reflection brings
/// into the quarter round a1, and those of the two others.
const BOARDS: usize = 16 * 64 * 64;

/// The men of an ending.
#[derive(Clone, Copy, Debug)]
struct Men {
    weak_king: Square,
    king: Square,
    piece: Square,
}

impl Men {
    fn all() -> impl Iterator<Item = Self> {
        (0..BOARDS).map(|index| Self {
            weak_king: Square::new((index / 4096 % 4 + index / 4096 / 4 * 8) as u8),
            king: Square::new((index / 64 % 64) as u8),
            piece: Square::new((index % 64) as u8),
        })
    }

    /// The same for boards that are reflections of each other.
    fn index(self) -> usize {
        let weak_king = self.weak_king.index();
        let (right, upper) = (weak_king % 8 >= 4, weak_king >= 32);
        let mirror = 7 * usize::from(right) + 56 * usize::from(upper);
        let [weak_king, king, piece] =
            [self.weak_king, self.king, self.piece].map(|square| square.index() ^ mirror);
        (weak_king / 8 * 4 + weak_king % 8) * 4096 + king * 64 + piece
    }

    /// `None` if the board is impossible.
    fn position(self, piece: Piece, strong: Color, side_to_move: Color) -> Option<Position> {
        let mut setup = Setup { side_to_move, ..Setup::default() };
        let men = [
            (self.weak_king, !strong, Piece::King),
            (self.king, strong, Piece::King),
            (self.piece, strong, piece),
        ];
        for (square, color, piece) in men {
            setup.board[square.index()] = Some((color, piece));
        }
        let complete = setup.board.iter().flatten().count() == men.len();
        let (state, _) = setup.validate().ok().filter(|_| complete)?;
        Some(Position::new(state))
    }

    /// The board after a move, `None` if it takes the piece.
    fn after(self, m: Move) -> Option<Self> {
        let moved = |square| if square == m.from() { m.to() } else { square };
        (!m.is_capture()).then(|| Self {
            weak_king: moved(self.weak_king),
            king: moved(self.king),
            piece: moved(self.piece),
        })
    }
}

/// A board, and the boards to which its moves lead; `None` for a draw.
struct Node {
    men: Men,
    moves: Vec<Option<u32>>,
    is_mate: bool,
}

/// King and queen against king.
pub fn queen_ending() -> &'static Ending {
    static ENDING: LazyLock<Ending> = LazyLock::new(|| Ending::solve(Piece::Queen));
    &ENDING
}

/// King and rook against king.
pub fn rook_ending() -> &'static Ending {
    static ENDING: LazyLock<Ending> = LazyLock::new(|| Ending::solve(Piece::Rook));
    &ENDING
}

/// A solved ending.
pub struct Ending {
    piece: Piece,
    /// The boards of each distance in plies. The strong side is to move if that
    /// is odd.
    by_distance: Vec<Vec<Men>>,
}

impl Ending {
    /// Goes backwards ply by ply: the strong side mates in one more if some move
    /// leads to a mate in so many, the weak one is mated in one more if all do.
    fn solve(piece: Piece) -> Self {
        let sides = [Color::White, Color::Black];
        let mut open = sides.map(|side| nodes(piece, side));
        let mut solved = [vec![false; BOARDS], vec![false; BOARDS]];
        let solve_distance = |distance: u8| {
            let side = usize::from(distance.is_multiple_of(2));
            let leads =
                |next: &Option<u32>| next.is_some_and(|next| solved[1 - side][next as usize]);
            let decided = |node: &mut Node| match side {
                0 => node.moves.iter().any(leads),
                _ => node.is_mate || !node.moves.is_empty() && node.moves.iter().all(leads),
            };
            let found: Vec<Men> = open[side].extract_if(.., decided).map(|node| node.men).collect();
            for men in &found {
                solved[side][men.index()] = true;
            }
            found
        };
        Self { piece, by_distance: (0..=LONGEST).map(solve_distance).collect() }
    }

    /// The positions in which `strong`, to move if the number of plies is odd,
    /// mates in just so many; of boards that are reflections of each other one.
    pub fn mates_in(&self, plies: u8, strong: Color) -> impl ExactSizeIterator<Item = Position> {
        let side_to_move = if plies.is_multiple_of(2) { !strong } else { strong };
        self.by_distance[usize::from(plies)].iter().map(move |men| {
            men.position(self.piece, strong, side_to_move).expect("a legal position")
        })
    }
}

fn nodes(piece: Piece, side_to_move: Color) -> Vec<Node> {
    let node = |men: Men| {
        let position = men.position(piece, Color::White, side_to_move)?;
        let next = |m| men.after(m).map(|men| men.index() as u32);
        let moves = position.legal_moves().into_iter().map(next).collect();
        Some(Node { men, moves, is_mate: position.is_checkmate() })
    };
    Men::all().filter_map(node).collect()
}
