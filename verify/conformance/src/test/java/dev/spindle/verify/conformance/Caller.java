// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** A thread that makes a call that may wait, and keeps its outcome. */
final class Caller<T extends @Nullable Object> {
    private final FutureTask<T> call;
    private final Thread thread;
    private volatile boolean flagged;

    private Caller(Callable<T> body) {
        call = new FutureTask<>(() -> {
            try {
                return body.call();
            } finally {
                flagged = Thread.currentThread().isInterrupted();
            }
        });
        thread = new Thread(call, "caller");
        thread.setDaemon(true);
    }

    static <T extends @Nullable Object> Caller<T> start(Callable<T> body) {
        Caller<T> caller = new Caller<>(body);
        caller.thread.start();
        return caller;
    }

    /** Returns the outcome of the call. */
    FutureTask<T> outcome() {
        return call;
    }

    /** Returns true while the thread sleeps in its call. */
    boolean isWaiting() {
        Thread.State state = thread.getState();
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }

    void interrupt() {
        thread.interrupt();
    }

    /** Returns true if the interrupt flag was set when the call ended. */
    boolean wasFlagged() {
        return flagged;
    }
}
