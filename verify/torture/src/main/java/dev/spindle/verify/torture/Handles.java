// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import dev.spindle.verify.torture.Log.Outcome;
import dev.spindle.verify.torture.Op.Where;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The futures and submissions by task number, and the lists of tasks that shutdowns and {@code cancelPending} returned.
 */
final class Handles {
    private static final long AWAIT_MICROS = 500;

    private final Layout layout;
    private final Log log;
    private final @Nullable Object[] handles;
    private final Queue<Taken> taken = new ConcurrentLinkedQueue<>();

    /** A list of returned tasks, and the promise about its order. */
    private record Taken(Promise promise, List<Runnable> tasks) {}

    Handles(Layout layout, Log log) {
        this.layout = layout;
        this.log = log;
        handles = new @Nullable Object[layout.tasks()];
    }

    void add(int task, Object handle) {
        handles[task] = handle;
    }

    Step step(int task) {
        return layout.act(task).step();
    }

    void returned(Promise promise, List<Runnable> tasks) {
        if (!tasks.isEmpty()) {
            taken.add(new Taken(promise, tasks));
        }
    }

    /**
     * Waits up to 500 us for the end of a task, because the task may have no worker.
     *
     * @param inside the step of the waiting task, or null if a producer waits
     */
    void await(int task, Future<?> future, @Nullable Step inside) {
        boolean done = future.isDone();
        try {
            future.get(AWAIT_MICROS, TimeUnit.MICROSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // a shutdownNow or a cancel interrupted the task
            return;
        } catch (CancellationException e) {
            return;
        } catch (ExecutionException e) {
            requireEnd(task); // the task threw an exception
            return;
        } catch (TimeoutException e) {
            if (isLaneOf(layout.act(task).step(), inside)) {
                log.tell(task, Log.WAITED_FOR_OWN);
            }
            return;
        } catch (IllegalStateException e) {
            if (done || inside == null || inside.op().where() == Where.POOL) {
                log.tell(task, Log.REFUSED_WAIT); // the future was done, or the task holds no lane
            }
            return;
        }
        requireEnd(task);
    }

    private void requireEnd(int task) {
        if (!log.endIsSeen(task)) {
            log.tell(task, Log.STALE_RESULT);
        }
    }

    private static boolean isLaneOf(Step awaited, @Nullable Step inside) {
        return inside != null
                && inside.op().where() == Where.LANE
                && awaited.op().where() == Where.LANE
                && !awaited.op().isDelayed()
                && awaited.at() == inside.at();
    }

    // ---------------------------------------------------------------- when all has ended

    /** Logs the outcomes of the futures and the lists of returned tasks, after the end of the run. */
    void settle() {
        for (int task = 0; task < handles.length; task++) {
            Object handle = handles[task];
            if (handle != null) {
                log.outcome[task] = outcome(task, (Future<?>) handle);
            }
        }
        IdentityHashMap<Object, Integer> byFuture = byFuture();
        for (Taken one : taken) {
            List<Integer> tasks = new ArrayList<>(one.tasks().size());
            for (Runnable task : one.tasks()) {
                if (task instanceof Run.Extra) {
                    continue;
                }
                int number = task instanceof Job job ? job.number() : byFuture.getOrDefault(task, -1);
                tasks.add(number);
                if (number >= 0) {
                    log.returned[number]++;
                }
            }
            log.returns.add(new Log.Returned(one.promise(), tasks));
        }
    }

    private IdentityHashMap<Object, Integer> byFuture() {
        IdentityHashMap<Object, Integer> tasks = new IdentityHashMap<>();
        for (int task = 0; task < handles.length && !taken.isEmpty(); task++) {
            Object handle = handles[task];
            if (handle != null) {
                tasks.put(handle, task);
            }
        }
        return tasks;
    }

    private Outcome outcome(int task, Future<?> future) {
        if (!future.isDone()) {
            return Outcome.OPEN;
        }
        if (future.isCancelled()) {
            return Outcome.CANCELLED;
        }
        try {
            Object value = future.get();
            if (layout.act(task).step().op().isCoalescing()) {
                return Boolean.TRUE.equals(value) ? Outcome.DONE : Outcome.SUPERSEDED;
            }
            boolean right = layout.act(task).step().op().givesNumber()
                    ? Integer.valueOf(task).equals(value)
                    : value == null;
            return right ? Outcome.DONE : Outcome.WRONG;
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            return cause != null && Job.isOwn(cause, task) ? Outcome.FAILED : Outcome.WRONG;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted at a future that is done", e);
        }
    }
}
