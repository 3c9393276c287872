// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.wait;

import dev.spindle.internal.Pool;
import dev.spindle.internal.WorkerContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The procedure of every {@code close()} that waits: it refuses a caller that would wait for itself, drains, waits for
 * the end, and halts if the calling thread is interrupted. {@code ExecutorService.close()} of JDK 19 does the same.
 */
public final class Closing {
    private Closing() {}

    /** Returns the refusal of a close of {@code name} by one of its own tasks, or null if {@code own} is false. */
    public static @Nullable String refusal(String name, boolean own) {
        return !own
                ? null
                : name + " cannot be closed by a task of its own, which would wait for itself;"
                        + " call shutdown() instead";
    }

    /**
     * Drains, and waits for the end. A worker that calls this method counts as blocked. After an interrupt, this method
     * still waits for the end, and returns with the interrupt status set.
     *
     * @param refusal the message if the caller must not wait, or null
     * @param pool the pool that a simulation may have to run until the end, or null
     * @param drain begins an orderly end if none has begun, and returns the future that the end completes
     * @param halt drops what has not begun, and returns at once; called at the first interrupt
     * @return true if an interrupt has called {@code halt}
     * @throws IllegalStateException if {@code refusal} is not null
     */
    public static boolean close(
            @Nullable String refusal,
            @Nullable Pool pool,
            Supplier<? extends CompletableFuture<?>> drain,
            Runnable halt) {
        if (refusal != null) {
            throw new IllegalStateException(refusal);
        }
        WorkerContext worker = WorkerContext.current(); // null if the caller is not a worker
        try {
            if (worker != null) {
                worker.beginBlocking();
            }
            return await(pool, drain.get(), halt);
        } finally {
            if (worker != null) {
                worker.endBlocking();
            }
        }
    }

    /** The condition that an end has come: no lambda, whose linkage takes longer than many a close. */
    public record Ended(CompletableFuture<?> end) implements BooleanSupplier {
        @Override
        public boolean getAsBoolean() {
            return end.isDone();
        }
    }

    private static boolean await(@Nullable Pool pool, CompletableFuture<?> end, Runnable halt) {
        boolean halted = false;
        while (!end.isDone()) {
            try {
                if (pool != null) {
                    long unused = pool.await(new Ended(end), Long.MAX_VALUE, !halted);
                }
                Object unused = end.get();
            } catch (InterruptedException e) {
                if (!halted) {
                    halted = true;
                    halt.run();
                }
            } catch (ExecutionException e) {
                break; // ended by a failure
            }
        }
        if (halted) {
            Thread.currentThread().interrupt();
        }
        return halted;
    }
}
