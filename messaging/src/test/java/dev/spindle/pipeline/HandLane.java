// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.LaneStub;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A lane without threads, which keeps the tasks of a stage until the test runs them. */
final class HandLane extends LaneStub {
    private final String name;
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final CompletableFuture<@Nullable Void> empty = new CompletableFuture<>();
    private @Nullable Throwable refusal;
    private final AtomicBoolean turn = new AtomicBoolean();
    private boolean quiescing;
    private boolean eager;

    HandLane(String name) {
        this.name = name;
    }

    /** Refuses tasks from now on. */
    void refuse(Throwable with) {
        refusal = with;
    }

    /** Runs tasks from now on in the submitting thread. */
    void runAtOnce() {
        eager = true;
    }

    /** Runs all tasks, including those that they submit. */
    void run() {
        while (runOne()) {}
        if (quiescing) {
            empty.complete(null);
        }
    }

    /** Runs one task, if there is any and no other thread runs one. */
    boolean runOne() {
        if (!turn.compareAndSet(false, true)) {
            return false;
        }
        try {
            Runnable task = next();
            if (task == null) {
                return false;
            }
            task.run();
            return true;
        } finally {
            turn.set(false);
        }
    }

    private synchronized @Nullable Runnable next() {
        return tasks.poll();
    }

    @Override
    public Object key() {
        return name;
    }

    @Override
    public void execute(Runnable task) {
        if (refusal instanceof RuntimeException e) {
            throw e;
        }
        if (refusal instanceof Error e) {
            throw e;
        }
        if (eager) {
            task.run();
            return;
        }
        synchronized (this) {
            tasks.add(task);
        }
    }

    @Override
    public CompletableFuture<Boolean> coalesce(Runnable task) {
        execute(task);
        throw new AssertionError("what execute refuses, this does too");
    }

    @Override
    public synchronized CompletableFuture<@Nullable Void> quiesce() {
        quiescing = true;
        return tasks.isEmpty() && !turn.get() ? CompletableFuture.completedFuture(null) : empty;
    }
}
