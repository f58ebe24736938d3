//! How far the searches of an examiner are, for those who wait for them.

use std::sync::Mutex;
use std::time::Instant;

use crate::search::{Limits, Report};
use crate::util::speed::per_second;
use crate::util::sync::lock;

/// How many times the nodes of a ply the next one takes, in openings and middlegames.
const BRANCHING: f64 = 1.5;

/// The planned searches, and what is done of them. Work is counted in what limits it: nodes,
/// seconds, or, with a depth, the nodes of its plies as powers of [`BRANCHING`].
#[derive(Debug, Default)]
pub struct Workload(Mutex<WorkloadState>);

#[derive(Debug, Default)]
struct WorkloadState {
    planned: f64,
    finished: f64,
    running: Option<RunningSearch>,
}

#[derive(Debug)]
struct RunningSearch {
    limits: Limits,
    start: Instant,
    depth: u8,
    /// By the last report; there are more reports of depths than of nodes.
    nodes_per_second: f64,
}

impl Workload {
    /// Plans more searches with the same limits.
    pub fn plan(&self, searches: usize, limits: &Limits) {
        lock(&self.0).planned += searches as f64 * work(limits);
    }

    /// The next search begins, and the one before has ended.
    pub fn begin(&self, limits: &Limits) {
        let (limits, start) = (limits.clone(), Instant::now());
        let next = RunningSearch { limits, start, depth: 0, nodes_per_second: 0.0 };
        let mut state = lock(&self.0);
        let before = state.running.replace(next);
        state.finished += before.map_or(0.0, |before| work(&before.limits));
    }

    /// The running search reports.
    pub fn report(&self, report: &Report<'_>) {
        if let Some(running) = &mut lock(&self.0).running {
            running.depth = report.depth;
            running.nodes_per_second = per_second(report.nodes, report.elapsed);
        }
    }

    /// The share that is done, from 0 to 1; `None` without a plan.
    pub fn share(&self) -> Option<f64> {
        let state = lock(&self.0);
        let done = state.finished + state.running.as_ref().map_or(0.0, RunningSearch::done);
        (state.planned > 0.0).then(|| (done / state.planned).min(1.0))
    }
}

impl RunningSearch {
    fn done(&self) -> f64 {
        let seconds = self.start.elapsed().as_secs_f64();
        let done = match &self.limits {
            Limits { nodes: Some(_), .. } => self.nodes_per_second * seconds,
            Limits { movetime: Some(_), .. } => seconds,
            _ => BRANCHING.powi(self.depth.into()),
        };
        done.min(work(&self.limits))
    }
}

/// What limits allow; 0 without a limit.
fn work(limits: &Limits) -> f64 {
    match limits {
        Limits { nodes: Some(nodes), .. } => *nodes as f64,
        Limits { movetime: Some(time), .. } => time.as_secs_f64(),
        Limits { depth: Some(depth), .. } => BRANCHING.powi((*depth).into()),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::eval::Score;

    #[test]
    fn the_share_grows_from_0_to_1() {
        let none = Limits::default();
        for limits in [
            Limits { nodes: Some(1000), ..none.clone() },
            Limits { depth: Some(8), ..none.clone() },
            Limits { movetime: Some(Duration::from_millis(1)), ..none.clone() },
        ] {
            let workload = Workload::default();
            assert_eq!(workload.share(), None);
            workload.plan(2, &limits);
            assert_eq!(workload.share(), Some(0.0));
            let mut shares = vec![0.0];
            for _ in 0..2 {
                workload.begin(&limits);
                for depth in 1..=8 {
                    let elapsed = Duration::from_micros(1);
                    let report = Report::game_over(Score::ZERO, elapsed);
                    workload.report(&Report { depth, nodes: 125 * u64::from(depth), ..report });
                    shares.extend(workload.share());
                }
                // Longer than the nodes and the time of the limits take.
                std::thread::sleep(Duration::from_millis(2));
                shares.extend(workload.share());
            }
            assert!(shares.is_sorted(), "{limits:?}: {shares:?}");
            assert!(shares.contains(&0.5) && shares.ends_with(&[1.0]), "{limits:?}: {shares:?}");
            // A plan that grows: the rest is longer than was thought.
            workload.plan(2, &limits);
            assert_eq!(workload.share(), Some(0.5));
        }
        let endless = Workload::default();
        endless.plan(3, &none);
        endless.begin(&none);
        assert_eq!(endless.share(), None);
    }
}
