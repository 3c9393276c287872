// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Counters;
import dev.spindle.internal.DroppableEntry;
import dev.spindle.internal.Pool;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.Scheduler;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.lane.BoundedTask;
import dev.spindle.internal.lane.CoalescingSubmission;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.lane.LaneTable;
import dev.spindle.internal.limit.ConcurrencyLimiter;
import dev.spindle.internal.limit.CountedPermits;
import dev.spindle.internal.queue.InjectionQueue;
import dev.spindle.internal.queue.ReadyQueue;
import dev.spindle.internal.queue.RunQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import org.jspecify.annotations.Nullable;

/**
 * Runs every step of the lock-free protocols once, before the first executor is used. The JVM links a call of a {@link
 * java.lang.invoke.VarHandle} when it is first executed, and needs memory for that. A turn that finds none in the midst
 * of a protocol would lose a lane, so nothing may be linked there for the first time. Where only a race leads to a
 * call, it shares the line of another, in a method of its own. Test: VarHandleWarmupTest, which compares what is linked
 * with all there is.
 */
final class VarHandleWarmup implements Scheduler {
    private static final int TASKS = 3 * WorkerContext.QUANTUM; // enough for a lane to be queued again

    private static volatile boolean done;

    private final InjectionQueue queue = new InjectionQueue(1);
    private final WorkerContext worker = new WorkerContext(this, Long.MAX_VALUE);

    private VarHandleWarmup() {}

    /** Runs the steps unless that has been done before; {@code pool} is any. */
    static void run(Pool pool) {
        if (done) {
            return;
        }
        VarHandleWarmup warmup = new VarHandleWarmup();
        warmup.queues();
        warmup.lanes();
        warmup.executors();
        warmup.counters();
        waitForALock();
        handles(pool);
        done = true;
    }

    private void queues() {
        ReadyQueue ready = new ReadyQueue("warm-up");
        ReadyQueue.View one = new ReadyQueue.View(new Counters());
        ReadyQueue.View other = new ReadyQueue.View(new Counters());
        ready.offer(this);
        ready.removeFirst(entry -> entry == this);
        ready.offer(this);
        ready.hasReady();
        ready.offerOwn(one, this);
        ready.offerOwn(other, this);
        for (Object entry = this; entry != null && !(entry instanceof DroppableEntry); ) {
            entry = ready.poll(one); // steals the last
        }
        ready.leave(one);
        RunQueue own = new RunQueue(2);
        own.offer(this, 0);
        own.hasStampUpTo(0);
    }

    private void lanes() {
        LaneTable table = new LaneTable(this, key -> null, 1, () -> {}, lane -> {});
        LaneCore lane = table.lane(this);
        lane.push(() -> {}); // alone
        turns();
        CountedPermits places = new CountedPermits(1);
        places.tryTake();
        lane.push(new BoundedTask(() -> {}, places, null));
        lane.estimatedDepth();
        lane.dropOldest();
        lane.push(new BoundedTask(() -> {}, null, null));
        lane.offer(null, new Once());
        lane.offer(null, new Once());
        lane.offer("slot", new Once());
        turns();
        lane.push(() -> {
            for (int i = 0; i < TASKS; i++) {
                lane.push(() -> {}); // into chunks
            }
            queue.offer((Runnable) () -> {}); // so that the lane yields
            lane.pause(); // finds its worker
        });
        turns();
        lane.push(() -> {}); // held
        lane.resume();
        turns();
        lane.close();
    }

    private void executors() {
        ConcurrencyLimiter tokens = new ConcurrencyLimiter("warm-up", this, all -> all.accept(worker), 1, 1, () -> {});
        for (int i = 0; i < 2; i++) {
            tokens.arrive();
            tokens.publish(() -> {});
            turns();
        }
        tokens.interruptRunning();
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
        if (worker.completed() == 0 || worker.failed() != 0 || worker.started() == 0) { // as when a worker ends
            throw new AssertionError("warm-up tasks: " + worker.completed() + ", failed: " + worker.failed());
        }
    }

    /**
     * Initializes what a thread that has to wait for a lock takes its place with: once that fails, it fails for ever.
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

    private static void handles(Pool pool) {
        TaskFuture<@Nullable Object> future = new TaskFuture<>(pool, null, (Runnable) () -> {}, null);
        CompletableFuture<?> one = future.whenComplete((value, failure) -> {});
        CompletableFuture<?> other = future.thenRun(() -> {});
        future.run();

        CoalescingEntry entry = new CoalescingEntry(() -> {}, () -> {});
        CompletableFuture<?> outcome = entry.outcome();
        entry.run();

        boolean closed = new AtomicReference<@Nullable Pool>(pool).getAndSet(null) == pool; // of async tasks
        if (!one.isDone() || !other.isDone() || !outcome.isDone() || entry.state() != Coalesced.State.DONE || !closed) {
            throw new AssertionError("the warm-up task did not end: " + future + ", " + entry.state());
        }
    }

    /** A lock that somebody has. */
    private static final class NeverFree extends AbstractQueuedSynchronizer {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean tryAcquire(int ignored) {
            return false;
        }
    }

    /** A coalescing task that does nothing. */
    private static final class Once extends CoalescingSubmission {
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
