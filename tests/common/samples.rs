//! Positions to learn from.

/// Positions of real games with the score of a search and the result.
pub const SAMPLES: &str = "\
rn1q1rk1/p4pb1/6pp/2Nbp3/1p6/3Q1NPP/PPP2PB1/R4RK1 b - - 2 16 | -34 | 0.0
4r3/p1r1q1bk/3R2pp/3Q4/1pNn4/1P4PP/P1P5/3R1BK1 b - - 6 34 | -89 | 0.0
4r3/p1r3bk/3R1qpp/3Q4/1p1n4/1P2N1PP/P1P5/3R1BK1 b - - 4 33 | -113 | 0.0
1b6/p5r1/7p/3k4/1p5q/1P1B1R2/P1P1N3/5K2 w - - 10 53 | -596 | 0.0
rn1q1rk1/p4pb1/6pp/2Nbp3/1p6/5NPP/PPP2PB1/R2Q1RK1 w - - 1 16 | 29 | 0.0
";
