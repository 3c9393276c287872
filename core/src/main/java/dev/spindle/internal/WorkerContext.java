// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.invoke.VarHandle;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The state of a thread that runs turns: the current turn, the counts of tasks, and the last reading of the clock. */
public class WorkerContext extends Padding {
    /*
     * The worker's own thread writes all fields; other threads write only `called` (LaneGate-6) and `hurried`
     * (WorkerSet-13), which are volatile, as is `waiting`, which threads that search for a cycle of waits read
     * (WaitGraph). All other fields are plain, since the read-modify-write that takes the next task follows each write;
     * the interpreter would take 200 to 430 ns for a VarHandle. Any thread may read the counters, `turn`, `turnStart`
     * and `blocks`; a reader may see the end of a task before its start (M1). The word of the logical executor orders
     * the accesses to `turn` (ConcurrencyLimiter-6), and the gate of the lane those to `permit` (LaneGate-7).
     *
     * Tests: WaitContractTest; jcstress WaitAgainstWait, PauseAgainstBatch, TokenInterruptAgainstLeave.
     */
    /** The workers of threads that are not {@link WorkerThread}s. */
    private static final ThreadLocal<@Nullable WorkerContext> CURRENT = new ThreadLocal<>();
    /** True once CURRENT has had an entry. Each thread that has an entry has written this field before. */
    private static volatile boolean hasOthers;

    /**
     * The maximum number of tasks of a turn while other work is ready, and of short tasks between two readings of the
     * clock. With 1,024, other work waits longer; a task of one of 16 keys took 32 ns in place of 40. With 16 and 64,
     * it took as long as with 32 within the spread. Measured on two processors.
     */
    public static final int QUANTUM = 32;

    /**
     * The approximate time after which a turn ends while other work is ready. Between lanes with tasks of 20 µs, 200 µs
     * and 400 µs gave 2.9 and 6.5 times the median delay. Tasks of 0, 40 and 700 ns took the same processor time with
     * 200 µs: 90, 82 and 780 ns against 90, 78 and 775. Measured in three to five forks.
     */
    public static final long QUANTUM_NANOS = 100_000;

    /**
     * The observer of all workers, or null. The field is plain: a worker that reads an old value runs tasks unobserved
     * for a moment.
     */
    private static @Nullable TaskObserver observer;

    private static @Nullable TaskObserver recorder; // this and the next field are guarded by CURRENT
    private static @Nullable Function<@Nullable TaskObserver, TaskObserver> surrounding;

    /** An edge of the graph of waits. */
    public interface Wait {}

    /** A thread that is made by the library, and refers to its worker. */
    public static class WorkerThread extends Thread {
        private @Nullable WorkerContext worker; // read and written only by this thread

        /** Creates a thread that inherits no thread-locals from its creator. */
        public WorkerThread(@Nullable ThreadGroup group, @Nullable Runnable body, String name) {
            super(group, body, name, 0, false);
        }
    }

    private final Scheduler scheduler;
    private final long quantumNanos;

    private @Nullable ReadyEntry turn;
    private @Nullable ReadyEntry permit;

    private volatile @Nullable Wait waiting; // K6, WaitGraph-1
    private @Nullable Thread thread;

    private long started;

    private long completed;

    private long failed;

    private long now;
    private long turnStart;

    private volatile boolean called;

    private int stride = 1;
    private int planned = 1; // the number of tasks between two readings of the clock, while they are short
    private int untilReading = 1;

    private final int sampleOneIn;
    private long untilSample; // tasks before the next sample; Long.MAX_VALUE, less the tasks so far, if there is none
    private boolean sampling; // true if the time of the next reading is the run time of one task
    private long @Nullable [] runTimes;

    private volatile boolean hurried;

    private int blocks; // the depth of nested blocking calls of this thread

    private @Nullable Object mark; // read and written only by the thread that looks for stuck work

    /** Creates a worker whose turns last about {@code quantumNanos} while other work is ready. */
    public WorkerContext(Scheduler scheduler, long quantumNanos) {
        this(scheduler, quantumNanos, 0);
    }

    /**
     * Creates a worker that also measures the run time of one in {@code sampleOneIn} tasks, or of none if the number
     * is 0.
     */
    protected WorkerContext(Scheduler scheduler, long quantumNanos, int sampleOneIn) {
        this.scheduler = scheduler;
        this.quantumNanos = quantumNanos;
        this.sampleOneIn = sampleOneIn;
        untilSample = sampleOneIn == 0 ? Long.MAX_VALUE : 1;
    }

    /**
     * Returns the worker of the calling thread, or null if that thread is not a worker. A {@link ThreadLocal} is read
     * only if the thread factory of a user has made workers, since code that C2 has not compiled calls a native method
     * for each such read: with C1, a plain task took 88 ns in place of 63.
     */
    public static @Nullable WorkerContext current() {
        if (Thread.currentThread() instanceof WorkerThread own) {
            return own.worker;
        }
        return hasOthers ? CURRENT.get() : null;
    }

    /** Binds this worker to the calling thread, until {@link #unbind}. */
    public final void bind() {
        thread = Thread.currentThread();
        setCurrent(thread, this);
        readClock();
    }

    /** Unbinds this worker from the calling thread. */
    public final void unbind() {
        setCurrent(Thread.currentThread(), null);
    }

    private static void setCurrent(Thread caller, @Nullable WorkerContext worker) {
        if (caller instanceof WorkerThread own) {
            own.worker = worker;
        } else if (worker == null) {
            CURRENT.remove();
        } else {
            hasOthers = true;
            CURRENT.set(worker);
        }
    }

    /** Makes {@code all} the observer of the entries and tasks of all pools. */
    public static void observe(TaskObserver all) {
        synchronized (CURRENT) {
            recorder = all;
            observer = surrounding == null ? all : surrounding.apply(all);
        }
    }

    /**
     * Makes the observer that {@code outer} returns the observer of all pools. Its argument is the observer that the
     * returned one has to call, or null. Later calls have no effect.
     */
    public static void surround(Function<@Nullable TaskObserver, TaskObserver> outer) {
        synchronized (CURRENT) {
            if (surrounding == null) {
                surrounding = outer;
                observer = outer.apply(recorder);
            }
        }
    }

    /** Returns the object to queue for the ready {@code entry}: see {@link TaskObserver#waiting}. */
    public static Object waiting(String spindle, Object entry) {
        TaskObserver observing = observer;
        return observing == null ? entry : observing.waiting(spindle, entry);
    }

    /** Returns the lane or logical executor whose turn this worker runs, or null outside a turn. */
    public final @Nullable ReadyEntry turn() {
        return turn;
    }

    /** Returns the scheduler that this worker serves. */
    public final Scheduler scheduler() {
        return scheduler;
    }

    /** Returns the thread of this worker, or null before {@link #bind}. */
    public final @Nullable Thread thread() {
        return thread;
    }

    /** Returns an estimate of the number of tasks that this worker has started. */
    public final long started() {
        return started;
    }

    /** Returns an estimate of the number of tasks that have ended on this worker, in any way. */
    public final long completed() {
        return completed;
    }

    /** Returns whether this worker runs a task; the result may be outdated. */
    public final boolean runsTask() {
        return started() != completed();
    }

    /**
     * Returns an estimate of the number of steps that have ended: tasks, and the messages, values or events that a task
     * has handled after its first.
     */
    public long steps() {
        return completed;
    }

    /** Returns what {@link #setMark} has stored, or null. */
    public final @Nullable Object mark() {
        return mark;
    }

    /** Stores what the thread that looks for stuck work has to remember of this worker. */
    public final void setMark(@Nullable Object remembered) {
        mark = remembered;
    }

    /** Returns an estimate of the number of tasks whose exception went to the failure handler. */
    public final long failed() {
        return failed;
    }

    /** Runs an element of a ready queue: a turn of a ready entry, or a plain task. */
    public final void execute(Object entry) {
        if (entry instanceof ReadyEntry ready) {
            long before = completed;
            try {
                ready.turn(this);
            } finally {
                if (permit != null) {
                    giveBackPermit();
                }
            }
            if (completed == before) {
                countSteps(1); // an entry that runs no task, such as a timer, is a step as well
                if (sampling) {
                    sampling = false; // the next reading includes the time of the entry
                    untilSample++;
                }
            }
        } else {
            run(null, (Runnable) entry);
            tick();
        }
    }

    /**
     * Runs {@code task}, and passes a throwable of the task to the scheduler. Clears the interrupt flag before and
     * after.
     */
    public final void run(@Nullable Object key, Runnable task) {
        // F2
        boolean unused = Thread.interrupted(); // an interrupt of an earlier task must not reach this task
        started++; // after the dequeue: Statistics.read then counts the task at most once
        TaskObserver observing = observer;
        try {
            if (observing == null) {
                task.run();
            } else {
                observing.run(this, key, task);
            }
        } catch (Throwable t) {
            taskFailed(key, task, t); // F1
        }
        completed++;
        // A4
        unused = Thread.interrupted(); // before user code that runs between two tasks, such as a callback
    }

    /** Counts the failure of {@code task}, and passes it to the scheduler. */
    private void taskFailed(@Nullable Object key, Runnable task, Throwable failure) {
        clearInterrupt(); // an interrupt must not reach the failure handler
        failed++;
        scheduler.failed(key, task, failure);
        if (task instanceof CancellableEntry accepted) {
            accepted.reported(); // U3
        }
    }

    /**
     * Runs {@code code} as a part of {@code task}, which the calling thread runs. On a worker, handles a throwable of
     * the code like {@link #run}; on another thread, throws it.
     */
    public static void runReporting(Runnable task, Runnable code) {
        WorkerContext worker = current();
        try {
            code.run();
        } catch (Throwable t) {
            if (worker == null) {
                throw t;
            }
            worker.taskFailed(worker.turn() instanceof LaneName lane ? lane : null, task, t);
        }
    }

    private static void clearInterrupt() {
        boolean unused = Thread.interrupted();
    }

    /** Clears the interrupt flag of the calling thread if that thread is a worker. */
    public static void clearInterruptOfWorker() {
        if (isInterrupted(Thread.currentThread()) && current() != null) {
            clearInterrupt();
        }
    }

    /** Returns whether {@code thread} is interrupted, or true if a user's subclass of {@code Thread} throws. */
    private static boolean isInterrupted(Thread thread) {
        try {
            return thread.isInterrupted();
        } catch (Throwable t) {
            return true;
        }
    }

    /** Starts a turn of {@code entry}. */
    public final void beginTurn(ReadyEntry entry) {
        if (isCalled()) {
            called = false; // this turn reads the gate at its start in any case
        }
        turn = entry;
        turnStart = now;
    }

    /** Ends the current turn, if there is one. */
    public final void endTurn() {
        turn = null;
    }

    /** Returns the entry that holds the permit of the current turn, or null if the turn has none. */
    public final @Nullable ReadyEntry permit() {
        return permit;
    }

    /**
     * Sets the entry that holds a permit for the current turn; this worker {@linkplain ReadyEntry#giveBack gives the
     * permit back} at the end of the turn. Null if the turn has no permit, or has passed it on. Called by this worker,
     * and by a thread that keeps the turn from ending (LaneGate-7). The write is visible before a later write of the
     * lane's worker.
     */
    public final void setPermit(@Nullable ReadyEntry holder) {
        permit = holder;
        VarHandle.fullFence();
    }

    private void giveBackPermit() {
        ReadyEntry holder = permit;
        setPermit(null);
        if (holder != null) {
            holder.giveBack();
        }
    }

    /** Makes the current turn read its lane's gate before the next task. Called by a thread that changed the gate. */
    public final void call() {
        called = true;
    }

    /** Returns true if there is an unanswered {@link #call}. */
    public final boolean isCalled() {
        return called;
    }

    /**
     * Answers a {@link #call}, and returns whether there was one. If so, the actions before that call happen-before the
     * return.
     */
    public final boolean answerCall() {
        if (!isCalled()) {
            return false;
        }
        called = false; // before the gate is read; a thread adds a hold to the gate and then calls (LaneGate-6)
        return true;
    }

    /** Starts another quantum of the same turn. */
    public final void renewTurn() {
        turnStart = now;
    }

    /** Returns an estimate of how long the running turn has lasted, in nanoseconds. */
    public final long turnNanos() {
        return scheduler.nanoTime() - turnStart;
    }

    /** Returns the last reading of this worker's clock. */
    public final long now() {
        return now;
    }

    /** Reads the clock, and returns the reading. */
    public final long readClock() {
        now = scheduler.nanoTime();
        return now;
    }

    /**
     * Counts a task. Reads the clock after each long task, after a call of {@link #hurry}, and after at most
     * {@link #QUANTUM} short tasks.
     *
     * @return true if a reading shows that the turn has used up its quantum
     */
    public final boolean tick() {
        if (--untilReading > 0 && !isHurried()) {
            return false;
        }
        return timeTask();
    }

    /** Makes this worker read its clock after the running task, even if tasks are short. Called by any thread. */
    public final void hurry() {
        hurried = true;
    }

    /**
     * Returns whether {@link #hurry} is in effect. If so, an actor or a pipeline stage ends its turn after the current
     * message or event.
     */
    public boolean isHurried() {
        return hurried;
    }

    /** Ends the effect of {@link #hurry}. */
    public final void answerHurry() {
        if (isHurried()) {
            hurried = false;
        }
    }

    private boolean timeTask() {
        answerHurry();
        long before = now;
        readClock();
        stride = now - before < quantumNanos / 4 ? Math.min(QUANTUM, stride * 2) : 1;
        untilSample -= planned - untilReading;
        if (sampling) {
            sampling = false;
            addRunTime(now - before);
        }
        if (untilSample <= 0) {
            untilSample = sampleOneIn;
            sampling = true;
            planned = 1;
        } else {
            planned = (int) Math.min(stride, untilSample);
        }
        untilReading = planned;
        return now - turnStart >= quantumNanos;
    }

    private void addRunTime(long nanos) {
        long[] times = runTimes;
        if (times == null) {
            times = new long[Counters.TIMES];
            runTimes = times;
        }
        Counters.addTime(times, nanos);
    }

    /** Returns the measured run times, in buckets of {@link Counters}; null if there are none. */
    final long @Nullable [] runTimes() {
        return runTimes;
    }

    /**
     * Announces that this thread is about to block, so that another worker may run instead. Of nested announcements,
     * only the outermost has an effect.
     */
    public final void beginBlocking() {
        blocks++;
        if (blocks == 1) { // T2
            scheduler.beginBlocking();
        }
    }

    /** Ends one call of {@link #beginBlocking}. */
    public final void endBlocking() {
        blocks--;
        if (blocks == 0) {
            scheduler.endBlocking();
        }
    }

    /** Returns whether this thread is in an announced blocking call; the result may be outdated. */
    public final boolean isBlocking() {
        return blocks > 0;
    }

    /** Returns the wait of this thread for a task, or null. */
    public final @Nullable Wait waiting() {
        return waiting;
    }

    /**
     * Sets the wait of this thread for a task, or null when the wait has ended. Called only by the worker's own thread.
     */
    public final void setWaiting(@Nullable Wait wait) {
        waiting = wait;
    }

    /** Counts messages, values or events that the running task has handled after its first. Does nothing by default. */
    public void countSteps(long count) {}

    /** Calls {@link #countSteps} of the calling thread's worker, if there is one. */
    public static void countOwnSteps(long count) {
        WorkerContext worker = count == 0 ? null : current();
        if (worker != null) {
            worker.countSteps(count);
        }
    }

    /** Counts superseded coalescing tasks. Returns false if this worker keeps no such count. */
    public boolean countSuperseded(long count) {
        return false;
    }

    /** Measures how long the entries of all pools wait, and how long tasks run. */
    public interface TaskObserver {
        /**
         * Returns the object to queue for the ready {@code entry}: the entry itself, or a {@link Waiting} for it. Never
         * throws.
         */
        Object waiting(String spindle, Object entry);

        /** Runs {@code task}; {@code key} is null for a task without a lane. Throws only what the task throws. */
        void run(WorkerContext worker, @Nullable Object key, Runnable task);

        /** A queued object that stands for an entry. */
        interface Waiting {
            Object entry();

            /** Returns {@code queued}, or the entry for which {@code queued} stands. */
            static Object unwrap(Object queued) {
                return queued instanceof Waiting w ? w.entry() : queued;
            }
        }
    }
}
