// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

//! Members that hand something on: a ball between two, tokens round a thousand.

use crate::{rayon, Latch, Workload};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering::*};
use std::sync::{Arc, Mutex, OnceLock};
use tokio::runtime::Builder;
use tokio::sync::mpsc;

/// Two tasks; the ball comes back with the next number.
pub fn ping_pong() -> Workload {
    let runtime = Builder::new_current_thread().build().expect("a runtime");
    Workload::growing(1_000, 4_000_000, move |size, clock| {
        let (there, mut at_second) = mpsc::unbounded_channel::<usize>();
        let (back, mut at_first) = mpsc::unbounded_channel::<usize>();
        clock.start();
        let second = runtime.spawn(async move {
            while let Some(ball) = at_second.recv().await {
                back.send(ball + 1).unwrap();
            }
        });
        let first = runtime.spawn(async move {
            let mut wrong = 0;
            for ball in 0..size {
                there.send(ball).unwrap();
                wrong += u64::from(at_first.recv().await != Some(ball + 1));
            }
            wrong
        });
        let wrong = runtime.block_on(first).unwrap();
        clock.stop();
        runtime.block_on(second).unwrap();
        wrong
    })
}

const MEMBERS: usize = 1_000;

/// Goes round the ring: how many hops are left, and its number on the link over which it comes; none from outside.
#[derive(Clone, Copy)]
struct Token {
    left: u32,
    number: Option<u32>,
}

/// What a member knows; what comes over a link comes in the order in which it was sent.
struct Member {
    received: u32,
    sent: u32,
    all: Arc<Round>,
}

/// What all members share.
struct Round {
    done: Latch,
    wrong: AtomicU64,
}

impl Member {
    fn new(all: &Arc<Round>) -> Self {
        Member { received: 0, sent: 0, all: all.clone() }
    }

    /// Takes a token and returns the one to hand on; none at its end.
    fn pass(&mut self, token: Token) -> Option<Token> {
        if let Some(number) = token.number {
            if number != self.received {
                self.all.wrong.fetch_add(1, Relaxed);
            }
            self.received += 1;
        }
        if token.left == 0 {
            self.all.done.count_down();
            return None;
        }
        let number = Some(self.sent);
        self.sent += 1;
        Some(Token { left: token.left - 1, number })
    }
}

/// Members that last for all passes.
pub fn ring(tokens: usize) -> Workload {
    let all = Arc::new(Round { done: Latch::new(0), wrong: AtomicU64::new(0) });
    let pool = rayon();
    RING.get_or_init(|| {
        (0..MEMBERS).map(|_| SerialMember { waiting: Mutex::default(), member: Mutex::new(Member::new(&all)) }).collect()
    });
    Workload::growing(64_000, 20_000_000, move |size, clock| {
        let before = all.wrong.load(Relaxed);
        all.done.reset(tokens);
        clock.start();
        for i in 0..tokens {
            let token = Token { left: (size / tokens) as u32, number: None };
            pool.spawn(move || submit(i * MEMBERS / tokens, token));
        }
        all.done.wait();
        clock.stop();
        all.wrong.load(Relaxed) - before
    })
}

/// A member as a mutex and a queue: a submit that finds it idle spawns a job, which runs the tokens that it finds.
struct SerialMember {
    waiting: Mutex<(VecDeque<Token>, bool)>,
    member: Mutex<Member>, // the runner's
}

static RING: OnceLock<Vec<SerialMember>> = OnceLock::new();

/// In the pool.
fn submit(to: usize, token: Token) {
    let idle = {
        let (queue, running) = &mut *RING.get().unwrap()[to].waiting.lock().unwrap();
        queue.push_back(token);
        !std::mem::replace(running, true)
    };
    if idle {
        rayon::spawn(move || run(to));
    }
}

fn run(at: usize) {
    let own = &RING.get().unwrap()[at];
    let mut member = own.member.lock().unwrap();
    while let Some(token) = own.take() {
        if let Some(on) = member.pass(token) {
            submit((at + 1) % MEMBERS, on);
        }
    }
}

impl SerialMember {
    fn take(&self) -> Option<Token> {
        let (queue, running) = &mut *self.waiting.lock().unwrap();
        let token = queue.pop_front();
        *running = token.is_some();
        token
    }
}
