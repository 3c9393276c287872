// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.tools;

import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A thread factory of a given kind. The threads are daemons, so that a thread that hangs does not keep the process
 * alive.
 */
public final class Threads implements ThreadFactory {
    /**
     * A strong reference to the logger. Without the reference, the logger may be garbage-collected and lose its filter.
     */
    private static final Logger LOG = Logger.getLogger("dev.spindle.Spindle");

    private static final int SLOW_EVERY = 2;
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(30);
    private static final int FIRST_FAILURES = 4;
    private static final int FAILS_EVERY = 3;

    static {
        LOG.setFilter(said -> !String.valueOf(said.getMessage()).contains("could not start a worker thread")
                && !String.valueOf(said.getMessage()).contains("could not be interrupted")); // expected messages
    }

    private final String name;
    private final Kind kind;
    private final long slowNanos;
    private final Queue<Thread> made = new ConcurrentLinkedQueue<>();
    private final Set<Thread> callers = ConcurrentHashMap.newKeySet();
    private final AtomicInteger calls = new AtomicInteger();

    /** The kinds of factories. */
    public enum Kind {
        SOUND,
        /** Delays every second thread. */
        SLOW,
        /** Fails for the first threads, by returning null or by throwing an exception. */
        FAILS_FIRST,
        /** Fails for two of three threads. */
        FAILS_OFTEN,
        /** Creates threads whose {@code interrupt} throws if another thread calls it. */
        THROWS_WHEN_INTERRUPTED;

        /** Returns true if a task may be refused because the factory creates no thread. */
        public boolean isFailing() {
            return this == FAILS_FIRST || this == FAILS_OFTEN;
        }
    }

    public Threads(String name, Kind kind) {
        this(name, kind, SLOW_NANOS);
    }

    /** Creates a factory. A factory of kind {@code SLOW} delays a thread by {@code slowNanos} nanoseconds. */
    public Threads(String name, Kind kind, long slowNanos) {
        this.name = name;
        this.kind = kind;
        this.slowNanos = slowNanos;
    }

    @Override
    public @Nullable Thread newThread(Runnable body) {
        int call = calls.getAndIncrement();
        boolean fails = switch (kind) {
            case SOUND, SLOW, THROWS_WHEN_INTERRUPTED -> false;
            case FAILS_FIRST -> call < FIRST_FAILURES;
            case FAILS_OFTEN -> call % FAILS_EVERY != FAILS_EVERY - 1;
        };
        if (fails && call % 2 == 0) {
            return null;
        }
        if (fails) {
            throw new IllegalStateException("no thread is made, on purpose");
        }
        if (kind == Kind.SLOW && call % SLOW_EVERY != 0) {
            callers.add(Thread.currentThread());
            Pause.whole(slowNanos);
            callers.remove(Thread.currentThread());
        }
        Thread thread = kind == Kind.THROWS_WHEN_INTERRUPTED ? new Throwing(body, name) : new Thread(body, name);
        thread.setDaemon(true);
        made.add(thread);
        return thread;
    }

    /** Returns true if {@code caller} is being delayed by the factory. */
    public boolean holdsUp(Thread caller) {
        return callers.contains(caller);
    }

    /** Returns true if any thread is being delayed by the factory. */
    public boolean isHoldingUp() {
        return !callers.isEmpty();
    }

    /** Returns all threads that the factory has created. */
    public List<Thread> made() {
        return List.copyOf(made);
    }

    private static final class Throwing extends Thread {
        Throwing(Runnable body, String name) {
            super(body, name);
        }

        @Override
        public void interrupt() {
            super.interrupt();
            if (Thread.currentThread() != this) {
                throw new SecurityException("thrown by an interrupt, on purpose");
            }
        }
    }
}
