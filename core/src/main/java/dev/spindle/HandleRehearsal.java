// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Pool;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Does what the handles of tasks do later, before there is any: as for lanes and queues (Rehearsal), nothing may be linked for
 * the first time by a worker that has run a task, and finds no memory to say so.
 */
final class HandleRehearsal {
    private static volatile boolean played;

    private HandleRehearsal() {}

    /** Does so once; {@code pool} is any. */
    static void play(Pool pool) {
        if (played) {
            return;
        }
        TaskFuture<@Nullable Object> future = new TaskFuture<>(pool, null, (Runnable) () -> {}, null);
        CompletableFuture<?> one = future.whenComplete((value, failure) -> {});
        CompletableFuture<?> other = future.thenRun(() -> {});
        future.run();

        CoalescingEntry entry = new CoalescingEntry(() -> {}, () -> {});
        CompletableFuture<?> outcome = entry.outcome();
        entry.run();

        boolean closed = new AtomicReference<@Nullable Pool>(pool).getAndSet(null) == pool; // of async tasks
        if (!one.isDone() || !other.isDone() || !outcome.isDone() || entry.state() != Coalesced.State.DONE || !closed) {
            throw new AssertionError("the rehearsed task did not end: " + future + ", " + entry.state());
        }
        played = true;
    }
}
