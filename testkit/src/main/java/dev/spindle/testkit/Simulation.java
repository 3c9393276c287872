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
import org.jspecify.annotations.Nullable;

/**
 * A {@link Spindle} for tests. Its tasks run one at a time, while the test waits for them, in an order that a seed
 * chooses; its time passes when the test lets it pass. So a test of ordered code is exact, fast, and
 * the same each time, and a fault that shows in one order out of many is found by trying many seeds.
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
 * <p><b>Order.</b> All promises about order hold, those of keys, strands and coalescing tasks, and nothing else: tasks
 * that no promise puts in an order run in any, and a lane may lose its turn after any task. Of the tasks of a logical
 * executor and the events of a parallel stage, one that began may be overtaken by as many as its limit lets run beside
 * it. Tasks do not overlap: a task runs until it ends or waits, and what two tasks do at the same moment, on memory
 * that they share, no simulation shows. A fair select draws as the seed says, also that of the test.
 *
 * <p><b>Waiting.</b> A task that waits for a future of this spindle stands still while others run, as if there were one
 * more worker; when it is done, the seed decides when the task goes on. The test waits in the same way, and goes on as
 * soon as what it waits for is done: for a future, in {@code invokeAll}, {@code invokeAny}, {@code awaitTermination}
 * and {@code close}, for room at a bound, in a mailbox, a pipeline or a coalescer, and at a channel. For other futures
 * there is {@link #await}. Time passes if nothing is ready. A wait that nothing can end throws an
 * {@link IllegalStateException} with the tasks that wait, which is how a deadlock shows.
 *
 * <p><b>Time limits</b>, those of waits included, act in simulated time: at most one task later, whatever is ready.
 *
 * <p><b>Locks.</b> A task that waits while it holds a lock, for which another then waits, keeps that one from running:
 * its wait throws an {@link IllegalStateException} that names the two. On a spindle with threads it would go on.
 *
 * <p><b>Interrupts</b> reach the task that they are for. One of the test's thread reaches the task that runs, and the
 * test when that has ended.
 *
 * <p><b>Threads.</b> A simulation belongs to the thread that made it. Its tasks run on threads of its own, of which at
 * most one runs, and only while that thread stands still. Others may submit tasks and complete stages, but then the run
 * is not the same each time. Where an async task is open, the test awaits a stage or a channel, or another thread has
 * submitted, a wait that nothing else ends lasts up to five seconds of real time, so that another thread may end it.
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
        spindle = options.clock(clock).threadFactory(maker).build();
        pool = requireNonNull(maker.made);
    }

    /** Returns a simulation that runs what has been ready for longest first, as a single worker would. */
    public static Simulation inOrder() {
        return inOrder(options());
    }

    /**
     * As {@link #inOrder()}, with bounds, handlers and other options; the clock, threads and their number are its own.
     */
    public static Simulation inOrder(SpindleBuilder options) {
        return new Simulation(Order.oldestFirst(), "in order", 0, options);
    }

    /**
     * Returns a simulation in an order that {@code seed} chooses: the same seed gives the same run on every machine.
     */
    public static Simulation seeded(long seed) {
        return seeded(seed, options());
    }

    /**
     * As {@link #seeded(long)}, with bounds, handlers and other options; the clock, threads and their number are its
     * own.
     */
    public static Simulation seeded(long seed, SpindleBuilder options) {
        return new Simulation(Order.seeded(seed), "seed " + seed, -seed * 1_000_003, options);
    }

    /** A test's control over a simulation. */
    @FunctionalInterface
    public interface Scenario {
        /** Runs once, and throws if something is wrong. */
        void run(Simulation simulation) throws Exception;
    }

    /**
     * Runs {@code scenario} with each of the seeds from 0 to {@code seeds} - 1, and closes each simulation.
     *
     * <p>It fails with what the scenario throws, and also with any failure of a task, handler or actor, unless the
     * scenario has {@linkplain #takeFailures taken} it, or has looked at the future that carries it: by {@code get},
     * {@code join} or {@code isCompletedExceptionally}, or in a stage that depends on it. Of assertions that fail in a
     * task, to look at the future is not enough.
     *
     * @throws AssertionError if it fails; the message names the seed, with which {@link #replay} shows the same again
     * @throws IllegalArgumentException if {@code seeds} is below 1
     */
    public static void explore(int seeds, Scenario scenario) {
        explore(seeds, options(), scenario);
    }

    /**
     * As {@link #explore(int, Scenario)}, with bounds, handlers and other options; the clock, threads and their number
     * are its own. A failure handler is told of failures in addition.
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
     * Runs {@code scenario} with one seed, as {@link #explore} does.
     *
     * @throws AssertionError if it fails
     */
    public static void replay(long seed, Scenario scenario) {
        replay(seed, options(), scenario);
    }

    /**
     * Runs {@code scenario} with one seed, as {@link #explore(int, SpindleBuilder, Scenario)} does.
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
        for (Throwable unexpected : simulation.takeFailures()) { // after the close, which may run more
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
     * Returns what tasks, handlers and actors have failed with since the last call of this method, the oldest first
     * and a thousand at most, but for the failures of futures that something has looked at. What is returned here does
     * not fail a scenario: it is how that says that it expects a failure.
     */
    public List<Throwable> takeFailures() {
        return pool.takeFailures();
    }

    /** Returns the executor. */
    public Spindle spindle() {
        return spindle;
    }

    /** Returns the executor's clock. A task that advances it takes that long. */
    public ManualClock clock() {
        return clock;
    }

    /**
     * Returns a number from 0 to 1, without 1, that the seed chooses: for a scenario, and for code under test that
     * draws and can be told where from, such as the jitter of retries.
     */
    public double random() {
        return pool.draw(1 << 30) / (double) (1 << 30);
    }

    /**
     * Runs one turn, or one plain task, until it ends or waits. If nothing is ready but a task that has begun waits,
     * time passes.
     *
     * @return false when nothing is ready
     */
    public boolean step() {
        return pool.step();
    }

    /**
     * Runs until nothing is ready. No time passes, save what tasks take, their waits included: what is delayed stays
     * so. A task that waits for what only the test can bring about, a paused lane for one, is left waiting; the wait of
     * one that waits, over others, for itself fails.
     *
     * @return the number of steps
     * @throws IllegalStateException if it does not end, after ten million steps
     */
    public long run() {
        return pool.runAll();
    }

    /**
     * Lets time pass, and runs all that is ready and becomes due on the way, each at its time. Tasks may still wait
     * afterwards.
     *
     * @throws IllegalArgumentException if {@code time} is negative
     */
    public void advance(Duration time) {
        if (Objects.requireNonNull(time, "time").isNegative()) {
            throw new IllegalArgumentException("time only goes forward, not by " + time);
        }
        pool.advance(time.toNanos());
    }

    /**
     * Runs until {@code stage} is completed, and returns its result. Time passes if nothing is ready.
     *
     * @throws ExecutionException with what the stage failed with
     * @throws IllegalStateException if nothing that is left to do completes it
     */
    public <T extends @Nullable Object> T await(CompletionStage<T> stage)
            throws ExecutionException, InterruptedException {
        CompletableFuture<T> future = stage.toCompletableFuture();
        long unused = pool.awaitOutside(future::isDone, Long.MAX_VALUE, true);
        return future.get();
    }

    /**
     * Shuts the executor down and runs everything that was accepted, delayed tasks included.
     *
     * @throws IllegalStateException if some of it can never run
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

    /** Gives the executor its pool. */
    private static final class Maker implements Pool.Factory {
        private final ManualClock clock;
        private final Order order;
        private @Nullable SteppedPool made;

        Maker(ManualClock clock, Order order) {
            this.clock = clock;
            this.order = order;
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
