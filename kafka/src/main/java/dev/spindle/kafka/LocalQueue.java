// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import dev.spindle.Spindle;
import dev.spindle.internal.Pool;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A queue in the memory of this process. Names no class of Kafka's client. */
final class LocalQueue<K, V> implements KeyedQueue<K, V>, BooleanSupplier {
    /** The longest close. Not measured. */
    private static final Duration CLOSE = Duration.ofSeconds(30);

    private final Spindle spindle;
    private final Calls<K, V> calls;
    private final LaneKeys lanes = new LaneKeys();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong pending = new AtomicLong(1); // one for the open queue
    private final CompletableFuture<@Nullable Void> drained = new CompletableFuture<>();
    private volatile boolean closed;
    private volatile boolean fenced;

    LocalQueue(Spindle spindle, KeyedHandler<K, V> handler) {
        this.spindle = spindle;
        calls = new Calls<>(spindle, "queue", Integer.MAX_VALUE, handler, null, false, new Retries(), null);
    }

    @Override
    public CompletableFuture<@Nullable Void> send(@Nullable K key, @Nullable V value) {
        Throwable fatal = calls.fatal();
        if (fatal != null) {
            throw new IllegalStateException("the queue has stopped, since a record could not be handled", fatal);
        }
        pending.incrementAndGet();
        if (closed) {
            ended();
            throw new IllegalStateException("the queue is closed");
        }
        LocalRecord record = new LocalRecord(calls, key, value, sent.getAndIncrement());
        try {
            record.setLane(lanes.of(key));
            calls.submit(record);
        } catch (RuntimeException | Error e) {
            ended();
            throw e;
        }
        return CompletableFuture.completedFuture(null);
    }

    private void ended() {
        if (pending.decrementAndGet() == 0) {
            boolean unused = drained.complete(null);
        }
    }

    /** Returns true if no further call begins. */
    @Override
    public boolean getAsBoolean() {
        return fenced;
    }

    @Override
    public void close() {
        if (Pool.of(spindle).isWorking()) {
            throw new IllegalStateException("the queue cannot be closed by a worker of " + spindle);
        }
        synchronized (this) {
            if (!closed) {
                closed = true;
                ended();
            }
        }
        boolean interrupted = false;
        try {
            long end = spindle.nanoTime() + CLOSE.toNanos();
            while (calls.fatal() == null && !drained.isDone() && end - spindle.nanoTime() > 0) {
                awaitDrained();
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        fenced = true;
        calls.kickAll();
        calls.cancelTimers();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitDrained() throws InterruptedException {
        try {
            drained.get(10, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // looks whether the queue has stopped
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private final class LocalRecord extends Call<K, V> {
        private final long offset;

        LocalRecord(Calls<K, V> calls, @Nullable K key, @Nullable V value, long offset) {
            super(calls, key, value);
            this.offset = offset;
        }

        @Override
        BooleanSupplier fence() {
            return LocalQueue.this;
        }

        @Override
        boolean mayBegin() {
            return true;
        }

        @Override
        void countAside(int records) {}

        @Override
        void returned(Outcome outcome) {
            ended();
        }

        @Override
        public String topic() {
            return "local";
        }

        @Override
        public int partition() {
            return 0;
        }

        @Override
        public long offset() {
            return offset;
        }

        @Override
        public long timestamp() {
            return -1;
        }

        @Override
        public List<Header> headers() {
            return List.of();
        }
    }
}
