// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A pool whose entries run on the threads that call {@link #work}. */
public final class HandPool extends Pool {
    private static final int TERMINATED = Integer.MIN_VALUE;

    private final PoolConfig config;
    private final Queue<Object> ready = new ConcurrentLinkedQueue<>();
    private final AtomicInteger busy = new AtomicInteger();
    private volatile boolean stopping;

    /** A factory of the pool of a spindle without threads. */
    public static final class Maker implements Pool.Factory {
        private @Nullable HandPool made;

        /** Returns the pool of the spindle that was built with this factory. */
        HandPool made() {
            return Objects.requireNonNull(made);
        }

        @Override
        public Pool newPool(PoolConfig config, TimerQueue timers) {
            made = new HandPool(config);
            return made;
        }

        @Override
        public Thread newThread(Runnable task) {
            throw new UnsupportedOperationException("the model checker has the threads");
        }
    }

    public HandPool(PoolConfig config) {
        this.config = config;
    }

    @Override
    public PoolConfig.Host host() {
        return config.host();
    }

    /** Takes an entry and runs it, as a worker does. Returns false if there is none. */
    public boolean work() {
        int before;
        do {
            before = busy.get();
            if (before == TERMINATED) {
                return false;
            }
        } while (!busy.compareAndSet(before, before + 1));
        Object entry = ready.poll();
        if (entry != null) {
            WorkerContext worker = new WorkerContext(this, Long.MAX_VALUE);
            worker.bind();
            worker.execute(entry);
            worker.unbind();
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
    public void ready(Object entry) {
        ready.add(entry);
    }

    @Override
    public void readyAgain(ReadyEntry entry, WorkerContext worker) {
        ready.add(entry);
    }

    @Override
    public boolean hasReady() {
        return !ready.isEmpty();
    }

    @Override
    public boolean ensureThread() {
        return true;
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
    public List<Object> removeAll(Predicate<Object> wanted) {
        List<Object> removed = new ArrayList<>(ready);
        removed.removeIf(entry -> !wanted.test(entry) || !ready.remove(entry));
        return removed;
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
    public boolean timerAdded(Added added) {
        return true;
    }

    @Override
    public void forEachWorker(Consumer<WorkerContext> action) {}

    @Override
    public void interruptAll() {}

    @Override
    public long estimatedPlain() {
        return 0;
    }

    @Override
    public int maxThreads() {
        return config.max();
    }

    @Override
    public Counts counts() {
        return new Counts(0, 0, 0, 0, ready.size(), new Counters(), 0, 0);
    }
}
