// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture.steps;

import static java.util.Objects.requireNonNull;

import dev.spindle.Keyed;
import dev.spindle.Lane;
import dev.spindle.Spindle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A program that prints the steps of walks. A walk alone is a task that is submitted while the worker is parked, until
 * the worker is parked again. A walk in a flood is the mean of tasks that are submitted before the first of them runs.
 */
public final class Walks implements Runnable {
    private static final int WARM_UP = 2_000;
    private static final int ROUNDS = 101;
    private static final int KEYS = 100;
    private static final int TASKS_PER_KEY = 32;

    private volatile @Nullable Thread worker;
    private volatile boolean done;

    /** A way to submit a task of the key with the number {@code key}. */
    private interface Way {
        void submit(int key, Runnable task);
    }

    /** Creates the program. */
    public Walks() {}

    @Override
    public void run() {
        try (Spindle spindle = Spindle.builder()
                .coreThreads(1)
                .maxThreads(1)
                .stuckAfter(Duration.ZERO) // its looks, once a second, are not on the way of a task
                .build()) {
            Keyed<Integer> keyed = spindle.keyed("keys");
            List<Lane> lanes = new ArrayList<>();
            for (int key = 0; key < KEYS; key++) {
                lanes.add(spindle.strand("strand " + key));
            }
            Executor logical = spindle.executor("logical", 1);
            print(spindle, "plain", (key, task) -> spindle.execute(task));
            print(spindle, "key", keyed::execute);
            print(spindle, "handle", (key, task) -> lanes.get(key).execute(task));
            print(spindle, "coalescing", (key, task) -> requireNonNull(keyed.coalesce(key, task)));
            print(spindle, "future", (key, task) -> requireNonNull(keyed.submit(key, task)));
            print(spindle, "logical", (key, task) -> logical.execute(task));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void print(Spindle spindle, String name, Way way) throws InterruptedException {
        Runnable task = () -> {
            worker = Thread.currentThread();
            done = true;
        };
        for (int i = 0; i < WARM_UP; i++) {
            alone(way, task);
        }
        long[][] figures = new long[Step.values().length + 1][ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            Steps.begin(worker);
            alone(way, task);
            for (Step step : Step.values()) {
                figures[step.index][round] = Steps.of(Steps.SUBMIT, step) + Steps.of(Steps.RUN, step);
            }
            figures[Step.values().length][round] = Steps.classes();
        }
        StringBuilder line = new StringBuilder(name + ",alone");
        for (long[] figure : figures) {
            Arrays.sort(figure);
            line.append(',').append(figure[ROUNDS / 2]);
        }
        System.out.println(line);
        if (!name.equals("coalescing")) {
            flood(spindle, way, name);
        }
    }

    private void alone(Way way, Runnable task) {
        done = false;
        way.submit(0, task);
        while (!done || requireNonNull(worker).getState() != Thread.State.WAITING) {
            Thread.yield();
        }
    }

    private void flood(Spindle spindle, Way way, String name) throws InterruptedException {
        AtomicInteger left = new AtomicInteger();
        Runnable task = left::decrementAndGet;
        int tasks = KEYS * TASKS_PER_KEY;
        for (int round = 0; round < 2; round++) {
            left.set(tasks);
            CountDownLatch gate = new CountDownLatch(1);
            CountDownLatch held = new CountDownLatch(1);
            spindle.execute(() -> {
                held.countDown();
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            held.await();
            Steps.begin(worker);
            for (int i = 0; i < tasks; i++) {
                way.submit(i % KEYS, task);
            }
            gate.countDown();
            while (left.get() > 0 || requireNonNull(worker).getState() != Thread.State.WAITING) {
                Thread.yield();
            }
        }
        StringBuilder line = new StringBuilder(name + ",flood");
        for (Step step : Step.values()) {
            double mean = (double) (Steps.of(Steps.SUBMIT, step) + Steps.of(Steps.RUN, step)) / tasks;
            line.append(',').append(String.format(Locale.ROOT, "%.2f", mean));
        }
        System.out.println(line + "," + Steps.classes());
    }
}
