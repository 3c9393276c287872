// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

//! Pi, as the sum of a million slices of a series: two workers get their indices and send their results to one that
//! adds.

use crate::support::{MILLION, WORKERS};
use crate::{Scale, Workload};
use std::f64::consts::PI;
use std::thread;

const TERMS: usize = 100;
const ROOM: usize = 1_024;

/// Adds up a hundred terms of the series. It is compiled by itself, as it is for all contenders.
#[inline(never)]
fn slice(index: usize) -> f64 {
    let mut sum = 0.0;
    for term in (index * TERMS) as i32..((index + 1) * TERMS) as i32 {
        sum += 4.0 * f64::from(1 - (term & 1) * 2) / f64::from(2 * term + 1);
    }
    sum
}

/// What the series leaves out is less than its first term that is not added.
fn violations(sum: f64, size: usize) -> u64 {
    u64::from((sum - PI).abs() > 2.0 / (size * TERMS) as f64 + 1e-9)
}

pub fn open(contender: &str, scale: Scale) -> Option<Workload> {
    let size = scale.of(MILLION, 1_000);
    match contender {
        "crossbeam" => {
            let (indices, work) = crossbeam_channel::bounded(ROOM);
            let (results, sums) = crossbeam_channel::bounded(ROOM);
            let send = move |index| indices.send(index).unwrap();
            let publish = move |result| results.send(result).unwrap();
            Some(by_threads(size, send, move || work.recv().ok(), publish, move || sums.recv().unwrap()))
        }
        "kanal" => {
            let (indices, work) = kanal::bounded(ROOM);
            let (results, sums) = kanal::bounded(ROOM);
            let send = move |index| indices.send(index).unwrap();
            let publish = move |result| results.send(result).unwrap();
            Some(by_threads(size, send, move || work.recv().ok(), publish, move || sums.recv().unwrap()))
        }
        _ => None,
    }
}

/// Threads: the main one sends, two work, one adds.
fn by_threads(
    size: usize,
    send: impl Fn(usize) + 'static,
    take: impl Fn() -> Option<usize> + Clone + Send + 'static,
    publish: impl Fn(f64) + Clone + Send + 'static,
    collect: impl Fn() -> f64 + Clone + Send + 'static,
) -> Workload {
    for _ in 0..WORKERS {
        let (take, publish) = (take.clone(), publish.clone());
        thread::spawn(move || {
            while let Some(index) = take() {
                publish(slice(index));
            }
        });
    }
    Workload::fixed(size, move |size, clock| {
        let collect = collect.clone();
        clock.start();
        let adder = thread::spawn(move || (0..size).map(|_| collect()).sum());
        (0..size).for_each(&send);
        let sum = adder.join().unwrap();
        clock.stop();
        violations(sum, size)
    })
}
