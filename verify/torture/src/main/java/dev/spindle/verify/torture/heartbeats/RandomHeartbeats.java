// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.heartbeats;

import dev.spindle.Keyed;
import dev.spindle.LogicalExecutor;
import dev.spindle.Spindle;
import dev.spindle.Strand;
import dev.spindle.StrandBuilder;
import dev.spindle.WaitStrategy;
import dev.spindle.internal.TimeLimit;
import dev.spindle.internal.TimeLimits;
import dev.spindle.verify.torture.tools.Pause;
import dev.spindle.verify.torture.tools.PoolState;
import dev.spindle.verify.torture.tools.RandomProgram;
import dev.spindle.verify.torture.tools.Spindles;
import dev.spindle.verify.torture.tools.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a pool, or a strand with its own thread. Runners always have work, and beats must nevertheless recur. The seed
 * determines everything except the scheduling of threads.
 */
public final class RandomHeartbeats extends RandomProgram {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SLOW_FACTORY_NANOS = TimeUnit.MILLISECONDS.toNanos(600);
    private static final Duration GRACE = Duration.ofMillis(20);
    private static final Threads.Kind[] FACTORIES = Threads.Kind.values();
    private static final int LEAST_TICKS = 800;
    private static final int MOST_RUNNERS = 3;
    private static final int MOST_STEP_NANOS = 300_000;
    private static final int SPARE = 4;

    /** The shapes of the pool. */
    private enum Shape {
        FIXED_ONE,
        FIXED_TWO,
        ELASTIC,
        OWN_THREAD
    }

    /** The ways to end. */
    private enum End {
        CLOSE,
        SHUTDOWN,
        NOW,
        /**
         * Shuts down a strand with a quiet period while the strand has work, and then calls its {@code shutdownNow}.
         */
        GRACEFUL
    }

    private final SplittableRandom random;
    private final Shape shape;
    private final Threads.Kind factory;
    private final Threads threads;
    private final End end;
    private final boolean stopsFirst;
    private final @Nullable Spindle spindle;
    private final int max;
    private final Strand strand;
    private final List<Site> sites = new ArrayList<>();
    private final List<Runner> runners = new ArrayList<>();
    private final Beats beats = new Beats(this::isOver);
    private volatile boolean over;
    private boolean blocksLimits;
    private long tick;

    /** Creates the program for a seed; {@link #run()} returns the number of beats. */
    public RandomHeartbeats(long seed) {
        random = new SplittableRandom(seed);
        shape = one(Shape.values());
        factory = random.nextBoolean() ? Threads.Kind.SOUND : one(FACTORIES);
        threads = new Threads("heartbeats-" + seed, factory, SLOW_FACTORY_NANOS);
        end = one(End.values());
        stopsFirst = random.nextInt(3) == 0;
        if (shape == Shape.OWN_THREAD) {
            spindle = null;
            max = 1;
            strand = quiet(Strand.builder("own", threads, WaitStrategy.PARK));
        } else {
            int core = shape == Shape.FIXED_ONE ? 1 : shape == Shape.FIXED_TWO ? 2 : 1 + random.nextInt(2);
            max = shape == Shape.ELASTIC ? core + SPARE : core;
            spindle = Spindles.builder()
                    .name("heartbeats-" + seed)
                    .coreThreads(core)
                    .maxThreads(max)
                    .threadFactory(threads)
                    .build();
            strand = quiet(spindle.strandBuilder("strand"));
        }
    }

    private <T> T one(T[] of) {
        return of[random.nextInt(of.length)];
    }

    private boolean isOver() {
        return over;
    }

    @Override
    protected int run() {
        String broken = whatBreaks();
        if (broken != null) {
            throw new AssertionError(broken);
        }
        return beats.all().stream().mapToInt(Beat::count).sum();
    }

    @Override
    protected void release() {
        over = true;
        owner().shutdownNow();
    }

    private String state() {
        return spindle == null ? "" : System.lineSeparator() + PoolState.of(spindle);
    }

    private ExecutorService owner() {
        return spindle != null ? spindle : strand;
    }

    private @Nullable String whatBreaks() {
        draw();
        beats.threads().forEach(Thread::start);
        long until = LEAST_TICKS + (long) random.nextInt(LEAST_TICKS);
        while (tick < until) {
            String late = tick();
            if (late != null) {
                return "A2, T2 or T3 is broken: " + late + state();
            }
        }
        over = stopsFirst;
        return stopsFirst && !crowds() ? "T7 is broken: tasks that spin until all run do not end" + state() : end();
    }

    /**
     * Submits as many tasks as the pool may have threads. Each task spins until all tasks run. Returns false if the
     * tasks do not all end. Returns true at once without a pool, or with a factory that fails.
     */
    private boolean crowds() {
        if (spindle == null || factory.isFailing()) {
            return true; // there is no pool, or its factory may have created fewer than max threads
        }
        AtomicInteger missing = new AtomicInteger(max);
        AtomicBoolean ends = new AtomicBoolean();
        CountDownLatch ended = new CountDownLatch(max);
        for (int i = max; i > 0; i--) {
            spindle.execute(() -> {
                missing.decrementAndGet();
                while (missing.get() > 0 && !ends.get()) {
                    Thread.onSpinWait();
                }
                ended.countDown();
            });
        }
        boolean all = comes(() -> ended.getCount() == 0);
        ends.set(true);
        return all;
    }

    // ---------------------------------------------------------------- the parts of the program

    private void draw() {
        sites.add(Site.ofLane("strand", strand));
        if (spindle != null) {
            Keyed<String> keyed = spindle.keyed("keys");
            LogicalExecutor view = spindle.executor("view", 1 + random.nextInt(2));
            sites.add(Site.ofLane("key", keyed.at("key")));
            sites.add(Site.of("view", view));
            sites.add(Site.of("pool", spindle));
        }
        for (int runner = random.nextInt(MOST_RUNNERS + 1); runner > 0; runner--) {
            runners.add(new Runner(one(), random.nextInt(3) == 0 ? 0 : random.nextInt(MOST_STEP_NANOS), this::isOver));
        }
        if (end == End.GRACEFUL) {
            runners.add(new Runner(sites.get(0), random.nextInt(MOST_STEP_NANOS), this::isOver));
        }
        runners.forEach(runner -> beats.insist(() -> runner.site().executor().execute(runner)));
        for (int beat = 1 + random.nextInt(4); beat > 0; beat--) {
            addBeat();
        }
        if (shape == Shape.ELASTIC && !beats.block() && isPrompt() && random.nextInt(3) == 0) {
            for (int limit = 1 + random.nextInt(SPARE - 1); limit > 0; limit--) {
                TimeLimit unused = TimeLimits.set(pool(), Duration.ofMillis(random.nextInt(20)), this::awaitOver);
            }
            blocksLimits = true;
        }
        if (!blocksLimits && spindle != null && shape != Shape.FIXED_ONE && random.nextInt(3) == 0) {
            beats.nap(spindle.keyed("keys").at("napping"));
        }
    }

    private boolean isPrompt() {
        return !factory.isFailing() && factory != Threads.Kind.SLOW;
    }

    /** Blocks a worker in the action of a time limit. */
    private void awaitOver() {
        while (!over && !owner().isShutdown()) {
            Pause.park(TICK_NANOS);
        }
    }

    private Site one() {
        return sites.get(random.nextInt(sites.size()));
    }

    private void addBeat() {
        int period = 2 + random.nextInt(20);
        int kind = random.nextInt(7);
        // If all workers are blocked and the factory fails, the pool creates no thread until the next submission.
        if (kind == 6 && shape == Shape.ELASTIC && !factory.isFailing()) {
            beats.unblock(Site.of("pool", pool()), 1 + random.nextInt(SPARE - 1), period);
        } else if (kind == 5 && spindle != null) {
            beats.coalescing(Site.of("pool", pool()), period);
        } else if (kind == 4) {
            beats.limit(spindle == null ? strand : spindle.keyed("keys").at("limited"), period);
        } else if (kind == 3) {
            beats.probe(one(), period);
        } else if (kind == 2) {
            beats.again(one(), period);
        } else if (kind == 1) {
            beats.withFixedDelay(one(), period);
        } else {
            beats.atFixedRate(one(), period);
        }
    }

    private Spindle pool() {
        if (spindle == null) {
            throw new IllegalStateException("a strand with a thread of its own has no pool");
        }
        return spindle;
    }

    // ---------------------------------------------------------------- the events that must happen

    /** Waits for a tick; returns a description of an overdue beat, or null. */
    private @Nullable String tick() {
        Pause.whole(TICK_NANOS);
        tick++;
        long[] work = runners.stream().mapToLong(Runner::work).toArray();
        for (Beat beat : beats.all()) {
            Thread submitter = beat.submitter();
            boolean held =
                    (submitter != null && threads.holdsUp(submitter)) || (beats.block() && threads.isHoldingUp());
            String late = beat.look(tick, held, work);
            if (late != null) {
                return late;
            }
        }
        return null;
    }

    private Strand quiet(StrandBuilder builder) {
        return builder.quietPeriod(end == End.GRACEFUL ? GRACE : Duration.ZERO).build();
    }

    private @Nullable String end() {
        if (end == End.GRACEFUL) {
            strand.shutdown();
            LockSupport.parkNanos(GRACE.toNanos());
            strand.shutdownNow();
            if (!comes(strand.terminated()::isDone)) {
                return "D1 is broken: a shutdownNow in the quiet period of the strand has not ended it";
            }
        }
        switch (end) {
            case NOW -> owner().shutdownNow();
            case CLOSE -> {
                Thread closing = new Thread(spindle != null ? spindle::close : strand::close, "torture-close");
                closing.setDaemon(true);
                closing.start();
            }
            case SHUTDOWN, GRACEFUL -> owner().shutdown();
        }
        boolean terminated = comes(owner()::isTerminated);
        over = true;
        if (!terminated) {
            return "D1 is broken: it has not terminated after " + end + state();
        }
        for (Thread thread : beats.threads()) {
            if (!comes(() -> !thread.isAlive())) {
                return "F3 or T2 is broken: a thread outside waits without end";
            }
        }
        return null;
    }

    private static boolean comes(BooleanSupplier event) {
        for (int i = 0; i < Limits.END_TICKS && !event.getAsBoolean(); i++) {
            Pause.whole(TICK_NANOS);
        }
        return event.getAsBoolean();
    }

    @Override
    public String toString() {
        return shape + ", threads " + factory + ", runners " + runners + ", beats " + beats.all() + ", end " + end
                + (stopsFirst ? " of what is idle" : "") + (blocksLimits ? ", limits that block" : "");
    }
}
