// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import dev.spindle.internal.Counters;
import dev.spindle.internal.DroppableEntry;
import dev.spindle.internal.Padding;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.TaskObserver;
import dev.spindle.internal.WorkerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The ready entries of a pool, on two levels. Entries from outside go to the injection queue, which all workers share.
 * What a worker makes ready goes to a run queue of its own, which costs no memory that others write; the others steal
 * from it. What has no room there goes to the injection queue, in batches.
 */
public final class ReadyQueue {
    /*
     * ReadyQueue-1  A worker alone serves in the order of readiness. It stamps an entry of its run queue with the end
     *     of the injection queue, and takes that entry when the begin of the injection queue has come to the stamp, not
     *     before.
     * ReadyQueue-2  No entry depends on its worker. Who finds nothing else takes from any run queue. And once in LOOK
     *     polls each worker looks at another's run queue, and helps if its head has not moved since the last look, so
     *     that a worker that is blocked, or not running just now, delays nothing, or if it is more than twice as long
     *     as its own, so that no entry waits much longer than in one queue for all. Who helped looks again soon. Nobody
     *     helps with an entry whose stamp is above the begin of the injection queue: so what is in the injection queue
     *     waits for nothing that came after it.
     * ReadyQueue-3  A single entry stays with a worker that takes its entries as they come: who finds one in a run
     *     queue watches its head for WATCH reads, and takes the entry only if it stands still. Two lanes that send each
     *     other one message would else be carried from processor to processor. Who leaves such an entry says so
     *     (leftOwnerAffine): WorkerSet-8.
     * ReadyQueue-4  An entry that was accepted is kept when memory runs out: it has a link of its own, for `overflow`.
     * ReadyQueue-5  hasReady() sees every entry whose offer happened before, in the order of volatile accesses:
     *     WorkerSet-2.
     * ReadyQueue-6  What does not fit into its worker's run queue goes to the injection queue in batches: a worker adds
     *     to the last one that it made while that has room, nobody who holds it has emptied it, and no more other
     *     entries have come after it than there are run queues. So a worker alone serves in order, and with several an
     *     entry is overtaken by no more than the rest of one batch of each. The entries of a batch are in no queue for
     *     a moment while somebody takes it: who does says so (tookBatch), and then signals.
     *
     * field     writers                  readers  mode
     * overflow  all                      all      atomic: a stack, popped under this object's lock
     * queues    who adds the first       all      volatile; its elements too, and changed under this object's lock
     *           entry of a run queue,
     *           workers that end
     *
     * Tests: ReadyQueueTest, FairnessContractTest; jcstress OwnSignalAgainstPark, PollAgainstSteal.
     */
    /** How many polls of a worker there are for one look at the run queue of another. */
    public static final int LOOK = 16;

    /** How many times the head of a run queue is read to see whether its worker takes what is there: a few us. */
    private static final int WATCH = 64;

    private static final Predicate<Object> ANY = new Predicate<>() {
        @Override
        public boolean test(Object entry) {
            return true;
        }
    };

    private static final int SLACK = 8;
    private static final int CAPACITY = 256;

    private final String spindle;
    private final int watch;
    private final int capacity;
    private final InjectionQueue shared = new InjectionQueue();
    private final AtomicReference<@Nullable ReadyEntry> overflow = new AtomicReference<>();
    private volatile AtomicReferenceArray<@Nullable RunQueue> queues = new AtomicReferenceArray<>(0);

    /** Creates an empty queue of the executor with the given name. */
    public ReadyQueue(String spindle) {
        this(spindle, WATCH, CAPACITY);
    }

    /**
     * Creates a queue for tests.
     *
     * @param watch how many times a head is read before a single entry is stolen
     * @param capacity of the run queues, a power of two
     */
    ReadyQueue(String spindle, int watch, int capacity) {
        this.spindle = spindle;
        this.watch = watch;
        this.capacity = capacity;
    }

    /** The state of one worker that takes entries. For that worker alone. */
    public static final class View extends Padding {
        private @Nullable RunQueue own;
        private int untilLook = LOOK;
        private int place; // below the number of run queues, which never falls
        private @Nullable RunQueue seen;
        private long seenHead;
        private boolean leftOwnerAffine;
        private boolean tookBatch;
        private @Nullable Batch batch; // the last that it made, while more may be added
        private int batchCapacity = Batch.SMALLEST;
        private long batchPlace;
        private long headsSum;

        @SuppressWarnings("unused")
        private long p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15, p16;

        private final Counters counters;

        /** Creates the view of a worker that counts in {@code counters}. */
        public View(Counters counters) {
            this.counters = counters;
        }
    }

    // ---------------------------------------------------------------- in

    /**
     * Adds an entry from outside.
     *
     * @throws OutOfMemoryError if there is no memory for it and it is a plain task: it was not accepted
     */
    public void offer(Object entry) {
        try {
            shared.offer(WorkerContext.waiting(spindle, entry));
        } catch (OutOfMemoryError e) {
            ReadyEntry accepted = ReadyEntry.of(entry);
            if (accepted == null) {
                throw e;
            }
            pushOverflow(accepted);
        }
    }

    /**
     * Adds an entry to the run queue of the calling worker, or to a batch in the injection queue when it is full.
     *
     * @throws OutOfMemoryError if there is no memory for a run queue or a batch; the entry was not added
     */
    public void offerOwn(View view, Object entry) {
        RunQueue own = own(view);
        Object waiting = WorkerContext.waiting(spindle, entry);
        long end = shared.estimatedEnd();
        if (!addToBatch(view, waiting, end) && !own.offer(waiting, end)) {
            Batch batch = new Batch(waiting, view.batchCapacity);
            shared.offer(batch);
            view.batch = batch;
            view.batchPlace = end;
        }
    }

    private boolean addToBatch(View view, Object entry, long end) {
        Batch batch = view.batch;
        if (batch == null) {
            return false;
        }
        if (end - view.batchPlace <= queues.length() && batch.add(entry)) {
            return true;
        }
        view.batchCapacity = batch.nextCapacity();
        view.batch = null;
        return false;
    }

    private RunQueue own(View view) {
        RunQueue own = view.own;
        if (own == null) {
            own = new RunQueue(capacity);
            register(own);
            view.own = own;
        }
        return own;
    }

    private synchronized void register(RunQueue queue) {
        AtomicReferenceArray<@Nullable RunQueue> old = queues;
        for (int i = 0; i < old.length(); i++) {
            if (old.get(i) == null) {
                old.set(i, queue);
                return;
            }
        }
        AtomicReferenceArray<@Nullable RunQueue> longer = new AtomicReferenceArray<>(old.length() + 1);
        for (int i = 0; i < old.length(); i++) {
            longer.set(i, old.get(i));
        }
        longer.set(old.length(), queue);
        queues = longer;
    }

    /**
     * Hands what is in the run queue of the calling worker, which is about to leave service, over to all. On its way an
     * entry is in no queue: who hands over has to look at the queues once more after it has left.
     */
    public void handOver(View view) {
        RunQueue own = view.own;
        if (own == null) {
            return;
        }
        for (Object entry = own.poll(); entry != null; entry = own.poll()) {
            for (boolean added = false; !added; ) {
                try {
                    offer(TaskObserver.Waiting.unwrap(entry));
                    added = true;
                } catch (OutOfMemoryError e) {
                    Thread.yield(); // a plain task that is accepted
                }
            }
        }
    }

    /** The same for a worker that ends. */
    public void leave(View view) {
        handOver(view);
        RunQueue own = view.own;
        if (own != null) {
            unregister(own);
        }
    }

    private synchronized void unregister(RunQueue queue) {
        AtomicReferenceArray<@Nullable RunQueue> all = queues;
        for (int i = 0; i < all.length(); i++) {
            all.compareAndSet(i, queue, null);
        }
    }

    private void pushOverflow(ReadyEntry entry) {
        for (ReadyEntry top = overflow.get(); ; top = overflow.get()) {
            entry.nextOverflow = top;
            if (overflow.compareAndSet(top, entry)) {
                return;
            }
        }
    }

    /** One at a time, so that the others stay in sight, and one taker at a time, so that there is no ABA. */
    private synchronized @Nullable ReadyEntry popOverflow() {
        for (ReadyEntry top = overflow.get(); top != null; top = overflow.get()) {
            if (overflow.compareAndSet(top, top.nextOverflow)) {
                top.nextOverflow = null;
                return top;
            }
        }
        return null;
    }

    // ---------------------------------------------------------------- out

    /** Takes the entry that the calling worker has to run next; null when there was a moment without any. */
    @Nullable
    public Object poll(View view) {
        if (overflow.get() != null) {
            ReadyEntry entry = popOverflow();
            if (entry != null) {
                return entry;
            }
        }
        AtomicReferenceArray<@Nullable RunQueue> all = queues;
        if (all.length() == 0) {
            return pollShared(view); // only outsiders make anything ready
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
        if (own != null && own.mayHaveEntries()) {
            entry = own.poll(shared.estimatedBegin());
            if (entry != null) {
                return entry;
            }
        }
        entry = pollShared(view);
        if (entry == null && own != null) {
            entry = own.poll();
        }
        return entry != null ? entry : steal(view, all);
    }

    private @Nullable Object pollShared(View view) {
        Object entry = shared.poll();
        while (entry instanceof Batch batch) {
            entry = hold(view, batch);
            if (entry == null) {
                entry = shared.poll(); // all of it had been removed
            }
        }
        return entry;
    }

    /** Takes the first entry of a batch, and holds it for the others. */
    private @Nullable Object hold(View view, Batch batch) {
        RunQueue own = view.own;
        while (own == null) {
            try {
                own = own(view);
            } catch (OutOfMemoryError e) {
                Thread.yield(); // the entries are accepted
            }
        }
        own.hold(batch);
        view.tookBatch = true;
        return own.poll(-1); // below every stamp: what else is there is younger
    }

    /** Returns whether a batch was taken since this was asked last. The caller signals, if anything is ready. */
    public boolean tookBatch(View view) {
        boolean took = view.tookBatch;
        view.tookBatch = false;
        return took;
    }

    /** Takes an entry of another's run queue if that is behind (ReadyQueue-2). */
    private @Nullable Object help(View view, AtomicReferenceArray<@Nullable RunQueue> all) {
        RunQueue other = all.get(view.place);
        if (other == null || other == view.own || !other.hasStampUpTo(shared.estimatedBegin())) {
            view.place = (view.place + 1) % all.length();
            view.seen = null;
            return null;
        }
        long head = other.head();
        boolean still = other == view.seen && head == view.seenHead;
        if (other == view.seen && !still) {
            view.place = (view.place + 1) % all.length(); // it moves: another next time
        }
        view.seen = other;
        view.seenHead = head;
        int ownSize = view.own == null ? 0 : view.own.ownSpan();
        return still || other.ownSpan() > 2 * ownSize + SLACK ? other.take(ANY) : null;
    }

    private @Nullable Object steal(View view, AtomicReferenceArray<@Nullable RunQueue> all) {
        view.leftOwnerAffine = false;
        for (int i = 0; i < all.length(); i++) {
            RunQueue other = all.get((view.place + i) % all.length());
            if (other == null || other == view.own || other.isEmpty()) {
                continue;
            }
            if (isOwnerAffine(other)) {
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

    /**
     * Returns whether the worker of {@code queue}, which is not empty, takes the only entry in it just now
     * (ReadyQueue-3).
     */
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

    /** Returns whether the last {@link #poll} has left an entry to the worker in whose run queue it was. */
    public boolean leftOwnerAffine(View view) {
        return view.leftOwnerAffine;
    }

    /** Returns whether the calling worker comes to all in its run queue next. */
    public boolean isNext(View view) {
        RunQueue own = view.own;
        return own != null && own.span() <= 1;
    }

    /** Returns whether more is ready, of what was so before the call, than one entry in a run queue. */
    public boolean hasMore() {
        return hasMore(1);
    }

    /** Returns whether more is ready, of what was so before the call, than so many entries in a run queue. */
    public boolean hasMore(int entries) {
        if (!shared.isEmpty() || overflow.get() != null) {
            return true;
        }
        AtomicReferenceArray<@Nullable RunQueue> all = queues;
        for (int i = 0; i < all.length(); i++) {
            RunQueue queue = all.get(i);
            if (queue != null && queue.mayHaveMore(entries)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether workers have gone on taking single entries of their own, and all that is ready is such an entry.
     */
    public boolean isOwnerAffine(View view) {
        if (hasMore()) {
            return false;
        }
        long sum = 0;
        AtomicReferenceArray<@Nullable RunQueue> all = queues;
        for (int i = 0; i < all.length(); i++) {
            RunQueue queue = all.get(i);
            if (queue != null) {
                if (!queue.isEmpty() && !isOwnerAffine(queue)) {
                    return false;
                }
                sum += queue.head();
            }
        }
        boolean taken = sum != view.headsSum;
        view.headsSum = sum;
        return taken;
    }

    /** Removes and returns an entry that {@code wanted} accepts, or null; of those from outside, the oldest. */
    @Nullable
    public Object removeFirst(Predicate<Object> wanted) {
        Predicate<Object> wrapped = new Wrapped(wanted);
        Object found = shared.removeFirst(wrapped);
        AtomicReferenceArray<@Nullable RunQueue> all = queues;
        for (int i = 0; found == null && i < all.length(); i++) {
            RunQueue queue = all.get(i);
            found = queue == null ? null : queue.take(wrapped);
        }
        return found == null ? null : TaskObserver.Waiting.unwrap(found);
    }

    /** Removes and returns the oldest entry that a bound may drop, or null: those are in the shared queue alone. */
    @Nullable
    public Object removeOldestDroppable() {
        Object found = shared.removeOldest(entry -> TaskObserver.Waiting.unwrap(entry) instanceof DroppableEntry);
        return found == null ? null : TaskObserver.Waiting.unwrap(found);
    }

    /** Removes all entries that {@code wanted} accepts; of those from outside, in order. One pass over the queues. */
    public List<Object> removeAll(Predicate<Object> wanted) {
        Predicate<Object> wrapped = new Wrapped(wanted);
        ArrayList<Object> removed = new ArrayList<>();
        shared.removeAll(wrapped, removed);
        AtomicReferenceArray<@Nullable RunQueue> all = queues;
        for (int i = 0; i < all.length(); i++) {
            RunQueue queue = all.get(i);
            if (queue != null) {
                queue.takeAll(wrapped, removed);
            }
        }
        removed.replaceAll(TaskObserver.Waiting::unwrap);
        return removed;
    }

    /** Accepts an entry if {@code wanted} does, however its wait is timed. */
    private record Wrapped(Predicate<Object> wanted) implements Predicate<Object> {
        @Override
        public boolean test(Object entry) {
            return wanted.test(TaskObserver.Waiting.unwrap(entry));
        }
    }

    // ---------------------------------------------------------------- seen from outside

    /** Returns whether anything is ready that was so before the call. */
    public boolean hasReady() {
        if (!shared.isEmpty() || overflow.get() != null) {
            return true;
        }
        AtomicReferenceArray<@Nullable RunQueue> all = queues;
        for (int i = 0; i < all.length(); i++) {
            RunQueue queue = all.get(i);
            if (queue != null && !queue.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Returns about how many entries are ready; takes time in proportion to their number. */
    public int estimatedSize() {
        return (int) Math.min(Integer.MAX_VALUE, estimatedCount(ANY));
    }

    /** Returns about how many of the entries {@code wanted} accepts; takes time in proportion to their number. */
    public long estimatedCount(Predicate<Object> wanted) {
        return shared.estimatedCount(wanted) + ownCount(wanted);
    }

    private long ownCount(Predicate<Object> wanted) {
        long count = 0;
        AtomicReferenceArray<@Nullable RunQueue> all = queues;
        for (int i = 0; i < all.length(); i++) {
            RunQueue queue = all.get(i);
            count += queue == null ? 0 : queue.estimatedCount(wanted);
        }
        return count;
    }
}
