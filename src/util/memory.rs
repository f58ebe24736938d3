//! How much memory this process may still allocate.
//!
//! A system that overcommits lets a process allocate too much and kills it when the
//! memory is used. Elsewhere an allocation fails, and a failed small allocation of the
//! standard library ends the process. Large allocations are therefore checked here
//! first; a reserve for everything else must remain.
//!
//! The numbers come from files of the Linux kernel: the free memory, the limits of the
//! control groups of the process, and its own limits. Without these files only the
//! allocation itself can fail.

use std::collections::TryReserveError;
use std::fs;
use std::io;

use thiserror::Error;

/// Bytes that must remain for everything else: buffers, positions, lines of text.
pub const RESERVE: u64 = 24 << 20;

/// Why memory is not available.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MemoryError {
    #[error("{wanted_mib} MiB do not fit in the {free_mib} MiB of free memory")]
    NotFree { wanted_mib: u64, free_mib: u64 },
    #[error("{wanted_mib} MiB do not fit in the {left_mib} MiB of address space that are left")]
    NoAddressSpace { wanted_mib: u64, left_mib: u64 },
    #[error("the system refused an allocation")]
    Refused,
}

impl From<TryReserveError> for MemoryError {
    fn from(_: TryReserveError) -> Self {
        Self::Refused
    }
}

impl From<MemoryError> for io::Error {
    fn from(error: MemoryError) -> Self {
        Self::new(io::ErrorKind::OutOfMemory, error)
    }
}

/// The memory that this process could have if no other used any, in MiB; `None` if
/// unknown.
pub fn total_mib() -> Option<usize> {
    SYSTEM.total().map(|bytes| (bytes >> 20) as usize)
}

/// Checks that `bytes` bytes can be allocated and used.
pub fn ensure(bytes: u64) -> Result<(), MemoryError> {
    ensure_free(bytes)?;
    ensure_address_space(bytes)
}

/// Checks that `bytes` bytes of memory can be used, in address space that is already
/// reserved or will be freed first.
pub fn ensure_free(bytes: u64) -> Result<(), MemoryError> {
    FreeMemory::now().ensure(bytes)
}

/// The memory that was free at some time, in bytes; `None` if unknown. While other threads touch
/// what they have reserved, a later look counts a part of that.
#[derive(Clone, Copy, Debug)]
pub struct FreeMemory(Option<u64>);

impl FreeMemory {
    pub fn now() -> Self {
        Self(SYSTEM.free())
    }

    /// Checks that `bytes` bytes of it can be used.
    pub fn ensure(self, bytes: u64) -> Result<(), MemoryError> {
        check(bytes, self.0)
            .map_err(|(wanted_mib, free_mib)| MemoryError::NotFree { wanted_mib, free_mib })
    }
}

/// Checks that `bytes` bytes of address space can be reserved.
pub fn ensure_address_space(bytes: u64) -> Result<(), MemoryError> {
    check(bytes, SYSTEM.address_space())
        .map_err(|(wanted_mib, left_mib)| MemoryError::NoAddressSpace { wanted_mib, left_mib })
}

/// Whether `bytes` bytes and the reserve fit in `left` bytes; if not, the bytes wanted
/// and left, in MiB.
fn check(bytes: u64, left: Option<u64>) -> Result<(), (u64, u64)> {
    match left {
        Some(left) if bytes.saturating_add(RESERVE) > left => {
            Err((bytes.div_ceil(1 << 20), left.saturating_sub(RESERVE) >> 20))
        }
        _ => Ok(()),
    }
}

/// The files of the kernel, or a test's replacement of them.
struct System<F> {
    read: F,
}

static SYSTEM: System<fn(&str) -> Option<String>> =
    System { read: |path| fs::read_to_string(path).ok() };

/// The limits of a process, and the lines of its status with how much of them is used.
const LIMITS: [(&str, &str); 2] = [("Max address space", "VmSize:"), ("Max data size", "VmData:")];

/// How one version of the control groups names its files.
struct Hierarchy {
    root: &'static str,
    limit: &'static str,
    usage: &'static str,
    /// Memory in use that the system can reclaim.
    reclaimable: &'static [&'static str],
}

const VERSION_1: Hierarchy = Hierarchy {
    root: "/sys/fs/cgroup/memory",
    limit: "memory.limit_in_bytes",
    usage: "memory.usage_in_bytes",
    reclaimable: &["total_inactive_file ", "total_active_file "],
};

const VERSION_2: Hierarchy = Hierarchy {
    root: "/sys/fs/cgroup",
    limit: "memory.max",
    usage: "memory.current",
    reclaimable: &["inactive_file ", "active_file ", "slab_reclaimable "],
};

impl<F: Fn(&str) -> Option<String>> System<F> {
    /// The memory that this process could have at most, in bytes.
    fn total(&self) -> Option<u64> {
        let machine = self.meminfo("MemTotal:");
        let groups = self.groups().into_iter().map(|(_, limit)| limit).min();
        [machine, groups, self.limits(false)].into_iter().flatten().min()
    }

    /// The memory that is free to this process, in bytes.
    fn free(&self) -> Option<u64> {
        let machine = self.meminfo("MemAvailable:");
        let groups = self.groups().into_iter().map(|(left, _)| left).min();
        [machine, groups].into_iter().flatten().min()
    }

    /// The address space that this process may still reserve, in bytes.
    fn address_space(&self) -> Option<u64> {
        [self.limits(true), self.uncommitted()].into_iter().flatten().min()
    }

    /// A line of the machine's memory, in bytes.
    fn meminfo(&self, name: &str) -> Option<u64> {
        kib(&(self.read)("/proc/meminfo")?, name)
    }

    /// What the machine may still promise, if it does not overcommit.
    fn uncommitted(&self) -> Option<u64> {
        let strict = (self.read)("/proc/sys/vm/overcommit_memory")?.trim() == "2";
        let left =
            || Some(self.meminfo("CommitLimit:")?.saturating_sub(self.meminfo("Committed_AS:")?));
        if strict { left() } else { None }
    }

    /// The smallest of the process's own limits, or the smallest rest of them.
    fn limits(&self, left: bool) -> Option<u64> {
        let limits = (self.read)("/proc/self/limits")?;
        let limit = |name| number(&limits, name);
        LIMITS
            .iter()
            .filter_map(|&(name, used)| Some((limit(name)?, used)))
            .filter_map(|(limit, used)| match left {
                false => Some(limit),
                true => Some(limit.saturating_sub(kib(&(self.read)("/proc/self/status")?, used)?)),
            })
            .min()
    }

    /// What is left of each control group with a limit that the process is in, and
    /// the limit.
    fn groups(&self) -> Vec<(u64, u64)> {
        let lines = (self.read)("/proc/self/cgroup").unwrap_or_default();
        let mut groups = Vec::new();
        for line in lines.lines() {
            let mut fields = line.splitn(3, ':').skip(1);
            let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
            let hierarchy = match controllers {
                "" => &VERSION_2,
                _ if controllers.split(',').any(|name| name == "memory") => &VERSION_1,
                _ => continue,
            };
            // The limits of the groups above a group hold for it too.
            let mut path = path.trim_end_matches('/');
            loop {
                groups.extend(self.group(hierarchy, path));
                let Some(parent) = path.rfind('/') else { break };
                path = &path[..parent];
            }
        }
        groups
    }

    /// What is left of a control group, and its limit, if it has one.
    fn group(&self, hierarchy: &Hierarchy, path: &str) -> Option<(u64, u64)> {
        let read = |name| (self.read)(&format!("{}{path}/{name}", hierarchy.root));
        let limit: u64 = read(hierarchy.limit)?.trim().parse().ok()?;
        let used: u64 =
            read(hierarchy.usage).and_then(|used| used.trim().parse().ok()).unwrap_or(0);
        let statistics = read("memory.stat").unwrap_or_default();
        let reclaimable = hierarchy.reclaimable.iter().filter_map(|name| number(&statistics, name));
        let held = used.saturating_sub(reclaimable.sum());
        Some((limit.saturating_sub(held), limit))
    }
}

/// The number that follows a name at the beginning of a line; `None` for a word such
/// as `unlimited`.
fn number(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

/// The same for a number of KiB, in bytes.
fn kib(text: &str, name: &str) -> Option<u64> {
    number(text, name).map(|kib: u64| kib.saturating_mul(1024))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;
    const MEMINFO: (&str, &str) = (
        "/proc/meminfo",
        "MemTotal:       8388608 kB\nMemFree: 5 kB\nMemAvailable:    4194304 kB\n\
         CommitLimit:     3145728 kB\nCommitted_AS:    1048576 kB\n",
    );

    fn system<'a>(files: &'a [(&'a str, &'a str)]) -> System<impl Fn(&str) -> Option<String> + 'a> {
        let find = |path: &str| files.iter().find(|(name, _)| *name == path);
        System { read: move |path: &str| find(path).map(|(_, text)| (*text).to_owned()) }
    }

    #[test]
    fn without_files_nothing_is_known() {
        let nothing = system(&[]);
        assert_eq!((nothing.total(), nothing.free(), nothing.address_space()), (None, None, None));
        let empty =
            system(&[("/proc/meminfo", ""), ("/proc/self/cgroup", "x"), ("/proc/self/limits", "")]);
        assert_eq!((empty.total(), empty.free(), empty.address_space()), (None, None, None));
    }

    #[test]
    fn available_memory_is_free() {
        let machine = system(&[MEMINFO]);
        assert_eq!(machine.total(), Some(8192 * MIB));
        assert_eq!(machine.free(), Some(4096 * MIB));
        assert_eq!(machine.address_space(), None);
    }

    #[test]
    fn a_control_group_and_those_above_it_limit() {
        let files = [
            MEMINFO,
            ("/proc/self/cgroup", "0::/user.slice/job\n"),
            ("/sys/fs/cgroup/user.slice/job/memory.max", "max\n"),
            ("/sys/fs/cgroup/user.slice/memory.max", "2147483648\n"),
            ("/sys/fs/cgroup/user.slice/memory.current", "1610612736\n"),
            (
                "/sys/fs/cgroup/user.slice/memory.stat",
                "anon 536870912\ninactive_file 268435456\nactive_file 268435456\n",
            ),
        ];
        let limited = system(&files);
        assert_eq!(limited.total(), Some(2048 * MIB));
        assert_eq!(limited.free(), Some(1024 * MIB), "files in the cache can be dropped");
    }

    #[test]
    fn version_1_of_control_groups_limits_too() {
        let files = [
            MEMINFO,
            ("/proc/self/cgroup", "5:cpu,cpuacct:/\n4:memory:/docker/abc\n0::/\n"),
            ("/sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "1073741824\n"),
            ("/sys/fs/cgroup/memory/docker/abc/memory.usage_in_bytes", "805306368\n"),
            ("/sys/fs/cgroup/memory/docker/abc/memory.stat", "total_inactive_file 268435456\n"),
            ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
        ];
        let limited = system(&files);
        assert_eq!((limited.total(), limited.free()), (Some(1024 * MIB), Some(512 * MIB)));
        // In a container the group may be mounted as the root of the hierarchy.
        let files = [
            ("/proc/self/cgroup", "4:memory:/docker/abc\n"),
            ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "1073741824\n"),
        ];
        assert_eq!(system(&files).free(), Some(1024 * MIB));
    }

    #[test]
    fn the_limits_of_the_process_count() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units     \n\
                      Max data size             unlimited            unlimited            bytes     \n\
                      Max address space         1073741824           unlimited            bytes     \n";
        let files = [
            MEMINFO,
            ("/proc/self/limits", limits),
            ("/proc/self/status", "VmPeak:  9 kB\nVmSize:\t  262144 kB\nVmData:\t 131072 kB\n"),
        ];
        let limited = system(&files);
        assert_eq!(limited.address_space(), Some(768 * MIB));
        assert_eq!(limited.total(), Some(1024 * MIB));
        assert_eq!(limited.free(), Some(4096 * MIB));
    }

    #[test]
    fn a_machine_without_overcommit() {
        let strict = [MEMINFO, ("/proc/sys/vm/overcommit_memory", "2\n")];
        assert_eq!(system(&strict).address_space(), Some(2048 * MIB));
        let generous = [MEMINFO, ("/proc/sys/vm/overcommit_memory", "0\n")];
        assert_eq!(system(&generous).address_space(), None);
    }

    #[test]
    fn a_reserve_remains() {
        assert_eq!(check(100 * MIB, None), Ok(()));
        assert_eq!(check(100 * MIB, Some(100 * MIB + RESERVE)), Ok(()));
        assert_eq!(check(100 * MIB, Some(99 * MIB + RESERVE)), Err((100, 99)));
        assert_eq!(check(u64::MAX, Some(RESERVE / 2)), Err((1 << 44, 0)));
        // What is checked is not taken.
        let free = FreeMemory(Some(100 * MIB + RESERVE));
        assert_eq!([60, 60, 100].map(|mib| free.ensure(mib * MIB)), [Ok(()); 3]);
        let refused = MemoryError::NotFree { wanted_mib: 101, free_mib: 100 };
        assert_eq!(free.ensure(101 * MIB), Err(refused));
    }

    #[test]
    fn an_absurd_size_is_an_error() {
        if cfg!(target_os = "linux") {
            assert!(ensure(1 << 50).is_err());
            assert_eq!(ensure(1 << 20), Ok(()));
        }
    }
}
