// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Waits with a limit, and other helpers of tests. */
public final class TestSupport {
    private static final long LIMIT_SECONDS = 20;

    private TestSupport() {}

    /** Waits for {@code latch}. Fails if that takes longer than the slowest machine needs. */
    public static void await(CountDownLatch latch) {
        try {
            if (!latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("not reached within " + LIMIT_SECONDS + " s: " + latch);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        }
    }

    /** Returns the result of {@code future}, or throws a CompletionException with its failure as the cause. */
    public static <T extends @Nullable Object> T result(Future<? extends T> future) {
        try {
            return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        } catch (TimeoutException e) {
            throw new AssertionError("not completed within " + LIMIT_SECONDS + " s: " + future, e);
        } catch (ExecutionException e) {
            throw new CompletionException(e.getCause());
        }
    }

    /** Returns the result of {@code stage} as {@link #result} does. */
    public static <T extends @Nullable Object> T resultOf(CompletionStage<? extends T> stage) {
        return result(stage.toCompletableFuture());
    }

    /** Waits until {@code condition} holds. */
    public static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("condition did not come true within " + LIMIT_SECONDS + " s");
            }
            LockSupport.parkNanos(100_000);
        }
    }

    /**
     * Waits until the workers have reached everything that is ready now. Tasks that have not run then are being held
     * back.
     */
    public static void passThrough(Spindle spindle) {
        for (int i = 0; i < 20; i++) {
            CountDownLatch done = new CountDownLatch(16);
            for (int j = 0; j < 16; j++) {
                spindle.execute(done::countDown);
            }
            await(done);
        }
    }

    /** Returns null where the compiler does not allow it, to test its refusal. */
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    public static <T> T unsafeNull() {
        return null;
    }

    /** A task that runs until it is opened or interrupted. */
    static final class Gate implements Runnable {
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch opened = new CountDownLatch(1);

        @Override
        public void run() {
            entered.countDown();
            try {
                if (!opened.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                    throw new AssertionError("gate not opened within " + LIMIT_SECONDS + " s");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** Waits until a task has entered, and returns this. */
        Gate awaitEntered() {
            await(entered);
            return this;
        }

        boolean isEntered() {
            return entered.getCount() == 0;
        }

        void open() {
            opened.countDown();
        }

        boolean isOpen() {
            return opened.getCount() == 0;
        }
    }

    /** Collects the throwables of tasks, since an executor swallows failed assertions. Thread-safe. */
    static final class Collected implements BiConsumer<Activity, Throwable> {
        private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();

        /** Returns a task that runs {@code body} and collects its throwable. */
        Runnable checked(Checked body) {
            return () -> {
                try {
                    body.run();
                } catch (Throwable t) {
                    failures.add(t);
                }
            };
        }

        @Override
        public void accept(Activity activity, Throwable failure) {
            failures.add(failure);
        }

        /** Removes and returns the collected throwables. */
        List<Throwable> take() {
            List<Throwable> taken = new ArrayList<>();
            failures.drainTo(taken);
            return taken;
        }

        /** Throws if a task has failed. */
        void rethrow() {
            List<Throwable> taken = take();
            if (!taken.isEmpty()) {
                AssertionError error = new AssertionError("a task failed: " + taken.get(0), taken.get(0));
                taken.subList(1, taken.size()).forEach(error::addSuppressed);
                throw error;
            }
        }
    }

    /** A body that may throw anything. */
    @FunctionalInterface
    interface Checked {
        void run() throws Throwable;
    }

    /** Returns the size of the reachable heap: the minimum after several collections. */
    public static long usedBytes() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            least = Math.min(
                    least,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return least;
    }

    /** Returns true if a newer submission has superseded the coalescing task of {@code future}, which may be null. */
    static boolean isSuperseded(@Nullable CompletableFuture<Boolean> future) {
        return future != null && future.isDone() && !future.isCompletedExceptionally() && !future.join();
    }
}
