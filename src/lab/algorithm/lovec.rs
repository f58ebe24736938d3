//! The playing search, for comparison. It uses its own table, order and pruning: the
//! switches of a row do not change it.

use crate::chess::Move;
use crate::lab::algorithm::{Algorithm, AlgorithmInfo};
use crate::lab::game::WIN;
use crate::lab::{
    Answer, Law, LawSample, Proof, Search, Searched, SettingInfo, StopReason, ensure,
};
use crate::search::{Limits, MAX_DEPTH, Report, Reporter, SearchOptions, SearchRequest, Searcher};

#[derive(Clone, Copy, Debug)]
pub struct Lovec {
    hash_mib: usize,
    selective: bool,
}

const HASH: SettingInfo =
    SettingInfo::number("hash", [1, 65_536], 16, "the size of its table in MiB");
const FULL_WIDTH: SettingInfo = SettingInfo::flag("full", "without pruning and reductions");

pub const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "lovec",
    summary: "the search that Lovec plays with; chess only",
    settings: &[HASH, FULL_WIDTH],
    new: |given| {
        Box::new(Lovec {
            hash_mib: given.number(&HASH) as usize,
            selective: !given.has(&FULL_WIDTH),
        })
    },
    laws: &LAWS,
};

impl Algorithm for Lovec {
    fn search(&self, s: &mut Search<'_>) -> Searched<Answer> {
        const NO_CHESS: StopReason = StopReason::Unsuitable("lovec plays chess only");
        let position = s.game.position().ok_or(NO_CHESS)?.clone();
        s.limit.allocate(self.hash_mib << 20)?;
        let mut searcher = Searcher::new(self.hash_mib).map_err(|_| StopReason::NoMemory)?;
        let limits = Limits {
            depth: Some(s.depth.clamp(1, MAX_DEPTH.into()) as u8),
            nodes: Some(s.limit.nodes_left()),
            movetime: s.limit.time_left(),
            ..Limits::default()
        };
        let options = SearchOptions { selective: self.selective, ..SearchOptions::default() };
        let mut request = SearchRequest { options, ..SearchRequest::new(position, limits) };
        if let Some(job) = s.limit.limit().job {
            request = request.of_job(job);
        }
        let mut best_line = BestLine(Vec::new());
        let result = searcher.search(request, &mut best_line);
        s.watch.counts.nodes += result.nodes;
        s.watch.counts.passes += 1;
        let line = best_line.0.iter().map(|m| m.bits()).collect();
        Ok(Answer { value: result.score.cp(), line, proof: Proof::Estimate })
    }
}

/// Keeps the last line, which begins with the move that the search plays.
struct BestLine(Vec<Move>);

impl Reporter for BestLine {
    fn report(&mut self, report: &Report<'_>) {
        self.0 = report.pv.to_vec();
    }
}

/// Longer mates are left out of the laws.
const LONGEST_MATE: i32 = 9;

const LAWS: [Law; 1] = [Law {
    name: "lovec-mates-are-proved",
    text: "a mate that the playing search finds is proved by df-pn within as many plies",
    applies: |sample| sample.is_chess() && sample.size() > 1,
    check: mates_are_proved,
}];

fn mates_are_proved(sample: &LawSample) -> Result<(), String> {
    let value = sample.run("lovec:hash=1")?.value;
    let plies = WIN - value.abs();
    if plies > LONGEST_MATE {
        return Ok(());
    }
    let (goal, expected) = match value > 0 {
        true => ("win", Proof::Proved),
        false => ("not-lose", Proof::Disproved),
    };
    let proof = sample.at_depth(plies as u32).run(&format!("dfpn:goal={goal}"))?.proof;
    ensure(proof == expected, || format!("{goal} in {plies} plies: {proof:?}"))
}
