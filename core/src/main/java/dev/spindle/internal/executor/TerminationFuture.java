// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.Pool;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.timer.Timers;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The termination of an executor: a future for the library, and futures for users. */
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

    /** Returns the future for the library, which has no dependents of users. */
    public CompletableFuture<@Nullable Void> forLibrary() {
        return done;
    }

    /** Returns a new future for a user. On a worker, the dependents of that future run in a turn of their own. */
    public CompletableFuture<@Nullable Void> copy() {
        return told.copy();
    }

    /** Completes the futures for the library and for users. May be called more than once. */
    public void end() {
        if (done.complete(null)) {
            tell();
        }
    }

    /** Completes the future for the library. The caller has to call {@link #tell} afterwards. */
    void complete() {
        done.complete(null);
    }

    /** Completes the futures for users: in a later turn if the calling thread is a worker, and at once if not. */
    void tell() {
        if (pool.isWorking()) {
            pool.ready(new Tell(told)); // a worker runs all ready entries before it ends
        } else {
            told.complete(null);
        }
    }

    /** Completes the futures for users in a turn of its own. */
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
