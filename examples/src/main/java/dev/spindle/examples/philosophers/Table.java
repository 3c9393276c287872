// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.philosophers;

import dev.spindle.Spindle;
import dev.spindle.actor.ActorRef;
import dev.spindle.actor.Actors;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Dining philosophers, which are actors that pass forks as messages. The rules of Chandy and Misra ensure that no
 * philosopher starves. Each philosopher also sends words to the left neighbour, which fill the mailboxes. If every send
 * to a full mailbox waited, all philosophers could wait in a cycle. Spindle detects the cycle and admits a message to a
 * full mailbox.
 */
final class Table {
    private final int seats;
    private final int meals;
    private final int words;
    private final int capacity;
    final AtomicIntegerArray forksInUse;
    final AtomicInteger shared = new AtomicInteger();
    final AtomicInteger eaten = new AtomicInteger();
    /** The number of philosophers that have meals left plus the number of words that have not been received. */
    private final AtomicLong open;

    private final CountDownLatch quiet = new CountDownLatch(1);

    /**
     * @param seats the number of philosophers, at least 3
     * @param meals the number of meals of each philosopher
     * @param words the number of words that a philosopher sends before each meal and after the last meal
     * @param capacity the capacity of each mailbox
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
     * @param eaten the number of meals
     * @param shared the number of times that a fork was used by two philosophers at once, which must be 0
     * @param overdrafts the number of messages admitted to full mailboxes
     */
    record Result(int eaten, int shared, long overdrafts) {
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

    /** Records that a word was received, or that a philosopher has no meal left. */
    void ended() {
        if (open.decrementAndGet() == 0) {
            quiet.countDown();
        }
    }

    Result run() throws InterruptedException {
        return run(step -> {});
    }

    /** Lets the philosophers dine, and tells each step. */
    Result run(Consumer<String> steps) throws InterruptedException {
        try (Spindle spindle = Spindle.create();
                Actors actors = Actors.create(spindle)) {
            List<ActorRef<Philosopher.Message>> all = new ArrayList<>();
            for (int i = 0; i < seats; i++) {
                int seat = i;
                all.add(actors.<Philosopher.Message>actorBuilder(
                                "philosopher-" + i, () -> new Philosopher(this, seat, seats, all))
                        .capacity(capacity)
                        .build());
            }
            steps.accept(String.format(
                    Locale.ROOT,
                    "%d philosophers are actors, with mailboxes for %d messages; forks are messages, too.",
                    seats,
                    capacity));
            steps.accept(String.format(
                    Locale.ROOT,
                    "Each eats %,d times, and before each meal says %d words to the left, which fill the mailboxes.",
                    meals,
                    words));
            steps.accept("They will all wait in a cycle: Spindle finds it, lets a message in, and warns of the first.");
            steps.accept("That warning is expected here.");
            for (ActorRef<Philosopher.Message> philosopher : all) {
                philosopher.send(new Philosopher.SitDown());
            }
            quiet.await();
            steps.accept("All have eaten, and every word was heard.");
            return new Result(eaten.get(), shared.get(), actors.stats().overdrafts());
        }
    }
}
