// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.lane.LaneBarrier;
import dev.spindle.internal.lane.LaneCore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** The shutdown hooks of a strand, which run once, in its lane, when no other task is left. */
public final class ShutdownHooks {
    /*
     * The hooks enter the lane as barriers, one after the other, so that neither shutdownNow nor cancelPending removes
     * them. If the pool has no thread for a barrier, the thread that pushes the barrier runs the hook (LaneCore-7). A
     * spindle keeps a list of its strands with hooks, shuts them down with itself, and does not end before the hooks
     * have run.
     *
     * field   writers                 readers     mode
     * hooks   under lock              under lock  plain; those that have not been taken to run
     * closed  under lock              under lock  plain
     * begun   under lock              under lock  plain; the thread that sets it starts the hooks
     * ended   under lock; the thread  all         volatile; a turn sets it before the lane of that turn dies
     *         that ran the last hook
     *
     * Tests: ShutdownHookTest.
     */
    private final Lanes lanes;
    private final ExecutorKernel kernel;
    private final LaneOwner strand;
    private List<Runnable> hooks = List.of();
    private boolean closed;
    private boolean begun;
    private volatile boolean ended;

    /** Creates an empty list of hooks of a strand. */
    public ShutdownHooks(Lanes lanes, LaneOwner strand) {
        this.lanes = lanes;
        kernel = lanes.kernel();
        this.strand = strand;
    }

    /** Adds a hook. */
    public void add(Runnable hook) {
        Objects.requireNonNull(hook, "hook");
        Runnable carried = ContextTask.of(kernel.context(), hook);
        synchronized (this) {
            if (closed || !lanes.isOpen()) {
                throw refused();
            }
            List<Runnable> more = new ArrayList<>(hooks);
            more.add(carried);
            more = List.copyOf(more); // before the strand is kept: the allocation may fail
            kernel.hooked().add(strand);
            hooks = more;
        }
        if (!lanes.isOpen() && remove(hook)) { // the shutdown may have missed this strand
            throw refused();
        }
    }

    private RejectedExecutionException refused() {
        return new RejectedExecutionException(strand + " is shut down and accepts no more hooks");
    }

    /** Removes a hook; false if it was never added, was removed, or may have begun to run. */
    public boolean remove(Runnable hook) {
        synchronized (this) {
            List<Runnable> fewer = new ArrayList<>(hooks);
            if (begun || !removeFirst(fewer, hook)) {
                return false;
            }
            hooks = List.copyOf(fewer);
            if (!hooks.isEmpty()) {
                return true;
            }
            forget();
        }
        lanes.tryTerminate();
        return true;
    }

    private static boolean removeFirst(List<Runnable> from, Runnable hook) {
        for (int i = 0; i < from.size(); i++) {
            if (CancellableEntry.unwrap(from.get(i)).equals(hook)) {
                from.remove(i);
                return true;
            }
        }
        return false;
    }

    /** Refuses further hooks. */
    public synchronized void close() {
        closed = true;
    }

    /** Called when no other task is left. Starts the hooks if they have not begun, and returns true if all have run. */
    public boolean haveEnded() {
        synchronized (this) {
            if (ended || begun) {
                return ended;
            }
            begun = true;
            ended = hooks.isEmpty();
            if (ended) {
                forget();
                return true;
            }
        }
        try {
            runLast(new LaneBarrier(this::run));
            return false; // the end of the lane calls this method again
        } catch (Throwable t) { // memory was exhausted
            run();
            return ended;
        }
    }

    /** Ends the wait of a shutdown of the spindle for this strand; a call of {@link Lanes#tryTerminate} must follow. */
    private void forget() {
        boolean unused = kernel.hooked().remove(strand);
    }

    /** Runs a task after the shutdown, in a lane that is there for it alone. */
    private void runLast(LaneBarrier task) {
        try {
            lanes.pushDue(strand, task);
        } finally {
            LaneCore lane = lanes.existing(strand);
            if (lane != null) {
                lane.close(); // memory was exhausted before the task was made
            }
        }
    }

    /** Runs the hooks, once, each in its own barrier, so that the lane yields between them. */
    private void run() {
        Runnable hook = poll();
        if (hook == null) {
            return;
        }
        for (; hook != null; hook = poll()) {
            run(hook);
            if (goesOnLater()) {
                return;
            }
        }
        ended = true;
        forget();
        lanes.tryTerminate();
    }

    private synchronized @Nullable Runnable poll() {
        if (hooks.isEmpty()) {
            return null;
        }
        Runnable first = hooks.get(0);
        hooks = hooks.subList(1, hooks.size());
        return first;
    }

    /** Pushes a barrier for the next hook, if any. Returns false if this thread must run it itself. */
    private boolean goesOnLater() {
        synchronized (this) {
            if (hooks.isEmpty() || !strand.isCurrent()) {
                return false;
            }
        }
        try {
            runLast(new LaneBarrier(this::run));
            return true;
        } catch (Throwable t) { // memory was exhausted
            return false;
        }
    }

    private void run(Runnable hook) {
        clearInterrupt(); // a hook begins with a clear interrupt flag, like a task
        try {
            hook.run();
        } catch (Throwable t) {
            clearInterrupt(); // the handler begins with a clear interrupt flag, too
            kernel.pool().failed(strand.name(), CancellableEntry.unwrap(hook), t);
        }
    }

    private void clearInterrupt() {
        if (strand.isCurrent()) {
            Thread.interrupted();
        }
    }
}
