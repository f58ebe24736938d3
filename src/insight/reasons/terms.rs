//! Terms of the evaluation and features of the board as reasons.

use std::collections::BTreeMap;

use crate::chess::Piece;
use crate::insight::claim::{Fact, GroupChange, LineName};
use crate::insight::feature::{FeatureKind, new_features};
use crate::insight::mark::PlayerLevel;
use crate::insight::reasons::{Finder, Silence};
use crate::insight::study::StudiedLine;

/// The centipawns of a group of terms that is a reason, at least, …
const LEAST_CHANGE: i32 = 30;
/// … and its share of the loss in percent.
const LEAST_SHARE: i32 = 30;
/// The same for a feature that is a reason.
const LEAST_FEATURE: i32 = 15;
const LEAST_FEATURE_SHARE: i32 = 15;
/// The plies of the best line, at least, if its end is compared with that of another line.
const LEAST_PLIES: usize = 4;
/// The first plies of a line, in which a feature that is a reason arises.
const FEATURE_PLIES: usize = 8;
/// Features that are named at most.
const MAX_FEATURES: usize = 3;
/// The share of the loss in percent up to which the residual may differ between the lines.
const MAX_RESIDUAL_SHARE: i32 = 40;

/// Groups of terms that are no reasons: the pieces show the material, and the tempo depends on
/// the side to move at the end.
const UNNAMED_GROUPS: [&str; 5] = ["Material", "Imbalance", "Tempo", "Initiative", "Known endgame"];

impl Finder<'_> {
    /// Adds the features and the groups of terms that explain a large part of the loss, for experts.
    pub(super) fn compare_terms(&mut self, name: LineName, worse: &StudiedLine, is_decided: bool) {
        let best = self.study.best.breakdown.as_ref().filter(|_| !is_decided);
        let Some((best, other)) = best.zip(worse.breakdown.as_ref()) else {
            self.reasons.silence = Some(Silence::Decided);
            return;
        };
        let loss = best.score - other.score;
        let is_short = self.study.best.line.moves().len() < LEAST_PLIES;
        if is_short || 100 * (best.residual - other.residual).abs() > MAX_RESIDUAL_SHARE * loss {
            self.reasons.silence = Some(Silence::Residual);
            return;
        }
        if !self.has_room() || self.study.level == PlayerLevel::Club {
            return;
        }
        let (mut changes, mut of_them) = (BTreeMap::new(), BTreeMap::new());
        for (best, other) in best.terms.iter().zip(&other.terms) {
            *changes.entry(best.group).or_insert(0) += best.value - other.value;
            *of_them.entry(best.group).or_insert(0) += other.theirs - best.theirs;
        }
        let named = self.features(name, worse, &changes, loss);
        // Without queens a king in the open is an active one.
        let is_ending = [self.position().state(), worse.line.end()]
            .iter()
            .any(|state| state.pieces(Piece::Queen).is_empty());
        let of_king = FeatureKind::BareKing.groups();
        let is_reason = |&(group, change): &(&str, i32)| {
            !named.contains(&group)
                && change >= LEAST_CHANGE
                && 100 * change >= LEAST_SHARE * loss
                && !UNNAMED_GROUPS.contains(&group)
                && !(is_ending && of_king.contains(&group))
        };
        let mut changes: Vec<_> = changes.into_iter().filter(is_reason).collect();
        changes.sort_by_key(|&(_, change)| -change);
        let mover = self.mover();
        let group_change = |(group, change)| {
            let side = if 2 * of_them[group] > change { !mover } else { mover };
            GroupChange { group, side, change }
        };
        let groups: Vec<GroupChange> = changes.into_iter().map(group_change).collect();
        if self.has_room() && !groups.is_empty() {
            self.add(name, Fact::Terms { groups });
        }
    }

    /// Adds the features that a line brings about, if the groups of terms that count them
    /// explain a part of the loss. Returns these groups.
    fn features(
        &mut self,
        name: LineName,
        worse: &StudiedLine,
        changes: &BTreeMap<&'static str, i32>,
        loss: i32,
    ) -> Vec<&'static str> {
        let change = |kind: FeatureKind| -> i32 {
            kind.groups().iter().filter_map(|group| changes.get(group)).sum()
        };
        let mut found = new_features(&worse.line, &self.study.best.line, self.mover());
        found.retain(|feature| {
            let change = change(feature.kind);
            feature.ply < FEATURE_PLIES
                && change >= LEAST_FEATURE
                && 100 * change >= LEAST_FEATURE_SHARE * loss
        });
        found.sort_by_key(|feature| -change(feature.kind));
        found.truncate(MAX_FEATURES);
        let named = found.iter().flat_map(|feature| feature.kind.groups()).copied().collect();
        for (index, fact) in found.into_iter().map(Fact::Feature).enumerate() {
            if index == 0 { self.add(name, fact) } else { self.detail(name, fact) }
        }
        named
    }
}
