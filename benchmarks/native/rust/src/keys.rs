// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

//! Empty events of many keys from one producer, those of a key in order.

use crate::{rayon, Latch, Random, Workload};
use std::sync::{Arc, Mutex};

/// The events of a pass: which key each is of, and how many each key has.
struct Traffic {
    order: Vec<u32>,
    of_keys: Vec<u32>,
}

impl Traffic {
    /// Few keys in turn, or drawn from many.
    fn new(keys: usize, events: usize, random: &mut Random) -> Self {
        let order: Vec<u32> =
            (0..events).map(|event| (if keys > 16 { random.below(keys) } else { event % keys }) as u32).collect();
        let mut of_keys = vec![0; keys];
        order.iter().for_each(|&key| of_keys[key as usize] += 1);
        Traffic { order, of_keys }
    }

    /// How many keys have events.
    fn touched(&self) -> usize {
        self.of_keys.iter().filter(|&&events| events > 0).count()
    }
}

/// A function and the number of the event: nothing is allocated.
type Task = (fn(&mut Place, u32), u32);

/// Checks the events of one key.
struct Place {
    next: u32,
    expected: u32,
    wrong: u64,
    done: Arc<Latch>,
}

impl Place {
    /// The task of all events.
    fn event(&mut self, number: u32) {
        self.wrong += u64::from(number != self.next);
        self.next += 1;
        if self.next == self.expected {
            self.done.count_down();
        }
    }

    /// What came out of order, or too often or not at all.
    fn violations(&self) -> u64 {
        self.wrong + u64::from(self.next.abs_diff(self.expected))
    }
}

/// Runs its tasks one after the other: a submit that finds it idle spawns a job, which runs the tasks that it finds. If
/// there are more at its end, it spawns the next job, so that others get their turns.
struct Serial {
    waiting: Mutex<Waiting>,
    place: Mutex<(Place, Vec<Task>)>, // the runner's, and the queue that it uses next
}

#[derive(Default)]
struct Waiting {
    queue: Vec<Task>,
    running: bool,
}

impl Serial {
    fn submit(self: &Arc<Self>, pool: &'static rayon::ThreadPool, task: Task) {
        let mut waiting = self.waiting.lock().unwrap();
        waiting.queue.push(task);
        if !std::mem::replace(&mut waiting.running, true) {
            drop(waiting);
            let own = self.clone();
            pool.spawn(move || own.run());
        }
    }

    fn run(self: Arc<Self>) {
        let mut running = self.place.lock().unwrap();
        let (place, batch) = &mut *running;
        std::mem::swap(&mut self.waiting.lock().unwrap().queue, batch);
        batch.drain(..).for_each(|(run, number)| run(place, number));
        drop(running);
        let mut waiting = self.waiting.lock().unwrap();
        waiting.running = !waiting.queue.is_empty();
        if waiting.running {
            drop(waiting);
            rayon::spawn(move || self.run());
        }
    }
}

pub fn by_rayon(keys: usize, events: usize) -> Workload {
    let pool = rayon();
    let mut random = Random(7);
    Workload::fixed(events, move |size, clock| {
        let traffic = Traffic::new(keys, size, &mut random);
        let done = Arc::new(Latch::new(traffic.touched()));
        let serials: Vec<Arc<Serial>> = (traffic.of_keys.iter())
            .map(|&expected| {
                let place = Place { next: 0, expected, wrong: 0, done: done.clone() };
                Arc::new(Serial { waiting: Mutex::default(), place: Mutex::new((place, Vec::new())) })
            })
            .collect();
        let mut numbers = vec![0; keys];
        clock.start();
        for &key in &traffic.order {
            serials[key as usize].submit(pool, (Place::event, numbers[key as usize]));
            numbers[key as usize] += 1;
        }
        done.wait();
        clock.stop();
        serials.iter().map(|serial| serial.place.lock().unwrap().0.violations()).sum()
    })
}
