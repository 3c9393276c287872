// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.gateway.config.Address;
import dev.spindle.gateway.config.Limits;
import dev.spindle.gateway.config.Settings;
import dev.spindle.gateway.server.NettyGateway;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits of the addresses for balancers and people. */
@Timeout(60)
class AdminTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Address LOOPBACK = new Address("127.0.0.1", 0);

    private static Settings.Builder config(TestBackend backend, Limits.Builder limits) {
        return Gateways.proxy(backend).admin(LOOPBACK).agent(LOOPBACK).limits(limits.build());
    }

    @Test
    void h4_adminConnections_areNoMoreThanStated() throws Exception {
        try (TestBackend backend = TestBackend.saying("x");
                NettyGateway gateway = Gateways.start(config(backend, Limits.builder()))) {
            Address admin = gateway.admin().orElseThrow();
            List<Wire> wires = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                wires.add(Wire.to(admin));
                assertThat(wires.get(i).send(Wire.get("/live")).read().status()).isEqualTo(200);
            }
            for (int i = 0; i < 20; i++) {
                try (Wire more = Wire.to(admin)) {
                    assertThat(more.isClosed()).isTrue();
                }
            }
            assertThat(wires.get(99).send(Wire.get("/ready")).read().status()).isEqualTo(200);
            wires.get(0).close();
            while (true) { // until the closing of a connection was seen
                try (Wire next = Wire.to(admin)) {
                    assertThat(next.send(Wire.get("/live")).read().status()).isEqualTo(200);
                    break;
                } catch (IOException stillFull) {
                    Thread.onSpinWait();
                }
            }
            for (Wire wire : wires) {
                wire.close();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GET /live HTTP/1.1\r\nHost: a\r\n\r\n"})
    void h4_adminConnectionWithoutARequest_isClosed(String before) throws Exception {
        try (TestBackend backend = TestBackend.saying("x");
                NettyGateway gateway =
                        Gateways.start(config(backend, Limits.builder().idleTime(SHORT)));
                Wire wire = Wire.to(gateway.admin().orElseThrow())) {
            if (!before.isEmpty()) {
                assertThat(wire.send(before).read().status()).isEqualTo(200);
            }
            assertThat(wire.isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /live HTTP/1.1\r\nX: ", "POST /live HTTP/1.1\r\nContent-Length: 1000\r\n\r\n"})
    void h4_adminRequestThatTakesTooLong_endsItsConnection(String begin) throws Exception {
        try (TestBackend backend = TestBackend.saying("x");
                NettyGateway gateway =
                        Gateways.start(config(backend, Limits.builder().headTime(SHORT)));
                Wire wire = Wire.to(gateway.admin().orElseThrow())) {
            wire.send(begin);
            CountDownLatch over = new CountDownLatch(1);
            Thread slow = new Thread(() -> {
                try {
                    while (over.getCount() > 0) {
                        wire.send("x");
                        LockSupport.parkNanos(50_000_000);
                    }
                } catch (IOException e) {
                    // the gateway has closed
                }
            });
            slow.start();
            assertThat(wire.isClosed()).isTrue();
            over.countDown();
            slow.join();
        }
    }

    /** At most one answer is produced that the client does not read. */
    @Test
    void h4_adminClientThatReadsNothing_isCutOff() throws Exception {
        try (TestBackend backend = TestBackend.saying("x");
                NettyGateway gateway =
                        Gateways.start(config(backend, Limits.builder().headTime(SHORT)));
                Wire wire = Wire.to(gateway.admin().orElseThrow())) {
            boolean closed = false;
            for (int i = 0; i < 100_000 && !closed; i++) {
                try {
                    wire.send(Wire.get("/metrics").repeat(100));
                } catch (IOException e) {
                    closed = true;
                }
            }
            assertThat(closed).isTrue();
        }
    }

    @Test
    void agentConnection_isAnsweredThoughAdminIsFull() throws Exception {
        try (TestBackend backend = TestBackend.saying("x");
                NettyGateway gateway = Gateways.start(config(backend, Limits.builder()))) {
            List<Wire> wires = new ArrayList<>();
            for (int i = 0; i < 120; i++) {
                wires.add(Wire.to(gateway.admin().orElseThrow()));
            }
            for (int i = 0; i < 120; i++) {
                try (Wire agent = Wire.to(gateway.agent().orElseThrow())) {
                    assertThat(agent.rest()).isEqualTo("up ready 100%\n");
                }
            }
            for (Wire wire : wires) {
                wire.close();
            }
        }
    }
}
