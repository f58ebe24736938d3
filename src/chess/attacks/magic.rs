//! Attacks of bishops and rooks: one table, indexed by a perfect hash of the
//! blockers.
//!
//! For each square only the relevant blockers are kept (`mask`: the rays without their last
//! square). They are mapped to a dense index by the `PEXT` instruction or, without it, by
//! multiplication with a "magic" number (P. Kannan, "Magic move-bitboard generation in
//! computer chess", 2007). The numbers were found by trial with sparse random candidates.

use crate::chess::attacks::tables::{BISHOP_DIRECTIONS, ROOK_DIRECTIONS, ray};
use crate::chess::bitboard::Bitboard;
use crate::chess::square::Square;
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
use crate::util::unsafe_ops::pext;

const USE_PEXT: bool = cfg!(all(target_arch = "x86_64", target_feature = "bmi2"));

/// How one square finds its part of the attack table.
#[derive(Clone, Copy)]
struct Slider {
    mask: u64,
    #[cfg_attr(all(target_arch = "x86_64", target_feature = "bmi2"), allow(dead_code))]
    magic: u64,
    offset: u32,
    #[cfg_attr(all(target_arch = "x86_64", target_feature = "bmi2"), allow(dead_code))]
    shift: u8,
}

impl Slider {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    #[inline(always)]
    fn index(&self, occupied: Bitboard) -> usize {
        self.offset as usize + pext(occupied.0, self.mask) as usize
    }

    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    #[inline(always)]
    fn index(&self, occupied: Bitboard) -> usize {
        self.offset as usize + self.multiply(occupied.0 & self.mask)
    }

    #[inline(always)]
    const fn multiply(&self, blockers: u64) -> usize {
        (blockers.wrapping_mul(self.magic) >> self.shift) as usize
    }
}

const BISHOP_ENTRIES: usize = 5_248;
const ROOK_ENTRIES: usize = 102_400;

static BISHOPS: [Slider; 64] = sliders(BISHOP_DIRECTIONS, &BISHOP_MAGICS, 0);
static ROOKS: [Slider; 64] = sliders(ROOK_DIRECTIONS, &ROOK_MAGICS, BISHOP_ENTRIES as u32);
/// Over a hundred thousand entries, computed at compile time.
#[allow(long_running_const_eval)]
static ATTACKS: [Bitboard; BISHOP_ENTRIES + ROOK_ENTRIES] = attacks();

/// Squares that a bishop attacks.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    ATTACKS[BISHOPS[square.index()].index(occupied)]
}

/// Squares that a rook attacks.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    ATTACKS[ROOKS[square.index()].index(occupied)]
}

const fn sliders(directions: [(i8, i8); 4], magics: &[u64; 64], first: u32) -> [Slider; 64] {
    let mut sliders = [Slider { mask: 0, magic: 0, offset: 0, shift: 0 }; 64];
    let mut offset = first;
    let mut square = 0;
    while square < 64 {
        let mut mask = 0;
        let mut i = 0;
        while i < 4 {
            mask |= inner(ray(square, directions[i]), directions[i]);
            i += 1;
        }
        let bits = mask.count_ones();
        sliders[square] = Slider { mask, magic: magics[square], offset, shift: (64 - bits) as u8 };
        offset += 1 << bits;
        square += 1;
    }
    sliders
}

/// A ray without its last square, on which a blocker makes no difference.
const fn inner(ray: Bitboard, direction: (i8, i8)) -> u64 {
    let last = if ascends(direction) { ray.highest() } else { ray.lowest() };
    ray.0 & !last.bitboard().0
}

/// Whether squares further along this direction have higher indices.
const fn ascends((files, ranks): (i8, i8)) -> bool {
    files + 8 * ranks > 0
}

/// The ray up to and with its first blocker.
const fn blocked(ray: u64, blockers: u64, ascending: bool) -> u64 {
    let blockers = ray & blockers;
    if ascending {
        // With no blocker the subtraction wraps and keeps the whole ray.
        ray & (blockers ^ blockers.wrapping_sub(1))
    } else if blockers == 0 {
        ray
    } else {
        ray & (!0 << (63 - blockers.leading_zeros()))
    }
}

const fn attacks() -> [Bitboard; BISHOP_ENTRIES + ROOK_ENTRIES] {
    let mut table = [Bitboard::EMPTY; BISHOP_ENTRIES + ROOK_ENTRIES];
    fill(&mut table, &sliders(BISHOP_DIRECTIONS, &BISHOP_MAGICS, 0), BISHOP_DIRECTIONS);
    let rooks = sliders(ROOK_DIRECTIONS, &ROOK_MAGICS, BISHOP_ENTRIES as u32);
    fill(&mut table, &rooks, ROOK_DIRECTIONS);
    table
}

/// Fills the part of the table that belongs to bishops or to rooks.
///
/// The attacks on the squares below a piece depend only on the blockers below it, and the
/// attacks above only on the blockers above. The attacks of each half are computed once for
/// each of its few sets of blockers; every entry is the union of two, which shortens the
/// compilation.
const fn fill(table: &mut [Bitboard], sliders: &[Slider; 64], directions: [(i8, i8); 4]) {
    let mut square = 0;
    while square < 64 {
        let slider = sliders[square];
        let below = Half::new(slider.mask & ((1 << square) - 1), square, directions, false);
        let above = Half::new(slider.mask & !((1 << square) - 1), square, directions, true);
        // The sets of the lower half change fastest, so that the n-th union is the
        // set that PEXT maps to n.
        let mut high = 0;
        let mut n = 0;
        while high < above.count {
            let mut low = 0;
            while low < below.count {
                let index = if USE_PEXT {
                    n
                } else {
                    slider.multiply(below.blockers[low] | above.blockers[high])
                };
                table[slider.offset as usize + index] =
                    Bitboard(below.attacks[low] | above.attacks[high]);
                n += 1;
                low += 1;
            }
            high += 1;
        }
        square += 1;
    }
}

/// The maximum number of blocker sets on one side of a square: a rook in a corner.
const MAX_SETS: usize = 1 << 12;

/// All sets of blockers below a square, or all above it, in ascending order, with the
/// squares attacked on that side.
struct Half {
    count: usize,
    blockers: [u64; MAX_SETS],
    attacks: [u64; MAX_SETS],
}

impl Half {
    const fn new(mask: u64, square: usize, directions: [(i8, i8); 4], ascending: bool) -> Self {
        let mut half = Self { count: 0, blockers: [0; MAX_SETS], attacks: [0; MAX_SETS] };
        // Two of the four directions ascend.
        let mut rays = [0; 2];
        let mut found = 0;
        let mut i = 0;
        while i < 4 {
            if ascends(directions[i]) == ascending {
                rays[found] = ray(square, directions[i]).0;
                found += 1;
            }
            i += 1;
        }
        let mut blockers = 0u64;
        loop {
            let attacks =
                blocked(rays[0], blockers, ascending) | blocked(rays[1], blockers, ascending);
            half.blockers[half.count] = blockers;
            half.attacks[half.count] = attacks;
            half.count += 1;
            // The next subset of the mask (the carry-rippler).
            blockers = blockers.wrapping_sub(mask) & mask;
            if blockers == 0 {
                return half;
            }
        }
    }
}

#[rustfmt::skip]
const BISHOP_MAGICS: [u64; 64] = [
    0x0910_0248_004C_0042, 0x0010_0798_0081_898C, 0x0084_A902_0202_0508, 0x0004_2502_0081_0080,
    0x0801_1040_0000_0000, 0x8002_081A_0A00_0008, 0x0014_1088_0888_0300, 0x0008_4044_04A8_4040,
    0x0010_0420_8204_0900, 0x0000_0802_4404_0021, 0x2400_0408_0200_4A20, 0x8000_8440_4080_8008,
    0x0804_4404_2101_0106, 0x1001_010C_20C4_0220, 0x2000_8202_0120_0900, 0x0101_0041_1088_2001,
    0xA244_2090_2102_0408, 0x0020_C084_0104_1104, 0x3802_0001_0202_0203, 0x0208_2804_0400_1000,
    0x0006_000C_0161_0004, 0x0010_8141_0820_0204, 0x1801_0000_4802_5040, 0x8220_2102_0084_0443,
    0x0020_0400_A144_2442, 0x2004_0424_2208_4800, 0x0804_1000_3905_0020, 0x0610_0402_8040_1020,
    0x3001_0010_B100_4010, 0x085C_8200_0901_2280, 0x0002_2080_0404_0100, 0x880A_1040_4094_0088,
    0x0208_0826_0240_1490, 0x0000_8898_8020_0200, 0x0004_4030_00D8_0048, 0x0000_2005_0008_0090,
    0x0040_0102_0083_0184, 0x0010_1102_0001_1049, 0x0048_2800_4088_8200, 0x4501_0101_0002_0054,
    0x0018_0402_2088_0800, 0x1040_8090_4880_3000, 0x0042_0080_2080_8408, 0x2419_2440_1041_0200,
    0x0002_8400_8200_1020, 0x8011_1005_0910_4200, 0x1B20_0121_0200_0100, 0x0402_8C82_0200_2082,
    0x5102_0101_0840_4902, 0x8020_4104_9820_0008, 0x069C_2100_4110_8400, 0x2800_0E00_8404_0120,
    0x0002_0840_0488_4028, 0x0800_8420_0401_02D5, 0x4C04_0444_0822_0000, 0x0102_8408_4081_0100,
    0x2002_0186_0821_0400, 0x0004_1C40_4C44_2004, 0x8050_0080_8C0A_9820, 0x0400_1000_8210_4410,
    0x0208_8000_1002_0880, 0x0184_0005_0408_A200, 0x0240_4210_2101_2100, 0x1021_4184_0460_8600,
];

#[rustfmt::skip]
const ROOK_MAGICS: [u64; 64] = [
    0x0600_1020_4481_0200, 0x8840_0040_1000_2000, 0x0100_1041_0020_0008, 0x0480_0580_1000_0800,
    0x0280_0400_1800_0280, 0x8200_0102_0010_0408, 0x0200_2AC4_0102_0008, 0x0200_0209_0080_4024,
    0x0002_8000_4000_8020, 0x0000_4010_0020_0040, 0x4000_8020_0010_0080, 0x4012_0020_1042_0008,
    0x0641_8044_0068_0080, 0x9004_8004_0080_2600, 0x1020_8080_0200_0100, 0x8001_0000_4081_0002,
    0x0000_2080_0040_1080, 0x2010_1140_2000_4000, 0x0300_4100_1020_0B00, 0x2041_0100_2008_1002,
    0x0010_8080_0800_0400, 0x0000_0801_0420_4010, 0x0000_0400_0802_1001, 0x1422_0200_0041_0084,
    0x0040_4000_8000_2090, 0x4001_4003_4020_1000, 0x2006_0082_0018_21C0, 0x0896_1001_0021_000A,
    0x8400_0800_8080_0400, 0x0224_0100_4040_0200, 0x00F0_B004_0001_2218, 0x1200_0042_0004_0081,
    0x0040_4000_8080_0026, 0x0C80_4010_0040_2000, 0x0801_0040_1100_2001, 0x0040_8802_8480_1000,
    0x0108_0200_4040_0400, 0x9822_0020_0404_0010, 0x0C02_9001_4400_0208, 0x0002_0400_4200_1099,
    0x0B80_0040_6001_4005, 0x0000_2000_4000_8080, 0x0419_0444_2001_0011, 0x0098_0080_1000_8008,
    0x0000_0800_1101_0004, 0x0000_0400_0200_8080, 0x880C_0108_9004_0002, 0x1000_0841_8406_0001,
    0x0841_0042_0080_2600, 0x4240_1000_4020_0040, 0x0070_2000_8010_0080, 0xC200_2010_0500_0900,
    0x0500_8008_0004_0280, 0x0100_0200_0400_8080, 0x0000_8201_0810_0400, 0x0901_0104_0080_4200,
    0x0080_0240_8011_2901, 0x5013_0184_6840_0011, 0x0000_A842_2001_1101, 0x6810_2110_0004_0901,
    0x0002_0054_0820_1006, 0x0182_0090_0148_2402, 0x0022_1022_2100_A804, 0x0000_490C_8404_402A,
];
