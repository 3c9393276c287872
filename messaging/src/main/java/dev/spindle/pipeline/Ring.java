// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/** The slots of a pipeline, and which sequence numbers are claimed, published and free. */
final class Ring<E> {
    /*
     * A publisher claims a sequence number, fills the event in its slot, and commits it. The stages take it from there,
     * and when the end stages are through with it, its slot is free for the sequence number one round later.
     *
     * field     writers             readers             mode
     * claimed   publishers          publishers, gate    volatile, CAS; with one publisher release
     * limit     publishers          publishers          release, acquire; racy: any older value is a safe one
     * stamps    who owns the slot   first stages, gate  volatile write, acquire read; with many publishers
     * committed the publisher       first stages, gate  volatile write, acquire read; with one publisher
     * ends      -                   publishers          the `done` of the end stages: volatile write, acquire read
     *
     * Ring-1  A number below `limit`, or below the least `done` of the ends plus the size, may be claimed: all that had
     *     the slot before are through, and what they did there happens-before its next filler, by the acquire read of
     *     `done`.
     * Ring-2  A number is claimed once: by the CAS, or by the only publisher there is.
     * Ring-3  The stamp of a slot is the round of the last event committed there; one publisher commits in sequence,
     *     and one number says up to where. Either is written after the event and before the publisher looks who is
     *     idle; a first stage goes idle before it looks at them once more. Both are volatile, or have a full fence
     *     between them: one of the two sees the other, so no event waits for the next one (S1).
     * Ring-4  Every claimed number is committed, the filler may throw what it likes: void then, and passed over. So no
     *     stage waits for ever at a hole.
     *
     * Tests: PipelineProtocolTest (Ring-4); jcstress PublishAgainstIdle, FillThenHandle (Ring-3), ReuseAgainstHandle
     * (Ring-1), PublishAgainstPublish (Ring-2).
     * Derived from the ring with an array of availability flags that the Disruptor has for many producers; what differs
     * is that nobody spins on it.
     */
    /** Returned by {@link #tryClaim} when no slot is free. */
    static final long FULL = -1;

    private static final VarHandle STAMPS = MethodHandles.arrayElementVarHandle(int[].class);

    private final Rounds rounds;
    private final int mask;
    private final Object[] slots;
    private final int[] stamps; // none with one publisher
    private final boolean single;
    private final Sequence claimed = new Sequence();
    private final Sequence limit = new Sequence();
    private final Sequence committed = new Sequence();
    private final SkippedEvents voids;
    private Sequence[] ends = {};

    Ring(Rounds rounds, boolean single, Supplier<? extends E> events) {
        this.rounds = rounds;
        this.single = single;
        mask = rounds.size() - 1;
        slots = new Object[rounds.size()];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = Objects.requireNonNull(events.get(), "an event made by the factory");
        }
        stamps = new int[single ? 0 : slots.length];
        voids = new SkippedEvents(rounds);
        limit.setRelease(slots.length);
    }

    /** Sets whose progress frees slots; before the first claim. */
    void gateBy(List<Sequence> done) {
        ends = done.toArray(new Sequence[0]);
    }

    int size() {
        return slots.length;
    }

    boolean isSingle() {
        return single;
    }

    /** The events that fillers have made void. */
    SkippedEvents voids() {
        return voids;
    }

    /** Returns the event in the slot of a sequence number; for whoever owns the slot. */
    @SuppressWarnings("unchecked")
    E event(long sequence) {
        return (E) slots[(int) sequence & mask];
    }

    /** Claims so many numbers in sequence and returns the first, or {@link #FULL} while there is no slot for each. */
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
            if (claimed.compareAndSet(next, next + count)) {
                return next;
            }
        }
    }

    private boolean raiseLimit(long to) {
        long fresh = leastDone() + slots.length;
        limit.setRelease(fresh);
        return to <= fresh;
    }

    /**
     * Publishes a claimed number to the first stages. A full fence: who goes idle at this moment is seen idle
     * afterwards.
     */
    void commit(long sequence) {
        if (single) {
            committed.setVolatile(sequence + 1);
        } else {
            STAMPS.setVolatile(stamps, (int) sequence & mask, rounds.round(sequence));
        }
    }

    /** The same for all numbers of a claim, from the first to before the last: with one full fence. */
    void commit(long from, long to) {
        if (single) {
            committed.setVolatile(to);
            return;
        }
        for (long next = from; next < to; next++) {
            STAMPS.setRelease(stamps, (int) next & mask, rounds.round(next));
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
        while (next < to && (int) STAMPS.getAcquire(stamps, (int) next & mask) == rounds.round(next)) {
            next++;
        }
        return next;
    }

    /** Returns up to where all end stages are through. */
    long leastDone() {
        long least = Long.MAX_VALUE;
        for (Sequence end : ends) {
            least = Math.min(least, end.getVolatile());
        }
        return least;
    }

    /** Returns up to where numbers are claimed. */
    long claimed() {
        return claimed.getVolatile();
    }

    /** Returns how many slots are free; those that become free meanwhile may be missed. */
    long free() {
        long done = leastDone(); // first, or a claim and its end in between would make more free than there are
        return Math.max(0, slots.length - (claimed() - done));
    }
}
