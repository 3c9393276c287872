// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import dev.spindle.internal.CallersSimulation;
import dev.spindle.internal.Pool;
import dev.spindle.internal.WorkerContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The clauses of a select, and their channels. Used once. */
final class Selection {
    /*
     * Selection-1  The clauses are looked at, and parked if none is possible, with the locks of all channels held,
     *     taken in the order of their numbers (ChannelCore-4). So no clause becomes possible between the look and the
     *     parking, and two selects never wait for each other's locks.
     * Selection-2  A select that commits a clause of another one at once has parked none of its own, so the
     *     decision of the other's wait is all there is to decide.
     *
     * Tests: SelectTest, SelectLincheckTest; jcstress SelectAgainstSelect.
     */
    private static final Comparator<Pending<?>> BY_CHANNEL = Comparator.comparingLong(clause -> clause.core.id);

    private final Pending<?>[] clauses; // in the order of preference, after commit()
    private final Pending<?>[] inOrder; // as they were added
    private final ChannelCore<?>[] cores; // each once, in the order of their numbers
    private final boolean fair;
    private final @Nullable Pool pool;

    /** @param pool draws, for a fair one; null: that of the worker which selects, if it is one */
    Selection(Pending<?>[] clauses, boolean fair, @Nullable Pool pool) {
        this.clauses = clauses;
        this.fair = fair;
        this.pool = pool;
        inOrder = clauses.clone();
        cores = coresOf(clauses.clone());
    }

    private static ChannelCore<?>[] coresOf(Pending<?>[] clauses) { // by hand: once for each select
        Arrays.sort(clauses, BY_CHANNEL);
        List<ChannelCore<?>> cores = new ArrayList<>(clauses.length);
        ChannelCore<?> last = null;
        for (Pending<?> clause : clauses) {
            if (clause.core != last) {
                last = clause.core;
                cores.add(last);
            }
        }
        return cores.toArray(ChannelCore<?>[]::new);
    }

    /** Returns which clause, in the order in which they were added, {@code clause} is. */
    int indexOf(Pending<?> clause) {
        for (int i = 0; ; i++) {
            if (inOrder[i] == clause) {
                return i;
            }
        }
    }

    /** Returns the clause that was committed at once; else null, and then all of them are parked, if asked for. */
    @Nullable
    Pending<?> commit(boolean park) {
        for (; ; ) {
            prepareAll();
            lock();
            try {
                if (isStale()) {
                    continue;
                }
                if (fair) {
                    shuffle();
                }
                for (Pending<?> clause : clauses) {
                    if (clause.attempt()) {
                        return clause;
                    }
                }
                if (park) {
                    begin(clauses[0].wait);
                    for (Pending<?> clause : clauses) {
                        park(clause);
                    }
                }
                return null;
            } finally {
                unlock();
            }
        }
    }

    private void prepareAll() {
        try {
            for (Pending<?> clause : clauses) {
                prepare(clause);
            }
        } catch (Throwable t) { // key code
            lock();
            unlock();
            throw t;
        }
    }

    /** Gets the places of keys that are needed. Runs code of the user's. */
    private static <T> void prepare(Pending<T> clause) {
        if (clause.key != null) {
            clause.slot = clause.core.slotOf(clause.key);
        }
    }

    private boolean isStale() {
        for (Pending<?> clause : clauses) {
            KeySlot<?> slot = clause.slot;
            if (slot != null && slot.dead) {
                return true;
            }
        }
        return false;
    }

    /** Does what may fail of a wait, before any of its clauses is parked. */
    private void begin(Wait wait) {
        wait.begin();
        for (ChannelCore<?> core : cores) {
            core.list(wait);
        }
    }

    private static <T> void park(Pending<T> clause) {
        clause.core.park(clause);
    }

    private static <T> void used(Pending<T> clause) {
        clause.core.used(clause.slot);
    }

    private void shuffle() {
        for (int i = clauses.length - 1; i > 0; i--) {
            int with = draw(i + 1);
            Pending<?> other = clauses[with];
            clauses[with] = clauses[i];
            clauses[i] = other;
        }
    }

    private int draw(int bound) {
        Pool by = pool;
        if (by == null) {
            WorkerContext worker = WorkerContext.current();
            by = worker == null ? CallersSimulation.get() : worker.scheduler() instanceof Pool own ? own : null;
        }
        return by == null ? ThreadLocalRandom.current().nextInt(bound) : by.draw(bound);
    }

    private void lock() {
        for (ChannelCore<?> core : cores) {
            core.enter();
        }
    }

    private void unlock() {
        for (Pending<?> clause : clauses) {
            used(clause);
        }
        Wait decided = null;
        for (ChannelCore<?> core : cores) {
            decided = Wait.chain(core.unlock(), decided);
        }
        for (ChannelCore<?> core : cores) {
            core.tidy();
        }
        Wait.tell(decided);
    }
}
