// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.Counters;
import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.TimerQueue;
import dev.spindle.internal.jfr.JfrEvents;
import dev.spindle.internal.pool.size.AwakeLimit;
import dev.spindle.internal.pool.wake.WorkerStates;
import dev.spindle.internal.pool.watch.ClockThread;
import dev.spindle.internal.pool.watch.RetryDelay;
import dev.spindle.internal.pool.watch.WatchdogState;
import dev.spindle.internal.queue.ReadyQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The looks at the workers of a pool, which set the limit of awake workers (WorkerSet-5), end the claims of the owners
 * of entries (WorkerSet-8), and start and end solo mode (WorkerSet-11). The clock thread looks, or workers if no clock
 * thread can be started.
 */
final class Watchdog {
    /*
     * field           writers                     readers  mode
     * limit           under the lock              all      AwakeLimit
     * watch           see WatchdogState           all      WatchdogState
     * trial           under the lock              all      SoloTrial
     * processorsRead  a thread that reads their   all      volatile
     *                 number
     *
     * WorkerSet has the invariants of the looks. Tests: WorkerSetLimitTest, WorkerSetSoloTest, ClockThreadTest,
     * ElasticityContractTest.
     */
    /** The maximum number of threads with which solo mode is tried. Not measured. */
    private static final int MOST_FOR_SOLO = 256;

    /**
     * The time for which a reading of the number of processors is valid (T3). A container's quota may change this
     * number. Not measured.
     */
    static final long PROCESSORS_NANOS = 1_000_000_000;

    private final WorkerPool pool;
    private final WorkerSet workers;
    private final PoolConfig config;
    private final TimerQueue timers;
    private final WorkerStates states;
    private final ReentrantLock lock;
    private final WorkerRegistry registry;
    private final CoreSize core;
    private final AwakeLimit limit;
    private final WatchdogState watch;
    private final SoloTrial trial;
    final RetryDelay looks;
    private final ClockThread clock;
    private final ReadyQueue.View view = new ReadyQueue.View(new Counters()); // used by the clock thread

    @Nullable
    IntSupplier processors; // returns the number of processors, in tests

    private volatile long processorsRead; // the time of the last reading

    Watchdog(WorkerPool pool, WorkerSet workers, PoolConfig config, TimerQueue timers) {
        this.pool = pool;
        this.workers = workers;
        this.config = config;
        this.timers = timers;
        states = workers.states();
        lock = states.lock();
        registry = workers.registry();
        core = workers.core;
        limit = new AwakeLimit(core.size(), config.max(), countProcessors(), config.coreIsDefault());
        watch = new WatchdogState(limit, config.host().stuckLookNanos());
        trial = new SoloTrial(config.clock().getAsLong());
        looks = new RetryDelay(pool);
        clock = new ClockThread(pool, timers, watch, looks, pool.completer());
    }

    AwakeLimit awakeLimit() {
        return limit;
    }

    WatchdogState state() {
        return watch;
    }

    ClockThread clock() {
        return clock;
    }

    // ---------------------------------------------------------------- the limit

    boolean isFull() {
        return states.unblocked() >= limit.allowed();
    }

    /**
     * Returns true if more unblocked workers are awake than the limit allows. This happens when blocked workers have
     * resumed, when the limit has fallen, or when solo mode has begun.
     */
    boolean hasSurplus() {
        return states.unblocked() > limit.allowed(); // T1
    }

    /**
     * Called by an awake worker whose entry took long. If the limit is above {@link AwakeLimit#mostComputing}, and more
     * workers than that compute, lowers the limit below the number of unblocked awake workers, so that one leaves
     * service. With an unchanged limit, workers whose waits end at the same time would all compute until the next look.
     * Returns whether there is a surplus.
     */
    boolean leaveCrowd() {
        if (limit.limit() <= limit.mostComputing() || !registry.computeMoreThan(limit.mostComputing())) {
            return false;
        }
        lock.lock();
        try {
            limit.leave(states.unblocked()); // T3
        } finally {
            workers.unlock();
        }
        return hasSurplus();
    }

    private int countProcessors() {
        IntSupplier source = processors;
        return source == null ? Runtime.getRuntime().availableProcessors() : source.getAsInt();
    }

    /**
     * Reads the number of processors if the last reading is older than {@link #PROCESSORS_NANOS}. If the number has
     * changed, adjusts the limit, and signals if work is ready. Called without the lock when a thread has started, when
     * the last awake worker has become idle, and at each look.
     */
    void readProcessors(long now) {
        if (now - processorsRead < PROCESSORS_NANOS && processorsRead - now < PROCESSORS_NANOS) {
            return;
        }
        processorsRead = now;
        int count = countProcessors();
        if (count == limit.processors()) {
            return;
        }
        lock.lock();
        try {
            limit.processorsAre(count, core.size());
        } finally {
            workers.unlock();
        }
        workers.signalIfReady();
    }

    // ---------------------------------------------------------------- looks

    /** Returns whether workers replace the clock thread, which could not be started (WorkerSet-7). */
    boolean isUnwatched() {
        return clock.isMissing();
    }

    /**
     * Starts the clock thread, or performs its duties if the start fails. Returns the nanoseconds until the next call.
     */
    long lookInstead(Worker worker) {
        clock.ensureIfNeeded();
        if (!clock.isMissing()) {
            return Long.MAX_VALUE;
        }
        long now = worker.readClock();
        timers.fire(now, pool);
        lookAtWorkers(!worker.isVirtual(), now);
        return Math.min(RetryDelay.LEAST_NANOS, timers.untilNext(now));
    }

    /**
     * Arms the watch (WorkerSet-5). Returns false if the watch is armed already, or the pool ends. If this returns
     * true, the caller must call {@link ClockThread#ensure} after the lock is released.
     */
    boolean arm(long now) {
        if (watch.isArmed() || states.isEnding()) { // WorkerSet-5
            return false;
        }
        registry.beginLooking();
        limit.begin(now, registry.countWaiting());
        watch.arm();
        return true;
    }

    /** Returns true if the watch is armed, and the clock thread runs or no worker can be added (WorkerSet-5). */
    boolean isSeenTo() {
        return watch.isArmed() && (clock.isThere() || states.inService() >= states.max());
    }

    /** Looks for stuck work, if such a look is due (WatchdogState-1). Called by the clock thread. */
    void lookForStuck(long now) {
        if (!watch.isStuckLookDue(now)) {
            return;
        }
        boolean used = watch.beginStuckLook();
        long next = config.host().lookForStuck(now, used, states.isAtRest() && !pool.hasReady());
        if (next >= 0 || !watch.endStuckWatch()) {
            watch.endStuckLook(now + (next < 0 ? watch.stuckNanos() : next));
        }
    }

    /** Performs the looks that are due. Called by the clock thread. */
    void look(long now) {
        if (watch.beginSoon(now) && lookSoon() && pool.hasReady()) {
            boolean unused = workers.signal(); // WorkerSet-8, WorkerSet-11
        }
        lookAtWorkers(true, now);
    }

    private boolean lookSoon() {
        boolean ends = watch.endsOwnerAffine(pool.queue(), view);
        if (limit.isSolo()) {
            boolean ready = pool.hasReady();
            long steps = registry.estimatedSteps();
            lock.lock();
            try {
                ends |= watch.endsSolo(states.awake() == 0 || ready, steps);
            } finally {
                workers.unlock();
            }
        }
        return ends;
    }

    /** Returns whether no trial of solo mode is made, since counting the steps of all workers takes too long. */
    private boolean isTooLargeForSolo() {
        return states.threads() > MOST_FOR_SOLO && !limit.isSolo();
    }

    /**
     * Starts or ends solo mode as the trial decides at the end of a window (WorkerSet-11), unless the pool spins or
     * another thread has the lock. Solo mode starts only while the limit equals the base and the pool does not end.
     */
    void tryWorkers(long now) {
        if (!trial.isOver(now) || pool.spins() || isTooLargeForSolo() || !lock.tryLock()) {
            return;
        }
        boolean ended = false;
        boolean begun = false;
        try {
            if (trial.isOver(now)) {
                long steps = registry.estimatedSteps();
                boolean solo = trial.next(
                        now,
                        steps,
                        limit.isSolo(),
                        states.unblocked(),
                        pool.queue().hasMore(SoloTrial.FEW_ENTRIES));
                ended = limit.isSolo() && !solo;
                if (ended) {
                    limit.setSolo(false);
                } else if (solo && !limit.isSolo() && !limit.isRaised() && !states.isEnding()) {
                    watch.beginSolo(now, steps);
                    boolean unused = arm(now);
                    begun = true;
                }
            }
        } finally {
            workers.unlock();
        }
        if (begun && !clock.ensure(true)) {
            watch.endUnwatched();
            ended = true;
        }
        if (ended) {
            workers.signalIfReady(); // WorkerSet-4
        }
    }

    /** Returns whether an awake worker has to look at the workers, since there is no clock thread (WorkerSet-10). */
    boolean isLookDue(long now) {
        return clock.isMissing() && looks.left(now) == 0 && watch.isLookDue(now); // WorkerSet-10
    }

    /** Looks at the workers if a look is due, and sets the limit. {@code asksKernel} is false on a virtual thread. */
    void lookAtWorkers(boolean asksKernel, long now) {
        if (!beginLook(now)) {
            return;
        }
        readProcessors(now);
        WorkerRegistry.Look seen = null;
        boolean ready = false;
        try {
            ready = pool.hasReady();
            if (ready) {
                registry.hurry(); // WorkerSet-13
            }
            seen = registry.look(asksKernel); // a virtual thread blocks its carrier while it reads a file
        } finally {
            if (seen == null) { // the look has failed
                long unused = looks.failed(now);
                endLook();
            }
        }
        int before;
        int after;
        AwakeLimit.Outcome outcome;
        lock.lock();
        try {
            if (!watch.endLook()) {
                return;
            }
            before = limit.limit();
            outcome = limit.decide(new AwakeLimit.Sample(
                    now,
                    ready,
                    states.unblocked(),
                    states.coming(),
                    seen.working(),
                    seen.waiting(),
                    seen.computing(),
                    seen.ended()));
            after = limit.limit();
            if (outcome == AwakeLimit.Outcome.QUIET) {
                watch.disarm();
            }
            if (limit.isRaised()) {
                limit.setSolo(false); // solo mode would keep other workers from waking
            }
        } finally {
            workers.unlock();
        }
        JfrEvents.grew(pool, outcome == AwakeLimit.Outcome.STUCK, before, after, states.threads());
        if ((after > before || outcome == AwakeLimit.Outcome.QUIET) && pool.hasReady()) {
            boolean unused = workers.signal(); // WorkerSet-5
        }
    }

    private boolean beginLook(long now) {
        if (looks.left(now) > 0) {
            return false;
        }
        lock.lock();
        try {
            return watch.beginLook(now);
        } finally {
            workers.unlock();
        }
    }

    private void endLook() {
        lock.lock();
        try {
            watch.endLook();
        } finally {
            workers.unlock();
        }
    }
}
