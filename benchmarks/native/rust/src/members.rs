// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

//! Members that hand something on: a ball between two, tokens round a thousand.

use crate::support::{rayon, tokio, Latch};
use crate::Workload;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering::*};
use std::sync::{Arc, Mutex, OnceLock};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;

pub fn ping_pong(contender: &str) -> Option<Workload> {
    match contender {
        "tokio" => Some(tokio_ping_pong(tokio())),
        "tokio-one" => Some(tokio_ping_pong(Builder::new_current_thread().build().expect("a runtime"))),
        "kanal" => Some(kanal_ping_pong()),
        _ => None,
    }
}

/// Two tasks; the ball comes back with the next number.
fn tokio_ping_pong(runtime: Runtime) -> Workload {
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

fn kanal_ping_pong() -> Workload {
    let runtime = tokio();
    Workload::growing(1_000, 4_000_000, move |size, clock| {
        let (there, at_second) = kanal::bounded_async::<usize>(1);
        let (back, at_first) = kanal::bounded_async::<usize>(1);
        clock.start();
        let second = runtime.spawn(async move {
            while let Ok(ball) = at_second.recv().await {
                back.send(ball + 1).await.unwrap();
            }
        });
        let first = runtime.spawn(async move {
            let mut wrong = 0;
            for ball in 0..size {
                there.send(ball).await.unwrap();
                wrong += u64::from(at_first.recv().await != Ok(ball + 1));
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

/// Members that last for all passes; the contenders differ in how they make them.
pub fn ring(contender: &str, tokens: usize) -> Option<Workload> {
    let all = Arc::new(Round { done: Latch::new(0), wrong: AtomicU64::new(0) });
    let send: Box<dyn Fn(usize, Token)> = match contender {
        "tokio" => tokio_ring(&all),
        "kanal" => kanal_ring(&all, tokens),
        "rayon-serial" => rayon_ring(&all),
        _ => return None,
    };
    Some(Workload::growing(64_000, 20_000_000, move |size, clock| {
        let before = all.wrong.load(Relaxed);
        all.done.reset(tokens);
        clock.start();
        for i in 0..tokens {
            send(i * MEMBERS / tokens, Token { left: (size / tokens) as u32, number: None });
        }
        all.done.wait();
        clock.stop();
        all.wrong.load(Relaxed) - before
    }))
}

fn tokio_ring(all: &Arc<Round>) -> Box<dyn Fn(usize, Token)> {
    let runtime = tokio();
    let (senders, inboxes): (Vec<_>, Vec<_>) = (0..MEMBERS).map(|_| mpsc::unbounded_channel::<Token>()).unzip();
    for (i, mut inbox) in inboxes.into_iter().enumerate() {
        let next = senders[(i + 1) % MEMBERS].clone();
        let mut member = Member::new(all);
        runtime.spawn(async move {
            while let Some(token) = inbox.recv().await {
                if let Some(on) = member.pass(token) {
                    next.send(on).unwrap();
                }
            }
        });
    }
    Box::new(move |to, token| {
        let _lives = &runtime;
        senders[to].send(token).unwrap();
    })
}

fn kanal_ring(all: &Arc<Round>, tokens: usize) -> Box<dyn Fn(usize, Token)> {
    let runtime = tokio();
    // Room for all tokens: nobody waits to send.
    let (senders, inboxes): (Vec<_>, Vec<_>) = (0..MEMBERS).map(|_| kanal::bounded_async::<Token>(tokens)).unzip();
    for (i, inbox) in inboxes.into_iter().enumerate() {
        let next = senders[(i + 1) % MEMBERS].clone();
        let mut member = Member::new(all);
        runtime.spawn(async move {
            while let Ok(token) = inbox.recv().await {
                if let Some(on) = member.pass(token) {
                    next.send(on).await.unwrap();
                }
            }
        });
    }
    Box::new(move |to, token| {
        let _lives = &runtime;
        senders[to].as_sync().send(token).unwrap();
    })
}

/// A member as a mutex and a queue: whoever finds it idle spawns a job that runs what there is.
struct SerialMember {
    waiting: Mutex<(VecDeque<Token>, bool)>,
    member: Mutex<Member>, // the runner's
}

static RING: OnceLock<Vec<SerialMember>> = OnceLock::new();

fn rayon_ring(all: &Arc<Round>) -> Box<dyn Fn(usize, Token)> {
    let pool = rayon();
    RING.get_or_init(|| {
        (0..MEMBERS).map(|_| SerialMember { waiting: Mutex::default(), member: Mutex::new(Member::new(all)) }).collect()
    });
    Box::new(move |to, token| pool.spawn(move || submit(to, token)))
}

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
