//! From the searches of a game to the annotated game.

use crate::annotate::annotated_game::{
    AnnotatedGame, AnnotatedLine, AnnotatedMove, GameOpening, GamePhase, MoveClock, MoveMark,
    PositionValue, TableVerdict, TableVerdicts, rounded,
};
use crate::annotate::followed_game::FollowedGame;
use crate::annotate::options::AnnotateOptions;
use crate::annotate::searched_game::{Effort, SearchedGame};
use crate::annotate::{explanation, foreign_comments, game_clock, story, summary};
use crate::book;
use crate::chess::notation::pgn::{MoveNumber, PgnGame};
use crate::chess::notation::written::WrittenLine;
use crate::chess::notation::{san, uci};
use crate::chess::{Color, GameResult, Move, Piece, State};
use crate::insight::claim::{LineName, cited_plies};
use crate::insight::mark::Fault;
use crate::insight::reasons::reasons;
use crate::insight::{SearchedLine, words};
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
    let mut annotated = AnnotatedGame {
        number: game.number,
        tags: game.tags.clone(),
        start: game.start().map(|start| start.fen()),
        chess960: game.start().is_some_and(|start| start.is_chess960()),
        result: game.result(),
        level: options.level_of(game),
        problem: game.main_line_problem().map(ToString::to_string),
        ..AnnotatedGame::default()
    };
    let Some(searched) = searched else { return Some(annotated) };
    annotated.result = result_on_board(&searched.game).or(annotated.result);
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
    let mut foreign = foreign_comments::of_game(game).into_iter();
    annotated.comments = foreign.next().unwrap_or_default();
    for (m, comments) in annotated.moves.iter_mut().zip(foreign) {
        m.comments = comments;
    }
    summary::add(&mut annotated, moves.sides);
    annotated.story = story::of_game(&annotated);
    Some(annotated)
}

/// The result of a game after which no move is legal. Other draws by rule are claimed.
fn result_on_board(game: &FollowedGame) -> Option<GameResult> {
    let last = game.position(game.moves().len());
    GameResult::by_rule(&last).filter(|_| last.legal_moves().is_empty())
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
        let level = self.searched.level;
        let expected = |line: &SearchedLine| rounded(level.expected(line));
        let mut annotated = AnnotatedMove {
            ply: ply + 1,
            number: MoveNumber::next(state),
            color,
            san: m.map_or_else(|| PASS.to_owned(), |m| san::format(state, m)),
            uci: m
                .map_or_else(|| UCI_PASS.to_owned(), |m| uci::format_move(m, state.is_chess960())),
            played: m,
            state: *state,
            phase: self.phases[ply],
            is_book: ply < self.named_plies,
            before: self.value(ply),
            after: self.value(ply + 1),
            expected_before: lines.as_ref().map(|(best, _)| expected(best)),
            expected_after: lines.as_ref().map(|(_, played)| expected(played)),
            best: self.best_line(ply),
            second: self.second_line(ply),
            has_one_solution: self.has_one_solution(ply),
            reply: self.best_line(ply + 1),
            loss: loss.map(rounded),
            loss_cp: lines.as_ref().map(|(best, played)| lost_centipawns(best, played)),
            mark: m.and_then(|_| self.mark(ply, loss, confirmed)),
            confirmed,
            clock: self.clocks.get(ply).copied().unwrap_or_default(),
            tables: self.verdicts(ply),
            explanation: Vec::new(),
            theme: None,
            comments: Vec::new(),
        };
        let mut sentences = Vec::new();
        if annotated.fault().is_some()
            && let Some(study) = explanation::study_of_fault(self.searched, ply)
        {
            let reasons = reasons(&study);
            let cited = |line| cited_plies(&reasons.claims, line);
            let plies = cited(LineName::Best);
            self.cite(ply, &mut annotated.best, study.best.line.moves(), plies);
            let answer = study.played().and_then(|played| played.line.moves().get(1..));
            let plies = cited(LineName::Played).saturating_sub(1);
            self.cite(ply + 1, &mut annotated.reply, answer.unwrap_or_default(), plies);
            annotated.theme = Some(explanation::theme(&reasons, color));
            sentences = words::sentences(&study, &reasons);
        }
        annotated.explanation = explanation::of_move(&annotated, sentences);
        annotated
    }

    /// Notes how many plies of a line are cited. They may be captures behind the moves of the
    /// search, with which the line is then continued.
    fn cite(
        &self,
        position: usize,
        line: &mut Option<AnnotatedLine>,
        moves: &[Move],
        cited: usize,
    ) {
        let Some(line) = line else { return };
        line.cited = cited;
        if let Some(moves) = moves.get(..cited).filter(|_| line.moves.len() < cited) {
            line.moves = moves.to_vec();
            line.written = WrittenLine::new(&self.searched.game.states()[position], moves);
        }
    }

    /// The loss of a move by the longest search of it, and whether a longer search
    /// confirmed a fault.
    fn loss(&self, ply: usize) -> (Option<f64>, Option<bool>) {
        let color = self.searched.game.states()[ply].side_to_move();
        let is_candidate =
            self.sides[color.index()] && self.searched.may_be_fault(ply, Effort::Survey);
        match self.searched.loss(ply, Effort::Confirmation).filter(|_| is_candidate) {
            Some(loss) => (Some(loss), Some(self.searched.level.fault(loss).is_some())),
            None => (self.searched.loss(ply, Effort::Survey), None),
        }
    }

    fn mark(&self, ply: usize, loss: Option<f64>, confirmed: Option<bool>) -> Option<MoveMark> {
        let state = &self.searched.game.states()[ply];
        let is_searched = self.searched.search(ply, Effort::Survey).is_some();
        if !is_searched || !self.sides[state.side_to_move().index()] {
            return None;
        }
        if confirmed == Some(true) {
            let fault = loss.and_then(|loss| self.searched.level.fault(loss));
            // A move of an opening with a name is no mistake of the player.
            let is_book = ply < self.named_plies && fault < Some(Fault::Blunder);
            return fault.filter(|_| !is_book).map(MoveMark::Fault);
        }
        if state.legal_moves().len() == 1 {
            return Some(MoveMark::Forced);
        }
        let is_only = |effort| self.searched.is_only_move(ply, effort);
        let is_hard = self.searched.is_hard_to_see(ply) && ply >= self.named_plies;
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
        let expected = self.searched.level.expected(line);
        let white_expected = rounded(if color == Color::White { expected } else { 1.0 - expected });
        let white_score = line.score * color.sign();
        Some(PositionValue { white_score, white_wdl, white_expected, depth: line.depth })
    }

    /// The best line of a position by its longest search.
    fn best_line(&self, position: usize) -> Option<AnnotatedLine> {
        let line = self.searched.deepest(position)?.found.lines.first()?;
        (!line.moves.is_empty()).then(|| self.line(position, line))
    }

    /// The best line that begins with another move, by the longest search that has one: a
    /// confirmation of one line may have found another best move than the survey. `None` if it
    /// is worth more than the best line, which a longer search has valued.
    fn second_line(&self, position: usize) -> Option<AnnotatedLine> {
        let deepest = &self.searched.deepest(position)?.found.lines;
        let survey = &self.searched.search(position, Effort::Survey)?.found.lines;
        let best = deepest.first()?;
        let m = best.moves.first()?;
        let is_other = |line: &&SearchedLine| line.moves.first().is_some_and(|other| other != m);
        let second = deepest.iter().chain(survey).find(is_other)?;
        (second.score <= best.score).then(|| self.line(position, second))
    }

    /// Whether the best move of a position is the same by all searches, and the second best a
    /// mistake against each value of it. A plain recapture is nothing to find.
    fn has_one_solution(&self, position: usize) -> bool {
        let deepest = self.searched.deepest(position).and_then(|it| it.found.lines.first());
        let survey = self.searched.search(position, Effort::Survey).map(|it| &it.found.lines[..]);
        let (Some(deepest), Some([best, second, ..])) = (deepest, survey) else { return false };
        let level = self.searched.level;
        let m = best.moves.first();
        !m.is_some_and(|&m| self.searched.is_plain_recapture(position, m))
            && [best, deepest].into_iter().all(|line| {
                let is_same = line.moves.first() == m;
                is_same && level.loss(line, second) >= level.thresholds().mistake
            })
    }

    fn line(&self, position: usize, line: &SearchedLine) -> AnnotatedLine {
        let state = &self.searched.game.states()[position];
        AnnotatedLine {
            moves: line.moves.clone(),
            written: WrittenLine::new(state, &line.moves),
            white_score: line.score * state.side_to_move().sign(),
            expected: rounded(self.searched.level.expected(line)),
            depth: line.depth,
            cited: 0,
        }
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
    if let Some(value) = tables.own.value(state) {
        return Some(match value {
            DtmValue::Win(_) => TableVerdict::Won,
            DtmValue::Loss(_) => TableVerdict::Lost,
            DtmValue::Draw => TableVerdict::Drawn,
        });
    }
    Some(match tables.syzygy.as_ref()?.wdl(state)? {
        Wdl::Win => TableVerdict::Won,
        Wdl::Loss => TableVerdict::Lost,
        Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => TableVerdict::Drawn,
    })
}

fn lost_centipawns(best: &SearchedLine, played: &SearchedLine) -> i32 {
    if best.moves.is_empty() || best.moves.first() == played.moves.first() {
        return 0;
    }
    let held = |line: &SearchedLine| line.score.cp().clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS);
    (held(best) - held(played)).max(0)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::annotate::annotated_game::SideSummary;
    use crate::annotate::searched_game::PositionSearch;
    use crate::annotate::{FollowedGame, GameSelection};
    use crate::chess::notation::pgn::PgnReader;
    use crate::eval::{Score, WinDrawLoss};
    use crate::insight::Examination;
    use crate::insight::mark::PlayerLevel;
    use crate::search::Limits;

    /// A search of a position with these first moves and their centipawns.
    fn search(state: &State, moves: &[(&str, i32)]) -> PositionSearch {
        let line = |&(text, centipawns): &(&str, i32)| SearchedLine {
            score: Score::new(centipawns),
            wdl: WinDrawLoss::DRAWN,
            moves: vec![uci::parse_move(state, text).unwrap()],
            depth: 1,
        };
        let found = Examination { lines: moves.iter().map(line).collect(), nodes: 1 };
        PositionSearch { found, first_choice: None }
    }

    fn read(text: &str) -> (PgnGame, SearchedGame) {
        let pgn = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        let game = Arc::new(FollowedGame::new(&pgn).unwrap());
        (pgn, SearchedGame::new(game, PlayerLevel::default()))
    }

    fn annotated(pgn: &PgnGame, searched: &SearchedGame) -> AnnotatedGame {
        let options = AnnotateOptions {
            limits: Limits::default(),
            confirm: 4,
            hash_mib: 1,
            tables: Tables::default(),
            table_paths: None,
            level: None,
            selection: GameSelection::default(),
            skip_book: 0,
            engine: None,
        };
        annotate(pgn, Some(searched), &options, &Stop::default()).unwrap()
    }

    #[test]
    fn second_best_moves_and_single_solutions() {
        for (confirmation, best, second, has_one_solution) in [
            (None, "e2e4", Some("d2d4"), true),
            (Some(&[("e2e4", 400)][..]), "e2e4", Some("d2d4"), true),
            (Some(&[("e2e4", 0)]), "e2e4", Some("d2d4"), false),
            (Some(&[("e2e4", -1)]), "e2e4", None, false),
            (Some(&[("d2d4", 400)]), "d2d4", Some("e2e4"), false),
            (Some(&[("d2d4", 399)]), "d2d4", None, false),
            (Some(&[("c2c4", 800)]), "c2c4", Some("e2e4"), false),
            (Some(&[("c2c4", 800), ("g1f3", 0)]), "c2c4", Some("g1f3"), false),
        ] {
            let (pgn, mut searched) = read("1. a3 *");
            let start = searched.game.states()[0];
            let survey = search(&start, &[("e2e4", 400), ("d2d4", 0)]);
            searched.set_search(0, Effort::Survey, survey);
            if let Some(moves) = confirmation {
                searched.set_search(0, Effort::Confirmation, search(&start, moves));
            }
            let game = annotated(&pgn, &searched);
            let first = |line: &Option<AnnotatedLine>| Some(line.as_ref()?.written.uci[0].clone());
            let m = &game.moves[0];
            assert_eq!(first(&m.best).as_deref(), Some(best), "{confirmation:?}");
            assert_eq!(first(&m.second).as_deref(), second, "{confirmation:?}");
            assert_eq!(m.has_one_solution, has_one_solution, "{confirmation:?}");
        }
    }

    #[test]
    fn a_plain_recapture_is_no_solution() {
        let [less, more] = ["1. e4 d5 2. Qg4 dxe4 3. Nc3 *", "1. e4 d5 2. Qg4 dxe4 3. Qxc8 *"];
        for (text, best, has_one_solution) in
            [(less, "g4c8", true), (less, "g4e4", false), (more, "g4e4", true)]
        {
            let (pgn, mut searched) = read(text);
            let survey = search(&searched.game.states()[4], &[(best, 400), ("b1c3", 0)]);
            searched.set_search(4, Effort::Survey, survey);
            let m = &annotated(&pgn, &searched).moves[4];
            assert_eq!(m.has_one_solution, has_one_solution, "{text} {best}");
        }
    }

    #[test]
    fn a_mate_on_the_board_is_the_result() {
        let result = |text| {
            let (pgn, searched) = read(text);
            annotated(&pgn, &searched).result
        };
        assert_eq!(result("f3 e5 g4 Qh4# 1-0"), Some(GameResult::Won(Color::Black)));
        let repeated = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 1-0";
        assert_eq!(result(repeated), Some(GameResult::Won(Color::White)));
        let tagged = "[Result \"0-1\"]\n\n1. e4 1-0";
        assert_eq!(result(tagged), Some(GameResult::Won(Color::Black)));
    }

    /// Games of pawn moves by White's centipawns in each position: the ply that turned them, and
    /// their end.
    #[test]
    fn the_turning_point_and_the_story_agree() {
        let start = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1";
        let moves = ["a3", "a6", "b3", "b6", "c3", "c6", "d3", "d6", "f3", "f6"];
        for (result, values, turning_point, end) in [
            // Inaccuracies until White is winning, and then a mistake.
            (
                "1-0",
                &[0, 0, 100, 100, 220, 220, 400, 400, 1000, 400, 2000][..],
                None,
                "From 4...d6?! on White was winning.",
            ),
            // The first of two mistakes is the larger one; a third comes too late.
            (
                "1-0",
                &[0, 0, 250, 250, 1000, 400, 2000],
                Some(2),
                "From 2...b6? on White was winning.",
            ),
            ("1-0", &[0, 0, 250], Some(2), "White won; in the last position it could expect 76 %."),
            (
                "0-1",
                &[0, -300, -300, -300, 200],
                None,
                "Black won, although in the last position White could expect 71 %.",
            ),
            (
                "1/2-1/2",
                &[0, 0, 1000],
                Some(2),
                "It was drawn, although in the last position White could expect 91 %.",
            ),
            (
                "1/2-1/2",
                &[0, 0, 100],
                None,
                "It was drawn; White had most to hope for after 1...a6?! (61 %).",
            ),
        ] {
            let moves = moves[..values.len() - 1].join(" ");
            let (pgn, mut searched) = read(&format!("[FEN \"{start}\"]\n\n{moves} {result}\n"));
            let game = Arc::clone(&searched.game);
            for (position, (state, value)) in game.states().iter().zip(values).enumerate() {
                let color = state.side_to_move();
                let best = if color == Color::White { "e2e3" } else { "e7e6" };
                for effort in [Effort::Survey, Effort::Confirmation] {
                    let found = search(state, &[(best, value * color.sign())]);
                    searched.set_search(position, effort, found);
                }
            }
            let mut game = annotated(&pgn, &searched);
            assert_eq!(game.turning_point, turning_point, "{values:?}");
            assert_eq!(game.story.last().map(String::as_str), Some(end), "{values:?}");
            let no_turn = "No single move turned it.".to_owned();
            assert_eq!(game.story.contains(&no_turn), turning_point.is_none(), "{values:?}");
            // The mistakes of a side that is not annotated are not known.
            game.black = SideSummary::default();
            assert!(!story::of_game(&game).contains(&no_turn), "{values:?}");
        }
    }
}
