// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.wait;

import dev.spindle.internal.Pool;
import dev.spindle.internal.WorkerContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The procedure of every {@code close} that waits: it refuses a caller that would wait for itself, drains, waits for
 * the end, and halts if the calling thread is interrupted or a time limit has passed. {@code ExecutorService.close()}
 * of JDK 19 does the same, without a limit.
 */
public final class Closing {
    /** The value of a time limit that never passes. */
    public static final long FOREVER = Long.MAX_VALUE;

    /**
     * The maximum time between a halt at the time limit and the return, in which tasks may react to their interrupt
     * (D2). Not measured.
     */
    private static final long GRACE_NANOS = 500_000_000;

    /** The time after which a close that still waits calls {@link Steps#late}. Not measured. */
    private static final long LATE_NANOS = 10_000_000_000L;

    private Closing() {}

    /** The steps of the close of one model. */
    public interface Steps {
        /** Begins an orderly end if none has begun, and returns the future that the end completes. */
        CompletableFuture<?> drain();

        /** Drops what has not begun, interrupts what runs, and returns at once. Called at most once. */
        void halt();

        /** Reports that the close has waited for 10 s. Called at most once. */
        default void late() {}

        /** Returns steps that report nothing. */
        static Steps of(Supplier<? extends CompletableFuture<?>> drain, Runnable halt) {
            return new Steps() {
                @Override
                public CompletableFuture<?> drain() {
                    return drain.get();
                }

                @Override
                public void halt() {
                    halt.run();
                }
            };
        }
    }

    /** Returns the refusal of a close of {@code name} by one of its own tasks, or null if {@code own} is false. */
    public static @Nullable String refusal(String name, boolean own) {
        return !own
                ? null
                : name + " cannot be closed by a task of its own, which would wait for itself;"
                        + " call shutdown() instead";
    }

    /**
     * Drains, and waits for the end. A worker that calls this method counts as blocked. After an interrupt, this method
     * halts, and returns with the interrupt status set.
     *
     * @param refusal the message if the caller must not wait, or null
     * @param pool the pool that a simulation may have to run until the end, or null
     * @param nanos the maximum time before the halt, or {@link #FOREVER}. With a limit, this method returns shortly
     *     after the halt; without a limit, it still waits for the end
     * @return true if this method has halted, at an interrupt or at the limit
     * @throws IllegalStateException if {@code refusal} is not null
     */
    public static boolean close(@Nullable String refusal, @Nullable Pool pool, long nanos, Steps steps) {
        if (refusal != null) {
            throw new IllegalStateException(refusal);
        }
        WorkerContext worker = WorkerContext.current(); // null if the caller is not a worker
        try {
            if (worker != null) {
                worker.beginBlocking();
            }
            return await(pool, nanos, steps);
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

    private static boolean await(@Nullable Pool pool, long nanos, Steps steps) {
        CompletableFuture<?> end = steps.drain();
        boolean limited = nanos != FOREVER;
        boolean halted = false;
        boolean interrupted = false;
        boolean late = false;
        long left = nanos;
        while (!end.isDone()) {
            long step = left;
            try {
                if (pool != null) {
                    left = pool.await(new Ended(end), left, !interrupted);
                }
                step = late ? left : Math.min(left, LATE_NANOS);
                await(end, step);
            } catch (TimeoutException e) {
                if (step < left) {
                    late = true;
                    left -= limited ? step : 0;
                    steps.late();
                } else if (halted) {
                    break;
                } else {
                    halted = true;
                    left = GRACE_NANOS;
                    steps.halt();
                }
            } catch (InterruptedException e) {
                interrupted = true;
                if (halted && limited) {
                    break;
                }
                if (!halted) {
                    halted = true;
                    left = limited ? GRACE_NANOS : FOREVER;
                    steps.halt();
                }
            } catch (ExecutionException e) {
                break; // ended by a failure
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return halted;
    }

    private static void await(CompletableFuture<?> end, long nanos)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (nanos == FOREVER) {
            Object unused = end.get();
        } else {
            Object unused = end.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        }
    }
}
