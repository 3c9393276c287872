// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.testkit;

import static java.util.Objects.requireNonNull;

import dev.spindle.Spindle;
import dev.spindle.SpindleBuilder;
import dev.spindle.internal.CallersSimulation;
import dev.spindle.internal.Pool;
import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.TimerQueue;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Spindle} for tests, whose tasks run one at a time while the test waits for them. A seed determines the order
 * of the tasks, and the clock advances only when the test waits. So a test of ordered code is exact, fast and
 * repeatable. A test with many seeds finds faults that appear in few orders.
 *
 * <pre>{@code
 * Simulation.explore(1_000, simulation -> {
 *     Ledger ledger = new Ledger(simulation.spindle().keyed("accounts")); // the code under test
 *     ledger.transfer("a", "b", 100);
 *     ledger.transfer("b", "a", 30);
 *     simulation.run();
 *     assertThat(ledger.total()).isEqualTo(1_000);
 * });
 * }</pre>
 *
 * <p><b>Ordering.</b> Tasks of one key or strand, and coalescing tasks, run in their documented order. All other tasks
 * run in any order, and a lane may yield after any task. A task of a logical executor, or an event of a parallel stage,
 * may be overtaken by others that may run concurrently, even after a worker has taken it. Tasks do not overlap: each
 * task runs until it ends or waits, so a simulation does not show races on shared memory. The seed determines the
 * choices of fair selects, including selects in the test.
 *
 * <p><b>Waiting.</b> A task that waits for a future of this spindle stands still while others run, as if there were one
 * more worker. After the future is done, the seed determines when the task continues. The test may wait for a future of
 * this spindle, in {@code invokeAll}, {@code invokeAny}, {@code awaitTermination} and {@code close}, at a channel, and
 * for room at a bound, in a mailbox or in a pipeline. Tasks run until the wait of the test is over. For other futures,
 * call {@link #await}. The clock advances if nothing is ready. A wait that can never end, such as a deadlock, throws an
 * {@link IllegalStateException} that names the waiting tasks.
 *
 * <p><b>Time limits</b>, including the time limits of waits, act in simulated time, even while tasks are ready. They
 * are late by at most the time that one task takes.
 *
 * <p><b>Locks.</b> If a task waits while it holds a lock that another task needs, its wait throws an
 * {@link IllegalStateException} that names both tasks. On a spindle with threads, the wait could end normally.
 *
 * <p><b>Interrupts.</b> An interrupt of a task reaches this task only. An interrupt of the test's thread while it waits
 * reaches the running task, and afterwards the test.
 *
 * <p><b>Threads.</b> A simulation belongs to the thread that created it. Its tasks run on its own threads, at most one
 * at a time, and only while the test's thread stands still. Foreign threads may submit tasks and complete stages, but
 * then runs are not repeatable. When nothing can run, a simulation waits for foreign threads for at most five seconds
 * of real time. It does so only if an async task is open, the test awaits a stage or a channel, or a foreign thread has
 * submitted a task.
 */
public final class Simulation implements AutoCloseable {
    private final Spindle spindle;
    private final SteppedPool pool;
    private final ManualClock clock;
    private final String order;

    private Simulation(Order order, String described, long start, SpindleBuilder options) {
        clock = new ManualClock(start);
        this.order = described;
        Maker maker = new Maker(clock, order);
        spindle = options.threadFactory(maker).build();
        pool = requireNonNull(maker.made);
    }

    /** Returns a simulation that runs the oldest ready entry first, as a single worker would. */
    public static Simulation inOrder() {
        return inOrder(options());
    }

    /**
     * Does what {@link #inOrder()} does, with the bounds, handlers and other options of {@code options}. The simulation
     * replaces the clock, the threads and the number of threads.
     */
    public static Simulation inOrder(SpindleBuilder options) {
        return new Simulation(Order.oldestFirst(), "in order", 0, options);
    }

    /**
     * Returns a simulation with a random order, which {@code seed} determines. The same seed gives the same run on
     * every machine.
     */
    public static Simulation seeded(long seed) {
        return seeded(seed, options());
    }

    /**
     * Does what {@link #seeded(long)} does, with the bounds, handlers and other options of {@code options}. The
     * simulation replaces the clock, the threads and the number of threads.
     */
    public static Simulation seeded(long seed, SpindleBuilder options) {
        return new Simulation(Order.seeded(seed), "seed " + seed, -seed * 1_000_003, options);
    }

    /** A test that controls a simulation. */
    @FunctionalInterface
    public interface Scenario {
        /** Runs the test. An exception means that the test fails. */
        void run(Simulation simulation) throws Exception;
    }

    /**
     * Runs {@code scenario} with each of the seeds from 0 to {@code seeds} - 1, and closes each simulation.
     *
     * <p>A run fails if the scenario throws, or if a task, handler or actor fails. A failure of a task, handler or
     * actor is ignored if the scenario has {@linkplain #takeFailures taken} the failure. Such a failure is also ignored
     * if the scenario has inspected the future of the task, by {@code get}, {@code join},
     * {@code isCompletedExceptionally} or a dependent stage, unless the failure is an {@link AssertionError}.
     *
     * @throws AssertionError if a run fails; the message names the seed, with which {@link #replay} repeats the run
     * @throws IllegalArgumentException if {@code seeds} is less than 1
     */
    public static void explore(int seeds, Scenario scenario) {
        explore(seeds, options(), scenario);
    }

    /**
     * Does what {@link #explore(int, Scenario)} does, with the bounds, handlers and other options of {@code options}.
     * The simulation replaces the clock, the threads and the number of threads. A failure handler of {@code options} is
     * called, and does not keep a failure from failing the run.
     */
    public static void explore(int seeds, SpindleBuilder options, Scenario scenario) {
        if (seeds < 1) {
            throw new IllegalArgumentException("seeds must be at least 1, is " + seeds);
        }
        for (int seed = 0; seed < seeds; seed++) {
            replay(seed, options, scenario);
        }
    }

    /**
     * Runs {@code scenario} with one seed as {@link #explore} does.
     *
     * @throws AssertionError if the run fails
     */
    public static void replay(long seed, Scenario scenario) {
        replay(seed, options(), scenario);
    }

    /**
     * Runs {@code scenario} with one seed as {@link #explore(int, SpindleBuilder, Scenario)} does.
     *
     * @throws AssertionError if the run fails
     */
    public static void replay(long seed, SpindleBuilder options, Scenario scenario) {
        requireNonNull(scenario, "scenario");
        Simulation simulation = seeded(seed, options);
        Throwable failure = null;
        try (simulation) {
            scenario.run(simulation);
        } catch (Throwable t) {
            failure = t;
        }
        for (Throwable unexpected : simulation.takeFailures()) { // after close(), which may have run more tasks
            if (failure == null) {
                failure = unexpected;
            } else if (failure != unexpected) {
                failure.addSuppressed(unexpected);
            }
        }
        long unhandled = simulation.spindle().stats().handlerFailures();
        if (failure == null && unhandled > 0) {
            failure = new AssertionError("a failure handler has thrown, " + unhandled + " times in all");
        }
        if (failure != null) {
            throw new AssertionError(
                    "seed " + seed + " fails, see Simulation.replay(" + seed + ", ..): " + failure, failure);
        }
    }

    private static SpindleBuilder options() {
        return Spindle.builder().name("simulated");
    }

    /**
     * Removes and returns the failures of tasks, handlers and actors since the last call, oldest first and at most a
     * thousand. Failures of inspected futures are not included, except assertion errors. The returned failures do not
     * make a run fail, so a scenario that expects failures calls this method.
     */
    public List<Throwable> takeFailures() {
        return pool.takeFailures();
    }

    /** Returns the spindle of this simulation. */
    public Spindle spindle() {
        return spindle;
    }

    /**
     * Runs one turn or one plain task until it ends or waits. If nothing is ready and a task waits, the clock advances.
     *
     * @return false if nothing is ready
     */
    public boolean step() {
        return pool.step();
    }

    /**
     * Runs tasks until nothing is ready. The clock advances only while a task waits, so delayed tasks may stay delayed.
     * A task that waits for an action of the test, such as the resume of a lane, continues to wait. A wait that is part
     * of a cycle of waits throws an exception.
     *
     * @return the number of steps
     * @throws IllegalStateException if tasks are still ready after ten million steps
     */
    public long run() {
        return pool.runAll();
    }

    /**
     * Advances the clock by {@code time}, and runs every task that is ready or becomes due, each at its time. Tasks may
     * still wait afterwards. If a task calls this method, only the clock advances, as if the task took that long.
     *
     * @throws IllegalArgumentException if {@code time} is negative
     */
    public void advance(Duration time) {
        if (Objects.requireNonNull(time, "time").isNegative()) {
            throw new IllegalArgumentException("time only goes forward, not by " + time);
        }
        if (pool.isWorking()) {
            clock.advance(time.toNanos());
        } else {
            pool.advance(time.toNanos());
        }
    }

    /**
     * Runs tasks until {@code stage} is completed, and returns its result. The clock advances if nothing is ready.
     *
     * @throws ExecutionException with the failure of the stage as its cause
     * @throws IllegalStateException if no remaining work completes the stage
     */
    public <T extends @Nullable Object> T await(CompletionStage<T> stage)
            throws ExecutionException, InterruptedException {
        CompletableFuture<T> future = stage.toCompletableFuture();
        long unused = pool.awaitOutside(future::isDone, Long.MAX_VALUE, true);
        return future.get();
    }

    /**
     * Shuts down the spindle and runs all accepted tasks, including delayed tasks.
     *
     * @throws IllegalStateException if a task can never run
     */
    @Override
    public void close() {
        try {
            spindle.close();
        } finally {
            CallersSimulation.remove(pool);
        }
    }

    /** Returns a string with the order of execution and the spindle. */
    @Override
    public String toString() {
        return "simulation (" + order + ") of " + spindle;
    }

    /** The factory of the spindle's pool. */
    private static final class Maker implements Pool.Factory {
        private final ManualClock clock;
        private final Order order;
        private @Nullable SteppedPool made;

        Maker(ManualClock clock, Order order) {
            this.clock = clock;
            this.order = order;
        }

        @Override
        public LongSupplier clock() {
            return clock::nanoTime;
        }

        @Override
        public Pool newPool(PoolConfig config, TimerQueue timers) {
            made = new SteppedPool(config, timers, clock, order);
            return made;
        }

        @Override
        public Thread newThread(Runnable task) {
            throw new UnsupportedOperationException("a simulation has no threads");
        }
    }
}
