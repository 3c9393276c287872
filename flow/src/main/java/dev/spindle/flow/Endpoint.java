// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;

import dev.spindle.Spindle;
import dev.spindle.Stats;
import dev.spindle.flow.internal.Backoff;
import dev.spindle.flow.internal.Budget;
import dev.spindle.flow.internal.CallFuture;
import dev.spindle.flow.internal.Latencies;
import dev.spindle.flow.internal.UserCode;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.SpindlePart;
import dev.spindle.internal.TimeLimit;
import dev.spindle.internal.TimeLimits;
import dev.spindle.internal.report.Figures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A backend with optional guards: a timeout, a bulkhead, a breaker, retries and hedges.
 *
 * <pre>{@code
 * Endpoint<Long, User> users = Endpoint.builder(spindle, "users", (Long id, Attempt attempt) -> db.findUser(id))
 *         .attemptTimeout(Duration.ofMillis(200))
 *         .maxConcurrency(32)
 *         .capacity(100)              // calls that wait
 *         .breaker(Breaker.create(spindle, "users"))
 *         .idempotent(id -> true)     // a second call does no harm
 *         .retries(2)
 *         .build();
 *
 * CompletableFuture<Outcome<User>> user = users.call(7L, Deadline.after(spindle, Duration.ofSeconds(1)));
 * }</pre>
 *
 * <p>An attempt first waits for a permit of the bulkhead and then asks the breaker. If the breaker allows the call, the
 * attempt calls the backend through the {@link Call}. If the attempt fails and the request may be repeated, another
 * attempt begins after a pause. Waits and pauses are part of the time of the call: a call whose deadline passes is
 * {@linkplain Outcome.TimedOut timed out}. A call whose deadline has already passed makes no attempt.
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread. A first attempt calls the backend in the calling
 * thread. A retry, a hedge, or an attempt that has waited for a permit calls the backend on a worker, or on the thread
 * of the spindle that completes passed time limits.
 *
 * <p><b>Cost.</b> Each attempt takes constant time and memory, and one timer of the spindle, which is cancelled when
 * the attempt ends. In a {@link ScatterGather}, attempts with the same deadline share one timer.
 *
 * <p><b>Shutdown.</b> After a shutdown of the spindle, calls under way continue without retries and hedges. Calls that
 * wait for a permit, and later calls, are rejected. {@code shutdownNow} rejects the calls under way as well, since it
 * ends their timers.
 *
 * @param <Q> the type of the requests
 * @param <A> the type of the answers
 */
public final class Endpoint<Q extends @Nullable Object, A extends @Nullable Object> extends TimedService<Q, A> {
    /**
     * The time after which an unanswered call is a failure of the backend, if the endpoint has no timeout. Not
     * measured.
     */
    private static final long UNLIMITED_NANOS = 1_000_000_000;
    /**
     * The least delay of a hedge at a percentile. With a shorter delay, pauses of this process would cause hedges. Not
     * measured.
     */
    private static final long LEAST_HEDGE_NANOS = 1_000_000;

    final EndpointBuilder<Q, A> options;
    final Latencies latencies = new Latencies();
    final Budget budget;
    final Backoff backoff;
    private final LongAdder called = new LongAdder(); // this and the next two count attempts if there is no bulkhead
    private final LongAdder ended = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    final SpindlePart reported = list -> list.add(SpindlePart.Kind.ENDPOINT, null, stats());

    Endpoint(EndpointBuilder<Q, A> options) {
        this.options = options;
        budget = options.budget();
        backoff = options.backoff();
    }

    /**
     * Returns a builder for an endpoint that makes its calls by {@code call}. Messages contain {@code name}.
     *
     * <p>A lambda for {@code call} must declare the types of its parameters, as in {@code (Long id, Attempt attempt) ->
     * db.user(id)}, if a method of the builder is called on the result. The compiler cannot infer them there.
     */
    public static <Q extends @Nullable Object, A extends @Nullable Object> EndpointBuilder<Q, A> builder(
            Spindle spindle, String name, Call<Q, A> call) {
        return new EndpointBuilder<>(
                requireNonNull(spindle, "spindle"), requireNonNull(name, "name"), requireNonNull(call, "call"));
    }

    /** Returns an endpoint without guards. Its calls end by their deadlines. */
    public static <Q extends @Nullable Object, A extends @Nullable Object> Endpoint<Q, A> create(
            Spindle spindle, String name, Call<Q, A> call) {
        return builder(spindle, name, call).build();
    }

    @Override
    public CompletableFuture<Outcome<A>> call(Q request, Deadline deadline) {
        return call(request, deadline, false);
    }

    /**
     * Makes a call as {@link #call} does, but sets no timer for {@code deadline}: the caller has one, for example one
     * for many calls, and cancels the future when the deadline has passed. A cancellation after the deadline counts as
     * a timeout of the backend, an earlier one does not. A timeout of the endpoint that ends before {@code deadline}
     * has its timer as ever.
     */
    public CompletableFuture<Outcome<A>> callWatched(Q request, Deadline deadline) {
        return call(request, deadline, true);
    }

    private CompletableFuture<Outcome<A>> call(Q request, Deadline deadline, boolean watched) {
        Headroom.requireThrice();
        Execution<Q, A> execution = new Execution<>(this, request, requireNonNull(deadline, "deadline"), watched);
        CallFuture<Outcome<A>> answer = new CallFuture<>(execution::abandon);
        execution.begin(answer);
        return answer;
    }

    /** Returns the outcome of a call that must not be made, or null if the call may be made. */
    @Nullable
    Outcome<A> refusal(Deadline deadline) {
        if (isTooLittle(deadline.remainingNanos())) {
            return tooLate();
        }
        return isShutdown() ? rejectedBy("the spindle is shut down") : null;
    }

    /** Returns true if a call with so little time left is not worth making. */
    boolean isTooLittle(long leftNanos) {
        return leftNanos == 0 || leftNanos < options.floorNanos;
    }

    /** Returns the time after which an unanswered call is a failure of the backend. */
    long expectedNanos() {
        return options.timeoutNanos == Long.MAX_VALUE ? UNLIMITED_NANOS : options.timeoutNanos;
    }

    Outcome<A> tooLate() {
        return new Outcome.TimedOut<>(this + " was not called: too little of the deadline was left");
    }

    @Override
    public void discard(A answer) {
        UserCode.guarded(() -> options.onDiscard.accept(answer));
    }

    void discardOutcome(@Nullable Outcome<A> outcome) {
        if (outcome instanceof Outcome.Value<A> value) {
            discard(value.value());
        }
    }

    /**
     * Returns the counts of the endpoint's bulkhead: {@link Bulkhead#stats}. A call has one permit for each of its
     * attempts. If endpoints share the bulkhead, the counts are those of all of them. Without a bulkhead,
     * {@link Stats#running} and {@link Stats#completed} count the attempts that have called the backend,
     * {@link Stats#accepted} is their sum, and {@link Stats#rejected} counts the attempts that the breaker has refused.
     */
    public Stats stats() {
        Bulkhead bulkhead = options.bulkhead;
        if (bulkhead != null) {
            return bulkhead.stats(options.name);
        }
        long done = ended.sum(); // before the read of `called`, so that the difference is not negative
        long all = called.sum();
        int running = (int) Math.min(Integer.MAX_VALUE, all - done);
        return new Figures(
                options.name, all, done, 0, rejected.sum(), 0, 0, 0, 0, running, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    /** Counts an attempt that calls the backend. */
    void countCalled() {
        if (options.bulkhead == null) {
            called.increment();
        }
    }

    /** Counts the end of an attempt; {@code wasCalled} is true if the attempt was counted by {@link #countCalled}. */
    void countEnded(boolean wasCalled, Outcome<A> outcome) {
        if (options.bulkhead != null) {
            return;
        }
        if (wasCalled) {
            ended.increment();
        } else if (outcome instanceof Outcome.Rejected<A>) {
            rejected.increment();
        }
    }

    Outcome<A> rejectedBy(String what) {
        return new Outcome.Rejected<>(this + " was not called: " + what);
    }

    Execution.Verdict verdict(Outcome<A> outcome) {
        if (options.failureWhen.test(outcome)) {
            return Execution.Verdict.FAILED;
        }
        return outcome instanceof Outcome.Value<A> || outcome instanceof Outcome.Failed<A>
                ? Execution.Verdict.FINAL
                : Execution.Verdict.OTHER;
    }

    boolean mayRepeat(Q request) {
        return (options.retries > 0 || options.hasHedges()) && options.idempotent.test(request);
    }

    /** Returns the delay of a hedge; -1 if there are no hedges, or not enough calls for a percentile. */
    long hedgeNanos() {
        if (options.hedgePercentile == 0) {
            return options.hedgeNanos == 0 ? -1 : options.hedgeNanos;
        }
        long seen = latencies.at(options.hedgePercentile);
        return seen < 0 ? -1 : Math.max(LEAST_HEDGE_NANOS, seen);
    }

    long nanoTime() {
        return Deadline.nanoTime(options.spindle);
    }

    /**
     * Sets a timer of the spindle that runs {@code action}. A {@code shutdownNow} runs {@code action} at once.
     *
     * @throws RejectedExecutionException after a shutdown
     */
    TimeLimit timer(long nanos, Runnable action) {
        return TimeLimits.set(options.spindle, Duration.ofNanos(nanos), action);
    }

    boolean isShutdown() {
        return options.spindle.isShutdown();
    }

    @Override
    String label() {
        return toString();
    }

    /** Returns a string with the name. */
    @Override
    public String toString() {
        return "endpoint " + options.name;
    }
}
