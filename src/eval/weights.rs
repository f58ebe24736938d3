//! The value of every term, in centipawns: middlegame, endgame.
//!
//! Data only, fitted to games and written by `eval::writer`; what the terms mean
//! is said where they are declared, in `eval::terms`.

use crate::eval::tapered::Tapered;
use crate::eval::terms::Weights;

#[rustfmt::skip]
const fn s(middlegame: i32, endgame: i32) -> Tapered { Tapered::new(middlegame, endgame) }

/// The weights that Lovec plays with.
#[rustfmt::skip]
pub static WEIGHTS: Weights = Weights {
    material: [
        s(  24,  176), s( 266,  539), s( 321,  595), s( 428, 1044),
        s( 946, 1726),
    ],
    bishop_pair: s(  10,   57),
    bishop_pair_pawns: s(   1,    2),
    knight_pawns: s(   6,    5),
    rook_pawns: s(  16,   -9),
    closed_position: [
        s(  -4,    5), s(  -1,   -1), s(  -2,    3),
    ],
    rook_pair: s(  28,  -61),
    rook_beside_queen: s( -44,  -64),
    minor_beside_queen: s( -24,  -14),
    queen_against_rooks: s(   6,   97),
    queen_against_minors: s(  25,   34),
    rook_against_minors: s( -25,    2),
    piece_square: [
        [
            s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    0),
            s(   0,   -2), s(   2,   -6), s(  -8,   12), s(  -1,    2),
            s( -10,   -5), s( -17,   -3), s(  -5,   -4), s(  -8,    5),
            s(  10,    3), s(   2,    6), s(   8,  -14), s(  12,  -22),
            s(  12,   21), s(  -1,   18), s(   2,   -7), s(   5,  -17),
            s(  20,   53), s(  21,   54), s(  26,   46), s(  21,   21),
            s(  70,   20), s(  53,   42), s(  31,   49), s(  39,   48),
            s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    0),
        ],
        [
            s( -27,  -49), s( -32,  -27), s( -11,  -22), s( -24,   24),
            s( -23,  -15), s( -26,   22), s(   0,  -16), s(  -6,   -4),
            s( -16,   -8), s(   1,   -7), s(   6,  -11), s(   5,   12),
            s(  -6,    1), s(  19,   15), s(  25,   12), s(   6,   27),
            s(   9,    5), s(  20,    1), s(   7,    9), s(  18,   32),
            s(  19,    8), s(  -2,    1), s(  10,   14), s(   2,   18),
            s( -21,   10), s( -46,   31), s(  -6,    9), s(  28,   20),
            s( -59,  -99), s( -10,   41), s( -57,    6), s( -24,   28),
        ],
        [
            s(   5,  -51), s(   8,   -3), s( -17,   10), s(  -7,    3),
            s(   6,    0), s(  11,  -43), s(  22,   -7), s(  -6,   -1),
            s(  10,    9), s(  25,    3), s(   3,  -14), s(   5,   17),
            s(  -1,   15), s( -12,   18), s(  13,   20), s(  -4,  -17),
            s( -16,   17), s(   2,   22), s(  17,   24), s(  -7,    2),
            s(   9,   17), s(  33,    4), s( -16,   -1), s(  14,   25),
            s(   7,    8), s( -46,   14), s(  24,   11), s( -21,   25),
            s( -48,    3), s( -70,   34), s( -65,   46), s( -66,   51),
        ],
        [
            s(  -9,  -22), s(  -3,   -6), s(  -2,  -10), s(   8,  -19),
            s(   4,   -6), s(  16,  -15), s(   8,    0), s(   7,   -6),
            s(   3,   -2), s(  15,   -2), s( -11,   15), s(  -4,    5),
            s(  -1,   15), s(  -6,   25), s(  -1,   27), s( -19,   28),
            s( -25,   34), s( -13,   41), s(  -3,   25), s( -22,   41),
            s( -21,   44), s(   6,   27), s(  -1,   28), s(  13,   16),
            s(   7,   17), s(  -1,   28), s(   4,   25), s(  14,    9),
            s(  51,   24), s(  70,   25), s(  13,   36), s( -12,   47),
        ],
        [
            s(  -7,  -41), s(  -5,  -60), s(  -5,  -71), s(  -7,  -51),
            s(  -6,  -34), s(  16,  -44), s(   5,  -21), s(  -8,   13),
            s(   4,   13), s(   7,   22), s(  13,   -2), s(  -9,   39),
            s(  11,    1), s(  -3,   63), s(   3,   52), s(  -3,   57),
            s(  -8,   32), s(   7,   29), s(  -1,   30), s( -16,   79),
            s(  17,    6), s(  -6,   19), s(  13,   46), s(  28,   26),
            s(  10,   -7), s( -12,   47), s(   7,   32), s(  12,   25),
            s(  20,    2), s(  23,    2), s(  12,    1), s(  35,   14),
        ],
        [
            s(  58,  -72), s(  19,  -26), s(  12,  -40), s(   0,  -40),
            s(  42,  -22), s(  25,  -10), s(   4,   -5), s( -18,    0),
            s(  29,  -11), s(  21,   11), s(   2,   24), s( -44,   35),
            s( -47,   31), s(   3,   38), s( -27,   52), s( -68,   69),
            s( -15,   36), s( -40,   85), s( -30,   89), s( -79,  113),
            s( -30,   59), s( -52,  121), s(-102,  133), s(-132,  136),
            s( -39,  -12), s( -19,   77), s( -96,  113), s( -87,  116),
            s( -91, -144), s( -27,   43), s( -11,   40), s( -28,   -1),
        ],
    ],
    pawn_isolated: [
        s(  -2,  -26), s(   2,   -6),
    ],
    pawn_backward: [
        s(  -9,  -22), s(  -4,  -13),
    ],
    pawn_doubled: s( -10,  -21),
    pawn_tripled: s(  -2,  -21),
    pawn_islands: s(  -8,   10),
    pawn_lever: [
        s(   0,    0), s(  -6,   -7), s(   8,  -13), s(   1,   -3),
        s(   8,   19), s(   0,    5), s(   0,    0), s(   0,    0),
    ],
    pawn_double_lever: s( -14,   -4),
    pawn_phalanx: [
        s(   0,    0), s(   1,    2), s(  10,    4), s(   8,   11),
        s(  18,   32), s(  26,  115), s(  82,  113), s(   0,    0),
    ],
    pawn_supported: [
        s(   0,    0), s(   0,    0), s(  19,   16), s(  13,    6),
        s(  23,    9), s(  38,   49), s(  62,   75), s(   0,    0),
    ],
    pawn_ram: [
        s(  -5,   -7), s( -29,  -29),
    ],
    pawn_candidate: [
        s(   0,    0), s(   6,  -11), s(  -8,   -5), s(   0,   11),
        s(   7,   20), s( -18,   90), s(   0,    0), s(   0,    0),
    ],
    passed: [
        s(   0,    0), s(  -3,    8), s(  -4,   10), s( -16,   33),
        s(  22,   50), s(  37,   68), s( 102,  160), s(   0,    0),
    ],
    passed_file: [
        s(   0,   19), s(  -2,   15), s( -11,    5), s(  -5,   -9),
    ],
    passed_blocked: [
        s(   0,    0), s(   0,    0), s(   0,    0), s(   3,   -5),
        s(   8,  -13), s(  12,  -25), s( -17,  -54), s(   0,    0),
    ],
    passed_free_step: [
        s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    1),
        s(  -3,   18), s(  24,   20), s(  -3,    9), s(   0,    0),
    ],
    passed_free_path: [
        s(   0,    0), s(   0,    0), s(   0,    0), s( -68,   46),
        s(  -2,   64), s(  46,  147), s(  33,  276), s(   0,    0),
    ],
    passed_held_path: [
        s(   0,    0), s(   0,    0), s(   0,    0), s(  -6,   18),
        s(   2,   24), s(  17,   34), s(   3,    3), s(   0,    0),
    ],
    passed_escorted: [
        s(   0,    0), s(   0,    0), s(   0,    0), s(  11,    3),
        s(  14,   13), s(  44,   18), s(  62,  103), s(   0,    0),
    ],
    passed_protected: [
        s(   0,    0), s(   0,    0), s(   3,  -24), s(   5,   -4),
        s(   0,   22), s(  10,   36), s(  13,   39), s(   0,    0),
    ],
    passed_connected: [
        s(   0,    0), s(  17,  -29), s(  11,  -14), s(  11,  -11),
        s(   5,    3), s(   8,  -24), s(  50,   38), s(   0,    0),
    ],
    passed_own_king: [
        s(  19,   39), s(  -8,   31), s(  12,   12), s(  13,    0),
        s(   1,   -5), s(  -3,   -5), s(  -1,   -5), s( -11,    1),
    ],
    passed_enemy_king: [
        s(  -6,  -14), s(   0,  -14), s(  11,  -13), s(   1,   13),
        s(  -1,   26), s(  -1,   32), s(  -5,   29), s( -11,   28),
    ],
    passed_rook_behind: s(  14,   19),
    passed_rook_chasing: s( -27,  -48),
    passed_outside: s(   1,    9),
    passed_unstoppable: s( -15,  244),
    knight_mobility: [
        s( -22,  -72), s( -19,  -58), s(  -9,  -23), s(   1,  -17),
        s(   0,   -1), s(   3,   11), s(   4,   19), s(   5,   26),
        s(   7,   19),
    ],
    bishop_mobility: [
        s(  -6,  -76), s( -16,  -44), s(  -6,  -30), s(  -3,  -12),
        s(   2,    1), s(   2,   11), s(   2,   22), s(   4,   19),
        s(   6,   26), s(   7,   24), s(   1,   25), s(  12,   22),
        s(  36,   36), s(   7,   10),
    ],
    rook_mobility: [
        s( -82, -130), s( -15,  -86), s(  -6,  -32), s(  -3,  -34),
        s(  -7,  -10), s(  -2,   -6), s(  -4,    8), s(   0,    9),
        s(   5,   15), s(   5,   23), s(   7,   24), s(  12,   23),
        s(   9,   30), s(   3,   40), s(   9,   35),
    ],
    queen_mobility: [
        s( -40,  -77), s( -15,  -16), s(  -9,  -97), s(  -8,  -70),
        s(  -7,  -93), s(  -9,  -32), s(  -6,  -20), s(  -2,  -24),
        s(  -3,   -9), s(   3,   -4), s(   2,   13), s(   4,   20),
        s(   5,   15), s(   5,   36), s(   4,   18), s(   3,   33),
        s(   4,   36), s(  -4,   39), s(  -5,   50), s(   1,   31),
        s( -10,   39), s(  -4,   21), s(  35,   -1), s(   0,   12),
        s(  41,  -25), s(   1,  -10), s(   2,  -15), s(  32,    9),
    ],
    knight_outpost: s(  51,   11),
    bishop_outpost: s(  20,   18),
    knight_outpost_reach: s(  20,    8),
    minor_behind_pawn: s(   5,    7),
    bishop_own_pawns: s(   0,   -3),
    bishop_enemy_pawns: s(   0,   -2),
    bishop_long_diagonal: s(  24,   30),
    bishop_xray_pawns: s(  -4,    4),
    bishop_trapped: s( -55,  -43),
    bishop_at_king: s(  14,   15),
    rook_open_file: s(  34,    3),
    rook_half_open_file: s(  13,    1),
    rook_on_queen_file: s(   6,    1),
    rook_seventh: s(   2,   11),
    rook_doubled: s(   7,   -5),
    rook_at_king: s(  14,   -9),
    rook_shut_in: [
        s( -15,  -27), s(   3,  -22),
    ],
    queen_exposed: s( -19,   17),
    queen_infiltration: s(  12,    3),
    queen_early: s(  -4,  -12),
    pinned: [
        s(  -9,   12), s(  -5,   31), s( -10,   11), s(  31,    5),
        s( -15,   26),
    ],
    minor_king_distance: [
        s(   0,    0), s(   1,   16), s(   2,   13), s(   1,   10),
        s(  -9,    6), s( -12,    2), s( -16,   -2), s( -38,    0),
    ],
    king_shelter: [
        [
            s(  -4,   -2), s(  50,  -52), s(  48,  -33), s(   3,   -5),
            s( -11,    8), s( -19,   23), s(  41,   19), s(   0,    0),
        ],
        [
            s( -24,    0), s(  43,  -31), s(  32,  -21), s( -24,    7),
            s( -35,   20), s( -45,   18), s(  68,   21), s(   0,    0),
        ],
        [
            s(  -5,   -9), s(  35,  -10), s(  -8,    1), s( -11,    2),
            s(   3,    5), s(  22,   -1), s( -28,   29), s(   0,    0),
        ],
        [
            s( -15,    9), s( -25,   12), s( -21,    8), s( -28,   15),
            s( -24,   17), s( -37,   15), s( -71,   -6), s(   0,    0),
        ],
    ],
    king_storm: [
        [
            s( -48,   -3), s( 130,   -1), s(  31,    4), s( -31,   22),
            s( -22,    1), s(  -5,  -17), s( -19,    0), s(   0,    0),
        ],
        [
            s( -31,    8), s(  54,   31), s( -52,   53), s( -20,   34),
            s( -18,   25), s(   8,   -7), s(  -2,    0), s(   0,    0),
        ],
        [
            s(  -9,    0), s( -62,   45), s( -86,   59), s( -23,   17),
            s(  -1,    7), s(  13,   -6), s(  13,  -12), s(   0,    0),
        ],
        [
            s(  -5,   -8), s( -18,   14), s( -18,    3), s(  -5,  -13),
            s(   1,  -14), s(  12,  -12), s(   4,   -1), s(   0,    0),
        ],
    ],
    king_storm_blocked: [
        s(   0,    0), s(   0,    0), s( -36,  -38), s(  -6,  -25),
        s(  10,  -31), s(   8,  -33), s(  29,  -14), s(   0,    0),
    ],
    king_wing_attacked: s(  -5,    6),
    king_wing_defended: s(   5,    0),
    king_wing_bare: s( -35,  -63),
    king_pawn_distance: [
        s(   0,    0), s(  -6,   42), s(   1,   34), s(   1,   15),
        s(  31,  -26), s(   2,  -48), s( -11,  -50), s(  -5,  -15),
    ],
    king_may_castle: [
        s( -19,  -21), s(  -4,   -3),
    ],
    castling_shelter: s(  22,   -5),
    danger_attacker: [
        s(  60,   89), s(  39,   49), s(  24,   54), s( -15,   14),
    ],
    danger_adjacent: s(  35,    2),
    danger_weak_square: s( 146,  115),
    danger_safe_check: [
        s( 757,  813), s( 517,  671), s( 885, 1107), s( 603,  819),
    ],
    danger_check_squares: s(-105,   87),
    danger_unsafe_check: s( 142,  167),
    danger_pinned: s(  23,  101),
    danger_defender: [
        s(-128, -113), s( -64,  -41),
    ],
    danger_no_queen: s(-892, -907),
    danger_wing_attacked: s(  26,   56),
    danger_wing_defended: s( -32,    5),
    danger_bare_file: s(  60,    9),
    danger_escape: s(  -8,   20),
    danger_to_move: s( 302,   14),
    danger_base: s(  15,    4),
    threat_by_pawn: [
        s(  -1,  -32), s(  69,   48), s(  57,   73), s(  53,   40),
        s(  62,    2),
    ],
    threat_by_minor: [
        s(   2,   25), s(  17,   43), s(  42,   35), s(  59,   18),
        s(  46,   56),
    ],
    threat_by_rook: [
        s(   1,   24), s(  15,   32), s(  22,   25), s( -10,   10),
        s(  35,    1),
    ],
    threat_by_king: s(  22,   20),
    threat_hanging: s(  17,   36),
    threat_by_push: s(  19,   25),
    threat_knight_on_queen: s(  12,    8),
    threat_slider_on_queen: s(  22,    1),
    threat_queen_bound: s(  -1,   20),
    threat_pawn_fork: s(  24,    5),
    threat_knight_fork: s(  32,   39),
    threat_queen_exchange: s(   6,    1),
    restricted: s(   5,   -1),
    space: s(  -7,    6),
    space_for_pieces: s(   9,   -1),
    centre_attacked: s(  -3,    5),
    tempo: s(  36,   34),
    initiative_pawns: s(   0,    3),
    initiative_passed: s(   0,   -6),
    initiative_outflanking: s(   0,    0),
    initiative_both_wings: s(   0,   11),
    initiative_infiltration: s(   0,    9),
    initiative_pawn_ending: s(   0,    9),
    initiative_base: s(   0,  -22),
};
