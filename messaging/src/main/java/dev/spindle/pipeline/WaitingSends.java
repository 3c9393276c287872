// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.internal.WaitList;
import dev.spindle.internal.WaitOrigin;
import dev.spindle.messaging.OwnTasks;
import dev.spindle.messaging.PrintableFailure;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Offers that wait for room, in the order in which they came. */
final class WaitingSends<K, V> {
    /*
     * A sender adds itself, is counted (PendingKeys-8), and calls admit(); the run calls admit() after it has made
     * room; a close calls it, too. Whoever comes to admit() while another thread is in it leaves a note there (`calls`)
     * and the other goes round once more, so an admission is never missed and nobody waits.
     *
     * WaitingSends-1  Each send is WAITING until it is CLAIMED by admit(), which offers its value and answers it, or
     *     puts it back as WAITING; or until it is WITHDRAWN by an interrupt. One that is interrupted while it is
     *     CLAIMED is LEAVING: admit() answers it, as not accepted if it would have put it back. So a send that threw
     *     InterruptedException was not accepted.
     * WaitingSends-2  A round of admit() ends: each step answers the first send, and removes it, or finds that it has
     *     to wait for room, which a run will make. Where no run can be started, the send is refused (PendingKeys-6).
     * WaitingSends-3  Stages of users are completed after `calls` was given back, by Callbacks: what they call may
     *     send, block or throw. The future of a thread that waits here has no callbacks, and is completed at once.
     * WaitingSends-4  After a shutdown each send that no worker of the spindle has made is refused, wherever it is in
     *     the queue: it counts itself in `outside` and then comes to admit(), which reads the shutdown, then `outside`.
     */
    private final PendingKeys<K, V> keys;
    private final Supplier<RejectedExecutionException> closed;
    private final Callbacks callbacks;
    private final ConcurrentLinkedQueue<Send<K, V>> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger outside = new AtomicInteger(); // of those that wait, how many no worker has made

    /** @param closed makes the exception for those that a close finds waiting */
    WaitingSends(PendingKeys<K, V> keys, Supplier<RejectedExecutionException> closed, Callbacks callbacks) {
        this.keys = keys;
        this.closed = closed;
        this.callbacks = callbacks;
    }

    /** Offers as soon as there is room; for a thread that goes on to {@link #await}. */
    Send<K, V> add(K key, V value) {
        return add(new Send<>(key, value, null, WaitOrigin.ofThread(), callbacks));
    }

    /** Offers as soon as there is room, and then completes the stage that this returns. */
    CompletableFuture<@Nullable Void> addAsync(K key, V value) {
        CompletableFuture<@Nullable Void> stage = new CompletableFuture<>();
        Send<K, V> unused = add(new Send<>(key, value, stage, WaitOrigin.ofStage("sendAsync"), callbacks));
        return stage;
    }

    private Send<K, V> add(Send<K, V> send) {
        queue.add(send);
        keys.waits(1);
        if (!send.inside) {
            int unused = outside.incrementAndGet();
        }
        admit();
        return send;
    }

    /** Waits for {@code send}; an interrupt withdraws it, or finds it done. */
    void await(Send<K, V> send) throws InterruptedException {
        try {
            long unused = callbacks.await(send::isDone, Long.MAX_VALUE, () -> withdraw(send));
            send.get();
        } catch (ExecutionException e) {
            throw rethrown(e.getCause());
        } catch (InterruptedException e) {
            if (withdraw(send)) {
                throw e;
            }
            try {
                send.join(); // admit() has it in hand
            } catch (CompletionException | CancellationException failure) {
                if (send.isWithdrawn()) {
                    throw e;
                }
                Thread.currentThread().interrupt();
                throw failure instanceof CompletionException ? rethrown(failure.getCause()) : failure;
            }
            Thread.currentThread().interrupt();
        }
    }

    private boolean withdraw(Send<K, V> send) {
        if (!send.withdraw()) {
            return false;
        }
        remove(send);
        admit(); // it may have kept others back
        return true;
    }

    private static RuntimeException rethrown(@Nullable Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException e ? e : new IllegalStateException(cause);
    }

    /** As {@link #admit(boolean)}, in the thread of a caller. */
    void admit() {
        admit(false);
    }

    /**
     * Accepts those that wait, as long as there is room, and refuses them after a close.
     *
     * @param own whether this is the turn of a run, so that no caller has to find the thread unchanged
     */
    void admit(boolean own) {
        if (calls.getAndIncrement() != 0) {
            return;
        }
        Send<K, V> oldest = null;
        Send<K, V> newest = null;
        int answered = 1;
        do {
            for (Send<K, V> first = first(); first != null && answer(first, own); first = first()) {
                if (first.stage == null) {
                    continue;
                }
                if (newest == null) {
                    oldest = first;
                } else {
                    newest.next = first;
                }
                newest = first;
            }
            answered = calls.addAndGet(-answered);
        } while (answered != 0);
        for (Send<K, V> send = oldest; send != null; send = send.next) {
            callbacks.run(send::tell);
        }
    }

    /** Returns the first to answer: after a shutdown those that are to be refused (WaitingSends-4). */
    private @Nullable Send<K, V> first() {
        if (callbacks.isShut() && outside.get() > 0) {
            for (Send<K, V> send : queue) {
                if (!send.inside) {
                    return send;
                }
            }
        }
        return queue.peek();
    }

    /** Accepts or fails {@code first}, if it still waits; false when there is no room. */
    private boolean answer(Send<K, V> first, boolean own) {
        if (!first.claim()) {
            remove(first);
            return true;
        }
        Throwable failure = null;
        OwnTasks.clearInterrupt(own); // before the merge
        try {
            PendingKeys.Outcome outcome = !first.inside && callbacks.isShut()
                    ? PendingKeys.Outcome.CLOSED
                    : keys.offer(first.key, first.value, true);
            if (outcome == PendingKeys.Outcome.FULL) {
                if (first.putBack()) {
                    return false;
                }
                failure = new CancellationException("interrupted");
            } else if (outcome == PendingKeys.Outcome.CLOSED) {
                failure = closed.get();
            }
        } catch (Throwable t) { // key code, the merge, or no thread
            failure = t;
        }
        remove(first);
        first.end(failure);
        return true;
    }

    /** Adds those who wait for room, which a run of {@code strand} makes. */
    void listWaits(Object strand, WaitList list) {
        queue.forEach(send -> list.room(send.origin, strand, send.since));
    }

    private void remove(Send<K, V> send) {
        if (queue.remove(send)) {
            keys.waits(-1);
            if (!send.inside) {
                int unused = outside.decrementAndGet();
            }
        }
    }

    /** One that waits; completes when its value is accepted or refused. */
    static final class Send<K, V> extends CompletableFuture<@Nullable Void> {
        private static final int WAITING = 0;
        private static final int CLAIMED = 1;
        private static final int LEAVING = 2;
        private static final int WITHDRAWN = 3;
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
        private final @Nullable CompletableFuture<@Nullable Void> stage; // the user's; null: a thread waits for this
        private final WaitOrigin origin;
        private final long since;
        private final boolean inside; // made by a worker of the spindle
        private @Nullable Throwable failure; // of a stage, written before it is told
        private @Nullable Send<K, V> next; // of those that one admit() has answered

        @SuppressWarnings("UnusedVariable") // written through STATE
        private volatile int state = WAITING;

        Send(
                K key,
                V value,
                @Nullable CompletableFuture<@Nullable Void> stage,
                WaitOrigin origin,
                Callbacks callbacks) {
            this.origin = origin;
            since = callbacks.nanoTime();
            inside = callbacks.isWorking();
            this.key = key;
            this.value = value;
            this.stage = stage;
        }

        private boolean claim() {
            return STATE.compareAndSet(this, WAITING, CLAIMED);
        }

        /** Has it wait again; false when its thread wants to leave, and it is withdrawn now. */
        private boolean putBack() {
            if (STATE.compareAndSet(this, CLAIMED, WAITING)) {
                return true;
            }
            state = WITHDRAWN;
            return false;
        }

        /** Takes it back; false when it has ended, or will be now. */
        private boolean withdraw() {
            while (!STATE.compareAndSet(this, WAITING, WITHDRAWN)) {
                if (isDone() || STATE.compareAndSet(this, CLAIMED, LEAVING)) {
                    return false;
                }
            }
            return true;
        }

        private boolean isWithdrawn() {
            return state == WITHDRAWN;
        }

        /** Completes this for a thread that waits; for a stage that waits until it is told. */
        private void end(@Nullable Throwable with) {
            failure = with;
            if (stage == null) {
                complete(this, with);
            }
        }

        private void tell(boolean unusedOwn) {
            if (stage != null) {
                complete(stage, failure);
            }
        }

        private static void complete(CompletableFuture<@Nullable Void> future, @Nullable Throwable failure) {
            if (failure == null) {
                future.complete(null);
            } else {
                future.completeExceptionally(PrintableFailure.of(failure));
            }
        }
    }
}
