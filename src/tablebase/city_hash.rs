//! The hash functions behind the checksums of the Syzygy tables: CityHashCrc256 and
//! CityHashCrc128 of CityHash 1.0 (G. Pike and J. Alakuijala, 2011). Later releases
//! of CityHash give other results.
//!
//! Five CRC-32C sums run beside five words that are rotated and multiplied. What is
//! shorter than the functions were made for is padded with zeros, or hashed by
//! CityHash128, which needs no CRC.

const K0: u64 = 0xC3A5_C85C_97CB_3127;
const K1: u64 = 0xB492_B66F_BE98_F273;
const K3: u64 = 0xC949_D7C7_509E_6557;
const PAIR_MULTIPLIER: u64 = 0x9DDF_EA08_EB38_2D69;

/// Bytes of one step of [`Lanes`].
const STEP: usize = 40;
/// Bytes of six steps, the least that [`crc256`] hashes without padding.
const BLOCK: usize = 6 * STEP;
/// Up to so many bytes [`crc128`] hashes without CRC.
const MAX_WITHOUT_CRC: usize = 900;

/// The polynomial of CRC-32C (Castagnoli), the lowest bit first.
const POLYNOMIAL: u32 = 0x82F6_3B78;

/// For each place in a word and each value of the byte there, its part in the CRC.
static CRC_TABLES: [[u32; 256]; 8] = crc_tables();

const fn crc_tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 != 0 { crc >> 1 ^ POLYNOMIAL } else { crc >> 1 };
            bit += 1;
        }
        tables[7][byte] = crc;
        byte += 1;
    }
    let mut place = 7;
    while place > 0 {
        let mut byte = 0;
        while byte < 256 {
            let crc = tables[place][byte];
            tables[place - 1][byte] = crc >> 8 ^ tables[7][(crc & 0xFF) as usize];
            byte += 1;
        }
        place -= 1;
    }
    tables
}

/// The CRC-32C of a word after `crc`, without the inversions that usually begin and
/// end one.
#[inline]
fn crc32c(crc: u64, word: u64) -> u64 {
    let bytes = (word ^ (crc & u64::from(u32::MAX))).to_le_bytes();
    let sum =
        bytes.iter().zip(&CRC_TABLES).fold(0, |sum, (&byte, table)| sum ^ table[usize::from(byte)]);
    u64::from(sum)
}

/// The word that begins at this byte.
#[inline]
fn word(bytes: &[u8], start: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[start..start + 8]);
    u64::from_le_bytes(word)
}

#[inline]
fn mixed(word: u64) -> u64 {
    word ^ word >> 47
}

/// Two words hashed to one.
#[inline]
fn hash_pair(low: u64, high: u64) -> u64 {
    let first = mixed((low ^ high).wrapping_mul(PAIR_MULTIPLIER));
    let second = mixed((high ^ first).wrapping_mul(PAIR_MULTIPLIER));
    second.wrapping_mul(PAIR_MULTIPLIER)
}

/// Five words and their CRCs.
struct Lanes {
    words: [u64; 5],
    /// The first of the words before the last step.
    carried: u64,
    crcs: [u64; 5],
}

impl Lanes {
    /// Takes in the first [`STEP`] bytes. Steps with and without a factor take turns,
    /// each kind with rotations of its own.
    #[inline]
    fn step(&mut self, bytes: &[u8], factor: u64, rotations: [u32; 5]) {
        let [a, b, c, d, e] = self.words;
        let turned = [b, c, d, e, self.carried];
        self.carried = a;
        for (lane, (turned, rotation)) in turned.into_iter().zip(rotations).enumerate() {
            let scaled = turned.rotate_right(rotation).wrapping_mul(factor);
            self.words[lane] = scaled.wrapping_add(word(bytes, 8 * lane));
            self.crcs[lane] = crc32c(self.crcs[lane], self.words[lane]);
        }
    }

    #[inline]
    fn plain_step(&mut self, bytes: &[u8]) {
        self.step(bytes, 1, [40, 26, 40, 32, 24]);
    }

    #[inline]
    fn scaled_step(&mut self, bytes: &[u8]) {
        self.step(bytes, K0, [41, 27, 41, 33, 25]);
    }
}

/// CityHashCrc256.
pub(super) fn crc256(bytes: &[u8]) -> [u64; 4] {
    if bytes.len() >= BLOCK {
        return crc256_seeded(bytes, 0);
    }
    let mut padded = [0; BLOCK];
    padded[..bytes.len()].copy_from_slice(bytes);
    crc256_seeded(&padded, !(bytes.len() as u32))
}

/// CityHashCrc256 of at least [`BLOCK`] bytes.
fn crc256_seeded(bytes: &[u8], seed: u32) -> [u64; 4] {
    let (length, seed) = (bytes.len() as u64, u64::from(seed));
    let a = word(bytes, 56).wrapping_add(K0);
    let b = word(bytes, 96).wrapping_add(K0);
    let c = hash_pair(b, length);
    let d = word(bytes, 120).wrapping_mul(K0).wrapping_add(length);
    let e = word(bytes, 184).wrapping_add(seed);
    let mut lanes =
        Lanes { words: [a, b, c, d, e], carried: c.wrapping_add(d), crcs: [seed, 0, 0, 0, 0] };
    let mut blocks = bytes.chunks_exact(BLOCK);
    for block in &mut blocks {
        for steps in block.chunks_exact(2 * STEP) {
            lanes.plain_step(steps);
            lanes.scaled_step(&steps[STEP..]);
        }
    }
    let mut steps = blocks.remainder().chunks_exact(STEP);
    for step in &mut steps {
        lanes.scaled_step(step);
    }
    if !steps.remainder().is_empty() {
        // The last step overlaps the one before.
        lanes.scaled_step(&bytes[bytes.len() - STEP..]);
    }
    finished(&lanes, c, d)
}

/// The hash that is left of the lanes, which began with these words.
fn finished(lanes: &Lanes, first: u64, second: u64) -> [u64; 4] {
    let [a, b, c, d, e] = lanes.words;
    let [f, g, h, i, j] = lanes.crcs;
    let j = j.wrapping_add(i << 32);
    let a = hash_pair(a, j);
    let h = h.wrapping_add(g << 32);
    let b = b.wrapping_add(h);
    let c = hash_pair(c, f).wrapping_add(i);
    let d = hash_pair(d, e.wrapping_add(first));
    let j = j.wrapping_add(e);
    let i = i.wrapping_add(hash_pair(h, lanes.carried));
    let e = hash_pair(a, d).wrapping_add(j);
    let f = hash_pair(b, c).wrapping_add(a);
    let g = hash_pair(j, i).wrapping_add(c);

    let scrambled = |word: u64| mixed(word.wrapping_mul(K0)).wrapping_mul(K0);
    let zeroth = e.wrapping_add(f).wrapping_add(g).wrapping_add(h);
    let a = scrambled(a.wrapping_add(g)).wrapping_add(b);
    let first = second.wrapping_add(a).wrapping_add(zeroth);
    let a = scrambled(a).wrapping_add(c);
    let second = a.wrapping_add(first);
    let third = scrambled(a.wrapping_add(e)).wrapping_add(second);
    [zeroth, first, second, third]
}

/// CityHashCrc128 of at least one [`crc256`], or several, one after another.
pub(super) fn crc128_of_hashes(hashes: &[[u64; 4]]) -> [u64; 2] {
    debug_assert!(!hashes.is_empty());
    let bytes: Vec<u8> = hashes.iter().flatten().flat_map(|word| word.to_le_bytes()).collect();
    if bytes.len() > MAX_WITHOUT_CRC {
        let [.., low, high] = crc256(&bytes);
        return [low, high];
    }
    let seed = [word(&bytes, 0) ^ K3, word(&bytes, 8)];
    let rest = &bytes[16..];
    if rest.len() < 128 { murmur(rest, seed) } else { city128(rest, seed) }
}

/// CityHash128 of 16 to 127 bytes, a multiple of 16.
fn murmur(bytes: &[u8], [seed_low, seed_high]: [u64; 2]) -> [u64; 2] {
    let length = bytes.len() as u64;
    let (mut a, mut b) = (seed_low, seed_high);
    let (mut c, mut d);
    let (first, last) = (word(bytes, 0), word(bytes, bytes.len() - 8));
    if length == 16 {
        a = mixed(a.wrapping_mul(K1)).wrapping_mul(K1);
        let hash = hash_pair(first, last.wrapping_add(length).rotate_right(16)) ^ last;
        c = b.wrapping_mul(K1).wrapping_add(hash);
        d = mixed(a.wrapping_add(first));
    } else {
        c = hash_pair(last.wrapping_add(K1), a);
        let before = word(bytes, bytes.len() - 16);
        d = hash_pair(b.wrapping_add(length), c.wrapping_add(before));
        a = a.wrapping_add(d);
        let scrambled = |word: u64| mixed(word.wrapping_mul(K1)).wrapping_mul(K1);
        // The last two words have had their part.
        for pair in bytes[..bytes.len() - 16].chunks_exact(16) {
            a = (a ^ scrambled(word(pair, 0))).wrapping_mul(K1);
            b ^= a;
            c = (c ^ scrambled(word(pair, 8))).wrapping_mul(K1);
            d ^= c;
        }
    }
    let (a, b) = (hash_pair(a, c), hash_pair(d, b));
    [a ^ b, hash_pair(b, a)]
}

/// Two words that hash four and the two before.
fn weak_hash(bytes: &[u8], seed_low: u64, seed_high: u64) -> [u64; 2] {
    let [w, x, y, z] = [0, 8, 16, 24].map(|start| word(bytes, start));
    let a = seed_low.wrapping_add(w);
    let b = seed_high.wrapping_add(a).wrapping_add(z).rotate_right(21);
    let sum = a.wrapping_add(x).wrapping_add(y);
    let b = b.wrapping_add(sum.rotate_right(44));
    [sum.wrapping_add(z), b.wrapping_add(a)]
}

/// CityHash128 of at least 128 bytes.
fn city128(bytes: &[u8], [seed_low, seed_high]: [u64; 2]) -> [u64; 2] {
    let (mut x, mut y) = (seed_low, seed_high);
    let mut z = (bytes.len() as u64).wrapping_mul(K1);
    let first = (y ^ K1).rotate_right(49).wrapping_mul(K1).wrapping_add(word(bytes, 0));
    let second = first.rotate_right(42).wrapping_mul(K1).wrapping_add(word(bytes, 8));
    let mut v = [first, second];
    let mut w = [
        y.wrapping_add(z).rotate_right(35).wrapping_mul(K1).wrapping_add(x),
        x.wrapping_add(word(bytes, 88)).rotate_right(53).wrapping_mul(K1),
    ];
    let mut blocks = bytes.chunks_exact(128);
    for half in (&mut blocks).flat_map(|block| block.chunks_exact(64)) {
        x = x.wrapping_add(y).wrapping_add(v[0]).wrapping_add(word(half, 8));
        x = x.rotate_right(37).wrapping_mul(K1) ^ w[1];
        y = y.wrapping_add(v[1]).wrapping_add(word(half, 48));
        y = y.rotate_right(42).wrapping_mul(K1);
        y = y.wrapping_add(v[0]).wrapping_add(word(half, 40));
        z = z.wrapping_add(w[0]).rotate_right(33).wrapping_mul(K1);
        v = weak_hash(half, v[1].wrapping_mul(K1), x.wrapping_add(w[0]));
        let high = y.wrapping_add(word(half, 16));
        w = weak_hash(&half[32..], z.wrapping_add(w[1]), high);
        (x, z) = (z, x);
    }
    x = x.wrapping_add(v[0].wrapping_add(z).rotate_right(49).wrapping_mul(K0));
    z = z.wrapping_add(w[0].rotate_right(37).wrapping_mul(K0));
    // What is left is hashed from its end, the last time with bytes before it.
    for back in (32..blocks.remainder().len() + 32).step_by(32) {
        let tail = &bytes[bytes.len() - back..];
        y = x.wrapping_add(y).rotate_right(42).wrapping_mul(K0).wrapping_add(v[1]);
        w[0] = w[0].wrapping_add(word(tail, 16));
        x = x.wrapping_mul(K0).wrapping_add(w[0]);
        z = z.wrapping_add(w[1]).wrapping_add(word(tail, 0));
        w[1] = w[1].wrapping_add(v[0]);
        v = weak_hash(tail, v[0].wrapping_add(z), v[1]);
    }
    x = hash_pair(x, v[0]);
    y = hash_pair(y.wrapping_add(z), w[0]);
    [
        hash_pair(x.wrapping_add(v[1]), w[1]).wrapping_add(y),
        hash_pair(x.wrapping_add(w[1]), y.wrapping_add(v[1])),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::rng::SplitMix64;

    /// Words of the generator with this seed.
    fn words(seed: u64, count: usize) -> Vec<u64> {
        let mut random = SplitMix64::new(seed);
        (0..count).map(|_| random.next()).collect()
    }

    /// Lengths in bytes, and the hashes that CityHash 1.0 gives of so many random
    /// bytes, with the length as the seed.
    const CRC256: [(usize, [u64; 4]); 10] = [
        (
            0,
            [
                0x889F_555A_0F5B_2DC0,
                0x7767_8009_02C8_A8CE,
                0xBCD2_A808_F4CB_4A44,
                0xE902_4DBA_8F94_F2F3,
            ],
        ),
        (
            64,
            [
                0xD82D_1456_6DF7_F6E4,
                0x7D03_0BA0_DB80_B24C,
                0x7E73_6B25_F8BC_5AA2,
                0x0176_5552_8108_85F1,
            ],
        ),
        (
            239,
            [
                0xD425_F31F_E0BD_5387,
                0x3B0D_514E_974D_FE02,
                0x65FF_36E8_E6C6_10BA,
                0xDF8D_046A_D0C6_02E7,
            ],
        ),
        (
            240,
            [
                0x1843_B228_D651_8E71,
                0x8EDB_DC0F_BAF8_9F59,
                0x8877_7436_6F2D_4C9D,
                0xAE8F_5592_3B1C_F3BE,
            ],
        ),
        (
            241,
            [
                0xBF23_D64F_93F1_6864,
                0xC3EA_C13F_FC00_2343,
                0x3B5D_7E4F_455A_9AD0,
                0xFD3C_40B3_B78C_D527,
            ],
        ),
        (
            280,
            [
                0x48DF_6FDC_FB41_E666,
                0xD082_8E9B_5359_FC05,
                0x1476_3852_57D8_B357,
                0x3E62_9E51_6AE4_5530,
            ],
        ),
        (
            479,
            [
                0x60DD_3F73_BD21_1750,
                0x19F9_F633_32AB_807A,
                0x1BB9_06D6_C9E8_E620,
                0x04CA_49DF_E4CB_0D91,
            ],
        ),
        (
            480,
            [
                0xF026_5C86_C260_6C9E,
                0x9CF2_BD6C_EF2B_58C7,
                0x7327_BC17_3455_D917,
                0xABC2_FAAE_13D5_E540,
            ],
        ),
        (
            1000,
            [
                0x62D9_7526_FACA_3913,
                0xB430_0BFB_B94D_2817,
                0xCBCD_F049_BA05_DF16,
                0x3679_9A82_049B_2B8D,
            ],
        ),
        (
            4096,
            [
                0x58CC_5771_CFBE_85C5,
                0xB067_8579_2A86_FD9A,
                0xA5AB_63BD_B90A_F6B0,
                0xB981_E16D_D868_F15F,
            ],
        ),
    ];

    /// Numbers of hashes, and what CityHash 1.0 gives of so many random ones, with the
    /// number as the seed.
    const CRC128: [(usize, [u64; 2]); 12] = [
        (1, [0xCC04_485C_A635_15C7, 0x36B9_55F1_8F4D_5D83]),
        (2, [0x0874_33E6_4ED3_5361, 0x5BEC_DFB1_2C31_CA83]),
        (3, [0xA65A_EB9D_0144_9C4F, 0xD7B4_92DE_7D0A_3064]),
        (4, [0x7FD7_F9B1_CCC5_6DEA, 0x495D_EA0A_0213_A322]),
        (5, [0x4527_4367_D7FB_E93E, 0x45F0_6670_B355_B632]),
        (8, [0x982E_E900_6FD5_88EF, 0x6D3F_6E4F_DA92_5EDD]),
        (9, [0xAC5D_5455_C9FE_3506, 0xF7E6_EEA3_F9BE_5B97]),
        (12, [0xEA18_A615_5592_0170, 0x09FD_5588_2E20_15AB]),
        (27, [0x0A5D_82E8_145C_C8C9, 0x6BA3_315D_0BAA_5B25]),
        (28, [0x14B5_AA40_62AF_D48F, 0x2A7F_82C0_CF6B_FF9E]),
        (29, [0x72D5_BBB0_8527_7188, 0xFA46_25B4_1C71_9C8E]),
        (40, [0x3117_6BE8_1C3C_3A0A, 0xBCA8_AD16_CB37_9EFD]),
    ];

    #[test]
    fn hashes_of_all_lengths_are_those_of_the_original() {
        for (length, expected) in CRC256 {
            let words = words(length as u64, length.div_ceil(8));
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            assert_eq!(crc256(&bytes[..length]), expected, "{length} bytes");
        }
    }

    #[test]
    fn hashes_of_hashes_are_those_of_the_original() {
        for (count, expected) in CRC128 {
            let words = words(count as u64, 4 * count);
            let (hashes, rest) = words.as_chunks();
            assert!(rest.is_empty());
            assert_eq!(crc128_of_hashes(hashes), expected, "{count} hashes");
        }
    }

    /// The CRC-32C of the digits from 1 to 8.
    #[test]
    fn the_crc_is_the_known_one() {
        let crc = crc32c(u64::from(u32::MAX), u64::from_le_bytes(*b"12345678"));
        assert_eq!(crc ^ u64::from(u32::MAX), 0x6087_809A);
    }
}
