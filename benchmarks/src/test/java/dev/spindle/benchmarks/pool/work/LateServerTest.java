// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LateServerTest {
    @Test
    @Timeout(30)
    void call_anyNumber_returnsNotBeforeTheDelay() throws InterruptedException {
        try (LateServer server = new LateServer(2, 20)) {
            AtomicReference<Long> other = new AtomicReference<>();
            Thread second = new Thread(() -> other.set(nanos(server)));
            second.start();

            assertThat(nanos(server)).isGreaterThanOrEqualTo(20_000_000);
            assertThat(nanos(server)).isGreaterThanOrEqualTo(20_000_000);
            second.join();
            assertThat(other.get()).isGreaterThanOrEqualTo(20_000_000);
        }
    }

    private static long nanos(LateServer server) {
        long start = System.nanoTime();
        server.call();
        return System.nanoTime() - start;
    }
}
