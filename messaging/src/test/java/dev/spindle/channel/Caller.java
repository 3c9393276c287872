// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;

/** A thread that makes one call, which may wait. */
final class Caller<V> {
    private final FutureTask<V> task;
    private final Thread thread;

    private Caller(Callable<V> call) {
        task = new FutureTask<>(call);
        thread = new Thread(task, "caller");
        thread.setDaemon(true);
        thread.start();
    }

    static <V> Caller<V> of(Callable<V> call) {
        return new Caller<>(call);
    }

    /** Sends {@code value}, and returns when the sender waits. */
    static <T> Caller<T> sends(Channel<T> channel, T value) {
        int before = channel.core().waitingSenders();
        Caller<T> caller = of(() -> {
            channel.send(value);
            return value;
        });
        until(() -> channel.core().waitingSenders() == before + 1);
        return caller;
    }

    /** Receives, and returns when the receiver waits. */
    static <T> Caller<T> receives(Channel<T> channel) {
        int before = channel.core().waitingReceivers();
        Caller<T> caller = of(channel::receive);
        until(() -> channel.core().waitingReceivers() == before + 1);
        return caller;
    }

    /** Waits until the thread is parked. */
    Caller<V> parked() {
        until(() -> thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
        return this;
    }

    boolean isDone() {
        return task.isDone();
    }

    void interrupt() {
        thread.interrupt();
    }

    /** Returns the result of the call; throws a CompletionException with its exception. */
    V end() {
        return result(task);
    }
}
