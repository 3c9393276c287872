// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import dev.spindle.Blocking;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The future that a caller gets. Whoever completes it from outside ends the work behind it first. A worker that waits
 * for it is replaced meanwhile.
 */
final class Answer<T extends @Nullable Object> extends CompletableFuture<Outcome<T>> implements Receiver<T> {
    /** Ends the work; null as soon as nothing is left to end, so that the answer keeps nothing of it. */
    private volatile @Nullable Runnable abandon;

    Answer(Runnable abandon) {
        this.abandon = abandon;
    }

    /** Completes with the outcome of the work; false if the caller was faster. */
    @Override
    public boolean settle(Outcome<T> outcome) {
        abandon = null;
        return super.complete(outcome);
    }

    private void abandon() {
        Runnable end = abandon;
        if (end != null && !isDone()) {
            Headroom.forOneStep();
            abandon = null;
            end.run();
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        abandon();
        return super.cancel(mayInterruptIfRunning);
    }

    @Override
    public boolean complete(Outcome<T> outcome) {
        abandon();
        return super.complete(outcome);
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        abandon();
        return super.completeExceptionally(failure);
    }

    @Override
    public void obtrudeValue(Outcome<T> outcome) {
        abandon();
        super.obtrudeValue(outcome);
    }

    @Override
    public void obtrudeException(Throwable failure) {
        abandon();
        super.obtrudeException(failure);
    }

    /** Dependents are plain futures, which do not end the work. */
    @Override
    public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }

    @Override
    public Outcome<T> join() {
        return isDone() ? super.join() : unchecked(super::join);
    }

    @Override
    public Outcome<T> get() throws InterruptedException, ExecutionException {
        return isDone() ? super.get() : checked(super::get);
    }

    @Override
    public Outcome<T> get(long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (isDone()) {
            return super.get(timeout, unit);
        }
        try {
            return Blocking.call(() -> super.get(timeout, unit));
        } catch (InterruptedException | ExecutionException | TimeoutException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("get throws nothing else", e);
        }
    }

    private static <V> V checked(Callable<V> wait) throws InterruptedException, ExecutionException {
        try {
            return Blocking.call(wait);
        } catch (InterruptedException | ExecutionException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("get throws nothing else", e);
        }
    }

    private static <V> V unchecked(Callable<V> wait) {
        try {
            return Blocking.call(wait);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("join throws nothing else", e);
        }
    }
}
