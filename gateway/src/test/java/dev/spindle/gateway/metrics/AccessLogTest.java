// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.gateway.loop.Transport;
import dev.spindle.testkit.Simulation;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AccessLogTest {
    private static final Duration BATCH = Duration.ofMillis(200);
    private static final int MOST_CHARS = 4 << 20;

    private final Simulation simulation = Simulation.inOrder();
    private final Transport transport = new Transport();
    private final Written written = new Written();
    private final AccessLog log = new AccessLog(simulation.spindle(), written, transport.failures());

    @AfterEach
    void close() {
        simulation.close();
        transport.close();
    }

    private void add(String path) {
        log.add("peer", "GET", path, 200, 0, 0, "ok");
    }

    @Test
    void add_duringAWrite_isWrittenInTheNextBatch() {
        written.during = () -> add("/second");
        add("/first");
        simulation.advance(BATCH);
        assertThat(written.text()).contains("/first").doesNotContain("/second");
        simulation.advance(BATCH);

        assertThat(written.text()).contains("/second");
    }

    @Test
    void add_moreThanMayWait_isDroppedAndCounted() {
        while (log.dropped() == 0) {
            add("/x".repeat(200));
        }
        simulation.advance(BATCH);

        assertThat(written.size()).isBetween(MOST_CHARS - 1_000, MOST_CHARS);
    }

    /** A stream that runs an action in its first write. */
    private static final class Written extends ByteArrayOutputStream {
        private Runnable during = () -> {};

        @Override
        public synchronized void write(byte[] bytes, int from, int length) {
            super.write(bytes, from, length);
            Runnable action = during;
            during = () -> {};
            action.run();
        }

        String text() {
            return toString(StandardCharsets.UTF_8);
        }
    }
}
