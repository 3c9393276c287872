// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** F3 and D1: submits of all kinds against both shutdowns. The threads of the model checker stand for the workers. */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class ShutdownLincheckTest {
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final HandPool[] pool = new HandPool[1];
    private final Spindle spindle = Spindle.builder().threadFactory(new Maker()).build();
    private final Keyed<String> keys = spindle.keyed();

    private void task() {
        ended.incrementAndGet();
    }

    private void submit(Runnable submit) {
        try {
            submit.run();
            accepted.incrementAndGet();
        } catch (RejectedExecutionException e) {
            check(spindle.isShutdown(), "refused by an open executor: " + e);
        }
    }

    @Operation
    public void plain() {
        submit(() -> spindle.execute(this::task));
    }

    @Operation
    public void keyed() {
        submit(() -> keys.execute("key", this::task));
    }

    @Operation
    public void work() {
        pool[0].work();
    }

    @Operation
    public void shutdown() {
        spindle.shutdown();
    }

    @Operation
    public void shutdownNow() {
        spindle.shutdownNow().forEach(task -> ended.incrementAndGet());
    }

    @Validate
    public void eachHasOneOutcome() {
        while (pool[0].work()) {}
        check(ended.get() == accepted.get(), accepted + " were accepted, " + ended + " ran or were returned");
        spindle.shutdown();
        while (pool[0].work()) {}
        check(spindle.isTerminated(), "has ended, and does not say so: " + spindle);
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }

    @Test
    void executor_everyInterleaving_givesEachTaskOneOutcome() {
        LincheckSettings.assertionsOnly()
                .actorsPerThread(1) // small ones: each operation has hundreds of steps
                .actorsAfter(0)
                .addCustomScenario(LincheckSettings.scenario(ShutdownLincheckTest.class, "", "plain", "shutdown"))
                .addGuarantee(
                        forClasses(TimerWheel.class.getName()).allMethods().treatAsAtomic()) // under a lock
                .check(ShutdownLincheckTest.class);
    }

    @Test
    void executor_onRealThreads_givesEachTaskOneOutcome() {
        LincheckSettings.stress().verifier(EpsilonVerifier.class).check(ShutdownLincheckTest.class);
    }

    private final class Maker implements Pool.Maker {
        @Override
        public Pool newPool(PoolConfig config, Timers timers) {
            pool[0] = new HandPool(config, timers);
            return pool[0];
        }

        @Override
        public Thread newThread(Runnable task) {
            throw new UnsupportedOperationException("the model checker has the threads");
        }
    }

    /** A pool whose entries are run by whoever calls {@link #work}. */
    private static final class HandPool extends Pool {
        private static final int TERMINATED = Integer.MIN_VALUE;

        private final PoolConfig config;
        private final Timers timers;
        private final Queue<Object> ready = new ConcurrentLinkedQueue<>();
        private final AtomicInteger busy = new AtomicInteger();
        private volatile boolean stopping;

        HandPool(PoolConfig config, Timers timers) {
            this.config = config;
            this.timers = timers;
        }

        /** As a worker: takes an entry and runs it; false when there is none. */
        boolean work() {
            int before;
            do {
                before = busy.get();
                if (before == TERMINATED) {
                    return false;
                }
            } while (!busy.compareAndSet(before, before + 1));
            Object entry = ready.poll();
            if (entry != null) {
                Runner runner = new Runner(this, Long.MAX_VALUE);
                runner.bind();
                runner.execute(entry);
                runner.unbind();
            }
            busy.decrementAndGet();
            tryTerminate();
            return entry != null;
        }

        @Override
        public void tryTerminate() {
            if (stopping && config.host().isQuiescent() && ready.isEmpty() && busy.compareAndSet(0, TERMINATED)) {
                config.host().terminated();
            }
        }

        @Override
        public void stop() {
            stopping = true;
            tryTerminate();
        }

        @Override
        public String name() {
            return config.name();
        }

        @Override
        public boolean ready(Object entry) {
            return ready.add(entry);
        }

        @Override
        public void readyAgain(LaneCore lane) {
            ready.add(lane);
        }

        @Override
        public boolean hasReady() {
            return !ready.isEmpty();
        }

        @Override
        public boolean takeBack(Object entry) {
            return false;
        }

        @Override
        public @Nullable Object removeFirst(Predicate<Object> wanted) {
            for (Object entry : List.copyOf(ready)) {
                if (wanted.test(entry) && ready.remove(entry)) {
                    return entry;
                }
            }
            return null;
        }

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public long recentNanos() {
            return 0;
        }

        @Override
        public void failed(@Nullable Object key, Runnable task, Throwable failure) {
            throw new IllegalStateException(failure);
        }

        @Override
        public boolean addTimer(Timers.Timer timer, long due) {
            timers.add(timer, due);
            return true;
        }

        @Override
        public void beginBlocking() {}

        @Override
        public void endBlocking() {}

        @Override
        public void forEachRunner(Consumer<Runner> action) {}

        @Override
        public void interruptAll() {}

        @Override
        public long estimatedPlain() {
            return 0;
        }

        @Override
        public Counts counts() {
            return new Counts(0, 0, 0, 0, ready.size(), new Counters(), 0, 0);
        }
    }
}
