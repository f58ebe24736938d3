//! Reports of the engine thread to the client.

use crate::chess::{Move, Position};
use crate::engine::Listener;
use crate::engine::options::Settings;
use crate::insight::reasons::reasons;
use crate::insight::study::Study;
use crate::insight::{BestLines, words};
use crate::search::{Report, Reporter, SearchResult};
use crate::uci::output::Output;
use crate::uci::response::{best_move, current_move, info, info_string, problem};

/// Prints the reports of the engine thread.
#[derive(Clone)]
pub(super) struct UciListener {
    pub output: Output,
}

impl Listener for UciListener {
    type Reporter = UciReporter;

    fn reporter(&self, position: &Position, settings: &Settings) -> UciReporter {
        let &Settings { chess960, show_wdl, explain_move, .. } = settings;
        let explained = explain_move
            .then(|| ExplainedSearch { position: position.clone(), lines: BestLines::default() });
        UciReporter { output: self.output.clone(), chess960, show_wdl, explained }
    }

    fn searched(&self, reporter: UciReporter) {
        let Some(ExplainedSearch { position, lines }) = reporter.explained else { return };
        let Some(study) = Study::of_search(&position, &lines.lines) else { return };
        let reasons = reasons(&study);
        for sentence in words::sentences(&study, &reasons) {
            self.output.answer(info_string(sentence));
        }
    }

    fn best_move(&self, outcome: Option<&SearchResult>, chess960: bool) {
        let best = outcome.and_then(|outcome| outcome.best);
        let ponder = outcome.and_then(|outcome| outcome.ponder);
        self.output.answer(best_move(best, ponder, chess960));
    }

    fn problem(&self, text: &str) {
        self.output.answer(problem(text));
    }

    fn notice(&self, text: &str) {
        self.output.answer(info_string(text));
    }
}

/// Prints the reports of one search.
pub(super) struct UciReporter {
    output: Output,
    chess960: bool,
    show_wdl: bool,
    explained: Option<ExplainedSearch>,
}

/// A search whose move is to be explained.
struct ExplainedSearch {
    position: Position,
    lines: BestLines,
}

impl Reporter for UciReporter {
    fn report(&mut self, report: &Report<'_>) {
        let &mut Self { chess960, show_wdl, .. } = self;
        if let Some(explained) = &mut self.explained {
            explained.lines.report(report);
        }
        self.output.report(report.multipv - 1, info(report, chess960, show_wdl));
    }

    fn wants_details(&self) -> bool {
        true
    }

    fn current_move(&mut self, depth: u8, m: Move, number: usize) {
        self.output.report_droppable(current_move(depth, m, number, self.chess960));
    }
}
