// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Headroom;
import dev.spindle.internal.WorkerContext;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Announces to the pool that a task is about to block, so that another worker takes its place at once instead of when
 * the pool has found out by itself. On a thread that is no worker of a {@link Spindle} it just makes the call.
 *
 * <p>Waiting for a future of this project, on a worker, does so by itself. Calls may be nested; a worker counts as
 * blocked from the beginning of the outermost to its end.
 *
 * <pre>{@code
 * byte[] reply = Blocking.call(() -> socket.getInputStream().readNBytes(64));
 * }</pre>
 */
public final class Blocking {
    private Blocking() {}

    /**
     * Returns what {@code call} returns, and throws what it throws.
     *
     * @throws NullPointerException if {@code call} is null
     */
    public static <T extends @Nullable Object> T call(Callable<T> call) throws Exception {
        Objects.requireNonNull(call, "call");
        WorkerContext worker = WorkerContext.current();
        if (worker == null) {
            return call.call();
        }
        Headroom.require();
        try {
            worker.beginBlocking();
            return call.call();
        } finally {
            worker.endBlocking();
        }
    }

    /**
     * Runs {@code action}, and throws what it throws.
     *
     * @throws NullPointerException if {@code action} is null
     */
    public static void run(Runnable action) {
        Objects.requireNonNull(action, "action");
        WorkerContext worker = WorkerContext.current();
        if (worker == null) {
            action.run();
            return;
        }
        Headroom.require();
        try {
            worker.beginBlocking();
            action.run();
        } finally {
            worker.endBlocking();
        }
    }
}
