// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Every way to submit a task with a key to a spindle. */
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
enum EntryPoint {
    KEYED_EXECUTE((s, k, t) -> keys(s).execute(k.get(), t)),
    KEYED_SUBMIT_RUNNABLE((s, k, t) -> keys(s).submit(k.get(), t)),
    KEYED_SUBMIT_CALLABLE((s, k, t) -> keys(s).submit(k.get(), call(t))),
    KEYED_SUBMIT_ASYNC((s, k, t) -> keys(s).submitAsync(k.get(), async(t))),
    KEYED_SUBMIT_ASYNC_WITH_LIMIT((s, k, t) -> keys(s).at(k.get()).submitAsync(async(t), Duration.ofMinutes(1))),
    KEYED_COALESCE((s, k, t) -> keys(s).coalesce(k.get(), t)),
    KEYED_COALESCE_SLOT((s, k, t) -> keys(s).at(k.get()).coalesceSlot("slot", t)),
    KEYED_SCHEDULE((s, k, t) -> keys(s).at(k.get()).schedule(t, 1, MILLISECONDS)),
    KEYED_FIXED_RATE((s, k, t) -> keys(s).at(k.get()).scheduleAtFixedRate(t, 0, 1, TimeUnit.MINUTES)),
    KEYED_FIXED_DELAY((s, k, t) -> keys(s).at(k.get()).scheduleWithFixedDelay(t, 0, 1, TimeUnit.MINUTES)),

    LANE_EXECUTE((s, k, t) -> keys(s).at(k.get()).execute(t)),
    LANE_AS_EXECUTOR((s, k, t) -> CompletableFuture.runAsync(t, keys(s).at(k.get()))),
    LANE_SUBMIT((s, k, t) -> keys(s).at(k.get()).submit(call(t))),
    LANE_SUBMIT_ASYNC((s, k, t) -> keys(s).at(k.get()).submitAsync(async(t))),
    LANE_COALESCE((s, k, t) -> keys(s).at(k.get()).coalesce(t)),
    LANE_SCHEDULE((s, k, t) -> keys(s).at(k.get()).schedule(t, 0, TimeUnit.NANOSECONDS)),

    EXECUTE_SEQUENTIAL(true, (s, k, t) -> s.execute(new Sequential(k, t))),
    EXECUTE_COALESCING(true, (s, k, t) -> s.execute(new Coalescing(k, t))),
    SUBMIT_SEQUENTIAL(true, (s, k, t) -> s.submit(new Sequential(k, t))),
    SUBMIT_SEQUENTIAL_WITH_RESULT(true, (s, k, t) -> s.submit(new Sequential(k, t), "result")),
    SUBMIT_SEQUENTIAL_CALLABLE(true, (s, k, t) -> s.submit((Callable<String>) new SequentialCall(k, t))),
    SUBMIT_COALESCING(true, (s, k, t) -> s.submit(new Coalescing(k, t))),
    SCHEDULE_SEQUENTIAL(true, (s, k, t) -> s.schedule(new Sequential(k, t), 1, MILLISECONDS)),
    SCHEDULE_SEQUENTIAL_CALLABLE(
            true, (s, k, t) -> s.schedule((Callable<String>) new SequentialCall(k, t), 1, MILLISECONDS)),
    SCHEDULE_COALESCING(true, (s, k, t) -> s.schedule(new Coalescing(k, t), 1, MILLISECONDS)),
    FIXED_RATE_SEQUENTIAL(true, (s, k, t) -> s.scheduleAtFixedRate(new Sequential(k, t), 0, 60, SECONDS)),
    FIXED_DELAY_SEQUENTIAL(true, (s, k, t) -> s.scheduleWithFixedDelay(new Sequential(k, t), 0, 60, SECONDS)),
    INVOKE_ALL(true, (s, k, t) -> s.invokeAll(List.of(new SequentialCall(k, t)))),
    INVOKE_ALL_TIMED(true, (s, k, t) -> s.invokeAll(List.of(new SequentialCall(k, t)), 60, SECONDS)),
    INVOKE_ANY(true, (s, k, t) -> s.invokeAny(List.of(new SequentialCall(k, t)))),
    INVOKE_ANY_TIMED(true, (s, k, t) -> s.invokeAny(List.of(new SequentialCall(k, t)), 60, SECONDS));

    private final boolean tagged;

    @SuppressWarnings("ImmutableEnumChecker") // has no state
    private final Way way;

    EntryPoint(Way way) {
        this(false, way);
    }

    EntryPoint(boolean tagged, Way way) {
        this.tagged = tagged;
        this.way = way;
    }

    /** Submits {@code task}. */
    void submit(Spindle spindle, Object key, Runnable task) throws Exception {
        way.submit(spindle, () -> key, task);
    }

    /** Submits {@code task}; if {@link #isTagged}, the task's {@code key()} calls {@code key}. */
    void submit(Spindle spindle, Supplier<Object> key, Runnable task) throws Exception {
        way.submit(spindle, key, task);
    }

    /** Returns true if the task itself carries the key. */
    boolean isTagged() {
        return tagged;
    }

    /** Returns true if the submit waits for the task. */
    boolean waits() {
        return name().startsWith("INVOKE");
    }

    /** Returns true if the task coalesces with others of the key. */
    boolean coalesces() {
        return name().contains("COALESC");
    }

    private static Keyed<Object> keys(Spindle spindle) {
        return spindle.keyed("tasks");
    }

    private static Callable<String> call(Runnable task) {
        return () -> {
            task.run();
            return "result";
        };
    }

    private static Callable<CompletableFuture<String>> async(Runnable task) {
        return () -> {
            task.run();
            return CompletableFuture.completedFuture("result");
        };
    }

    private interface Way {
        void submit(Spindle spindle, Supplier<Object> key, Runnable task) throws Exception;
    }

    /** A task that carries its key. */
    record Sequential(Supplier<Object> source, Runnable task) implements SequentialTask {
        @Override
        public Object key() {
            return source.get();
        }

        @Override
        public void run() {
            task.run();
        }
    }

    /** A task that carries its key and has a result. */
    record SequentialCall(Supplier<Object> source, Runnable task) implements SequentialTask, Callable<String> {
        @Override
        public Object key() {
            return source.get();
        }

        @Override
        public void run() {
            task.run();
        }

        @Override
        public String call() {
            task.run();
            return "result";
        }
    }

    /** A coalescing task. */
    record Coalescing(Supplier<Object> source, Runnable task) implements CoalescingTask {
        @Override
        public Object key() {
            return source.get();
        }

        @Override
        public void run() {
            task.run();
        }
    }
}
