//! `lovec play`: a game against Lovec at the prompt.

mod adviser;
mod clock;
mod command;
mod prompt;
mod record;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;

use crate::book::{self, Book};
use crate::chess::notation::pgn::{MoveNumber, PgnGame};
use crate::chess::notation::san;
use crate::chess::{Color, GameResult, Move, Position};
use crate::cli::arguments::{HashArgs, LimitArgs, ThreadArgs, whole};
use crate::cli::board::{Board, drawn};
use crate::cli::game::GameArgs;
use crate::cli::interrupt::Interrupt;
use crate::cli::outputs::not_written;
use crate::cli::play::adviser::Adviser;
use crate::cli::play::clock::{GameClock, TimeControl};
use crate::cli::play::command::{Completions, HELP, PlayCommand, moves_of};
use crate::cli::play::prompt::{Awaited, Prompt};
use crate::cli::play::record::{GameEnd, GameRecord, OVER, Players};
use crate::cli::position::{self, PositionArgs};
use crate::cli::progress;
use crate::cli::status::CommandStatus;
use crate::cli::style::{BEST, paint};
use crate::cli::tables::TableArgs;
use crate::eval::Score;
use crate::search::strength::{ELO, Strength};
use crate::search::{Limits, SearchOptions, SearchRequest, Searcher};
use crate::util::output_file::{OutputFile, numbered_path};

const EXAMPLES: &str = "\
Type moves, as Nf3 or g1f3, and `help` for the commands. When the game is left, by `quit`,
Ctrl-C or the end of the input, it is written to a file that does not exist yet, and the
file is named; `lovec play --pgn FILE` goes on with it.

Examples:
  lovec play --elo 1200
  lovec play --side black --clock 5+3
  lovec play \"8/8/8/4k3/8/8/3QK3/8 w - - 0 1\"
  lovec play --pgn lovec-game.pgn";

const DEFAULT_MS: u64 = 1_000;

/// Lovec accepts a draw from this move of the game on, if it does not stand better, …
const DRAW_MOVE: u16 = 10;
/// … and earlier if the person stands so much better.
const WORSE: Score = Score::new(200);

/// Play a game against Lovec
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Your side, by default White; in a game that `lovec play` has kept, the same as there
    #[arg(long, value_enum)]
    side: Option<SideChoice>,
    /// Lovec's rating; without it Lovec plays as well as it can, or as in the game it has kept
    #[arg(long, value_name = "N", value_parser = whole::<u16>(*ELO.start() as u64, *ELO.end() as u64))]
    elo: Option<u16>,
    /// Minutes for the game and seconds for each move, as 5, 0.5 or 5+3
    #[arg(long, value_name = "MIN+SEC", conflicts_with_all = ["movetime", "depth", "nodes"])]
    clock: Option<TimeControl>,
    /// The book that Lovec opens from: `own`, `none`, or a file
    #[arg(long, value_name = "BOOK", default_value = "own")]
    book: PathBuf,
    #[command(flatten)]
    limit: LimitArgs<DEFAULT_MS, 0>,
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
    let (position, kept) = args.position.read_with_game()?;
    let earlier = kept.as_ref().and_then(Players::of);
    let side = args.side.map(SideChoice::color);
    let person = side.or(earlier.map(|it| it.person)).unwrap_or(Color::White);
    let elo = args.elo.map(i32::from).or(earlier.and_then(|it| it.elo));
    let earlier_control = earlier.and_then(|it| it.control).filter(|_| !args.limit.is_given());
    let game = GameRecord::new(position, person, kept.as_ref());
    let mut searcher = Searcher::new(args.table.hash as usize)?;
    searcher.set_threads(args.search.threads.into())?;
    searcher.tables = args.tables.open()?;
    let book = Some(&args.book).filter(|name| name.as_os_str() != "none");
    let open = |name: &PathBuf| {
        Book::named(name).with_context(|| format!("cannot open {}", name.display()))
    };
    let book = book.map(open).transpose()?;
    let interrupt = Interrupt::catch()?;
    let mut dialogue = Dialogue {
        prompt: Prompt::new()?,
        adviser: Adviser::new(interrupt.stop.clone())?,
        searcher,
        book,
        limits: args.limit.limits(),
        clock: args.clock.or(earlier_control).map(GameClock::new),
        elo,
        board: args.board,
        flip: person == Color::Black,
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

/// A game and what goes on about it.
struct Dialogue<'a, W> {
    game: GameRecord,
    searcher: Searcher,
    adviser: Adviser,
    book: Option<Book>,
    limits: Limits,
    clock: Option<GameClock>,
    /// Lovec's rating; `None` for full strength.
    elo: Option<i32>,
    board: Board,
    flip: bool,
    /// The game as it was at the beginning, or when it was written last.
    kept: String,
    /// Whether the end of the game has been told.
    is_told: bool,
    interrupt: Interrupt,
    prompt: Prompt,
    out: &'a mut W,
}

impl<W: Write> Dialogue<'_, W> {
    /// Plays, and keeps the game also if nobody reads any more.
    fn run(&mut self) -> Result<()> {
        let talked = self.talk();
        self.keep().and(talked)
    }

    fn talk(&mut self) -> Result<()> {
        writeln!(self.out, "{} `help` shows the commands.", self.players())?;
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
                    // What Ctrl-C has ended needs no excuse.
                    if let Err(error) = self.obey(command)
                        && !self.interrupt.is_raised()
                    {
                        writeln!(self.out, "{error:#}")?;
                    }
                }
                Err(_) if self.game.result().is_some() => writeln!(self.out, "{OVER}")?,
                Err(error) => writeln!(self.out, "{error}")?,
            }
        }
        Ok(())
    }

    /// The next line; `None` at the end of the input and after Ctrl-C. The time is the
    /// person's, if it is the person's turn; that it is over is told at once.
    fn read_line(&mut self) -> Result<Option<String>> {
        let position = &self.game.position;
        let times = self.clock.map(|clock| {
            let [yours, its] = [self.game.person, !self.game.person].map(|it| clock.shown(it));
            format!("[{yours}, Lovec {its}] ")
        });
        let prompt = format!("{} {}", MoveNumber::next(position), times.unwrap_or_default());
        let completions = Completions::of(position);
        self.out.flush()?;
        let begin = Instant::now();
        let is_over = self.game.result().is_some();
        let clock = self.clock.filter(|_| !is_over);
        let left = clock.map(|clock| clock.of(self.game.position.side_to_move()).remaining);
        let mut awaited = self.prompt.ask(prompt, completions, left, &self.interrupt);
        self.spend(begin)?;
        if awaited == Awaited::TimeOver {
            if let Some(words) = self.end_words() {
                self.prompt.show(words)?;
            }
            awaited = self.prompt.wait(None, &self.interrupt);
        }
        if let Awaited::Line(line) = awaited {
            return Ok(Some(line));
        }
        writeln!(self.out)?;
        Ok(None)
    }

    /// The side to move has used its clock since `begin`.
    fn spend(&mut self, begin: Instant) -> Result<()> {
        let mover = self.game.position.side_to_move();
        if self.game.result().is_none()
            && let Some(clock) = &mut self.clock
            && !clock.spend(mover, begin.elapsed())
        {
            self.end(GameEnd::TimeForfeit(mover))?;
        }
        Ok(())
    }

    fn obey(&mut self, command: PlayCommand) -> Result<()> {
        match command {
            PlayCommand::Move(m) => {
                ensure!(self.game.result().is_none(), OVER);
                self.make(m);
                self.is_told = false;
            }
            PlayCommand::Moves => {
                let moves = moves_of(&self.game.position, None).join(" ");
                writeln!(self.out, "{}", if moves.is_empty() { "none" } else { &moves })?;
            }
            PlayCommand::Board => match self.board {
                Board::None => self.draw_board(Board::Ascii)?,
                board => self.draw_board(board)?,
            },
            PlayCommand::Flip => {
                self.flip = !self.flip;
                self.show_board()?;
            }
            PlayCommand::Undo => {
                let is_time_over = matches!(self.game.end, Some(GameEnd::TimeForfeit(_)));
                ensure!(self.game.undo(), "there is no move of yours to take back");
                self.is_told = false;
                if let Some(clock) = self.clock.filter(|_| is_time_over) {
                    self.clock = Some(GameClock::new(clock.control));
                    writeln!(self.out, "Both clocks start again.")?;
                }
                self.show_board()?;
            }
            PlayCommand::Hint => writeln!(self.out, "{}", self.adviser.hint(&self.game)?)?,
            PlayCommand::Why => writeln!(self.out, "{}", self.adviser.why(&self.game)?)?,
            PlayCommand::Eval => writeln!(self.out, "{}", self.adviser.eval(&self.game)?)?,
            PlayCommand::Switch => {
                ensure!(self.game.result().is_none(), OVER);
                self.game.person = !self.game.person;
                self.flip = !self.flip;
                writeln!(self.out, "{}", self.players())?;
            }
            PlayCommand::Resign => self.end(GameEnd::Resignation)?,
            PlayCommand::Draw => self.offer_draw()?,
            PlayCommand::Opening => match book::opening_of_game(self.game.position.states()) {
                Some((_, name)) => writeln!(self.out, "{name}")?,
                None => writeln!(self.out, "no opening with a name")?,
            },
            PlayCommand::New => self.begin(Position::startpos(), None)?,
            PlayCommand::Level(elo) => {
                ensure!(
                    elo.is_none_or(|elo| ELO.contains(&elo)),
                    "a rating from {} to {} is expected",
                    ELO.start(),
                    ELO.end()
                );
                self.elo = elo;
                writeln!(self.out, "{}", self.players())?;
            }
            PlayCommand::Load(text) => {
                let (position, game) = loaded(&text)?;
                self.begin(position, game.as_ref())?;
            }
            PlayCommand::Save(path) => self.save(Path::new(&path))?,
            PlayCommand::Help => writeln!(self.out, "{HELP}")?,
            PlayCommand::Quit => {}
        }
        Ok(())
    }

    /// Begins another game, perhaps from a position of an earlier one; the last one is kept.
    fn begin(&mut self, position: Position, earlier: Option<&PgnGame>) -> Result<()> {
        self.keep().context("this game goes on; `save` it to another file")?;
        let mut control = self.clock.map(|clock| clock.control);
        let mut person = self.game.person;
        if let Some(players) = earlier.and_then(Players::of) {
            (person, self.elo, control) = (players.person, players.elo, players.control);
        }
        self.game = GameRecord::new(position, person, earlier);
        self.clock = control.map(GameClock::new);
        self.flip = person == Color::Black;
        self.kept = self.text();
        self.searcher.clear();
        self.is_told = false;
        writeln!(self.out, "{}", self.players())?;
        self.show_board()
    }

    /// Makes the move of the side to move.
    fn make(&mut self, m: Move) {
        if let Some(clock) = &mut self.clock {
            clock.add_increment(self.game.position.side_to_move());
        }
        self.game.position.make(m);
    }

    /// Lovec's move.
    fn reply(&mut self) -> Result<()> {
        let begin = Instant::now();
        let from_book = self.book_move()?;
        let Some(m) = from_book.or_else(|| self.searched_move()) else { return Ok(()) };
        self.spend(begin)?;
        if self.game.result().is_some() {
            return Ok(());
        }
        let name = numbered(&self.game.position, m);
        self.make(m);
        self.show_board()?;
        writeln!(self.out, "{}", paint(BEST, format_args!("Lovec: {name}")))?;
        Ok(())
    }

    fn book_move(&mut self) -> Result<Option<Move>> {
        let Some(book) = &mut self.book else { return Ok(None) };
        let moves = book.moves(&self.game.position)?;
        Ok(book::draw(&moves, &mut rand::rng()))
    }

    /// `None` after Ctrl-C.
    fn searched_move(&mut self) -> Option<Move> {
        let strength = self.elo.and_then(Strength::of_elo);
        let side = self.game.position.side_to_move();
        let limits = match &self.clock {
            Some(clock) => Limits { clock: Some(clock.of(side)), ..Limits::default() },
            None => self.limits.clone(),
        };
        let request = SearchRequest {
            position: self.game.position.for_search(),
            limits,
            options: SearchOptions { strength, ..SearchOptions::default() },
            control: self.interrupt.stop.control(),
        };
        let time = request.limits.movetime;
        let search = || self.searcher.search(request, &mut ());
        let result = progress::while_waiting("Lovec thinks", time, search);
        result.best.filter(|_| !self.interrupt.is_raised())
    }

    fn offer_draw(&mut self) -> Result<()> {
        ensure!(self.game.result().is_none(), OVER);
        let is_late = self.game.position.fullmove_number() >= DRAW_MOVE;
        let least = if is_late { Score::ZERO } else { WORSE };
        if self.adviser.score(&self.game)? >= least {
            return self.end(GameEnd::Draw);
        }
        writeln!(self.out, "Lovec declines the draw.")?;
        Ok(())
    }

    fn end(&mut self, end: GameEnd) -> Result<()> {
        ensure!(self.game.result().is_none(), OVER);
        self.game.end = Some(end);
        Ok(())
    }

    /// Tells the result once.
    fn tell_end(&mut self) -> Result<()> {
        let Some(words) = self.end_words() else { return Ok(()) };
        if self.game.end.is_none() && self.game.position.side_to_move() != self.game.person {
            self.show_board()?;
        }
        writeln!(self.out, "{}", paint(BEST, words))?;
        Ok(())
    }

    /// The result, if it has not been told yet.
    fn end_words(&mut self) -> Option<String> {
        let (result, words) = self.game.result().filter(|_| !self.is_told)?;
        self.is_told = true;
        Some(match result {
            GameResult::Won(winner) => format!("{words} {} wins.", winner.name()),
            GameResult::Drawn => words.to_owned(),
        })
    }

    /// Writes the game to a new file.
    fn save(&mut self, path: &Path) -> Result<()> {
        let is_free = fs::symlink_metadata(path).is_err();
        ensure!(is_free, "{} exists; choose another file", path.display());
        self.write(path)
    }

    /// Writes the game to a new file of this name, or of a similar one.
    fn write(&mut self, path: &Path) -> Result<()> {
        let text = self.text();
        let written = OutputFile::prepare_new(path).and_then(|file| file.write(text.as_bytes()));
        let path = written.with_context(|| not_written(path))?;
        self.kept = text;
        let name = path.strip_prefix(".").unwrap_or(&path).display();
        writeln!(self.out, "The game is in {name}.")?;
        Ok(())
    }

    /// Writes a game that is in no file to one that it names; shows it if that fails.
    fn keep(&mut self) -> Result<()> {
        if self.game.position.last_move().is_none() || self.kept == self.text() {
            return Ok(());
        }
        let mut names = (1..).map(|number| numbered_path(Path::new("lovec-game.pgn"), number));
        let is_free = |path: &PathBuf| fs::symlink_metadata(path).is_err();
        let free = names.find(is_free).context("no free name for the game")?;
        let written = self.write(&free);
        if written.is_err() {
            write!(self.out, "{}", self.text())?;
        }
        written
    }

    fn show_board(&mut self) -> Result<()> {
        if self.board != Board::None { self.draw_board(self.board) } else { Ok(()) }
    }

    fn draw_board(&mut self, board: Board) -> Result<()> {
        let position = &self.game.position;
        let text = drawn(position, position.last_move(), board, self.flip);
        Ok(write!(self.out, "\n{text}\n")?)
    }

    fn text(&self) -> String {
        self.game.pgn(self.elo, self.clock.map(|clock| clock.control))
    }

    /// `You are White; Lovec (1500) plays Black.`
    fn players(&self) -> String {
        let [person, lovec] = [self.game.person, !self.game.person].map(Color::name);
        let elo = self.elo.map_or_else(String::new, |elo| format!(" ({elo})"));
        format!("You are {person}; Lovec{elo} plays {lovec}.")
    }
}

/// The position of a FEN, or at the end of the first game of a file, with this game.
fn loaded(text: &str) -> Result<(Position, Option<PgnGame>)> {
    let file = Some(PathBuf::from(text)).filter(|path| path.exists());
    let game = file.map(|path| GameArgs::of_file(path).read()).transpose()?.flatten();
    Ok(match game {
        Some((position, game)) => (position, Some(game)),
        None => {
            let no_file = || format!("there is no file {text}");
            (position::parse(text).with_context(no_file)?, None)
        }
    })
}

/// `4...Nxe5`.
fn numbered(position: &Position, m: Move) -> String {
    format!("{}{}", MoveNumber::next(position), san::format(position, m))
}
