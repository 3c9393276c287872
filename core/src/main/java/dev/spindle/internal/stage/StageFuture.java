// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.stage;

import dev.spindle.internal.CallersSimulation;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.Pool;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.lane.WaitGraph;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A future whose {@code Async} stages without an executor argument run where the future came from, in the order in
 * which they were attached ({@link Continuations}). A wait for such a future on a worker is announced to the pool, and
 * refused if it would never end.
 */
@SuppressWarnings("NullAway") // CompletableFuture's type variable cannot express a null result
public abstract class StageFuture<T extends @Nullable Object> extends CompletableFuture<T> implements BooleanSupplier {
    private static final VarHandle HOME;

    static {
        try {
            HOME = MethodHandles.lookup().findVarHandle(StageFuture.class, "home", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * The origin or, from the first dependent stage on, the {@link Continuations} of this future; null for a derived
     * future without such a stage. Plain: both have final fields.
     */
    protected @Nullable Object home;

    /** Creates a future that came from {@code origin}, or a derived future if {@code origin} is null. */
    protected StageFuture(@Nullable Origin origin) {
        home = origin;
    }

    /** Returns the origin of this future. */
    Origin origin() {
        return home instanceof Origin origin ? origin : ((Continuations) home).origin;
    }

    /** Returns the pool of this future, or null if the executor has terminated. */
    protected final @Nullable Pool pool() {
        return origin().pool();
    }

    /** Returns the key of the lane of this future in a key space, or null. */
    protected @Nullable Object key() {
        return null;
    }

    /** Returns true if an accepted task must run before this future can complete. */
    protected boolean dependsOnTask() {
        return !isDone();
    }

    /** Returns the lane that must run before this future can complete; null if there is none or it does not exist. */
    public abstract @Nullable LaneCore existingLane();

    /** Returns true if this future may depend on others than accepted tasks. */
    boolean dependsOnOthers() {
        return false;
    }

    Continuations newContinuations() {
        return new Continuations(origin(), key());
    }

    /** Returns the continuations of this future, which are made if needed. */
    final Continuations continuations() {
        Object before = home;
        if (before instanceof Continuations own) {
            return own;
        }
        Continuations made = newContinuations();
        Object found = HOME.compareAndExchange(this, before, made);
        if (found != before) {
            return (Continuations) found;
        }
        // read after the exchange; a thread that completes this future reads `home` afterwards
        if (isDone()) { // K6
            made.end();
        }
        return made;
    }

    // ---------------------------------------------------------------- stages

    /** Creates a dependent stage. A simulation then regards a failure of this future as seen. */
    @Override
    public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
        CallersSimulation.failureSeen(this);
        return derive();
    }

    /** Returns the continuations of the task or turn for which the stages of this future wait. */
    Continuations upstream() {
        return continuations();
    }

    <U extends @Nullable Object> StageFuture<U> derive() {
        return DerivedFuture.of(upstream());
    }

    /** Records that the task of this future has ended. */
    protected final void endContinuations() {
        continuations().end();
    }

    /** Returns the lane or executor from which this future came. */
    @Override
    public Executor defaultExecutor() {
        return continuations();
    }

    final CompletableFuture<T> tell(BiConsumer<T, @Nullable Throwable> turn) {
        return super.whenComplete(turn);
    }

    private <U extends @Nullable Object> CompletableFuture<U> inTurn(
            Object user, Function<CompletableFuture<T>, CompletableFuture<U>> attach) {
        Objects.requireNonNull(user);
        Headroom.requireTwice();
        return DerivedFuture.attach(this, user, attach);
    }

    @Override
    public <U extends @Nullable Object> CompletableFuture<U> thenApplyAsync(Function<? super T, ? extends U> function) {
        return inTurn(function, source -> source.thenApply(function));
    }

    @Override
    public CompletableFuture<@Nullable Void> thenAcceptAsync(Consumer<? super T> function) {
        return inTurn(function, source -> source.thenAccept(function));
    }

    @Override
    public CompletableFuture<@Nullable Void> thenRunAsync(Runnable function) {
        return inTurn(function, source -> source.thenRun(function));
    }

    @Override
    public <U extends @Nullable Object> CompletableFuture<U> handleAsync(
            BiFunction<? super T, Throwable, ? extends U> function) {
        return inTurn(function, source -> source.handle(function));
    }

    @Override
    public CompletableFuture<T> whenCompleteAsync(BiConsumer<? super T, ? super Throwable> function) {
        return inTurn(function, source -> source.whenComplete(function));
    }

    @Override
    public <U extends @Nullable Object> CompletableFuture<U> thenComposeAsync(
            Function<? super T, ? extends CompletionStage<U>> function) {
        return inTurn(function, source -> source.thenCompose(function));
    }

    @Override
    public CompletableFuture<T> exceptionallyAsync(Function<Throwable, ? extends T> function) {
        return inTurn(function, source -> source.exceptionally(function));
    }

    @Override
    public CompletableFuture<T> exceptionallyComposeAsync(Function<Throwable, ? extends CompletionStage<T>> function) {
        return inTurn(function, source -> source.exceptionallyCompose(function));
    }

    @Override
    public <U extends @Nullable Object, V extends @Nullable Object> CompletableFuture<V> thenCombineAsync(
            CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> function) {
        StageFuture<Both<T, U>> both = DerivedFuture.withOthers(super.thenCombine(other, Both::new));
        return both.inTurn(function, source -> source.thenApply(of -> function.apply(of.first, of.second)));
    }

    @Override
    public <U extends @Nullable Object> CompletableFuture<@Nullable Void> thenAcceptBothAsync(
            CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> function) {
        StageFuture<Both<T, U>> both = DerivedFuture.withOthers(super.thenCombine(other, Both::new));
        return both.inTurn(function, source -> source.thenAccept(of -> function.accept(of.first, of.second)));
    }

    @Override
    public CompletableFuture<@Nullable Void> runAfterBothAsync(CompletionStage<?> other, Runnable function) {
        return DerivedFuture.withOthers(super.runAfterBoth(other, () -> {}))
                .inTurn(function, source -> source.thenRun(function));
    }

    @Override
    public <U extends @Nullable Object> CompletableFuture<U> applyToEitherAsync(
            CompletionStage<? extends T> other, Function<? super T, U> function) {
        return DerivedFuture.withAlternative(this, super.applyToEither(other, Function.identity()))
                .inTurn(function, source -> source.thenApply(function));
    }

    @Override
    public CompletableFuture<@Nullable Void> acceptEitherAsync(
            CompletionStage<? extends T> other, Consumer<? super T> function) {
        return DerivedFuture.withAlternative(this, super.applyToEither(other, Function.identity()))
                .inTurn(function, source -> source.thenAccept(function));
    }

    @Override
    public CompletableFuture<@Nullable Void> runAfterEitherAsync(CompletionStage<?> other, Runnable function) {
        return DerivedFuture.withAlternative(this, super.runAfterEither(other, () -> {}))
                .inTurn(function, source -> source.thenRun(function));
    }

    private record Both<T extends @Nullable Object, U extends @Nullable Object>(T first, U second) {}

    @Override
    public <U extends @Nullable Object> CompletableFuture<U> thenCompose(
            Function<? super T, ? extends CompletionStage<U>> function) {
        return DerivedFuture.withOthers(super.thenCompose(function));
    }

    @Override
    public CompletableFuture<T> exceptionallyCompose(Function<Throwable, ? extends CompletionStage<T>> function) {
        return DerivedFuture.withOthers(super.exceptionallyCompose(function));
    }

    @Override
    public <U extends @Nullable Object, V extends @Nullable Object> CompletableFuture<V> thenCombine(
            CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> function) {
        return DerivedFuture.withOthers(super.thenCombine(other, function));
    }

    @Override
    public <U extends @Nullable Object> CompletableFuture<@Nullable Void> thenAcceptBoth(
            CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> function) {
        return DerivedFuture.withOthers(super.thenAcceptBoth(other, function));
    }

    @Override
    public CompletableFuture<@Nullable Void> runAfterBoth(CompletionStage<?> other, Runnable function) {
        return DerivedFuture.withOthers(super.runAfterBoth(other, function));
    }

    @Override
    public <U extends @Nullable Object> CompletableFuture<U> applyToEither(
            CompletionStage<? extends T> other, Function<? super T, U> function) {
        return DerivedFuture.withAlternative(this, super.applyToEither(other, function));
    }

    @Override
    public CompletableFuture<@Nullable Void> acceptEither(
            CompletionStage<? extends T> other, Consumer<? super T> function) {
        return DerivedFuture.withAlternative(this, super.acceptEither(other, function));
    }

    @Override
    public CompletableFuture<@Nullable Void> runAfterEither(CompletionStage<?> other, Runnable function) {
        return DerivedFuture.withAlternative(this, super.runAfterEither(other, function));
    }

    // ---------------------------------------------------------------- waits

    @Override
    public T get() throws InterruptedException, ExecutionException {
        WorkerContext waiter = beginWait(0);
        try {
            long unused = await(waiter, Long.MAX_VALUE, true);
            return super.get();
        } catch (ExecutionException e) {
            CallersSimulation.failureSeen(this);
            throw e;
        } finally {
            endWait(waiter);
        }
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        long nanos = unit.toNanos(timeout);
        WorkerContext waiter = beginWait(Math.max(1, nanos));
        try {
            long left = await(waiter, nanos, true);
            if (left < 0 && timeout > 0) {
                throw new TimeoutException();
            }
            return super.get(left, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            CallersSimulation.failureSeen(this);
            throw e;
        } finally {
            endWait(waiter);
        }
    }

    @Override
    public T join() {
        WorkerContext waiter = beginWait(0);
        try {
            long unused = await(waiter, Long.MAX_VALUE, false);
            return super.join();
        } catch (CompletionException e) {
            CallersSimulation.failureSeen(this);
            throw e;
        } finally {
            endWait(waiter);
        }
    }

    @Override
    public boolean isCompletedExceptionally() {
        boolean failed = super.isCompletedExceptionally();
        if (failed) {
            CallersSimulation.failureSeen(this);
        }
        return failed;
    }

    /** Returns whether this future is done. */
    @Override
    public final boolean getAsBoolean() {
        return isDone();
    }

    /**
     * Runs the simulation until this future is done. If the pool is not a simulation, a thread that is not a worker
     * spins for a moment. Returns the remaining time.
     */
    private long await(@Nullable WorkerContext waiter, long nanos, boolean interruptible) {
        Pool by = pool();
        if (by == null || isDone()) {
            return nanos;
        }
        if (waiter == null) {
            by.stayAwake(this, nanos);
        }
        return dependsOnTask() ? by.await(this, nanos, interruptible) : by.awaitOutside(this, nanos, interruptible);
    }

    /**
     * Begins a wait of the calling thread, unless this future is done. On a worker, throws if the wait would never end,
     * else announces to the pool that the worker blocks. Returns the worker, or null.
     */
    private @Nullable WorkerContext beginWait(long limit) {
        WorkerContext waiter = isDone() ? null : WorkerContext.current();
        if (waiter == null) {
            return null;
        }
        Headroom.require();
        LaneCore target = existingLane();
        if (!isDone()) {
            WaitGraph.begin(waiter, target, this, limit);
        }
        waiter.beginBlocking(); // T2
        return waiter;
    }

    private static void endWait(@Nullable WorkerContext waiter) {
        if (waiter != null) {
            WaitGraph.end(waiter);
            waiter.endBlocking();
        }
    }
}
