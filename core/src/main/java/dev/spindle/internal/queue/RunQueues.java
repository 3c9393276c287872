// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The run queues of a pool, and the workers that own them. There are fewer run queues than blocked workers may be. */
final class RunQueues {
    /*
     * Each poll and each check for ready work reads all run queues, so their number must not grow with the number of
     * blocked workers. Computing workers are about as many as processors; twice as many run queues leave one for each
     * of them although some owners block.
     *
     * RunQueues-1  There are at most `most` run queues, and one more for each worker that took a batch before it knew
     *     that it has no run queue. A run queue has one owner, or is vacant, or lost; a worker gets one that is vacant,
     *     or a new one in place of a lost one, only if no entry is left in it and its batch gets none.
     * RunQueues-2  A lost run queue gets no entry that stays unseen. The owner adds an entry (RunQueue-5), then reads
     *     `lost`, and if it is set, takes the entry back and owns no run queue; another worker sets `lost`, then looks
     *     for entries (a full fence between), and replaces the run queue if there are none.
     *
     * field   writers                    readers  mode
     * all     a worker that gets a run   all      volatile, its elements too; written under this object's lock; its
     *         queue                               length never decreases
     *
     * An owner that announces a block moves its entries to the injection queue, since other workers reach a run queue
     * later, and gives the run queue up if there are no more. An owner that blocks without an announcement cannot act.
     * So a worker without a run queue looks at one of them after each LOOK adds, and takes it from its owner if the
     * owner has polled nothing since the last look. The entries of a lost run queue stay where other workers steal
     * them, so a loss moves no entry and needs no signal. An owner that runs a long task may lose its run queue as
     * well, and gets another later. A lane is in one queue at most, so the order of its tasks does not depend on
     * the queues.
     *
     * Tests: RunQueuesTest, RunQueuesLincheckTest; jcstress OwnAddAgainstLoss.
     */
    /** The minimum of {@link #most}. Not measured. */
    private static final int LEAST = 8;

    private final int capacity;
    private final int most;
    private final int claimAfter;
    private volatile AtomicReferenceArray<RunQueue> all = new AtomicReferenceArray<>(0);

    /** Creates the run queues of a pool, at most twice as many as processors. */
    RunQueues(int capacity) {
        this(capacity, Math.max(LEAST, 2 * Runtime.getRuntime().availableProcessors()), ReadyQueue.LOOK);
    }

    /**
     * Creates run queues for tests.
     *
     * @param capacity the capacity of each run queue, a power of two
     * @param most the maximum number of run queues
     * @param claimAfter the number of adds after which a worker without a run queue looks for one
     */
    RunQueues(int capacity, int most, int claimAfter) {
        this.capacity = capacity;
        this.most = most;
        this.claimAfter = claimAfter;
    }

    /** Returns the run queues. */
    AtomicReferenceArray<RunQueue> all() {
        return all;
    }

    /** Returns whether there are as many run queues as there may be. */
    boolean areAll() {
        return all.length() >= most;
    }

    /** Returns a run queue for a worker that has none, or null if there is none for it now (RunQueues-1). */
    @Nullable
    RunQueue claim(ReadyQueue.View worker) {
        if (areAll() && --worker.untilClaim > 0) {
            return null;
        }
        worker.untilClaim = claimAfter;
        return claimNow(worker);
    }

    private synchronized @Nullable RunQueue claimNow(ReadyQueue.View worker) { // RunQueues-1
        AtomicReferenceArray<RunQueue> now = all;
        if (areAll()) {
            loseIfStill(worker, now);
        }
        for (int i = 0; i < now.length(); i++) {
            RunQueue queue = now.get(i);
            if ((queue.isLost() || queue.isVacant()) && queue.isSpent()) { // RunQueues-2
                RunQueue own = queue.isLost() ? new RunQueue(capacity) : queue;
                own.setVacant(false);
                now.set(i, own);
                worker.own = own;
                return own;
            }
        }
        return areAll() ? null : append(worker);
    }

    /** Takes a run queue from its owner if the owner has polled no entry since the worker's last look. */
    private static void loseIfStill(ReadyQueue.View worker, AtomicReferenceArray<RunQueue> now) {
        RunQueue other = now.get(worker.claimPlace);
        if (other.head() == worker.claimHead && !other.isVacant()) {
            other.lose();
            VarHandle.fullFence(); // pairs with the owner's add (RunQueue-5, RunQueues-2)
        }
        worker.claimPlace = (worker.claimPlace + 1) % now.length();
        worker.claimHead = now.get(worker.claimPlace).head();
    }

    /** Returns a run queue for a worker that has taken a batch: one more than `most` if there is none. */
    synchronized RunQueue claimForBatch(ReadyQueue.View worker) {
        RunQueue own = claimNow(worker);
        return own != null ? own : append(worker);
    }

    private RunQueue append(ReadyQueue.View worker) {
        AtomicReferenceArray<RunQueue> old = all;
        AtomicReferenceArray<RunQueue> longer = new AtomicReferenceArray<>(old.length() + 1);
        for (int i = 0; i < old.length(); i++) {
            longer.set(i, old.get(i));
        }
        RunQueue own = new RunQueue(capacity);
        longer.set(old.length(), own);
        all = longer;
        worker.own = own;
        return own;
    }

    /** Makes the run queue of the calling worker vacant. */
    void release(ReadyQueue.View worker) {
        RunQueue own = worker.own;
        if (own != null) {
            worker.own = null;
            synchronized (this) {
                own.setVacant(true);
            }
        }
    }
}
