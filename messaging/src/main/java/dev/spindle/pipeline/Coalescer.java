// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.Spindle;
import dev.spindle.Strand;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.WaitSource;
import dev.spindle.internal.WorkerContext;
import dev.spindle.messaging.HandedContext;
import dev.spindle.messaging.Headroom;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A coalescer, which passes the latest value of each key to a handler. It serves slow consumers of fast updates, such
 * as a screen of prices or a store of positions. An update replaces the undelivered value of its key, or is merged with
 * it, so the number of pending values is bounded by the number of keys, not of updates.
 *
 * <pre>{@code
 * Coalescer<String, Quote> quotes = Coalescer.create(spindle, screen::show);
 * quotes.offer("ACME", quote);   // any number of threads
 * }</pre>
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread, and by the handler; methods that wait refuse to
 * wait on a worker.
 *
 * <p><b>Order and fairness.</b> The handler runs on a {@link Strand}, for one value at a time. Keys are delivered in
 * the order in which they became pending: an update of a pending key keeps the key's place, so a steady stream cannot
 * postpone it. Values of one key are delivered in the order of their offers. After about 50 µs, or a batch, the strand
 * lets other work of the spindle run.
 *
 * <p><b>Back-pressure.</b> At most {@link CoalescerBuilder#maxKeys} keys are pending, not counting the one whose value
 * is being handled. An update of a pending key always finds room. For another key, at the bound, {@link #offer} returns
 * false, {@link #send} waits and {@link #sendAsync} returns a stage. Waiting senders are served in order; while any
 * sender waits, {@code offer} accepts no new key.
 *
 * <p><b>Acceptance.</b> Every accepted update is delivered once, or superseded by a later update of its key, or
 * returned by {@link #halt}. An offer after {@link #drain}, {@link #halt} or {@link #close}, or after the strand or its
 * spindle was shut down, throws a {@link RejectedExecutionException}, and waiting senders are rejected at once. After a
 * {@code shutdown} of the spindle, updates from tasks that the spindle had accepted are still accepted and delivered.
 *
 * <p><b>Callbacks.</b> The handler runs on the strand. If it blocks, it delays this coalescer and the strand's other
 * tasks only; its exceptions are reported, and the next value follows. It may call {@code offer},
 * {@link #sendAsync} and {@code drain}. The merge function and the methods of keys run in the thread of the offer, or,
 * for an update that waited for room, in the thread that makes room; there they delay the senders behind it, and must
 * not wait for one of them. Dependents of a stage that was incomplete when it was returned run in a plain task of their
 * own on the spindle, and may block, throw, or call this coalescer; if the spindle was shut down or has no thread, they
 * run in the thread that completes the stage.
 *
 * <p><b>Memory consistency effects.</b> Actions in a thread before it offers a value happen-before the handler's run
 * for that value, or for the later value that superseded it. Each run of the handler happens-before the next.
 *
 * <p><b>Cost.</b> An offer for a pending key costs a look-up in a hash map and one atomic step, and no wake-up. A
 * coalescer with nothing pending holds no thread and no timer. It remembers about as many keys as may be pending,
 * without their values, and discards the least recently used ones. Its runs do not count against the bounds of the
 * spindle. The handler runs in the context of the thread that built the coalescer, if the spindle has a
 * {@link dev.spindle.ContextHook}; offers carry no context.
 *
 * @param <K> the type of the keys, which compare by {@code equals} and {@code hashCode}
 * @param <V> the type of the values
 */
public final class Coalescer<K, V> implements AutoCloseable {
    /*
     * Only the owner of the pending keys (PendingKeys-1) writes the counts and `undelivered`; any thread reads the
     * counts, and `ended` publishes `undelivered`. `halted` is set before the keys are closed, and a run reads it
     * before it moves on.
     *
     * A shutdown of the strand itself and a shutdownNow also close the keys. The thread that shuts down does so, or
     * the first one that notices the shutdown: in an offer, in a run that makes room or whose successor was rejected,
     * or where a run cannot be started. After that senders are rejected, and the current run delivers the pending
     * values; if that run was withdrawn, the values stay for halt(). After a shutdown of the spindle alone, only
     * senders outside its workers are rejected, and the keys stay open for its accepted tasks.
     *
     * `drained` and `returned` are internal: users get stages of their own, which HostExecutor completes.
     */
    private static final VarHandle DELIVERED;
    private static final VarHandle SUPERSEDED;

    static {
        try {
            var lookup = MethodHandles.lookup();
            DELIVERED = lookup.findVarHandle(Coalescer.class, "delivered", long.class);
            SUPERSEDED = lookup.findVarHandle(Coalescer.class, "superseded", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String name;
    private final Strand strand;
    private final BiConsumer<? super K, ? super V> handler;
    private final int maxKeys;
    private final int batch;
    private final PendingKeys<K, V> keys;
    private final WaitingSends<K, V> sends;
    private final List<Map.Entry<K, V>> undelivered = new ArrayList<>();
    private final List<Map.Entry<K, V>> all = Collections.unmodifiableList(undelivered);
    private final HostExecutor host;
    private final WaitSource waits; // a field, since the spindle refers to it weakly
    private final Lifetime.Part shutdown = this::shut; // a field, since the lifetime refers to it weakly
    private final CompletableFuture<@Nullable Void> drained = new CompletableFuture<>();
    private final CompletableFuture<List<Map.Entry<K, V>>> returned = new CompletableFuture<>();
    private volatile boolean ending; // true after a call of drain() or halt()
    private volatile boolean halted;
    private long delivered;
    private long superseded;

    Coalescer(CoalescerBuilder<K, V> options, Strand strand) {
        this.strand = strand;
        name = options.name;
        host = new HostExecutor(strand);
        handler = HandedContext.<K, V>with(host.pool(), options.handler);
        maxKeys = options.maxKeys;
        batch = options.batch;
        keys = new PendingKeys<>(maxKeys, maxKeys, options.merge, this::start, this::unstarted, this::ended);
        sends = new WaitingSends<>(keys, this::rejected, host);
        waits = list -> sends.listWaits(strand, list);
        host.register(waits);
        Runnable leave = host.listen(shutdown);
        CompletableFuture<?> unused = returned.whenComplete((nothing, failure) -> leave.run());
    }

    /** Returns a new coalescer with the default options, which calls {@code handler} on a strand of its own. */
    public static <K, V> Coalescer<K, V> create(Spindle spindle, BiConsumer<? super K, ? super V> handler) {
        return Coalescer.<K, V>builder(spindle, handler).build();
    }

    /** Returns a builder of a coalescer that calls {@code handler} on a strand of its own. */
    public static <K, V> CoalescerBuilder<K, V> builder(Spindle spindle, BiConsumer<? super K, ? super V> handler) {
        return new CoalescerBuilder<>(spindle::strand, "coalescer", handler);
    }

    /**
     * Returns a builder of a coalescer that calls {@code handler} on {@code strand}, between the strand's other tasks.
     */
    public static <K, V> CoalescerBuilder<K, V> builder(Strand strand, BiConsumer<? super K, ? super V> handler) {
        Objects.requireNonNull(strand, "strand");
        return new CoalescerBuilder<>(name -> strand, (String) strand.key(), handler);
    }

    // ---------------------------------------------------------------- offers

    /**
     * Makes {@code value} the latest of {@code key}. Never waits. If the merge function or a method of the key throws
     * an exception, it is thrown to the caller; the update is not accepted, and the older value stays.
     *
     * @return false if {@code key} is not pending and there is no room for another key
     * @throws NullPointerException if the key, the value or the result of the merge function is null
     * @throws RejectedExecutionException after a close or a shutdown
     */
    public boolean offer(K key, V value) {
        requireNonNulls(key, value);
        PendingKeys.Outcome outcome = tryOffer(key, value);
        if (outcome == PendingKeys.Outcome.CLOSED) { // no switch: its class might be initialized when no stack is left
            throw rejected();
        }
        return outcome == PendingKeys.Outcome.ACCEPTED;
    }

    private PendingKeys.Outcome tryOffer(K key, V value) {
        Headroom.require(); // an offer that ended half-way could leave a key pending without a run
        if (strand.isShutdown()) {
            noteShutdown();
            if (!host.isWorking()) { // D1
                return PendingKeys.Outcome.CLOSED;
            }
        }
        return keys.offer(key, value, false);
    }

    private static void requireNonNulls(Object key, Object value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
    }

    /**
     * Makes {@code value} the latest of {@code key}, waiting for room if necessary. For threads that are not workers.
     *
     * @throws InterruptedException if interrupted while waiting; the update was not accepted
     * @throws IllegalStateException on a worker of a spindle, which must not wait: use {@link #sendAsync}
     * @throws NullPointerException see {@link #offer}
     * @throws RejectedExecutionException see {@link #offer}; a close ends the wait
     */
    public void send(K key, V value) throws InterruptedException {
        refuseWorkers("send", "sendAsync");
        if (!offer(key, value)) {
            sends.await(sends.add(key, value));
        }
    }

    /**
     * Makes {@code value} the latest of {@code key} as soon as there is room.
     *
     * @return a stage that completes when the update is accepted, or with the exception that {@link #offer} would throw
     * @throws NullPointerException if the key or the value is null
     */
    public CompletionStage<@Nullable Void> sendAsync(K key, V value) {
        requireNonNulls(key, value);
        try {
            PendingKeys.Outcome outcome = tryOffer(key, value);
            if (outcome == PendingKeys.Outcome.FULL) {
                return sends.addAsync(key, value).minimalCompletionStage();
            }
            return outcome == PendingKeys.Outcome.ACCEPTED
                    ? CompletableFuture.completedStage(null)
                    : CompletableFuture.failedStage(rejected());
        } catch (Throwable t) {
            return CompletableFuture.failedStage(t);
        }
    }

    private RejectedExecutionException rejected() {
        String why = halted ? "it was halted" : ending ? "it was closed" : strand + " is shut down";
        return new RejectedExecutionException(this + " rejected an update: " + why);
    }

    /** Rejects waiting senders after a shutdown. Pending values are delivered, or stay for halt(). */
    private void shut() {
        noteShutdown();
        sends.admit();
    }

    /** Closes the keys if the strand itself was shut down, or a shutdownNow was called. */
    private void noteShutdown() {
        if (host.endsAtOnce()) {
            keys.close();
        }
    }

    private static void refuseWorkers(String method, String instead) {
        WorkerContext worker = WorkerContext.current();
        if (worker != null) {
            String pool = worker.scheduler().name();
            throw new IllegalStateException(
                    method + " would make a worker of " + pool + " wait; call " + instead + " instead");
        }
    }

    // ---------------------------------------------------------------- runs, see Delivery

    private void start() {
        try {
            strand.execute(new Delivery<>(this, keys));
        } catch (RejectedExecutionException e) {
            if (strand.isShutdown()) { // no further run will be accepted
                keys.close();
            }
            throw e;
        }
    }

    /** Submits the next run; returns false if the strand rejects it. */
    boolean submit() {
        try {
            start();
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    void handle(Delivery<K, V> run, KeySlot<K, V> slot, KeyUpdate<V> update) {
        SUPERSEDED.setOpaque(this, superseded + update.replaced());
        DELIVERED.setRelease(this, delivered + 1);
        boolean unused = Thread.interrupted(); // the handler must not see an interrupt of other code
        try {
            handler.accept(slot.key(), update.value());
        } catch (Throwable t) {
            FailureReporter.report(slot.key(), run, t);
        }
        unused = Thread.interrupted(); // nor must the user code of senders that are admitted next
        try {
            keys.remember(slot);
        } catch (Throwable t) { // thrown by a key
            FailureReporter.report(slot.key(), run, t);
        }
    }

    int batch() {
        return batch;
    }

    boolean isHalted() {
        return halted;
    }

    /** Admits waiting senders; {@code own} as in {@link WaitingSends}. */
    void admit(boolean own) {
        if (keys.isAwaited()) {
            noteShutdown();
            sends.admit(own);
        }
    }

    /** Moves the pending values to {@code undelivered}. For the owner. */
    void takeAway() {
        do {
            for (KeySlot<K, V> slot = keys.next(); slot != null; slot = keys.next()) {
                KeyUpdate<V> update = slot.take();
                if (update != null) {
                    SUPERSEDED.setOpaque(this, superseded + update.replaced());
                    undelivered.add(Map.entry(slot.key(), update.value()));
                }
            }
        } while (!keys.finish());
    }

    private void unstarted() {
        admit(false);
        if (ending) {
            endUnlessRunning();
        }
    }

    /** Continues after a run was withdrawn. */
    void resume() {
        if (ending) {
            endUnlessRunning();
        } else {
            keys.resume(); // if no run can be started, the keys stay abandoned until an offer or halt()
        }
    }

    // ---------------------------------------------------------------- closing

    /**
     * Closes this coalescer and delivers the accepted updates. Waiting senders are rejected.
     *
     * @return a stage that completes when every accepted update was delivered or superseded; with a
     *     {@link CancellationException} if {@link #halt} removed some, and a {@link RejectedExecutionException} if the
     *     strand was shut down before
     */
    public CompletionStage<@Nullable Void> drain() {
        end();
        return host.stageOf(drained).minimalCompletionStage();
    }

    private void end() {
        Headroom.require();
        ending = true;
        keys.close();
        sends.admit();
        endUnlessRunning();
    }

    /**
     * Closes this coalescer and delivers no value after the value that is being handled. Waiting senders are rejected.
     *
     * @return a stage that completes with the accepted updates that were neither delivered nor superseded, in order;
     *     the same for every call
     */
    public CompletionStage<List<Map.Entry<K, V>>> halt() {
        halted = true;
        end();
        return host.stageOf(returned).minimalCompletionStage();
    }

    /** Ends the closed keys, unless a run will do so. */
    private void endUnlessRunning() {
        if (!keys.claim()) {
            return;
        }
        if (halted) {
            takeAway();
        } else if (!keys.finish()) {
            try {
                keys.start();
            } catch (Throwable t) { // rejected, for example
                drained.completeExceptionally(t);
            }
        }
    }

    private void ended() {
        try {
            if (undelivered.isEmpty()) {
                drained.complete(null);
            } else {
                drained.completeExceptionally(new CancellationException(
                        this + " was halted with " + undelivered.size() + " undelivered keys"));
            }
        } finally {
            returned.complete(all);
        }
    }

    /**
     * Closes this coalescer and waits until every accepted update was delivered or superseded. An interrupt during the
     * wait calls {@link #halt}; this method then still waits for the handler, and the interrupt stays set. Neither the
     * spindle nor the strand is shut down.
     *
     * @throws IllegalStateException on a worker of a spindle, which must not wait: use {@link #drain}
     * @throws CancellationException if {@link #halt} removed updates
     * @throws RejectedExecutionException if the strand was shut down before all updates were delivered
     */
    @Override
    public void close() {
        refuseWorkers("close", "drain");
        end();
        boolean interrupted = false;
        try {
            for (; ; ) {
                try {
                    host.await(drained);
                    drained.get();
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                    halted = true;
                    end();
                } catch (ExecutionException e) {
                    throw new RejectedExecutionException(this + " was closed with undelivered keys", e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    // ---------------------------------------------------------------- state

    /** Returns the name, which messages and failure reports contain. */
    public String name() {
        return name;
    }

    /** Returns the number of values for which the handler was called. Racy. */
    public long delivered() {
        return (long) DELIVERED.getAcquire(this);
    }

    /** Returns the number of accepted updates that were superseded, counted when the later update leaves. Racy. */
    public long superseded() {
        return (long) SUPERSEDED.getOpaque(this);
    }

    /** Returns an estimate of the number of pending keys. */
    public long estimatedPending() {
        return keys.estimatedPending();
    }

    /** Returns an estimate of the number of remembered keys, including pending ones. */
    int estimatedRemembered() {
        return keys.estimatedRemembered();
    }

    /** Returns an estimate of the number of waiting senders. */
    int estimatedWaiting() {
        return keys.estimatedWaiting();
    }

    /** Returns a string with the name, the number of pending keys and the state. */
    @Override
    public String toString() {
        return "coalescer " + name + "[" + estimatedPending() + " of at most " + maxKeys + " keys pending"
                + (halted ? ", halted]" : keys.isClosed() ? ", closed]" : "]");
    }
}
