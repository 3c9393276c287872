// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

//! A sender that takes each of four channels in turn, and a receiver that selects among them.

use crate::support::tokio;
use crate::Workload;
use std::sync::{Arc, Barrier};
use std::thread;
use tokio::sync::mpsc;

pub fn open(contender: &str) -> Option<Workload> {
    match contender {
        "tokio" => Some(by_tokio()),
        "crossbeam" => Some(by_crossbeam()),
        _ => None,
    }
}

/// Channels with room for one value, the least that tokio has: order holds for each of them.
fn by_tokio() -> Workload {
    let runtime = tokio();
    Workload::growing(1_000, 4_000_000, move |size, clock| {
        let (senders, receivers): (Vec<_>, Vec<_>) = (0..4).map(|_| mpsc::channel::<usize>(1)).unzip();
        let Ok([mut a, mut b, mut c, mut d]) = <[_; 4]>::try_from(receivers) else { unreachable!() };
        let open = senders.clone(); // a closed channel would count as ready
        clock.start();
        let receiver = runtime.spawn(async move {
            let mut next = [0, 1, 2, 3];
            let mut wrong = 0;
            for _ in 0..size {
                let number = tokio::select! {
                    biased; // as the JVM's are
                    number = a.recv() => number,
                    number = b.recv() => number,
                    number = c.recv() => number,
                    number = d.recv() => number,
                }
                .unwrap();
                wrong += u64::from(number != next[number % 4]);
                next[number % 4] += 4;
            }
            wrong
        });
        runtime.spawn(async move {
            for number in 0..size {
                senders[number % 4].send(number).await.unwrap();
            }
        });
        let wrong = runtime.block_on(receiver).unwrap();
        clock.stop();
        drop(open);
        wrong
    })
}

/// Threads and channels without room.
fn by_crossbeam() -> Workload {
    Workload::growing(1_000, 4_000_000, move |size, clock| {
        let (senders, receivers): (Vec<_>, Vec<_>) = (0..4).map(|_| crossbeam_channel::bounded::<usize>(0)).unzip();
        let begin = Arc::new(Barrier::new(2));
        let start = begin.clone();
        let sender = thread::spawn(move || {
            start.wait();
            (0..size).for_each(|number| senders[number % 4].send(number).unwrap());
            senders
        });
        let mut wrong = 0;
        clock.start();
        begin.wait();
        for expected in 0..size {
            let number = crossbeam_channel::select! {
                recv(receivers[0]) -> number => number,
                recv(receivers[1]) -> number => number,
                recv(receivers[2]) -> number => number,
                recv(receivers[3]) -> number => number,
            };
            wrong += u64::from(number.unwrap() != expected);
        }
        clock.stop();
        sender.join().unwrap();
        wrong
    })
}
