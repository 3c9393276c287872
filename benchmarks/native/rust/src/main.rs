// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

//! The Rust side of `./spindle bench`: one cell and one contender in a process, driven by lines on standard input.
//!
//! Usage: `spindle-native CELL CONTENDER FACTOR`. For each line `pass` it runs one pass and answers with one line of
//! figures; it ends at the end of the input.

mod keys;
mod members;
mod messages;

use std::fmt;
use std::io::BufRead;
use std::sync::atomic::{AtomicUsize, Ordering::*};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

pub const MILLION: usize = 1_000_000;
pub const WORKERS: usize = 2;
const LONG_ENOUGH: u64 = 150_000_000; // nanoseconds

/// How large the passes are: 1 for the real thing.
#[derive(Clone, Copy)]
pub struct Scale(f64);

impl Scale {
    /// A number scaled down, but not below `least`.
    pub fn of(self, full: usize, least: usize) -> usize {
        least.max((full as f64 * self.0) as usize)
    }
}

/// Runs so many operations between the clock's start and stop; returns what was lost, doubled or out of order.
type Pass = Box<dyn FnMut(usize, &mut Clock) -> u64>;

/// A contender at work in a cell: its passes double in size, at most to `most`, while they are too short to be timed.
pub struct Workload {
    size: usize,
    most: usize,
    pass: Pass,
}

impl Workload {
    /// Passes that are all of one size.
    pub fn fixed(size: usize, pass: impl FnMut(usize, &mut Clock) -> u64 + 'static) -> Self {
        Self::growing(size, size, pass)
    }

    /// Passes that grow until they take long enough.
    pub fn growing(first: usize, most: usize, pass: impl FnMut(usize, &mut Clock) -> u64 + 'static) -> Self {
        Workload { size: first, most, pass: Box::new(pass) }
    }
}

fn open(cell: &str, contender: &str, scale: Scale) -> Option<Workload> {
    let many = |full| scale.of(full, 1_000);
    Some(match (cell, contender) {
        ("keys-16", "rayon-serial") => keys::by_rayon(16, many(800_000)),
        ("keys-1000", "rayon-serial") => keys::by_rayon(1_000, many(800_000)),
        ("keys-100000", "rayon-serial") => keys::by_rayon(100_000, many(MILLION)),
        ("tasks-outside", "crossbeam") => messages::tasks(many(MILLION)),
        ("ping-pong", "tokio-one") => members::ping_pong(),
        ("ring-64", "rayon-serial") => members::ring(64),
        ("tell-1", "crossbeam") => messages::tell(1, many(MILLION)),
        ("tell-32", "crossbeam") => messages::tell(32, many(MILLION)),
        ("pi", "kanal") => messages::pi(many(MILLION)),
        _ => return None,
    })
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [cell, contender, factor] = arguments.as_slice() else {
        fail("usage: spindle-native CELL CONTENDER FACTOR");
    };
    let Ok(factor) = factor.parse() else {
        fail(&format!("FACTOR is no number: {factor}"));
    };
    let Some(mut workload) = open(cell, contender, Scale(factor)) else {
        fail(&format!("{contender} takes no part in {cell}"));
    };
    for line in std::io::stdin().lock().lines() {
        match line.as_deref() {
            Ok("pass") => {}
            Ok(other) => fail(&format!("unknown request: {other}")),
            Err(error) => fail(&format!("no request: {error}")),
        }
        let mut clock = Clock::new();
        let violations = (workload.pass)(workload.size, &mut clock);
        println!("ops={} violations={violations} {clock}", workload.size);
        if clock.nanos() < LONG_ENOUGH {
            workload.size = workload.most.min(2 * workload.size);
        }
    }
}

fn fail(message: &str) -> ! {
    eprintln!("{message}");
    std::process::exit(2);
}

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

pub fn rayon() -> &'static rayon::ThreadPool {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(WORKERS).build().expect("a pool");
    Box::leak(Box::new(pool)) // lasts as long as the process, and its tasks refer to it
}

/// A number of events that the thread that made it waits for.
pub struct Latch {
    left: AtomicUsize,
    waiter: Thread,
}

impl Latch {
    pub fn new(count: usize) -> Self {
        Latch { left: AtomicUsize::new(count), waiter: thread::current() }
    }

    /// Begins anew, while no thread counts down.
    pub fn reset(&self, count: usize) {
        self.left.store(count, Release);
    }

    pub fn count_down(&self) {
        if self.left.fetch_sub(1, AcqRel) == 1 {
            self.waiter.unpark();
        }
    }

    pub fn wait(&self) {
        while self.left.load(Acquire) > 0 {
            thread::park();
        }
    }
}

/// A small generator of random numbers: Marsaglia's xorshift.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * bound as u64) >> 32) as usize
    }
}
