// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.pool.wake.WorkerState;
import dev.spindle.internal.pool.wake.WorkerStates;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Starts the threads of workers. A worker is counted under the worker set's lock, and then its thread is made and
 * started outside the lock. If the start fails, the worker is no longer counted, and another worker is signalled for
 * the ready entries. If the pool has ever had a thread, a later attempt is planned ({@link ThreadStartBackoff}).
 *
 * <p>No task is accepted before a thread has started, so an accepted task never waits for a thread that cannot be
 * started. One submitter at a time attempts to start the first thread, and the others wait for the outcome. If the
 * attempt fails, the next submitter makes its own attempt, so a submitter is rejected only after its own attempt has
 * failed.
 */
final class ThreadStarter implements Runnable {
    /*
     * field    writers                        readers  mode
     * ever     a thread that has started one  all      volatile, only to true
     * starter  the attempting thread,         same     plain
     *          under the lock
     *
     * A thread factory may itself submit a task to the executor. This submit must not wait for the attempt that has
     * called the factory, so the submitting thread makes an attempt of its own.
     *
     * Tests: ThreadStarterTest, SlowThreadsContractTest, ThreadFactoryContractTest.
     */
    private final WorkerPool pool;
    private final WorkerSet workers;
    private final PoolConfig config;
    private final WorkerStates states;
    private final ReentrantLock lock;
    private final Condition attempted;
    private final ThreadStartBackoff failures;
    private volatile boolean ever;
    private @Nullable Thread starter;

    ThreadStarter(WorkerPool pool, WorkerSet workers, PoolConfig config) {
        this.pool = pool;
        this.workers = workers;
        this.config = config;
        states = workers.states();
        lock = states.lock();
        attempted = lock.newCondition();
        failures = new ThreadStartBackoff(config.name());
    }

    /** Returns whether a thread has ever started. */
    boolean hasEverStarted() {
        return ever;
    }

    private boolean isThere() {
        return states.running() > 0;
    }

    /**
     * Ensures that the pool has a thread, before a task is accepted. Waits while another submitter starts the first
     * thread. Returns false if no thread could be started.
     */
    boolean ensureThread() {
        Worker worker;
        long now = pool.nanoTime();
        lock.lock();
        try {
            awaitTurn(); // F5
            if (isThere()) {
                return true;
            }
            worker = reserve(now);
            if (worker == null) {
                return false;
            }
            workers.noteInService();
        } finally {
            workers.unlock();
        }
        boolean unused = startHere(worker);
        return worker.thread != null || isThere(); // the thread may have ended already; ended() then replaces it
    }

    /** Waits until there is a thread, or until the calling submitter may attempt to start one. */
    private void awaitTurn() {
        while (!isThere() && starter != null && starter != Thread.currentThread()) {
            attempted.awaitUninterruptibly();
        }
    }

    /**
     * Counts and returns a worker whose thread is about to be made (WorkerSet-6). If there is no thread, other
     * submitters wait for the outcome. Returns null if there are as many threads as allowed, if the pool ends, or if
     * the pool has a thread and the delay after a failed start has not passed. Called under the lock.
     */
    @Nullable
    Worker reserve(long now) {
        int threads = states.threads();
        if (threads >= states.max() || states.isEnding() || (threads > 0 && failures.keepOff(now))) { // WorkerSet-6
            return null;
        }
        boolean auxiliary = config.auxiliaries() != null && threads >= workers.core.size();
        Worker worker = new Worker(pool, workers, config, auxiliary);
        states.add(worker);
        if (!isThere()) {
            starter = Thread.currentThread();
        }
        return worker;
    }

    /**
     * Starts the thread of a worker that was counted. Returns false if the start fails and the pool has no other
     * thread. A calling thread that runs no tasks must not block in a user's factory, so such a thread starts another
     * thread that calls the factory.
     */
    boolean start(Worker worker) {
        if (pool.isOnThreadWithoutTasks() && isThere() && !(config.threads() instanceof DefaultThreads)) { // A3
            try {
                DefaultThreads.waiter(() -> startHere(worker), pool.name() + "-start")
                        .start();
                return true;
            } catch (Throwable t) {
                return startHere(worker); // the other thread could not be started
            }
        }
        return startHere(worker);
    }

    private boolean startHere(Worker worker) {
        Throwable failure = worker.start(config, workers.registry());
        if (failure == null) {
            started(worker);
            return true;
        }
        refused(worker, failure);
        return workers.signalOthers();
    }

    private void started(Worker worker) {
        boolean virtual = worker.isVirtual();
        lock.lock();
        try {
            ever = true;
            failures.end();
            if (worker.state() == WorkerState.STARTING) { // its thread has not run yet
                states.move(worker, virtual ? WorkerState.COMING : WorkerState.SEARCHING);
            }
            if (virtual && worker.isAuxiliary()) {
                workers.limit.auxiliariesAreVirtual();
            }
            attemptEnded();
        } finally {
            workers.unlock();
        }
        workers.watchdog().readProcessors(pool.recentNanos());
    }

    private void refused(Worker worker, Throwable failure) {
        long now = pool.nanoTime();
        boolean begins;
        boolean last;
        lock.lock();
        try {
            workers.registry().remove(worker);
            states.refuse();
            last = workers.countOut(worker);
            workers.limit.lower(); // the watch raises the limit again if that helps
            begins = failures.note(now);
            attemptEnded();
        } finally {
            workers.unlock();
        }
        if (begins) {
            config.host().threadFailed(failure);
        }
        workers.tellEnd(last);
        pool.tryTerminate(); // WorkerSet-12, D1
        if (ever) {
            failures.runAfter(this);
        } else {
            pool.endWithoutThreads(); // WorkerSet-9
        }
    }

    /** Ends the attempt, successful or not, and wakes the waiting submitters. */
    private void attemptEnded() {
        if (isThere() || starter == Thread.currentThread()) {
            starter = null;
        }
        attempted.signalAll();
    }

    /** Called after the delay that follows a failed start. */
    @Override
    public void run() {
        workers.ensureWorkers();
    }
}
