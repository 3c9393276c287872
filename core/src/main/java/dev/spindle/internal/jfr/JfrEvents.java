// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.jfr;

import dev.spindle.internal.Pool;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.WorkerContext.TaskObserver;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Records events for Java Flight Recorder if the runtime has the recorder and it is in use. No method throws, except an
 * exception of a task that it runs.
 */
public final class JfrEvents {
    /*
     * All code that names a type of jdk.jfr is in JfrListener and JfrEventTypes, which are loaded behind a check, since
     * the module may be absent. The event classes are loaded only once the recorder has been used: their registration
     * makes the JDK set the recorder up, the slowest step at the start of a small program.
     *
     * So the field `on` is set once the recorder has been used, and is never cleared. It is plain, since each task
     * reads it: a thread that sees the change late loses a few events. Once `on` is set, isEnabled() of each event
     * decides.
     *
     * `on` is set when the JDK notifies our listener, or when a worker starts. The listener is added only while `on` is
     * not set, and stays only while a worker is alive, so it keeps no class loader reachable that our threads do not.
     * It is not added at the start, since that takes longer than many tasks.
     */
    private static final AtomicInteger WORKERS = new AtomicInteger();
    private static final AtomicBoolean LISTENING = new AtomicBoolean();
    private static final boolean PRESENT = isPresent();

    private static boolean on;

    private JfrEvents() {}

    private static boolean isPresent() {
        try {
            boolean unused = JfrListener.isInitialized();
            return true;
        } catch (LinkageError e) {
            return false; // the runtime lacks the module, or no module requires it
        }
    }

    // ---------------------------------------------------------------- on and off

    /** Sets {@code on} if the recorder has been used. */
    private static boolean look() {
        if (!on && PRESENT && JfrListener.isInitialized()) {
            begin();
        }
        return on;
    }

    /** Called when the recorder has been set up, by any thread, perhaps more than once. */
    static void begin() {
        try {
            JfrEventTypes.register();
            WorkerContext.observe(new Observer());
            on = true; // after the classes are loaded, so that no task waits for that
        } catch (Throwable t) {
            return; // a security manager refused: tasks run without events
        }
    }

    // ---------------------------------------------------------------- tasks

    /** Records the wait times of entries and the run times of tasks. */
    private static final class Observer implements TaskObserver {
        @Override
        public Object waiting(String spindle, Object entry) {
            return JfrEventTypes.waiting(spindle, entry);
        }

        @Override
        public void run(WorkerContext worker, @Nullable Object key, Runnable task) {
            ReadyEntry turn = worker.turn();
            JfrEventTypes.run(worker.scheduler().name(), turn == null ? null : turn.executor(), key, task);
        }
    }

    /** Runs {@code task} of the logical executor {@code executor} on the thread that submitted it. */
    public static void runByCaller(String spindle, String executor, Runnable task) {
        if (on) {
            JfrEventTypes.run(spindle, executor, null, task);
        } else {
            task.run();
        }
    }

    /** Records a submit that was rejected. */
    public static void rejected(
            String spindle, @Nullable String executor, @Nullable Object key, @Nullable String reason) {
        if (look()) {
            JfrEventTypes.rejected(spindle, executor, key, reason);
        }
    }

    // ---------------------------------------------------------------- workers

    /** Records that the calling thread has become a worker. */
    public static void workerStarted(Pool pool) {
        WORKERS.incrementAndGet();
        if (look()) {
            JfrEventTypes.workerStarted(pool.name());
        }
    }

    /** Adds the listener for the first use of the recorder; called by a worker that has run out of work. */
    public static void listen() {
        if (PRESENT && !on && !LISTENING.get() && LISTENING.compareAndSet(false, true)) {
            JfrListener.listen();
        }
    }

    /** Records the end of the calling worker; called once for each {@link #workerStarted}. */
    public static void workerEnded(Pool pool, String why, long completed) {
        if (on) {
            JfrEventTypes.workerEnded(pool.name(), why, completed);
        }
        // Adds and removals of one listener are counted by the recorder, so their order does not matter.
        if (WORKERS.decrementAndGet() == 0 && LISTENING.compareAndSet(true, false)) {
            JfrListener.listenNoMore();
        }
    }

    /**
     * Records a thread in excess of the core, made for a worker that has announced that it blocks.
     *
     * @param threads the number of threads, or 0 to record nothing
     * @param limit the maximum number of awake workers, not counting workers that have announced that they block
     */
    public static void grewForBlocked(Pool pool, int threads, int limit) {
        if (on && threads > 0) {
            JfrEventTypes.grew(pool.name(), "blocked", limit, limit, threads);
        }
    }

    /**
     * Records that the limit of awake workers has risen, if it has.
     *
     * @param stuck true if the limit has risen because ready work made no progress, although no worker was seen to wait
     * @param before the limit before
     * @param after the limit now
     * @param threads the number of threads
     */
    public static void grew(Pool pool, boolean stuck, int before, int after, int threads) {
        if (on && after > before) {
            JfrEventTypes.grew(pool.name(), stuck ? "stuck" : "waiting", before, after, threads);
        }
    }
}
