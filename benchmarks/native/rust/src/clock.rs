// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

use std::fmt;
use std::time::{Duration, Instant};

/// Measures what a pass costs the whole process.
pub struct Clock {
    begun: Instant,
    before: Usage,
    took: Duration,
    used: Usage,
}

/// Processor time in nanoseconds, and context switches.
#[derive(Clone, Copy, Default)]
struct Usage {
    cpu: i64,
    voluntary: i64,
    involuntary: i64,
}

impl Clock {
    pub fn new() -> Self {
        Clock { begun: Instant::now(), before: Usage::default(), took: Duration::ZERO, used: Usage::default() }
    }

    pub fn start(&mut self) {
        self.before = Usage::now();
        self.begun = Instant::now();
    }

    pub fn stop(&mut self) {
        self.took = self.begun.elapsed();
        let now = Usage::now();
        self.used = Usage {
            cpu: now.cpu - self.before.cpu,
            voluntary: now.voluntary - self.before.voluntary,
            involuntary: now.involuntary - self.before.involuntary,
        };
    }

    pub fn nanos(&self) -> u64 {
        self.took.as_nanos() as u64
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Usage { cpu, voluntary, involuntary } = self.used;
        write!(to, "nanos={} cpu_nanos={cpu} voluntary={voluntary} involuntary={involuntary}", self.nanos())
    }
}

impl Usage {
    fn now() -> Self {
        // SAFETY: all zeros are a value of this plain structure, which the call then fills.
        let usage = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            assert_eq!(libc::getrusage(libc::RUSAGE_SELF, &mut usage), 0);
            usage
        };
        let nanos = |time: libc::timeval| time.tv_sec as i64 * 1_000_000_000 + time.tv_usec as i64 * 1_000;
        Usage {
            cpu: nanos(usage.ru_utime) + nanos(usage.ru_stime),
            voluntary: usage.ru_nvcsw as i64,
            involuntary: usage.ru_nivcsw as i64,
        }
    }
}
