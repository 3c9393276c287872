// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The observations of one run of a program: arrays with a place for each task, by its number.
 *
 * <p>The arrays are plain on purpose. Only the executor orders the accesses of a task to its places and to those of its
 * lane, so a missing order shows as a stale value. The checker reads the arrays when all threads have ended.
 */
final class Log {
    /** The answer to a submitter; 0 before the submit. */
    static final byte ACCEPTED = 1;

    static final byte REFUSED = 2;

    // the observations of a task, as bits of `seen`
    static final int INTERRUPTED = 1;
    static final int STALE = 2;
    static final int OVERLAP = 4;
    static final int OVERLAP_ASYNC = 8;
    static final int OVER_LIMIT = 16;
    static final int LATE = 32;
    static final int AFTER_END = 64;

    // the observations of its submitter, as bits of `told`
    static final int ACCEPTED_CLOSED = 1;
    static final int REFUSED_OPEN = 2;
    static final int CANCELLED = 4;
    static final int STALE_RESULT = 8;
    static final int WAITED_FOR_OWN = 16;
    static final int REFUSED_WAIT = 32;

    private static final VarHandle BYTES = MethodHandles.arrayElementVarHandle(byte[].class);

    /** The outcomes of a future or a submission. */
    enum Outcome {
        OPEN,
        DONE,
        FAILED,
        CANCELLED,
        SUPERSEDED,
        /** A value or a failure that is not the task's. */
        WRONG
    }

    /** A pause that was not ended by a shutdown: from the return of {@code pause} to the call of {@code resume}. */
    record Window(int lane, int from, int to) {}

    /** Tasks that were returned together, by their numbers, in order; -1 for one that was not submitted. */
    record Returned(Promise promise, List<Integer> tasks) {}

    /** A broken promise that was noticed during the run. */
    record Odd(Promise promise, String what) {}

    /** A call of {@code quiesce}. */
    static final class Quiet {
        final int lane;
        final int called;
        volatile boolean done;
        volatile int doneAt;

        Quiet(int lane, int called) {
            this.lane = lane;
            this.called = called;
        }
    }

    final byte[] answer;
    final byte[] runs;
    final byte[] seen;
    final byte[] told;
    final byte[] returned;
    final byte[] handled;
    final byte[] dropped;
    /** The number of runs of the callback of the task's future or submission. */
    final byte[] calledBack;
    /** {@link #mark} after the submit, and its complement after the end of the task. */
    final int[] marks;
    /** The number of the task's turn in its lane, from 1; 0 without a lane or a turn. */
    final int[] position;
    /** Four arrays of times by the common clock, 0 before the event; empty without that clock. */
    final int[] called;

    final int[] answered;
    final int[] begun;
    final int[] ended;
    final @Nullable Outcome[] outcome;

    final Queue<Window> windows = new ConcurrentLinkedQueue<>();
    final Queue<Quiet> quiets = new ConcurrentLinkedQueue<>();
    final Queue<Returned> returns = new ConcurrentLinkedQueue<>();
    final Queue<Odd> odds = new ConcurrentLinkedQueue<>();
    /** Tasks whose submitters waited at a bound when a {@code shutdownNow} had returned. */
    final Queue<Integer> waited = new ConcurrentLinkedQueue<>();
    /** The largest number of threads, as the pool reports it. */
    int peakThreads;
    /** True if the pool or a submitter did not end, so that the rest is incomplete. */
    volatile boolean unfinished;

    private final boolean exact;
    private final AtomicInteger clock = new AtomicInteger();

    Log(int tasks, boolean exact) {
        this.exact = exact;
        answer = new byte[tasks];
        runs = new byte[tasks];
        seen = new byte[tasks];
        told = new byte[tasks];
        returned = new byte[tasks];
        handled = new byte[tasks];
        dropped = new byte[tasks];
        calledBack = new byte[tasks];
        marks = new int[tasks];
        position = new int[tasks];
        called = new int[exact ? tasks : 0];
        answered = new int[exact ? tasks : 0];
        begun = new int[exact ? tasks : 0];
        ended = new int[exact ? tasks : 0];
        outcome = new @Nullable Outcome[tasks];
    }

    boolean isExact() {
        return exact;
    }

    /** Returns the next time of the common clock, which orders all its callers; 0 without one. */
    int tick() {
        return exact ? clock.incrementAndGet() : 0;
    }

    int ticks() {
        return clock.get();
    }

    /** Returns the value that a submitter writes for its task: never 0. */
    static int mark(int task) {
        return (task * 0x9E3779B9) | 1;
    }

    void see(int task, int bits) {
        if (bits != 0) {
            seen[task] = (byte) (seen[task] | bits);
        }
    }

    void tell(int task, int bits) {
        told[task] = (byte) (told[task] | bits);
    }

    boolean saw(int task, int bit) {
        return (seen[task] & bit) != 0;
    }

    boolean wasTold(int task, int bit) {
        return (told[task] & bit) != 0;
    }

    // ---------------------------------------------------------------- by the submitter

    void calls(int task) {
        marks[task] = mark(task);
        if (exact) {
            called[task] = tick();
        }
    }

    /** Records an acceptance; {@code closed} means that a shutdown had returned before the submit. */
    void accepted(int task, boolean closed) {
        if (exact) {
            answered[task] = tick();
        }
        answer[task] = ACCEPTED;
        if (closed) {
            tell(task, ACCEPTED_CLOSED);
        }
    }

    /** Records a refusal; {@code open} means that no shutdown had begun when the submit returned. */
    void refused(int task, boolean open) {
        answer[task] = REFUSED;
        if (open) {
            tell(task, REFUSED_OPEN);
        }
    }

    // ---------------------------------------------------------------- by the task

    void begins(int task) {
        see(task, marks[task] == mark(task) ? 0 : STALE);
        counts(task);
    }

    /** Records the begin as {@link #begins} does, for a task that may run again. */
    void beginsAgain(int task) {
        see(task, marks[task] == mark(task) || endIsSeen(task) ? 0 : STALE);
        counts(task);
    }

    private void counts(int task) {
        if (exact) {
            begun[task] = tick();
            BYTES.getAndAdd(runs, task, (byte) 1);
        } else {
            runs[task]++; // two runs at once may count as one here; the lane's checks find them
        }
    }

    void ends(int task) {
        marks[task] = ~mark(task);
        if (exact) {
            ended[task] = tick();
        }
    }

    /** Returns true if the end of the task is visible to the calling thread, to which it was reported. */
    boolean endIsSeen(int task) {
        return marks[task] == ~mark(task);
    }

    // ---------------------------------------------------------------- by the runner

    void odd(Promise promise, String what) {
        odds.add(new Odd(promise, what));
    }
}
