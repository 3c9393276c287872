// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

//! Values through one channel: from one to one, or from four to four.

use crate::support::tokio;
use crate::Workload;
use std::sync::{Arc, Barrier};
use std::thread;

/// The number of its sender, and its own.
#[derive(Clone, Copy)]
struct Message {
    sender: u32,
    number: u32,
}

/// Checks the values that one receiver gets, of which those of one sender come in order.
#[derive(Default)]
struct Receiver {
    next: [u32; 4], // the least number that may come
    sum: u64,
    wrong: u64,
}

impl Receiver {
    fn receive(&mut self, message: Message) {
        let next = &mut self.next[message.sender as usize];
        self.wrong += u64::from(message.number < *next);
        *next = message.number + 1;
        self.sum += u64::from(message.number);
    }
}

/// What all receivers found together; one more if one value came in place of another.
fn violations(receivers: &[Receiver], share: usize) -> u64 {
    let expected = (receivers.len() * share * (share - 1) / 2) as u64;
    let sum: u64 = receivers.iter().map(|receiver| receiver.sum).sum();
    receivers.iter().map(|receiver| receiver.wrong).sum::<u64>() + u64::from(sum != expected)
}

pub fn open(contender: &str, capacity: usize, parties: usize) -> Option<Workload> {
    match contender {
        "kanal" => Some(by_kanal(capacity, parties)),
        "crossbeam" => Some(by_crossbeam(capacity, parties)),
        _ => None,
    }
}

/// Tasks of tokio on a channel of kanal's.
fn by_kanal(capacity: usize, parties: usize) -> Workload {
    let runtime = tokio();
    Workload::growing(1_000 * parties, 4_000_000, move |size, clock| {
        let share = size / parties;
        let (sender, receiver) = kanal::bounded_async::<Message>(capacity);
        clock.start();
        let mut tasks = Vec::new();
        for number in 0..parties as u32 {
            let (from, to) = (receiver.clone(), sender.clone());
            tasks.push(runtime.spawn(async move {
                let mut check = Receiver::default();
                for _ in 0..share {
                    check.receive(from.recv().await.unwrap());
                }
                check
            }));
            runtime.spawn(async move {
                for i in 0..share as u32 {
                    to.send(Message { sender: number, number: i }).await.unwrap();
                }
            });
        }
        let checks: Vec<_> = tasks.into_iter().map(|task| runtime.block_on(task).unwrap()).collect();
        clock.stop();
        violations(&checks, share)
    })
}

/// Threads on a channel of crossbeam's, which has none for tasks.
fn by_crossbeam(capacity: usize, parties: usize) -> Workload {
    Workload::growing(1_000 * parties, 4_000_000, move |size, clock| {
        let share = size / parties;
        let (sender, receiver) = crossbeam_channel::bounded::<Message>(capacity);
        let begin = Arc::new(Barrier::new(2 * parties + 1));
        let mut threads = Vec::new();
        for number in 0..parties as u32 {
            let (from, start) = (receiver.clone(), begin.clone());
            threads.push(thread::spawn(move || {
                let mut check = Receiver::default();
                start.wait();
                (0..share).for_each(|_| check.receive(from.recv().unwrap()));
                check
            }));
            let (to, start) = (sender.clone(), begin.clone());
            thread::spawn(move || {
                start.wait();
                (0..share as u32).for_each(|i| to.send(Message { sender: number, number: i }).unwrap());
            });
        }
        clock.start();
        begin.wait();
        let checks: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        clock.stop();
        violations(&checks, share)
    })
}
