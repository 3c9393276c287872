// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.Lane;
import dev.spindle.internal.WorkerContext;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A stage whose strands handle several events at the same time, while {@code done} advances in sequence. */
final class ParallelStage<E> extends Stage<E> {
    /*
     * Each strand takes some of the available events, handles these events and marks them. Then the strand moves `done`
     * over all consecutive marks.
     *
     * field   writers   readers   mode
     * taken   strands   strands   volatile, CAS
     * marks   strands   strands   volatile
     *
     * ParallelStage-1  An event belongs to the strand whose CAS moved `taken` past the event.
     * ParallelStage-2  `done` never stays behind consecutive marks: a strand marks its events and then moves `done`.
     *                  All accesses are volatile, so the last of the strands that mark consecutive events sees all
     *                  marks.
     * ParallelStage-3  A strand that takes only some of the available events wakes another strand before it handles
     *                  them.
     *
     * Tests: PipelineTest, RandomProgramStressTest; PipelineLincheckTest (ParallelStage-2); jcstress ParallelMarks
     * (ParallelStage-1, ParallelStage-2).
     */
    private static final VarHandle MARKS = MethodHandles.arrayElementVarHandle(int[].class);

    private final RingLayout layout;
    private final int[] marks;
    private final Sequence taken = new Sequence();

    ParallelStage(Plan<E> plan, List<Lane> lanes) {
        super(plan, lanes);
        layout = plan.layout();
        marks = new int[layout.size()];
    }

    @Override
    boolean handleSome(Handling strand, @Nullable WorkerContext worker) {
        if (!strand.isWithin()) {
            long from;
            long to;
            long there;
            do {
                from = taken.getVolatile();
                there = available(from, from + (long) strand.most() * width());
                to = from + Math.min(strand.most(), (there - from + width() - 1) / width());
                if (to == from) {
                    return false;
                }
            } while (!taken.compareAndSet(from, to)); // ParallelStage-1
            if (to < there) { // ParallelStage-3
                wake();
            }
            if (worker != null) {
                worker.scheduler().letOthers(); // P1
            }
            if (!strand.begin(from, to)) {
                return true;
            }
        }
        long from = strand.next();
        long reached = strand.proceed(worker);
        for (long next = from; next < reached; next++) {
            MARKS.setVolatile(marks, layout.index(next), layout.round(next));
        }
        moveOn();
        return true;
    }

    private void moveOn() {
        long from;
        long to;
        do {
            from = done.getVolatile();
            to = marked(from);
            // ParallelStage-2
        } while (to > from && !done.compareAndSet(from, to)); // a strand that sets a mark later moves `done` itself
        if (to > from) {
            moved();
        }
    }

    /** Returns the first unmarked number from {@code from} on. */
    private long marked(long from) {
        long to = from;
        while (to < from + layout.size() && (int) MARKS.getVolatile(marks, layout.index(to)) == layout.round(to)) {
            to++;
        }
        return to;
    }

    @Override
    boolean isBehind(long sequence) {
        return super.isBehind(sequence)
                || (int) MARKS.getVolatile(marks, layout.index(sequence)) == layout.round(sequence);
    }

    @Override
    boolean hasWork() {
        long from = taken.getVolatile();
        return available(from, from + 1) > from;
    }
}
