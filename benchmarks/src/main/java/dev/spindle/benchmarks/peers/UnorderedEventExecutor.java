// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.peers;

import io.netty.util.concurrent.AbstractEventExecutor;
import io.netty.util.concurrent.Future;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

/**
 * Adapts a fork-join pool to Netty. Netty's own unordered executor is a scheduled pool, which inserts every task into a
 * heap under a lock. Netty's ordered executors are faster on a fork-join pool.
 */
@SuppressWarnings("deprecation") // the deprecated shutdown() is abstract
public final class UnorderedEventExecutor extends AbstractEventExecutor {
    private final ForkJoinPool pool;

    public UnorderedEventExecutor(ForkJoinPool pool) {
        this.pool = pool;
    }

    @Override
    public void execute(Runnable task) {
        pool.execute(task);
    }

    @Override
    public boolean inEventLoop(Thread thread) {
        return false;
    }

    @Override
    public boolean isShuttingDown() {
        return pool.isShutdown();
    }

    @Override
    public boolean isShutdown() {
        return pool.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return pool.isTerminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return pool.awaitTermination(timeout, unit);
    }

    @Override
    public void shutdown() {
        pool.shutdown();
    }

    @Override
    public List<Runnable> shutdownNow() {
        return pool.shutdownNow();
    }

    @Override
    public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
        pool.shutdown();
        return terminationFuture();
    }

    @Override
    public Future<?> terminationFuture() {
        return newFailedFuture(new UnsupportedOperationException("the pool is ended by its owner"));
    }
}
