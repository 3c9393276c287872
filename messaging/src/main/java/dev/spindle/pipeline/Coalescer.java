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
 * Hands the latest value of each key to a handler: what a slow consumer of fast updates needs, such as a screen of
 * prices or a store of positions. An update of a key whose value has not been delivered yet takes that value's place,
 * or is merged with it; so what waits is bounded by the number of keys, not of updates.
 *
 * <pre>{@code
 * Coalescer<String, Quote> quotes = Coalescer.create(spindle, screen::show);
 * quotes.offer("ACME", quote);   // any number of threads
 * }</pre>
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread, the handler included, save that those which wait
 * refuse to on a worker.
 *
 * <p><b>Order and fairness.</b> The handler runs on a {@link Strand}, for one value at a time. Keys are delivered in
 * the order in which they became pending: an update of a pending key keeps the place of the first, so a steady stream
 * cannot postpone it. Values of one key never go back in the order of their offers. After a slice of about 50 µs, or
 * the batch, the strand lets other work of the spindle go first.
 *
 * <p><b>Back-pressure.</b> At most {@link CoalescerBuilder#maxKeys} keys are pending; the one whose value is being
 * handed over is not counted. An update of a pending key always finds room. For another key, {@link #offer} returns
 * false at the bound, {@link #send} waits and {@link #sendAsync} returns a stage; those who wait are served in order,
 * and while somebody waits, {@code offer} gets no new place.
 *
 * <p><b>Acceptance.</b> Every accepted update is delivered once, or superseded by a later one of its key, or returned
 * by {@link #halt}. An offer after {@link #drain}, {@link #halt} or {@link #close}, or after the strand or its spindle
 * was shut down, throws a {@link RejectedExecutionException}, and senders that wait are refused with one at once. After
 * {@code shutdown} of the spindle, what accepted work of the spindle still sends is accepted and delivered.
 *
 * <p><b>Callbacks.</b> The handler runs on the strand: one that blocks holds up this coalescer and the strand's other
 * tasks, and nobody else; what it throws is reported, and the next value goes on. It may offer, send with {@link
 * #sendAsync} and drain. Key code and the merge function run in the thread of the offer, or, for an update that had to
 * wait for room, in whichever thread makes room: one that blocks there holds up the senders behind it, and it must not
 * wait for one. What depends on a stage that was not complete when it was returned runs in a plain task of its own on
 * the spindle, and may block there, throw, or call back in; when the spindle was shut down or has no thread for it, in
 * the thread that completes it.
 *
 * <p><b>Memory consistency effects.</b> Actions in a thread before it offers a value happen-before the handler's run
 * for that value, or for a later one of the same key. Each run of the handler happens-before the next.
 *
 * <p><b>Cost.</b> An offer for a pending key takes a look-up in a hash map and one atomic step, and wakes nobody. A
 * coalescer with nothing pending holds no thread and no timer. It remembers about as many keys as may be pending,
 * without their values; it forgets the ones that have not been used for longest as new ones come. Its runs take no
 * place in a bound of the spindle. The handler runs in the context of the thread that built the coalescer, if the
 * spindle has a {@link dev.spindle.ContextHook}; offers carry none.
 *
 * @param <K> the type of the keys, which compare by {@code equals} and {@code hashCode}
 * @param <V> the type of the values
 */
public final class Coalescer<K, V> implements AutoCloseable {
    /*
     * The counts are written by the owner of the pending keys alone (PendingKeys-1) and read by anybody. So is
     * `undelivered` until `ended` hands it on. `halted` is set before the keys are closed, and read by a run before it
     * moves on.
     *
     * A shutdown of the strand itself, and a shutdownNow, close the keys, too, in the thread that shuts down, and by
     * any thread that comes across it: an offer, a run that makes room or cannot have another one submitted, a thread
     * that cannot start one. From then on senders are refused, and what is pending is delivered by the run there is; if
     * that was withdrawn, it stays for halt(). After a shutdown of the spindle, senders that are not its workers are
     * refused, and the keys stay open: its workers pass on what was accepted.
     *
     * `drained` and `returned` are internal: users get stages of their own, which Callbacks completes.
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
    private final Callbacks callbacks;
    private final WaitSource waits; // the spindle refers to it weakly
    private final Lifetime.Part shutdown = this::shut; // as to this
    private final CompletableFuture<@Nullable Void> drained = new CompletableFuture<>();
    private final CompletableFuture<List<Map.Entry<K, V>>> returned = new CompletableFuture<>();
    private volatile boolean ending; // drain() or halt() was called
    private volatile boolean halted;
    private long delivered;
    private long superseded;

    Coalescer(CoalescerBuilder<K, V> options, Strand strand) {
        this.strand = strand;
        name = options.name;
        callbacks = new Callbacks(strand);
        handler = HandedContext.<K, V>with(callbacks.pool(), options.handler);
        maxKeys = options.maxKeys;
        batch = options.batch;
        keys = new PendingKeys<>(maxKeys, maxKeys, options.merge, this::start, this::unstarted, this::ended);
        sends = new WaitingSends<>(keys, this::rejected, callbacks);
        waits = list -> sends.listWaits(strand, list);
        callbacks.register(waits);
        Runnable leave = callbacks.listen(shutdown);
        CompletableFuture<?> unused = returned.whenComplete((nothing, failure) -> leave.run());
    }

    /** Returns a new coalescer with the defaults, which hands values to {@code handler} on a strand of its own. */
    public static <K, V> Coalescer<K, V> create(Spindle spindle, BiConsumer<? super K, ? super V> handler) {
        return Coalescer.<K, V>builder(spindle, handler).build();
    }

    /** Returns a builder for a coalescer that hands values to {@code handler} on a strand of its own. */
    public static <K, V> CoalescerBuilder<K, V> builder(Spindle spindle, BiConsumer<? super K, ? super V> handler) {
        return new CoalescerBuilder<>(spindle::strand, "coalescer", handler);
    }

    /**
     * Returns a builder for a coalescer that hands values to {@code handler} on {@code strand}, between its other
     * tasks.
     */
    public static <K, V> CoalescerBuilder<K, V> builder(Strand strand, BiConsumer<? super K, ? super V> handler) {
        Objects.requireNonNull(strand, "strand");
        return new CoalescerBuilder<>(name -> strand, (String) strand.key(), handler);
    }

    // ---------------------------------------------------------------- offers

    /**
     * Makes {@code value} the latest of {@code key}. Never waits.
     *
     * @return false when {@code key} is not pending and there is no room for another
     * @throws NullPointerException if the key, the value or what the merge function returns is null
     * @throws RejectedExecutionException after a close or a shutdown. What key code and the merge function throw comes
     *     here, too; the update is then not accepted, and the older value stays
     */
    public boolean offer(K key, V value) {
        requireNonNulls(key, value);
        PendingKeys.Outcome outcome = tryOffer(key, value);
        if (outcome
                == PendingKeys.Outcome.CLOSED) { // no switch: its class might be initialized first with no stack left
            throw rejected();
        }
        return outcome == PendingKeys.Outcome.ACCEPTED;
    }

    private PendingKeys.Outcome tryOffer(K key, V value) {
        Headroom.require(); // an offer that ended half-way would leave a key pending that no run comes to
        if (strand.isShutdown()) {
            noteShutdown();
            if (!callbacks.isWorking()) {
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
     * Makes {@code value} the latest of {@code key}, waiting for room if need be. For threads that are no workers.
     *
     * @throws InterruptedException if interrupted while waiting; the update was then not accepted
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
     * @return completes when the update is accepted, or with what {@link #offer} throws
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

    /** Refuses senders that wait, in the thread that shuts down; what is pending is delivered, or stays for halt(). */
    private void shut() {
        noteShutdown();
        sends.admit();
    }

    /** Accepts nothing more once the strand itself was shut down, or any of the two at once. */
    private void noteShutdown() {
        if (callbacks.endsAtOnce()) {
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

    // ---------------------------------------------------------------- the run, see Delivery

    private void start() {
        try {
            strand.execute(new Delivery<>(this, keys));
        } catch (RejectedExecutionException e) {
            if (strand.isShutdown()) { // and takes no further run
                keys.close();
            }
            throw e;
        }
    }

    /** Submits the next run; false when the strand takes no more. */
    boolean submit() {
        try {
            start();
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            return false;
        }
    }

    void handle(Delivery<K, V> run, KeySlot<K, V> slot, KeyUpdate<V> update) {
        SUPERSEDED.setOpaque(this, superseded + update.replaced());
        DELIVERED.setRelease(this, delivered + 1);
        boolean unused = Thread.interrupted(); // each delivery begins without the interrupts of others
        try {
            handler.accept(slot.key(), update.value());
        } catch (Throwable t) {
            Failures.report(slot.key(), run, t);
        }
        unused = Thread.interrupted(); // key code and merges of senders that waited follow
        try {
            keys.remember(slot);
        } catch (Throwable t) { // key code
            Failures.report(slot.key(), run, t);
        }
    }

    int batch() {
        return batch;
    }

    boolean isHalted() {
        return halted;
    }

    /** Lets in senders that wait; {@code own} as in {@link WaitingSends}. */
    void admit(boolean own) {
        if (keys.isAwaited()) {
            noteShutdown();
            sends.admit(own);
        }
    }

    /** Takes away what is pending; for the owner. */
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

    /** Goes on after a run was withdrawn. */
    void resume() {
        if (ending) {
            endUnlessRunning();
        } else {
            keys.resume(); // if that cannot be, it stays abandoned until an offer or halt()
        }
    }

    // ---------------------------------------------------------------- closing

    /**
     * Accepts nothing more, and delivers what was accepted. Senders that wait are rejected.
     *
     * @return completes when everything has been delivered; with a {@link CancellationException} if {@link #halt} took
     *     something away, and a {@link RejectedExecutionException} if the strand was shut down before
     */
    public CompletionStage<@Nullable Void> drain() {
        end();
        return callbacks.stageOf(drained).minimalCompletionStage();
    }

    private void end() {
        Headroom.require();
        ending = true;
        keys.close();
        sends.admit();
        endUnlessRunning();
    }

    /**
     * Accepts nothing more, and delivers nothing more after the value that is being delivered. Senders that wait are
     * rejected.
     *
     * @return completes with what was accepted and neither delivered nor superseded, in order; the same for every call
     */
    public CompletionStage<List<Map.Entry<K, V>>> halt() {
        halted = true;
        end();
        return callbacks.stageOf(returned).minimalCompletionStage();
    }

    /** Ends closed keys, unless a run does. */
    private void endUnlessRunning() {
        if (!keys.claim()) {
            return;
        }
        if (halted) {
            takeAway();
        } else if (!keys.finish()) {
            try {
                keys.start();
            } catch (Throwable t) { // shut down, or no thread or no memory for a run
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
     * Accepts nothing more, and waits until everything accepted has been delivered. An interrupt turns it into {@link
     * #halt}, after which it still waits for the handler, and stays set. Neither the spindle nor the strand ends.
     *
     * @throws IllegalStateException on a worker of a spindle, which must not wait: use {@link #drain}
     * @throws CancellationException if something was taken away by {@link #halt}
     * @throws RejectedExecutionException if the strand was shut down before everything was delivered
     */
    @Override
    public void close() {
        refuseWorkers("close", "drain");
        end();
        boolean interrupted = false;
        try {
            for (; ; ) {
                try {
                    callbacks.await(drained);
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

    // ---------------------------------------------------------------- seen from outside

    /** Returns the name, which is for messages and the failure handler. */
    public String name() {
        return name;
    }

    /** Returns how many values the handler was called for. Racy. */
    public long delivered() {
        return (long) DELIVERED.getAcquire(this);
    }

    /** Returns how many accepted updates gave way to later ones, counted when the later one leaves. Racy. */
    public long superseded() {
        return (long) SUPERSEDED.getOpaque(this);
    }

    /** Returns about how many keys are pending. Racy. */
    public long estimatedPending() {
        return keys.estimatedPending();
    }

    /** Returns about how many keys are remembered, pending ones included. Racy. */
    int estimatedRemembered() {
        return keys.estimatedRemembered();
    }

    /** Returns about how many senders wait for room. Racy. */
    int estimatedWaiting() {
        return keys.estimatedWaiting();
    }

    /** Returns a string with the name, the pending keys and the state. */
    @Override
    public String toString() {
        return "coalescer " + name + "[" + estimatedPending() + " of at most " + maxKeys + " keys pending"
                + (halted ? ", halted]" : keys.isClosed() ? ", closed]" : "]");
    }
}
