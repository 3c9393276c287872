// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import dev.spindle.internal.WaitOrigin;
import dev.spindle.internal.WaitSources;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** Somebody who waits for one of some clauses: a thread, a stage, a strand. Used once. */
abstract class Wait {
    /*
     * Wait-1  `decision` changes once, from null: to the clause that was committed, by a thread that holds the lock of
     *     its channel, or to WITHDRAWN. So of all clauses of a select, and of a commit and a withdrawal, one comes
     *     about.
     * Wait-2  Whoever decides removes the other clauses from their queues, after it has released the lock: a queue
     *     holds clauses of waits that were decided elsewhere only for that moment, and skips them.
     * Wait-3  What a commit gives is in the clause before the decision, and read after it.
     *
     * Tests: jcstress CommitAgainstCommit, CommitAgainstWithdraw, CommitThenRead.
     */

    /** What became of a wait. */
    interface Decision {}

    private enum Withdrawal implements Decision {
        WITHDRAWN
    }

    private static final VarHandle DECISION;

    static {
        try {
            DECISION = MethodHandles.lookup().findVarHandle(Wait.class, "decision", Decision.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Decision decision;
    private @Nullable Pending<?> clauses; // written before it is parked

    /** The next of those that one thread has decided, for that thread. */
    private @Nullable Wait next;

    /** Adds a clause; returns the one before. */
    @Nullable
    Pending<?> add(Pending<?> clause) {
        Pending<?> before = clauses;
        clauses = clause;
        return before;
    }

    @Nullable
    Pending<?> clauses() {
        return clauses;
    }

    /** Commits {@code clause}, of which nothing may be taken back after this; false if the wait is decided. */
    boolean commit(Pending<?> clause) {
        return DECISION.compareAndSet(this, null, clause);
    }

    boolean isDecided() {
        return decision != null;
    }

    /** Returns the clause that was committed, if any. */
    @Nullable
    Pending<?> committed() {
        return decision instanceof Pending<?> clause ? clause : null;
    }

    /** Takes it back, and all its clauses; false if it is decided. Callers have proven that there is stack left. */
    boolean withdraw() {
        if (!DECISION.compareAndSet(this, null, Withdrawal.WITHDRAWN)) {
            return false;
        }
        tell(leave(null));
        return true;
    }

    /** Removes the clauses but {@code committed} from their queues; returns the waits that this has decided. */
    private @Nullable Wait leave(@Nullable Pending<?> committed) {
        Wait decided = null;
        for (Pending<?> clause = clauses; clause != null; clause = clause.sibling) {
            if (clause != committed) {
                decided = chain(remove(clause), decided);
            }
        }
        clauses = committed;
        return decided;
    }

    private static <T> @Nullable Wait remove(Pending<T> clause) {
        return clause.core.remove(clause);
    }

    void setNext(Wait wait) {
        next = wait;
    }

    /** Returns a chain of {@code first} and what follows it, then {@code rest}. */
    static @Nullable Wait chain(@Nullable Wait first, @Nullable Wait rest) {
        if (first == null || rest == null) {
            return first == null ? rest : first;
        }
        Wait last = first;
        for (Wait after = last.next; after != null; after = last.next) {
            last = after;
        }
        last.next = rest;
        return first;
    }

    /** Tells all of a chain that they are decided: first the threads, since a callback of a stage may take long. */
    static void tell(@Nullable Wait decided) {
        if (decided == null) {
            return;
        }
        for (Wait wait = decided; wait != null; wait = wait.next) {
            Pending<?> committed = wait.committed();
            if (committed != null && (wait.clauses != committed || committed.sibling != null)) {
                try {
                    Wait unused = chain(wait, wait.leave(committed)); // at the end of this chain
                } catch (Throwable t) {
                    // no memory; a queue skips what is decided (Wait-2)
                }
            }
            wait.wake();
        }
        for (Wait wait = decided; wait != null; ) {
            Wait after = wait.next;
            wait.next = null;
            try {
                wait.call();
            } catch (Throwable t) {
                // no stack or no memory left for a callback; the others have to be told all the same
            }
            wait = after;
        }
    }

    // ---------------------------------------------------------------- for those who ask who waits

    /** Notes where and when this begins to wait. Called by the thread that does so, before it is parked. */
    void begin() {}

    /** Returns the list of the spindle on one of whose workers this began, or null. */
    @Nullable
    WaitSources list() {
        return null;
    }

    /** Returns who waits; null for one that need not be listed. */
    @Nullable
    WaitOrigin origin() {
        return null;
    }

    /** Returns when it began, by a clock that reads {@code now} now. */
    long since(long now) {
        return now;
    }

    // ---------------------------------------------------------------- what follows

    /** Wakes the thread that waits, if this is one. Outside every lock. */
    void wake() {}

    /** Runs what follows, if no thread waits. Outside every lock. */
    void call() {}
}
