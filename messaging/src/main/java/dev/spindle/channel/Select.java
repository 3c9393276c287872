// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import dev.spindle.Spindle;
import dev.spindle.internal.Durations;
import dev.spindle.internal.HandedContext;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.Pool;
import dev.spindle.internal.TimeLimit;
import dev.spindle.internal.TimeLimits;
import dev.spindle.internal.WorkerContext;
import dev.spindle.messaging.OwnTasks;
import dev.spindle.messaging.WithdrawableFuture;
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
 * A select, which performs one of several sends and receives: the first that is possible.
 *
 * <pre>{@code
 * String did = Select.<String>fair()
 *         .receive(orders, order -> "took " + order)
 *         .send(acks, ack, () -> "acknowledged")
 *         .onTimeout(Duration.ofMillis(5), () -> "nothing to do")
 *         .await();
 * }</pre>
 *
 * <p>A clause is a send or a receive, with a function that makes the result. A select commits one clause; the other
 * clauses send and receive nothing. Several clauses may use the same channel. If several clauses are possible at once,
 * a {@link #fair} select commits one of them at random, each with the same probability, and a {@link #biased} select
 * the clause that was added first. If none is possible, the select waits in the queue of each channel, in order with
 * the other calls that wait there. {@link #await} makes the thread wait, {@link #awaitAsync} returns a future, and
 * {@link #orElse} does not wait.
 *
 * <p><b>Closed channels.</b> A send to a closed channel is possible, and so is a receive from a closed channel whose
 * values were all received. A select that commits such a clause ends with a {@link ChannelClosedException}.
 *
 * <p><b>Functions.</b> Functions run without a lock. In {@code await}, and in a select that does not wait, they run in
 * the calling thread. If {@code awaitAsync} has to wait, they run in the thread that made the clause possible. An
 * exception of a function is thrown to the caller or completes the future; the value was sent or received in any case.
 *
 * <p><b>Interruption, cancellation, memory consistency effects.</b> {@link Channel} describes them.
 *
 * <p><b>Thread safety.</b> A select is not thread-safe while clauses are added. Afterwards any number of threads may
 * use the select at the same time, each any number of times.
 *
 * <p><b>Cost.</b> A select takes time in proportion to its number of clauses.
 *
 * @param <R> the type of the result, which a chain of calls must name, as in {@code Select.<String>fair()}
 */
public final class Select<R extends @Nullable Object> {
    private final boolean fair;
    private final List<Clause<?, R>> clauses = new ArrayList<>();
    private @Nullable Supplier<? extends R> late;
    private Duration timeout = Duration.ZERO; // unused if `late` is null

    /** A clause, which is a receive if its value is null. */
    record Clause<T, R extends @Nullable Object>(
            ChannelCore<T> core, @Nullable T value, Function<@Nullable T, ? extends R> then) {
        Pending<T> pending(Wait wait) {
            return value == null ? Pending.receive(core, wait) : Pending.send(core, wait, value, core.keyOf(value));
        }

        /** Returns the result of this clause. {@code committed} is the {@link Pending} of this clause. */
        @SuppressWarnings("unchecked")
        R result(Pending<?> committed) {
            committed.requireOpen();
            return then.apply(((Pending<T>) committed).received());
        }
    }

    private Select(boolean fair) {
        this.fair = fair;
    }

    /** Returns a select without clauses that chooses at random among the clauses that are possible at once. */
    public static <R extends @Nullable Object> Select<R> fair() {
        return new Select<>(true);
    }

    /** Returns a select without clauses that prefers the clauses that were added first. */
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
     * Sets a timeout for the wait, and the function that makes the result when the timeout has passed. Returns this
     * select.
     *
     * @throws IllegalArgumentException if {@code timeout} is not positive
     * @throws IllegalStateException if this select has a timeout
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
     * Performs one of the clauses, waiting until one becomes possible or the timeout, if any, has passed.
     *
     * @return the result of the function of the committed clause, or of the timeout
     * @throws InterruptedException if interrupted while waiting; nothing was sent or received
     * @throws IllegalStateException if there is no clause, or if called by a worker of a spindle; use
     *     {@link #awaitAsync} or {@link #orElse} there
     * @throws ChannelClosedException if the channel of the committed clause is closed
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
     * Performs one of the clauses if one is possible at once. Never waits, and ignores the timeout.
     *
     * @return the result of the function of the committed clause, or of {@code otherwise} if none is possible
     * @throws IllegalStateException if there is no clause
     * @throws ChannelClosedException if the channel of the committed clause is closed
     */
    public R orElse(Supplier<? extends R> otherwise) {
        Objects.requireNonNull(otherwise, "otherwise");
        Selection selection = begin(new Later(), null);
        Pending<?> committed = selection.commit(false);
        return committed == null ? otherwise.get() : resultAtOnce(selection, committed);
    }

    /**
     * Performs one of the clauses as soon as one is possible, or the function of the timeout if the timeout passes
     * first.
     *
     * @param spindle the spindle whose clock measures the timeout. The function of the timeout runs on a thread of the
     *     spindle, at most 20 ms late, even if all workers are busy
     * @return a future that completes with the result or the exception of the function of the committed clause or of
     *     the timeout, or with a {@link ChannelClosedException}. If there is a timeout and the spindle is shut down
     *     before or during the wait, the future completes with a {@link RejectedExecutionException}, and nothing was
     *     sent or received. Cancelling the future withdraws all clauses, unless one was committed
     * @throws IllegalStateException if there is no clause
     */
    public CompletableFuture<R> awaitAsync(Spindle spindle) {
        return begin(Objects.requireNonNull(spindle, "spindle"));
    }

    /** Performs one of the clauses as soon as one is possible. Ignores the timeout. */
    CompletableFuture<R> awaitAsync() {
        return begin(null);
    }

    private CompletableFuture<R> begin(@Nullable Spindle clock) {
        Later wait = new Later();
        Pool pool = clock == null ? null : Pool.of(clock);
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
        Headroom.requireTwice();
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
        WorkerContext.countOwnSteps(1); // the select is one more step of the calling task
        return result(selection, committed);
    }

    private R result(Selection selection, Pending<?> committed) {
        return clauses.get(selection.indexOf(committed)).result(committed);
    }

    /** The wait of a future. */
    private final class Later extends ListedWait {
        private final WithdrawableFuture<R> future = new WithdrawableFuture<>(this);
        private final Runnable onShutdown = this::shut;
        private volatile @Nullable TimeLimit limit;
        private volatile @Nullable Spindle clock; // the spindle of `limit`

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
                HandedContext.runIn(context, () -> future.succeed(result(of, committed)));
            } catch (Throwable t) {
                future.fail(t);
            }
        }

        void limit(Spindle spindle, Duration time, Supplier<? extends R> then) {
            Lifetime of = Pool.lifetimeOf(spindle);
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
                // for the case that the user completes or cancels the future
                CompletableFuture<R> unused = future.whenComplete((result, failure) -> cancelLimit());
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
                Pool.lifetimeOf(of).forget(onShutdown);
            }
        }

        /**
         * Rejects this wait, unless the wait was decided before. Called after a shutdown of the spindle whose clock
         * measures the timeout.
         */
        private void shut() {
            Spindle of = clock;
            if (of != null && withdraw()) {
                OwnTasks.run(Pool.of(of), Pool.lifetimeOf(of), own -> reject());
            }
        }

        private void reject() {
            cancelLimit();
            future.fail(new RejectedExecutionException(
                    "the spindle that watches the clock of a select was shut down: nothing was sent or received"));
        }

        private void expire(Supplier<? extends R> then, Lifetime of) {
            Headroom.requireTwice(); // an overflow during the withdrawal could leave a clause in a queue, or a lock
            // held
            if (!future.withdraw()) {
                return;
            }
            if (of.isHalted()) { // a shutdownNow calls this method before the time has passed
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
