// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.soak;

import dev.spindle.Blocking;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What the tasks of a round do: mostly next to nothing; some compute, block, throw, or submit others. */
final class Work {
    private static final int DEPTH = 2;
    private static final long WAIT_MILLIS = 5;

    private final Target target;
    private final ReentrantLock lock = new ReentrantLock();

    /** What one task does; {@code throwing} says that it ends by throwing. */
    record Body(Runnable action, boolean throwing) {
        static final Body NOTHING = new Body(() -> {}, false);
    }

    Work(Target target) {
        this.target = target;
    }

    Target target() {
        return target;
    }

    /** Chooses what a task does; one that was submitted by a task of a task of a producer submits no more. */
    Body next(SplittableRandom random, int depth) {
        int dice = random.nextInt(1_000);
        if (dice < 800) {
            return Body.NOTHING;
        }
        if (dice < 900) {
            long nanos = random.nextInt(50_000);
            return new Body(() -> spin(nanos), false);
        }
        if (dice < 920) {
            return blocking(random);
        }
        if (dice < 950) {
            boolean error = random.nextBoolean();
            return new Body(() -> fail(error), true);
        }
        if (depth >= DEPTH) {
            return Body.NOTHING;
        }
        Producer inside = new Producer(this, random.split(), depth + 1);
        int tasks = 1 + random.nextInt(8);
        return dice < 990
                ? new Body(() -> inside.burst(tasks), false)
                : new Body(() -> await(inside.submitted()), false);
    }

    private Body blocking(SplittableRandom random) {
        long nanos = random.nextInt(2_000_000);
        int kind = random.nextInt(3);
        Runnable wait = () -> block(kind, nanos);
        return new Body(random.nextBoolean() ? wait : () -> Blocking.run(wait), false);
    }

    private void block(int kind, long nanos) {
        if (kind == 0) {
            LockSupport.parkNanos(nanos);
        } else if (kind == 1) {
            sleep(nanos);
        } else {
            lock.lock();
            try {
                LockSupport.parkNanos(nanos / 8);
            } finally {
                lock.unlock();
            }
        }
    }

    private static void sleep(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // by a shutdownNow or a cancel: the task ends here
        }
    }

    static void spin(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    private static void fail(boolean error) {
        if (error) {
            throw new AssertionError("on purpose");
        }
        throw new IllegalStateException("on purpose");
    }

    /** Waits for another task for a short time, as it may have no worker to run on. Its end is the ledger's business. */
    private static void await(@Nullable Future<?> other) {
        if (other == null) {
            return;
        }
        try {
            other.get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException | IllegalStateException e) {
            return; // an IllegalStateException says that it was cancelled, or is of the own lane
        }
    }
}
