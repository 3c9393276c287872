// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import dev.spindle.FailureHandler;
import dev.spindle.Strand;
import dev.spindle.internal.Durations;
import dev.spindle.internal.WorkerContext;
import dev.spindle.messaging.Headroom;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Passes values from senders to receivers, each value to exactly one of them.
 *
 * <pre>{@code
 * Channel<Page> pages = Channel.buffered(16);
 * pages.send(page);               // a thread, platform or virtual
 * pages.sendAsync(page);          // a task on a spindle
 * Page next = pages.receive();
 * pages.forEach(strand, index::add);
 * }</pre>
 *
 * <p><b>Kinds.</b> With {@link #rendezvous} a sender waits for a receiver: the value goes from one to the other. With
 * {@link #buffered} up to so many values wait for receivers. With {@link #conflating} a value takes the place of the
 * one of its key that still waits.
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread. {@link #offer} and {@link #poll} never wait;
 * {@link #send} and {@link #receive} may, and refuse to on a worker of a spindle; {@link #sendAsync},
 * {@link #receiveAsync} and {@link #forEach} return a stage. {@link Select} waits for the first of several channels.
 *
 * <p><b>Order and fairness.</b> Values are received in the order in which they were accepted. Those who wait are served
 * in the order in which they came, in whatever form they wait, and no later call overtakes them.
 *
 * <p><b>Interruption.</b> A call that throws an {@link InterruptedException} or a {@link TimeoutException} has sent or
 * received nothing, and leaves nothing behind. The same holds for a stage that was cancelled, or completed in another
 * way, before it was served; a {@code cancel} that comes too late returns false. An interrupt that comes too late stays
 * set.
 *
 * <p><b>Closing.</b> After {@link #close} nothing more can be sent. Senders that wait and values that were accepted are
 * still received; then receivers get a {@link ChannelClosedException}. After {@link #cancel} they get it at once.
 *
 * <p><b>Callbacks.</b> What depends on a stage runs in the thread that made its completion possible, after that thread
 * has done its own step and holds no lock: of a receiver in the one that sends, of a sender in the one that receives or
 * makes room, or in the one that closes. It delays that call if it blocks. The key function and the code of keys run in
 * the calling thread.
 *
 * <p><b>Memory consistency effects.</b> Actions in a thread before it sends a value happen-before actions after the
 * value was received. Actions before the receipt that made room for a value happen-before actions after its send; so in
 * a rendezvous each happens-before what follows the other.
 *
 * <p><b>Cost.</b> All operations take constant time, {@code close} and {@code cancel} in the waits and values that they
 * end. A channel has no thread and no timer. One that is not reachable any more needs no close.
 *
 * @param <T> the type of the values, which are never null
 */
public final class Channel<T> {
    private final ChannelCore<T> core;

    Channel(Buffer<T> buffer) {
        core = new ChannelCore<>(buffer);
    }

    /** Returns a channel that holds no value: each goes from a sender to a receiver, and both wait for each other. */
    public static <T> Channel<T> rendezvous() {
        return new Channel<>(new Buffer.InOrder<>(0));
    }

    /**
     * Returns a channel that holds up to {@code capacity} values.
     *
     * @throws IllegalArgumentException if {@code capacity} is not positive
     */
    public static <T> Channel<T> buffered(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity must be positive, is " + capacity
                    + "; a channel without a buffer is Channel.rendezvous()");
        }
        return new Channel<>(new Buffer.InOrder<>(capacity));
    }

    /**
     * Returns a channel that holds the latest value of each key. A value whose key has one that was not received takes
     * its place, and the place in the order; it finds room in any case, unless an older one of its key waits for room.
     *
     * @param maxKeys for how many keys it holds a value at most
     * @param key returns the key of a value; keys compare by {@code equals} and {@code hashCode}. Runs in the sender,
     *     which gets what it throws; nothing is sent then
     * @throws IllegalArgumentException if {@code maxKeys} is not positive
     */
    public static <T> Channel<T> conflating(int maxKeys, Function<? super T, ?> key) {
        Objects.requireNonNull(key, "key");
        if (maxKeys < 1) {
            throw new IllegalArgumentException("maxKeys must be positive, is " + maxKeys
                    + "; for one value whatever its key, use 1 and a function that returns a constant");
        }
        return new Channel<>(new ConflatingBuffer<>(maxKeys, key));
    }

    ChannelCore<T> core() {
        return core;
    }

    // ---------------------------------------------------------------- sending

    /**
     * Sends {@code value} if a receiver waits or there is room. Never waits.
     *
     * @return false if neither is the case
     * @throws NullPointerException if the value, or its key, is null
     * @throws ChannelClosedException if the channel was closed
     */
    public boolean offer(T value) {
        requireValue(value);
        return core.send(value, core.keyOf(value), null);
    }

    /**
     * Sends {@code value}, waiting for a receiver or for room if need be. For threads that are no workers. When this
     * returns, a receiver has the value, or the buffer does.
     *
     * @throws InterruptedException if interrupted while waiting; the value was then not sent
     * @throws IllegalStateException on a worker of a spindle, which must not wait: use {@link #sendAsync}
     * @throws NullPointerException if the value, or its key, is null
     * @throws ChannelClosedException if the channel was closed before this call; or cancelled, while it waits
     */
    public void send(T value) throws InterruptedException {
        ThreadWait wait = beginSend(value, "send");
        if (wait != null) {
            requireCommitted(wait.await(ThreadWait.FOREVER));
        }
    }

    /**
     * Sends {@code value} as {@link #send(Object)} does, waiting for at most {@code limit}.
     *
     * @param limit a negative one is as none
     * @throws TimeoutException if the time has passed; the value was then not sent
     * @throws InterruptedException if interrupted while waiting; the value was then not sent
     * @throws IllegalStateException on a worker of a spindle, which must not wait: use {@link #sendAsync}
     * @throws NullPointerException if an argument, or the key of the value, is null
     * @throws ChannelClosedException if the channel was closed before this call; or cancelled, while it waits
     */
    public void send(T value, Duration limit) throws InterruptedException, TimeoutException {
        long nanos = Durations.toNanos(Objects.requireNonNull(limit, "limit"));
        ThreadWait wait = beginSend(value, "send");
        if (wait != null && requireCommitted(wait.await(nanos)) == null) {
            throw new TimeoutException(this + " took no value within " + limit);
        }
    }

    private @Nullable ThreadWait beginSend(T value, String method) {
        requireValue(value);
        requireNoWorker(method, "sendAsync");
        Object key = core.keyOf(value);
        if (core.send(value, key, null)) {
            return null;
        }
        ThreadWait wait = new ThreadWait();
        return core.send(value, key, Pending.send(core, wait, value, key)) ? null : wait;
    }

    /**
     * Sends {@code value} as soon as a receiver comes or there is room.
     *
     * @return completes when a receiver, or the buffer, has the value, or with a {@link ChannelClosedException}.
     *     Cancelling it withdraws the value, unless it was sent
     * @throws NullPointerException if the value, or its key, is null
     */
    public CompletableFuture<@Nullable Void> sendAsync(T value) {
        requireValue(value);
        Object key = core.keyOf(value);
        try {
            if (core.send(value, key, null)) {
                return CompletableFuture.completedFuture(null);
            }
            StageWait<@Nullable Void> wait = new StageWait<>("sendAsync", sent -> null);
            return core.send(value, key, Pending.send(core, wait, value, key))
                    ? CompletableFuture.completedFuture(null)
                    : wait.future();
        } catch (ChannelClosedException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static void requireValue(Object value) {
        Objects.requireNonNull(value, "value");
        Headroom.require(); // a step that ended half-way would leave others waiting who were served
    }

    // ---------------------------------------------------------------- receiving

    /**
     * Returns the next value, if there is one or a sender waits. Never waits.
     *
     * @return null if neither is the case
     * @throws ChannelClosedException if the channel was closed and everything was received
     */
    public @Nullable T poll() {
        Headroom.require();
        return core.receive(null);
    }

    /**
     * Returns the next value, waiting for one if need be. For threads that are no workers.
     *
     * @throws InterruptedException if interrupted while waiting; nothing was then received
     * @throws IllegalStateException on a worker of a spindle, which must not wait: use {@link #receiveAsync}
     * @throws ChannelClosedException if the channel was closed and everything was received, also while this waits
     */
    public T receive() throws InterruptedException {
        return Objects.requireNonNull(receiveWithin(ThreadWait.FOREVER));
    }

    /**
     * Returns the next value as {@link #receive()} does, waiting for at most {@code limit}.
     *
     * @param limit a negative one is as none
     * @throws TimeoutException if the time has passed; nothing was then received
     * @throws InterruptedException if interrupted while waiting; nothing was then received
     * @throws IllegalStateException on a worker of a spindle, which must not wait: use {@link #receiveAsync}
     * @throws ChannelClosedException if the channel was closed and everything was received, also while this waits
     */
    public T receive(Duration limit) throws InterruptedException, TimeoutException {
        T value = receiveWithin(Durations.toNanos(Objects.requireNonNull(limit, "limit")));
        if (value == null) {
            throw new TimeoutException(this + " had no value within " + limit);
        }
        return value;
    }

    private @Nullable T receiveWithin(long nanos) throws InterruptedException {
        requireNoWorker("receive", "receiveAsync");
        T value = poll();
        if (value != null) {
            return value;
        }
        ThreadWait wait = new ThreadWait();
        Pending<T> place = Pending.receive(core, wait);
        value = core.receive(place);
        if (value == null && requireCommitted(wait.await(nanos)) != null) {
            value = place.value;
        }
        return value;
    }

    /**
     * Receives the next value as soon as there is one.
     *
     * @return completes with it, or with a {@link ChannelClosedException}. Cancelling it gives up the place in the
     *     queue, unless it has a value: then {@code cancel} returns false
     */
    public CompletableFuture<T> receiveAsync() {
        try {
            T value = poll();
            if (value != null) {
                WorkerContext.countOwnSteps(1); // a task may receive many
                return CompletableFuture.completedFuture(value);
            }
            return receiveLater();
        } catch (ChannelClosedException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @SuppressWarnings("unchecked") // the clause is that of the wait
    private CompletableFuture<T> receiveLater() {
        StageWait<T> wait = new StageWait<>("receiveAsync", got -> Objects.requireNonNull((T) got.value));
        T value = core.receive(Pending.receive(core, wait));
        return value == null ? wait.future() : CompletableFuture.completedFuture(value);
    }

    /**
     * Hands each value to {@code handler}, on {@code strand}, one after the other; the next is received when the
     * handler has returned. What it throws goes to the {@link FailureHandler} of the spindle, with the strand as the
     * key, and the next value follows. After 32 values, or about 200 µs, other tasks of the strand have their turn.
     * Several of these may share a channel, as other receivers may.
     * The handler runs in the context of the calling thread, if the spindle has a {@link dev.spindle.ContextHook}.
     *
     * @return completes when the channel was closed and everything received, or with a {@link ChannelClosedException}
     *     if it was closed with a cause. Cancelling it ends this: no further value is received, and one that was is
     *     handled. After a shutdown of the strand or its spindle the values that the channel holds, those of senders
     *     that wait, and what tasks of the spindle still send, are handled; then it completes with a {@link
     *     RejectedExecutionException}: when the strand, or all else on the spindle, has ended. At a {@code shutdownNow}
     *     it completes at once; a value on its way to the strand is then back in the channel, as the next
     * @throws RejectedExecutionException if the strand was shut down before
     */
    public CompletableFuture<@Nullable Void> forEach(Strand strand, Consumer<? super T> handler) {
        Objects.requireNonNull(strand, "strand");
        Objects.requireNonNull(handler, "handler");
        Headroom.require();
        return new Consumption<>(core, strand, handler).start();
    }

    // ---------------------------------------------------------------- waiting

    static void requireNoWorker(String method, String instead) {
        WorkerContext worker = WorkerContext.current();
        if (worker != null) {
            String pool = worker.scheduler().name();
            throw new IllegalStateException(
                    method + " would make a worker of " + pool + " wait; call " + instead + " instead");
        }
    }

    private static @Nullable Pending<?> requireCommitted(@Nullable Pending<?> clause) {
        if (clause != null) {
            clause.requireOpen();
        }
        return clause;
    }

    // ---------------------------------------------------------------- closing

    /**
     * Accepts nothing more. Senders that wait and values that were accepted are still received, and then receivers get
     * a {@link ChannelClosedException}; those that wait now get it at once. Without effect on a closed channel.
     */
    public void close() {
        Headroom.require();
        core.close(null);
    }

    /**
     * Closes the channel as {@link #close()} does. {@code cause} is the cause of each {@link ChannelClosedException};
     * if the channel was closed before, the cause stays as it is.
     */
    public void close(Throwable cause) {
        Objects.requireNonNull(cause, "cause");
        Headroom.require();
        core.close(cause);
    }

    /**
     * Closes the channel and takes away what it holds. Senders that wait, and receivers, get a
     * {@link ChannelClosedException}.
     *
     * @return the values that were accepted and not received, in order; those of senders that waited were not accepted
     */
    public List<T> cancel() {
        Headroom.require();
        return core.cancel();
    }

    // ---------------------------------------------------------------- seen from outside

    /** Returns whether nothing more can be sent. What was accepted may still be received. */
    public boolean isClosed() {
        return core.readClosed();
    }

    /** Returns how many values were accepted and not received. Exact at some moment during the call. */
    public int size() {
        return core.size();
    }

    /** Returns a string with a number, which is unique in this process, and the kind. */
    @Override
    public String toString() {
        return core.toString();
    }
}
