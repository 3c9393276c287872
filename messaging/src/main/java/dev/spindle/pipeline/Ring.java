// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/** The slots of a pipeline, and the sequence numbers that are claimed, committed and free. */
final class Ring<E> {
    /*
     * A publisher claims a sequence number, fills the event in the slot of the number, and commits the number. The
     * stages then handle the event. When the end stages, those that no stage follows, have handled the event, the slot
     * is free for the sequence number one round later.
     *
     * field     writers             readers             mode
     * claimed   publishers          publishers, gate    volatile, CAS; with one publisher release
     * limit     publishers          publishers          release, acquire; racy: an older value is safe
     * stamps    the slot's owner    first stages, gate  volatile write, acquire read; with many publishers
     * committed the publisher       first stages, gate  volatile write, acquire read; with one publisher
     * ends      -                   publishers          the `done` of the end stages: volatile write, acquire read
     *
     * Ring-1  A claimed number is below `limit`, or below the least `done` of the end stages plus the number of slots,
     *     so the end stages have handled the previous event in its slot. Their handling happens-before the next filler,
     *     by the acquire read of `done`.
     * Ring-2  A number is claimed once: by the CAS, or by the single publisher.
     * Ring-3  No event waits for a later event (S1): a publisher fills the event, commits it, and then reads `idle` of
     *     the first stages; a first stage sets its idle bit and then reads the stamps. Both pairs of accesses are
     *     volatile or separated by a full fence, so the publisher sees the idle bit, or the stage sees the event.
     * Ring-4  Every claimed number is committed, even if its filler throws. An event whose filler throws is void, and
     *     stages pass over the event.
     *
     * The stamp of a slot is the round of the last event that was committed in the slot. A single publisher commits in
     * sequence, so one number, `committed`, replaces the stamps.
     *
     * Tests: PipelineProtocolTest (Ring-4); jcstress PublishAgainstIdle, FillThenHandle (Ring-3), ReuseAgainstHandle
     * (Ring-1), PublishAgainstPublish (Ring-2). This class derives from the Disruptor's ring for many producers, which
     * has an array of availability flags. Here no thread spins on the array.
     */
    /** Returned by {@link #tryClaim} when no slot is free. */
    static final long FULL = -1;

    private static final VarHandle STAMPS = MethodHandles.arrayElementVarHandle(int[].class);

    private final RingLayout layout;
    private final int mask;
    private final Object[] slots;
    private final int[] stamps; // empty with a single publisher
    private final boolean single;
    private final Sequence claimed = new Sequence();
    private final Sequence limit = new Sequence();
    private final Sequence committed = new Sequence();
    private final SkippedEvents voids;
    private Sequence[] ends = {};

    Ring(RingLayout layout, boolean single, Supplier<? extends E> events) {
        this.layout = layout;
        this.single = single;
        mask = layout.size() - 1;
        slots = new Object[layout.size()];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = Objects.requireNonNull(events.get(), "an event made by the factory");
        }
        stamps = new int[single ? 0 : slots.length];
        voids = new SkippedEvents(layout);
        limit.setRelease(slots.length);
    }

    /** Sets the progress of the end stages. Called before the first claim. */
    void gateBy(List<Sequence> done) {
        ends = done.toArray(new Sequence[0]);
    }

    int size() {
        return slots.length;
    }

    boolean isSingle() {
        return single;
    }

    /** Returns the events that fillers have made void. */
    SkippedEvents voids() {
        return voids;
    }

    /** Returns the event in the slot of a sequence number. Called only by the owner of the slot. */
    @SuppressWarnings("unchecked")
    E event(long sequence) {
        return (E) slots[(int) sequence & mask];
    }

    /**
     * Claims {@code count} consecutive numbers. Returns the first number, or {@link #FULL} if there are too few free
     * slots.
     */
    long tryClaim(int count) {
        if (single) {
            long next = claimed.getPlain();
            if (next + count > limit.getPlain() && !raiseLimit(next + count)) {
                return FULL;
            }
            claimed.setRelease(next + count);
            return next;
        }
        for (; ; ) {
            long next = claimed.get();
            if (next + count > limit.get() && !raiseLimit(next + count)) {
                return FULL;
            }
            if (claimed.compareAndSet(next, next + count)) { // Ring-2
                return next;
            }
        }
    }

    private boolean raiseLimit(long to) {
        long fresh = leastDone() + slots.length; // Ring-1
        limit.setRelease(fresh);
        return to <= fresh;
    }

    /**
     * Publishes a claimed number to the first stages. Has the effect of a full fence, so that the caller then sees the
     * idle bits of stages that have not seen the number.
     */
    void commit(long sequence) {
        if (single) {
            committed.setVolatile(sequence + 1);
        } else {
            STAMPS.setVolatile(stamps, (int) sequence & mask, layout.round(sequence)); // Ring-3
        }
    }

    /** Publishes the numbers {@code [from, to)} of a claim, with one full fence. */
    void commit(long from, long to) {
        if (single) {
            committed.setVolatile(to);
            return;
        }
        for (long next = from; next < to; next++) {
            STAMPS.setRelease(stamps, (int) next & mask, layout.round(next));
        }
        VarHandle.fullFence();
    }

    boolean isCommitted(long sequence) {
        return committedUpTo(sequence, sequence + 1) > sequence;
    }

    /** Returns the first number in {@code [from, to)} that is not committed, or {@code to}. */
    long committedUpTo(long from, long to) {
        if (single) {
            return Math.min(committed.get(), to);
        }
        long next = from;
        while (next < to && (int) STAMPS.getAcquire(stamps, (int) next & mask) == layout.round(next)) {
            next++;
        }
        return next;
    }

    /** Returns the first number past which not all end stages have moved. */
    long leastDone() {
        long least = Long.MAX_VALUE;
        for (Sequence end : ends) {
            least = Math.min(least, end.getVolatile());
        }
        return least;
    }

    /** Returns the first number that is not claimed. */
    long claimed() {
        return claimed.getVolatile();
    }

    /** Returns the number of free slots, perhaps without slots that become free during the call. */
    long free() {
        long done = leastDone(); // read before `claimed`, so that the result is never too large
        return Math.max(0, slots.length - (claimed() - done));
    }
}
