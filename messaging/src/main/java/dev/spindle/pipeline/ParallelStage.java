// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.Lane;
import dev.spindle.internal.WorkerContext;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A stage that handles several events at once, and moves on in sequence all the same. */
final class ParallelStage<E> extends Stage<E> {
    /*
     * Each strand takes a share of what is there, handles it, and marks it. Whoever has marked moves `done` over all
     * marks that follow one another.
     *
     * field   writers   readers   mode
     * taken   strands   strands   volatile, CAS
     * marks   strands   strands   volatile
     *
     * Stage-5  An event belongs to the strand whose CAS of `taken` went past it.
     * Stage-6  A strand marks its share, then looks for marks from `done` on and moves `done` past them; it looks again
     *     if another has moved it meanwhile. All is volatile: of those that finish next to each other, the one that
     *     marks last sees all, so `done` is never left behind a mark.
     * Stage-7  A strand that leaves part of what is there calls another one before it begins.
     *
     * Tests: PipelineTest, RandomProgramStressTest; PipelineLincheckTest (Stage-6); jcstress ParallelMarks (Stage-5,
     * Stage-6).
     */
    private static final VarHandle MARKS = MethodHandles.arrayElementVarHandle(int[].class);

    private final Rounds rounds;
    private final int[] marks;
    private final Sequence taken = new Sequence();

    ParallelStage(Plan<E> plan, List<Lane> lanes) {
        super(plan, lanes);
        rounds = plan.rounds();
        marks = new int[rounds.size()];
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
            } while (!taken.compareAndSet(from, to));
            if (to < there) {
                wake();
            }
            if (worker != null) {
                worker.scheduler().letOthers();
            }
            if (!strand.begin(from, to)) {
                return true;
            }
        }
        long from = strand.next();
        long reached = strand.proceed(worker);
        for (long next = from; next < reached; next++) {
            MARKS.setVolatile(marks, rounds.index(next), rounds.round(next));
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
        } while (to > from && !done.compareAndSet(from, to)); // once is enough: who marks meanwhile looks as well
        if (to > from) {
            moved();
        }
    }

    /** Returns the first number from {@code from} on that is not marked. */
    private long marked(long from) {
        long to = from;
        while (to < from + rounds.size() && (int) MARKS.getVolatile(marks, rounds.index(to)) == rounds.round(to)) {
            to++;
        }
        return to;
    }

    @Override
    boolean isBehind(long sequence) {
        return super.isBehind(sequence)
                || (int) MARKS.getVolatile(marks, rounds.index(sequence)) == rounds.round(sequence);
    }

    @Override
    boolean hasWork() {
        long from = taken.getVolatile();
        return available(from, from + 1) > from;
    }
}
