// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.philosophers;

import dev.spindle.Spindle;
import dev.spindle.actor.ActorRef;
import dev.spindle.actor.Actors;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Dining philosophers that are actors and pass forks as messages, by the rules of Chandy and Misra: nobody waits for
 * a fork for ever. But they talk, each to the one on the left, and their mailboxes are full at once. If to send to a
 * full mailbox meant to wait, all of them would wait for the next, and nobody would eat again. Here the cycle is
 * found, and the talk goes on.
 */
final class Table {
    private final int seats;
    private final int meals;
    private final int words;
    private final int capacity;
    final AtomicIntegerArray forksInUse;
    final AtomicInteger shared = new AtomicInteger();
    final AtomicInteger eaten = new AtomicInteger();
    /** Philosophers that will be hungry again, and words that were not heard yet. */
    private final AtomicLong open;

    private final CountDownLatch quiet = new CountDownLatch(1);

    /**
     * @param seats how many philosophers there are, from 3
     * @param meals how often each of them eats
     * @param words how much each says to the left before each meal
     * @param capacity how many messages may wait for each
     */
    Table(int seats, int meals, int words, int capacity) {
        this.seats = seats;
        this.meals = meals;
        this.words = words;
        this.capacity = capacity;
        forksInUse = new AtomicIntegerArray(seats);
        open = new AtomicLong(seats + (long) seats * (meals + 1) * words);
    }

    /**
     * What was seen.
     *
     * @param eaten meals
     * @param shared forks that two had at once: never any
     * @param overdrafts messages that were let into full mailboxes
     * @param cycle the philosophers that waited for each other first, or null
     */
    record Result(
            int eaten,
            int shared,
            long overdrafts,
            @Nullable List<String> cycle) {
        boolean isSound(long expected) {
            return eaten == expected && shared == 0;
        }
    }

    int meals() {
        return meals;
    }

    int words() {
        return words;
    }

    /** Notes that a word was heard, or that a philosopher has eaten for the last time. */
    void ended() {
        if (open.decrementAndGet() == 0) {
            quiet.countDown();
        }
    }

    Result run() throws InterruptedException {
        AtomicReference<@Nullable List<String>> cycle = new AtomicReference<>();
        try (Spindle spindle = Spindle.create();
                Actors actors = Actors.builder(spindle)
                        .onOverdraft(overdraft -> {
                            boolean unused = cycle.compareAndSet(null, overdraft.path());
                        })
                        .build()) {
            List<ActorRef<Philosopher.Message>> all = new ArrayList<>();
            for (int i = 0; i < seats; i++) {
                int seat = i;
                all.add(actors.<Philosopher.Message>actor(
                                "philosopher-" + i, () -> new Philosopher(this, seat, seats, all))
                        .capacity(capacity)
                        .start());
            }
            for (ActorRef<Philosopher.Message> philosopher : all) {
                philosopher.send(new Philosopher.SitDown());
            }
            quiet.await();
            return new Result(eaten.get(), shared.get(), actors.overdrafts(), cycle.get());
        }
    }
}
