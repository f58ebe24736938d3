//! What the search thread tells the client.

use crate::chess::Move;
use crate::engine::Listener;
use crate::search::{Outcome, Report, Reporter};
use crate::uci::output::Output;
use crate::uci::response::{BestMove, CurrentMove, Info, Problem};

/// Passes on what happens on the search thread.
#[derive(Clone)]
pub(super) struct UciListener {
    pub output: Output,
}

impl Listener for UciListener {
    type Reporter = UciReporter;

    fn reporter(&self, chess960: bool) -> UciReporter {
        UciReporter { output: self.output.clone(), chess960 }
    }

    fn best_move(&self, outcome: Option<&Outcome>, chess960: bool) {
        let best = outcome.and_then(|outcome| outcome.best);
        let ponder = outcome.and_then(|outcome| outcome.ponder);
        self.output.answer(BestMove { best, ponder, chess960 });
    }

    fn problem(&self, text: &str) {
        self.output.answer(Problem(text));
    }
}

/// Prints the reports of one search.
pub(super) struct UciReporter {
    output: Output,
    chess960: bool,
}

impl Reporter for UciReporter {
    fn report(&mut self, report: &Report<'_>) {
        self.output.report(Info { report, chess960: self.chess960 });
    }

    fn current_move(&mut self, depth: u8, mv: Move, number: usize) {
        self.output.report(CurrentMove { depth, mv, number, chess960: self.chess960 });
    }
}
