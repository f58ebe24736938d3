//! `lovec --version`: the version and the build.

use std::sync::LazyLock;

use crate::suite::bench::RECORDED_NODES;

/// The version alone.
pub(super) const SHORT: &str = env!("CARGO_PKG_VERSION");

/// All facts of the build, one per line.
pub(super) fn long() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let features = features();
        format!(
            "{SHORT}\n\
             commit:    {}\n\
             target:    {}\n\
             processor: {}\n\
             features:  {features}\n\
             rustc:     {}\n\
             profile:   {}\n\
             bench:     {}",
            env!("LOVEC_COMMIT"),
            env!("LOVEC_TARGET"),
            processor(),
            env!("LOVEC_RUSTC"),
            env!("LOVEC_PROFILE"),
            RECORDED_NODES,
        )
    });
    &TEXT
}

/// The cargo features of the build.
fn features() -> String {
    let known = [("spsa", cfg!(feature = "spsa")), ("statistics", cfg!(feature = "statistics"))];
    let used = used(&known);
    if used.is_empty() { "none".to_owned() } else { used.join(", ") }
}

/// The names that are used.
fn used(known: &[(&'static str, bool)]) -> Vec<&'static str> {
    known.iter().filter(|(_, used)| *used).map(|(name, _)| *name).collect()
}

/// Names of target features, each with whether the compiler may use it.
macro_rules! instructions {
    ($($name:tt)*) => {
        [$(($name, cfg!(target_feature = $name))),*]
    };
}

/// The processor level of this binary, and the instructions that matter for its speed.
fn processor() -> String {
    #[rustfmt::skip]
    let known = instructions!(
        "popcnt" "sse4.2" "avx2" "bmi1" "bmi2" "fma" "lzcnt" "movbe" "f16c" "avx512f" "avx512bw"
        "avx512cd" "avx512dq" "avx512vl" "neon" "lse" "crc"
    );
    let has = |names: &[&str]| {
        names.iter().all(|name| known.iter().any(|(known, used)| known == name && *used))
    };
    let v2 = has(&["popcnt", "sse4.2"]);
    let v3 = v2 && has(&["avx2", "bmi1", "bmi2", "fma", "lzcnt", "movbe", "f16c"]);
    let v4 = v3 && has(&["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"]);
    let level = match (cfg!(target_arch = "x86_64"), v2, v3, v4) {
        (false, ..) => std::env::consts::ARCH,
        (true, _, _, true) => "x86-64-v4",
        (true, _, true, _) => "x86-64-v3",
        (true, true, ..) => "x86-64-v2",
        (true, false, ..) => "x86-64",
    };
    let used = used(&known);
    if used.is_empty() { level.to_owned() } else { format!("{level} ({})", used.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_of_the_processor_is_named() {
        let processor = processor();
        assert_eq!(processor.contains("bmi2"), cfg!(target_feature = "bmi2"));
        assert!(!cfg!(target_arch = "x86_64") || processor.starts_with("x86-64"));
    }
}
