// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** The state of one thread that runs turns: the current turn, counts of tasks, and when to read the clock. */
public class WorkerContext extends Padding {
    /*
     * All fields but `called` (LaneGate-6) and `hurried` (WorkerSet-13) are written by the worker's own thread alone.
     * The counters are written opaque, `started` by release, and may be read by anybody, racy; `turn` too, but ordered
     * by the word of the core that it names (ConcurrencyLimiter-6); `waiting` is written volatile (the wait begins long
     * after its price) and read by others that look for a cycle of waits (WaitGraph).
     *
     * Tests: WaitContractTest; jcstress WaitAgainstWait, PauseAgainstBatch, TokenInterruptAgainstLeave.
     */
    private static final ThreadLocal<@Nullable WorkerContext> CURRENT = new ThreadLocal<>();
    private static final VarHandle STARTED;
    private static final VarHandle COMPLETED;
    private static final VarHandle FAILED;
    private static final VarHandle TURN_START;
    private static final VarHandle CALLED;
    private static final VarHandle TURN;
    private static final VarHandle BLOCKS;
    private static final VarHandle HURRIED;

    /** How many tasks a turn runs before it yields to other ready work. */
    public static final int QUANTUM = 32;

    /** How many tasks may run between two readings of the clock while tasks are short. */
    private static final int MAX_STRIDE = 32;

    /** Plain: a thread that sees it late goes on for a moment unobserved. */
    private static @Nullable TaskObserver observer;

    /** An edge of the graph of waits: opaque here. */
    public interface Wait {}

    static {
        try {
            var lookup = MethodHandles.lookup();
            STARTED = lookup.findVarHandle(WorkerContext.class, "started", long.class);
            COMPLETED = lookup.findVarHandle(WorkerContext.class, "completed", long.class);
            FAILED = lookup.findVarHandle(WorkerContext.class, "failed", long.class);
            TURN_START = lookup.findVarHandle(WorkerContext.class, "turnStart", long.class);
            CALLED = lookup.findVarHandle(WorkerContext.class, "called", boolean.class);
            HURRIED = lookup.findVarHandle(WorkerContext.class, "hurried", boolean.class);
            BLOCKS = lookup.findVarHandle(WorkerContext.class, "blocks", int.class);
            TURN = lookup.findVarHandle(WorkerContext.class, "turn", ReadyEntry.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Scheduler scheduler;
    private final long quantumNanos;

    @SuppressWarnings("UnusedVariable") // read through TURN
    private @Nullable ReadyEntry turn;

    private volatile @Nullable Wait waiting;
    private @Nullable Thread thread;
    private long started;
    private long completed;
    private long failed;

    private long now;
    private long turnStart;

    @SuppressWarnings("UnusedVariable") // read through CALLED
    private boolean called;

    private int stride = 1;
    private int untilReading = 1;

    @SuppressWarnings("UnusedVariable") // read through HURRIED
    private boolean hurried;

    private int blocks; // how many blocking calls of this thread are open, one inside the other

    /** Creates a worker whose turns last about {@code quantumNanos} when other work is ready. */
    public WorkerContext(Scheduler scheduler, long quantumNanos) {
        this.scheduler = scheduler;
        this.quantumNanos = quantumNanos;
    }

    /** Returns the worker of the calling thread, or null when the thread is nobody's worker. */
    public static @Nullable WorkerContext current() {
        return CURRENT.get();
    }

    /** Makes this the worker of the calling thread; to be undone by {@link #unbind}. */
    public final void bind() {
        thread = Thread.currentThread();
        CURRENT.set(this);
        readClock();
    }

    /** Ends what {@link #bind} began. */
    public final void unbind() {
        CURRENT.remove();
    }

    /** Lets {@code all} see the entries and tasks of all workers from now on. */
    public static void observe(TaskObserver all) {
        observer = all;
    }

    /** Returns what waits in a queue for {@code entry}, which is ready. */
    public static Object waiting(String spindle, Object entry) {
        TaskObserver observing = observer;
        return observing == null ? entry : observing.waiting(spindle, entry);
    }

    /** Returns the lane or logical executor whose turn this thread runs, or null while it runs a plain task or none. */
    public final @Nullable ReadyEntry turn() {
        return (ReadyEntry) TURN.getOpaque(this);
    }

    /** Returns the scheduler whose worker this is. */
    public final Scheduler scheduler() {
        return scheduler;
    }

    /** Returns the thread, or null before it was bound. */
    public final @Nullable Thread thread() {
        return thread;
    }

    /** Returns how many tasks began here. Racy. */
    public final long started() {
        return (long) STARTED.getAcquire(this);
    }

    /** Returns how many tasks ended here, in any way. Racy. */
    public final long completed() {
        return (long) COMPLETED.getOpaque(this);
    }

    /** Returns whether a task runs here, and not the code around it. Racy. */
    public final boolean runsTask() {
        return started() != completed();
    }

    /** Returns how many of the completed tasks threw to the failure handler. Racy. */
    public final long failed() {
        return (long) FAILED.getOpaque(this);
    }

    /** Runs what a scheduler was given: a turn of a ready entry, or a plain task. */
    public final void execute(Object entry) {
        if (entry instanceof ReadyEntry ready) {
            ready.turn(this);
        } else {
            run(null, (Runnable) entry);
            tick();
        }
    }

    /** Runs {@code task}: nothing that it throws, and no interrupt that it leaves behind, goes any further. */
    public final void run(@Nullable Object key, Runnable task) {
        clearInterrupt(); // a task begins without the interrupts of others
        STARTED.setRelease(this, started + 1); // after the task has left its queue (WorkerPool.counts)
        TaskObserver observing = observer;
        try {
            if (observing == null) {
                task.run();
            } else {
                observing.run(this, key, task);
            }
        } catch (Throwable t) {
            clearInterrupt(); // the handler begins without it, too
            FAILED.setOpaque(this, failed + 1);
            scheduler.failed(key, task, t);
            if (task instanceof CancellableEntry accepted) {
                accepted.reported();
            }
        }
        COMPLETED.setOpaque(this, completed + 1);
        clearInterrupt(); // nor does a callback, the code of a key or a thread factory between two tasks begin with it
    }

    /** Clears the interrupt that a task of this thread has left, for code of users that follows (contract A4). */
    private static void clearInterrupt() {
        boolean unused = Thread.interrupted();
    }

    /** The same where the calling thread may be a caller's, which keeps its interrupt. */
    public static void clearInterruptOfWorker() {
        if (isInterrupted(Thread.currentThread()) && current() != null) {
            clearInterrupt();
        }
    }

    /** True also where the thread is of a class of the user's that throws. */
    private static boolean isInterrupted(Thread thread) {
        try {
            return thread.isInterrupted();
        } catch (Throwable t) {
            return true;
        }
    }

    /** Begins a turn of {@code entry}. */
    public final void beginTurn(ReadyEntry entry) {
        if (isCalled()) {
            CALLED.setOpaque(this, false); // the turn looks at the gate in any case
        }
        setTurn(entry);
        TURN_START.setOpaque(this, now);
    }

    /** Ends the turn, or one that was not begun after all. */
    public final void endTurn() {
        setTurn(null);
    }

    private void setTurn(@Nullable ReadyEntry entry) {
        TURN.setOpaque(this, entry); // ordered by the core's word (ConcurrencyLimiter-6)
    }

    /** Makes the current turn check its lane's gate before the next task. For any thread, after it changed the gate. */
    public final void call() {
        CALLED.setVolatile(this, true);
    }

    /** Returns whether there was a call that waits for an answer. */
    public final boolean isCalled() {
        return (boolean) CALLED.getOpaque(this);
    }

    /** Returns whether there was a call; what the caller changed before is seen after this. */
    public final boolean answerCall() {
        if (!isCalled()) {
            return false;
        }
        CALLED.setOpaque(this, false);
        VarHandle.fullFence(); // partner: a hold's CAS of the gate, before its call (LaneGate-6)
        return true;
    }

    /** Starts another quantum of the same turn. */
    public final void renewTurn() {
        TURN_START.setOpaque(this, now);
    }

    /** Returns about how long the turn that runs now has lasted, in nanoseconds. Racy. */
    public final long turnNanos() {
        return scheduler.nanoTime() - (long) TURN_START.getOpaque(this);
    }

    /** Returns the last reading of this worker's clock. */
    public final long now() {
        return now;
    }

    /** Reads the clock. */
    public final long readClock() {
        now = scheduler.nanoTime();
        return now;
    }

    /**
     * Counts a task against the clock: short tasks are timed one in {@link #MAX_STRIDE}, long ones each.
     *
     * @return whether the turn has lasted its time
     */
    public final boolean tick() {
        if (--untilReading > 0 && !isHurried()) {
            return false;
        }
        return timeTask();
    }

    /** Has this worker read its clock after the task that it runs now, short as the last ones were. For any thread. */
    public final void hurry() {
        HURRIED.setOpaque(this, true);
    }

    /** Returns whether that is so: a turn that times its steps itself gives way after the one that runs now. */
    public boolean isHurried() {
        return (boolean) HURRIED.getOpaque(this);
    }

    /** Ends that, since nothing else waits for this worker after all. */
    public final void answerHurry() {
        if (isHurried()) {
            HURRIED.setOpaque(this, false);
        }
    }

    private boolean timeTask() {
        answerHurry();
        long before = now;
        readClock();
        stride = now - before < quantumNanos / 8 ? Math.min(MAX_STRIDE, stride * 2) : 1;
        untilReading = stride;
        return now - turnStart >= quantumNanos;
    }

    /**
     * Announces that this thread is about to block, so that another may take its place; of nested calls only the first
     * counts.
     */
    public final void beginBlocking() {
        BLOCKS.setOpaque(this, blocks + 1);
        if (blocks == 1) {
            scheduler.beginBlocking();
        }
    }

    /** Ends what {@link #beginBlocking} began. */
    public final void endBlocking() {
        BLOCKS.setOpaque(this, blocks - 1);
        if (blocks == 0) {
            scheduler.endBlocking();
        }
    }

    /** Returns whether this thread has announced that it blocks. Racy. */
    public final boolean isBlocking() {
        return (int) BLOCKS.getOpaque(this) > 0;
    }

    /** Returns what the turn that this thread runs waits for, or null. */
    public final @Nullable Wait waiting() {
        return waiting;
    }

    /** Sets what the turn waits for; null when it goes on. For the worker's own thread. */
    public final void setWaiting(@Nullable Wait wait) {
        waiting = wait;
    }

    /** Counts messages, values or events that the running task has handled, beyond the first; by default not at all. */
    public void countSteps(long count) {}

    /** Counts steps of the task that the calling thread runs, if it is a worker, as {@link #countSteps} does. */
    public static void countOwnSteps(long count) {
        WorkerContext worker = count == 0 ? null : current();
        if (worker != null) {
            worker.countSteps(count);
        }
    }

    /** Counts coalescing tasks that were superseded; false if this thread keeps no such count. */
    public boolean countSuperseded(long count) {
        return false;
    }
}
