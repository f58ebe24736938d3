//! MTD(f) (Plaat, Schaeffer, Pijls and de Bruin, "Best-first fixed-depth minimax
//! algorithms", 1996; Plaat, "MTD(f), a minimax algorithm faster than NegaScout", 1997): it
//! begins at a guess of the value, and goes from there to the value by null windows alone.
//! With iterative deepening the guess is the value of an iteration before; without it the
//! static value of the root.

use crate::lab::algorithm::mt::{self, GRAIN, PassStart};
use crate::lab::algorithm::{Algorithm, AlgorithmInfo};
use crate::lab::{Answer, Law, Search, Searched, SettingInfo, ensure};

#[derive(Clone, Copy, Debug)]
pub struct MtdF {
    grain: i32,
    is_guess_two_ago: bool,
}

const GUESS: SettingInfo = SettingInfo::word(
    "guess",
    &["last", "two-ago"],
    "with deepen: begin at the value of the last iteration, or of two iterations ago, since \
     odd and even depths differ",
)
.with("deepen");

pub const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "mtdf",
    summary: "MTD(f): null windows alone, from a guess step by step to the value",
    settings: &[GUESS, GRAIN],
    new: |given| {
        Box::new(MtdF {
            grain: given.number(&GRAIN) as i32,
            is_guess_two_ago: given.choice(&GUESS, &[false, true]),
        })
    },
    laws: &LAWS,
};

impl Algorithm for MtdF {
    fn search(&self, s: &mut Search<'_>) -> Searched<Answer> {
        let earlier = s.earlier_value.filter(|_| self.is_guess_two_ago);
        let iteration = earlier.or(s.last_value);
        let guess = iteration.unwrap_or_else(|| s.game.end().unwrap_or_else(|| s.game.value()));
        mt::converge(s, self.grain, |PassStart { low, last, .. }| {
            let value = last.unwrap_or(guess);
            if value == low { value + 1 } else { value }
        })
    }
}

const LAWS: [Law; 4] = [
    Law {
        name: "mtdf-is-alpha-beta",
        text: "MTD(f) has the value of minimax, its line leads to it, it proves the bounds that \
               alpha-beta proves, and visits no other leaves",
        applies: |_| true,
        check: |sample| mt::is_alpha_beta(sample, "mtdf"),
    },
    Law {
        name: "mtdf-guesses",
        text: "no guess changes the value of MTD(f)",
        applies: |_| true,
        check: |sample| {
            let truth = sample.minimax()?.value;
            sample.expect_value("mtdf:deepen", truth)?;
            sample.expect_value("mtdf:deepen:guess=two-ago:table=50", truth)?;
            sample.expect_value("mtdf:deepen:aspiration=5", truth)
        },
    },
    Law {
        name: "mtdf-right-guess",
        text: "from the right guess MTD(f) needs two passes, one for each bound",
        applies: |sample| sample.known_value().is_some(),
        check: |sample| {
            let passes = sample.run("mtdf")?.counts.passes;
            ensure(passes == 2, || format!("{passes} passes"))
        },
    },
    Law {
        name: "mtdf-grain",
        text: "with a grain the value is the value of alpha-beta, rounded, also with leaves that \
               use the window",
        applies: |_| true,
        check: |sample| {
            ["leaf=static", "leaf=captures"].into_iter().try_for_each(|leaf| {
                let truth = sample.run(&format!("ab:{leaf}"))?.value;
                [4, 16].into_iter().try_for_each(|grain| {
                    let settings = format!("{leaf}:grain={grain}");
                    let rows = ["mtdf", "mtd:kind=bi"];
                    sample.expect_values(&rows, &settings, mt::rounded(truth, grain))
                })
            })
        },
    },
];
