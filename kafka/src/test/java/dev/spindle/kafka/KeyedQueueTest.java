// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KeyedQueueTest {
    private final Spindle spindle = Spindle.create();
    private final ConcurrentLinkedQueue<String> handled = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        spindle.close();
    }

    @Test
    void records_ofOneKey_areHandledInOrder_andAllBeforeTheCloseReturns() {
        KeyedQueue<String, Integer> queue =
                KeyedQueue.local(spindle, record -> handled.add(record.key() + record.value()));
        for (int i = 0; i < 1_000; i++) {
            assertThat(queue.send("k", i)).isCompleted();
        }
        queue.close();
        queue.close();

        assertThat(handled).hasSize(1_000).startsWith("k0", "k1", "k2").endsWith("k999");
        assertThatThrownBy(() -> queue.send("k", 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void record_ofTheLocalQueue_hasAPlace() {
        AtomicReference<@Nullable KeyedRecord<String, String>> seen = new AtomicReference<>();
        KeyedQueue<String, String> queue = KeyedQueue.local(spindle, seen::set);
        queue.send(null, null).join();
        queue.close();

        KeyedRecord<String, String> record = seen.get();
        assertThat(record).isNotNull();
        if (record != null) {
            assertThat(record).hasToString("local-0@0");
            assertThat(record.key()).isNull();
            assertThat(record.value()).isNull();
            assertThat(record.headers()).isEqualTo(List.of());
            assertThat(record.timestamp()).isEqualTo(-1);
            assertThat(record.attempt()).isEqualTo(1);
            assertThat(record.superseded()).isZero();
        }
    }

    @Test
    void failedAttempt_isRepeatedInOrder() {
        KeyedQueue<String, String> queue = KeyedQueue.local(spindle, record -> {
            handled.add(record.value() + record.attempt());
            if (record.attempt() == 1) {
                throw new Exception("on purpose");
            }
        });
        queue.send("k", "a").join();
        queue.send("k", "b").join();
        queue.close();

        assertThat(handled).containsExactly("a1", "a2", "b1", "b2");
    }

    @Test
    void close_byAHandler_isRefused() {
        AtomicReference<@Nullable KeyedQueue<String, String>> itself = new AtomicReference<>();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        CountDownLatch tried = new CountDownLatch(1);
        KeyedQueue<String, String> queue = KeyedQueue.local(spindle, record -> {
            KeyedQueue<String, String> own = itself.get();
            try {
                if (own != null) {
                    own.close();
                }
            } catch (IllegalStateException e) {
                failure.set(e);
            } finally {
                tried.countDown();
            }
        });
        itself.set(queue);
        queue.send("k", "a").join();
        Eventually.await(tried);
        queue.close();

        assertThat(failure.get()).hasMessageContaining("worker");
    }

    @Test
    void kafka_withoutATopic_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyedQueue.<String, String>kafka(spindle, Map.of("group.id", "g"), record -> {}))
                .withMessageContaining("spindle.topic");
    }
}
