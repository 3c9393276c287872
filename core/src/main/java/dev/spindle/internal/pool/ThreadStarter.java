// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.DefaultThreads;
import dev.spindle.internal.PoolConfig;

/**
 * Starts the threads of a worker set's workers. The place of a worker is counted before its thread is made, outside the
 * lock, and given back when no thread can be had: then the others take what is ready, and another attempt follows.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // all updates are made under the worker set's lock
final class ThreadStarter {
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
     * Ensures that a thread has been started, before anything is accepted; false if none could be. Waits while another
     * submitter starts the first one.
     */
    boolean ensureThread() {
        Worker worker;
        long now = pool.nanoTime();
        workers.lock.lock();
        try {
            first.awaitTurn();
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
        return worker.thread != null || first.isThere(); // it may have ended already, and is replaced by the next entry
    }

    /**
     * Starts a worker whose place is counted; false if there is no thread at all. A factory of the user's keeps no
     * thread that runs no tasks: another one, in the place of the worker, calls it.
     */
    boolean start(Worker worker) {
        if (pool.isOnThreadWithoutTasks() && first.isThere() && !DefaultThreads.makes(config.threads())) {
            try {
                Runnable start = new Runnable() { // no lambda: to link one takes memory
                            @Override
                            public void run() {
                                boolean unused = startHere(worker);
                            }
                        };
                DefaultThreads.waiter(start, pool.name() + "-start").start();
                return true;
            } catch (Throwable t) {
                return startHere(worker); // there is no thread for that
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
            workers.limit.lower(); // the watch raises it again when that helps
            begins = failures.note(now);
            first.attemptEnded();
        } finally {
            workers.unlock();
        }
        if (begins) {
            config.host().threadFailed(failure);
        }
        workers.tellEnd(last);
        pool.tryTerminate(); // WorkerSet-12
        if (first.wasEver()) {
            failures.runAfter(workers);
        } else {
            pool.endWithoutThreads(); // WorkerSet-9
        }
    }
}
