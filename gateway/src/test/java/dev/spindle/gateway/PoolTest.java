// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.server.NettyGateway;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
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

    /** A backend that holds each request for a latch, so that its connections can be counted. */
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
                NettyGateway gateway = Gateways.start(
                        Gateways.proxy(at(backend).connections(connections)).threads(loops))) {
            List<Wire> wires = new ArrayList<>();
            for (int i = 0; i < 4 * loops; i++) {
                wires.add(Wire.to(gateway.address()).send(Wire.get("/" + i)));
            }
            asked.acquire(connections);
            for (int i = 0; i < wires.size(); i++) { // each loop has answered a later request
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
                NettyGateway gateway = Gateways.start(
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

    /** The streams of one connection are on one loop; the next connection is on the other. */
    @Test
    void h4_loopWithAlwaysSomethingToDo_givesItsPlaceToOthersInTurn() throws Exception {
        int streams = 50;
        try (TestBackend backend = TestBackend.answering(request -> {
                    LockSupport.parkNanos(2_000_000); // so that most of them wait
                    return Wire.ok("fine");
                });
                NettyGateway gateway = Gateways.start(
                        Gateways.proxy(at(backend).connections(1)).threads(2));
                Http2Wire busy = Http2Wire.to(gateway.address());
                Wire other = Wire.to(gateway.address())) {
            int next = 1;
            for (; next < 2 * streams; next += 2) {
                busy.get(next, "/busy");
            }
            for (int answers = 0; answers < 20; answers++, next += 2) { // this loop has the connection
                awaitAnswer(busy);
                busy.get(next, "/busy");
            }
            CompletableFuture<Integer> status = CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            return other.send(Wire.get("/other")).read().status();
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    },
                    task -> new Thread(task).start());
            int after = 0; // the others continue to be answered
            for (int answers = 0; after < 20; answers++, next += 2) {
                assertThat(answers).as("answers of the busy loop").isLessThan(1_000);
                after += status.isDone() ? 1 : 0;
                awaitAnswer(busy);
                busy.get(next, "/busy");
            }
            assertThat(status.join()).isEqualTo(200);
        }
    }

    private static void awaitAnswer(Http2Wire wire) throws IOException {
        Http2Wire.Frame frame = wire.frame();
        while (frame.type() != Http2Wire.DATA || (frame.flags() & Http2Wire.END_STREAM) == 0) {
            frame = wire.frame();
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
                NettyGateway gateway = Gateways.start(Gateways.proxy(at(backend).idle(Duration.ofMillis(200))));
                Wire one = Wire.to(gateway.address());
                Wire two = Wire.to(gateway.address())) {
            one.send(Wire.get("/1"));
            two.send(Wire.get("/2"));
            assertThat(one.read().body()).isEqualTo("fine");
            assertThat(two.read().body()).isEqualTo("fine");

            assertThat(closed.await(8, TimeUnit.SECONDS)) // shorter than a read of Wire waits
                    .as("closed without another request")
                    .isTrue();
            assertThat(one.send(Wire.post("/3", "x")).read().body()).isEqualTo("fine");
            assertThat(backend.connections()).isEqualTo(3);
        }
    }

    @Test
    void idle_connectionThatWasIdleForTooLong_isNotUsedForAPost() throws Exception {
        try (TestBackend backend = TestBackend.saying("fine");
                NettyGateway gateway = Gateways.start(Gateways.proxy(at(backend).idle(Duration.ofMillis(100))));
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
                NettyGateway gateway = Gateways.start(Gateways.proxy(at(backend).connections(1)));
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

    @Test
    void b5_callThatGivesUpWaiting_makesRoomForAnotherThatWaits() throws Exception {
        Semaphore go = new Semaphore(0);
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    for (; ; ) {
                        self.request(wire);
                        go.acquire();
                        wire.send(Wire.ok("fine"));
                    }
                });
                NettyGateway gateway =
                        Gateways.start(Gateways.proxy(at(backend).connections(1).waiting(1)));
                Wire one = Wire.to(gateway.address());
                Wire two = Wire.to(gateway.address())) {
            one.send(Wire.get("/1"));
            while (backend.requests.isEmpty()) {
                Thread.onSpinWait();
            }
            for (int i = 0; i < 3; i++) {
                assertThat(Wire.ask(gateway, "GET /gone HTTP/1.1\r\nHost: a\r\nX-Deadline-Ms: 50\r\n\r\n")
                                .status())
                        .isEqualTo(504);
            }
            two.send(Wire.get("/2"));
            assertThat(Wire.ask(gateway, "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n").status())
                    .isEqualTo(400);
            assertThat(Wire.ask(gateway, Wire.get("/3")).status())
                    .as("one waits, and no more may")
                    .isEqualTo(503);
            go.release(2);
            assertThat(one.read().body()).isEqualTo("fine");
            assertThat(two.read().body()).isEqualTo("fine");
            assertThat(backend.requests).extracting(Wire.Message::path).containsExactly("/1", "/2");
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "1, 2"})
    void backendThatIsNotThere_failsAllThatWait(int connections, int loops) throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        BackendConfig.Builder nowhere =
                BackendConfig.builder("a", "http://127.0.0.1:" + port).connections(connections);
        try (NettyGateway gateway = Gateways.start(Gateways.proxy(nowhere).threads(loops))) {
            for (int round = 0; round < 3; round++) {
                List<Wire> wires = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    wires.add(Wire.to(gateway.address()).send(Wire.get("/" + i)));
                }
                for (Wire wire : wires) {
                    assertThat(wire.read().status()).isEqualTo(502);
                    wire.close();
                }
            }
        }
    }

    @Test
    void h7_connectionsOfABackendThatIsNoMore_areClosedWhenTheyAreDone() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch idleClosed = new CountDownLatch(1);
        CountDownLatch busyClosed = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    boolean busy = self.request(wire).path().equals("/busy");
                    asked.countDown();
                    if (busy) {
                        go.await();
                    }
                    wire.send(Wire.ok("fine"));
                    if (wire.isClosed()) {
                        (busy ? busyClosed : idleClosed).countDown();
                    }
                });
                TestBackend next = TestBackend.saying("next");
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend));
                Wire wire = Wire.to(gateway.address())) {
            wire.send(Wire.get("/busy"));
            asked.await();
            assertThat(Wire.ask(gateway, Wire.get("/")).body()).isEqualTo("fine");
            gateway.reload(Gateways.proxy(next).build());

            assertThat(idleClosed.await(10, TimeUnit.SECONDS)).isTrue();
            go.countDown();
            assertThat(wire.read().body()).isEqualTo("fine");
            assertThat(busyClosed.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(wire.send(Wire.get("/")).read().body()).isEqualTo("next");
        }
    }
}
