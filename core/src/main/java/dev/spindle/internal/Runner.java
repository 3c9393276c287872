// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What one thread knows while it runs turns: its lane, its counts, and when to look at the clock. */
public class Runner extends Padding {
    /*
     * All fields but `called` (LaneGate, G6) are written by the runner's own thread alone. The counters and `lane` are
     * written opaque, `started` by release, and may be read by anybody, racy; `token` too, but ordered by the word of the core that it names
     * (TokenCore, X6); `waiting` is written volatile (the wait begins long after its price) and read by others that look for
     * a cycle of waits.
     *
     * Tests: WaitContractTest, RunnerWaitTest; jcstress WaitAgainstWait, PauseAgainstBatch, TokenInterruptAgainstLeave.
     */
    private static final ThreadLocal<@Nullable Runner> CURRENT = new ThreadLocal<>();
    private static final VarHandle STARTED;
    private static final VarHandle COMPLETED;
    private static final VarHandle FAILED;
    private static final VarHandle TURN_START;
    private static final VarHandle CALLED;
    private static final VarHandle TOKEN;

    /** How far a chain of waits is followed. */
    private static final int MAX_HOPS = 64;

    /**
     * What a turn of {@code own} waits for: something that a turn of {@code target} has to do, until {@code until} is
     * done. One object for each wait, so that who has seen it twice knows that it lasted in between.
     */
    private record Wait(Runner by, LaneCore own, LaneCore target, Future<?> until) {
        boolean lasts() {
            return by.waiting == this && !until.isDone();
        }
    }

    /** How many tasks may run between two readings of the clock while tasks are short. */
    static final int MAX_STRIDE = 32;

    static {
        try {
            var lookup = MethodHandles.lookup();
            STARTED = lookup.findVarHandle(Runner.class, "started", long.class);
            COMPLETED = lookup.findVarHandle(Runner.class, "completed", long.class);
            FAILED = lookup.findVarHandle(Runner.class, "failed", long.class);
            TURN_START = lookup.findVarHandle(Runner.class, "turnStart", long.class);
            CALLED = lookup.findVarHandle(Runner.class, "called", boolean.class);
            TOKEN = lookup.findVarHandle(Runner.class, "token", TokenCore.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final Scheduler scheduler;
    private final long quantumNanos;
    private @Nullable LaneCore lane;

    @SuppressWarnings("UnusedVariable") // read through TOKEN
    private @Nullable TokenCore token;

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
    private int blocks; // how many blocking calls of this thread are open, one inside the other

    /** Creates a runner whose turns last about {@code quantumNanos} when other work is ready. */
    public Runner(Scheduler scheduler, long quantumNanos) {
        this.scheduler = scheduler;
        this.quantumNanos = quantumNanos;
    }

    /** Returns the runner of the calling thread, or null when the thread is nobody's worker. */
    public static @Nullable Runner current() {
        return CURRENT.get();
    }

    /** Makes this the runner of the calling thread; to be undone by {@link #unbind}. */
    public final void bind() {
        thread = Thread.currentThread();
        CURRENT.set(this);
        readClock();
    }

    /** Ends what {@link #bind} began. */
    public final void unbind() {
        CURRENT.remove();
    }

    /** Returns the lane whose turn this thread runs, or null while it runs a plain task or none. */
    public final @Nullable LaneCore lane() {
        return lane;
    }

    /** Returns the logical executor whose tasks this thread runs, or null. */
    public final @Nullable TokenCore token() {
        return (TokenCore) TOKEN.getOpaque(this);
    }

    /** Returns the scheduler whose worker this is. */
    public final Scheduler scheduler() {
        return scheduler;
    }

    final @Nullable Thread thread() {
        return thread;
    }

    /** Returns how many tasks began here. Racy. */
    final long started() {
        return (long) STARTED.getAcquire(this);
    }

    /** Returns how many tasks ended here, in any way. Racy. */
    public final long completed() {
        return (long) COMPLETED.getOpaque(this);
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
    final void run(@Nullable Object key, Runnable task) {
        Thread.interrupted(); // a task begins without the interrupts of others
        STARTED.setRelease(this, started + 1); // after the task has left its queue (WorkerPool.counts)
        try {
            Events.run(this, key, task);
        } catch (Throwable t) {
            FAILED.setOpaque(this, failed + 1);
            scheduler.failed(key, task, t);
            if (task instanceof Accepted accepted) {
                accepted.reported();
            }
        }
        COMPLETED.setOpaque(this, completed + 1);
    }

    final void beginTurn(LaneCore running) {
        if (isCalled()) {
            CALLED.setOpaque(this, false); // the turn looks at the gate in any case
        }
        lane = running;
        TURN_START.setOpaque(this, now);
    }

    final void endTurn() {
        lane = null;
    }

    final void beginTurn(TokenCore running) {
        setToken(running);
        TURN_START.setOpaque(this, now);
    }

    final void endTokenTurn() {
        setToken(null);
    }

    private void setToken(@Nullable TokenCore core) {
        TOKEN.setOpaque(this, core); // ordered by the core's word (TokenCore, X6)
    }

    /** Makes the turn that runs look at its lane's gate before the next task; by anybody, after the gate was changed. */
    final void call() {
        CALLED.setVolatile(this, true);
    }

    /** Returns whether there was a call that waits for an answer. */
    final boolean isCalled() {
        return (boolean) CALLED.getOpaque(this);
    }

    /** Returns whether there was a call; what the caller changed before is seen after this. */
    final boolean answerCall() {
        if (!isCalled()) {
            return false;
        }
        CALLED.setOpaque(this, false);
        VarHandle.fullFence(); // partner: a hold's CAS of the gate, before its call (G6)
        return true;
    }

    /** Starts another quantum of the same turn. */
    final void renewTurn() {
        TURN_START.setOpaque(this, now);
    }

    /** Returns about how long the turn that runs now has lasted, in nanoseconds. Racy. */
    public final long turnNanos() {
        return scheduler.nanoTime() - (long) TURN_START.getOpaque(this);
    }

    /** Returns the last reading of this runner's clock. */
    final long now() {
        return now;
    }

    final long readClock() {
        now = scheduler.nanoTime();
        return now;
    }

    /**
     * Counts a task against the clock: short tasks are timed one in {@link #MAX_STRIDE}, long ones each.
     *
     * @return whether the turn has lasted its time
     */
    final boolean tick() {
        if (--untilReading > 0) {
            return false;
        }
        long before = now;
        readClock();
        stride = now - before < quantumNanos / 8 ? Math.min(MAX_STRIDE, stride * 2) : 1;
        untilReading = stride;
        return now - turnStart >= quantumNanos;
    }

    /** Says that this thread is about to block, so that another may take its place; of nested calls only the first counts. */
    public final void beginBlocking() {
        if (blocks++ == 0 && scheduler instanceof Pool pool) {
            pool.beginBlocking();
        }
    }

    /** Ends what {@link #beginBlocking} began. */
    public final void endBlocking() {
        if (--blocks == 0 && scheduler instanceof Pool pool) {
            pool.endBlocking();
        }
    }

    /**
     * Notes that this thread is about to wait, inside a turn, for something that {@code target} has to do.
     *
     * @param until done when the wait is over
     * @throws IllegalStateException if that can never happen, since the target's turns wait for this thread's lane
     */
    public final void beginWait(LaneCore target, Future<?> until) {
        LaneCore own = lane;
        if (own == null) {
            return;
        }
        Wait wait = new Wait(this, own, target, until);
        waiting = wait; // before the look: of two that close a cycle at once, one sees the other
        List<Wait> cycle = cycle(wait);
        if (!cycle.isEmpty() && cycle.stream().allMatch(Wait::lasts) && !until.isDone()) { // all lasted at one time
            waiting = null;
            throw new IllegalStateException("waiting here would never end, the turn waits for its own lane: "
                    + cycle.stream().map(w -> w.own + " -> ").collect(Collectors.joining()) + own
                    + "; use thenApply, whenComplete or an async task instead of waiting inside a turn");
        }
    }

    /** Follows the waits from {@code first} on; returns those that lead back to where it began, or none. */
    private static List<Wait> cycle(Wait first) {
        List<Wait> path = new ArrayList<>();
        for (Wait wait = first; wait != null && path.size() < MAX_HOPS; wait = waitIn(wait.target)) {
            path.add(wait);
            if (wait.target == first.own) {
                return path;
            }
        }
        return List.of();
    }

    /** Returns what the turn of {@code waiter} waits for, or null. */
    private static @Nullable Wait waitIn(LaneCore waiter) {
        Runner runner = waiter.runner();
        Wait wait = runner == null ? null : runner.waiting;
        return wait != null && wait.own == waiter && wait.lasts() ? wait : null; // it may be in another turn by now
    }

    /** Ends what {@link #beginWait} began. */
    public final void endWait() {
        waiting = null;
    }
}
