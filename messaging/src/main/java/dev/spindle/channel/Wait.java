// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import dev.spindle.internal.SpindleParts;
import dev.spindle.internal.WaitOrigin;
import dev.spindle.messaging.WithdrawableFuture;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A wait of a thread, a future or a consumer for one of several clauses. A wait is used once. */
abstract class Wait implements WithdrawableFuture.Withdrawable {
    /*
     * Wait-1  `decision` changes once: from null to the committed clause, by a thread that holds the lock of that
     *         clause's channel, or from null to WITHDRAWN. So either one clause or a withdrawal takes effect.
     * Wait-2  The thread that decides a wait removes the other clauses of the wait from their queues after it has
     *         released the lock. Until then other threads skip these clauses.
     * Wait-3  The received value is written to the clause before the decision, and read after the decision.
     *
     * Tests: jcstress CommitAgainstCommit, CommitAgainstWithdraw (Wait-1), CommitThenRead (Wait-3); ChannelTest,
     * SelectTest (Wait-2).
     */

    /** The outcome of a wait. */
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
    private @Nullable Pending<?> clauses; // the clause that was added last, linked to the others by `sibling`

    /** The next wait in the chain of waits that a thread has decided; used by that thread. */
    private @Nullable Wait next;

    /** Adds a clause; returns the previous clause. */
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

    /** Commits {@code clause}, which decides this wait; returns false if the wait was decided before. */
    boolean commit(Pending<?> clause) {
        return DECISION.compareAndSet(this, null, clause); // Wait-1
    }

    boolean isDecided() {
        return decision != null;
    }

    /** Returns the committed clause, or null. */
    @Nullable
    Pending<?> committed() {
        return decision instanceof Pending<?> clause ? clause : null;
    }

    /**
     * Withdraws all clauses; returns false if the wait is decided. The caller has checked that enough stack is left.
     */
    @Override
    public boolean withdraw() {
        if (!DECISION.compareAndSet(this, null, Withdrawal.WITHDRAWN)) { // Wait-1
            return false;
        }
        tell(leave(null));
        return true;
    }

    /**
     * Removes all clauses except {@code committed} from their queues; returns the waits that these removals have
     * decided.
     */
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

    /** Appends the chain {@code rest} to the chain {@code first}, and returns the whole chain. */
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

    /**
     * Completes the decided waits of a chain. Wakes all waiting threads before any callback runs, since callbacks may
     * take long.
     */
    static void tell(@Nullable Wait decided) {
        if (decided == null) {
            return;
        }
        for (Wait wait = decided; wait != null; wait = wait.next) {
            Pending<?> committed = wait.committed();
            if (committed != null && (wait.clauses != committed || committed.sibling != null)) {
                try {
                    // Wait-2
                    Wait unused = chain(wait, wait.leave(committed)); // this loop also visits the appended waits
                } catch (Throwable t) {
                    // the clauses may stay queued, since other threads skip decided clauses (Wait-2)
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
                // a callback has thrown; the other waits must still be completed
            }
            wait = after;
        }
    }

    // ---------------------------------------------------------------- the list of waits

    /** Records where and when this wait begins. Called by the thread that is about to park this wait. */
    void begin() {}

    /** Returns the list of waits of the spindle on whose worker this wait began; null if no worker began it. */
    @Nullable
    SpindleParts list() {
        return null;
    }

    /** Returns the origin of this wait; null if it need not be listed. */
    @Nullable
    WaitOrigin origin() {
        return null;
    }

    /** Returns the time at which this wait began, by the clock whose current reading is {@code now}. */
    long since(long now) {
        return now;
    }

    // ---------------------------------------------------------------- completion

    /** Wakes the waiting thread; does nothing if no thread waits. Called without a lock. */
    void wake() {}

    /** Runs the callback of this wait; does nothing if a thread waits. Called without a lock. */
    void call() {}
}
