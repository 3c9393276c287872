// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.jfr;

import dev.spindle.internal.Pool;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.TaskObserver;
import dev.spindle.internal.WorkerContext;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Records events for Java Flight Recorder, if the runtime has one and it is in use. Nothing here throws, except for
 * what a task throws that is run here.
 */
public final class JfrEvents {
    /*
     * All that names a type of jdk.jfr is in JfrListener and JfrEventTypes, which are loaded behind a check: the module
     * need not be there. Nor are the event classes loaded before the recorder has been used, since to register them
     * makes the JDK set the recorder up, which takes longer than anything else at the start of a small program.
     *
     * So a field of our own says whether it has been: `on`, which never goes back. It is plain, since tasks read it: a
     * thread may see it late, and then loses the first few events. From then on the events' own isEnabled() decides.
     *
     * It is set when the JDK tells a listener of ours, or when a worker starts. The listener is added only while `on`
     * is not set, and stays only while a worker lives, so it keeps no class loader that our threads do not keep; and
     * not from the start, since to add it takes longer than many a task.
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
            return false; // a runtime without the module, or a module graph in which nobody requires it
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

    /** Called when the recorder has been set up, by any thread, more than once. */
    static void begin() {
        try {
            JfrEventTypes.register();
            WorkerContext.observe(new Observer());
            on = true; // after the classes are there, so that no task has to wait for them
        } catch (Throwable t) {
            return; // no memory, or a security manager: the work goes on unseen
        }
    }

    // ---------------------------------------------------------------- tasks

    /** Records how long entries wait, and tasks run. */
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

    /** Called by a worker that has run dry: from then on the first use of the recorder is noticed. */
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
     * Records a thread beyond the core, made for a worker that has announced that it blocks; {@code threads} is 0 for
     * none.
     *
     * @param limit how many workers may be awake, those not counted that have announced that they block
     */
    public static void grewForBlocked(Pool pool, int threads, int limit) {
        if (on && threads > 0) {
            JfrEventTypes.grew(pool.name(), "blocked", limit, limit, threads);
        }
    }

    /**
     * Records that more workers may be awake, if that is so.
     *
     * @param stuck whether work was ready and nothing was finished, though no worker was seen to wait
     * @param before how many might be awake
     * @param after how many may
     * @param threads how many threads there are
     */
    public static void grew(Pool pool, boolean stuck, int before, int after, int threads) {
        if (on && after > before) {
            JfrEventTypes.grew(pool.name(), stuck ? "stuck" : "waiting", before, after, threads);
        }
    }
}
