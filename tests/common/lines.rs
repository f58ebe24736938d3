//! The lines that the engine prints over UCI, parsed strictly.

/// A line of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineLine<'a> {
    ReadyOk,
    UciOk,
    /// The move, or `(none)`, and the reply to ponder on.
    BestMove(&'a str, Option<&'a str>),
    InfoString(&'a str),
    Info(Info<'a>),
    /// Part of the answer to `uci`, or a count of perft.
    Other,
}

/// An `info` line of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info<'a> {
    pub depth: u64,
    pub seldepth: Option<u64>,
    pub multipv: Option<u64>,
    pub score: Option<UciScore>,
    /// In permille.
    pub wdl: Option<[u64; 3]>,
    pub nodes: Option<u64>,
    pub nps: Option<u64>,
    pub time: Option<u64>,
    pub hashfull: Option<u64>,
    pub current_move: Option<&'a str>,
    pub current_number: Option<u64>,
    pub pv: Vec<&'a str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UciScore {
    pub is_mate: bool,
    /// Centipawns, or moves to the mate.
    pub value: i64,
    pub is_bound: bool,
}

impl UciScore {
    /// Orders scores: mates beyond centipawns, the nearest mate first.
    pub fn rank(self) -> i64 {
        if self.is_mate { self.value.signum() * (1_000_000 - self.value.abs()) } else { self.value }
    }
}

/// The longest `info string`, in bytes.
const MAX_INFO_STRING: usize = 2000;

impl<'a> EngineLine<'a> {
    /// Parses a line.
    ///
    /// # Errors
    ///
    /// What is wrong with it. The output of `d`, `eval` and `help` is never `malformed`.
    pub fn parse(line: &'a str) -> Result<Self, &'static str> {
        if line.trim().is_empty() {
            return Err("blank");
        }
        if line.starts_with(char::is_whitespace) {
            return Err("indented");
        }
        let words: Vec<&str> = line.split(' ').collect();
        Ok(match words[..] {
            ["readyok"] => Self::ReadyOk,
            ["uciok"] => Self::UciOk,
            ["bestmove", best] if best == "(none)" || is_move(best) => Self::BestMove(best, None),
            ["bestmove", best, "ponder", ponder] if is_move(best) && is_move(ponder) => {
                Self::BestMove(best, Some(ponder))
            }
            ["info", "string", _, ..] if line.len() < MAX_INFO_STRING => {
                Self::InfoString(&line["info string ".len()..])
            }
            ["info", "depth", ..] => Self::Info(Info::parse(&words[1..]).ok_or("malformed")?),
            ["id", "name" | "author", _, ..] => Self::Other,
            ["option", "name", _, ..] if words.contains(&"type") => Self::Other,
            [first, count] if is_number(count) && is_move(first.trim_end_matches(':')) => {
                Self::Other
            }
            ["Nodes", "searched:", count] if is_number(count) => Self::Other,
            ["bestmove" | "info" | "readyok" | "uciok" | "id" | "option", ..] => {
                return Err("malformed");
            }
            _ => return Err("unknown"),
        })
    }
}

impl<'a> Info<'a> {
    fn parse(words: &[&'a str]) -> Option<Self> {
        let mut words = words.iter().copied().peekable();
        let mut info = Self::default();
        while let Some(name) = words.next() {
            if name == "pv" {
                info.pv = words.by_ref().collect();
                let sound = !info.pv.is_empty() && info.pv.iter().all(|m| is_move(m));
                return sound.then_some(info);
            }
            let value = words.next()?;
            match name {
                "depth" => info.depth = value.parse().ok()?,
                "seldepth" => info.seldepth = Some(value.parse().ok()?),
                "multipv" => info.multipv = Some(value.parse().ok()?),
                "nodes" => info.nodes = Some(value.parse().ok()?),
                "time" => info.time = Some(value.parse().ok()?),
                "hashfull" => info.hashfull = Some(value.parse().ok()?),
                "currmovenumber" => info.current_number = Some(value.parse().ok()?),
                "nps" => info.nps = Some(value.parse().ok()?),
                "tbhits" if is_number(value) => {}
                "currmove" if is_move(value) => info.current_move = Some(value),
                "score" => {
                    let is_mate = value == "mate";
                    if !is_mate && value != "cp" {
                        return None;
                    }
                    let value = words.next()?.parse().ok()?;
                    let bound = words.next_if(|&word| matches!(word, "lowerbound" | "upperbound"));
                    info.score = Some(UciScore { is_mate, value, is_bound: bound.is_some() });
                }
                "wdl" if info.score.is_some() => {
                    let (draw, loss) = (words.next()?, words.next()?);
                    info.wdl = Some([value.parse().ok()?, draw.parse().ok()?, loss.parse().ok()?]);
                }
                _ => return None,
            }
        }
        Some(info)
    }
}

fn is_number(word: &str) -> bool {
    word.parse::<u64>().is_ok()
}

fn is_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    let is_square =
        |file: u8, rank: u8| (b'a'..=b'h').contains(&file) && (b'1'..=b'8').contains(&rank);
    (4..=5).contains(&bytes.len())
        && is_square(bytes[0], bytes[1])
        && is_square(bytes[2], bytes[3])
        && bytes.get(4).is_none_or(|piece| b"qrbn".contains(piece))
}
