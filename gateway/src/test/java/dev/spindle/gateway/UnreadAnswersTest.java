// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.Limits;
import dev.spindle.gateway.config.RouteConfig;
import dev.spindle.gateway.config.Settings;
import dev.spindle.gateway.server.NettyGateway;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that a client does not read: they are bounded in bytes and in time, and hold up no other client. */
@Timeout(90)
class UnreadAnswersTest {
    private static final Duration SHORT = Duration.ofMillis(400);
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String BODY = "x".repeat(60_000);
    /** More than all buffers hold of a connection whose receive buffer is small. */
    private static final String LARGE = "y".repeat(4 << 20);

    /** One backend behind a proxy at /one and a multicast at /all. */
    private static Settings.Builder config(TestBackend backend, Limits.Builder limits, Duration limit) {
        return Gateways.config()
                .limits(limits.answer(16 << 20).build())
                .backend(BackendConfig.builder("a", backend.url()).limit(LONG).build())
                .route(RouteConfig.proxy("/one", "a").limit(limit).build())
                .route(RouteConfig.multicast("/all", "a").limit(limit).build());
    }

    private static TestBackend sized() throws IOException {
        return TestBackend.answering(request -> Wire.ok(request.field("x-large") == null ? BODY : LARGE));
    }

    private static String large(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: test\r\nX-Large: 1\r\n\r\n";
    }

    private static long metric(NettyGateway gateway, String name) {
        return gateway.metrics()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) { // until the timeout of the class
            LockSupport.parkNanos(5_000_000);
        }
    }

    private static void awaitQuiet(NettyGateway gateway) {
        await(() -> metric(gateway, "spindle_gateway_requests_in_flight") == 0);
        await(() -> metric(gateway, "spindle_gateway_held_bytes") == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/one", "/all"})
    void h4_pipeliningClientThatReadsNothing_hasOneAnswerUnderWayAndIsCutOff(String path) throws Exception {
        try (TestBackend backend = sized();
                NettyGateway gateway =
                        Gateways.start(config(backend, Limits.builder().writeTime(Duration.ofSeconds(2)), LONG));
                Wire wire = Wire.narrow(gateway.address())) {
            byte[] requests = Wire.get(path).repeat(100).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
            Thread sender = new Thread(() -> {
                try {
                    for (int i = 0; i < 100; i++) {
                        wire.send(requests);
                    }
                } catch (IOException e) {
                    // cut off
                }
            });
            sender.start();
            int before = -1;
            for (int same = 0; same < 4; ) { // until no more is taken
                int now = backend.requests.size();
                same = now > 0 && now == before ? same + 1 : 0;
                before = now;
                LockSupport.parkNanos(100_000_000);
            }

            assertThat(metric(gateway, "spindle_gateway_held_bytes")).isLessThan(2_000_000);
            assertThat(metric(gateway, "spindle_gateway_requests_in_flight")).isLessThanOrEqualTo(1);
            assertThat(before).isLessThan(2_000); // as many as the buffers of the system hold, and one
            assertThat(Wire.ask(gateway, Wire.get(path)).status()).isEqualTo(200);
            await(() -> metric(gateway, "spindle_gateway_connections") == 0);
            awaitQuiet(gateway);
        }
    }

    @Test
    void h4_pipeliningClientThatReadsNoRefusals_isReadNoFurther() throws Exception {
        AtomicInteger sent = new AtomicInteger();
        try (TestBackend backend = sized();
                NettyGateway gateway = Gateways.start(config(backend, Limits.builder(), LONG));
                Wire wire = Wire.narrow(gateway.address())) {
            byte[] requests = Wire.get("/none").repeat(1_000).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
            Thread sender = new Thread(() -> {
                try {
                    for (int i = 0; i < 10_000; i++) {
                        wire.send(requests);
                        sent.incrementAndGet();
                    }
                } catch (IOException e) {
                    // the test is over
                }
            });
            sender.start();
            int before = -1;
            for (int same = 0; same < 5; ) {
                same = sent.get() == before ? same + 1 : 0;
                before = sent.get();
                LockSupport.parkNanos(200_000_000);
            }

            assertThat(before).isLessThan(10_000);
            assertThat(Wire.ask(gateway, Wire.get("/one")).status()).isEqualTo(200);
        }
    }

    /**
     * While many requests gather answers at once, one may be refused, or cut off if it alone is being written. But none
     * is for as long as the other clients do not read.
     */
    private static void awaitLarge(NettyGateway gateway, String path) throws IOException {
        long begin = System.nanoTime();
        while (!isAnswered(gateway, path)) {
            assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(20));
        }
    }

    private static boolean isAnswered(NettyGateway gateway, String path) throws IOException {
        try {
            return Wire.ask(gateway, large(path)).status() == 200;
        } catch (EOFException e) {
            return false;
        }
    }

    /** Each request holds an answer of 4 MiB, and all together may hold 24 MiB. */
    @ParameterizedTest
    @ValueSource(strings = {"/one", "/all"})
    void h4_manyClientsThatReadNothing_stayWithinTheMemoryAndOthersAreAnswered(String path) throws Exception {
        long most = 24 << 20;
        List<Wire> clients = new ArrayList<>();
        try (TestBackend backend = sized();
                NettyGateway gateway =
                        Gateways.start(config(backend, Limits.builder().memory(most), LONG))) {
            for (int i = 0; i < 60; i++) {
                clients.add(Wire.narrow(gateway.address()).send(large(path)));
                assertThat(metric(gateway, "spindle_gateway_held_bytes")).isLessThanOrEqualTo(most + (1 << 20));
                if (i % 10 == 9) {
                    awaitLarge(gateway, path);
                }
            }
            for (Wire client : clients) {
                client.close();
            }
            awaitQuiet(gateway);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/one", "/all"})
    void h4_limitOfTheRoute_holdsWhileTheAnswerIsNotRead(String path) throws Exception {
        assertClientThatReadsNothingIsCutOff(path, Limits.builder(), SHORT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/one", "/all"})
    void h4_writeTime_holdsForWholeAnswers(String path) throws Exception {
        assertClientThatReadsNothingIsCutOff(path, Limits.builder().writeTime(SHORT), LONG);
    }

    private static void assertClientThatReadsNothingIsCutOff(String path, Limits.Builder limits, Duration limit)
            throws Exception {
        try (TestBackend backend = sized();
                NettyGateway gateway = Gateways.start(config(backend, limits, limit));
                Wire wire = Wire.narrow(gateway.address()).send(large(path))) {
            await(() -> metric(gateway, "spindle_gateway_requests_in_flight") == 1);
            awaitQuiet(gateway);
            await(() -> metric(gateway, "spindle_gateway_connections") == 0);
            assertThat(wire).isNotNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/one", "/all"})
    void h4_readerThatMakesProgress_isNotCutOff(String path) throws Exception {
        try (TestBackend backend = sized();
                NettyGateway gateway =
                        Gateways.start(config(backend, Limits.builder().writeTime(Duration.ofSeconds(2)), LONG));
                Wire wire = Wire.narrow(gateway.address()).send(large(path))) {
            StringBuilder all = new StringBuilder();
            while (all.length() < LARGE.length()) {
                all.append(wire.exactly(64 << 10));
                LockSupport.parkNanos(60_000_000); // the whole answer takes longer than the write time
            }
            assertThat(all.toString()).startsWith("HTTP/1.1 200 OK");
        }
    }

    // ---------------------------------------------------------------- HTTP/2

    @ParameterizedTest
    @ValueSource(strings = {"/one", "/all"})
    void h8_streamWithAWindowOf0_isResetByWriteTimeAndHoldsUpNoOther(String path) throws Exception {
        try (TestBackend backend = sized();
                NettyGateway gateway =
                        Gateways.start(config(backend, Limits.builder().writeTime(SHORT), LONG));
                Http2Wire client = Http2Wire.withWindow(gateway.address(), 0)) {
            client.get(1, path);
            await(() -> metric(gateway, "spindle_gateway_requests_in_flight") == 1);
            Http2Wire.Answer answer = client.read(1);

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEmpty();
            assertThat(answer.reset()).isTrue();
            awaitQuiet(gateway);
            client.get(3, "/none").window(3, 100);
            assertThat(client.read(3).status()).isEqualTo(404);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/one", "/all"})
    void h8_limitOfTheRoute_resetsAStreamThatIsNotRead(String path) throws Exception {
        try (TestBackend backend = sized();
                NettyGateway gateway = Gateways.start(config(backend, Limits.builder(), SHORT));
                Http2Wire client = Http2Wire.withWindow(gateway.address(), 1)) {
            Http2Wire.Answer answer = client.get(1, path).read(1);

            assertThat(answer.body().length()).isEqualTo(1);
            assertThat(answer.reset()).isTrue();
            awaitQuiet(gateway);
        }
    }

    /** The client takes less than a frame within the write time. */
    @ParameterizedTest
    @ValueSource(strings = {"/one", "/all"})
    void h8_streamThatTakesByteAfterByte_isNotCutOff(String path) throws Exception {
        try (TestBackend backend = sized();
                NettyGateway gateway =
                        Gateways.start(config(backend, Limits.builder().writeTime(SHORT), LONG));
                Http2Wire client = Http2Wire.withWindow(gateway.address(), 1)) {
            client.get(1, path);
            long begin = System.nanoTime();
            int bytes = 0;
            while (System.nanoTime() - begin < 5 * SHORT.toNanos()) {
                Http2Wire.Frame frame = client.frame();
                assertThat(frame.type()).isNotEqualTo(Http2Wire.RESET);
                if (frame.type() == Http2Wire.DATA) {
                    bytes += frame.payload().length();
                    LockSupport.parkNanos(10_000_000);
                    client.window(1, 1);
                }
            }
            client.window(1, 100_000);

            assertThat(client.read(1).body().length() + bytes).isGreaterThanOrEqualTo(BODY.length());
        }
    }

    @Test
    void h8_manyStreamsThatReadNothing_stayWithinTheMemory() throws Exception {
        long most = 24 << 20;
        List<Http2Wire> clients = new ArrayList<>();
        try (TestBackend backend = sized();
                NettyGateway gateway =
                        Gateways.start(config(backend, Limits.builder().memory(most), LONG))) {
            for (int i = 0; i < 10; i++) {
                Http2Wire client = Http2Wire.withWindow(gateway.address(), 0);
                clients.add(client);
                for (int stream = 1; stream < 100; stream += 2) {
                    client.get(stream, "/all");
                }
                assertThat(metric(gateway, "spindle_gateway_held_bytes")).isLessThanOrEqualTo(most + (1 << 20));
                assertThat(Wire.ask(gateway, Wire.get("/all")).status()).isEqualTo(200);
            }
            for (Http2Wire client : clients) {
                client.close();
            }
            awaitQuiet(gateway);
        }
    }

    /** The windows are wide, but the socket is not read. */
    @Test
    void h8_connectionWhoseSocketIsNotRead_isCutOffWithItsStreams() throws Exception {
        try (TestBackend backend = sized();
                NettyGateway gateway =
                        Gateways.start(config(backend, Limits.builder().writeTime(SHORT), LONG));
                Http2Wire client = Http2Wire.to(gateway.address())) {
            client.window(0, 1 << 30);
            for (int stream = 1; stream < 200; stream += 2) {
                client.get(stream, "/all").window(stream, 1 << 30);
            }
            await(() -> metric(gateway, "spindle_gateway_connections") == 0);
            awaitQuiet(gateway);
        }
    }

    @Test
    void h8_idleTime_runsWhileNoStreamIsOpen() throws Exception {
        Duration idle = SHORT;
        while (!isClosedOneIdleTimeAfterItsLastUse(idle)) {
            idle = idle.multipliedBy(2);
        }
    }

    /** Returns false if a thread was paused for too long to judge. */
    private static boolean isClosedOneIdleTimeAfterItsLastUse(Duration idle) throws Exception {
        try (TestBackend backend = TestBackend.saying("x");
                NettyGateway gateway =
                        Gateways.start(config(backend, Limits.builder().idleTime(idle), LONG));
                Http2Wire client = Http2Wire.to(gateway.address())) {
            long used = System.nanoTime();
            for (int stream = 1; stream < 12; stream += 2) {
                boolean answered =
                        client.get(stream, "/one").read(stream).body().equals("x");
                long now = System.nanoTime();
                if (!answered) {
                    assertThat(now - used).isGreaterThan(idle.toNanos() / 2);
                    return false;
                }
                used = now;
                LockSupport.parkNanos(idle.toNanos() / 3);
            }
            Http2Wire.Frame frame = client.frame();
            while (frame.type() != Http2Wire.GOAWAY) {
                frame = client.frame();
            }
            assertThat(System.nanoTime() - used).isGreaterThan(idle.toNanos() / 10 * 9);
            return true;
        }
    }

    @Test
    void h8_bodyThatItsBackendDoesNotTake_holdsUpNoOtherOfItsConnection() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (TestBackend stuck = TestBackend.of((wire, self) -> over.await());
                TestBackend backend = TestBackend.answering(request -> Wire.ok(request.body()));
                NettyGateway gateway = Gateways.start(config(
                                backend, Limits.builder().body(100 << 20), LONG)
                        .backend(BackendConfig.builder("stuck", stuck.url())
                                .limit(LONG)
                                .build())
                        .route(RouteConfig.proxy("/stuck", "stuck").limit(LONG).build()));
                Http2Wire client = Http2Wire.to(gateway.address())) {
            int window = 65_535;
            client.window(0, 1 << 24);
            client.head(1, false, post("/stuck"));
            String piece = "x".repeat(16_384);
            for (int sent = 0; window >= piece.length() && sent < 60 << 20; sent += piece.length()) {
                client.data(1, false, piece);
                window -= piece.length();
                while (window < piece.length()) { // until the gateway widens the window no further
                    if (!client.wire.hasBytesWithin(1_000)) {
                        break;
                    }
                    Http2Wire.Frame frame = client.frame();
                    if (frame.type() == Http2Wire.WINDOW && frame.stream() == 1) {
                        window += frame.increment();
                    }
                }
            }
            assertThat(window).isLessThan(piece.length());
            for (int stream = 3; stream < 30; stream += 2) {
                client.head(stream, false, post("/one")).data(stream, true, "z".repeat(16_000));
                assertThat(client.read(stream).body().length()).isEqualTo(16_000);
            }
            over.countDown();
        }
    }

    private static List<String> post(String path) {
        return List.of(":method", "POST", ":scheme", "http", ":path", path, ":authority", "test");
    }
}
