// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import dev.spindle.Spindle;
import dev.spindle.internal.Durations;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.Pool;
import dev.spindle.internal.PoolLookup;
import dev.spindle.internal.TimeLimit;
import dev.spindle.internal.TimeLimits;
import dev.spindle.internal.WorkerContext;
import dev.spindle.messaging.HandedContext;
import dev.spindle.messaging.Headroom;
import dev.spindle.messaging.OwnTasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A select, which performs exactly one of several sends and receives: the first that is possible.
 *
 * <pre>{@code
 * String did = Select.<String>fair()
 *         .receive(orders, order -> "took " + order)
 *         .send(acks, ack, () -> "acknowledged")
 *         .onTimeout(Duration.ofMillis(5), () -> "nothing to do")
 *         .await();
 * }</pre>
 *
 * <p>A clause names a channel, which other clauses may name, too, and a function that makes the result if the clause is
 * committed; the other clauses then have sent and received nothing. If several clauses are possible at once,
 * {@link #fair} draws one, each with the same probability, and {@link #biased} takes the first in the order in which
 * they were added. If none is possible, the select waits in the queue of each channel, in order with the other calls
 * that wait there. {@link #await} makes the thread wait, {@link #awaitAsync} returns a future, and {@link #orElse} does
 * not wait.
 *
 * <p><b>Closed channels.</b> A clause whose channel is closed (for a receive: closed and empty) counts as possible; the
 * select then ends with a {@link ChannelClosedException}.
 *
 * <p><b>Functions.</b> Functions run without a lock: in the calling thread if the select did not wait, or in
 * {@code await}; otherwise in the thread that made the clause possible, as the dependents of a {@link Channel}'s stages
 * do. Their exceptions are thrown to the caller, or complete the stage; the value was sent or received all the same.
 *
 * <p><b>Interruption, cancellation, memory consistency effects.</b> As for {@link Channel}.
 *
 * <p><b>Thread safety.</b> A select is not thread-safe while clauses are added. After that it may be used any number of
 * times, by any number of threads at the same time.
 *
 * <p><b>Cost.</b> A select takes time in proportion to its number of clauses.
 *
 * @param <R> the type of the result
 */
public final class Select<R extends @Nullable Object> {
    private final boolean fair;
    private final List<Clause<?, R>> clauses = new ArrayList<>();
    private @Nullable Supplier<? extends R> late;
    private Duration timeout = Duration.ZERO; // unused if `late` is null

    /** A clause; a receive if it has no value. */
    record Clause<T, R extends @Nullable Object>(
            ChannelCore<T> core, @Nullable T value, Function<@Nullable T, ? extends R> then) {
        Pending<T> pending(Wait wait) {
            return value == null ? Pending.receive(core, wait) : Pending.send(core, wait, value, core.keyOf(value));
        }

        /** Returns the result of this clause, whose pending form was {@code committed}. */
        @SuppressWarnings("unchecked")
        R result(Pending<?> committed) {
            committed.requireOpen();
            return then.apply(((Pending<T>) committed).received());
        }
    }

    private Select(boolean fair) {
        this.fair = fair;
    }

    /** Returns a select without clauses, which draws among the clauses that are possible at once. */
    public static <R extends @Nullable Object> Select<R> fair() {
        return new Select<>(true);
    }

    /** Returns a select without clauses, which prefers clauses that were added earlier. */
    public static <R extends @Nullable Object> Select<R> biased() {
        return new Select<>(false);
    }

    /** Adds a receive. Returns this select. */
    public <T> Select<R> receive(Channel<T> channel, Function<? super T, ? extends R> then) {
        Objects.requireNonNull(channel, "channel");
        Objects.requireNonNull(then, "then");
        clauses.add(new Clause<>(channel.core(), null, value -> then.apply(Objects.requireNonNull(value))));
        return this;
    }

    /** Adds a send of {@code value}. Returns this select. */
    public <T> Select<R> send(Channel<T> channel, T value, Supplier<? extends R> then) {
        Objects.requireNonNull(channel, "channel");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(then, "then");
        clauses.add(new Clause<>(channel.core(), value, sent -> then.get()));
        return this;
    }

    /**
     * Sets a time-out for the wait, and the function that makes the result when it has passed. Returns this select.
     *
     * @throws IllegalArgumentException if {@code timeout} is not positive
     * @throws IllegalStateException if there is one already
     */
    public Select<R> onTimeout(Duration timeout, Supplier<? extends R> then) {
        if (Objects.requireNonNull(timeout, "timeout").isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException(
                    "timeout must be positive, is " + timeout + "; a select that does not wait ends with orElse");
        }
        if (late != null) {
            throw new IllegalStateException("this select has a timeout already, of " + this.timeout);
        }
        late = Objects.requireNonNull(then, "then");
        this.timeout = timeout;
        return this;
    }

    // ---------------------------------------------------------------- the ends

    /**
     * Performs one of the clauses, waiting until one becomes possible or the time-out, if any, has passed. For
     * threads that are not workers.
     *
     * @return the result of the function of the clause, or of the time-out
     * @throws InterruptedException if interrupted while waiting; nothing was sent or received
     * @throws IllegalStateException on a worker of a spindle, which must not wait: use {@link #awaitAsync} or
     *     {@link #orElse}; or if there is no clause
     * @throws ChannelClosedException if the channel of the clause is closed
     */
    public R await() throws InterruptedException {
        Channel.requireNoWorker("await", "awaitAsync");
        ThreadWait wait = new ThreadWait();
        Selection selection = begin(wait, null);
        Pending<?> committed = selection.commit(true);
        if (committed == null) {
            Supplier<? extends R> then = late;
            committed = wait.await(then == null ? ThreadWait.FOREVER : Durations.toNanos(timeout));
            if (committed == null) {
                return Objects.requireNonNull(then).get();
            }
        }
        return result(selection, committed);
    }

    /**
     * Performs one of the clauses if one is possible at once. Never waits, and ignores a time-out.
     *
     * @return the result of the function of the clause, or of {@code otherwise}
     * @throws IllegalStateException if there is no clause
     * @throws ChannelClosedException if the channel of the clause is closed
     */
    public R orElse(Supplier<? extends R> otherwise) {
        Objects.requireNonNull(otherwise, "otherwise");
        Selection selection = begin(new Later(), null);
        Pending<?> committed = selection.commit(false);
        return committed == null ? otherwise.get() : resultAtOnce(selection, committed);
    }

    /**
     * Performs one of the clauses as soon as one is possible, unless the time-out, if any, passes first.
     *
     * @param spindle the spindle whose clock is used. The function of the time-out runs on one of its threads, within
     *     20 ms of its time, even if all workers are busy
     * @return a future that completes with the result or the exception of the function of the clause, or of the
     *     time-out; with a {@link ChannelClosedException}; and with a {@link RejectedExecutionException} if there is a
     *     time-out and the spindle was shut down before or during the wait: nothing was sent or received. Cancelling it
     *     withdraws all clauses, unless one was committed
     * @throws IllegalStateException if there is no clause
     */
    public CompletableFuture<R> awaitAsync(Spindle spindle) {
        return begin(Objects.requireNonNull(spindle, "spindle"));
    }

    /** Performs one of the clauses as soon as one is possible, without a clock. */
    CompletableFuture<R> awaitAsync() {
        return begin(null);
    }

    private CompletableFuture<R> begin(@Nullable Spindle clock) {
        Later wait = new Later();
        Pool pool = clock == null ? null : PoolLookup.of(clock);
        Selection selection = begin(wait, pool);
        wait.selection = selection;
        wait.context = HandedContext.capture(pool);
        Pending<?> committed = selection.commit(true);
        if (committed != null) {
            try {
                return CompletableFuture.completedFuture(resultAtOnce(selection, committed));
            } catch (Throwable t) {
                return CompletableFuture.failedFuture(t);
            }
        }
        Supplier<? extends R> then = late;
        if (clock != null && then != null) {
            wait.limit(clock, timeout, then);
        }
        return wait.future;
    }

    private Selection begin(Wait wait, @Nullable Pool draws) {
        Headroom.require();
        if (clauses.isEmpty()) {
            throw new IllegalStateException("a select needs a clause: add receive or send");
        }
        Pending<?>[] pending = new Pending<?>[clauses.size()];
        for (int i = 0; i < pending.length; i++) {
            pending[i] = clauses.get(i).pending(wait);
        }
        return new Selection(pending, fair, draws);
    }

    private R resultAtOnce(Selection selection, Pending<?> committed) {
        WorkerContext.countOwnSteps(1); // a task may select many times
        return result(selection, committed);
    }

    private R result(Selection selection, Pending<?> committed) {
        return clauses.get(selection.indexOf(committed)).result(committed);
    }

    /** The wait of a stage. */
    private final class Later extends ListedWait {
        private final WithdrawableFuture<R> future = new WithdrawableFuture<>(this);
        private final Runnable onShutdown = this::shut;
        private volatile @Nullable TimeLimit limit;
        private volatile @Nullable Spindle clock; // the spindle that has set `limit`

        @Nullable
        Selection selection;

        @Nullable
        HandedContext context;

        Later() {
            super("Select.awaitAsync");
        }

        @Override
        void call() {
            Pending<?> committed = committed();
            Selection of = selection;
            if (committed == null || of == null) {
                return;
            }
            cancelLimit();
            try {
                future.succeed(resultInContext(of, committed));
            } catch (Throwable t) {
                future.fail(t);
            }
        }

        private R resultInContext(Selection of, Pending<?> committed) {
            HandedContext with = context;
            if (with == null) {
                return result(of, committed);
            }
            Runnable restored = with.restore();
            try {
                return result(of, committed);
            } finally {
                restored.run();
            }
        }

        /** Sets the time limit. */
        void limit(Spindle spindle, Duration time, Supplier<? extends R> then) {
            Lifetime of = PoolLookup.lifetime(spindle);
            try {
                limit = TimeLimits.set(spindle, time, () -> expire(then, of));
            } catch (RejectedExecutionException e) {
                boolean unused = future.completeExceptionally(e);
                return;
            }
            clock = spindle;
            of.listen(onShutdown);
            if (of.isShut()) {
                shut();
            }
            if (isDecided()) {
                cancelLimit();
            } else {
                CompletableFuture<R> unused = future.whenComplete((result, failure) -> cancelLimit()); // if cancelled
            }
        }

        private void cancelLimit() {
            TimeLimit set = limit;
            if (set != null) {
                limit = null;
                boolean unused = set.cancel();
            }
            Spindle of = clock;
            if (of != null) {
                clock = null;
                PoolLookup.lifetime(of).forget(onShutdown);
            }
        }

        /** Rejects this wait after a shutdown, which does not wait for the time limit of a select. */
        private void shut() {
            Spindle of = clock;
            if (of != null && withdraw()) {
                OwnTasks.run(PoolLookup.of(of), PoolLookup.lifetime(of), own -> reject());
            }
        }

        private void reject() {
            cancelLimit();
            future.fail(new RejectedExecutionException(
                    "the spindle that watches the clock of a select was shut down: nothing was sent or received"));
        }

        private void expire(Supplier<? extends R> then, Lifetime of) {
            if (!future.withdraw()) {
                return;
            }
            if (of.isHalted()) { // a shutdownNow runs this before the time has passed
                reject();
                return;
            }
            try {
                future.succeed(then.get());
            } catch (Throwable t) {
                future.fail(t);
            }
        }
    }
}
