// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.Pool;
import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.pool.watch.ClockThread;
import dev.spindle.internal.timer.NoTimer;
import dev.spindle.internal.timer.Timers;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** The add of the first timer meets the end of the clock thread, which has nothing to watch: the timer is watched. */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "The clock thread runs, still or again.")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "No thread watches the timer.")
@State
public class AddAgainstUnwatch {
    /** A clock thread that never runs; the actors take its steps. */
    private static final Thread UNSTARTED = new Thread() {
        @Override
        public synchronized void start() {}
    };

    private final Timers timers = new Timers(0);
    private final ClockThread clock;

    /** The clock thread runs, and there is no timer. */
    public AddAgainstUnwatch() {
        PoolConfig config = new PoolConfig(
                "test",
                1,
                1,
                Long.MAX_VALUE,
                0,
                Long.MAX_VALUE,
                worker -> UNSTARTED,
                null,
                false,
                true,
                () -> 0,
                new NoHost());
        clock = new WorkerPool(config, timers, (body, name) -> UNSTARTED)
                .workers()
                .watchdog()
                .clock();
        clock.ensure(false);
    }

    @Actor
    public void add() {
        clock.ensure(timers.add(new NoTimer(), 1) == Pool.Added.EARLIER); // as the pool does
    }

    @Actor
    public void unwatch() {
        clock.leaves();
    }

    @Arbiter
    public void end(Z_Result result) {
        result.r1 = clock.isThere();
    }

    private static final class NoHost implements PoolConfig.Host {
        @Override
        public void taskFailed(@Nullable Object key, Runnable task, Throwable failure) {}

        @Override
        public void threadFailed(Throwable failure) {
            throw new AssertionError(failure);
        }

        @Override
        public boolean isQuiescent() {
            return false;
        }

        @Override
        public void terminated() {}
    }
}
