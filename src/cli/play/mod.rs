//! `lovec play`: a game against Lovec at the prompt.

mod command;
mod record;

use std::fs;
use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;

use crate::book;
use crate::chess::notation::san;
use crate::chess::notation::written;
use crate::chess::{Color, GameResult, Move, Position};
use crate::cli::arguments::{HashArgs, LimitArgs, ThreadArgs, whole};
use crate::cli::board::{Board, drawn};
use crate::cli::game::GameArgs;
use crate::cli::interrupt::Interrupt;
use crate::cli::outputs::not_written;
use crate::cli::play::command::{HELP, PlayCommand, moves_of};
use crate::cli::play::record::{Agreement, GameRecord};
use crate::cli::position::{self, PositionArgs};
use crate::cli::score::pawns;
use crate::cli::status::CommandStatus;
use crate::cli::style::{BEST, paint};
use crate::cli::tables::TableArgs;
use crate::eval::Score;
use crate::insight::mark::{PlayerLevel, Thresholds};
use crate::insight::reasons::reasons;
use crate::insight::study::{Study, StudyRequest};
use crate::insight::{Examiner, ExaminerStop, words};
use crate::search::strength::{ELO, Strength};
use crate::search::{Limits, SearchOptions, SearchRequest, Searcher, Tables};
use crate::util::output_file::OutputFile;
use crate::util::thread::{SMALL_STACK_BYTES, start};

const EXAMPLES: &str = "\
Type moves as you say them, and `help` for the commands. When the game is left, by `quit`,
Ctrl-C or the end of the input, it is written to a file that does not exist yet, and the
file is named; `lovec play --pgn FILE` goes on with it.

Examples:
  lovec play --elo 1200
  lovec play --side black --movetime 3000
  lovec play \"8/8/8/4k3/8/8/3QK3/8 w - - 0 1\"
  lovec play --pgn lovec-game.pgn";

const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The nodes of `hint`, `why` and `eval`.
const ADVICE_NODES: u64 = 200_000;
/// The table of these searches, in MiB.
const ADVICE_HASH: usize = 16;

/// The longest line that is read, in bytes.
const MAX_LINE: u64 = 4096;

/// What a move after the end of the game gets.
const OVER: &str = "the game is over; `new`, `undo` or `quit`";

/// How often Ctrl-C is looked for.
const INTERVAL: Duration = Duration::from_millis(20);

/// Lovec accepts a draw from this move of the game on, if it does not stand better.
const DRAW_MOVE: u16 = 10;

/// Play a game against Lovec
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Your side
    #[arg(long, value_enum, default_value_t = SideChoice::White)]
    side: SideChoice,
    /// Lovec's rating; without it Lovec plays as well as it can
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u16>(*ELO.start() as u64, *ELO.end() as u64))]
    elo: Option<u16>,
    #[command(flatten)]
    limit: LimitArgs,
    /// How to draw the board
    #[arg(long, value_enum, default_value_t = Board::Unicode)]
    board: Board,
    #[command(flatten)]
    search: ThreadArgs,
    #[command(flatten)]
    table: HashArgs<64>,
    #[command(flatten)]
    tables: TableArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SideChoice {
    White,
    Black,
    /// By lot
    Random,
}

impl SideChoice {
    fn color(self) -> Color {
        match self {
            Self::White => Color::White,
            Self::Black => Color::Black,
            Self::Random if rand::random() => Color::White,
            Self::Random => Color::Black,
        }
    }
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let person = args.side.color();
    let game = GameRecord::new(args.position.read()?, person);
    let mut searcher = Searcher::new(args.table.hash as usize)?;
    searcher.set_threads(args.search.threads.into())?;
    searcher.tables = args.tables.open()?;
    let interrupt = Interrupt::catch()?;
    let stop = ExaminerStop::Job(interrupt.stop.clone());
    let mut dialogue = Dialogue {
        lines: input_lines()?,
        examiner: Examiner::new(ADVICE_HASH, Tables::default(), stop)?,
        searcher,
        limits: args.limit.limits(DEFAULT_TIME),
        elo: args.elo.map(i32::from),
        board: args.board,
        flip: person == Color::Black,
        latest: Score::ZERO,
        kept: String::new(),
        is_told: false,
        game,
        interrupt,
        out,
    };
    dialogue.kept = dialogue.text();
    dialogue.run()?;
    Ok(dialogue.interrupt.status(CommandStatus::Passed))
}

/// The lines of the standard input, read by a thread of their own, so that Ctrl-C need not wait
/// for one. The channel ends with the input.
fn input_lines() -> Result<Receiver<String>> {
    let (sender, inbox) = sync_channel(1);
    start("input", SMALL_STACK_BYTES, move || {
        let mut input = io::stdin().lock();
        loop {
            let mut line = Vec::new();
            let read = input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line);
            if read.is_err() || line.is_empty() {
                return;
            }
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
        }
    })?;
    Ok(inbox)
}

/// A game and what goes on about it.
struct Dialogue<'a, W> {
    game: GameRecord,
    searcher: Searcher,
    examiner: Examiner,
    limits: Limits,
    /// Lovec's rating; `None` for full strength.
    elo: Option<i32>,
    board: Board,
    flip: bool,
    /// Lovec's score of its last search, from its side.
    latest: Score,
    /// The game as it was at the beginning, or when it was written last.
    kept: String,
    /// Whether the end of the game has been told.
    is_told: bool,
    interrupt: Interrupt,
    lines: Receiver<String>,
    out: &'a mut W,
}

impl<W: Write> Dialogue<'_, W> {
    fn run(&mut self) -> Result<()> {
        writeln!(
            self.out,
            "You are {}; {} plays {}. `help` shows the commands.",
            self.game.person.name(),
            self.name(),
            (!self.game.person).name()
        )?;
        self.show_board()?;
        loop {
            self.tell_end()?;
            if self.game.result().is_none() && !self.game.is_persons_turn() {
                self.reply()?;
                self.tell_end()?;
            }
            let Some(line) = self.read_line()? else { break };
            if line.trim().is_empty() {
                continue;
            }
            match PlayCommand::parse(&line, &self.game.position) {
                Ok(PlayCommand::Quit) => break,
                Ok(command) => {
                    if let Err(error) = self.obey(command) {
                        writeln!(self.out, "{error:#}")?;
                    }
                }
                Err(_) if self.game.result().is_some() => writeln!(self.out, "{OVER}")?,
                Err(error) => writeln!(self.out, "{error}")?,
            }
        }
        self.keep()
    }

    /// The next line; `None` at the end of the input and after Ctrl-C.
    fn read_line(&mut self) -> Result<Option<String>> {
        let position = &self.game.position;
        let dots = if position.side_to_move() == Color::White { "." } else { "..." };
        write!(self.out, "{}{dots} ", position.fullmove_number())?;
        self.out.flush()?;
        while !self.interrupt.is_raised() {
            match self.lines.recv_timeout(INTERVAL) {
                Ok(line) => return Ok(Some(line)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        writeln!(self.out)?;
        Ok(None)
    }

    fn obey(&mut self, command: PlayCommand) -> Result<()> {
        match command {
            PlayCommand::Move(m) => {
                ensure!(self.game.result().is_none(), OVER);
                self.game.position.make(m);
                self.is_told = false;
            }
            PlayCommand::Moves(from) => {
                let moves = moves_of(&self.game.position, from);
                writeln!(
                    self.out,
                    "{}",
                    if moves.is_empty() { "none".to_owned() } else { moves.join(" ") }
                )?;
            }
            PlayCommand::Board => self.show_board()?,
            PlayCommand::Flip => {
                self.flip = !self.flip;
                self.show_board()?;
            }
            PlayCommand::Undo => {
                ensure!(self.game.undo(), "there is no move of yours to take back");
                self.is_told = false;
                self.show_board()?;
            }
            PlayCommand::Hint => self.hint()?,
            PlayCommand::Why => self.why()?,
            PlayCommand::Eval => self.eval()?,
            PlayCommand::Switch => {
                ensure!(self.game.result().is_none(), OVER);
                self.game.person = !self.game.person;
                self.latest = -self.latest;
                self.flip = !self.flip;
                writeln!(self.out, "You are {} now.", self.game.person.name())?;
            }
            PlayCommand::Resign => self.end(Agreement::Resignation)?,
            PlayCommand::Draw => self.offer_draw()?,
            PlayCommand::Opening => {
                let named = book::opening_of_game(self.game.position.states());
                match named {
                    Some((_, name)) => writeln!(self.out, "{name}")?,
                    None => writeln!(self.out, "no opening with a name")?,
                }
            }
            PlayCommand::New => self.begin(Position::startpos())?,
            PlayCommand::Level(elo) => {
                ensure!(
                    elo.is_none_or(|elo| ELO.contains(&elo)),
                    "a rating from {} to {} is expected",
                    ELO.start(),
                    ELO.end()
                );
                self.elo = elo;
                writeln!(self.out, "{} plays on.", self.name())?;
            }
            PlayCommand::Load(text) => self.begin(loaded(&text)?)?,
            PlayCommand::Save(path) => self.save(Path::new(&path))?,
            PlayCommand::Help => writeln!(self.out, "{HELP}")?,
            PlayCommand::Quit => {}
        }
        Ok(())
    }

    /// Begins another game; the last one is kept.
    fn begin(&mut self, position: Position) -> Result<()> {
        self.keep()?;
        self.game = GameRecord::new(position, self.game.person);
        self.kept = self.text();
        self.searcher.clear();
        self.latest = Score::ZERO;
        self.is_told = false;
        self.show_board()
    }

    /// Lovec's move.
    fn reply(&mut self) -> Result<()> {
        let strength = self.elo.and_then(Strength::of_elo);
        let request = SearchRequest {
            position: self.game.position.clone(),
            limits: self.limits.clone(),
            options: SearchOptions { strength, ..SearchOptions::default() },
            control: self.interrupt.stop.control(),
        };
        let result = self.searcher.search(request, &mut ());
        let Some(m) = result.best.filter(|_| !self.interrupt.is_raised()) else { return Ok(()) };
        self.latest = result.score;
        let name = numbered(&self.game.position, m);
        self.game.position.make(m);
        self.show_board()?;
        writeln!(self.out, "{}", paint(BEST, format_args!("Lovec: {name}")))?;
        Ok(())
    }

    fn offer_draw(&mut self) -> Result<()> {
        ensure!(self.game.result().is_none(), OVER);
        if self.latest <= Score::ZERO && self.game.position.fullmove_number() >= DRAW_MOVE {
            return self.end(Agreement::Draw);
        }
        writeln!(self.out, "Lovec plays on.")?;
        Ok(())
    }

    fn end(&mut self, agreement: Agreement) -> Result<()> {
        ensure!(self.game.result().is_none(), OVER);
        self.game.agreement = Some(agreement);
        Ok(())
    }

    /// Tells the result once.
    fn tell_end(&mut self) -> Result<()> {
        let Some((result, words)) = self.game.result().filter(|_| !self.is_told) else {
            return Ok(());
        };
        self.is_told = true;
        if self.game.agreement.is_none() && self.game.position.side_to_move() != self.game.person {
            self.show_board()?;
        }
        let winner = match result {
            GameResult::Won(winner) => format!(" {} wins.", winner.name()),
            GameResult::Drawn => String::new(),
        };
        writeln!(self.out, "{}", paint(BEST, format_args!("{words}{winner}")))?;
        Ok(())
    }

    /// The best move, and the first reason for it.
    fn hint(&mut self) -> Result<()> {
        let study = self.study(&self.game.position.clone(), None)?;
        let reasons = reasons(&study, &Thresholds::of(study.level));
        let name = words::numbered_move(&study.best.line, 0);
        let score = study.best.searched.score * self.game.position.side_to_move().sign();
        let reason = words::sentences(&study, &reasons).into_iter().next();
        let reason = reason.unwrap_or_else(|| format!("{} for White.", pawns(score).trim()));
        writeln!(self.out, "{name}: {reason}")?;
        Ok(())
    }

    /// How good the person's last move was, and why.
    fn why(&mut self) -> Result<()> {
        let Some((before, m)) = self.game.last_of_person() else { bail!("you have not moved yet") };
        let study = self.study(&before, Some(m))?;
        let thresholds = Thresholds::of(study.level);
        let reasons = reasons(&study, &thresholds);
        writeln!(self.out, "{}", words::verdict(&study, &thresholds))?;
        for sentence in words::sentences(&study, &reasons) {
            writeln!(self.out, "  {sentence}")?;
        }
        Ok(())
    }

    fn eval(&mut self) -> Result<()> {
        let position = self.game.position.clone();
        let study = self.study(&position, None)?;
        let white = study.best.searched.score * position.side_to_move().sign();
        let expected = study.level.expected(&study.best.searched);
        let expected =
            if position.side_to_move() == Color::White { expected } else { 1.0 - expected };
        writeln!(
            self.out,
            "{} for White, {:.0} % of the points",
            pawns(white).trim(),
            100.0 * expected
        )?;
        Ok(())
    }

    fn study(&mut self, position: &Position, played: Option<Move>) -> Result<Study> {
        ensure!(played.is_some() || GameResult::by_rule(position).is_none(), OVER);
        let level = PlayerLevel::Club;
        let request = StudyRequest {
            played,
            level,
            limits: Limits { nodes: Some(ADVICE_NODES), ..Limits::default() },
            thresholds: Thresholds::of(level),
            threat: true,
        };
        Ok(Study::new(&mut self.examiner, position, &request))
    }

    /// Writes the game to a new file.
    fn save(&mut self, path: &Path) -> Result<()> {
        let is_free = fs::symlink_metadata(path).is_err();
        ensure!(is_free, "{} exists; choose another file", path.display());
        let text = self.text();
        let written = OutputFile::prepare(path).and_then(|file| file.write(text.as_bytes()));
        written.with_context(|| not_written(path))?;
        self.kept = text;
        writeln!(self.out, "The game is in {}.", path.display())?;
        Ok(())
    }

    /// Writes a game that is in no file to one that it names.
    fn keep(&mut self) -> Result<()> {
        if self.game.position.last_move().is_none() || self.kept == self.text() {
            return Ok(());
        }
        let names = (1..).map(|number| match number {
            1 => PathBuf::from("lovec-game.pgn"),
            _ => PathBuf::from(format!("lovec-game-{number}.pgn")),
        });
        let is_free = |path: &PathBuf| fs::symlink_metadata(path).is_err();
        let free = names.into_iter().find(is_free).context("no free name for the game")?;
        self.save(&free)
    }

    fn show_board(&mut self) -> Result<()> {
        if self.board != Board::None {
            let position = &self.game.position;
            let text = drawn(position, position.last_move(), self.board, self.flip);
            write!(self.out, "\n{text}\n")?;
        }
        Ok(())
    }

    fn text(&self) -> String {
        self.game.pgn(&self.name())
    }

    /// `Lovec`, `Lovec (1500)`.
    fn name(&self) -> String {
        self.elo.map_or_else(|| "Lovec".to_owned(), |elo| format!("Lovec ({elo})"))
    }
}

/// The position of a FEN, or at the end of the first game of a file.
fn loaded(text: &str) -> Result<Position> {
    let file = Some(PathBuf::from(text)).filter(|path| path.is_file());
    let position = file.map(|path| GameArgs::of_file(path).read()).transpose()?.flatten();
    position.map_or_else(|| position::parse(text), Ok)
}

/// `4...Nxe5`.
fn numbered(position: &Position, m: Move) -> String {
    let name = [san::format(position, m)];
    written::numbered(&name, position.fullmove_number(), position.side_to_move(), "")
}
