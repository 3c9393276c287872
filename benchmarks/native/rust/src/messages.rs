// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

//! Values through channels: tasks to workers, messages to one receiver, from some senders to as many receivers, and Pi.

use crate::{Workload, WORKERS};
use std::f64::consts::PI;
use std::sync::atomic::{AtomicUsize, Ordering::*};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;
use tokio::runtime::Builder;

/// The number of its sender, and its own.
#[derive(Clone, Copy)]
struct Message {
    sender: u32,
    number: u32,
}

/// Checks the values of one receiver, of which those of one sender come in order.
struct Receiver {
    next: Vec<u32>, // the least number that may come
    sum: u64,
    wrong: u64,
}

impl Receiver {
    fn new(senders: usize) -> Self {
        Receiver { next: vec![0; senders], sum: 0, wrong: 0 }
    }

    fn receive(&mut self, message: Message) {
        let next = &mut self.next[message.sender as usize];
        self.wrong += u64::from(message.number < *next);
        *next = message.number + 1;
        self.sum += u64::from(message.number);
    }
}

/// What all receivers found together; one more if one value came in place of another.
fn violations(receivers: &[Receiver], senders: usize, share: usize) -> u64 {
    let expected = (senders * share * (share - 1) / 2) as u64;
    let sum: u64 = receivers.iter().map(|receiver| receiver.sum).sum();
    receivers.iter().map(|receiver| receiver.wrong).sum::<u64>() + u64::from(sum != expected)
}

/// Tasks of tokio on a channel of kanal's.
pub fn channel(capacity: usize, parties: usize) -> Workload {
    let runtime = Builder::new_multi_thread().worker_threads(WORKERS).build().expect("a runtime");
    Workload::growing(1_000 * parties, 4_000_000, move |size, clock| {
        let share = size / parties;
        let (sender, receiver) = kanal::bounded_async::<Message>(capacity);
        clock.start();
        let mut tasks = Vec::new();
        for number in 0..parties as u32 {
            let (from, to) = (receiver.clone(), sender.clone());
            tasks.push(runtime.spawn(async move {
                let mut check = Receiver::new(parties);
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
        violations(&checks, parties, share)
    })
}

/// Threads that send numbered messages to one receiver, as fast as they can.
pub fn tell(contender: &str, senders: usize, messages: usize) -> Option<Workload> {
    let share = messages / senders;
    match contender {
        "crossbeam" => Some(by_threads(senders, share, || {
            let (sender, inbox) = crossbeam_channel::unbounded();
            (move |message| sender.send(message).unwrap(), move || inbox.recv().unwrap())
        })),
        "kanal" => Some(by_threads(senders, share, || {
            let (sender, inbox) = kanal::unbounded();
            (move |message| sender.send(message).unwrap(), move || inbox.recv().unwrap())
        })),
        _ => None,
    }
}

/// The receiver is a thread, too.
fn by_threads<S, R>(senders: usize, share: usize, channel: impl Fn() -> (S, R) + 'static) -> Workload
where
    S: Fn(Message) + Clone + Send + 'static,
    R: Fn() -> Message,
{
    Workload::fixed(senders * share, move |size, clock| {
        let (send, receive) = channel();
        let begin = Arc::new(Barrier::new(senders + 1));
        let mut threads = Vec::new();
        for sender in 0..senders as u32 {
            let (begin, send) = (begin.clone(), send.clone());
            threads.push(thread::spawn(move || {
                begin.wait();
                (0..share as u32).for_each(|number| send(Message { sender, number }));
            }));
        }
        let mut check = Receiver::new(senders);
        clock.start();
        begin.wait();
        (0..size).for_each(|_| check.receive(receive()));
        clock.stop();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        violations(&[check], senders, share)
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
