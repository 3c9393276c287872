// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import dev.spindle.Activity;
import dev.spindle.Lane;
import dev.spindle.Stats;
import dev.spindle.Unfinished;
import dev.spindle.internal.Durations;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.report.UnfinishedView;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A channel that passes values from senders to receivers. Each value goes to one receiver.
 *
 * <pre>{@code
 * Channel<Page> pages = Channel.buffered("pages", 16);
 * pages.send(page);               // a thread, platform or virtual
 * pages.sendAsync(page);          // a task on a spindle
 * Page next = pages.receive();
 * pages.forEach(strand, index::add);
 * }</pre>
 *
 * <p><b>Kinds.</b> In a {@link #rendezvous} channel a sender waits for a receiver and hands its value to the receiver.
 * A {@link #buffered} channel holds a bounded number of values for receivers. In a {@link #conflating} channel a value
 * replaces the unreceived value with the same key.
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread. The methods that throw
 * {@link InterruptedException}, such as {@link #send} and {@link #receive}, may wait; on a worker of a spindle they
 * throw an {@link IllegalStateException}. The other methods never wait. {@link #sendAsync}, {@link #receiveAsync} and
 * {@link #forEach(Lane, Consumer)} return a future. A {@link Select} performs the first of several sends and receives
 * that is possible.
 *
 * <p><b>Order and fairness.</b> A channel accepts a value when a receiver or the buffer takes the value. Values are
 * received in the order in which they were accepted. Waiting senders are served in the order of their calls, and so are
 * waiting receivers. No later call overtakes a waiting call, except that a conflating channel may replace an unreceived
 * value at once.
 *
 * <p><b>Interruption.</b> A send or receive that throws an {@link InterruptedException} or times out has sent or
 * received nothing. Cancelling or completing a future withdraws its send or receive. If the value was sent or received
 * before, {@code cancel} returns false. An interrupt that arrives after the value was sent or received stays set.
 *
 * <p><b>Closing.</b> After {@link #close}, sends throw a {@link ChannelClosedException}. Receivers still get the
 * accepted values and those of waiting senders, and after the last value this exception. After {@link #halt} receivers
 * get the exception at once.
 *
 * <p><b>Callbacks.</b> Dependents of a future run in the thread that completes the future, after that thread has
 * finished its own operation and without a lock. A thread that sends completes the future of a receiver. A thread that
 * receives or makes room completes the future of a sender. A thread that closes or halts the channel completes the
 * futures that can no longer be served. A dependent that blocks delays the call of its thread. The key function and the
 * {@code equals} and {@code hashCode} methods of keys run in threads that call the channel.
 *
 * <p><b>Memory consistency effects.</b> Actions in a thread before it sends a value happen-before actions after the
 * value was received. Actions before a receive happen-before actions after the send for which the receive made room. In
 * a rendezvous channel, actions before the receive happen-before actions after the send.
 *
 * <p><b>Cost.</b> Sending or receiving a value takes constant time. {@code close} and {@code halt} take time in
 * proportion to the waits and values that they end. A channel has no thread and no timer. An unreachable channel need
 * not be closed.
 *
 * @param <T> the type of the values, which are never null
 */
public final class Channel<T> {
    private final ChannelCore<T> core;

    Channel(String name, Buffer<T> buffer) {
        core = new ChannelCore<>(Objects.requireNonNull(name, "name"), buffer);
    }

    /**
     * Returns a channel that holds no values: a sender and a receiver wait for each other.
     *
     * @param name the name, which is used in messages
     */
    public static <T> Channel<T> rendezvous(String name) {
        return new Channel<>(name, new Buffer.InOrder<>(0));
    }

    /**
     * Returns a channel that holds up to {@code capacity} values.
     *
     * @param name the name, which is used in messages
     * @throws IllegalArgumentException if {@code capacity} is not positive
     */
    public static <T> Channel<T> buffered(String name, int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity must be positive, is " + capacity
                    + "; a channel without a buffer is Channel.rendezvous()");
        }
        return new Channel<>(name, new Buffer.InOrder<>(capacity));
    }

    /**
     * Returns a channel that holds the latest value of each key. A value replaces the unreceived value with the same
     * key and keeps its position. A value that replaces another needs no room. A value waits for room while an older
     * value with the same key waits for room. The channel remembers about {@code maxKeys} keys whose values were
     * received, and discards the least recently used of these keys.
     *
     * @param name the name, which is used in messages
     * @param maxKeys the maximum number of keys for which the channel holds a value
     * @param keyOf the function from a value to its key; keys are compared by {@code equals} and {@code hashCode}. The
     *     function runs in the sending thread. If it throws, the sender gets the exception and the value is not sent
     * @throws IllegalArgumentException if {@code maxKeys} is not positive
     */
    public static <T> Channel<T> conflating(String name, int maxKeys, Function<? super T, ?> keyOf) {
        return conflate(name, maxKeys, keyOf, null);
    }

    /**
     * Returns a channel as {@link #conflating(String, int, Function)} does, except that the channel merges an
     * unreceived value with a newer value of its key instead of replacing it.
     *
     * @param merge the function from the older and the newer value to the merged value. The function runs in the
     *     sending thread. If it throws, the sender gets the exception, the newer value is not sent, and the older value
     *     stays. The function may run more than once for one value, so it must not change its arguments. For a value
     *     that waited for room the function runs in the receiving thread. If it throws there, the exception is reported
     *     to the failure handler, and the newer value is received
     */
    public static <T> Channel<T> conflating(
            String name, int maxKeys, Function<? super T, ?> keyOf, BinaryOperator<T> merge) {
        return conflate(name, maxKeys, keyOf, Objects.requireNonNull(merge, "merge"));
    }

    private static <T> Channel<T> conflate(
            String name, int maxKeys, Function<? super T, ?> keyOf, @Nullable BinaryOperator<T> merge) {
        Objects.requireNonNull(keyOf, "keyOf");
        if (maxKeys < 1) {
            throw new IllegalArgumentException("maxKeys must be positive, is " + maxKeys
                    + "; for one value whatever its key, use 1 and a function that returns a constant");
        }
        return new Channel<>(name, new ConflatingBuffer<>(maxKeys, keyOf, merge));
    }

    ChannelCore<T> core() {
        return core;
    }

    // ---------------------------------------------------------------- sending

    /**
     * Sends {@code value} if a receiver waits or there is room. Never waits.
     *
     * @return false if no receiver waits and there is no room
     * @throws NullPointerException if the value, or its key, is null
     * @throws ChannelClosedException if the channel was closed
     */
    public boolean offer(T value) {
        requireValue(value);
        return core.send(value, core.keyOf(value), null);
    }

    /**
     * Sends {@code value}, waiting for a receiver or for room if necessary. When this method returns, a receiver or the
     * buffer has the value.
     *
     * @throws InterruptedException if interrupted while waiting; the value was not sent
     * @throws IllegalStateException if called by a worker of a spindle; use {@link #sendAsync} there
     * @throws NullPointerException if the value, or its key, is null
     * @throws ChannelClosedException if the channel was closed before this call, or halted during the wait
     */
    public void send(T value) throws InterruptedException {
        ThreadWait wait = beginSend(value, "send");
        if (wait != null) {
            requireCommitted(wait.await(ThreadWait.FOREVER));
        }
    }

    /**
     * Sends {@code value} as {@link #send(Object)} does, waiting for at most {@code timeout}.
     *
     * @param timeout the maximum time to wait; a negative time is treated as zero
     * @return false if the time has passed and the value was not sent
     * @throws InterruptedException if interrupted while waiting; the value was not sent
     * @throws IllegalStateException if called by a worker of a spindle; use {@link #sendAsync} there
     * @throws NullPointerException if an argument, or the key of the value, is null
     * @throws ChannelClosedException if the channel was closed before this call, or halted during the wait
     */
    public boolean offer(T value, Duration timeout) throws InterruptedException {
        long nanos = Durations.toNanos(Objects.requireNonNull(timeout, "timeout"));
        ThreadWait wait = beginSend(value, "offer");
        return wait == null || requireCommitted(wait.await(nanos)) != null;
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
     * Sends {@code value} as soon as a receiver or the buffer can take the value.
     *
     * @return a future that completes when a receiver or the buffer has the value, or exceptionally with a
     *     {@link ChannelClosedException}. If the value was not sent yet, cancelling the future withdraws the value
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
        Headroom.requireTwice(); // an overflow after a decision could leave the thread of the decided wait parked
    }

    // ---------------------------------------------------------------- receiving

    /**
     * Receives the next value if there is one or a sender waits. Never waits.
     *
     * @return the value, or null if there is none
     * @throws ChannelClosedException if the channel is closed and every value was received
     */
    public @Nullable T poll() {
        Headroom.requireTwice();
        return core.receive(null);
    }

    /**
     * Receives the next value, waiting for one if necessary.
     *
     * @throws InterruptedException if interrupted while waiting; no value was received
     * @throws IllegalStateException if called by a worker of a spindle; use {@link #receiveAsync} there
     * @throws ChannelClosedException if the channel is closed and every value was received, or if this thread still
     *     waits when the channel is closed
     */
    public T receive() throws InterruptedException {
        return Objects.requireNonNull(receiveWithin("receive", ThreadWait.FOREVER));
    }

    /**
     * Receives the next value as {@link #receive()} does, waiting for at most {@code timeout}.
     *
     * @param timeout the maximum time to wait; a negative time is treated as zero
     * @return the value, or null if the time has passed
     * @throws InterruptedException if interrupted while waiting; no value was received
     * @throws IllegalStateException if called by a worker of a spindle; use {@link #receiveAsync} there
     * @throws ChannelClosedException if the channel is closed and every value was received, or if this thread still
     *     waits when the channel is closed
     */
    public @Nullable T poll(Duration timeout) throws InterruptedException {
        return receiveWithin("poll", Durations.toNanos(Objects.requireNonNull(timeout, "timeout")));
    }

    private @Nullable T receiveWithin(String method, long nanos) throws InterruptedException {
        requireNoWorker(method, "receiveAsync");
        T value = poll();
        if (value != null) {
            return value;
        }
        ThreadWait wait = new ThreadWait();
        Pending<T> place = Pending.receive(core, wait);
        value = core.receive(place);
        if (value == null && requireCommitted(wait.await(nanos)) != null) {
            value = place.received();
        }
        return value;
    }

    /**
     * Receives up to {@code max} values that can be received at once, and adds these values to {@code to}. Never waits.
     *
     * @return the number of received values
     * @throws ChannelClosedException if the channel is closed and every value was received
     * @throws IllegalArgumentException if {@code max} is negative
     */
    public int drainTo(Collection<? super T> to, int max) {
        Objects.requireNonNull(to, "to");
        if (max < 0) {
            throw new IllegalArgumentException("max must not be negative, is " + max);
        }
        Headroom.requireTwice();
        int received = core.drainTo(to, max);
        if (received < 0) {
            throw core.closedException();
        }
        return received;
    }

    /**
     * Receives the next value as soon as there is one.
     *
     * @return a future that completes with the value, or exceptionally with a {@link ChannelClosedException}.
     *     Cancelling the future withdraws this receive; if a value was received before, {@code cancel} returns false
     */
    public CompletableFuture<T> receiveAsync() {
        try {
            T value = poll();
            if (value != null) {
                WorkerContext.countOwnSteps(1); // the value is one more step of the calling task
                return CompletableFuture.completedFuture(value);
            }
            return receiveLater();
        } catch (ChannelClosedException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @SuppressWarnings("unchecked") // the only clause of the wait is for this channel
    private CompletableFuture<T> receiveLater() {
        StageWait<T> wait =
                new StageWait<>("receiveAsync", got -> Objects.requireNonNull(((Pending<T>) got).received()));
        T value = core.receive(Pending.receive(core, wait));
        return value == null ? wait.future() : CompletableFuture.completedFuture(value);
    }

    /**
     * Passes each value to {@code handler}, in the calling thread, until the channel is closed and every value was
     * handled. An exception of the handler is thrown to the caller.
     *
     * @throws InterruptedException if interrupted while waiting for a value
     * @throws IllegalStateException if called by a worker of a spindle; use {@link #forEach(Lane, Consumer)} there
     * @throws ChannelClosedException if the channel was closed with a cause
     */
    public void forEach(Consumer<? super T> handler) throws InterruptedException {
        Objects.requireNonNull(handler, "handler");
        requireNoWorker("forEach", "forEach with a lane");
        for (; ; ) {
            T value;
            try {
                value = receive();
            } catch (ChannelClosedException e) {
                if (e.getCause() != null) {
                    throw e;
                }
                return;
            }
            handler.accept(value);
        }
    }

    /**
     * Passes each value to {@code handler}, on {@code lane}, one at a time; the next value is received when the handler
     * has returned. An exception of the handler goes to the failure handler of the spindle, and the handler then
     * gets the next value. After 32 values, or about 100 µs, the lane runs its other tasks. Several consumers, and
     * other receivers, may share a channel. The handler runs in the context of the calling thread if the spindle has a
     * {@linkplain dev.spindle.SpindleBuilder#taskDecorator task decorator}.
     *
     * <p>After a shutdown of the strand or the spindle of {@code lane}, the handler still gets the values that the
     * channel holds, those of waiting senders, and those that tasks of the spindle send. The future then completes with
     * a {@link RejectedExecutionException}. After a shutdown of the strand, the future completes when these values were
     * handled, and after a shutdown of the spindle when all other work of the spindle has ended. After a
     * {@code shutdownNow} the future completes at once; a value that was received, but not handled, returns to the head
     * of the channel.
     *
     * @return a future that completes when the channel is closed and every value was handled, or exceptionally with a
     *     {@link ChannelClosedException} if the channel was closed with a cause. Cancelling the future ends the
     *     consumer: the consumer receives no further value, but still handles a value that it has received
     * @throws RejectedExecutionException if the lane was shut down
     */
    public CompletableFuture<@Nullable Void> forEach(Lane lane, Consumer<? super T> handler) {
        Objects.requireNonNull(lane, "lane");
        Objects.requireNonNull(handler, "handler");
        Headroom.requireTwice();
        return ChannelConsumer.each(core, lane, handler).start();
    }

    /**
     * Does what {@link #forEach(Lane, Consumer)} does, but passes lists of values to {@code handler}. A list has the
     * values that can be received at once, at most {@code maxBatch}. The handler may keep and change the list.
     *
     * @throws IllegalArgumentException if {@code maxBatch} is below 1
     */
    public CompletableFuture<@Nullable Void> forEach(Lane lane, int maxBatch, Consumer<? super List<T>> handler) {
        Objects.requireNonNull(lane, "lane");
        Objects.requireNonNull(handler, "handler");
        if (maxBatch < 1) {
            throw new IllegalArgumentException("maxBatch must be at least 1, is " + maxBatch);
        }
        Headroom.requireTwice();
        return ChannelConsumer.batches(core, lane, maxBatch, handler).start();
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
     * Closes the channel for senders. Receivers still get the accepted values and those of waiting senders, and after
     * the last value a {@link ChannelClosedException}. Waiting receivers get the exception at once. Has no effect on a
     * closed channel.
     */
    public void close() {
        Headroom.requireTwice();
        core.close(null);
    }

    /**
     * Closes the channel as {@link #close()} does. {@code cause} becomes the cause of each
     * {@link ChannelClosedException}, unless the channel was closed before.
     */
    public void close(Throwable cause) {
        Objects.requireNonNull(cause, "cause");
        Headroom.requireTwice();
        core.close(cause);
    }

    /**
     * Closes the channel and removes its values. Waiting senders and receivers get a {@link ChannelClosedException}.
     *
     * @return a completed future with the values that were accepted and not received, in order, without those of
     *     waiting senders, and with the lanes on which {@link #forEach(Lane, Consumer)} handles a value now
     */
    public CompletableFuture<Unfinished<T>> halt() {
        Headroom.requireTwice();
        List<T> left = core.halt();
        List<Activity> running = core.consumers().stream()
                .flatMap(consumer -> consumer.running().stream())
                .toList();
        String owner = "channel " + core.name;
        return CompletableFuture.completedFuture(new UnfinishedView<>(left, i -> owner, running));
    }

    // ---------------------------------------------------------------- state

    /** Returns whether the channel is closed and has no value and no waiting sender. */
    public boolean isDone() {
        return core.isDone();
    }

    /**
     * Returns the counts of the channel, as they were at some time during the call.
     *
     * <ul>
     *   <li>{@link Stats#pending} is the number of values in the buffer, at most {@link Stats#capacity}. Values of
     *       waiting senders are not included.
     *   <li>{@link Stats#completed} is the number of values that receivers have got.
     *   <li>{@link Stats#dropped} is the number of values that {@link #halt} has removed.
     *   <li>{@link Stats#accepted} is the sum of these counts. A value that has replaced another in a conflating
     *       channel is not counted.
     * </ul>
     *
     * <p>Other counts are not kept.
     */
    public Stats stats() {
        return core.stats();
    }

    /** Returns a string with the channel's name and its kind. */
    @Override
    public String toString() {
        return core.toString();
    }
}
