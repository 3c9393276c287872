// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

//! Values through channels: tasks to workers, messages to one receiver, and Pi.

use crate::{Workload, WORKERS};
use std::f64::consts::PI;
use std::sync::atomic::{AtomicUsize, Ordering::*};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

/// Threads that send numbered messages to one receiver, as fast as they can. The receiver is a thread, too.
pub fn tell(senders: usize, messages: usize) -> Workload {
    let share = messages / senders;
    Workload::fixed(senders * share, move |size, clock| {
        let (inbox, receiver) = crossbeam_channel::unbounded::<(usize, u32)>();
        let begin = Arc::new(Barrier::new(senders + 1));
        let mut threads = Vec::new();
        for sender in 0..senders {
            let (begin, inbox) = (begin.clone(), inbox.clone());
            threads.push(thread::spawn(move || {
                begin.wait();
                (0..share as u32).for_each(|number| inbox.send((sender, number)).unwrap());
            }));
        }
        let (mut next, mut wrong) = (vec![0; senders], 0);
        clock.start();
        begin.wait();
        for _ in 0..size {
            let (sender, number) = receiver.recv().unwrap();
            wrong += u64::from(number != next[sender]);
            next[sender] = number + 1;
        }
        clock.stop();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        wrong
    })
}

/// Counts the tasks of one worker and sums up their numbers, on a cache line of its own.
#[repr(align(128))]
#[derive(Default)]
struct Counter {
    count: AtomicUsize,
    sum: AtomicUsize,
}

impl Counter {
    fn ran(&self, number: usize) {
        self.sum.store(self.sum.load(Relaxed) + number, Relaxed);
        self.count.store(self.count.load(Relaxed) + 1, Release);
    }
}

/// Empty tasks from one thread, to workers on one channel.
pub fn tasks(size: usize) -> Workload {
    type Task = (fn(&Counter, usize), usize);
    let counters = Arc::new([Counter::default(), Counter::default()]);
    let (queue, tasks) = crossbeam_channel::unbounded::<Task>();
    for worker in 0..WORKERS {
        let (tasks, counters) = (tasks.clone(), counters.clone());
        thread::spawn(move || tasks.iter().for_each(|(task, number)| task(&counters[worker], number)));
    }
    let total = move |of: fn(&Counter) -> &AtomicUsize| counters.iter().map(|one| of(one).load(Acquire)).sum::<usize>();
    Workload::fixed(size, move |size, clock| {
        let (count, sum) = (total(|one| &one.count), total(|one| &one.sum));
        clock.start();
        (0..size).for_each(|number| queue.send((Counter::ran, number)).unwrap());
        while total(|one| &one.count) < count + size {
            thread::sleep(Duration::from_micros(20));
        }
        clock.stop();
        u64::from(total(|one| &one.sum) - sum != size * (size - 1) / 2)
    })
}

const TERMS: usize = 100;

/// Adds up a hundred terms of the series. It is compiled by itself, as it is for all contenders.
#[inline(never)]
fn slice(index: usize) -> f64 {
    let mut sum = 0.0;
    for term in (index * TERMS) as i32..((index + 1) * TERMS) as i32 {
        sum += 4.0 * f64::from(1 - (term & 1) * 2) / f64::from(2 * term + 1);
    }
    sum
}

/// Pi, as the sum of slices of a series: two workers get their indices and send their results to one that adds.
pub fn pi(size: usize) -> Workload {
    let (indices, work) = kanal::bounded(1_024);
    let (results, sums) = kanal::bounded(1_024);
    for _ in 0..WORKERS {
        let (work, results) = (work.clone(), results.clone());
        thread::spawn(move || {
            while let Ok(index) = work.recv() {
                results.send(slice(index)).unwrap();
            }
        });
    }
    Workload::fixed(size, move |size, clock| {
        let sums = sums.clone();
        clock.start();
        let adder = thread::spawn(move || (0..size).map(|_| sums.recv().unwrap()).sum());
        (0..size).for_each(|index| indices.send(index).unwrap());
        let sum: f64 = adder.join().unwrap();
        clock.stop();
        // What the series leaves out is less than its first term that is not added.
        u64::from((sum - PI).abs() > 2.0 / (size * TERMS) as f64 + 1e-9)
    })
}
