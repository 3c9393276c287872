// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

//! What the cells share: the pools, and how a pass waits for its end.

use std::sync::atomic::{AtomicUsize, Ordering::*};
use std::thread::{self, Thread};
use tokio::runtime::{Builder, Runtime};

pub const MILLION: usize = 1_000_000;
pub const WORKERS: usize = 2;

/// Pads to a cache line of its own.
#[repr(align(128))]
#[derive(Default)]
pub struct Padded<T>(pub T);

pub fn tokio() -> Runtime {
    Builder::new_multi_thread().worker_threads(WORKERS).build().expect("a runtime")
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
