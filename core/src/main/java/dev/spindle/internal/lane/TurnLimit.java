// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.LaneName;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.Scheduler;
import dev.spindle.internal.WaitList;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.limit.CountedPermits;
import dev.spindle.internal.limit.FairPermits;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The limit on the lanes of a key space that are in a turn, or have an open async task, at the same time. This is the
 * scheduler of these lanes: a lane that becomes ready takes a permit and then goes to the pool, or waits for a permit
 * without a thread.
 */
final class TurnLimit implements Scheduler {
    /*
     * Each permit has one holder at a time:
     *
     *   holder          from                                  to
     *   an entry        ready, or readyAgain                  the worker that runs the entry
     *   WorkerContext   turn of the entry, or adoptTurn       the entry (readyAgain), or the gate (KEPT), or free at
     * the
     *   .permit                                               end of the turn, however it ends
     *   KEPT of a lane  a turn that parks while an async      free, when the async task ends
     *                   task is open, or adoptHold
     *
     * The permits of a space without a limit do not exist: its lanes go to the pool as they are. If the space gets its
     * first limit, the lanes that are in a turn or have an open async task get a permit even if none is free (adopt). A
     * lane that the pool holds ready without a permit takes one when its turn begins (LaneCore.turn). A turn that
     * begins during the change may be missed by both, and takes a permit at the end of its quantum (mayGoOn).
     *
     * TurnLimit-1  At most as many permits are taken as the limit says, except by adoption and until holders above a
     *     lowered limit have ended their turns. CountedPermits counts in one word, so a change of the limit loses none.
     * TurnLimit-2  Lanes wait in the order in which they became ready, and a turn ends at its quantum while a lane
     * waits
     *     (mayGoOn), so each lane gets a permit (N2). No lane waits while a permit is free (FairPermits-2).
     * TurnLimit-3  A permit is given back once: WorkerContext.permit is changed by the thread of the turn, or while the
     *     gate keeps the turn from ending (LaneGate-7); the thread that clears KEPT in the gate gives back that permit.
     *
     * Tests: TurnLimitTest, KeyLimitContractTest, LiveLimitsContractTest; jcstress PlacesWaitAgainstRoom
     * (FairPermits-2), ParkAgainstRelease, AdoptAgainstTurn (TurnLimit-3).
     */
    private final Object space;
    private final Scheduler pool;
    private final CountedPermits permits;

    /** Creates a limit; {@code space} is the party for which waiting lanes wait. */
    TurnLimit(Object space, Scheduler pool, int turns) {
        this.space = space;
        this.pool = pool;
        permits = new CountedPermits(turns);
    }

    /** Returns the maximum number of turns. */
    int turns() {
        return permits.most();
    }

    /** Changes the maximum number of turns. If it grows, waiting lanes become ready. */
    void setTurns(int turns) {
        permits.setMost(turns);
    }

    /** Adds the lanes that wait for a permit to {@code list}. */
    void listWaits(WaitList list) {
        permits.listWaits(space, list);
    }

    /** Takes a permit even if none is free. */
    void takeAnyway() {
        permits.takeAnyway();
    }

    /** Gives a permit back, which goes to the first lane that waits. */
    void giveBack() {
        permits.giveBack();
    }

    /** Returns an entry of {@code lane} that holds a permit, which is taken even if none is free. */
    ReadyEntry force(ReadyEntry lane) {
        Entry entry = new Entry(this, lane);
        permits.takeAnyway();
        return entry;
    }

    @Override
    public void ready(Object lane) {
        Entry entry = new Entry(this, (ReadyEntry) lane);
        if (permits.tryTake()) {
            pool.ready(entry);
        } else {
            permits.join(new Waiting(entry)); // TurnLimit-2
        }
    }

    /** Passes the permit of the turn on to the next turn of the lane, unless another lane waits for it. */
    @Override
    public void readyAgain(ReadyEntry lane, WorkerContext worker) {
        if (worker.permit() instanceof Entry entry && permits.isUncontended()) {
            worker.setPermit(null); // before another worker can run the entry
            pool.readyAgain(entry, worker);
        } else {
            ready(lane);
            VarHandle.fullFence();
        }
    }

    @Override
    public boolean mayGoOn(@Nullable WorkerContext worker) {
        boolean go = pool.mayGoOn(worker); // always called, since it also fires timers
        return go && worker != null && worker.permit() != null && permits.isUncontended(); // TurnLimit-2
    }

    @Override
    public boolean hasReady() {
        return pool.hasReady();
    }

    @Override
    public long recentNanos() {
        return pool.recentNanos();
    }

    @Override
    public long nanoTime() {
        return pool.nanoTime();
    }

    @Override
    public String name() {
        return pool.name();
    }

    @Override
    public void failed(@Nullable Object party, Runnable task, Throwable failure) {
        pool.failed(party, task, failure);
    }

    /** A lane that has a permit, in the queue of the pool or on a worker. */
    private static final class Entry extends ReadyEntry {
        private final TurnLimit limit;
        private final ReadyEntry lane;

        Entry(TurnLimit limit, ReadyEntry lane) {
            this.limit = limit;
            this.lane = lane;
        }

        @Override
        public void turn(WorkerContext r) {
            r.setPermit(this);
            lane.turn(r);
        }

        @Override
        public void giveBack() {
            limit.giveBack();
        }

        @Override
        public @Nullable LaneName lane() {
            return lane.lane();
        }

        @Override
        public boolean endWithoutThread() {
            try {
                return lane.endWithoutThread();
            } finally {
                giveBack();
            }
        }
    }

    /** A lane that waits for a permit. */
    private static final class Waiting extends FairPermits.Waiter {
        private final Entry entry;

        Waiting(Entry entry) {
            super(entry.limit.nanoTime());
            this.entry = entry;
        }

        @Override
        protected Object party() {
            return entry.lane;
        }

        @Override
        protected void over() {
            entry.limit.pool.ready(entry);
        }
    }
}
