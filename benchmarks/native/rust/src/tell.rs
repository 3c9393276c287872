// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

//! Threads that send numbered messages to one receiver, as fast as they can.

use crate::support::MILLION;
use crate::{Scale, Workload};
use std::sync::{Arc, Barrier};
use std::thread::{self, JoinHandle};

/// The number of its sender, and its own.
#[derive(Clone, Copy)]
struct Message {
    sender: u32,
    number: u32,
}

/// Checks that the messages of each sender come in order.
struct Check {
    next: Vec<u32>,
    wrong: u64,
}

impl Check {
    fn new(senders: usize) -> Self {
        Check { next: vec![0; senders], wrong: 0 }
    }

    fn receive(&mut self, message: Message) {
        let next = &mut self.next[message.sender as usize];
        self.wrong += u64::from(message.number != *next);
        *next += 1;
    }
}

/// Threads that begin together, when the last one waits at the barrier.
fn start(
    senders: usize,
    share: usize,
    begin: &Arc<Barrier>,
    send: impl Fn(Message) + Clone + Send + 'static,
) -> Vec<JoinHandle<()>> {
    (0..senders as u32)
        .map(|sender| {
            let (begin, send) = (begin.clone(), send.clone());
            thread::spawn(move || {
                begin.wait();
                (0..share as u32).for_each(|number| send(Message { sender, number }));
            })
        })
        .collect()
}

pub fn open(contender: &str, senders: usize, scale: Scale) -> Option<Workload> {
    let share = scale.of(MILLION, 1_000) / senders;
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
        let threads = start(senders, share, &begin, send);
        let mut check = Check::new(senders);
        clock.start();
        begin.wait();
        (0..size).for_each(|_| check.receive(receive()));
        clock.stop();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        check.wrong
    })
}
