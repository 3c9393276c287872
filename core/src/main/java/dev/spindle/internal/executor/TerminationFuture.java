// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.Pool;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.timer.Timers;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The termination of an executor, for the library and for users. */
public final class TerminationFuture {
    private final Pool pool;
    private final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Void> told = new CompletableFuture<>();

    /** Creates the future of an executor that {@code pool} runs. */
    public TerminationFuture(Pool pool) {
        this.pool = pool;
    }

    /** Returns true if the executor has terminated. */
    public boolean isDone() {
        return done.isDone();
    }

    /** Returns a future without dependents of users. */
    public CompletableFuture<@Nullable Void> forLibrary() {
        return done;
    }

    /** Returns a new future for a user, whose dependents run neither in the end of a lane nor in that of a worker. */
    public CompletableFuture<@Nullable Void> copy() {
        return told.copy();
    }

    /** Completes the future of the library and those of users. May be called more than once. */
    public void end() {
        if (done.complete(null)) {
            tell();
        }
    }

    /** Completes the future of the library. A call of {@link #tell} follows. */
    void complete() {
        done.complete(null);
    }

    /** Completes the futures of users. */
    void tell() {
        if (pool.isWorking()) {
            pool.ready(new Tell(told)); // no worker ends before this has run
        } else {
            told.complete(null);
        }
    }

    /** A turn of its own for the dependents. */
    private static final class Tell extends Timers.Timer {
        private final CompletableFuture<@Nullable Void> told;

        Tell(CompletableFuture<@Nullable Void> told) {
            this.told = told;
        }

        @Override
        public void turn(WorkerContext r) {
            boolean unused = Thread.interrupted(); // A4
            told.complete(null);
        }
    }
}
