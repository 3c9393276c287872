// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.Counters;
import dev.spindle.internal.Interrupts;
import dev.spindle.internal.pool.wake.WorkerState;
import dev.spindle.internal.pool.wake.WorkerStates;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a pool, and the counts of all workers, including those that have ended. A <i>look</i> counts which
 * workers run and which wait ({@link #look}); while the watch is armed (WorkerSet-5), a look follows every 2 to 15 ms.
 * {@link #ended} is called under the worker set's lock, and one thread at a time looks. Any thread may call the other
 * methods; their results are racy.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // `freePlaces` is written under the monitor, `others` by one thread
final class WorkerRegistry {
    /**
     * The maximum number of kernel states that are read in one look. A reading takes 1.3 µs (ADR 0015). Other values
     * were not measured.
     */
    private static final int MOST_LETTERS = 16;

    /**
     * The number of looks without a new step after which a worker that waits for a lock is counted as waiting (T3). Not
     * measured.
     */
    private static final int LOCK_LOOKS = 4;

    private static final String LOCKS = AbstractOwnableSynchronizer.class.getPackageName();

    /**
     * The maximum number of workers that a look reads. A larger pool is judged by a sample of those that are not idle:
     * the next look continues behind the last worker of the sample. With 1,024, looks took 11 % of the samples of a
     * profile with 20,000 blocked keys, measured on two processors. Other values were not measured.
     */
    private static final int MOST_SEEN = 256;

    /** The maximum number of workers that have their kernel state open as a file. Not measured. */
    private static final int MOST_FILES = 64;

    private static volatile boolean prepared;

    private final WorkerStates states;
    private final ReentrantLock own;

    // Replaced by a longer array with the same workers at the same indices; written under this object's monitor.
    private volatile AtomicReferenceArray<@Nullable Worker> workers = new AtomicReferenceArray<>(4);
    private int[] free = {3, 2, 1, 0}; // the first `freePlaces` are the indices without a worker; under the monitor
    private volatile int freePlaces = 4; // written under the monitor
    private volatile Ended ended = new Ended(new Counters(), null);
    private final AtomicInteger files = new AtomicInteger();
    private volatile boolean watched;
    private volatile long others; // written by the completer

    // Used by the thread that looks. WatchdogState ensures that only one thread looks at a time.
    private final byte[] line = new byte[KernelState.BUFFER_SIZE];
    private int next;
    private long completed;
    private @Nullable Worker mover; // in a pool larger than a sample: the last worker that was seen to end a step
    private long moverSteps;
    private volatile int pauses; // written by the thread that looks

    /** Creates an empty registry of workers with the given states. */
    WorkerRegistry(WorkerStates states) {
        this.states = states;
        own = states.lock();
        states.ensurePlaces(workers.length());
    }

    /** The counts of all ended workers, and the worker that ended last, which may still be in the array. */
    record Ended(Counters counters, @Nullable Worker last) {}

    void add(Worker worker) {
        while (!addIfFree(worker)) {
            own.lock(); // before the monitor, as in ended(); WorkerStates.ensurePlaces needs it
            try {
                grow();
            } finally {
                own.unlock();
            }
        }
    }

    private synchronized boolean addIfFree(Worker worker) {
        if (freePlaces == 0) {
            return false;
        }
        int place = free[--freePlaces];
        worker.setPlace(place);
        workers.set(place, worker);
        return true;
    }

    private synchronized void grow() {
        if (freePlaces > 0) {
            return;
        }
        AtomicReferenceArray<@Nullable Worker> all = workers;
        int length = all.length();
        AtomicReferenceArray<@Nullable Worker> longer = new AtomicReferenceArray<>(2 * length);
        int[] places = new int[2 * length];
        for (int i = 0; i < length; i++) {
            longer.set(i, all.get(i));
            places[i] = 2 * length - 1 - i;
        }
        free = places;
        freePlaces = length;
        states.ensurePlaces(2 * length);
        workers = longer;
    }

    /** Removes a worker that could not be started. */
    synchronized void remove(Worker worker) {
        int place = worker.place();
        if (place >= 0 && workers.get(place) == worker) {
            workers.set(place, null);
            free[freePlaces++] = place;
        }
    }

    /** Returns an estimate of the number of workers. */
    private int size() {
        return Math.max(0, workers.length() - freePlaces);
    }

    /** Returns an estimate of the number of workers that are not idle. */
    private int sizeAwake() {
        return Math.max(0, size() - states.idle());
    }

    /** Returns the worker at an index, or null if there is none, or, in a pool larger than a sample, an idle one. */
    private @Nullable Worker at(int place, AtomicReferenceArray<@Nullable Worker> all) {
        return size() > MOST_SEEN && states.isIdle(place) ? null : all.get(place);
    }

    /** Removes a worker that ends, and adds its counts to those of ended workers. */
    void ended(Worker worker) {
        Ended sum = worker.ended;
        sum.counters().addAll(ended.counters());
        worker.addTo(sum.counters());
        ended = sum; // before the removal, so that total() misses no worker
        remove(worker);
    }

    /** Returns the counts of all workers. Each worker is counted once, even if it ends during the call. */
    Counters total() {
        for (; ; ) {
            Ended before = ended;
            Counters sum = new Counters();
            sum.addAll(before.counters());
            forEach(
                    w -> { // read after `ended`: only the last worker counted in `ended` may still be in the array
                        if (w != before.last()) {
                            w.addTo(sum);
                        }
                    });
            if (ended == before) {
                return sum; // no worker has ended during the walk
            }
        }
    }

    /**
     * A sample of the workers at work: those that are awake and run an entry. A woken worker that has not yet run an
     * entry is counted as searching, not as working. A worker that has announced that it blocks is not counted, since
     * another worker may take its place.
     *
     * @param working the number of workers at work
     * @param waiting the number of the workers at work that wait
     * @param computing the number of the workers at work that run or wait for a processor, if the kernel reports states
     * @param ended true if a step has ended since the last look
     */
    record Look(int working, int waiting, int computing, boolean ended) {}

    private static void prepare() {
        if (!prepared) {
            KernelState.prepare();
            prepared = true;
        }
    }

    /** Starts a series of looks: records the number of steps of each worker. */
    void beginLooking() {
        watched = true;
        if (size() > MOST_SEEN) {
            return; // a sample compares each worker with itself
        }
        long sum = stepsOfEnded();
        AtomicReferenceArray<@Nullable Worker> all = workers;
        for (int i = 0; i < all.length(); i++) {
            Worker w = all.get(i);
            if (w != null) {
                sum += w.countLook();
            }
        }
        completed = sum;
    }

    /** Returns whether looks have ever begun, so that workers have to open their kernel states. */
    boolean isWatched() {
        return watched;
    }

    /**
     * Opens the kernel state of the calling worker. Returns null if the state is not available, or if
     * {@link #MOST_FILES} states are open.
     */
    @Nullable
    KernelState openKernelState() {
        prepare();
        KernelState opened = files.incrementAndGet() <= MOST_FILES ? KernelState.ofCurrentThread() : null;
        if (opened == null) {
            files.decrementAndGet();
        }
        return opened;
    }

    /** Closes a kernel state from {@link #openKernelState}. */
    void close(@Nullable KernelState opened) {
        if (opened != null) {
            opened.close();
            files.decrementAndGet();
        }
    }

    /**
     * Looks at the workers: counts those that run and those that wait. Called by one thread at a time.
     *
     * @param letters true to read the kernel states of up to {@link #MOST_LETTERS} RUNNABLE threads, and to estimate
     *     from them how many RUNNABLE threads wait
     */
    Look look(boolean letters) {
        prepare();
        long sum = stepsOfEnded();
        AtomicReferenceArray<@Nullable Worker> all = workers;
        int working = 0;
        int waiting = 0;
        int locked = 0;
        int known = 0;
        int asked = 0;
        int asleep = 0;
        int unknown = 0; // RUNNABLE workers on platform threads without an open KernelState, if states are read
        boolean tells = letters && KernelState.TELLS;
        int read = 0;
        int at = before(next, all);
        Worker moving = null;
        boolean pause = false;
        for (int i = 0; i < all.length() && read < MOST_SEEN; i++) {
            at = at + 1 < all.length() ? at + 1 : 0;
            Worker w = at(at, all);
            if (w == null) {
                continue;
            }
            read++;
            sum += w.countLook();
            moving = w.looksWithoutEnd() == 0 ? w : moving;
            Thread thread = atWork(w);
            if (thread == null) {
                continue;
            }
            Thread.State state = state(thread);
            KernelState kernel = letters && state == Thread.State.RUNNABLE ? w.kernelState() : null;
            KernelState.Activity activity = KernelState.Activity.UNKNOWN;
            if (kernel != null && asked < MOST_LETTERS) {
                activity = kernel.read(line);
                next = at + 1; // the next look starts after this worker
            }
            boolean waits = state != Thread.State.RUNNABLE || activity == KernelState.Activity.WAITS;
            if (waits && (own.hasQueuedThread(thread) || isOutOfService(w, thread, state))) { // WorkerSet-5
                continue;
            }
            if (w.isVirtual()) {
                pause |= w.seen(state == Thread.State.RUNNABLE); // WorkerSet-15
            }
            working++;
            if (state != Thread.State.RUNNABLE) {
                boolean counts = !isForLock(thread, state) || w.looksWithoutEnd() >= LOCK_LOOKS;
                waiting += counts ? 1 : 0; // T3
                locked += counts ? 0 : 1;
            }
            unknown += state == Thread.State.RUNNABLE && kernel == null && tells && !w.isVirtual() ? 1 : 0;
            known += kernel != null ? 1 : 0;
            asked += activity == KernelState.Activity.UNKNOWN ? 0 : 1;
            asleep += activity == KernelState.Activity.WAITS ? 1 : 0;
        }
        if (pause) {
            pauses++;
        }
        int asleepOfAll = asked == 0 ? 0 : (known * asleep + asked / 2) / asked;
        boolean moved = sum != completed;
        completed = sum;
        if (size() > MOST_SEEN) {
            next = at + 1;
            moved = moves(moving);
            double factor = read < MOST_SEEN ? 1 : (double) Math.max(read, sizeAwake()) / read;
            working = (int) (working * factor);
            waiting = (int) (waiting * factor);
            locked = (int) (locked * factor);
        }
        int computing = unknown + (asked == 0 ? 0 : known - asleepOfAll);
        waiting += asleepOfAll + (moved || computing > 0 ? 0 : locked); // a computing worker may hold the lock
        return new Look(working, waiting, computing, moved);
    }

    /**
     * Returns the number of times that looks have asked the workers with virtual threads to pause: to leave their
     * carriers for a moment.
     */
    int pauses() {
        return pauses;
    }

    /** Returns the index before {@code place}, from which a walk continues at {@code place}, or at 0 past the end. */
    private static int before(int place, AtomicReferenceArray<@Nullable Worker> all) {
        return place >= all.length() ? -1 : place - 1;
    }

    /**
     * Returns whether a step has ended, as far as a sample shows. Few workers that end steps among many that wait are
     * rarely in the sample, so the last worker that was seen to end a step is asked in each look.
     *
     * @param seen a worker of the sample that has ended a step since it was last in a sample, or null
     */
    private boolean moves(@Nullable Worker seen) {
        Worker last = seen == null ? mover : seen;
        long steps = last == null ? moverSteps : last.steps();
        boolean moves = seen != null || steps != moverSteps;
        mover = last;
        moverSteps = steps;
        return moves;
    }

    /** Returns the thread of a worker at work (see {@link Look}), or null. */
    private static @Nullable Thread atWork(@Nullable Worker w) {
        return w == null || w.state() != WorkerState.WORKING || w.isBlocking() ? null : w.thread;
    }

    /**
     * Returns an estimate of the number of workers at work that wait. A wait for a lock is not counted. A RUNNABLE
     * worker is counted if the kernel reports no states.
     */
    int countWaiting() {
        AtomicReferenceArray<@Nullable Worker> all = workers;
        int count = 0;
        int read = 0;
        for (int i = 0; i < all.length() && read < MOST_SEEN; i++) {
            Worker w = at(i, all);
            read += w == null ? 0 : 1;
            Thread thread = atWork(w);
            if (w != null && thread != null) {
                Thread.State state = state(thread);
                boolean waits = state == Thread.State.RUNNABLE ? isUnknown() : !isForLock(thread, state);
                count += waits && !isOutOfService(w, thread, state) ? 1 : 0;
            }
        }
        return read < MOST_SEEN ? count : (int) ((double) count * Math.max(read, sizeAwake()) / read);
    }

    /** Returns true if the kernel reports no states, as far as known, so that a RUNNABLE worker may be waiting. */
    private static boolean isUnknown() {
        // in this order, since a read of TELLS loads KernelState
        return (prepared || WorkerPool.isPrepared()) && !KernelState.TELLS;
    }

    /**
     * Returns whether more than {@code most} workers compute. Reads at most {@link #MOST_SEEN} workers and
     * {@link #MOST_LETTERS} kernel states. A RUNNABLE worker without an open kernel state is taken to compute.
     */
    boolean computeMoreThan(int most) {
        byte[] letters = new byte[KernelState.BUFFER_SIZE];
        AtomicReferenceArray<@Nullable Worker> all = workers;
        int count = 0;
        int asked = 0;
        int read = 0;
        for (int i = 0; i < all.length() && read < MOST_SEEN && asked < MOST_LETTERS && count <= most; i++) {
            Worker w = at(i, all);
            read += w == null ? 0 : 1;
            Thread thread = atWork(w);
            if (w != null && thread != null && state(thread) == Thread.State.RUNNABLE) {
                KernelState kernel = w.kernelState();
                asked += kernel == null ? 0 : 1;
                count += kernel == null || kernel.read(letters) != KernelState.Activity.WAITS ? 1 : 0;
            }
        }
        return count > most;
    }

    /** Returns the state of a thread. A user's subclass of Thread may override getState, and may throw. */
    private static Thread.State state(Thread thread) {
        try {
            return thread.getState();
        } catch (Throwable t) {
            return Thread.State.RUNNABLE; // the state is unknown
        }
    }

    /**
     * Returns whether a worker that was WORKING a moment ago now waits for work, or has not begun to run. A worker in
     * any other wait runs an entry: it waits in a task, or in a callback, hook or key method that the entry calls.
     */
    private static boolean isOutOfService(Worker w, Thread thread, Thread.State state) {
        boolean begins = state == Thread.State.NEW && !w.runsTask(); // T7
        return begins || LockSupport.getBlocker(thread) instanceof WorkerPool;
    }

    /**
     * Returns whether a thread waits for a monitor or for a lock of {@code java.util.concurrent.locks}. Each worker
     * that is counted as waiting allows a further worker to be awake, and the further worker might wait for the same
     * lock. So {@link #look} counts a worker that waits for a lock only in two cases: the worker has ended no step in
     * {@link #LOCK_LOOKS} looks; or no worker computes, and none has ended a step since the last look.
     */
    private static boolean isForLock(Thread thread, Thread.State state) {
        if (state == Thread.State.BLOCKED) {
            return true;
        }
        return LockSupport.getBlocker(thread) instanceof AbstractOwnableSynchronizer lock
                && lock.getClass().getPackageName().equals(LOCKS); // excludes semaphores and latches
    }

    /** Returns an estimate of the steps of all workers. */
    long estimatedSteps() {
        long sum = stepsOfEnded();
        AtomicReferenceArray<@Nullable Worker> all = workers;
        for (int i = 0; i < all.length(); i++) {
            Worker w = all.get(i);
            sum += w == null ? 0 : w.steps();
        }
        return sum;
    }

    private long stepsOfEnded() {
        Counters before = ended.counters();
        return before.get(Counters.What.COMPLETED) + before.get(Counters.What.STEPS) + others;
    }

    /** Counts a time limit on which the completer has acted, as a step. Called by the completer. */
    void countOther() {
        others++;
    }

    /** Makes each worker that the next {@link #look} reads read its clock after the current task. */
    void hurry() {
        AtomicReferenceArray<@Nullable Worker> all = workers;
        int at = before(next, all);
        int read = 0;
        for (int i = 0; i < all.length() && read < MOST_SEEN; i++) {
            at = at + 1 < all.length() ? at + 1 : 0;
            Worker w = at(at, all);
            read += w == null ? 0 : 1;
            if (w != null && !w.isHurried()) {
                w.hurry();
            }
        }
    }

    void forEach(Consumer<? super Worker> action) {
        AtomicReferenceArray<@Nullable Worker> all = workers;
        for (int i = 0; i < all.length(); i++) {
            Worker w = all.get(i);
            if (w != null) {
                action.accept(w);
            }
        }
    }

    /** Interrupts every awake worker. */
    void interruptAwake() {
        forEach(w -> {
            Thread thread = w.thread;
            if (thread != null && w.state().isInService()) {
                Interrupts.sendAndReport(thread);
            }
        });
    }
}
