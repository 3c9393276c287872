// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.jfr;

import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.SpaceKey;
import dev.spindle.internal.TaskObserver;
import dev.spindle.internal.WorkerContext;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/**
 * The event types, and the code that fills them in. Foreign code is called (a key's toString) only for an event that is
 * committed, by a worker between two tasks or by the submitter of a rejected one, under no lock, and may throw what it
 * likes.
 */
final class JfrEventTypes {
    private static final int MAX_TEXT = 256;

    // Only asked whether they are enabled, so that nothing is allocated when they are not.
    private static final QueueWait WAIT = new QueueWait();
    private static final TaskRun RUN = new TaskRun();

    private JfrEventTypes() {}

    /** Makes the events known to the recorder. */
    static void register() {
        FlightRecorder.register(QueueWait.class);
        FlightRecorder.register(TaskRun.class);
        FlightRecorder.register(WorkerStart.class);
        FlightRecorder.register(WorkerEnd.class);
        FlightRecorder.register(Growth.class);
        FlightRecorder.register(Rejection.class);
    }

    // ---------------------------------------------------------------- tasks

    static Object waiting(String spindle, Object entry) {
        ReadyEntry ready = ReadyEntry.of(entry);
        if (!WAIT.isEnabled() || (ready != null && ready.key() == null && ready.executor() == null)) {
            return entry; // of a timer no event tells
        }
        try {
            QueueWait event = new QueueWait();
            event.begin();
            return ready != null
                    ? new WaitingEntry(spindle, ready, event)
                    : new WaitingTask(spindle, (Runnable) entry, event);
        } catch (OutOfMemoryError e) {
            return entry; // it may be accepted: only the event is lost
        }
    }

    static void run(String spindle, @Nullable String executor, @Nullable Object key, Runnable task) {
        TaskRun event = RUN.isEnabled() ? beginRun() : null;
        if (event == null) {
            task.run();
            return;
        }
        event.task = classOf(task); // before it lets go of what it has run
        try {
            task.run();
        } finally {
            event.end();
            if (event.shouldCommit()) {
                commitRun(event, spindle, executor, key);
            }
        }
    }

    private static @Nullable TaskRun beginRun() {
        try {
            TaskRun event = new TaskRun();
            event.begin();
            return event;
        } catch (OutOfMemoryError e) {
            return null; // the task runs, unseen
        }
    }

    private static void commitRun(TaskRun event, String spindle, @Nullable String executor, @Nullable Object key) {
        try {
            event.of(spindle, executor, key);
            event.commit();
        } catch (Throwable t) {
            return; // no memory: the event is lost, and what the task did stays as it is
        }
    }

    private static void commitWait(QueueWait event, String spindle, Object entry) {
        event.end();
        if (!event.shouldCommit()) {
            return;
        }
        try {
            ReadyEntry ready = ReadyEntry.of(entry);
            event.of(spindle, ready == null ? null : ready.executor(), ready == null ? null : ready.key());
            event.task = ready == null ? classOf((Runnable) entry) : null;
            event.commit();
        } catch (Throwable t) {
            return; // as above
        }
    }

    private static Class<?> classOf(Runnable task) {
        return CancellableEntry.origin(TaskObserver.Waiting.unwrap(task)).getClass();
    }

    /** Returns what an event says of a key; whatever the key's code does, it is not the task's failure. */
    private static @Nullable String text(@Nullable Object raw) {
        if (raw == null) {
            return null;
        }
        Object key = SpaceKey.keyOf(raw);
        try {
            String text = key.toString();
            return text == null || text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
        } catch (Throwable t) {
            return key.getClass().getName() + ", whose toString threw "
                    + t.getClass().getName();
        }
    }

    static void rejected(String spindle, @Nullable String executor, @Nullable Object key, @Nullable String reason) {
        try {
            Rejection event = new Rejection();
            if (event.shouldCommit()) {
                event.of(spindle, executor, key);
                event.reason = reason;
                event.commit();
            }
        } catch (Throwable t) {
            return; // the rejection itself is what the submitter has to see
        }
    }

    // ---------------------------------------------------------------- workers

    static void workerStarted(String spindle) {
        try {
            WorkerStart event = new WorkerStart();
            event.spindle = spindle;
            event.commit();
        } catch (Throwable t) {
            return; // the worker works all the same
        }
    }

    static void workerEnded(String spindle, String why, long completed) {
        try {
            WorkerEnd event = new WorkerEnd();
            event.spindle = spindle;
            event.reason = why;
            event.completed = completed;
            event.commit();
        } catch (Throwable t) {
            return; // as above
        }
    }

    static void grew(String spindle, String why, int before, int after, int threads) {
        try {
            Growth event = new Growth();
            event.spindle = spindle;
            event.reason = why;
            event.limitBefore = before;
            event.limitAfter = after;
            event.threads = threads;
            event.commit();
        } catch (Throwable t) {
            return; // as above
        }
    }

    // ---------------------------------------------------------------- entries whose wait is timed

    /** A lane, or an offered token, in the queue. */
    static final class WaitingEntry extends ReadyEntry implements TaskObserver.Waiting {
        private final String spindle;
        private final ReadyEntry entry;
        private final QueueWait event;

        WaitingEntry(String spindle, ReadyEntry entry, QueueWait event) {
            this.spindle = spindle;
            this.entry = entry;
            this.event = event;
        }

        @Override
        public void turn(WorkerContext r) {
            commitWait(event, spindle, entry);
            entry.turn(r);
        }

        @Override
        public Object entry() {
            return entry;
        }
    }

    /** A plain task in the queue. */
    static final class WaitingTask implements CancellableEntry.Wrapper, TaskObserver.Waiting {
        private final String spindle;
        private final Runnable task;
        private final QueueWait event;

        WaitingTask(String spindle, Runnable task, QueueWait event) {
            this.spindle = spindle;
            this.task = task;
            this.event = event;
        }

        @Override
        public void run() {
            commitWait(event, spindle, task);
            task.run();
        }

        @Override
        public Runnable inner() {
            return task;
        }

        @Override
        public Object entry() {
            return task;
        }
    }

    // ---------------------------------------------------------------- the events

    /** The fields of all events. */
    @Category("Spindle")
    @StackTrace(false)
    abstract static class SpindleEvent extends Event {
        @Label("Spindle")
        @Nullable
        String spindle;
    }

    /** The fields of events of tasks, lanes and logical executors. */
    abstract static class TaskEvent extends SpindleEvent {
        @Label("Logical Executor")
        @Nullable
        String executor;

        @Label("Key Space")
        @Description("The name of the key's space; null for the one without a name")
        @Nullable
        String space;

        @Label("Key")
        @Nullable
        String key;

        void of(String spindle, @Nullable String executor, @Nullable Object key) {
            this.spindle = spindle;
            this.executor = executor;
            this.space = SpaceKey.spaceOf(key);
            this.key = text(key);
        }
    }

    @Name("dev.spindle.QueueWait")
    @Label("Queue Wait")
    @Description("A plain task, a key's lane or a logical executor was ready and waited for a worker")
    @Threshold("10 ms")
    static final class QueueWait extends TaskEvent {
        @Label("Task Class")
        @Description("The class of the plain task that waited")
        @Nullable
        Class<?> task;
    }

    @Name("dev.spindle.TaskRun")
    @Label("Task Run")
    @Description("A task ran on a worker, or on the thread that submitted it")
    @Threshold("10 ms")
    static final class TaskRun extends TaskEvent {
        @Label("Task Class")
        @Nullable
        Class<?> task;
    }

    @Name("dev.spindle.WorkerStart")
    @Label("Worker Start")
    @Description("A worker thread started")
    static final class WorkerStart extends SpindleEvent {}

    @Name("dev.spindle.WorkerEnd")
    @Label("Worker End")
    @Description("A worker thread ended")
    static final class WorkerEnd extends SpindleEvent {
        @Label("Reason")
        @Nullable
        String reason;

        @Label("Completed Tasks")
        @Description("How many tasks ended on this worker")
        long completed;
    }

    @Name("dev.spindle.Growth")
    @Label("Growth")
    @Description("More workers may be awake, or a thread beyond the core was made for one that blocks")
    static final class Growth extends SpindleEvent {
        @Label("Reason")
        @Nullable
        String reason;

        @Label("Limit Before")
        @Description("How many workers might be awake, those not counted that have announced that they block")
        int limitBefore;

        @Label("Limit After")
        @Description("How many workers may be awake now")
        int limitAfter;

        @Label("Threads")
        @Description("How many threads there are now")
        int threads;
    }

    @Name("dev.spindle.Rejection")
    @Label("Rejection")
    @Description("A submit was rejected")
    @StackTrace
    static final class Rejection extends TaskEvent {
        @Label("Reason")
        @Nullable
        String reason;
    }
}
