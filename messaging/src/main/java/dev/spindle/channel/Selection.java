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

/** One execution of a select: its clauses and their channels. */
final class Selection {
    /*
     * Selection-1  A select holds the locks of all its channels while it tries the clauses and, if none is possible,
     *     parks them, so no clause becomes possible in between. The select takes the locks in the order of `id`
     *     (ChannelCore-4), so two selects never wait for each other's locks.
     * Selection-2  A select commits clauses of other waits only while no clause of its own is parked. So no other
     *     thread can commit a clause of the select at the same time.
     *
     * Tests: SelectTest, SelectLincheckTest; jcstress SelectAgainstSelect (Selection-1).
     */
    private static final Comparator<Pending<?>> BY_CHANNEL = Comparator.comparingLong(clause -> clause.core.id);

    private final Pending<?>[] clauses; // in the order of preference; commit() shuffles those of a fair select
    private final Pending<?>[] inOrder; // in the order in which they were added
    private final ChannelCore<?>[] cores; // without duplicates, in the order of `id`
    private final boolean fair;
    private final @Nullable Pool pool;

    /** @param pool the source of random numbers for a fair select, or null for the calling worker's pool, if any */
    Selection(Pending<?>[] clauses, boolean fair, @Nullable Pool pool) {
        this.clauses = clauses;
        this.fair = fair;
        this.pool = pool;
        inOrder = clauses.clone();
        cores = coresOf(clauses.clone());
    }

    private static ChannelCore<?>[] coresOf(Pending<?>[] clauses) { // no streams: they would slow down each select
        Arrays.sort(clauses, BY_CHANNEL); // ChannelCore-4
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

    /** Returns the index of {@code clause} in the order in which the clauses were added. */
    int indexOf(Pending<?> clause) {
        for (int i = 0; ; i++) {
            if (inOrder[i] == clause) {
                return i;
            }
        }
    }

    /**
     * Commits and returns a clause that is possible at once, or returns null if there is none. If there is none, and
     * {@code park} is true, parks all clauses.
     */
    @Nullable
    Pending<?> commit(boolean park) {
        for (; ; ) {
            prepareAll();
            lock();
            try {
                if (isStale()) {
                    continue;
                }
                if (fair) { // C1
                    shuffle();
                }
                for (Pending<?> clause : clauses) { // Selection-2
                    if (clause.attempt()) {
                        return clause;
                    }
                }
                if (park) { // Selection-1
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
        } catch (Throwable t) { // a method of a key has thrown; unlock() ends the use of the slots
            lock();
            unlock();
            throw t;
        }
    }

    /** Looks up the slot of {@code clause} if the clause has a key. Runs user code. */
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

    /** Performs the steps of a wait that may fail, before any of its clauses is parked. */
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
