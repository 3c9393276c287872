// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The solution with a virtual thread for each event and a fair lock for each aircraft. Threads acquire a lock in the
 * order of their requests. The order of the requests may differ from the order in which the threads were started.
 */
record VirtualContender() implements Contender {

    static final int OLDEST_JAVA = 21;
    static final String NAME = "virtual threads and locks";

    static boolean available() {
        return Runtime.version().feature() >= OLDEST_JAVA;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String method() {
        return "one for each event, a fair lock for each aircraft";
    }

    @Override
    public boolean promisesOrder() {
        return false;
    }

    @Override
    public Dispatcher open(ThreadLedger ledger) {
        ledger.countCarriers();
        return new OnVirtualThreads(virtualThreads(), new ConcurrentHashMap<>(), ledger);
    }

    /**
     * Returns an executor of virtual threads. The method is called by reflection, because the bytecode is for a JDK
     * without virtual threads.
     */
    private static ExecutorService virtualThreads() {
        try {
            Object made =
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
            return (ExecutorService) Objects.requireNonNull(made, "a factory method returns no null");
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no virtual threads on Java " + Runtime.version(), e);
        }
    }

    private record OnVirtualThreads(ExecutorService executor, Map<String, Lock> locks, ThreadLedger ledger)
            implements Dispatcher {

        @Override
        public void dispatch(Aircraft aircraft, Runnable handling) {
            Lock lock = locks.computeIfAbsent(aircraft.tail(), tail -> new ReentrantLock(true));
            ledger.virtualBegins();
            executor.execute(() -> {
                lock.lock();
                try {
                    handling.run();
                } finally {
                    lock.unlock();
                    ledger.virtualEnds();
                }
            });
        }

        @Override
        public void close() {
            ExecutorsContender.end(executor);
        }
    }
}
