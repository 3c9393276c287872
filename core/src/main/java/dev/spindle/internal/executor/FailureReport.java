// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.Activity;
import dev.spindle.Unfinished;
import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.LaneName;
import dev.spindle.internal.MessageTask;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.limit.ConcurrencyLimiter;
import dev.spindle.internal.report.ActivityView;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports failures of tasks to the user's failure handler. Without such a handler, a failure goes to the log and to the
 * uncaught exception handler of the thread.
 */
public final class FailureReport {
    private static final String LOG = "dev.spindle.Spindle";

    /** The maximum number of activities in one line of the log. Not measured. */
    private static final int MOST_LISTED = 10;

    private static volatile System.@Nullable Logger log;

    private final String name;
    private final @Nullable BiConsumer<? super Activity, ? super Throwable> handler;
    private final AtomicLong handlerFailures = new AtomicLong();

    /**
     * Creates a report to {@code handler}, or to the log if {@code handler} is null; {@code name} is the name of the
     * spindle.
     */
    public FailureReport(String name, @Nullable BiConsumer<? super Activity, ? super Throwable> handler) {
        this.name = name;
        this.handler = handler;
    }

    /** Looks up the log before its first use, at a time when the look-up delays no task. Never throws. */
    public static void prepare() {
        if (log != null) {
            return;
        }
        try {
            System.Logger unused = logger();
        } catch (Throwable t) {
            return; // the next caller tries again
        }
    }

    private static System.Logger logger() {
        System.Logger found = log;
        if (found == null) {
            found = System.getLogger(LOG);
            log = found;
        }
        return found;
    }

    /** Logs that {@code task} returned a stage, once for each class of tasks. Never throws. */
    static void stageReturned(@Nullable Object task, @Nullable Object lane) {
        if (task == null || StageTasks.LOGGED.get(task.getClass()).getAndSet(true)) {
            return;
        }
        try {
            logger().log(
                            System.Logger.Level.WARNING,
                            "task " + task.getClass().getName() + (lane == null ? "" : " of " + lane)
                                    + " returned a CompletionStage, which submit does not wait for: the task has ended"
                                    + " before the stage completes. A lane waits for the stage if the task is handed to"
                                    + " submitAsync.");
        } catch (Throwable t) {
            return; // a log that fails must not fail the task
        }
    }

    /**
     * The classes of tasks that returned a stage. A nested class, so that a program without such tasks does not load
     * this class.
     */
    private static final class StageTasks {
        static final ClassValue<AtomicBoolean> LOGGED = new ClassValue<>() {
            @Override
            protected AtomicBoolean computeValue(Class<?> type) {
                return new AtomicBoolean();
            }
        };
    }

    /**
     * Reports a task that threw on the calling thread. Never throws.
     *
     * @param party the lane, as a {@link LaneName}, or another party, such as an actor; null for a plain task
     */
    public void task(@Nullable Object party, Runnable task, Throwable failure) {
        report(party, task, failure, true);
    }

    private void report(@Nullable Object party, Runnable task, Throwable failure, boolean ran) {
        Thread.UncaughtExceptionHandler uncaught = null;
        try {
            if (handler != null) {
                Object subject = task instanceof MessageTask of ? of.message() : CancellableEntry.unwrap(task);
                handler.accept(activity(party, subject, ran), failure);
                return;
            }
            uncaught = uncaughtHandler();
            log(party, task, failure, uncaught == null); // F1
        } catch (Throwable t) {
            handlerFailures.incrementAndGet();
        }
        try {
            if (uncaught != null) {
                uncaught.uncaughtException(Thread.currentThread(), failure);
            }
        } catch (Throwable t) {
            handlerFailures.incrementAndGet();
        }
    }

    /**
     * Withdraws a task that was dropped to make room, and reports the task unless the task has a future, which the
     * withdrawal cancels.
     */
    public void dropped(@Nullable LaneName lane, Runnable task, String bound) {
        CancellableEntry.withdraw(task);
        CancellableEntry entry = CancellableEntry.of(task);
        if (entry == null || !entry.hasFuture()) {
            report(
                    lane,
                    task,
                    new RejectedExecutionException("dropped to make room for a newer task: " + bound),
                    false);
        }
    }

    /**
     * Returns the activity of {@code task}; {@code ran} is true if the task ran on the calling thread, false if the
     * task was dropped.
     */
    private ActivityView activity(@Nullable Object party, Object task, boolean ran) {
        WorkerContext worker = ran ? WorkerContext.current() : null;
        ReadyEntry turn = worker == null ? null : worker.turn();
        if (party instanceof LaneName named) {
            return turn == party && party instanceof LaneCore lane
                    ? LaneOwner.activity(lane, 0, task, ActivityView::noWait)
                    : LaneOwner.activity(named, task);
        }
        Thread thread = ran ? Thread.currentThread() : null;
        if (party != null) {
            return new ActivityView(Activity.Kind.HANDLER, party.toString(), task, thread);
        }
        String executor = CallerRun.executor();
        if (executor == null && turn instanceof ConcurrencyLimiter limiter) {
            executor = limiter.name();
        }
        return executor == null
                ? new ActivityView(Activity.Kind.TASK, "spindle " + name, task, thread)
                : new ActivityView(Activity.Kind.EXECUTOR, "executor " + executor, task, thread);
    }

    /** Logs a failure. Adds the stack trace if no uncaught exception handler receives the failure. */
    private void log(@Nullable Object party, Runnable task, Throwable failure, boolean alone) {
        Object of = party instanceof LaneName lane ? LaneOwner.describe(lane) : party;
        String line = "task " + CancellableEntry.unwrap(task) + (of == null ? "" : " of " + of) + " of spindle " + name
                + " failed";
        if (alone) {
            logger().log(System.Logger.Level.ERROR, line, failure);
        } else {
            logger().log(System.Logger.Level.ERROR, line + ": " + failure);
        }
    }

    /**
     * Returns the uncaught exception handler of this thread. Returns null for the JDK's own handler, which only prints
     * a stack trace.
     */
    private static Thread.@Nullable UncaughtExceptionHandler uncaughtHandler() {
        Thread thread = Thread.currentThread();
        Thread.UncaughtExceptionHandler handler = thread.getUncaughtExceptionHandler();
        if (handler != thread.getThreadGroup() || Thread.getDefaultUncaughtExceptionHandler() != null) {
            return handler;
        }
        for (ThreadGroup group = thread.getThreadGroup(); group != null; group = group.getParent()) {
            if (group.getClass() != ThreadGroup.class) {
                return handler; // a subclass may override uncaughtException
            }
        }
        return null;
    }

    /** Logs that {@code executor} was closed at its time limit. Never throws. */
    void closed(String executor, Unfinished<?> left) {
        try {
            logger().log(System.Logger.Level.WARNING, executor + " was closed at its time limit: " + left);
        } catch (Throwable t) { // for example, thrown by toString of a key
            handlerFailures.incrementAndGet();
        }
    }

    /** Logs for what the close of {@code executor} waits, with the stacks of the threads. Never throws. */
    void closing(String executor, List<Activity> running) {
        StringBuilder text =
                new StringBuilder("close of " + executor + " has waited for 10 s; what runs: " + running.size());
        try {
            for (Activity activity : running.subList(0, Math.min(MOST_LISTED, running.size()))) {
                text.append(System.lineSeparator()).append(activity);
                Thread thread = activity.thread();
                text.append(thread == null ? "" : ", on thread " + thread.getName());
                activity.stack()
                        .forEach(frame -> text.append(System.lineSeparator())
                                .append("\tat ")
                                .append(frame));
            }
            logger().log(System.Logger.Level.WARNING, text.toString());
        } catch (Throwable t) { // for example, thrown by toString of a key
            handlerFailures.incrementAndGet();
        }
    }

    /** Logs a report of stuck work. Throws what the log throws. */
    public static void stuck(String report) {
        logger().log(System.Logger.Level.WARNING, report);
    }

    /** Counts a handler or a log that threw. */
    public void handlerFailed() {
        handlerFailures.incrementAndGet();
    }

    /** Logs {@code event} of a thread of the pool. Never throws. */
    public void thread(String event, Throwable failure) {
        try {
            logger().log(System.Logger.Level.WARNING, "spindle " + name + " " + event, failure);
        } catch (Throwable t) {
            handlerFailures.incrementAndGet();
        }
    }

    /** Returns the number of times that a handler or a log threw. */
    public long handlerFailures() {
        return handlerFailures.get();
    }
}
