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
 * A {@link Spindle} for tests, whose tasks run one at a time while the test waits for them. A seed determines their
 * order, and time passes only when the test lets it. So a test of ordered code is exact, fast and repeatable, and
 * trying many seeds finds faults that appear in few orders.
 *
 * <pre>{@code
 * Simulation.explore(1_000, simulation -> {
 *     Ledger ledger = new Ledger(simulation.spindle().keyed()); // the code under test
 *     ledger.transfer("a", "b", 100);
 *     ledger.transfer("b", "a", 30);
 *     simulation.run();
 *     assertThat(ledger.total()).isEqualTo(1_000);
 * });
 * }</pre>
 *
 * <p><b>Ordering.</b> Only the documented order holds: that of keys, strands and coalescing tasks. Other tasks
 * run in any order, and a lane may yield after any task. A task of a logical executor, or an event of a parallel stage,
 * may be overtaken after it has begun by as many others as may run concurrently with it. Tasks do not overlap: each
 * runs until it ends or waits, so a simulation does not show races on shared memory. Fair selects choose by the seed,
 * in the test too.
 *
 * <p><b>Waiting.</b> A task that waits for a future of this spindle stands still while others run, as if there were one
 * more worker. After the future is done, the seed determines when the task continues. The test waits in the same way
 * for a future, in {@code invokeAll}, {@code invokeAny}, {@code awaitTermination} and {@code close}, for room at a
 * bound, in a mailbox, a pipeline or a coalescer, and at a channel. It continues as soon as its wait is over. For other
 * futures call {@link #await}. Time passes if nothing is ready. A wait that can never end, such as a deadlock, throws
 * an {@link IllegalStateException} that names the waiting tasks.
 *
 * <p><b>Time limits</b>, including limits of waits, act in simulated time, at most one task late, regardless of ready
 * tasks.
 *
 * <p><b>Locks.</b> If a task waits while it holds a lock that another task needs, its wait throws an
 * {@link IllegalStateException} that names both. On a spindle with threads it would continue.
 *
 * <p><b>Interrupts</b> reach the task that they are meant for. An interrupt of the test's thread reaches the running
 * task, and the test after that task has ended.
 *
 * <p><b>Threads.</b> A simulation belongs to the thread that created it. Its tasks run on its own threads, at most one
 * at a time, and only while the test's thread stands still. Foreign threads may submit tasks and complete stages, but
 * then runs are not repeatable. If an async task is open, the test awaits a stage or a channel, or a foreign thread has
 * submitted, then a wait that nothing else ends lasts up to five seconds of real time, so that a foreign thread may end
 * it.
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
     * Does what {@link #inOrder()} does, with bounds, handlers and other options. Clock, threads and their number are
     * the simulation's.
     */
    public static Simulation inOrder(SpindleBuilder options) {
        return new Simulation(Order.oldestFirst(), "in order", 0, options);
    }

    /**
     * Returns a simulation whose order {@code seed} determines. The same seed gives the same run on every machine.
     */
    public static Simulation seeded(long seed) {
        return seeded(seed, options());
    }

    /**
     * Does what {@link #seeded(long)} does, with bounds, handlers and other options. Clock, threads and their number
     * are the simulation's.
     */
    public static Simulation seeded(long seed, SpindleBuilder options) {
        return new Simulation(Order.seeded(seed), "seed " + seed, -seed * 1_000_003, options);
    }

    /** A test that controls a simulation. */
    @FunctionalInterface
    public interface Scenario {
        /** Runs once, and throws if the test fails. */
        void run(Simulation simulation) throws Exception;
    }

    /**
     * Runs {@code scenario} with each of the seeds from 0 to {@code seeds} - 1, and closes each simulation.
     *
     * <p>It fails with an exception of the scenario, and with any failure of a task, handler or actor, unless the
     * scenario has {@linkplain #takeFailures taken} the failure or inspected the future that carries it: by
     * {@code get}, {@code join}, {@code isCompletedExceptionally} or a dependent stage. Inspecting the future is not
     * enough for an assertion that failed in a task.
     *
     * @throws AssertionError if a run fails; the message names the seed, with which {@link #replay} repeats it
     * @throws IllegalArgumentException if {@code seeds} is less than 1
     */
    public static void explore(int seeds, Scenario scenario) {
        explore(seeds, options(), scenario);
    }

    /**
     * Does what {@link #explore(int, Scenario)} does, with bounds, handlers and other options. Clock, threads and their
     * number are the simulation's. A failure handler is called in addition.
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
     * @throws AssertionError if it fails
     */
    public static void replay(long seed, Scenario scenario) {
        replay(seed, options(), scenario);
    }

    /**
     * Runs {@code scenario} with one seed as {@link #explore(int, SpindleBuilder, Scenario)} does.
     *
     * @throws AssertionError if it fails
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
        for (Throwable unexpected : simulation.takeFailures()) { // after the close, which may run more tasks
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
     * Removes and returns the failures of tasks, handlers and actors since the last call, the oldest first and at most
     * a thousand. Failures of futures that were inspected are not included. The returned failures do not fail a
     * scenario, so a scenario that expects failures calls this.
     */
    public List<Throwable> takeFailures() {
        return pool.takeFailures();
    }

    /** Returns the executor. */
    public Spindle spindle() {
        return spindle;
    }

    /**
     * Runs one turn or one plain task until it ends or waits. If nothing is ready but a task waits, time passes.
     *
     * @return false if nothing is ready
     */
    public boolean step() {
        return pool.step();
    }

    /**
     * Runs until nothing is ready. No time passes except what tasks and their waits take, so delayed tasks stay
     * delayed. A task that waits for an action of the test, such as the resume of a lane, stays waiting. A wait that is
     * part of a cycle fails.
     *
     * @return the number of steps
     * @throws IllegalStateException if it has not ended after ten million steps
     */
    public long run() {
        return pool.runAll();
    }

    /**
     * Advances the clock, and runs everything that is ready or becomes due on the way, each at its time. Tasks may
     * still wait afterwards. In a task, it only advances the clock: the task takes that long.
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
     * Runs until {@code stage} is completed, and returns its result. Time passes if nothing is ready.
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
     * Shuts down the executor and runs all accepted tasks, delayed ones included.
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

    /** The factory of the executor's pool. */
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
