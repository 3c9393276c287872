// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.PoolConfig;

/**
 * Starts the threads of workers. A worker is counted under the worker set's lock, and then its thread is made and
 * started outside the lock. If the start fails, the worker is no longer counted, and another worker is signalled for
 * the ready entries. If the pool has ever had a thread, a later attempt is planned ({@link ThreadStartBackoff}).
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // all updates are made under the worker set's lock
final class ThreadStarter implements Runnable {
    private final WorkerPool pool;
    private final WorkerSet workers;
    private final PoolConfig config;
    private final FirstThread first;
    private final ThreadStartBackoff failures;

    ThreadStarter(WorkerPool pool, WorkerSet workers, PoolConfig config) {
        this.pool = pool;
        this.workers = workers;
        this.config = config;
        first = workers.first;
        failures = workers.failures;
    }

    /**
     * Ensures that the pool has a thread, before a task is accepted. Waits while another submitter starts the first
     * thread. Returns false if no thread could be started.
     */
    boolean ensureThread() {
        Worker worker;
        long now = pool.nanoTime();
        workers.lock.lock();
        try {
            first.awaitTurn(); // F5
            if (first.isThere()) {
                return true;
            }
            worker = workers.reserve(Worker.AWAKE, now);
            if (worker == null) {
                return false;
            }
            workers.enlist(worker);
            workers.wakeUps++;
        } finally {
            workers.unlock();
        }
        boolean unused = startHere(worker);
        return worker.thread != null || first.isThere(); // the thread may have ended already; ended() then replaces it
    }

    /**
     * Starts the thread of a worker that was counted. Returns false if the start fails and the pool has no other
     * thread. A calling thread that runs no tasks must not block in a user's factory, so such a thread starts another
     * thread that calls the factory.
     */
    boolean start(Worker worker) {
        if (pool.isOnThreadWithoutTasks() && first.isThere() && !(config.threads() instanceof DefaultThreads)) { // A3
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
        Throwable failure = worker.start(config, workers.registry);
        if (failure == null) {
            started(worker);
            return true;
        }
        refused(worker, failure);
        return workers.signalOthers();
    }

    private void started(Worker worker) {
        workers.lock.lock();
        try {
            first.started();
            failures.end();
            if (!worker.isVirtual()) {
                workers.come(worker, true);
            } else if (worker.auxiliary) {
                workers.limit.auxiliariesAreVirtual();
            }
            first.attemptEnded();
        } finally {
            workers.unlock();
        }
        workers.readProcessors(pool.recentNanos());
    }

    private void refused(Worker worker, Throwable failure) {
        long now = pool.nanoTime();
        boolean begins;
        boolean last;
        workers.lock.lock();
        try {
            workers.registry.remove(worker);
            workers.wakeUps -= worker.state == Worker.AWAKE ? 1 : 0;
            last = workers.countOut(worker);
            workers.limit.lower(); // the watch raises the limit again if that helps
            begins = failures.note(now);
            first.attemptEnded();
        } finally {
            workers.unlock();
        }
        if (begins) {
            config.host().threadFailed(failure);
        }
        workers.tellEnd(last);
        pool.tryTerminate(); // WorkerSet-12, D1
        if (first.wasEver()) {
            failures.runAfter(this);
        } else {
            pool.endWithoutThreads(); // WorkerSet-9
        }
    }

    /** Called after the delay that follows a failed start. */
    @Override
    public void run() {
        workers.ensureWorkers();
    }
}
