// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

//! The Rust side of `./spindle bench native`: one cell and one contender in a process, driven by lines on standard
//! input.
//!
//! Usage: `spindle-native CELL CONTENDER FACTOR`. For each line `pass` it runs one pass and answers with one line of
//! figures; it ends at the end of the input.

mod channels;
mod clock;
mod keys;
mod members;
mod pi;
mod support;
mod tasks;
mod tell;

use clock::Clock;
use std::io::BufRead;

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

const LONG_ENOUGH: u64 = 150_000_000; // nanoseconds

fn open(cell: &str, contender: &str, scale: Scale) -> Option<Workload> {
    Some(match (cell, contender) {
        ("keys-16", _) => keys::open(contender, 16, 800_000, scale)?,
        ("keys-1000", _) => keys::open(contender, 1_000, 800_000, scale)?,
        ("keys-100000", _) => keys::open(contender, 100_000, 1_000_000, scale)?,
        ("tasks-outside", _) => tasks::outside(contender, scale)?,
        ("tasks-inside", _) => tasks::inside(contender, scale)?,
        ("ping-pong", _) => members::ping_pong(contender)?,
        ("ring-64", _) => members::ring(contender, 64)?,
        ("tell-1", _) => tell::open(contender, 1, scale)?,
        ("fan-in-32", _) => tell::open(contender, 32, scale)?,
        ("rendezvous", _) => channels::open(contender, 0, 1)?,
        ("channel-1", _) => channels::open(contender, 1, 1)?,
        ("channel-64", _) => channels::open(contender, 64, 1)?,
        ("channel-1024", _) => channels::open(contender, 1_024, 1)?,
        ("channel-1-4to4", _) => channels::open(contender, 1, 4)?,
        ("channel-64-4to4", _) => channels::open(contender, 64, 4)?,
        ("channel-1024-4to4", _) => channels::open(contender, 1_024, 4)?,
        ("pi", _) => pi::open(contender, scale)?,
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
