// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.Counters;
import dev.spindle.internal.Interrupts;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The workers that exist, and what all together have done, those that have ended included. Workers end under the worker
 * set's lock; everything else may be called by anybody and is racy. Only {@link #add}, {@link #total} and {@link #look}
 * need memory: a thread that wakes a worker must not, for memory may be what the tasks that wait will free.
 */
final class WorkerRegistry {
    /** Of how many workers the kernel is asked in one look. */
    private static final int MOST_LETTERS = 16;

    /** How many looks a worker waits for a lock, and has ended nothing, before it counts as waiting. */
    private static final int LOCK_LOOKS = 4;

    private static final String LOCKS = AbstractOwnableSynchronizer.class.getPackageName();

    /** How many workers have a file open, by which the kernel says what they do. */
    private static final int MOST_FILES = 64;

    /** How much memory is free when the classes of a look are loaded. */
    private static final int ROOM = 1 << 16;

    private static volatile boolean prepared;

    @SuppressWarnings("unused")
    private static volatile byte @Nullable [] room;

    private final ReentrantLock own;

    // Longer ones replace it, with the same workers in the same places; written under this object's monitor.
    private volatile AtomicReferenceArray<@Nullable Worker> workers = new AtomicReferenceArray<>(4);
    private volatile Ended ended = new Ended(new Counters(), null);
    private final AtomicInteger files = new AtomicInteger();
    private volatile boolean watched;
    private volatile long others; // written by the completer

    // Whoever looks: one at a time, by the worker set's lock.
    private final byte[] line = new byte[KernelState.BUFFER_SIZE];
    private int next;
    private long completed;

    /** Creates an empty registry for a worker set with that lock. */
    WorkerRegistry(ReentrantLock own) {
        this.own = own;
    }

    /** The counts of all ended workers, and the last of them, which is perhaps still among the workers. */
    record Ended(Counters counters, @Nullable Worker last) {}

    synchronized void add(Worker worker) {
        AtomicReferenceArray<@Nullable Worker> all = workers;
        for (int i = 0; i < all.length(); i++) {
            if (all.get(i) == null) {
                all.set(i, worker);
                return;
            }
        }
        AtomicReferenceArray<@Nullable Worker> longer = new AtomicReferenceArray<>(2 * all.length());
        for (int i = 0; i < all.length(); i++) {
            longer.set(i, all.get(i));
        }
        longer.set(all.length(), worker);
        workers = longer;
    }

    /** Removes a worker that could not be started. */
    synchronized void remove(Worker worker) {
        AtomicReferenceArray<@Nullable Worker> all = workers;
        for (int i = 0; i < all.length(); i++) {
            if (all.get(i) == worker) {
                all.set(i, null);
            }
        }
    }

    /** Removes a worker that ends, and keeps its counts. */
    void ended(Worker worker) {
        Ended sum = worker.ended;
        sum.counters().addAll(ended.counters());
        worker.addTo(sum.counters());
        ended = sum; // before the removal, for total()
        remove(worker);
    }

    /** Returns what all have counted. No worker is counted twice or left out, whoever ends meanwhile. */
    Counters total() {
        for (; ; ) {
            Ended before = ended;
            Counters sum = new Counters();
            sum.addAll(before.counters());
            forEach(
                    w -> { // after `ended`: none that it counts is left, but the last
                        if (w != before.last()) {
                            w.addTo(sum);
                        }
                    });
            if (ended == before) {
                return sum; // else one that has ended may have been left out
            }
        }
    }

    /**
     * A sample of the workers that are awake and have work, a task or another entry; one that was woken and has not run
     * yet still searches, and one that has announced that it blocks is replaced already.
     *
     * @param working how many there are
     * @param waiting how many of these wait for something
     * @param computing how many run, or would if they had a processor: by the kernel, where that tells
     * @param ended whether any task or other entry has ended, in any way, since the last look
     */
    record Look(int working, int waiting, int computing, boolean ended) {}

    /**
     * Loads what a look needs, unless that was done. Throws rather than begin without memory: a class whose
     * initialization finds none can never be used again.
     */
    static void prepare() {
        if (!prepared) {
            room = new byte[ROOM]; // a field, so that no compiler leaves it out
            room = null;
            Object unused = KernelState.TELLS ? KernelState.Activity.RUNS : KernelState.Activity.UNKNOWN;
            prepared = true;
        }
    }

    /** Begins to look at the workers: sets down where each of them stands. */
    void beginLooking() {
        watched = true;
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

    /** Returns whether workers were ever looked at, so that they have to tell where the kernel shows what they do. */
    boolean isWatched() {
        return watched;
    }

    /** Opens where the kernel shows what the calling worker does; null if nothing tells, or too many have done so. */
    @Nullable
    KernelState openKernelState() {
        try {
            prepare();
        } catch (OutOfMemoryError e) {
            return null;
        }
        KernelState opened = files.incrementAndGet() <= MOST_FILES ? KernelState.ofCurrentThread() : null;
        if (opened == null) {
            files.decrementAndGet();
        }
        return opened;
    }

    /** Closes what {@link #openKernelState} returned. */
    void close(@Nullable KernelState opened) {
        if (opened != null) {
            opened.close();
            files.decrementAndGet();
        }
    }

    /**
     * Looks at the workers. To be called by one thread at a time.
     *
     * @param letters whether to ask the kernel what those do that the JVM calls runnable, of at most {@link
     *     #MOST_LETTERS}
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
        int unknown = 0; // their threads have no file yet, since they began before the workers were looked at
        boolean tells = letters && KernelState.TELLS;
        int from = next >= all.length() ? 0 : next;
        for (int i = 0; i < all.length(); i++) {
            int at = from + i < all.length() ? from + i : from + i - all.length();
            Worker w = all.get(at);
            if (w == null) {
                continue;
            }
            sum += w.countLook();
            Thread thread = atWork(w);
            if (thread == null) {
                continue;
            }
            Thread.State state = state(thread);
            KernelState kernel = letters && state == Thread.State.RUNNABLE ? w.kernelState() : null;
            KernelState.Activity activity = KernelState.Activity.UNKNOWN;
            if (kernel != null && asked < MOST_LETTERS) {
                activity = kernel.read(line);
                next = at + 1; // so that all have their turn
            }
            boolean waits = state != Thread.State.RUNNABLE || activity == KernelState.Activity.WAITS;
            if (waits && (own.hasQueuedThread(thread) || isOutOfService(w, thread, state))) {
                continue;
            }
            working++;
            if (state != Thread.State.RUNNABLE) {
                boolean counts = !isForLock(thread, state) || w.looksWithoutEnd() >= LOCK_LOOKS;
                waiting += counts ? 1 : 0;
                locked += counts ? 0 : 1;
            }
            unknown += state == Thread.State.RUNNABLE && kernel == null && tells && !w.isVirtual() ? 1 : 0;
            known += kernel != null ? 1 : 0;
            asked += activity == KernelState.Activity.UNKNOWN ? 0 : 1;
            asleep += activity == KernelState.Activity.WAITS ? 1 : 0;
        }
        int asleepOfAll = asked == 0 ? 0 : (known * asleep + asked / 2) / asked;
        boolean moved = sum != completed;
        completed = sum;
        int computing = unknown + (asked == 0 ? 0 : known - asleepOfAll);
        waiting += asleepOfAll + (moved || computing > 0 ? 0 : locked); // who computes may hold the lock
        return new Look(working, waiting, computing, moved);
    }

    /** Returns the thread of a worker that is in service and has an entry, and has not announced that it blocks. */
    private static @Nullable Thread atWork(@Nullable Worker w) {
        return w == null || w.state != Worker.AWAKE || w.coming || w.searching || w.isBlocking() ? null : w.thread;
    }

    /** Returns how many workers are at work and wait, by what the JVM says. Needs no memory. */
    int countWaiting() {
        AtomicReferenceArray<@Nullable Worker> all = workers;
        int count = 0;
        for (int i = 0; i < all.length(); i++) {
            Worker w = all.get(i);
            Thread thread = atWork(w);
            if (w != null && thread != null) {
                Thread.State state = state(thread);
                boolean waits = state == Thread.State.RUNNABLE ? isUnknown() : !isForLock(thread, state);
                count += waits && !isOutOfService(w, thread, state) ? 1 : 0;
            }
        }
        return count;
    }

    /** Returns whether a worker that the JVM calls runnable may wait, and nothing tells. */
    private static boolean isUnknown() {
        return prepared && !KernelState.TELLS; // loads nothing here
    }

    /** Returns whether more than {@code most} workers compute; asks the kernel about {@link #MOST_LETTERS} of them. */
    boolean computeMoreThan(int most) {
        byte[] letters;
        try {
            letters = new byte[KernelState.BUFFER_SIZE];
        } catch (OutOfMemoryError e) {
            return false; // in the midst of a turn, say
        }
        AtomicReferenceArray<@Nullable Worker> all = workers;
        int count = 0;
        int asked = 0;
        for (int i = 0; i < all.length() && asked < MOST_LETTERS && count <= most; i++) {
            Worker w = all.get(i);
            Thread thread = atWork(w);
            if (w != null && thread != null && state(thread) == Thread.State.RUNNABLE) {
                KernelState kernel = w.kernelState();
                asked += kernel == null ? 0 : 1;
                count += kernel == null || kernel.read(letters) != KernelState.Activity.WAITS ? 1 : 0;
            }
        }
        return count > most;
    }

    /** Returns the state of a thread that may be of a class of the user's. */
    private static Thread.State state(Thread thread) {
        try {
            return thread.getState();
        } catch (Throwable t) {
            return Thread.State.RUNNABLE; // it says nothing
        }
    }

    /**
     * Returns whether a worker that was in service when its state was read waits for work. In every other wait it is in
     * an entry, or in what an entry has called, be that a task or not: a limit, a callback, a hook, code of a key.
     */
    private static boolean isOutOfService(Worker w, Thread thread, Thread.State state) {
        boolean begins = state == Thread.State.NEW && !w.runsTask();
        return begins || LockSupport.getBlocker(thread) instanceof WorkerPool;
    }

    /**
     * Returns whether a thread waits for a lock: another worker would perhaps wait for the same, so this one counts as
     * waiting only when it has done so for long, or none computes and nothing ends.
     */
    private static boolean isForLock(Thread thread, Thread.State state) {
        if (state == Thread.State.BLOCKED) {
            return true;
        }
        return LockSupport.getBlocker(thread) instanceof AbstractOwnableSynchronizer lock && isLock(lock.getClass());
    }

    private static boolean isLock(Class<?> synchronizer) {
        try {
            return synchronizer.getPackageName().equals(LOCKS); // not a semaphore or a latch
        } catch (OutOfMemoryError e) { // the name is made when it is asked for first
            return false;
        }
    }

    /** Returns about how much has been done: the steps of all workers. */
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

    /** Counts what has ended on a thread that is no worker, which is progress too. For the completer. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    void countOther() {
        others++;
    }

    /** Has each worker read its clock after the task that it runs now. */
    void hurry() {
        AtomicReferenceArray<@Nullable Worker> all = workers;
        for (int i = 0; i < all.length(); i++) {
            Worker w = all.get(i);
            if (w != null) {
                w.hurry();
            }
        }
    }

    int count(Predicate<? super Worker> which) {
        AtomicReferenceArray<@Nullable Worker> all = workers;
        int count = 0;
        for (int i = 0; i < all.length(); i++) {
            Worker w = all.get(i);
            count += w != null && which.test(w) ? 1 : 0;
        }
        return count;
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

    /** Interrupts every worker that is awake. */
    void interruptAwake() {
        forEach(w -> {
            Thread thread = w.thread;
            if (thread != null && w.state == Worker.AWAKE) {
                Interrupts.sendAndReport(thread);
            }
        });
    }
}
