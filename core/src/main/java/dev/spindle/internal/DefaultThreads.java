// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes the threads of executors that were given no factory, and those that the library has besides. A submitter makes
 * them, whichever comes first or finds the others busy, so nothing about them is left to be inherited: they have the
 * normal priority, no thread-locals of their maker, the class loader of this library as context class loader, and are
 * in the topmost thread group. Workers are no daemons.
 */
public final class DefaultThreads {
    private static final ThreadGroup TOPMOST = topmost();

    private DefaultThreads() {}

    /** Returns a factory of threads that are called {@code name} and have a number. */
    public static ThreadFactory numbered(String name) {
        return new Numbered(name, new AtomicInteger());
    }

    private record Numbered(String name, AtomicInteger numbers) implements ThreadFactory {
        @Override
        public Thread newThread(Runnable worker) {
            return make(worker, name + "-" + numbers.incrementAndGet());
        }
    }

    /** Returns whether {@code factory} is one of these: it runs no code of users. */
    public static boolean makes(ThreadFactory factory) {
        return factory instanceof Numbered;
    }

    /** Returns a factory of threads that are called {@code name}. */
    public static ThreadFactory named(String name) {
        return worker -> make(worker, name);
    }

    /** Returns a daemon that is called {@code name}: it waits for something, and keeps no process from ending. */
    public static Thread waiter(Runnable body, String name) {
        Thread thread = make(body, name);
        thread.setDaemon(true);
        return thread;
    }

    private static Thread make(Runnable worker, String name) {
        Thread thread = new Thread(TOPMOST, worker, name, 0, false);
        thread.setDaemon(false);
        thread.setPriority(Thread.NORM_PRIORITY); // the group could lower it
        thread.setContextClassLoader(DefaultThreads.class.getClassLoader());
        return thread;
    }

    private static ThreadGroup topmost() {
        ThreadGroup group = Objects.requireNonNull(Thread.currentThread().getThreadGroup()); // it lives
        for (ThreadGroup parent = group.getParent(); parent != null; parent = group.getParent()) {
            group = parent;
        }
        return group;
    }
}
