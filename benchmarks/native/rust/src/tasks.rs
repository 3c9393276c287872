// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

//! A million empty tasks, from one thread outside of the pool, or as a tree from inside.

use crate::support::{rayon, Padded, MILLION, WORKERS};
use crate::{Scale, Workload};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::*};
use std::thread;
use std::time::Duration;

const STRIPES: usize = 64;

/// Counts the tasks of a pass, each in a stripe by its number, so that two at once seldom share a cache line. The first
/// pass of a process has a count for each task besides.
struct Tally {
    stripes: [Padded<AtomicUsize>; STRIPES],
    runs: Vec<AtomicU32>,
}

impl Tally {
    fn new(size: usize, checked: bool) -> Self {
        let runs = (0..if checked { size } else { 0 }).map(|_| AtomicU32::new(0)).collect();
        Tally { stripes: std::array::from_fn(|_| Padded::default()), runs }
    }

    fn ran(&self, number: usize) {
        if let Some(run) = self.runs.get(number) {
            run.fetch_add(1, Relaxed);
        }
        self.stripes[number % STRIPES].0.fetch_add(1, Release);
    }

    fn sum(&self) -> usize {
        self.stripes.iter().map(|stripe| stripe.0.load(Acquire)).sum()
    }

    fn wait(&self, size: usize) {
        while self.sum() < size {
            thread::sleep(Duration::from_micros(20));
        }
    }

    /// How many tasks did not run exactly once.
    fn violations(&self, size: usize) -> u64 {
        let wrong = self.runs.iter().filter(|run| run.load(Relaxed) != 1).count();
        wrong as u64 + (self.sum() - size) as u64
    }
}

/// A workload of empty tasks; `begin` hands them over and may return before they ran.
fn tallied(scale: Scale, begin: impl Fn(&'static Tally, usize) + 'static) -> Workload {
    let mut checked = true;
    Workload::fixed(scale.of(MILLION, 1_000), move |size, clock| {
        // Tasks refer to it without counting references, and might run twice: it stays.
        let tally: &Tally = Box::leak(Box::new(Tally::new(size, checked)));
        checked = false;
        clock.start();
        begin(tally, size);
        tally.wait(size);
        clock.stop();
        tally.violations(size)
    })
}

/// Workers on a channel.
pub fn outside(contender: &str, scale: Scale) -> Option<Workload> {
    if contender != "crossbeam" {
        return None;
    }
    type Task = (fn(&Tally, usize), &'static Tally, usize);
    let (queue, tasks) = crossbeam_channel::unbounded::<Task>();
    for _ in 0..WORKERS {
        let tasks = tasks.clone();
        thread::spawn(move || tasks.iter().for_each(|(task, tally, number)| task(tally, number)));
    }
    Some(tallied(scale, move |tally, size| {
        (0..size).for_each(|number| queue.send((Tally::ran, tally, number)).unwrap());
    }))
}

/// A tree: each task spawns two others and waits for none.
pub fn inside(contender: &str, scale: Scale) -> Option<Workload> {
    if contender != "rayon" {
        return None;
    }
    let pool = rayon();
    Some(tallied(scale, move |tally, size| pool.spawn(move || node(tally, 0, size))))
}

fn node(tally: &'static Tally, number: usize, size: usize) {
    for child in (2 * number + 1..=2 * number + 2).take_while(|&child| child < size) {
        rayon::spawn(move || node(tally, child, size));
    }
    tally.ran(number);
}
