// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Headroom;
import dev.spindle.internal.WorkerContext;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Announces to the pool that a task is about to block, so that the pool replaces its worker at once instead of when it
 * detects the blocking. On a thread that is not a worker of a {@link Spindle}, it only makes the call.
 *
 * <p>A wait for a future of this project needs no announcement. Calls may be nested: a worker counts as blocked from
 * the begin of the outermost call to its end. Thread-safe.
 *
 * <pre>{@code
 * byte[] reply = Blocking.call(() -> socket.getInputStream().readNBytes(64));
 * }</pre>
 */
public final class Blocking {
    private Blocking() {}

    /**
     * Runs {@code call}, returns its result, and throws what it throws.
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
