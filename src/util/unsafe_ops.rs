//! Operations that need unsafe code.
//!
//! The other file with unsafe code is `array_list.rs`. Each function is safe to call with
//! any argument. Where the target lacks the instruction it does nothing or is not
//! compiled.
#![allow(unsafe_code)]

use std::collections::TryReserveError;
use std::mem::MaybeUninit;
use std::process::Command;

use bytemuck::Zeroable;

use crate::util::thread::{PART_BYTES, for_each_part};

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

/// Makes all threads of this process allocate small blocks from one heap, to be called
/// before a second thread starts.
///
/// The GNU C library otherwise reserves 64 MiB of address space, and 128 MiB for a moment,
/// at the first allocation of each thread. Under a limit on the address space no other
/// thread may then be able to allocate a byte, whatever
/// [`memory`](crate::util::memory) has checked before.
pub fn share_one_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // SAFETY: this sets a number that the allocator reads when a thread needs a heap.
        let _ = unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
    }
}

/// Kills the process that `command` starts when the thread ends that starts it, on Linux: also
/// if this whole process is killed. The processes that it starts itself are not killed.
pub fn end_with_starting_thread(command: &mut Command) {
    #[cfg(target_os = "linux")]
    {
        use std::io;
        use std::os::unix::process::CommandExt;

        use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};
        let parent = getpid();
        let before_start = move || {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            // It may have ended before that.
            let is_alive = getppid() == Some(parent);
            if is_alive { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
        };
        // SAFETY: in the new process there is one thread, which may wait for no lock that
        // another had; this makes two system calls and allocates nothing.
        unsafe { command.pre_exec(before_start) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = command;
}

/// An empty vector with room for `count` values in memory that nothing has touched yet, in large
/// pages if the system grants them: reading it at random then misses the processor's address
/// cache far less often.
pub fn reserve_huge_pages<T>(count: usize) -> Result<Vec<T>, TryReserveError> {
    let mut reserved = Vec::new();
    reserved.try_reserve_exact(count)?;
    prefer_huge_pages(&mut reserved);
    Ok(reserved)
}

/// Asks the system for large pages under the memory that a vector has reserved but not used
/// yet. Only a hint, which may be refused.
fn prefer_huge_pages<T>(reserved: &mut Vec<T>) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        const HUGE_PAGE: usize = 2 << 20;
        let spare = reserved.spare_capacity_mut();
        let start = spare.as_mut_ptr().cast::<u8>();
        let before = start.align_offset(HUGE_PAGE);
        let length = size_of_val(spare).saturating_sub(before) / HUGE_PAGE * HUGE_PAGE;
        if length > 0 {
            // SAFETY: the range lies within memory that the vector owns, and this
            // advice changes neither its contents nor what may be done with it.
            let _ = unsafe {
                madvise(start.wrapping_add(before).cast(), length, Advice::LinuxHugepage)
            };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = reserved;
}

/// A zero value in memory of its own, in large pages if the system grants them: for tables
/// that are read at random. Only whole pages of 2 MiB can be large, so that a type with
/// this alignment is in large pages altogether.
pub fn zeroed_in_huge_pages<T: Zeroable>() -> Result<Box<T>, TryReserveError> {
    reserve_huge_pages(1).map(zeroed)
}

/// A zero value in the memory that an empty vector has reserved.
///
/// # Panics
///
/// If the vector is not empty or has reserved none.
pub fn zeroed<T: Zeroable>(mut reserved: Vec<T>) -> Box<T> {
    assert!(reserved.is_empty() && reserved.capacity() > 0, "there is no room");
    // SAFETY: the vector has room for one value, and zeros are one.
    unsafe {
        reserved.as_mut_ptr().write_bytes(0, 1);
        reserved.set_len(1);
    }
    let values = Box::into_raw(reserved.into_boxed_slice());
    // SAFETY: a slice of one value has the layout of the value.
    unsafe { Box::from_raw(values.cast()) }
}

/// Fills an empty vector with `count` values in the memory that it has reserved, in
/// parts that are shared among the cores.
///
/// # Panics
///
/// If the vector is not empty or has reserved less.
pub fn fill_reserved<T: Send>(values: &mut Vec<T>, count: usize, value: impl Fn() -> T + Sync) {
    assert!(values.is_empty() && count <= values.capacity(), "there is no room");
    let places = &mut values.spare_capacity_mut()[..count];
    let part = PART_BYTES / size_of::<T>();
    for_each_part(places, part, |part| part.fill_with(|| MaybeUninit::new(value())));
    // SAFETY: the vector has room for `count` values, and each of these places lay in
    // one of the parts, which have all been filled.
    unsafe { values.set_len(count) };
}

#[cfg(test)]
mod tests {
    use bytemuck::Zeroable;

    use super::zeroed_in_huge_pages;

    #[derive(Zeroable)]
    #[repr(align(0x20_0000))]
    struct Tables {
        values: [u32; 700_000],
    }

    #[test]
    fn tables_start_with_zeros() {
        let mut tables = zeroed_in_huge_pages::<Tables>().unwrap();
        assert!(tables.values.iter().all(|&value| value == 0));
        tables.values[699_999] = 1;
        assert_eq!(tables.values.iter().sum::<u32>(), 1);
        assert_eq!((&raw const *tables).addr() % (2 << 20), 0);
    }
}
