// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow.internal;

import dev.spindle.Spindle;
import dev.spindle.internal.Headroom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The future of a call. If the caller completes or cancels the future, the call ends first. While a worker waits for
 * the future, another worker may take its place.
 */
public final class CallFuture<T extends @Nullable Object> extends CompletableFuture<T> implements Promise<T> {
    /** The action that ends the call; null after the end, so that the future does not refer to the call. */
    private volatile @Nullable Runnable abandon;

    /** Creates a future that runs {@code abandon} when its caller completes or cancels the future. */
    public CallFuture(Runnable abandon) {
        this.abandon = abandon;
    }

    /** Completes this future with the result of the call. Returns false if the caller has completed it before. */
    @Override
    public boolean settle(T result) {
        abandon = null;
        return super.complete(result);
    }

    private void abandon() {
        Runnable end = abandon;
        if (end != null && !isDone()) {
            Headroom.requireTwice();
            abandon = null;
            end.run();
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        abandon(); // B1
        return super.cancel(mayInterruptIfRunning);
    }

    @Override
    public boolean complete(T result) {
        abandon();
        return super.complete(result);
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        abandon();
        return super.completeExceptionally(failure);
    }

    @Override
    public void obtrudeValue(T result) {
        abandon();
        super.obtrudeValue(result);
    }

    @Override
    public void obtrudeException(Throwable failure) {
        abandon();
        super.obtrudeException(failure);
    }

    /** Returns a plain future for a dependent, whose completion does not end the call. */
    @Override
    public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }

    @Override
    public T join() {
        return isDone() ? super.join() : unchecked(super::join);
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        return isDone() ? super.get() : checked(super::get);
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        if (isDone()) {
            return super.get(timeout, unit);
        }
        try {
            return Spindle.callBlocking(() -> super.get(timeout, unit));
        } catch (InterruptedException | ExecutionException | TimeoutException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("get throws nothing else", e);
        }
    }

    private static <V> V checked(Callable<V> wait) throws InterruptedException, ExecutionException {
        try {
            return Spindle.callBlocking(wait::call);
        } catch (InterruptedException | ExecutionException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("get throws nothing else", e);
        }
    }

    private static <V> V unchecked(Callable<V> wait) {
        try {
            return Spindle.callBlocking(wait::call);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("join throws nothing else", e);
        }
    }
}
