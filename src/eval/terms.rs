//! The list of all evaluation terms.
//!
//! Each term is declared only here. The macro turns the list into [`Terms`], a struct with
//! one field per term: with values in the fields it holds the weights, with counts the trace
//! of a position. [`Terms::tables`] lists the fields in order, for the tuner, the writer of
//! `weights.rs` and the explanation.
//!
//! Two groups are counted in units and not in centipawns: see [`Unit`].
//!
//! Indices by rank count from the owner's side: 0 is its own first rank. Indices by folded
//! file: 0 is the a and the h file, 3 the d and the e file. So the evaluation is the same
//! for both colours and both flanks.

use std::fmt;

use crate::eval::tapered::Tapered;

/// What a term adds to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// The score of its side.
    Centipawn,
    /// The danger to its side's own king: see [`nonlinear`](crate::eval::nonlinear).
    Danger,
    /// The initiative, which belongs to neither side; the trace counts it as
    /// White's.
    Initiative,
}

/// One field of [`Terms`], seen as a list.
#[derive(Clone, Copy, Debug)]
pub struct TermTable<'t, E> {
    /// The heading under which the term is explained.
    pub group: &'static str,
    /// What the term is counted in.
    pub unit: Unit,
    pub name: &'static str,
    /// What it counts, in a sentence.
    pub description: &'static str,
    /// The sizes of the dimensions; none for a single value.
    pub shape: &'static [usize],
    /// The entries in order, the last index running fastest.
    pub values: &'t [E],
}

impl TermTable<'_, Tapered> {
    /// The sum of the weights, each times its count.
    pub fn sum(&self, counts: &TermTable<'_, i16>) -> Tapered {
        let terms = self.values.iter().zip(counts.values);
        terms.map(|(&weight, &count)| weight * i32::from(count)).sum()
    }
}

/// A [`TermTable`] whose entries may be written.
#[derive(Debug)]
pub struct TermTableMut<'t, E> {
    pub name: &'static str,
    pub values: &'t mut [E],
}

macro_rules! terms {
    (@shape $entry:ident) => { $entry };
    (@shape $entry:ident [$n:literal]) => { [$entry; $n] };
    (@shape $entry:ident [$n:literal] [$m:literal]) => { [[$entry; $m]; $n] };

    (@filled $value:ident) => { $value };
    (@filled $value:ident [$n:literal]) => { [$value; $n] };
    (@filled $value:ident [$n:literal] [$m:literal]) => { [[$value; $m]; $n] };

    (@list $field:expr;) => { std::slice::from_ref($field) };
    (@list $field:expr; [$n:literal]) => { $field.as_slice() };
    (@list $field:expr; [$n:literal] [$m:literal]) => { $field.as_flattened() };

    (@list_mut $field:expr;) => { std::slice::from_mut($field) };
    (@list_mut $field:expr; [$n:literal]) => { $field.as_mut_slice() };
    (@list_mut $field:expr; [$n:literal] [$m:literal]) => { $field.as_flattened_mut() };

    ($($group:literal in $unit:ident {$(
        $(#[doc = $doc:literal])+
        $name:ident $([$size:literal])*,
    )+})+) => {
        /// One entry `E` for everything the evaluation counts.
        pub struct Terms<E> {$($(
            $(#[doc = $doc])+
            pub $name: terms!(@shape E $([$size])*),
        )+)+}

        // Not derived: fields whose type is written by a macro do not allow it.
        impl<E: Copy> Clone for Terms<E> {
            fn clone(&self) -> Self {
                Self {$($( $name: self.$name, )+)+}
            }
        }

        impl<E: fmt::Debug> fmt::Debug for Terms<E> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct("Terms")$($( .field(stringify!($name), &self.$name) )+)+.finish()
            }
        }

        impl<E: Copy> Terms<E> {
            /// The same entry everywhere.
            pub const fn filled(value: E) -> Self {
                Self {$($( $name: terms!(@filled value $([$size])*), )+)+}
            }
        }

        /// The number of terms.
        const TERMS: usize = [$($( stringify!($name), )+)+].len();

        impl<E> Terms<E> {
            /// Every term in the order of declaration.
            pub fn tables(&self) -> [TermTable<'_, E>; TERMS] {
                [$($( TermTable {
                    group: $group,
                    unit: Unit::$unit,
                    name: stringify!($name),
                    description: concat!($($doc),+).trim_ascii(),
                    shape: &[$($size),*],
                    values: terms!(@list (&self.$name); $([$size])*),
                }, )+)+]
            }

            /// Every term in the order of declaration, to be written.
            pub fn tables_mut(&mut self) -> [TermTableMut<'_, E>; TERMS] {
                [$($( TermTableMut {
                    name: stringify!($name),
                    values: terms!(@list_mut (&mut self.$name); $([$size])*),
                }, )+)+]
            }
        }
    };
}

/// What each term is worth.
pub type Weights = Terms<Tapered>;

terms! {
    "Material" in Centipawn {
        /// A pawn, knight, bishop, rook, queen.
        material[5],
    }
    "Imbalance" in Centipawn {
        /// Two bishops or more.
        bishop_pair,
        /// Two bishops, by the number of all pawns beyond ten.
        bishop_pair_pawns,
        /// A knight, by the number of own pawns beyond five.
        knight_pawns,
        /// A rook, likewise.
        rook_pawns,
        /// A knight, bishop, rook, by the number of pawns that block each other.
        closed_position[3],
        /// Two rooks or more.
        rook_pair,
        /// A rook, by the number of own queens.
        rook_beside_queen,
        /// A minor piece, by the number of own queens.
        minor_beside_queen,
        /// A queen, by the number of enemy rooks.
        queen_against_rooks,
        /// A queen, by the number of enemy minor pieces.
        queen_against_minors,
        /// A rook, by the number of enemy minor pieces.
        rook_against_minors,
    }
    "Placement" in Centipawn {
        /// A pawn, knight, bishop, rook, queen by rank and file, the board mirrored so that its
        /// own king is on the files e to h.
        piece_square[5][64],
        /// The king by rank and folded file.
        king_square[32],
    }
    "Pawns" in Centipawn {
        /// No own pawn on the neighbouring files; whether an enemy pawn is in front of it on
        /// its file.
        pawn_isolated[2],
        /// Not isolated, but no own pawn can defend it any more, and an enemy pawn attacks its
        /// next square, which no own pawn can; whether an enemy pawn is in front of it on its
        /// file.
        pawn_backward[2],
        /// An own pawn behind it on the same file.
        pawn_doubled,
        /// Two own pawns behind it on the same file.
        pawn_tripled,
        /// Groups of pawns on neighbouring files.
        pawn_islands,
        /// Attacks an enemy pawn, by rank.
        pawn_lever[8],
        /// Attacked by two enemy pawns, and no own pawn defends it.
        pawn_double_lever,
        /// An own pawn next to it, by rank.
        pawn_phalanx[8],
        /// Defended by an own pawn, by rank.
        pawn_supported[8],
        /// Stopped by an enemy pawn head to head on the fifth or sixth rank.
        pawn_ram[2],
        /// Not passed, no enemy pawn in front of it on its file, and as many own pawns beside
        /// or behind it on the neighbouring files as enemy pawns ahead there, by rank.
        pawn_candidate[8],
        /// Not passed, but it attacks every enemy pawn that stops it, now or after its next step
        /// with enough own pawns beside it, by rank.
        pawn_lever_passed[8],
        /// Not passed, but only the enemy pawn right in front of it stops it, which a pawn
        /// beside and behind it can attack with its next step, by rank.
        pawn_break_passed[8],
    }
    "Passed pawns" in Centipawn {
        /// A passed pawn, of several on a file the foremost, by rank.
        passed[8],
        /// By folded file.
        passed_file[4],
        /// Its next square is occupied, by rank.
        passed_blocked[8],
        /// Its next square is free and no enemy attacks it, but its way is not free, by rank.
        passed_free_step[8],
        /// Its next square is free, no enemy attacks or occupies a square on the way, and no
        /// enemy rook is behind it, by rank.
        passed_free_path[8],
        /// Enemies attack or occupy squares on the way, and its own side attacks all of these,
        /// by rank.
        passed_defended_path[8],
        /// Its own side defends its next square, by rank.
        passed_escorted[8],
        /// Defended by a pawn, by rank.
        passed_protected[8],
        /// Another passed pawn on a neighbouring file, beside it or one rank behind, by rank.
        passed_connected[8],
        /// Distance of the own king from the next square of a pawn from the fourth rank on;
        /// counts more the further the pawn has come.
        passed_own_king[8],
        /// Distance of the enemy king from the next square, likewise.
        passed_enemy_king[8],
        /// An own rook behind a pawn from the fourth rank on.
        passed_rook_behind,
        /// An enemy rook behind it, likewise.
        passed_rook_chasing,
        /// No other pawn on its file or the two files on either side.
        passed_outside,
        /// In a pawn ending: the enemy king is too far away from it.
        passed_unstoppable,
    }
    "Mobility" in Centipawn {
        /// Squares that a knight attacks, except those that an enemy pawn attacks, and those of
        /// the own king, of own queens, and of own pawns that are blocked or on the second or
        /// third rank.
        knight_mobility[9],
        /// The same of a bishop.
        bishop_mobility[14],
        /// The same of a rook.
        rook_mobility[15],
        /// The same of a rook on its file alone.
        rook_vertical_mobility,
        /// The same of a queen.
        queen_mobility[28],
    }
    "Pieces" in Centipawn {
        /// A knight on a square of the fourth to sixth rank that a pawn defends and no enemy
        /// pawn can ever attack.
        knight_outpost,
        /// A bishop on such a square.
        bishop_outpost,
        /// A knight that could go to such a square next.
        knight_outpost_reach,
        /// A minor piece with a pawn right in front of it.
        minor_behind_pawn,
        /// Own pawns on the bishop's colour, more when the centre is blocked.
        bishop_own_pawns,
        /// Enemy pawns on the bishop's colour.
        bishop_enemy_pawns,
        /// A bishop on a long diagonal without pawns between it and both central squares.
        bishop_long_diagonal,
        /// Enemy pawns on the bishop's diagonals, whatever stands between.
        bishop_xray_pawns,
        /// A bishop on the sixth or seventh rank of a rook file, trapped by a pawn.
        bishop_trapped,
        /// A bishop that attacks no square near the enemy king, but would if only pawns were in
        /// the way.
        bishop_at_king,
        /// A rook on a file without pawns.
        rook_open_file,
        /// A rook on a file without own pawns.
        rook_half_open_file,
        /// A rook on the file of an enemy queen.
        rook_on_queen_file,
        /// A rook on the seventh rank, with the king behind it or pawns on it.
        rook_seventh,
        /// A rook with another rook on its file.
        rook_doubled,
        /// A rook on a file near the enemy king that attacks no square near it.
        rook_at_king,
        /// A rook of little mobility further from the centre files than its king; whether the
        /// king may still castle.
        rook_trapped[2],
        /// A queen with a single piece between it and an enemy rook or bishop.
        queen_exposed,
        /// A pawn, knight, bishop, rook, queen that is the only piece between its own queen and
        /// an enemy rook or bishop.
        pinned_to_queen[5],
        /// A queen in the enemy's half on a square that no enemy pawn can ever attack.
        queen_infiltration,
        /// A queen beyond the second rank, by the own minor pieces on the first rank.
        queen_early,
        /// A pawn, knight, bishop, rook, queen pinned to its king.
        pinned[5],
        /// King moves between a minor piece and its own king.
        minor_king_distance[8],
        /// A defended pawn, knight, bishop, rook, queen.
        defended[5],
    }
    "King" in Centipawn {
        /// The own pawn on a file near the king, not behind it and not attacked by an enemy
        /// pawn, by folded file and the pawn's rank, 0 if there is none.
        king_shelter[4][8],
        /// The enemy pawn on a file near the king and not behind it, by folded file and its rank.
        king_storm[4][8],
        /// An enemy pawn near the king that an own pawn stops, by rank.
        blocked_storm[8],
        /// Squares on the first five ranks of the king's flank that the enemy attacks, counted
        /// twice if attacked twice.
        king_flank_attacked,
        /// Squares there that its own side defends.
        king_flank_defended,
        /// No pawn of either side on the king's flank.
        king_flank_pawnless,
        /// King moves to the nearest pawn of either side.
        king_pawn_distance[8],
        /// An enemy knight, bishop, rook, queen, by the king moves between it and the king.
        king_tropism[4][8],
        /// It may still castle on one side, on both.
        king_may_castle[2],
        /// Pawns on the second and third rank of the better castling side.
        castling_shelter,
    }
    "King danger" in Danger {
        /// An enemy knight, bishop, rook, queen that attacks squares near the king, times the
        /// number of such pieces and of squares there that enemy pawns attack.
        danger_attacker[4],
        /// Attacks on squares beside the king.
        danger_adjacent,
        /// Squares near the king that are attacked and badly defended.
        danger_weak_square,
        /// A knight, bishop, rook, queen could give check safely, on one square or on more.
        danger_safe_check[4][2],
        /// Squares of safe checks.
        danger_check_squares,
        /// Squares of checks that would cost the piece.
        danger_unsafe_check,
        /// Pinned defenders.
        danger_pinned,
        /// Seven less the king moves between the king and an enemy knight, bishop, rook, queen.
        danger_near[4],
        /// A knight, bishop defends squares near the king.
        danger_defender[2],
        /// The enemy has no queen.
        danger_no_queen,
        /// Squares on the first five ranks of the king's flank that the enemy attacks, counted
        /// twice if attacked twice.
        danger_flank_attacked,
        /// Squares there that its own side defends.
        danger_flank_defended,
        /// The own pawn on a file near the king, by rank, 0 if there is none.
        danger_shelter[8],
        /// The enemy pawn on a file near the king that no own pawn stops, that one stops; by
        /// rank.
        danger_storm[2][8],
        /// Squares to which the king could step.
        danger_escape,
        /// The enemy is to move.
        danger_to_move,
        /// A constant.
        danger_base,
    }
    "Threats" in Centipawn {
        /// A safe pawn attacks a pawn, knight, bishop, rook, queen.
        threat_by_pawn[5],
        /// A knight attacks a pawn, knight, bishop, rook, queen that is badly, well defended.
        threat_by_knight[2][5],
        /// A bishop, likewise.
        threat_by_bishop[2][5],
        /// A rook, likewise.
        threat_by_rook[2][5],
        /// A queen, likewise.
        threat_by_queen[2][5],
        /// The king attacks a badly defended pawn, knight, bishop, rook, queen.
        threat_by_king[5],
        /// Attacked and not defended, or attacked twice and badly defended.
        threat_hanging,
        /// A safe pawn push would attack a piece.
        threat_by_push,
        /// A knight could safely go where it attacks the queen.
        threat_knight_on_queen,
        /// A bishop or rook could safely go where it attacks the queen.
        threat_slider_on_queen,
        /// Attacked and badly defended, the queen among the defenders.
        weak_queen_protection,
        /// A pawn that attacks two pieces.
        threat_pawn_fork,
        /// A knight could safely move to attack two valuable or poorly defended pieces.
        threat_knight_fork,
        /// The queen could safely go where it attacks the queen.
        threat_queen_exchange,
        /// Squares that the enemy attacks but cannot safely use.
        restricted,
        /// A knight, bishop, rook, queen that is attacked by a less valuable piece, or attacked
        /// and not defended, and has no safe square; the enemy, its side is to move.
        trapped_piece[2][4],
    }
    "Space" in Centipawn {
        /// Safe squares in the centre of the own half, those behind own pawns
        /// counted twice.
        space,
        /// The same, times the number of own pieces, in eighths.
        space_for_pieces,
        /// Squares d4, e4, d5 and e5 that the side attacks.
        centre_attacked,
    }
    "Tempo" in Centipawn {
        /// The side to move.
        tempo,
    }
    "Initiative" in Initiative {
        /// Pawns of both sides.
        initiative_pawns,
        /// Passed pawns of both sides.
        initiative_passed,
        /// How much further apart the kings' files are than their ranks.
        initiative_outflanking,
        /// Pawns on both flanks.
        initiative_both_flanks,
        /// A king in the enemy's half.
        initiative_infiltration,
        /// No pieces other than pawns.
        initiative_pawn_ending,
        /// A constant.
        initiative_base,
    }
}

#[cfg(test)]
mod tests {
    use super::Terms;

    #[test]
    fn tables_have_the_length_of_their_shape_and_names_of_their_own() {
        let terms = Terms::filled(1);
        let tables = terms.tables();
        for table in &tables {
            assert_eq!(table.values.len(), table.shape.iter().product::<usize>(), "{}", table.name);
        }
        let mut names: Vec<_> = tables.iter().map(|table| table.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), tables.len());
    }
}
