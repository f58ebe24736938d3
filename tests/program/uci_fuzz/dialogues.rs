//! Dialogues of real clients, with faults.

use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::{Index, select};

use crate::uci_fuzz::grammar::extreme;
use crate::uci_fuzz::stream::{Piece, Stream};

/// Dialogues of clients, one command a line, with short clocks.
const DIALOGUES: [&str; 8] = [
    // Cute Chess: pings, and the whole game every time.
    "uci
setoption name Hash value 4
setoption name Threads value 1
setoption name Ponder value true
isready
ucinewgame
position startpos moves e2e4
isready
go wtime 30 btime 30 winc 1 binc 1
position startpos moves e2e4 e7e5 g1f3
go ponder wtime 30 btime 30 winc 1 binc 1
ponderhit
position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5
go wtime 20 btime 25 winc 1 binc 1
stop
isready",
    // fastchess: `isready` before and after every command.
    "uci
isready
setoption name Threads value 1
setoption name Hash value 8
isready
ucinewgame
isready
position fen rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R w KQkq - 1 5
isready
go wtime 80 btime 80 winc 1 binc 1
isready
position fen rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R w KQkq - 1 5 moves b1c3 a7a6
isready
go wtime 75 btime 70 winc 1 binc 1
isready
go nodes 200
isready",
    // fastchess with Chess960.
    "uci
isready
setoption name UCI_Chess960 value true
isready
ucinewgame
position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9
isready
go nodes 500
position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9 moves g1h1 e6e5
isready
go depth 3
position fen 1rk1r3/8/8/8/8/8/8/RK4R1 w GAeb - 0 1 moves b1a1
go depth 2
isready",
    // Arena: an old protocol first, analysis without end.
    "xboard
uci
setoption name Hash value 16
setoption name MultiPV value 3
debug off
ucinewgame
isready
position startpos
go infinite
stop
position startpos moves d2d4 d7d5 c2c4
go infinite
stop
setoption name MultiPV value 1
position startpos moves d2d4 d7d5 c2c4
go movetime 5
go wtime 0 btime -100 movestogo 3
isready",
    // lichess-bot by way of python-chess: several options, pondering, only some
    // moves.
    "uci
setoption name Move Overhead value 100
setoption name Threads value 4
setoption name Hash value 32
setoption name SyzygyPath value <empty>
setoption name UCI_ShowWDL value true
setoption name UCI_Chess960 value false
isready
ucinewgame
isready
position startpos moves e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6
go wtime 50 btime 50 winc 0 binc 0 searchmoves c1e3 f1e2 f2f3
position startpos moves e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 c1e3 e7e5
go ponder wtime 50 btime 50
stop
go nodes 300 depth 4
quit",
    // Shredder and Fritz: four fields, no moves after the word, a new game after
    // each position.
    "uci
setoption name Clear Hash
setoption name Hash value 8
isready
ucinewgame
position fen r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - moves
go infinite
isready
stop
ucinewgame
position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -
go depth 4
ucinewgame
position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1
go mate 2
isready",
    // The compliance check of fastchess, more or less.
    "uci
isready
isready
position startpos
go wtime 10
go nodes 0
go movestogo 1 wtime 8 btime 8
position startpos moves e2e4 e7e5
go wtime 10 winc 1 btime 10 binc 1
go btime 10
go nodes 100
position fen 3r2k1/1p3ppp/2pq4/p1n5/P6P/1P6/1PB2QP1/1K2R3 w - - 0 1 moves f2c5 d6c5 e1e8 d8e8
go depth 2
isready",
    // A person.
    "help
d
eval
position startpos moves g2g4
d
go perft 2
perft 1
go depth 3
debug on
hello engine
setoption name Debug Log File value /dev/null
go
stop
isready",
];

type Line = Vec<u8>;

/// A change of a list of lines or words.
#[derive(Clone, Copy, Debug)]
enum Edit {
    Drop,
    Repeat,
    Swap,
    Join,
}

impl Edit {
    fn apply(self, items: &mut Vec<Line>, one: Index, other: Index) {
        let (one, other) = (one.index(items.len()), other.index(items.len()));
        match self {
            Self::Drop => drop(items.remove(one)),
            Self::Repeat => items.insert(one, items[one].clone()),
            Self::Swap => items.swap(one, other),
            Self::Join if one + 1 < items.len() => {
                let next = items.remove(one + 1);
                items[one].extend(next);
            }
            Self::Join => {}
        }
    }
}

#[derive(Clone, Debug)]
enum Fault {
    Lines(Edit),
    Words(Edit),
    /// A line of another dialogue is inserted.
    ForeignLine,
    CutLine,
    /// One of the words that are numbers becomes another.
    Number(String),
    FlipBit(u8),
    Insert(u8),
    Delete,
}

impl Fault {
    fn apply(&self, lines: &mut Vec<Line>, [first, second, third]: [Index; 3]) {
        if lines.is_empty() {
            return;
        }
        let place = first.index(lines.len());
        let line = &mut lines[place];
        match self {
            Self::Lines(edit) => edit.apply(lines, first, second),
            Self::Words(edit) => change_words(line, |words| edit.apply(words, second, third)),
            Self::ForeignLine => {
                let others = lines_of(DIALOGUES[second.index(DIALOGUES.len())]);
                let place = first.index(lines.len() + 1);
                lines.insert(place, others[third.index(others.len())].clone());
            }
            Self::CutLine => line.truncate(second.index(line.len() + 1)),
            Self::Number(other) => change_words(line, |words| {
                let is_number = |word: &&mut Line| word.iter().all(u8::is_ascii_digit);
                let mut numbers: Vec<_> = words.iter_mut().filter(is_number).collect();
                if !numbers.is_empty() {
                    let place = second.index(numbers.len());
                    *numbers[place] = other.clone().into_bytes();
                }
            }),
            Self::Insert(byte) => line.insert(second.index(line.len() + 1), *byte),
            Self::FlipBit(_) | Self::Delete if line.is_empty() => {}
            Self::FlipBit(bit) => {
                let place = second.index(line.len());
                line[place] ^= 1 << bit;
            }
            Self::Delete => drop(line.remove(second.index(line.len()))),
        }
    }
}

fn lines_of(dialogue: &str) -> Vec<Line> {
    dialogue.lines().map(|line| line.as_bytes().to_vec()).collect()
}

fn change_words(line: &mut Line, change: impl FnOnce(&mut Vec<Line>)) {
    let mut words: Vec<Line> = line.split(|&byte| byte == b' ').map(<[u8]>::to_vec).collect();
    change(&mut words);
    *line = words.join(&b' ');
}

fn fault() -> impl Strategy<Value = Fault> {
    let edit = || select(vec![Edit::Drop, Edit::Repeat, Edit::Swap, Edit::Join]);
    let byte = prop_oneof![
        2 => select(&b"\0\xff\r\t\n \x1b\x7f\x80\xc3"[..]),
        1 => any::<u8>(),
    ];
    prop_oneof![
        4 => edit().prop_map(Fault::Lines),
        4 => edit().prop_map(Fault::Words),
        1 => Just(Fault::ForeignLine),
        1 => Just(Fault::CutLine),
        1 => extreme().prop_map(Fault::Number),
        1 => (0..8_u8).prop_map(Fault::FlipBit),
        1 => byte.prop_map(Fault::Insert),
        1 => Just(Fault::Delete),
    ]
}

/// Some lines of a dialogue with some faults in them, sent with some pauses.
pub fn stream() -> impl Strategy<Value = Stream> {
    let part = (any::<Index>(), 1..17_usize);
    let faults = vec((fault(), any::<[Index; 3]>()), 0..6);
    let pauses = vec(0..4_u8, 24);
    (select(&DIALOGUES[..]), part, faults, pauses).prop_map(
        |(dialogue, (start, length), faults, pauses)| {
            let lines = lines_of(dialogue);
            let start = start.index(lines.len());
            let mut lines: Vec<Line> = lines.into_iter().skip(start).take(length).collect();
            faults.iter().for_each(|(fault, places)| fault.apply(&mut lines, *places));
            let pauses = pauses.iter().cycle().map(|&pause| pause == 0);
            let pieces = lines.into_iter().zip(pauses).map(|(mut bytes, pause)| {
                bytes.push(b'\n');
                Piece { bytes, pause }
            });
            Stream::new(pieces.collect())
        },
    )
}
