// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.kafka.Call.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Calls on their lanes, with a source in memory. */
abstract class CallsInMemory {
    final Spindle spindle = Spindle.builder().maxThreads(8).build();
    final Retries retries = new Retries();
    final AtomicBoolean fenced = new AtomicBoolean();
    final AtomicBoolean certain = new AtomicBoolean(true);
    final AtomicInteger aside = new AtomicInteger();
    final Map<Long, Outcome> outcomes = new ConcurrentHashMap<>();
    final ConcurrentLinkedQueue<String> handled = new ConcurrentLinkedQueue<>();
    final AtomicInteger returned = new AtomicInteger();
    final ConcurrentLinkedQueue<Consumer<@Nullable Throwable>> letters = new ConcurrentLinkedQueue<>();
    private long next;

    {
        retries.setBackoff(Duration.ofMillis(1), Duration.ofMillis(1));
    }

    @AfterEach
    void close() {
        spindle.close();
    }

    Calls<String, String> calls(KeyedHandler<String, String> handler) {
        return new Calls<>(spindle, "test", 100, handler, null, false, retries, this::send);
    }

    void send(
            Call<String, String> call,
            Throwable failure,
            FailurePolicy policy,
            Consumer<@Nullable Throwable> acknowledged) {
        letters.add(acknowledged);
    }

    Source submit(Calls<String, String> calls, @Nullable String key, String value) {
        return submit(calls, key, value, fenced::get);
    }

    Source submit(Calls<String, String> calls, @Nullable String key, String value, BooleanSupplier fence) {
        Source call = new Source(calls, key, value, next++, fence);
        call.setLane(key);
        calls.submit(call);
        return call;
    }

    void awaitReturned(int records) {
        Eventually.until(() -> returned.get() == records, () -> outcomes);
    }

    final class Source extends Call<String, String> {
        private final long offset;
        private final BooleanSupplier fence;

        Source(Calls<String, String> calls, @Nullable String key, String value, long offset, BooleanSupplier fence) {
            super(calls, key, value);
            this.offset = offset;
            this.fence = fence;
        }

        @Override
        BooleanSupplier fence() {
            return fence;
        }

        @Override
        boolean mayBegin() {
            return certain.get();
        }

        @Override
        void countAside(int records) {
            aside.addAndGet(records);
        }

        @Override
        void returned(Outcome outcome) {
            assertThat(outcomes.put(offset, outcome)).isNull();
            returned.incrementAndGet();
        }

        @Override
        public String topic() {
            return "topic";
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
