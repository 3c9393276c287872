// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import dev.spindle.internal.HandedContext;
import dev.spindle.internal.Pool;
import dev.spindle.kafka.Call.Outcome;
import dev.spindle.kafka.Deferred.State;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a handler, on the lanes of one key space of a spindle: attempts, backoff, and what follows the last
 * attempt. Knows nothing of the source of the records.
 */
final class Calls<K, V> {
    /*
     * A record is a task of the lane of its key. If its attempt fails, the record leaves the lane and waits in a
     * Deferred, together with the records of the key that the lane hands over after it. So a record that waits holds
     * its key, and neither a thread nor a place of the limit of the space. A task of the lane, a kick, goes on with the
     * first record of the Deferred; kicks are submitted by a timer, and by the end of the attempt before.
     *
     * field      writers              readers             mode
     * deferred   turns of the lane    turns of the lane   ConcurrentHashMap; the values are confined to their lane.
     *                                                     kickAll reads the keys
     * held       turns                the poll loop       ConcurrentLinkedQueue
     * fatal      turns                the poll loop       volatile
     *
     * Calls-1  While a key has a Deferred, a turn of its lane handles no record but the first of the Deferred. So
     *     records of a key are handled in the order of their submits, failed attempts included.
     * Calls-2  A Deferred that is neither PARKED nor SENDING has a kick in its lane, a timer that will submit one, or
     *     a place in `held`. So no record waits without end.
     * Calls-3  An attempt begins only in a turn of the lane, after isFenced was false and mayBegin true. So a record
     *     of a revoked partition that has not begun when its partition is fenced, never begins.
     * Calls-4  The lane of a key is the same for all assignments of a consumer, and an async call holds its lane until
     *     its stage completes. So a record that is delivered again waits for the old call.
     * Calls-5  Attempts and dead letters of a record run in the context of the submit of this record, also in a turn
     *     that an older record of the key has submitted. So a retry or a superseded record lends no context to another.
     */

    /** The destination of records that cannot be handled. */
    interface DeadLetterSink<K, V> {
        /**
         * Sends a record. May block.
         *
         * @param acknowledged called once, by any thread: with null when the destination has the record, else with the
         *     failure
         * @throws Exception if the record is refused; then {@code acknowledged} is not called
         */
        void send(Call<K, V> call, Throwable failure, FailurePolicy policy, Consumer<@Nullable Throwable> acknowledged)
                throws Exception;
    }

    private final Spindle spindle;
    private final Pool pool;
    private final Keyed<Object> lanes;
    private final @Nullable KeyedHandler<K, V> handler;
    private final @Nullable AsyncKeyedHandler<K, V> asyncHandler;
    private final boolean coalescing;
    private final Retries retries;
    private final int maxConcurrency;
    private boolean limited; // written and read by the poll loop alone
    private final @Nullable DeadLetterSink<K, V> deadLetters;

    private final ConcurrentHashMap<Object, Deferred<K, V>> deferred = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Object, Coalesced<K, V>> open = new ConcurrentHashMap<>();
    private final Queue<Deferred<K, V>> held = new ConcurrentLinkedQueue<>();
    private final AtomicInteger parkedKeys = new AtomicInteger();
    private final Log.Often log = new Log.Often();
    private volatile @Nullable Throwable fatal;
    final LongAdder failedAttempts = new LongAdder();
    final LongAdder refusedDeadLetters = new LongAdder();

    Calls(
            Spindle spindle,
            String space,
            int maxConcurrency,
            @Nullable KeyedHandler<K, V> handler,
            @Nullable AsyncKeyedHandler<K, V> asyncHandler,
            boolean coalescing,
            Retries retries,
            @Nullable DeadLetterSink<K, V> deadLetters) {
        this.spindle = spindle;
        pool = Pool.of(spindle);
        this.handler = handler;
        this.asyncHandler = asyncHandler;
        this.coalescing = coalescing;
        this.retries = retries;
        this.deadLetters = deadLetters;
        this.maxConcurrency = maxConcurrency;
        lanes = newSpace(spindle, space);
        limit();
    }

    private static Keyed<Object> newSpace(Spindle spindle, String name) {
        for (int number = 1; ; number++) {
            try {
                return spindle.<Object>keyedBuilder(number == 1 ? name : name + "-" + number)
                        .build();
            } catch (IllegalStateException e) { // another consumer has the name
                if (number == Integer.MAX_VALUE) {
                    throw e;
                }
            }
        }
    }

    /**
     * Limits the calls at once, unless the threads of the spindle do. A limit of the space takes a permit and an entry
     * of a queue for each record. Called by the poll loop.
     */
    void limit() {
        if (!limited && (asyncHandler != null || maxConcurrency < pool.maxThreads())) {
            limited = true;
            lanes.setMaxConcurrency(maxConcurrency);
        }
    }

    /**
     * Submits a record to its lane. Records of a lane are handled in the order of the submits of one thread.
     *
     * @throws RejectedExecutionException if the spindle is shut down
     * @throws RuntimeException if the code of the key throws
     */
    void submit(Call<K, V> call) {
        call.setContext(HandedContext.capture(pool));
        if (!coalescing || !call.hasKey()) {
            push(call);
            return;
        }
        Coalesced<K, V> waiting = open.get(call.lane());
        if (waiting == null || !waiting.add(call)) {
            Coalesced<K, V> fresh = new Coalesced<>(this, call);
            open.put(call.lane(), fresh);
            try {
                push(call.lane(), fresh, fresh::turn);
            } catch (RuntimeException | Error e) {
                close(fresh);
                throw e;
            }
        }
    }

    /** Submits a record that cannot be handled. */
    void submitUnreadable(Call<K, V> call, Throwable failure, FailurePolicy policy) {
        call.setContext(HandedContext.capture(pool));
        push(call.lane(), null, end -> {
            afterLast(call, null, failure, policy);
            complete(end);
        });
    }

    /** Removes {@code begun} from those that newer records may join. */
    void close(Coalesced<K, V> begun) {
        boolean unused = open.remove(begun.lane(), begun);
    }

    // ---------------------------------------------------------------- turns

    /** The code of a turn; the argument is completed when the turn has ended, or is null if turns do not outlast it. */
    private interface Turn {
        void run(@Nullable CompletableFuture<@Nullable Void> end);
    }

    private void push(Call<K, V> call) {
        if (asyncHandler == null) {
            lanes.execute(call.lane(), call);
        } else {
            pushAsync(call.lane(), end -> turn(call, end));
        }
    }

    private void push(Object lane, @Nullable Runnable task, Turn turn) {
        if (asyncHandler == null) {
            lanes.execute(lane, task != null ? task : () -> turn.run(null));
        } else {
            pushAsync(lane, turn);
        }
    }

    private void pushAsync(Object lane, Turn turn) {
        Future<?> unused = lanes.submitAsync(lane, () -> {
            CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
            turn.run(end);
            return end; // Calls-4
        });
    }

    private static void complete(@Nullable CompletableFuture<@Nullable Void> end) {
        if (end != null) {
            end.complete(null);
        }
    }

    /** Handles a record, unless records of its key wait. */
    void turn(Call<K, V> call, @Nullable CompletableFuture<@Nullable Void> end) {
        Deferred<K, V> before = deferred.isEmpty() ? null : deferred.get(call.lane());
        if (before != null && isOver(before)) {
            before = null;
        }
        if (before == null) {
            begin(call, null, end);
            return;
        }
        if (before.state() == State.PARKED) { // Calls-1
            call.end(Outcome.PARKED);
        } else if (coalescing && call.hasKey()) {
            before.supersede(call);
        } else {
            before.addLast(call);
        }
        complete(end);
    }

    /** Drops what is fenced. Returns true if nothing is left, and {@code waiting} is removed. */
    private boolean isOver(Deferred<K, V> waiting) {
        if (waiting.state() == State.PARKED) {
            if (!Objects.requireNonNull(waiting.parkedUntil).getAsBoolean()) {
                return false;
            }
        } else if (waiting.state() == State.SENDING || !waiting.dropFenced()) {
            return false;
        }
        goOn(waiting);
        return waiting.isEmpty();
    }

    /** Begins an attempt for {@code first}, which was the first record of {@code from}, if this is not null. */
    private void begin(
            Call<K, V> first, @Nullable Deferred<K, V> from, @Nullable CompletableFuture<@Nullable Void> end) {
        Call<K, V> call = first;
        while (call.isFenced()) { // Calls-3
            Call<K, V> older = call.endAlone(Outcome.FENCED);
            if (older == null) {
                goOn(from);
                complete(end);
                return;
            }
            call = older;
        }
        if (!call.mayBegin()) {
            Deferred<K, V> waiting = setAside(call, from, State.HELD);
            held.add(waiting); // Calls-2
            complete(end);
            return;
        }
        call.beginAttempt();
        if (asyncHandler != null) {
            beginAsync(asyncHandler, call, from, Objects.requireNonNull(end));
            return;
        }
        Throwable failure = null;
        try {
            handle(Objects.requireNonNull(handler), call);
        } catch (Throwable e) {
            failure = e;
        }
        ended(call, from, failure);
        complete(end);
    }

    private static <K, V> void handle(KeyedHandler<K, V> handler, Call<K, V> call) throws Exception {
        call.inContext(() -> handler.handle(call)); // Calls-5
    }

    private void beginAsync(
            AsyncKeyedHandler<K, V> handler,
            Call<K, V> call,
            @Nullable Deferred<K, V> from,
            CompletableFuture<@Nullable Void> end) {
        CompletableFuture<@Nullable Throwable> result = new CompletableFuture<>(); // a stage may complete twice
        try {
            call.inContext(() -> {
                CompletionStage<?> stage = handler.handle(call);
                Objects.requireNonNull(stage, "the handler has returned a null stage")
                        .whenComplete((value, failure) -> result.complete(failure));
            });
        } catch (Throwable e) {
            result.complete(e);
        }
        Future<?> unused = result.thenAccept(failure -> {
            ended(call, from, failure);
            end.complete(null);
        });
    }

    private void ended(Call<K, V> call, @Nullable Deferred<K, V> from, @Nullable Throwable failure) {
        if (failure == null) {
            call.end(Outcome.DONE);
            goOn(from);
            return;
        }
        failedAttempts.increment();
        if (call.isFenced()) {
            Call<K, V> older = call.endAlone(Outcome.FENCED);
            if (older == null) {
                goOn(from);
            } else {
                kick(setAside(older, from, State.READY));
            }
            return;
        }
        if (retries.isFinal(call.attempt(), failure)) {
            afterLast(call, from, failure, retries.afterFailure);
            return;
        }
        long delay = retries.backoffNanos(call.attempt());
        Deferred<K, V> waiting = setAside(call, from, State.BACKOFF);
        waiting.due = spindle.nanoTime() + delay;
        schedule(waiting, delay);
    }

    // ---------------------------------------------------------------- records that wait

    private Deferred<K, V> setAside(Call<K, V> call, @Nullable Deferred<K, V> from, State state) {
        Deferred<K, V> waiting = from;
        if (waiting == null) {
            waiting = new Deferred<>(call.lane());
            deferred.put(waiting.lane, waiting); // Calls-1
        }
        waiting.addFirst(call);
        waiting.setState(state);
        return waiting;
    }

    /** Kicks {@code from} if records wait there, and removes it if none does. */
    private void goOn(@Nullable Deferred<K, V> from) {
        if (from == null) {
            return;
        }
        from.cancelTimer();
        if (from.isEmpty()) {
            remove(from);
        } else {
            from.setState(State.READY);
            kick(from); // Calls-2
        }
    }

    private void remove(Deferred<K, V> from) {
        if (deferred.remove(from.lane, from) && from.state() == State.PARKED) {
            parkedKeys.decrementAndGet();
        }
    }

    private void kick(Deferred<K, V> waiting) {
        try {
            push(waiting.lane, null, end -> resume(waiting, end));
        } catch (RejectedExecutionException e) {
            fail(e); // the spindle was shut down; the records stay unfinished
        }
    }

    private void schedule(Deferred<K, V> waiting, long delay) {
        try {
            waiting.timer = spindle.schedule(() -> kick(waiting), delay, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            fail(e);
        }
    }

    /** Goes on with the first record of {@code waiting}, if it waits for nothing else. */
    private void resume(Deferred<K, V> waiting, @Nullable CompletableFuture<@Nullable Void> end) {
        if (deferred.get(waiting.lane) != waiting || isOver(waiting) || !isDue(waiting)) {
            complete(end);
            return;
        }
        if (waiting.state() == State.READY) {
            begin(waiting.removeFirst(), waiting, end);
        } else {
            send(waiting);
            complete(end);
        }
    }

    /** Returns whether the first record waits for a turn alone; makes it READY or TO_SEND. */
    private boolean isDue(Deferred<K, V> waiting) {
        return switch (waiting.state()) {
            case READY, TO_SEND -> !waiting.isEmpty();
            case HELD -> {
                boolean may = waiting.first().mayBegin();
                if (may) {
                    waiting.setState(State.READY);
                } else {
                    held.add(waiting);
                }
                yield may;
            }
            case BACKOFF, SEND_BACKOFF -> {
                boolean due = waiting.due - spindle.nanoTime() <= 0; // else the timer will kick
                if (due) {
                    waiting.setState(waiting.state() == State.BACKOFF ? State.READY : State.TO_SEND);
                }
                yield due;
            }
            case SENDING, PARKED -> false;
        };
    }

    /** Makes all records that wait look whether they are fenced. Called after partitions were fenced. */
    void kickAll() {
        deferred.values().forEach(this::kick);
    }

    /** Makes the records go on that wait until {@link Call#mayBegin} is true. */
    void releaseHeld() {
        for (Deferred<K, V> waiting = held.poll(); waiting != null; waiting = held.poll()) {
            kick(waiting);
        }
    }

    /** Returns true if records wait for {@link #releaseHeld}. */
    boolean hasHeld() {
        return !held.isEmpty();
    }

    /** Cancels all timers. Called when no further attempt will begin. */
    void cancelTimers() {
        deferred.values().forEach(Deferred::cancelTimer);
    }

    // ---------------------------------------------------------------- after the last attempt

    private void afterLast(Call<K, V> call, @Nullable Deferred<K, V> from, Throwable failure, FailurePolicy policy) {
        switch (policy.kind) {
            case SKIP -> {
                log.warn("skipped " + call + " after " + call.attempt() + " attempts", failure, spindle.nanoTime());
                call.end(Outcome.SKIPPED);
                goOn(from);
            }
            case DEAD_LETTER -> {
                Deferred<K, V> waiting = setAside(call, from, State.TO_SEND);
                waiting.failure = failure;
                waiting.policy = policy;
                waiting.sends = 0;
                kick(waiting);
            }
            case PARK -> {
                log.warn(
                        "parked the key of " + call + " after " + call.attempt() + " attempts",
                        failure,
                        spindle.nanoTime());
                park(call, from);
            }
            case STOP -> {
                park(call, from);
                fail(new IllegalStateException(
                        "record " + call + " could not be handled after " + call.attempt()
                                + " attempts; afterFailure or onUnreadable may choose deadLetter, skip or parkKey",
                        failure));
            }
        }
    }

    private void park(Call<K, V> call, @Nullable Deferred<K, V> from) {
        Deferred<K, V> parked = setAside(call, from, State.PARKED);
        parked.parkedUntil = call.fence();
        parkedKeys.incrementAndGet();
        while (!parked.isEmpty()) {
            parked.removeFirst().end(Outcome.PARKED);
        }
    }

    private void send(Deferred<K, V> waiting) {
        Call<K, V> call = waiting.removeFirst();
        waiting.setState(State.SENDING);
        Throwable failure = Objects.requireNonNull(waiting.failure);
        FailurePolicy policy = Objects.requireNonNull(waiting.policy);
        AtomicBoolean answered = new AtomicBoolean(); // a producer may call back and throw
        try {
            DeadLetterSink<K, V> sink = Objects.requireNonNull(deadLetters, "no producer of dead letters");
            Spindle.<@Nullable Void, Exception>callBlocking(() -> {
                call.inContext(() -> sink.send(call, failure, policy, refusal -> {
                    if (answered.compareAndSet(false, true)) {
                        acknowledged(waiting, call, refusal);
                    }
                }));
                return null;
            });
        } catch (Throwable e) {
            if (answered.compareAndSet(false, true)) {
                refused(waiting, call, e);
            }
        }
    }

    /** Called by a thread of the producer. */
    private void acknowledged(Deferred<K, V> waiting, Call<K, V> call, @Nullable Throwable refusal) {
        try {
            push(waiting.lane, null, end -> {
                if (refusal == null) {
                    waiting.failure = null;
                    call.end(Outcome.DEAD_LETTER);
                    goOn(waiting);
                } else {
                    refused(waiting, call, refusal);
                }
                complete(end);
            });
        } catch (RejectedExecutionException e) {
            call.end(refusal == null ? Outcome.DEAD_LETTER : Outcome.FENCED);
            fail(e);
        }
    }

    private void refused(Deferred<K, V> waiting, Call<K, V> call, Throwable refusal) {
        refusedDeadLetters.increment();
        waiting.sends++;
        log.warn("the dead letter of " + call + " was refused, and will be sent again", refusal, spindle.nanoTime());
        Deferred<K, V> again = setAside(call, waiting, State.SEND_BACKOFF);
        long delay = retries.backoffNanos(waiting.sends);
        again.due = spindle.nanoTime() + delay;
        schedule(again, delay);
    }

    private void fail(Throwable failure) {
        if (fatal == null) {
            fatal = failure;
        }
    }

    // ---------------------------------------------------------------- figures

    /** Returns the failure that ends the consumer, or null. */
    @Nullable
    Throwable fatal() {
        return fatal;
    }

    int parkedKeys() {
        return parkedKeys.get();
    }

    /** Returns the number of calls in progress. Takes time in proportion to the number of keys. */
    int running() {
        return lanes.stats().running();
    }
}
