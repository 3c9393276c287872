// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.Pool;
import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.timer.NoTimer;
import dev.spindle.internal.timer.Timers;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** The first timer is added while the watcher, with nothing to watch, leaves its post: somebody watches in the end. */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "The worker watches, still or again.")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "A timer that nobody watches.")
@State
public class AddAgainstUnwatch {
    /** Stands for a worker's thread; the actors do what it would. */
    private static final Thread UNSTARTED = new Thread() {
        @Override
        public synchronized void start() {}
    };

    private final Timers timers = new Timers(0);
    private final WorkerSet workers;
    private @Nullable Worker hired;

    /** The only worker watches, and there is no timer. */
    public AddAgainstUnwatch() {
        PoolConfig config = new PoolConfig(
                "test", 1, 1, Long.MAX_VALUE, 0, Long.MAX_VALUE, this::hire, null, false, true, () -> 0, new Nobody());
        workers = new WorkerSet(new WorkerPool(config, timers), config, timers);
        workers.watchTimers(false);
    }

    private Thread hire(Runnable worker) {
        hired = (Worker) worker;
        return UNSTARTED;
    }

    private Worker worker() {
        return Objects.requireNonNull(hired);
    }

    @Actor
    public void add() {
        workers.watchTimers(timers.add(new NoTimer(), 1) == Pool.Added.EARLIER); // as the pool does
    }

    @Actor
    public void unwatch() {
        workers.stopWatching(worker());
    }

    @Arbiter
    public void end(Z_Result result) {
        result.r1 = worker().state == Worker.WATCHING;
    }

    private static final class Nobody implements PoolConfig.Host {
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
