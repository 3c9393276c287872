// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool.wake;

import static dev.spindle.internal.pool.wake.WorkerState.COMING;
import static dev.spindle.internal.pool.wake.WorkerState.ENDED;
import static dev.spindle.internal.pool.wake.WorkerState.ENDING;
import static dev.spindle.internal.pool.wake.WorkerState.EXPIRED;
import static dev.spindle.internal.pool.wake.WorkerState.IDLE;
import static dev.spindle.internal.pool.wake.WorkerState.SEARCHING;
import static dev.spindle.internal.pool.wake.WorkerState.STARTING;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The states of the workers of a pool, the counts that follow from them, and the idle workers, of which a signal wakes
 * the one that became idle last. An auxiliary is woken only if no other worker is idle, so that the keep-alive of
 * auxiliaries can pass.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // all updates are made under `lock`
public final class WorkerStates {
    /*
     * A producer that has published an entry reads `searching`, `awake` and `blocked`, and takes the lock only if a
     * worker may have to be woken. WorkerSet describes why no wake-up is lost.
     *
     * field            writers                       readers          mode
     * searching        move                          all              volatile
     * awake            move                          all              volatile
     * coming           add, move                     all              volatile
     * running          move                          all              volatile
     * threads          add, move                     all              volatile
     * blocked          workers that start or end     all              atomic, without `lock`
     *                  to block
     * peak, wakeUps    add, wake                     all              volatile
     * auxiliaries      move                          all              volatile
     * max              setMax                        all              volatile
     * isIdle, idle     move; ensurePlaces            all              volatile; elements plain, for samples
     * idleCore         move                          all              volatile
     * tops             move                          under `lock`     plain
     * leaving          move                          under `lock`     plain
     * ending           end                           under `lock`     plain
     *
     * All writers of the fields but `blocked` hold `lock`.
     *
     * WorkerStates-1  `move` alone changes the state of a worker, along the table in WorkerState, and the counts with
     *     it: `awake` counts the workers that are WORKING or SEARCHING, `searching` the latter, `coming` those that are
     *     STARTING or COMING, `running` those that are neither STARTING nor ENDED, `leaving` those that are EXPIRED or
     *     ENDING, `auxiliaries` the auxiliary workers that are `running` but not `leaving`.
     * WorkerStates-2  A worker is in one of the two stacks while it is IDLE, and only then. So a worker is woken once,
     *     and the last thread to become idle is the first to be woken.
     *
     * The workers are linked, so that a worker can always become idle, even if there is no memory.
     *
     * Derived from Tokio's `idle.rs`, which has the numbers of searching and of unparked workers in one atomic word,
     * and a lock for the stack alone. Here each transition takes the lock, since it moves several counts, and a worker
     * may be late (COMING).
     *
     * Tests: WorkerStatesTest, WorkerRegistryTest; the model WorkerSetModelTest.
     */
    private final ReentrantLock lock = new ReentrantLock();
    private volatile int max;
    private int most; // the maximum, or the number of threads above a lowered maximum, for `areSound`
    private volatile int searching;
    private volatile int awake;
    private volatile int coming;
    private volatile int running;
    private volatile int threads;
    private volatile int auxiliaries;
    private volatile int peak;
    private volatile long wakeUps;
    private final AtomicInteger blocked = new AtomicInteger();
    private int leaving;
    private boolean ending;
    private final @Nullable WorkerNode[] tops = new WorkerNode[2]; // of the stacks of auxiliaries (1) and others (0)
    private volatile boolean[] isIdle = new boolean[0]; // by the place of the worker
    private volatile int idle;
    private volatile int idleCore; // the idle workers of stack 0

    /** Creates the states of a pool without workers, which may have up to {@code max}. */
    public WorkerStates(int max) {
        this.max = max;
        most = max;
    }

    /** Returns the lock under which states change. */
    public ReentrantLock lock() {
        return lock;
    }

    // ---------------------------------------------------------------- transitions, under the lock

    /** Counts a new worker, whose thread is about to be made. */
    public void add(WorkerNode worker) {
        assert worker.state == STARTING && threads < max : worker.state + " with " + this;
        threads++;
        coming++;
        wakeUps++;
        peak = Math.max(peak, threads);
    }

    /** Changes the state of a worker, and the counts with it. */
    public void move(WorkerNode worker, WorkerState to) {
        WorkerState from = worker.state;
        if ((from.next & to.bit) == 0) { // WorkerStates-1
            throw new AssertionError("a worker was " + from + " and must not become " + to);
        }
        if (from == IDLE) {
            pop(worker); // WorkerStates-2
        } else if (from == SEARCHING) {
            searching--;
        } else if (from == STARTING && to != ENDED) {
            running++;
        }
        if (from.coming > to.coming) {
            coming--;
        } else if (from.coming < to.coming) {
            coming++;
        }
        if (from.awake < to.awake) {
            awake++;
        } else if (from.awake > to.awake) {
            awake--;
        }
        if (to == SEARCHING) {
            searching++;
        } else if (to == IDLE) {
            push(worker);
        } else if (to == ENDED) {
            threads--;
            running -= from == STARTING ? 0 : 1;
            most = Math.max(max, Math.min(most, threads));
        }
        leaving += to.leaving - from.leaving;
        if (worker.stack == 1) {
            auxiliaries += to.staying - from.staying;
        }
        worker.state = to; // last, since the worker acts on its state
    }

    /** Takes a worker out of service. Returns true if no worker is awake then. */
    public boolean leave(WorkerNode worker) {
        move(worker, ending ? ENDING : IDLE);
        return awake == 0;
    }

    private void push(WorkerNode worker) {
        WorkerNode top = tops[worker.stack];
        worker.below = top;
        if (top != null) {
            top.above = worker;
        }
        tops[worker.stack] = worker;
        isIdle[worker.place] = true;
        idle++;
        idleCore += 1 - worker.stack;
    }

    private void pop(WorkerNode worker) {
        WorkerNode above = worker.above;
        WorkerNode below = worker.below;
        if (above != null) {
            above.below = below;
        } else {
            tops[worker.stack] = below;
        }
        if (below != null) {
            below.above = above;
        }
        worker.above = null;
        worker.below = null;
        isIdle[worker.place] = false;
        idle--;
        idleCore -= 1 - worker.stack;
    }

    // ---------------------------------------------------------------- the signal

    /** Returns whether a worker searches, which sees each entry that was published before this call. */
    public boolean isSearching() {
        return searching > 0;
    }

    /** Returns whether {@code limit} unblocked workers are awake, or the maximum. */
    public boolean isFull(int limit) {
        int now = awake;
        return now - blocked.get() >= limit || now >= max;
    }

    /**
     * Puts the next idle worker into service if fewer than {@code limit} unblocked workers are awake. If enough are
     * coming, takes only a worker with a platform thread. The caller unparks the worker. Called under the lock.
     *
     * @return the worker, or null
     */
    public @Nullable WorkerNode wake(int limit) {
        int room = limit - awake + blocked.get();
        WorkerNode worker = room > 0 ? top(room > coming) : null; // WorkerSet-4
        if (worker != null) {
            move(worker, worker.isVirtual() ? COMING : SEARCHING);
            wakeUps++;
        }
        return worker;
    }

    /** Returns the worker to be woken next, or null. If {@code any} is false, leaves out those with virtual threads. */
    private @Nullable WorkerNode top(boolean any) {
        for (WorkerNode top : tops) {
            if (top != null && (any || !top.isVirtual())) {
                return top; // one factory makes the threads of a stack, so all are virtual or none
            }
        }
        return null;
    }

    /** Returns whether a worker may be started: fewer than {@code limit} are awake and unblocked, or coming. */
    public boolean hasRoom(int limit) {
        return limit - unblocked() > coming;
    }

    /** Takes back the wake-up of a worker that could not be started. Called under the lock. */
    public void refuse() {
        wakeUps--;
    }

    /** Unparks all idle workers, which stay idle. Called under the lock. */
    public void unparkIdle() {
        for (WorkerNode top : tops) {
            for (WorkerNode worker = top; worker != null; worker = worker.below) {
                worker.unpark();
            }
        }
    }

    /**
     * Changes the maximum number of workers. If there are more, none is made until fewer are left. Called under the
     * lock.
     */
    public void setMax(int workers) {
        max = workers;
        most = Math.max(workers, threads);
    }

    /** Returns whether more workers stay than the maximum. Called under the lock. */
    public boolean hasExcess() {
        return threads - leaving > max;
    }

    /** Ends an idle worker, an auxiliary if one is idle, and returns it, or null. Called under the lock. */
    public @Nullable WorkerNode endIdle() {
        WorkerNode worker = tops[1] == null ? tops[0] : tops[1];
        if (worker != null) {
            move(worker, EXPIRED);
        }
        return worker;
    }

    /** Ends all idle workers, and from now on those that leave service. Called under the lock. */
    public void end() {
        ending = true;
        for (WorkerNode worker = top(true); worker != null; worker = top(true)) {
            move(worker, ENDING);
            worker.unpark();
        }
    }

    // ---------------------------------------------------------------- counts

    /** Counts a worker that blocks: another may be awake in its place. */
    public void beginBlocking() {
        blocked.incrementAndGet();
    }

    /** Ends the effect of {@link #beginBlocking}. */
    public void endBlocking() {
        blocked.decrementAndGet(); // T2
    }

    /** Returns the number of workers that block. */
    public int blocked() {
        return blocked.get();
    }

    /** Returns the number of workers that work or search. */
    public int awake() {
        return awake;
    }

    /** Returns the number of workers that work or search, without those that block. */
    public int unblocked() {
        return awake - blocked.get();
    }

    /** Returns the number of workers whose threads may not run for a long time. */
    public int coming() {
        return coming;
    }

    /** Returns the number of workers that are awake or coming. */
    public int inService() {
        return awake + coming;
    }

    /** Returns whether no worker works, or comes to work; not an atomic snapshot. */
    public boolean isAtRest() {
        return coming + awake - searching == 0;
    }

    /** Returns the number of workers whose threads have started and not ended. */
    public int running() {
        return running;
    }

    /** Returns the number of workers whose threads have started, without those that are about to end. */
    public int staying() {
        return running - leaving;
    }

    /** Returns the number of those of {@link #staying} that are no auxiliaries. */
    public int stayingOfCore() {
        return staying() - auxiliaries;
    }

    /** Returns the maximum number of workers. */
    public int max() {
        return max;
    }

    /** Returns the number of workers that have not ended. */
    public int threads() {
        return threads;
    }

    /** Returns the largest value that {@link #threads} has had. */
    public int peak() {
        return peak;
    }

    /** Returns the number of times that a worker was woken or started. */
    public long wakeUps() {
        return wakeUps;
    }

    /** Returns the number of idle workers. */
    public int idle() {
        return idle;
    }

    /** Returns whether a worker is idle that is no auxiliary. */
    public boolean hasIdleCore() {
        return idleCore > 0;
    }

    /** Returns an estimate of whether the worker at an index of the registry is idle. */
    public boolean isIdle(int place) {
        boolean[] known = isIdle;
        return place < known.length && known[place];
    }

    /** Makes room for workers at indices of the registry below {@code places}. Called under the lock. */
    public void ensurePlaces(int places) {
        if (isIdle.length < places) {
            isIdle = Arrays.copyOf(isIdle, places);
        }
    }

    /** Returns whether workers that leave service end. Called under the lock. */
    public boolean isEnding() {
        return ending;
    }

    /** Returns whether the counts agree. Called under the lock. */
    public boolean areSound() {
        return searching >= 0
                && searching <= awake
                && coming >= 0
                && running <= threads
                && awake + coming + idle + leaving == threads
                && threads <= most;
    }

    @Override
    public String toString() {
        return "threads " + threads + ", running " + running + ", awake " + awake + ", searching " + searching
                + ", coming " + coming + ", idle " + idle + ", leaving " + leaving;
    }
}
