// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.lane.LaneBarrier;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;

/** The shutdown hooks of a strand: run once, in its lane, when nothing else is left. */
final class ShutdownHooks {
    /*
     * The hooks go into the lane as one barrier: no shutdownNow and no cancelPending takes that away, and where there
     * is no thread for it, whoever hands it in comes to it (LaneCore-7). A spindle keeps its strands that have hooks,
     * shuts them down when it is shut down itself, and does not end before the hooks have.
     *
     * field   writers                 readers     mode
     * hooks   under lock              under lock  plain; empty when they have been taken to be run
     * closed  under lock              under lock  plain
     * begun   under lock              under lock  plain; who sets it has the hooks run
     * ended   under lock; who has     all         volatile; when set by a turn, before the lane of that turn dies
     *         run the hooks
     *
     * Tests: ShutdownHookTest.
     */
    private final Strand strand;
    private List<Runnable> hooks = List.of();
    private boolean closed;
    private boolean begun;
    private volatile boolean ended;

    ShutdownHooks(Strand strand) {
        this.strand = strand;
    }

    void add(Runnable hook) {
        Objects.requireNonNull(hook, "hook");
        Spindle spindle = strand.spindle();
        Runnable carried = ContextTask.of(spindle.context(), hook);
        synchronized (this) {
            if (closed || spindle.isShutdown()) {
                throw refused();
            }
            List<Runnable> more = new ArrayList<>(hooks);
            more.add(carried);
            more = List.copyOf(more); // what needs memory comes first
            spindle.keepForHooks(strand);
            hooks = more;
        }
        if (spindle.isShutdown() && remove(hook)) { // the shutdown may have missed this strand
            throw refused();
        }
    }

    private RejectedExecutionException refused() {
        return new RejectedExecutionException(strand + " is shut down and takes no more hooks");
    }

    boolean remove(Runnable hook) {
        synchronized (this) {
            List<Runnable> fewer = new ArrayList<>(hooks);
            if (begun || !removeFirst(fewer, hook)) {
                return false;
            }
            hooks = List.copyOf(fewer);
            if (!hooks.isEmpty()) {
                return true;
            }
            strand.spindle().forget(strand);
        }
        strand.spindle().tryTerminate();
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

    synchronized void close() {
        closed = true;
    }

    /**
     * Called when nothing else is left: returns whether all hooks have run, and has them run if they have not begun.
     */
    boolean haveEnded() {
        synchronized (this) {
            if (ended || begun) {
                return ended;
            }
            begun = true;
            ended = hooks.isEmpty();
            if (ended) {
                strand.spindle().forget(strand);
                return true;
            }
        }
        try {
            strand.runLast(new LaneBarrier(this::run));
            return false; // the end of their lane tells
        } catch (Throwable t) { // no memory for it
            run();
            return ended;
        }
    }

    /** Runs the hooks, once. */
    private void run() {
        List<Runnable> all;
        synchronized (this) {
            all = hooks;
            hooks = List.of();
        }
        if (all.isEmpty()) {
            return;
        }
        for (int i = 0; i < all.size(); i++) {
            run(all.get(i));
        }
        ended = true;
        strand.spindle().forget(strand);
        strand.spindle().tryTerminate();
    }

    private void run(Runnable hook) {
        clearInterrupt(); // as a task, it begins without the interrupts of others
        try {
            hook.run();
        } catch (Throwable t) {
            clearInterrupt(); // and so does the handler
            strand.spindle().pool().failed(strand.key(), CancellableEntry.unwrap(hook), t);
        }
    }

    private void clearInterrupt() {
        if (strand.isCurrent()) {
            Thread.interrupted();
        }
    }
}
