// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.jfr;

import dev.spindle.Activity;
import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.LaneName;
import dev.spindle.internal.Pool;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.WorkerContext.TaskObserver;
import dev.spindle.internal.report.ActivityText;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * The event types, and the code that records the events. This class calls user code, the {@code toString} of a key,
 * only for an event that is committed. The calling thread is a worker between two tasks, or a submitter, and holds no
 * lock.
 */
final class JfrEventTypes {
    /** The maximum number of characters of the text of a key. Not measured. */
    private static final int MAX_TEXT = 256;

    /** The maximum number of activities of a spindle that are recorded at a time, the longest first. Not measured. */
    private static final int MOST_RUNNING = 256;

    private static final AtomicBoolean LISTS_RUNNING = new AtomicBoolean();
    private static final Runnable LIST_RUNNING = JfrEventTypes::recordRunning;

    // Used only for isEnabled(), so that a disabled event is not allocated.
    private static final QueueWait WAIT = new QueueWait();
    private static final TaskRun RUN = new TaskRun();

    private JfrEventTypes() {}

    /** Registers the event types with the recorder. */
    static void register() {
        FlightRecorder.register(QueueWait.class);
        FlightRecorder.register(TaskRun.class);
        FlightRecorder.register(WorkerStart.class);
        FlightRecorder.register(WorkerEnd.class);
        FlightRecorder.register(Growth.class);
        FlightRecorder.register(Rejection.class);
        FlightRecorder.register(Overdraft.class);
        FlightRecorder.register(Stuck.class);
        FlightRecorder.register(Running.class);
        listRunning();
    }

    /** Makes the recorder ask for what runs, at the end of each chunk by default. */
    static void listRunning() {
        if (LISTS_RUNNING.compareAndSet(false, true)) {
            FlightRecorder.addPeriodicEvent(Running.class, LIST_RUNNING);
        }
    }

    /** Ends {@link #listRunning}, so that the recorder does not keep the class loader of the library reachable. */
    static void listRunningNoMore() {
        if (LISTS_RUNNING.compareAndSet(true, false)) {
            boolean unused = FlightRecorder.removePeriodicEvent(LIST_RUNNING);
        }
    }

    // ---------------------------------------------------------------- tasks

    static Object waiting(String spindle, Object entry) {
        ReadyEntry ready = ReadyEntry.of(entry);
        if (!WAIT.isEnabled() || (ready != null && ready.lane() == null && ready.executor() == null)) {
            return entry; // the event is disabled, or the entry has no lane and no executor, such as a timer
        }
        QueueWait event = new QueueWait();
        event.begin();
        return ready != null
                ? new WaitingEntry(spindle, ready, event)
                : new WaitingTask(spindle, (Runnable) entry, event);
    }

    static void run(String spindle, @Nullable String executor, @Nullable Object key, Runnable task) {
        TaskRun event = RUN.isEnabled() ? beginRun() : null;
        if (event == null) {
            task.run();
            return;
        }
        event.task = classOf(task); // before run(), which may clear the origin of the task
        try {
            task.run();
        } finally {
            event.end();
            if (event.shouldCommit()) {
                commitRun(event, spindle, executor, key);
            }
        }
    }

    private static TaskRun beginRun() {
        TaskRun event = new TaskRun();
        event.begin();
        return event;
    }

    private static void commitRun(TaskRun event, String spindle, @Nullable String executor, @Nullable Object key) {
        try {
            event.of(spindle, executor, key);
            event.commit();
        } catch (Throwable t) {
            return; // the event is lost; the outcome of the task is unaffected
        }
    }

    private static void commitWait(QueueWait event, String spindle, Object entry) {
        event.end();
        if (!event.shouldCommit()) {
            return;
        }
        try {
            ReadyEntry ready = ReadyEntry.of(entry);
            event.of(spindle, ready == null ? null : ready.executor(), ready == null ? null : ready.lane());
            event.task = ready == null ? classOf((Runnable) entry) : null;
            event.commit();
        } catch (Throwable t) {
            return; // the event is lost
        }
    }

    private static Class<?> classOf(Runnable task) {
        return CancellableEntry.origin(TaskObserver.Waiting.unwrap(task)).getClass();
    }

    /**
     * Returns the text of a key for an event, of at most {@link #MAX_TEXT} characters. A throwable of the key's code is
     * caught.
     */
    private static @Nullable String text(@Nullable Object named) {
        if (named == null) {
            return null;
        }
        Object key = LaneName.keyOf(named);
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
            return; // the submitter has to see the rejection, not this failure
        }
    }

    static void overdraft(String spindle, String cycle, int messages) {
        try {
            Overdraft event = new Overdraft();
            event.spindle = spindle;
            event.cycle = cycle;
            event.messages = messages;
            event.commit();
        } catch (Throwable t) {
            return; // the event is lost
        }
    }

    // ---------------------------------------------------------------- what runs, and what is stuck

    private static void recordRunning() {
        JfrEvents.pools().forEach(JfrEventTypes::recordRunning);
    }

    private static void recordRunning(Pool pool) {
        try {
            List<Activity> all = pool.host().running();
            for (Activity activity : all.subList(0, Math.min(MOST_RUNNING, all.size()))) {
                Running event = new Running();
                event.of(
                        pool.name(),
                        activity,
                        ActivityText.owner(activity),
                        ActivityText.waitsFor(null, activity.thread()),
                        ActivityText.stack(activity));
                event.commit();
            }
        } catch (Throwable t) {
            return; // the events of this pool are lost
        }
    }

    static void stuck(String spindle, Activity activity, String owner, @Nullable String waitsFor, String stack) {
        try {
            Stuck event = new Stuck();
            if (event.shouldCommit()) {
                event.of(spindle, activity, owner, waitsFor, stack);
                event.late = activity.isLate();
                event.commit();
            }
        } catch (Throwable t) {
            return; // the event is lost
        }
    }

    // ---------------------------------------------------------------- workers

    static void workerStarted(String spindle) {
        try {
            WorkerStart event = new WorkerStart();
            event.spindle = spindle;
            event.commit();
        } catch (Throwable t) {
            return; // the event is lost; the worker starts nevertheless
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
            return; // the event is lost
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
            return; // the event is lost
        }
    }

    // ---------------------------------------------------------------- entries whose wait is timed

    /** Represents, in the queue, a lane or a token on offer whose wait is measured. */
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

    /** Represents, in the queue, a plain task whose wait is measured. */
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
        @Description("The name of the key's space; null for a strand")
        @Nullable
        String space;

        @Label("Key")
        @Nullable
        String key;

        void of(String spindle, @Nullable String executor, @Nullable Object key) {
            this.spindle = spindle;
            this.executor = executor;
            this.space = LaneName.spaceOf(key);
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

    /** The fields of events of what runs, is open or waits. */
    abstract static class ActivityEvent extends SpindleEvent {
        @Label("Owner")
        @Description("The key, strand, actor, stage, executor or spindle")
        @Nullable
        String owner;

        @Label("Kind")
        @Nullable
        String kind;

        @Label("Key Space")
        @Nullable
        String space;

        @Label("Key")
        @Description("The key, or the name of a strand")
        @Nullable
        String key;

        @Label("Running For")
        @Description("The time for which the task has run or the async task has been open")
        @Timespan(Timespan.NANOSECONDS)
        long runningFor;

        @Label("Oldest Age")
        @Description("The time for which the oldest pending task has waited")
        @Timespan(Timespan.NANOSECONDS)
        long oldestAge;

        @Label("Pending")
        @Description("The number of tasks that wait")
        int pending;

        @Label("Running Thread")
        @Nullable
        Thread thread;

        @Label("Waits For")
        @Nullable
        String waitsFor;

        @Label("Stack")
        @Nullable
        String stack;

        void of(String spindle, Activity activity, String owner, @Nullable String waitsFor, String stack) {
            Duration running = activity.runningFor();
            this.spindle = spindle;
            this.owner = owner;
            kind = activity.kind().name();
            space = activity.space();
            key = text(activity.key());
            runningFor = running == null ? 0 : running.toNanos();
            oldestAge = activity.oldestAge().toNanos();
            pending = activity.pending();
            thread = activity.thread();
            this.waitsFor = waitsFor;
            this.stack = stack;
        }
    }

    @Name("dev.spindle.Stuck")
    @Label("Stuck")
    @Description("A task has run, an async task has been open, or a task has waited for longer than stuckAfter")
    static final class Stuck extends ActivityEvent {
        @Label("Late")
        @Description("True if tasks of the key or executor go on ending")
        boolean late;
    }

    @Name("dev.spindle.Running")
    @Label("Running")
    @Description("What runs or is open at this time; the 256 longest of each spindle")
    @Period("everyChunk")
    static final class Running extends ActivityEvent {}

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
        @Description("The number of tasks that ended on this worker")
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
        @Description("The most workers that might be awake before, without those that announced that they block")
        int limitBefore;

        @Label("Limit After")
        @Description("The most workers that may be awake now")
        int limitAfter;

        @Label("Threads")
        @Description("The number of threads now")
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

    @Name("dev.spindle.Overdraft")
    @Label("Overdraft")
    @Description("Messages were accepted in excess of capacities, because a cycle of full mailboxes needed it")
    static final class Overdraft extends SpindleEvent {
        @Label("Cycle")
        @Description("The names of the actors; each waited for room in the mailbox of the next")
        @Nullable
        String cycle;

        @Label("Messages")
        @Description("The number of messages that were accepted")
        int messages;
    }
}
