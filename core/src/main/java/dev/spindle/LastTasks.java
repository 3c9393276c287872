// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Accepted;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;

/** The shutdown hooks of a strand: run once, in its lane, when nothing else is left. */
final class LastTasks {
    private final Strand strand;
    private List<Runnable> hooks = List.of(); // guarded by this
    private boolean closed; // guarded by this
    private boolean begun; // guarded by this
    private volatile boolean ended;

    LastTasks(Strand strand) {
        this.strand = strand;
    }

    synchronized void add(Runnable hook) {
        Objects.requireNonNull(hook, "hook");
        if (closed) {
            throw new RejectedExecutionException(strand + " is shut down and takes no more hooks");
        }
        List<Runnable> more = new ArrayList<>(hooks);
        more.add(hook);
        hooks = List.copyOf(more);
    }

    synchronized boolean remove(Runnable hook) {
        List<Runnable> fewer = new ArrayList<>(hooks);
        boolean removed = !begun && fewer.remove(hook);
        if (removed) {
            hooks = List.copyOf(fewer);
        }
        return removed;
    }

    synchronized void close() {
        closed = true;
    }

    /** Called when nothing else is left: returns whether all hooks have run, and has them run if they have not begun. */
    boolean haveEnded() {
        List<Runnable> all;
        synchronized (this) {
            if (ended || begun) {
                return ended;
            }
            begun = true;
            all = hooks;
            if (all.isEmpty()) {
                ended = true;
                return true;
            }
        }
        strand.runLast(new All(all));
        return false;
    }

    private final class All implements Accepted {
        private final List<Runnable> tasks;

        All(List<Runnable> tasks) {
            this.tasks = tasks;
        }

        @Override
        public void run() {
            ended = true; // the strand ends when this has ended, in any way
            for (Runnable hook : tasks) {
                try {
                    hook.run();
                } catch (Throwable t) {
                    strand.spindle().pool().failed(strand.key(), hook, t);
                }
            }
        }

        @Override
        public Runnable userTask() {
            return this;
        }

        @Override
        public void withdrawn() {
            ended = true; // no thread could be had
        }
    }
}
