//! Processor instructions that the language has no name for.
//!
//! This is the only file of Lovec with unsafe code. Each function is safe to
//! call with any argument and falls back to nothing, or is not compiled at
//! all, where the target has no such instruction.
#![allow(unsafe_code)]

/// Asks the processor to bring the cache line that holds `place` closer. Only a
/// hint: it changes no memory and cannot fault.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: SSE is part of the x86-64 baseline, and the pointer comes
        // from a reference; a prefetch does not dereference it in any case.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(place).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Parallel bit extract: gathers the bits of `value` under `mask` at the low end.
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline(always)]
pub fn pext(value: u64, mask: u64) -> u64 {
    // SAFETY: this function exists only where the build's target has BMI2.
    unsafe { core::arch::x86_64::_pext_u64(value, mask) }
}
