//! From the searches of a game to the annotated game.

use crate::annotate::annotated_game::{
    AnnotatedGame, AnnotatedLine, AnnotatedMove, GameOpening, GamePhase, MoveClock, MoveMark,
    PositionValue, SideSummary, TableVerdict, TableVerdicts, TagText, rounded,
};
use crate::annotate::followed_game::FollowedGame;
use crate::annotate::options::AnnotateOptions;
use crate::annotate::plan::SUSPICION;
use crate::annotate::searched_game::{Effort, SearchedGame};
use crate::annotate::{explanation, foreign_comments, game_clock, story, summary};
use crate::book;
use crate::chess::notation::pgn::{MoveNumber, PgnGame, result};
use crate::chess::notation::written::WrittenLine;
use crate::chess::notation::{san, uci};
use crate::chess::{Color, Move, Piece, Position, State};
use crate::insight::SearchedLine;
use crate::insight::mark::Fault;
use crate::search::{Stop, Tables};
use crate::tablebase::Wdl;
use crate::tablebase::egtb::DtmValue;

/// The opening lasts at least this many plies, unless the pieces are gone.
const OPENING_PLIES: usize = 20;

/// How a pass is written among moves in SAN, as in PGN.
const PASS: &str = "--";

/// How a pass is written among moves in UCI notation, as the protocol does.
const UCI_PASS: &str = "0000";

/// With at most this many queens, rooks, bishops and knights it is an endgame.
const ENDGAME_PIECES: u32 = 6;

/// Scores beyond this count as this in a loss of centipawns.
const MAX_CENTIPAWNS: i32 = 1000;

/// Annotates a game. `searched` is `None` if its first position is not known. Returns `None` if
/// it was stopped.
pub fn annotate(
    game: &PgnGame,
    searched: Option<&SearchedGame>,
    options: &AnnotateOptions,
    stop: &Stop,
) -> Option<AnnotatedGame> {
    let tags = game.tags.iter();
    let mut annotated = AnnotatedGame {
        number: game.number(),
        tags: tags
            .map(|tag| TagText { name: tag.name.clone(), value: tag.value.clone() })
            .collect(),
        start: game.start().map(|start| start.fen()),
        chess960: game.start().is_some_and(|start| start.is_chess960()),
        result: result::text(game.result),
        level: options.judge_of(game).level,
        problem: game.main_line_problem().map(ToString::to_string),
        opening: None,
        story: Vec::new(),
        comments: Vec::new(),
        moves: Vec::new(),
        white: SideSummary::default(),
        black: SideSummary::default(),
        key_moments: Vec::new(),
        turning_point: None,
        searched_again: 0,
        withdrawn: 0,
        nodes: 0,
    };
    let Some(searched) = searched else { return Some(annotated) };
    let named = book::opening_of_game(searched.game.states());
    annotated.opening = named.map(|(plies, name)| GameOpening { name, plies });
    let moves = MoveAnnotator {
        searched,
        options,
        sides: options.selection.sides(game),
        clocks: game_clock::of_game(game),
        named_plies: named.map_or(0, |(plies, _)| plies),
        phases: phases(&searched.game, named.map_or(0, |(plies, _)| plies)),
    };
    let annotate = |ply| (!stop.is_stopped()).then(|| moves.annotate(ply));
    annotated.moves = (0..searched.game.moves().len()).map(annotate).collect::<Option<_>>()?;
    annotated.nodes = searched.nodes();
    let foreign = foreign_comments::of_game(game);
    annotated.comments = foreign.before;
    for (m, comments) in annotated.moves.iter_mut().zip(foreign.behind) {
        m.comments = comments;
    }
    summary::add(&mut annotated, game.result, moves.sides);
    annotated.story = story::of_game(&annotated, game.result);
    Some(annotated)
}

/// The phase of each move.
fn phases(game: &FollowedGame, named_plies: usize) -> Vec<GamePhase> {
    let pieces = |state: &State| -> u32 {
        let kinds = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
        kinds.into_iter().map(|piece| state.pieces(piece).len()).sum()
    };
    // The plies before a position, also before the first one of the game.
    let played = |state: &State| {
        let moves = usize::from(state.fullmove_number().saturating_sub(1));
        2 * moves + state.side_to_move().index()
    };
    let opening = OPENING_PLIES.max(played(&game.states()[0]) + named_plies);
    let mut phase = GamePhase::Opening;
    let phase_of = |state: &State| {
        if pieces(state) <= ENDGAME_PIECES {
            phase = GamePhase::Endgame;
        } else if phase == GamePhase::Opening && played(state) >= opening {
            phase = GamePhase::Middlegame;
        }
        phase
    };
    game.states().iter().map(phase_of).collect()
}

/// Annotates the moves of a game.
struct MoveAnnotator<'a> {
    searched: &'a SearchedGame,
    options: &'a AnnotateOptions,
    sides: [bool; 2],
    clocks: Vec<MoveClock>,
    named_plies: usize,
    phases: Vec<GamePhase>,
}

impl MoveAnnotator<'_> {
    fn annotate(&self, ply: usize) -> AnnotatedMove {
        let game = &self.searched.game;
        let (state, m) = (&game.states()[ply], game.move_at(ply));
        let color = state.side_to_move();
        let (loss, confirmed) = self.loss(ply);
        let effort = if confirmed.is_some() { Effort::Confirmation } else { Effort::Survey };
        let lines = self.searched.lines(ply, effort);
        let judge = &self.searched.judge;
        let expected = |line: &SearchedLine| rounded(judge.expected(line));
        let mut annotated = AnnotatedMove {
            ply: ply + 1,
            number: MoveNumber::next(state).to_string(),
            color,
            san: m.map_or_else(|| PASS.to_owned(), |m| san::format(state, m)),
            uci: m
                .map_or_else(|| UCI_PASS.to_owned(), |m| uci::format_move(m, state.is_chess960())),
            fen: state.fen(),
            phase: self.phases[ply],
            is_book: ply < self.named_plies,
            before: self.value(ply),
            after: self.value(ply + 1),
            expected_before: lines.as_ref().map(|(best, _)| expected(best)),
            expected_after: lines.as_ref().map(|(_, played)| expected(played)),
            best: self.line(ply, 0),
            second: self.line(ply, 1),
            reply: self.line(ply + 1, 0),
            loss: loss.map(rounded),
            loss_cp: lines.as_ref().map(|(best, played)| lost_centipawns(best, played)),
            mark: m.and_then(|m| self.mark(ply, m, loss, confirmed)),
            confirmed,
            clock: self.clocks.get(ply).copied().unwrap_or_default(),
            tables: self.verdicts(ply),
            explanation: Vec::new(),
            theme: None,
            terms: None,
            comments: Vec::new(),
        };
        let is_fault = annotated.mark.and_then(MoveMark::fault).is_some();
        let study = explanation::study_of_fault(self.searched, ply).filter(|_| is_fault);
        let reasons = study.as_ref().map(explanation::reasons_of);
        let (sentences, theme) = reasons.unzip();
        annotated.theme = theme;
        annotated.explanation = explanation::of_move(&annotated, sentences.unwrap_or_default());
        annotated.terms = study.as_ref().and_then(explanation::terms_of);
        annotated
    }

    /// The loss of a move by the longest search of it, and whether a longer search
    /// confirmed a fault.
    fn loss(&self, ply: usize) -> (Option<f64>, Option<bool>) {
        let color = self.searched.game.states()[ply].side_to_move();
        let least = self.searched.judge.thresholds.inaccuracy;
        let survey = self.searched.loss(ply, Effort::Survey);
        let is_candidate =
            self.sides[color.index()] && survey.is_some_and(|loss| loss >= SUSPICION * least);
        match self.searched.loss(ply, Effort::Confirmation).filter(|_| is_candidate) {
            Some(loss) if loss >= least => (Some(loss), Some(true)),
            Some(loss) => (Some(loss), Some(false)),
            None => (survey, None),
        }
    }

    fn mark(
        &self,
        ply: usize,
        m: Move,
        loss: Option<f64>,
        confirmed: Option<bool>,
    ) -> Option<MoveMark> {
        let state = &self.searched.game.states()[ply];
        if !self.sides[state.side_to_move().index()] {
            return None;
        }
        let survey = self.searched.search(ply, Effort::Survey)?;
        if confirmed == Some(true) {
            let fault = loss.and_then(|loss| self.searched.judge.fault(loss));
            // A move of an opening with a name is no mistake of the player.
            let is_book = ply < self.named_plies && fault < Some(Fault::Blunder);
            return fault.filter(|_| !is_book).map(MoveMark::Fault);
        }
        if state.legal_moves().len() == 1 {
            return Some(MoveMark::Forced);
        }
        let is_only = |effort| self.searched.is_only_move(ply, effort);
        let is_hard = survey.first_choice != Some(m) && ply >= self.named_plies;
        if !is_hard || !is_only(Effort::Survey) || !is_only(Effort::Confirmation) {
            return None;
        }
        let is_sacrifice = self.searched.is_sacrifice(ply);
        Some(if is_sacrifice { MoveMark::Sacrifice } else { MoveMark::OnlyMove })
    }

    /// The value of a position by its longest search.
    fn value(&self, position: usize) -> Option<PositionValue> {
        let line = self.searched.deepest(position)?.found.lines.first()?;
        let color = self.searched.game.states()[position].side_to_move();
        let white_wdl = if color == Color::White { line.wdl } else { line.wdl.reversed() };
        let expected = self.searched.judge.expected(line);
        let white_expected = rounded(if color == Color::White { expected } else { 1.0 - expected });
        let white_score = line.score * color.sign();
        Some(PositionValue { white_score, white_wdl, white_expected, depth: line.depth })
    }

    /// One of the best lines of a position.
    fn line(&self, position: usize, index: usize) -> Option<AnnotatedLine> {
        let search = match index {
            0 => self.searched.deepest(position),
            _ => self.searched.search(position, Effort::Survey),
        };
        let line = search?.found.lines.get(index).filter(|line| !line.moves.is_empty())?;
        let state = self.searched.game.states()[position];
        let WrittenLine { san, uci } = WrittenLine::new(&Position::new(state), &line.moves);
        Some(AnnotatedLine {
            san,
            uci,
            white_score: line.score * state.side_to_move().sign(),
            expected: rounded(self.searched.judge.expected(line)),
            depth: line.depth,
        })
    }

    fn verdicts(&self, ply: usize) -> Option<TableVerdicts> {
        let states = self.searched.game.states();
        let before = verdict(&self.options.tables, &states[ply])?;
        let after = verdict(&self.options.tables, &states[ply + 1])?;
        let after = match after {
            TableVerdict::Lost => TableVerdict::Won,
            TableVerdict::Drawn => TableVerdict::Drawn,
            TableVerdict::Won => TableVerdict::Lost,
        };
        Some(TableVerdicts { before, after })
    }
}

/// What the tables say of a position, for the side to move.
fn verdict(tables: &Tables, state: &State) -> Option<TableVerdict> {
    if let Some(syzygy) = &tables.syzygy {
        return Some(match syzygy.wdl(state)? {
            Wdl::Win => TableVerdict::Won,
            Wdl::Loss => TableVerdict::Lost,
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => TableVerdict::Drawn,
        });
    }
    Some(match tables.own.value(state)? {
        DtmValue::Win(_) => TableVerdict::Won,
        DtmValue::Loss(_) => TableVerdict::Lost,
        DtmValue::Draw => TableVerdict::Drawn,
    })
}

fn lost_centipawns(best: &SearchedLine, played: &SearchedLine) -> i32 {
    if best.moves.is_empty() || best.moves.first() == played.moves.first() {
        return 0;
    }
    let held = |line: &SearchedLine| line.score.cp().clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS);
    (held(best) - held(played)).max(0)
}
