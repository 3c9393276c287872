// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.WorkerContext.WorkerThread;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes the threads of executors without a thread factory, and the library's service threads. Any submitter may create
 * a thread, so a thread inherits nothing from its creator. A thread has normal priority, no inherited thread-locals,
 * the class loader of this library as its context class loader, and the topmost thread group. Workers are not daemon
 * threads.
 */
public final class DefaultThreads implements ThreadFactory {
    private static final ThreadGroup TOPMOST = topmost();

    private final String name;
    private final AtomicInteger numbers = new AtomicInteger();

    /** Creates a factory of threads named {@code name-1}, {@code name-2} and so on. It runs no user code. */
    public DefaultThreads(String name) {
        this.name = name;
    }

    @Override
    public Thread newThread(Runnable worker) {
        return make(worker, name + "-" + numbers.incrementAndGet());
    }

    /** Returns a factory of threads named {@code name}. */
    public static ThreadFactory named(String name) {
        return worker -> make(worker, name);
    }

    /** Returns a daemon thread named {@code name}, which does not keep the JVM from exiting. */
    public static Thread waiter(Runnable body, String name) {
        Thread thread = make(body, name);
        thread.setDaemon(true);
        return thread;
    }

    private static Thread make(Runnable worker, String name) {
        Thread thread = new WorkerThread(TOPMOST, worker, name);
        thread.setDaemon(false); // U4
        thread.setPriority(Thread.NORM_PRIORITY); // a new thread has the priority of its creator
        thread.setContextClassLoader(DefaultThreads.class.getClassLoader()); // U3
        return thread;
    }

    private static ThreadGroup topmost() {
        ThreadGroup group = Objects.requireNonNull(Thread.currentThread().getThreadGroup());
        for (ThreadGroup parent = group.getParent(); parent != null; parent = group.getParent()) {
            group = parent;
        }
        return group;
    }
}
