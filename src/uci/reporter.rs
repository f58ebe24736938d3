//! Reports of the engine thread to the client.

use crate::chess::Move;
use crate::engine::Listener;
use crate::engine::options::Settings;
use crate::search::{Report, Reporter, SearchResult};
use crate::uci::output::Output;
use crate::uci::response::{BestMove, CurrentMove, Info, InfoString, Problem};

/// Prints the reports of the engine thread.
#[derive(Clone)]
pub(super) struct UciListener {
    pub output: Output,
}

impl Listener for UciListener {
    type Reporter = UciReporter;

    fn reporter(&self, settings: &Settings) -> UciReporter {
        let &Settings { chess960, show_wdl, .. } = settings;
        UciReporter { output: self.output.clone(), chess960, show_wdl }
    }

    fn best_move(&self, outcome: Option<&SearchResult>, chess960: bool) {
        let best = outcome.and_then(|outcome| outcome.best);
        let ponder = outcome.and_then(|outcome| outcome.ponder);
        self.output.answer(BestMove { best, ponder, chess960 });
    }

    fn problem(&self, text: &str) {
        self.output.answer(Problem(text));
    }

    fn notice(&self, text: &str) {
        self.output.answer(InfoString(text));
    }
}

/// Prints the reports of one search.
pub(super) struct UciReporter {
    output: Output,
    chess960: bool,
    show_wdl: bool,
}

impl Reporter for UciReporter {
    fn report(&mut self, report: &Report<'_>) {
        let &mut Self { chess960, show_wdl, .. } = self;
        self.output.report(report.multipv - 1, Info { report, chess960, show_wdl });
    }

    fn current_move(&mut self, depth: u8, m: Move, number: usize) {
        self.output.report_droppable(CurrentMove { depth, m, number, chess960: self.chess960 });
    }
}
