// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.jfr;

import dev.spindle.Activity;
import dev.spindle.internal.Pool;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.WorkerContext.TaskObserver;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Records events for Java Flight Recorder if the runtime has the recorder and the recorder is in use. Only
 * {@link #runByCaller} throws, and only a throwable of its task.
 */
public final class JfrEvents {
    /*
     * The module jdk.jfr may be absent, so only JfrListener and JfrEventTypes refer to its types. isPresent() loads
     * JfrListener, which fails with a LinkageError if the module is absent. The registration of an event class
     * initializes the recorder, which is slow, so JfrEventTypes is loaded only after the first use of the recorder.
     *
     * The field `on` is set after the first use of the recorder, and is never cleared. `on` is plain: a thread that
     * sees the change late loses a few events. Once `on` is set, isEnabled() of each event decides whether the event is
     * recorded.
     *
     * `on` is set when the recorder notifies the listener. A worker that starts, a submitter of a rejected task and,
     * before the listener is first added, a worker that wakes also check whether the recorder has been used. The last
     * worker that ends removes the listener, so that the recorder does not keep the class loader of the library
     * reachable. The first add of the listener in a process takes longer than many tasks, so a worker that has been
     * idle for a while adds the listener (Preparation). After that, a worker that starts adds a missing listener.
     */
    private static final AtomicInteger WORKERS = new AtomicInteger();
    private static final AtomicBoolean LISTENING = new AtomicBoolean();
    private static final boolean PRESENT = isPresent();

    /** The pools that have workers, or had. A weak map, since a pool may be dropped without an end. */
    private static final Map<Pool, Boolean> POOLS = Collections.synchronizedMap(new WeakHashMap<>());

    private static boolean on;
    private static volatile boolean prepared; // true once listen() was called

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

    /** Sets {@code on} if the recorder has been used, and returns {@code on}. */
    public static boolean look() {
        if (!on && PRESENT && JfrListener.isInitialized()) {
            begin();
        }
        return on;
    }

    /**
     * Begins to record events. Called after the recorder has been initialized, by any thread, possibly more than once.
     */
    static void begin() {
        try {
            JfrEventTypes.register();
            WorkerContext.observe(Observer.create());
            on = true; // after the registration, so that no task waits for it
        } catch (Throwable t) {
            return; // for example, a security manager refused; no event is recorded
        }
    }

    /**
     * Makes a thread that runs no tasks call {@link #look} if the recorder was used, so that events of a pool whose
     * workers are all stuck are recorded. Called by the thread that watches the clock.
     */
    public static void lookAside(Pool pool) {
        if (!on && PRESENT && JfrListener.isInitialized()) {
            pool.complete(Look.create());
        }
    }

    private static final class Look extends ReadyEntry {
        /** Creates a look. The return type is the superclass, so that verifying a caller does not load this class. */
        static ReadyEntry create() {
            return new Look();
        }

        @Override
        public void turn(WorkerContext r) {
            boolean unused = look();
        }
    }

    // ---------------------------------------------------------------- tasks

    /** Records the wait times of entries and the run times of tasks. */
    private static final class Observer implements TaskObserver {
        /** Creates an observer. The return type is the interface, so that verifying a caller loads neither type. */
        static TaskObserver create() {
            return new Observer();
        }

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

    /** Records messages that were accepted in excess of capacities. */
    public static void overdraft(String spindle, String cycle, int messages) {
        if (on) {
            JfrEventTypes.overdraft(spindle, cycle, messages);
        }
    }

    /**
     * Records a report of stuck or late work.
     *
     * @param owner the name of the party
     * @param waitsFor what the party waits for, or null if that is not known
     * @param stack the stack of its thread
     */
    public static void stuck(String spindle, Activity activity, String owner, @Nullable String waitsFor, String stack) {
        if (look()) {
            JfrEventTypes.stuck(spindle, activity, owner, waitsFor, stack);
        }
    }

    /** Returns the pools that have workers, or had. */
    static List<Pool> pools() {
        synchronized (POOLS) {
            return List.copyOf(POOLS.keySet());
        }
    }

    // ---------------------------------------------------------------- workers

    /** Records that the calling thread has become a worker. */
    public static void workerStarted(Pool pool) {
        WORKERS.incrementAndGet();
        Boolean unused = POOLS.put(pool, true);
        if (look()) {
            JfrEventTypes.listRunning();
            JfrEventTypes.workerStarted(pool.name());
        } else if (prepared) {
            listen();
        }
    }

    /**
     * Adds the listener for the first use of the recorder, unless the runtime has no recorder, events are recorded
     * already, or the listener was added before.
     */
    public static void listen() {
        prepared = true;
        if (PRESENT && !on && !LISTENING.get() && LISTENING.compareAndSet(false, true)) {
            JfrListener.listen();
        }
    }

    /**
     * Records the end of the calling worker. The last worker removes the listener. Called once for each
     * {@link #workerStarted}.
     */
    public static void workerEnded(Pool pool, String why, long completed) {
        if (on) {
            JfrEventTypes.workerEnded(pool.name(), why, completed);
        }
        if (WORKERS.decrementAndGet() > 0) {
            return;
        }
        if (on) {
            JfrEventTypes.listRunningNoMore();
        }
        // The recorder counts the adds and removals of a listener, so their order does not matter.
        if (LISTENING.compareAndSet(true, false)) {
            JfrListener.listenNoMore();
        }
    }

    /**
     * Records that a thread beyond the core was started for a worker that has announced that it blocks.
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
     * Records a rise of the limit of awake workers, if events are recorded and {@code after} is above {@code before}.
     *
     * @param stuck true if the limit has risen because ready work made no progress, although no worker was seen to wait
     * @param before the earlier limit
     * @param after the new limit
     * @param threads the number of threads
     */
    public static void grew(Pool pool, boolean stuck, int before, int after, int threads) {
        if (on && after > before) {
            JfrEventTypes.grew(pool.name(), stuck ? "stuck" : "waiting", before, after, threads);
        }
    }
}
