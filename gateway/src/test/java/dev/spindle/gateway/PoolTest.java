// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.gateway.config.BackendConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The connections to a backend: how many there are, and for how long. */
@Timeout(60)
class PoolTest {
    private static BackendConfig.Builder at(TestBackend backend) {
        return BackendConfig.builder("a", backend.url()).limit(Duration.ofSeconds(30));
    }

    /** Each held for a latch: so as many as there are can be told. */
    @ParameterizedTest
    @CsvSource({"1, 4", "2, 4", "3, 4", "3, 2", "4, 4", "1, 1"})
    void h4_connections_areSoManyInAllLoops(int connections, int loops) throws Exception {
        Semaphore go = new Semaphore(0);
        Semaphore asked = new Semaphore(0);
        AtomicInteger underWay = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    for (; ; ) {
                        self.request(wire);
                        most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                        asked.release();
                        go.acquire();
                        underWay.decrementAndGet();
                        wire.send(Wire.ok("fine"));
                    }
                });
                Gateway gateway = Gateways.start(
                        Gateways.proxy(at(backend).connections(connections)).threads(loops))) {
            List<Wire> wires = new ArrayList<>();
            for (int i = 0; i < 4 * loops; i++) {
                wires.add(Wire.to(gateway.address()).send(Wire.get("/" + i)));
            }
            asked.acquire(connections);
            for (Wire wire : wires) { // all have been read: each loop has answered what came behind
                assertThat(Wire.ask(gateway, "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n")
                                .status())
                        .isEqualTo(400);
            }
            assertThat(backend.connections()).isEqualTo(connections);
            go.release(1_000_000);
            for (int round = 0; round < 5; round++) {
                for (int i = 0; i < wires.size(); i++) {
                    assertThat(wires.get(i).read().body()).isEqualTo("fine");
                    if (round < 4) {
                        wires.get(i).send(Wire.get("/" + i));
                    }
                }
            }
            for (Wire wire : wires) {
                wire.close();
            }
            assertThat(most.get()).isLessThanOrEqualTo(connections);
        }
    }

    @Test
    void h4_idleConnectionOfALoop_isNotInTheWayOfAnother() throws Exception {
        try (TestBackend backend = TestBackend.saying("fine");
                Gateway gateway = Gateways.start(
                        Gateways.proxy(at(backend).connections(1).waiting(0)).threads(4))) {
            List<Wire> wires = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                wires.add(Wire.to(gateway.address()));
            }
            for (int round = 0; round < 3; round++) {
                for (Wire wire : wires) {
                    assertThat(wire.send(Wire.get("/")).read().body()).isEqualTo("fine");
                }
            }
            for (Wire wire : wires) {
                wire.close();
            }
        }
    }

    /** A loop with always something to do gives way as well. */
    @Test
    void h4_busyLoop_givesItsPlaceToOthersInTurn() throws Exception {
        try (TestBackend backend = TestBackend.saying("fine");
                Gateway gateway = Gateways.start(
                        Gateways.proxy(at(backend).connections(1)).threads(2))) {
            CountDownLatch over = new CountDownLatch(1);
            List<Thread> busy = new ArrayList<>();
            List<Throwable> failures = new CopyOnWriteArrayList<>();
            for (int i = 0; i < 6; i++) {
                Thread thread = new Thread(() -> {
                    try (Wire wire = Wire.to(gateway.address())) {
                        for (int mine = 0; mine < 20 || over.getCount() > 0; mine++) {
                            assertThat(wire.send(Wire.get("/")).read().body()).isEqualTo("fine");
                        }
                    } catch (Throwable t) {
                        failures.add(t);
                    }
                });
                thread.start();
                busy.add(thread);
            }
            for (int i = 0; i < 4; i++) {
                assertThat(Wire.ask(gateway, Wire.get("/")).body()).isEqualTo("fine");
            }
            over.countDown();
            for (Thread thread : busy) {
                thread.join();
            }
            assertThat(failures).isEmpty();
        }
    }

    @Test
    void idle_eachConnectionThatIsNotUsed_isClosedAndNotUsedAgain() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        CountDownLatch closed = new CountDownLatch(2);
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    try {
                        self.request(wire);
                        both.countDown();
                        both.await();
                        wire.send(Wire.ok("fine"));
                        self.request(wire);
                        wire.send(Wire.ok("again"));
                    } finally {
                        closed.countDown();
                    }
                });
                Gateway gateway = Gateways.start(Gateways.proxy(at(backend).idle(Duration.ofMillis(200))));
                Wire one = Wire.to(gateway.address());
                Wire two = Wire.to(gateway.address())) {
            one.send(Wire.get("/1"));
            two.send(Wire.get("/2"));
            assertThat(one.read().body()).isEqualTo("fine");
            assertThat(two.read().body()).isEqualTo("fine");

            assertThat(closed.await(10, TimeUnit.SECONDS))
                    .as("closed without another request")
                    .isTrue();
            assertThat(one.send(Wire.post("/3", "x")).read().body()).isEqualTo("fine");
            assertThat(backend.connections()).isEqualTo(3);
        }
    }

    @Test
    void idle_connectionThatWasIdleForTooLong_isNotUsedForAPost() throws Exception {
        try (TestBackend backend = TestBackend.saying("fine");
                Gateway gateway = Gateways.start(Gateways.proxy(at(backend).idle(Duration.ofMillis(100))));
                Wire wire = Wire.to(gateway.address())) {
            for (int i = 1; i <= 4; i++) {
                assertThat(wire.send(Wire.post("/", "x")).read().body()).isEqualTo("fine");
                long used = System.nanoTime();
                while (System.nanoTime() - used < 150_000_000) {
                    Thread.onSpinWait();
                }
                assertThat(backend.connections()).isEqualTo(i);
            }
        }
    }

    @Test
    void connection_thatCloses_makesRoomForTheCallThatWaits() throws Exception {
        CountDownLatch second = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    if (self.request(wire).path().equals("/1")) {
                        second.await();
                        return;
                    }
                    wire.send(Wire.ok("fine")).read();
                });
                Gateway gateway = Gateways.start(Gateways.proxy(at(backend).connections(1)));
                Wire one = Wire.to(gateway.address());
                Wire two = Wire.to(gateway.address())) {
            one.send(Wire.get("/1"));
            while (backend.requests.isEmpty()) {
                Thread.onSpinWait();
            }
            two.send(Wire.get("/2"));
            assertThat(Wire.ask(gateway, "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n").status())
                    .isEqualTo(400);
            second.countDown();

            assertThat(one.read().status()).isEqualTo(502);
            assertThat(two.read().body()).isEqualTo("fine");
        }
    }
}
