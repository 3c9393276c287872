// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Offers that wait for room, in the order in which they came. */
final class WaitingSends<K, V> {
    /*
     * A sender adds itself, is counted (PendingKeys, O8), and calls admit(); the run calls admit() after it has made room;
     * a close calls it, too. Whoever comes to admit() while another thread is in it leaves a note there (`calls`) and the
     * other goes round once more, so an admission is never missed and nobody waits.
     *
     * Each send is WAITING until it is CLAIMED by admit(), which offers its value and completes it, or puts it back as
     * WAITING; or until it is WITHDRAWN by an interrupt. So a send that threw InterruptedException was not accepted.
     */
    private final PendingKeys<K, V> keys;
    private final Supplier<RejectedExecutionException> closed;
    private final ConcurrentLinkedQueue<Send<K, V>> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger calls = new AtomicInteger();

    /** @param closed makes the exception for those that a close finds waiting */
    WaitingSends(PendingKeys<K, V> keys, Supplier<RejectedExecutionException> closed) {
        this.keys = keys;
        this.closed = closed;
    }

    /** Offers as soon as there is room. */
    Send<K, V> add(K key, V value) {
        Send<K, V> send = new Send<>(key, value);
        queue.add(send);
        keys.waits(1);
        admit();
        return send;
    }

    /** Waits for {@code send}; an interrupt withdraws it, or finds it done. */
    void await(Send<K, V> send) throws InterruptedException {
        try {
            send.get();
        } catch (ExecutionException e) {
            throw rethrown(e.getCause());
        } catch (InterruptedException e) {
            while (!send.withdraw()) {
                if (send.isDone()) {
                    Thread.currentThread().interrupt();
                    send.join();
                    return;
                }
                Thread.yield(); // admit() has it in hand
            }
            remove(send);
            admit(); // it may have kept others back
            throw e;
        }
    }

    private static RuntimeException rethrown(@Nullable Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException e ? e : new IllegalStateException(cause);
    }

    /** Accepts those that wait, as long as there is room. */
    void admit() {
        if (calls.getAndIncrement() != 0) {
            return;
        }
        int answered = 1;
        do {
            for (Send<K, V> first = queue.peek(); first != null && settle(first); first = queue.peek()) {}
            answered = calls.addAndGet(-answered);
        } while (answered != 0);
    }

    /** Accepts or fails {@code first}, if it still waits; false when there is no room. */
    private boolean settle(Send<K, V> first) {
        if (!first.claim()) {
            remove(first);
            return true;
        }
        try {
            PendingKeys.Outcome outcome = keys.offer(first.key, first.value, true);
            if (outcome == PendingKeys.Outcome.FULL) {
                first.putBack();
                return false;
            }
            remove(first);
            if (outcome == PendingKeys.Outcome.CLOSED) {
                first.completeExceptionally(closed.get());
            } else {
                first.complete(null);
            }
        } catch (Throwable t) { // key code, the merge, or no thread
            remove(first);
            first.completeExceptionally(t);
        }
        return true;
    }

    private void remove(Send<K, V> send) {
        if (queue.remove(send)) {
            keys.waits(-1);
        }
    }

    /** One that waits; completes when its value is accepted. */
    static final class Send<K, V> extends CompletableFuture<@Nullable Void> {
        private static final int WAITING = 0;
        private static final int CLAIMED = 1;
        private static final int WITHDRAWN = 2;
        private static final VarHandle STATE;

        static {
            try {
                STATE = MethodHandles.lookup().findVarHandle(Send.class, "state", int.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private final K key;
        private final V value;

        @SuppressWarnings("UnusedVariable") // written through STATE
        private volatile int state = WAITING;

        Send(K key, V value) {
            this.key = key;
            this.value = value;
        }

        private boolean claim() {
            return STATE.compareAndSet(this, WAITING, CLAIMED);
        }

        private void putBack() {
            state = WAITING;
        }

        private boolean withdraw() {
            return STATE.compareAndSet(this, WAITING, WITHDRAWN);
        }
    }
}
