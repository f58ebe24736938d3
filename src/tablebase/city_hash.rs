//! The hash functions of the Syzygy checksums: CityHashCrc256 and CityHashCrc128 of
//! CityHash 1.0.3 (G. Pike and J. Alakuijala, Google, 2011; MIT licence). Other releases of
//! CityHash give other results.
//!
//! Five words are rotated and multiplied, and five CRC-32C sums are taken of them.
//! Inputs that are too short are padded with zeros, or hashed by CityHash128, which
//! needs no CRC.

const K0: u64 = 0xC3A5_C85C_97CB_3127;
const K1: u64 = 0xB492_B66F_BE98_F273;
const K3: u64 = 0xC949_D7C7_509E_6557;
const PAIR_MULTIPLIER: u64 = 0x9DDF_EA08_EB38_2D69;

/// Bytes per step of [`Lanes`].
const STEP: usize = 40;
/// Bytes of six steps; [`crc256`] pads shorter inputs.
const BLOCK: usize = 6 * STEP;
/// [`crc128_of_hashes`] hashes up to this many bytes without CRC.
const MAX_WITHOUT_CRC: usize = 900;

/// The polynomial of CRC-32C (Castagnoli), the lowest bit first.
const POLYNOMIAL: u32 = 0x82F6_3B78;

/// The contribution to the CRC by place in the word and value of the byte there.
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

/// Continues the CRC-32C `crc` with a word, without the usual initial and final
/// inversion.
#[inline]
fn crc32c(crc: u64, word: u64) -> u64 {
    let bytes = (word ^ (crc & u64::from(u32::MAX))).to_le_bytes();
    let sum =
        bytes.iter().zip(&CRC_TABLES).fold(0, |sum, (&byte, table)| sum ^ table[usize::from(byte)]);
    u64::from(sum)
}

/// The little-endian word at byte `start`.
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

#[inline]
fn hash_pair(low: u64, high: u64) -> u64 {
    let first = mixed((low ^ high).wrapping_mul(PAIR_MULTIPLIER));
    let second = mixed((high ^ first).wrapping_mul(PAIR_MULTIPLIER));
    second.wrapping_mul(PAIR_MULTIPLIER)
}

/// Five words and their CRCs.
struct Lanes {
    words: [u64; 5],
    /// The first word before the last step.
    carried: u64,
    crcs: [u64; 5],
}

impl Lanes {
    /// Hashes the first [`STEP`] bytes. Steps with and without a factor alternate, each
    /// kind with its own rotations.
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
        // The last step overlaps the previous one.
        lanes.scaled_step(&bytes[bytes.len() - STEP..]);
    }
    finished(&lanes, c, d)
}

/// Combines the lanes, which began with the words `first` and `second`.
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

/// CityHashCrc128 of one or more concatenated [`crc256`] hashes.
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
        // The last two words are in `c` and `d` already.
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

/// Hashes 32 bytes with two seeds.
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
    // The remainder is hashed backwards; the last 32 bytes may overlap the blocks.
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

    /// The first `count` random words of a seed.
    fn words(seed: u64, count: usize) -> Vec<u64> {
        let mut random = SplitMix64::new(seed);
        (0..count).map(|_| random.next()).collect()
    }

    /// Lengths in bytes, and the four words of CityHash 1.0.3 for this many random bytes with
    /// the length as the seed.
    const CRC256: [(usize, &str); 10] = [
        (0, "889f555a0f5b2dc0 7767800902c8a8ce bcd2a808f4cb4a44 e9024dba8f94f2f3"),
        (64, "d82d14566df7f6e4 7d030ba0db80b24c 7e736b25f8bc5aa2 01765552810885f1"),
        (239, "d425f31fe0bd5387 3b0d514e974dfe02 65ff36e8e6c610ba df8d046ad0c602e7"),
        (240, "1843b228d6518e71 8edbdc0fbaf89f59 887774366f2d4c9d ae8f55923b1cf3be"),
        (241, "bf23d64f93f16864 c3eac13ffc002343 3b5d7e4f455a9ad0 fd3c40b3b78cd527"),
        (280, "48df6fdcfb41e666 d0828e9b5359fc05 1476385257d8b357 3e629e516ae45530"),
        (479, "60dd3f73bd211750 19f9f63332ab807a 1bb906d6c9e8e620 04ca49dfe4cb0d91"),
        (480, "f0265c86c2606c9e 9cf2bd6cef2b58c7 7327bc173455d917 abc2faae13d5e540"),
        (1000, "62d97526faca3913 b4300bfbb94d2817 cbcdf049ba05df16 36799a82049b2b8d"),
        (4096, "58cc5771cfbe85c5 b06785792a86fd9a a5ab63bdb90af6b0 b981e16dd868f15f"),
    ];

    /// Numbers of hashes, and the two words of CityHash 1.0.3 for this many random hashes
    /// with the number as the seed.
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
    fn crc256_equals_the_original() {
        for (length, expected) in CRC256 {
            let words = words(length as u64, length.div_ceil(8));
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            let found = crc256(&bytes[..length]).map(|word| format!("{word:016x}"));
            assert_eq!(found.join(" "), expected, "{length} bytes");
        }
    }

    #[test]
    fn crc128_of_hashes_equals_the_original() {
        for (count, expected) in CRC128 {
            let words = words(count as u64, 4 * count);
            let (hashes, rest) = words.as_chunks();
            assert!(rest.is_empty());
            assert_eq!(crc128_of_hashes(hashes), expected, "{count} hashes");
        }
    }

    /// The CRC-32C of the digits from 1 to 8.
    #[test]
    fn crc32c_equals_the_standard() {
        let crc = crc32c(u64::from(u32::MAX), u64::from_le_bytes(*b"12345678"));
        assert_eq!(crc ^ u64::from(u32::MAX), 0x6087_809A);
    }
}
