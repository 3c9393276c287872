// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.wait;

import dev.spindle.Activity;
import dev.spindle.Unfinished;
import dev.spindle.internal.Pool;
import dev.spindle.internal.WorkerContext;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The procedure of every {@code close} that waits: it refuses a caller that would wait for itself, drains, waits for
 * the end, and halts if the calling thread is interrupted or a time limit has passed (D2).
 * {@code ExecutorService.close()} of JDK 19 does the same, without a limit. An object is used for one close.
 *
 * @param <T> the type of the items that a halt may leave
 */
public abstract class Closing<T> implements BooleanSupplier {
    /** The value of a time limit that never passes. */
    public static final long FOREVER = Long.MAX_VALUE;

    /**
     * The maximum time between a halt at the time limit and the return, in which tasks may react to their interrupt
     * (D2). Not measured.
     */
    private static final long GRACE_NANOS = 500_000_000;

    /** The time after which a close that still waits reports what runs. Not measured. */
    private static final long LATE_NANOS = 10_000_000_000L;

    private final @Nullable Pool pool;
    private final String name;
    private @Nullable CompletableFuture<?> end;

    /**
     * Creates the close of {@code name}.
     *
     * @param pool the pool that runs what is closed, or null
     */
    protected Closing(@Nullable Pool pool, String name) {
        this.pool = pool;
        this.name = name;
    }

    /** Begins an orderly end if none has begun, and returns the future that the end completes. */
    protected abstract CompletableFuture<?> drain();

    /** Drops what has not begun, interrupts what runs, and returns at once. Called at most once. */
    protected abstract void halt();

    /** Returns what a halt has left so far, and what runs. Called after the wait; the end may not have come. */
    protected abstract Unfinished<T> unfinished();

    /** Returns what runs now. */
    protected abstract List<Activity> running();

    /** Returns the close, without a limit, of a part that has no pool. */
    public static Closing<Object> of(Supplier<? extends CompletableFuture<?>> drain, Runnable halt) {
        return new Closing<>(null, "") {
            @Override
            protected CompletableFuture<?> drain() {
                return drain.get();
            }

            @Override
            protected void halt() {
                halt.run();
            }

            @Override
            protected Unfinished<Object> unfinished() {
                throw new UnsupportedOperationException(); // only a close with a limit has a report
            }

            @Override
            protected List<Activity> running() {
                return List.of();
            }
        };
    }

    /** Returns the refusal of a close of {@code name} by one of its own tasks, or null if {@code own} is false. */
    public static @Nullable String refusal(String name, boolean own) {
        return !own
                ? null
                : name + " cannot be closed by a task of its own, which would wait for itself;"
                        + " call shutdown() instead";
    }

    /**
     * Drains, and waits for the end, at most for the {@code closeTimeout} of the spindle; logs the report of a halt. If
     * the calling thread is interrupted, halts, and returns with the interrupt status set.
     *
     * @param refusal the message if the caller must not wait, or null
     * @return true if this method has halted, at an interrupt or at the limit
     * @throws IllegalStateException if {@code refusal} is not null
     */
    public final boolean close(@Nullable String refusal) {
        long nanos = pool == null ? FOREVER : pool.host().closes().closeNanos();
        boolean halted = run(refusal, nanos);
        if (halted && pool != null && nanos != FOREVER) {
            pool.host().closes().closed(name, unfinished());
        }
        return halted;
    }

    /**
     * Does what {@link #close(String)} does, with the limit {@code nanos}, and returns a report in place of the log.
     */
    public final Unfinished<T> close(@Nullable String refusal, long nanos) {
        boolean unused = run(refusal, nanos);
        return unfinished();
    }

    /** A worker that calls this method counts as blocked. */
    private boolean run(@Nullable String refusal, long nanos) {
        if (refusal != null) {
            throw new IllegalStateException(refusal);
        }
        WorkerContext worker = WorkerContext.current(); // null if the caller is not a worker
        try {
            if (worker != null) {
                worker.beginBlocking();
            }
            return await(nanos);
        } finally {
            if (worker != null) {
                worker.endBlocking();
            }
        }
    }

    /** Returns true if the end has come. No lambda, whose linkage takes longer than many a close. */
    @Override
    public final boolean getAsBoolean() {
        return end != null && end.isDone();
    }

    /** The condition that an end has come. */
    public record Ended(CompletableFuture<?> end) implements BooleanSupplier {
        @Override
        public boolean getAsBoolean() {
            return end.isDone();
        }
    }

    /** Returns shortly after a halt if there is a limit; without a limit, still waits for the end. */
    private boolean await(long nanos) {
        CompletableFuture<?> end = drain();
        this.end = end;
        boolean limited = nanos != FOREVER;
        boolean halted = false;
        boolean interrupted = false;
        boolean late = false;
        long left = nanos;
        while (!end.isDone()) {
            long step = left;
            try {
                if (pool != null) {
                    left = pool.await(this, left, !interrupted);
                }
                step = late ? left : Math.min(left, LATE_NANOS);
                await(end, step);
            } catch (TimeoutException e) {
                if (step < left) {
                    late = true;
                    left -= limited ? step : 0;
                    late();
                } else if (halted) {
                    break;
                } else {
                    halted = true;
                    left = GRACE_NANOS;
                    halt();
                }
            } catch (InterruptedException e) {
                interrupted = true;
                if (halted && limited) {
                    break;
                }
                if (!halted) {
                    halted = true;
                    left = limited ? GRACE_NANOS : FOREVER;
                    halt();
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

    private void late() {
        if (pool != null) {
            pool.host().closes().closing(name, running());
        }
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
