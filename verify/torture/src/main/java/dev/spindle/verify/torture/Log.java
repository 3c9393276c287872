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
 * The observations of one run of a program, in arrays that are indexed by task number.
 *
 * <p>The arrays are deliberately plain. Only the executor orders the accesses to the elements of a task and to the
 * elements of its lane's tasks. If an order is missing, a task may read a stale value. The checker reads the arrays
 * after all threads have ended.
 */
final class Log {
    /** The result of a submission; 0 before the result. */
    static final byte ACCEPTED = 1;

    static final byte REFUSED = 2;

    // The observations of a task, as bits of {@code seen}.
    static final int INTERRUPTED = 1;
    static final int STALE = 2;
    static final int OVERLAP = 4;
    static final int OVERLAP_ASYNC = 8;
    static final int OVER_LIMIT = 16;
    static final int LATE = 32;
    static final int AFTER_END = 64;

    // The observations of a task's submitter, as bits of {@code told}.
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
        /** A value or a failure of another task. */
        WRONG
    }

    /**
     * The times of the return of {@code pause} and of the call of {@code resume}. A pause that a shutdown ended is not
     * recorded.
     */
    record Window(int lane, int from, int to) {}

    /** The numbers of tasks that were returned together, in order; -1 for a task that was not submitted. */
    record Returned(Promise promise, List<Integer> tasks) {}

    /** A broken promise that was detected during the run. */
    record Odd(Promise promise, String what) {}

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
    /** The number of callbacks of the task's future or submission. */
    final byte[] calledBack;
    /** {@link #mark} after the submitter has begun the submission, and its complement after the end of the task. */
    final int[] marks;
    /** The number of the task's turn in its lane, starting at 1; 0 for a task without a turn. */
    final int[] position;
    /**
     * Four arrays of times by the common clock, with 0 before the event. The arrays are empty if the program is not
     * exact.
     */
    final int[] called;

    final int[] answered;
    final int[] begun;
    final int[] ended;
    final @Nullable Outcome[] outcome;

    final Queue<Window> windows = new ConcurrentLinkedQueue<>();
    final Queue<Quiet> quiets = new ConcurrentLinkedQueue<>();
    final Queue<Returned> returns = new ConcurrentLinkedQueue<>();
    final Queue<Odd> odds = new ConcurrentLinkedQueue<>();
    /** Tasks whose submitters were still waiting at a bound after a {@code shutdownNow} had returned. */
    final Queue<Integer> waited = new ConcurrentLinkedQueue<>();
    /** The peak number of threads that the pool reports. */
    int peakThreads;
    /** True if the run did not end within its time limit, so that the log is incomplete. */
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

    /**
     * Returns the next time of the common clock, or 0 if the program is not exact. The atomic increments of the clock
     * order all callers.
     */
    int tick() {
        return exact ? clock.incrementAndGet() : 0;
    }

    int ticks() {
        return clock.get();
    }

    /** Returns the value that a submitter writes for its task; the value is never 0. */
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

    /** Records an acceptance; {@code closed} is true if a shutdown had returned before the submission. */
    void accepted(int task, boolean closed) {
        if (exact) {
            answered[task] = tick();
        }
        answer[task] = ACCEPTED;
        if (closed) {
            tell(task, ACCEPTED_CLOSED);
        }
    }

    /** Records a refusal; {@code open} is true if no shutdown had begun when the submission returned. */
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

    /** Records the beginning of a task that may run again. */
    void beginsAgain(int task) {
        see(task, marks[task] == mark(task) || endIsSeen(task) ? 0 : STALE);
        counts(task);
    }

    private void counts(int task) {
        if (exact) {
            begun[task] = tick();
            BYTES.getAndAdd(runs, task, (byte) 1);
        } else {
            runs[task]++; // an update may be lost if runs overlap, which Place detects
        }
    }

    void ends(int task) {
        marks[task] = ~mark(task);
        if (exact) {
            ended[task] = tick();
        }
    }

    /** Returns true if the end of the task is visible to the calling thread. */
    boolean endIsSeen(int task) {
        return marks[task] == ~mark(task);
    }

    // ---------------------------------------------------------------- by the runner

    void odd(Promise promise, String what) {
        odds.add(new Odd(promise, what));
    }
}
