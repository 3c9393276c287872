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

/** The senders of a coalescer that wait for room, in the order of their calls. */
final class WaitingSends<K, V> {
    /*
     * A sender adds itself, is counted (PendingKeys-8), and calls admit(). A run that has made room, and a close, also
     * call admit(). A thread that calls admit() while another thread executes it increments `calls`, and the other
     * thread repeats its round, so no admission is missed and no caller waits.
     *
     * WaitingSends-1  A send is WAITING until admit() has CLAIMED it, or until an interrupt has WITHDRAWN it. admit()
     *     offers a claimed send, and then answers it or puts it back. A claimed send that is interrupted is LEAVING:
     *     admit() answers it as withdrawn and does not put it back, so a send that threw InterruptedException was not
     *     accepted.
     * WaitingSends-2  A round of admit() ends: each step answers and removes the first send, or finds that the send has
     *                 to wait for a run, which will make room. If no run can be started, the send is refused
     *                 (PendingKeys-6).
     * WaitingSends-3  Stages of users are completed by HostExecutor after `calls` was released, since their dependents
     *     may send, block or throw. The future of a waiting thread has no dependents and is completed at once.
     * WaitingSends-4  After a shutdown each send that was not made by a worker of the spindle is refused, at any
     *     position in the queue. Such a send counts itself in `outside` and then calls admit(), which reads the
     *     shutdown and then `outside`.
     *
     * Tests: CoalescerBoundTest, CoalescerCloseTest, ShutdownOfModelsTest (WaitingSends-4); jcstress SendAgainstRoom.
     */
    private final PendingKeys<K, V> keys;
    private final Supplier<RejectedExecutionException> closed;
    private final HostExecutor host;
    private final ConcurrentLinkedQueue<Send<K, V>> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger outside = new AtomicInteger(); // the waiting sends not made by workers

    /** @param closed the factory of the exception for sends that are refused by a close */
    WaitingSends(PendingKeys<K, V> keys, Supplier<RejectedExecutionException> closed, HostExecutor host) {
        this.keys = keys;
        this.closed = closed;
        this.host = host;
    }

    /** Adds a send of a thread, which then calls {@link #await}. */
    Send<K, V> add(K key, V value) {
        return add(new Send<>(key, value, null, WaitOrigin.ofThread(), host));
    }

    /** Adds a send and returns its stage. */
    CompletableFuture<@Nullable Void> addAsync(K key, V value) {
        CompletableFuture<@Nullable Void> stage = new CompletableFuture<>();
        Send<K, V> unused = add(new Send<>(key, value, stage, WaitOrigin.ofStage("sendAsync"), host));
        return stage;
    }

    private Send<K, V> add(Send<K, V> send) {
        queue.add(send);
        keys.waits(1);
        if (!send.inside) {
            int unused = outside.incrementAndGet(); // PendingKeys-8
        }
        admit();
        return send;
    }

    /** Waits until {@code send} is answered; an interrupt withdraws it, unless it is too late. */
    void await(Send<K, V> send) throws InterruptedException {
        try {
            long unused = host.await(send::isDone, Long.MAX_VALUE, () -> withdraw(send));
            send.get();
        } catch (ExecutionException e) {
            throw rethrown(e.getCause());
        } catch (InterruptedException e) {
            if (withdraw(send)) {
                throw e;
            }
            try {
                send.join(); // admit() has claimed it and will answer it
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
        admit(); // the send may have held back the sends behind it
        return true;
    }

    private static RuntimeException rethrown(@Nullable Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException e ? e : new IllegalStateException(cause);
    }

    /** Calls {@link #admit(boolean)} for a caller that is not a run. */
    void admit() {
        admit(false);
    }

    /**
     * Accepts waiting sends while there is room, and refuses them after a close.
     *
     * @param own true if the caller is a run, so that the interrupt status of the thread may be changed
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
            host.run(send::tell);
        }
    }

    /** Returns the next send to answer; after a shutdown, sends to be refused come first (WaitingSends-4). */
    private @Nullable Send<K, V> first() {
        if (host.isShut() && outside.get() > 0) { // WaitingSends-4
            for (Send<K, V> send : queue) {
                if (!send.inside) {
                    return send;
                }
            }
        }
        return queue.peek();
    }

    /** Accepts or refuses {@code first} if this send still waits; returns false if there is no room. */
    private boolean answer(Send<K, V> first, boolean own) {
        if (!first.claim()) {
            remove(first);
            return true;
        }
        Throwable failure = null;
        OwnTasks.clearInterrupt(own); // before user code: the merge and methods of keys
        try {
            PendingKeys.Outcome outcome = !first.inside && host.isShut()
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
        } catch (Throwable t) { // thrown by a key or the merge, or no run could be started
            failure = t;
        }
        remove(first);
        first.end(failure);
        return true;
    }

    /** Adds the waiting sends to {@code list}; runs of {@code strand} make room for them. */
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

    /** A waiting send, which completes when its value is accepted or refused. */
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
        private final @Nullable CompletableFuture<@Nullable Void> stage; // the user's stage; null if a thread waits
        private final WaitOrigin origin;
        private final long since;
        private final boolean inside; // true if a worker of the spindle has made this send
        private @Nullable Throwable failure; // the outcome of a stage, which tell() completes
        private @Nullable Send<K, V> next; // in the list of sends that one admit() has answered

        @SuppressWarnings("UnusedVariable") // written through STATE
        private volatile int state = WAITING;

        Send(K key, V value, @Nullable CompletableFuture<@Nullable Void> stage, WaitOrigin origin, HostExecutor host) {
            this.origin = origin;
            since = host.nanoTime();
            inside = host.isWorking();
            this.key = key;
            this.value = value;
            this.stage = stage;
        }

        private boolean claim() {
            return STATE.compareAndSet(this, WAITING, CLAIMED);
        }

        /** Makes this send WAITING again; if it was LEAVING, withdraws it and returns false. */
        private boolean putBack() {
            if (STATE.compareAndSet(this, CLAIMED, WAITING)) {
                return true;
            }
            state = WITHDRAWN;
            return false;
        }

        /**
         * Withdraws this send; returns false if it was answered, or will be answered by the admit() that has claimed
         * it.
         */
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

        /** Completes this for a waiting thread; for a stage, only records the outcome until {@link #tell}. */
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
