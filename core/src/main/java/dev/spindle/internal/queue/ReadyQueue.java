// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.Counters;
import dev.spindle.internal.Initialization;
import dev.spindle.internal.Padding;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.WorkerContext.TaskObserver;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The ready entries of a pool, on two levels. All workers share an injection queue, for entries from outside. Some
 * workers have a bounded run queue, for the entries that this worker makes ready. A worker adds to its own run queue
 * without a read-modify-write; other workers may steal entries from that queue. Entries that do not fit into a run
 * queue go to the injection queue in batches. Entries of a worker without a run queue go to the injection queue.
 */
public final class ReadyQueue {
    /*
     * ReadyQueue-1  A worker stamps each entry of its run queue with the position of the end of the injection queue.
     *     The worker first takes the entries of the injection queue that are before this position, so a single worker
     *     serves all entries in the order in which they became ready.
     * ReadyQueue-2  A worker that finds no entry in the injection queue or its own run queue steals from another run
     *     queue. In one of LOOK polls, a worker first looks at another run queue, and takes an entry of that run queue
     *     if the injection queue has no older entry and the owner is slow.
     * ReadyQueue-3  A single entry in a run queue is owner-affine while the owner takes entries: another worker reads
     *     the head of the run queue up to WATCH times, and steals the entry only if the head does not move. A worker
     *     that does not steal such an entry reports this by leftOwnerAffine (WorkerSet-8).
     * ReadyQueue-4  A worker may be without a run queue (RunQueues). Then its entries go to the injection queue, and
     *     the worker takes the entries of a batch one by one, while the batch keeps its slot.
     * ReadyQueue-5  hasReady() sees every entry whose offer precedes the call in the order of volatile accesses
     *     (WorkerSet-2).
     * ReadyQueue-6  A worker that has made a batch adds its further entries to the batch, until the batch is full or
     *     given up, or more slots of the injection queue follow the batch than there are run queues. While a worker
     *     takes a batch, the entries of the batch are in no queue, so the worker signals afterwards (tookBatch).
     *
     * For the look of ReadyQueue-2, an owner is slow if it has taken no entry since the worker's last look, or if its
     * run queue is more than twice as long as the worker's own. So the look serves entries whose owner is blocked or
     * preempted. Without the look, the entries of a long run queue would wait much longer than in one queue for all
     * workers. Without ReadyQueue-3, two lanes that send single messages to each other would migrate between processors
     * with each message. By the conditions of ReadyQueue-6, an entry is overtaken by at most one batch of each worker.
     *
     * An element is a ReadyEntry or a plain task. A plain task may be any Runnable of a user, so the type of an element
     * is Object. A wrapper would cost an allocation for each plain task. If the type were Runnable, each access would
     * need an interface check, and WorkerContext.execute would still have to distinguish entries from tasks.
     *
     * Tests: ReadyQueueTest, ReadyQueueLincheckTest, FairnessContractTest; jcstress OwnSignalAgainstPark,
     * PollAgainstSteal.
     */
    /**
     * A worker looks at another run queue once in this number of polls, or in the second poll after a look that has
     * taken an entry (ReadyQueue-2). Measured on two processors: tasks that tasks submit cost 1.16 times as much with
     * 8, and as much with 32.
     */
    public static final int LOOK = 16;

    /**
     * The same for a worker without a run queue while there are no more (RunQueues-1). With LOOK, workers that each
     * block after a few polls would not come to an entry behind a blocked owner. Not measured.
     */
    private static final int LOOK_WITHOUT = 4;

    /**
     * The number of reads of a head by which a worker finds out whether the owner takes its entries (ReadyQueue-3). The
     * reads take 2 to 4 µs. With 64, 1,000 and 5,000 reads, a message between two actors took 34, 41 and 33 ns,
     * measured in one process each; a round trip between two strands took as long with 32 and 128.
     */
    private static final int WATCH = 64;

    private static final Predicate<Object> ANY = new Predicate<>() {
        @Override
        public boolean test(Object entry) {
            return true;
        }
    };

    /**
     * The number of entries by which another run queue must exceed twice the worker's own before the worker helps. Not
     * measured.
     */
    private static final int SLACK = 8;

    /**
     * The capacity of a run queue, in entries; a power of two. Measured on two processors: tasks that tasks submit cost
     * as much with 128 and 512.
     */
    private static final int CAPACITY = 256;

    static {
        Initialization.of(MethodHandles.lookup(), RunQueue.class, Batch.class);
    }

    private final String spindle;
    private final int watch;
    private final InjectionQueue shared;
    private final RunQueues queues;

    /** Creates an empty queue of the executor with the given name. */
    public ReadyQueue(String spindle) {
        this(spindle, WATCH, new RunQueues(CAPACITY));
    }

    /**
     * Creates an empty queue that measures the wait of one in {@code sampleOneIn} entries of the injection queue.
     *
     * @param sampleOneIn a power of two, or 0 to measure nothing
     */
    public ReadyQueue(String spindle, LongSupplier clock, int sampleOneIn) {
        this(spindle, WATCH, new RunQueues(CAPACITY), new InjectionQueue(clock, sampleOneIn));
    }

    /**
     * Creates a queue for tests.
     *
     * @param watch the number of times that a head is read before a single entry is stolen
     */
    ReadyQueue(String spindle, int watch, RunQueues queues) {
        this(spindle, watch, queues, new InjectionQueue());
    }

    private ReadyQueue(String spindle, int watch, RunQueues queues, InjectionQueue shared) {
        this.spindle = spindle;
        this.watch = watch;
        this.queues = queues;
        this.shared = shared;
    }

    /** The state of one worker that takes entries. Confined to that worker. */
    public static final class View extends Padding {
        // Used by RunQueues.
        @Nullable
        RunQueue own;

        int untilClaim;
        int claimPlace; // an index of queues.all(), whose length never decreases
        long claimHead = -1; // of the run queue at `claimPlace`, at the last look

        private int untilLook = LOOK;
        private int place; // an index of queues.all()
        private @Nullable RunQueue seen;
        private long seenHead;
        private boolean leftOwnerAffine;
        private boolean tookBatch;
        private @Nullable Batch batch; // the last batch that the worker made, while entries may be added to it
        private int batchCapacity = Batch.SMALLEST;
        private long batchPlace;
        private long headsSum;

        @SuppressWarnings("unused")
        private long p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15, p16;

        private final Counters counters;

        /** Creates the view of a worker whose counters are {@code counters}. */
        public View(Counters counters) {
            this.counters = counters;
        }
    }

    // ---------------------------------------------------------------- in

    /** Adds an entry to the injection queue. If this method throws, the entry was not added. */
    public void offer(Object entry) {
        shared.offer(WorkerContext.waiting(spindle, entry));
    }

    /**
     * Adds an entry to the last batch of the calling worker if ReadyQueue-6 allows this, and to the run queue of the
     * worker if not. If the run queue is full, adds the entry in a new batch to the injection queue. If the worker has
     * no run queue, adds the entry to the injection queue. Ends with a full fence, or with a read-modify-write that
     * publishes the entry.
     */
    public void offerOwn(View view, Object entry) {
        RunQueue own = view.own;
        if (own == null && (own = queues.claim(view)) == null) {
            offer(entry);
            return;
        }
        Object waiting = WorkerContext.waiting(spindle, entry);
        long end = shared.estimatedEnd();
        if (addToBatch(view, waiting, end)) {
            return;
        }
        if (!own.offer(waiting, end)) {
            Batch batch = new Batch(waiting, view.batchCapacity);
            shared.offer(batch);
            view.batch = batch;
            view.batchPlace = end;
            return;
        }
        if (own.isLost()) { // RunQueues-2
            view.own = null;
            if (own.takeBack(waiting)) {
                shared.offer(waiting);
            }
        }
    }

    private boolean addToBatch(View view, Object entry, long end) {
        Batch batch = view.batch;
        if (batch == null) {
            return false;
        }
        if (end - view.batchPlace <= queues.all().length() && batch.add(entry)) { // ReadyQueue-6
            return true;
        }
        view.batchCapacity = batch.nextCapacity();
        view.batch = null;
        return false;
    }

    /**
     * Moves the entries of the calling worker's run queue to the injection queue, and gives up the run queue if there
     * are no more (RunQueues-1). Called before the worker blocks; the caller checks the queues again afterwards, as
     * for {@link #handOver}.
     */
    public void giveUp(View view) {
        handOver(view);
        if (queues.areAll()) {
            queues.release(view);
        }
    }

    /**
     * Moves the entries of the calling worker's run queue to the injection queue. Called before the worker leaves
     * service. An entry that is being moved is in no queue, so the worker has to check the queues again after it has
     * left service.
     */
    public void handOver(View view) {
        RunQueue own = view.own;
        if (own == null) {
            return;
        }
        Object entry = own.poll();
        while (entry != null && move(own, entry)) {
            entry = own.poll();
        }
    }

    /** Moves an entry to the injection queue. Returns false, with the entry in the run queue, if there is no memory. */
    private boolean move(RunQueue own, Object entry) {
        for (; ; ) {
            try {
                offer(TaskObserver.Waiting.unwrap(entry));
                return true;
            } catch (OutOfMemoryError e) {
                if (own.offer(entry, shared.estimatedEnd())) {
                    if (!own.isLost() || !own.takeBack(entry)) { // as in offerOwn
                        return false;
                    }
                }
                Thread.yield(); // the run queue is lost, or full of entries besides those of a batch
            }
        }
    }

    /**
     * Moves the entries of the calling worker's run queue to the injection queue, and gives up the run queue. Called
     * before the worker ends.
     */
    public void leave(View view) { // F3
        handOver(view);
        queues.release(view);
    }

    // ---------------------------------------------------------------- out

    /**
     * Takes the next entry for the calling worker. Returns null if, at some time during the call, no entry was ready
     * except owner-affine entries of other workers.
     */
    @Nullable
    public Object poll(View view) {
        AtomicReferenceArray<RunQueue> all = queues.all();
        if (all.length() == 0) {
            return pollAnyShared(view); // no worker has had a run queue
        }
        if (--view.untilLook <= 0) {
            view.untilLook = LOOK;
            Object helped = help(view, all);
            if (helped != null) {
                view.untilLook = 2;
                view.counters.add(Counters.What.STOLEN, 1);
                return helped;
            }
        }
        RunQueue own = view.own;
        Object entry;
        boolean mayHaveOwn = own != null && own.mayHaveEntries();
        if (own != null && mayHaveOwn) {
            entry = own.poll(shared.estimatedBegin()); // ReadyQueue-1
            if (entry != null) {
                return entry;
            }
        }
        entry = pollShared(view);
        if (entry == null && own != null && mayHaveOwn) { // only the owner adds entries
            entry = own.poll();
        }
        return entry != null ? entry : steal(view, all);
    }

    private @Nullable Object pollShared(View view) {
        RunQueue own = view.own;
        if (own == null ? queues.areAll() : own.isLost()) { // ReadyQueue-4
            view.untilLook = Math.min(view.untilLook, LOOK_WITHOUT);
            return shared.pollSingle();
        }
        return pollAnyShared(view);
    }

    private @Nullable Object pollAnyShared(View view) {
        Object entry = shared.poll();
        while (entry instanceof Batch batch) {
            entry = hold(view, batch);
            if (entry == null) {
                entry = shared.poll(); // all entries of the batch were removed
            }
        }
        return entry;
    }

    /** Makes the calling worker the holder of a batch, and takes its first entry. */
    private @Nullable Object hold(View view, Batch batch) {
        view.tookBatch = true;
        for (; ; ) {
            RunQueue own = view.own != null ? view.own : queues.claimForBatch(view);
            own.hold(batch); // a volatile write, which pairs with lose()
            if (!own.isLost()) { // RunQueues-2
                return own.poll(-1); // -1 is below every stamp, so this takes an entry of the batch
            }
            own.hold(null);
            view.own = null;
        }
    }

    /**
     * Returns whether the worker has taken a batch since the last call. After a batch, the caller has to signal if work
     * is ready (ReadyQueue-6).
     */
    public boolean tookBatch(View view) {
        boolean took = view.tookBatch;
        view.tookBatch = false;
        return took;
    }

    /** Takes an entry of another run queue under the conditions of ReadyQueue-2, or returns null. */
    private @Nullable Object help(View view, AtomicReferenceArray<RunQueue> all) {
        RunQueue other = all.get(view.place);
        if (other == view.own || !other.hasStampUpTo(shared.estimatedBegin())) {
            view.place = (view.place + 1) % all.length(); // T3
            view.seen = null;
            return null;
        }
        long head = other.head();
        boolean still = other == view.seen && head == view.seenHead;
        if (other == view.seen && !still) {
            view.place = (view.place + 1) % all.length(); // the owner takes entries: look elsewhere next time
        }
        view.seen = other;
        view.seenHead = head;
        int ownSize = view.own == null ? 0 : view.own.ownSpan();
        return still || other.ownSpan() > 2 * ownSize + SLACK ? other.take(ANY) : null;
    }

    private @Nullable Object steal(View view, AtomicReferenceArray<RunQueue> all) {
        view.leftOwnerAffine = false;
        for (int i = 0; i < all.length(); i++) {
            RunQueue other = all.get((view.place + i) % all.length());
            if (other == view.own || other.isEmpty()) {
                continue;
            }
            if (isOwnerAffine(other)) { // WorkerSet-8, ReadyQueue-3
                view.leftOwnerAffine = true;
                continue;
            }
            Object entry = other.take(ANY);
            if (entry != null) {
                view.counters.add(Counters.What.STOLEN, 1);
                return entry;
            }
        }
        return null;
    }

    /** Returns whether {@code queue} holds at most one entry, and the owner is taking entries (ReadyQueue-3). */
    private boolean isOwnerAffine(RunQueue queue) {
        long head = queue.head();
        for (int i = 0; i < watch && queue.span() <= 1; i++) {
            if (queue.head() != head) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    /**
     * Returns whether the last {@link #poll} that looked for an entry to steal has left an owner-affine entry to its
     * owner.
     */
    public boolean leftOwnerAffine(View view) {
        return view.leftOwnerAffine;
    }

    /** Returns whether the calling worker's run queue has at most one entry, which the worker runs next. */
    public boolean isNext(View view) {
        RunQueue own = view.own;
        return own != null && own.span() <= 1;
    }

    /** Equivalent to {@code hasMore(1)}. */
    public boolean hasMore() {
        return hasMore(1);
    }

    /**
     * Returns whether the injection queue has an entry, or a run queue has an entry of a batch or more than
     * {@code entries} other entries. Sees every entry that became ready before the call.
     */
    public boolean hasMore(int entries) {
        if (!shared.isEmpty()) {
            return true;
        }
        AtomicReferenceArray<RunQueue> all = queues.all();
        for (int i = 0; i < all.length(); i++) {
            RunQueue queue = all.get(i);
            if (queue.mayHaveMore(entries)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether all ready entries are owner-affine, and owners have taken entries since the last call with the
     * same {@code view}.
     */
    public boolean isOwnerAffine(View view) {
        if (hasMore()) {
            return false;
        }
        long sum = 0;
        AtomicReferenceArray<RunQueue> all = queues.all();
        for (int i = 0; i < all.length(); i++) {
            RunQueue queue = all.get(i);
            if (!queue.isEmpty() && !isOwnerAffine(queue)) {
                return false;
            }
            sum += queue.head();
        }
        boolean taken = sum != view.headsSum;
        view.headsSum = sum;
        return taken;
    }

    /**
     * Removes and returns an entry that {@code wanted} accepts, or returns null. Takes the oldest such entry of the
     * injection queue, or, if there is none, one of a run queue.
     */
    @Nullable
    public Object removeFirst(Predicate<Object> wanted) {
        Predicate<Object> wrapped = new Wrapped(wanted);
        Object found = shared.removeFirst(wrapped);
        AtomicReferenceArray<RunQueue> all = queues.all();
        for (int i = 0; found == null && i < all.length(); i++) {
            found = all.get(i).take(wrapped);
        }
        return found == null ? null : TaskObserver.Waiting.unwrap(found);
    }

    /**
     * Removes and returns the oldest entry that a bound may drop, or returns null. Only the injection queue holds such
     * entries.
     */
    @Nullable
    public Object removeOldestDroppable() {
        Object found =
                shared.removeOldest(entry -> TaskObserver.Waiting.unwrap(entry) instanceof CancellableEntry.Droppable);
        return found == null ? null : TaskObserver.Waiting.unwrap(found);
    }

    /**
     * Removes and returns all entries that {@code wanted} accepts. Those of the injection queue come first, in order.
     */
    public List<Object> removeAll(Predicate<Object> wanted) {
        Predicate<Object> wrapped = new Wrapped(wanted);
        ArrayList<Object> removed = new ArrayList<>();
        shared.removeAll(wrapped, removed);
        AtomicReferenceArray<RunQueue> all = queues.all();
        for (int i = 0; i < all.length(); i++) {
            all.get(i).takeAll(wrapped, removed);
        }
        removed.replaceAll(TaskObserver.Waiting::unwrap);
        return removed;
    }

    /** Applies {@code wanted} to an entry, not to the wrapper that measures the entry's wait. */
    private record Wrapped(Predicate<Object> wanted) implements Predicate<Object> {
        @Override
        public boolean test(Object entry) {
            return wanted.test(TaskObserver.Waiting.unwrap(entry));
        }
    }

    // ---------------------------------------------------------------- seen from outside

    /** Returns whether an entry is ready. Sees every entry that became ready before the call. */
    public boolean hasReady() {
        if (!shared.isEmpty()) {
            return true;
        }
        AtomicReferenceArray<RunQueue> all = queues.all();
        for (int i = 0; i < all.length(); i++) {
            if (!all.get(i).isEmpty()) { // ReadyQueue-5
                return true;
            }
        }
        return false;
    }

    /** Returns the measured waits of entries in the injection queue: {@link InjectionQueue#waits}. */
    public long[] waits() {
        return shared.waits();
    }

    /** Returns an estimate of the number of ready entries, in time proportional to that number. */
    public int estimatedSize() {
        return (int) Math.min(Integer.MAX_VALUE, estimatedCount(ANY));
    }

    /**
     * Returns an estimate of the number of entries that {@code wanted} accepts, in time proportional to the number of
     * all entries.
     */
    public long estimatedCount(Predicate<Object> wanted) {
        return shared.estimatedCount(wanted) + ownCount(wanted);
    }

    private long ownCount(Predicate<Object> wanted) {
        long count = 0;
        AtomicReferenceArray<RunQueue> all = queues.all();
        for (int i = 0; i < all.length(); i++) {
            count += all.get(i).estimatedCount(wanted);
        }
        return count;
    }
}
