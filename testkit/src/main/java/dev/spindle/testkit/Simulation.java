// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.testkit;

import static java.util.Objects.requireNonNull;

import dev.spindle.Spindle;
import dev.spindle.SpindleBuilder;
import dev.spindle.internal.Pool;
import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.TimerQueue;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Spindle} without threads, for tests. Its tasks run on the thread of the test, when that asks for it, in an
 * order that a seed chooses; its time passes when the test lets it pass. So a test of ordered code is exact, fast, and
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
 * that no promise puts in an order run in any, and a lane may lose its turn after any task. Tasks do not overlap; what
 * two tasks do at the same moment, on memory that they share, no simulation shows.
 *
 * <p><b>Waiting.</b> A thread that waits would wait for ever for tasks that only it can run. So waiting for a future of
 * this spindle runs tasks until that is done, within the test as well as within a task, which is as if there were
 * another worker; the same is true of {@code invokeAll}, {@code invokeAny}, {@code awaitTermination}, {@code close} and
 * of submitters that wait for room. Time passes meanwhile if nothing is ready. A wait that nothing can end throws an
 * {@link IllegalStateException}, which is how a deadlock shows. For other futures there is {@link #await}.
 *
 * <p><b>Interrupts</b> reach the task that runs. One that waits for another, which therefore runs, learns of them by
 * {@code shutdownNow} alone, and when it goes on.
 *
 * <p><b>Threads.</b> A simulation belongs to the thread that made it. Others may submit tasks and complete stages, but
 * then the run is not the same each time.
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
        return inOrder(Spindle.builder().name("simulated"));
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
        return seeded(seed, Spindle.builder().name("simulated"));
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
     * @throws AssertionError if it throws; the message names the seed, with which {@link #replay} shows the same again
     * @throws IllegalArgumentException if {@code seeds} is below 1
     */
    public static void explore(int seeds, Scenario scenario) {
        if (seeds < 1) {
            throw new IllegalArgumentException("seeds must be at least 1, is " + seeds);
        }
        for (int seed = 0; seed < seeds; seed++) {
            replay(seed, scenario);
        }
    }

    /**
     * Runs {@code scenario} with one seed.
     *
     * @throws AssertionError if it throws
     */
    public static void replay(long seed, Scenario scenario) {
        requireNonNull(scenario, "scenario");
        try (Simulation simulation = seeded(seed)) {
            scenario.run(simulation);
        } catch (Exception | AssertionError e) {
            throw new AssertionError("seed " + seed + " fails, see Simulation.replay(" + seed + ", ..): " + e, e);
        }
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
     * Runs one turn, or one plain task.
     *
     * @return false when nothing is ready
     */
    public boolean step() {
        return pool.step();
    }

    /**
     * Runs until nothing is ready. No time passes, save what tasks take: what is delayed stays so.
     *
     * @return the number of steps
     * @throws IllegalStateException if it does not end, after ten million steps
     */
    public long run() {
        return pool.runAll();
    }

    /**
     * Lets time pass, and runs all that is ready and becomes due on the way, each at its time.
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
        pool.await(future::isDone, Long.MAX_VALUE);
        return future.get();
    }

    /**
     * Shuts the executor down and runs everything that was accepted, delayed tasks included.
     *
     * @throws IllegalStateException if some of it can never run
     */
    @Override
    public void close() {
        spindle.close();
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
