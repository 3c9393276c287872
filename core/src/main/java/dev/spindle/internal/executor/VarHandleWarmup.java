// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.Coalesced;
import dev.spindle.internal.Counters;
import dev.spindle.internal.DroppableEntry;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.Pool;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.Scheduler;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.lane.BoundedTask;
import dev.spindle.internal.lane.CoalescingSubmission;
import dev.spindle.internal.lane.LaneBarrier;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.lane.LaneTable;
import dev.spindle.internal.limit.ConcurrencyLimiter;
import dev.spindle.internal.limit.CountedPermits;
import dev.spindle.internal.queue.Batch;
import dev.spindle.internal.queue.InjectionQueue;
import dev.spindle.internal.queue.ReadyQueue;
import dev.spindle.internal.queue.RunQueue;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Executes every step of the lock-free protocols once, before the first executor is used. Those of bounds and logical
 * executors follow when the first of these is built. The JVM links a {@link java.lang.invoke.VarHandle} call when it
 * first executes it, and needs memory for that. A failure in the midst of a protocol would lose a lane, so no call may
 * be linked there. A call reached only by a race shares its line with another one, in a method of its own. Test:
 * VarHandleWarmupTest, which compares the linked calls with all calls.
 *
 * <p>The first task of a program waits for this, so it has no lambdas and few classes: StartUpTest.
 */
public final class VarHandleWarmup implements Scheduler, Runnable, Function<Object, @Nullable CountedPermits> {
    private static final int TASKS = 3 * WorkerContext.QUANTUM; // enough to make a lane yield

    private static volatile boolean done;
    private static volatile boolean boundsDone;
    private static volatile boolean executorsDone;

    private final InjectionQueue queue = new InjectionQueue(1);
    private final WorkerContext worker = new WorkerContext(this, Long.MAX_VALUE);

    private final Nothing<Object> nothing = new Nothing<>();

    private VarHandleWarmup() {}

    /** Executes the steps, if not yet done; {@code pool} may be any. */
    public static void run(Pool pool) {
        if (done) {
            return;
        }
        VarHandleWarmup warmup = new VarHandleWarmup();
        warmup.queues();
        warmup.lanes();
        warmup.counters();
        lifetimes();
        waitForALock();
        warmup.handles(pool);
        ThreadLocalRandom.current(); // initializes the class, which the counters of a ConcurrentHashMap use
        done = true;
    }

    private static void lifetimes() {
        Lifetime lifetime = Lifetime.ofNothing();
        if (lifetime.hold()) {
            lifetime.release();
        }
        boolean unused = lifetime.end(lifetime.look()) && lifetime.hold(); // a hold after the end is refused
    }

    private void queues() {
        ReadyQueue ready = new ReadyQueue("warm-up");
        ReadyQueue.View one = new ReadyQueue.View(new Counters());
        ReadyQueue.View other = new ReadyQueue.View(new Counters());
        ready.offer(this);
        ready.removeFirst(nothing);
        ready.offer(this);
        ready.hasReady();
        ready.offerOwn(one, this);
        ready.offerOwn(other, this);
        for (Object entry = this; entry != null && !(entry instanceof DroppableEntry); ) {
            entry = ready.poll(one); // the last poll steals
        }
        ready.leave(one);
        RunQueue own = new RunQueue(2);
        own.offer(this, 0);
        own.hasStampUpTo(0);
        own.hold(new Batch(this, 2));
        own.poll();
        Batch batch = new Batch(this, 2);
        batch.add(this);
        batch.take(nothing);
    }

    private void lanes() {
        LaneTable table = new LaneTable(this, this, 1, nothing, new Nothing<>());
        LaneCore lane = table.lane(this);
        lane.push(nothing); // the only task
        turns();
        lane.offer(null, new Nothing<>());
        lane.offer(null, new Nothing<>());
        lane.offer("slot", new Nothing<>());
        turns();
        lane.push(this);
        turns();
        lane.push(nothing); // the lane is held
        lane.resume();
        turns();
        lane.pause();
        lane.push(new LaneBarrier(nothing)); // a barrier passes the hold
        turns();
        lane.resume();
        turns();
        lane.close();
    }

    /** A task of the lane of {@link #lanes} that pushes more tasks. */
    @Override
    public void run() {
        LaneCore lane = (LaneCore) Objects.requireNonNull(worker.turn());
        for (int i = 0; i < TASKS; i++) {
            lane.push(nothing); // fills more than one chunk of the mailbox
        }
        queue.offer(nothing); // the lane yields to a ready entry
        lane.pause(); // looks up the worker that runs the lane
    }

    /** Executes the steps that only bounded executors take, if not yet done. */
    public static void runBounds() {
        if (!boundsDone) {
            new VarHandleWarmup().bounds();
            boundsDone = true;
        }
    }

    private void bounds() {
        LaneCore lane = new LaneTable(this, this, 1, nothing, new Nothing<>()).lane(this);
        CountedPermits places = new CountedPermits(1);
        if (!places.tryTake()) {
            throw new AssertionError("no place is free");
        }
        lane.push(new BoundedTask(nothing, places, null));
        lane.estimatedDepth();
        lane.dropOldest();
        places.giveBack(); // dropOldest passed the place to this thread
        lane.push(new BoundedTask(nothing, null, null));
        turns();
        lane.close();
    }

    /** Executes the steps that only logical executors take, if not yet done. */
    public static void runExecutors() {
        if (!executorsDone) {
            new VarHandleWarmup().executors();
            executorsDone = true;
        }
    }

    private void executors() {
        ConcurrencyLimiter tokens = new ConcurrencyLimiter("warm-up", this, new Nothing<>(), 1, 1, nothing);
        for (int i = 0; i < 2; i++) {
            tokens.arrive();
            tokens.publish(nothing);
            turns();
        }
        tokens.shutdown();
    }

    private void counters() {
        Counters counters = new Counters();
        counters.add(Counters.What.PARKS, 1);
        counters.addAll(counters);
        worker.beginBlocking();
        worker.endBlocking();
        if (worker.isBlocking()) {
            throw new AssertionError("blocks");
        }
        if (worker.completed() == 0 || worker.failed() != 0 || worker.started() == 0) { // as a worker that ends reads
            throw new AssertionError("warm-up tasks: " + worker.completed() + ", failed: " + worker.failed());
        }
    }

    /**
     * Initializes the JDK classes with which a thread queues for a lock: once their initialization has failed, it
     * always fails.
     */
    private static void waitForALock() {
        boolean interrupted = Thread.interrupted();
        try {
            new NeverFree().tryAcquireNanos(1, 1);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void handles(Pool pool) {
        TaskFuture<@Nullable Object> future = new TaskFuture<>(pool, null, nothing, null);
        CompletableFuture<?> one = future.whenComplete(nothing);
        CompletableFuture<?> other = future.thenRun(nothing);
        future.run();

        CoalescingEntry entry = new CoalescingEntry(nothing, nothing);
        CompletableFuture<?> outcome = entry.outcome();
        entry.run();

        if (pool.lifetime().hold()) {
            pool.lifetime().release();
        }
        boolean closed = new AtomicReference<@Nullable Pool>(pool).getAndSet(null) == pool; // as async tasks do
        if (!one.isDone() || !other.isDone() || !outcome.isDone() || entry.state() != Coalesced.State.DONE || !closed) {
            throw new AssertionError("the warm-up task did not end: " + future + ", " + entry.state());
        }
    }

    /** A lock that is never free. */
    private static final class NeverFree extends AbstractQueuedSynchronizer {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean tryAcquire(int ignored) {
            return false;
        }
    }

    /** An implementation of all required interfaces that does nothing: one class instead of many. */
    private static final class Nothing<T> extends CoalescingSubmission
            implements Predicate<Object>, Consumer<T>, BiConsumer<Object, Throwable> {
        @Override
        public void run() {}

        @Override
        public Runnable userTask() {
            return this;
        }

        @Override
        public void withdrawn() {}

        @Override
        protected void superseded() {}

        @Override
        public boolean test(Object entry) {
            return true;
        }

        @Override
        public void accept(T ignored) {}

        @Override
        public void accept(Object value, Throwable failure) {}
    }

    private void turns() {
        for (Object entry = queue.poll(); entry != null; entry = queue.poll()) {
            ReadyEntry ready = ReadyEntry.of(entry);
            if (ready != null) {
                ready.turn(worker);
            }
        }
    }

    @Override
    public void ready(Object entry) {
        queue.offer(entry);
    }

    @Override
    public void readyAgain(ReadyEntry entry) {
        queue.offer(entry);
    }

    @Override
    public @Nullable CountedPermits apply(Object key) {
        return null; // no bound
    }

    @Override
    public boolean hasReady() {
        return !queue.isEmpty();
    }

    @Override
    public long recentNanos() {
        return 0;
    }

    @Override
    public long nanoTime() {
        return 0;
    }

    @Override
    public void failed(@Nullable Object key, Runnable task, Throwable failure) {
        throw new IllegalStateException("a warm-up task failed", failure);
    }
}
