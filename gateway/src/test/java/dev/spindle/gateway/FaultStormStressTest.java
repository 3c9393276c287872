// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.BreakerConfig;
import dev.spindle.gateway.config.Concurrency;
import dev.spindle.gateway.config.Limits;
import dev.spindle.gateway.config.RequestOrder;
import dev.spindle.gateway.config.RouteConfig;
import dev.spindle.gateway.config.Settings;
import dev.spindle.gateway.server.NettyGateway;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All faults at once, under the leak detector. */
@Tag("stress")
@Timeout(120)
class FaultStormStressTest {
    private static final int CLIENTS = 8;
    private static final int REQUESTS = 80;

    private final Queue<String> leaks = new ConcurrentLinkedQueue<>();
    private ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();

    @BeforeEach
    void watchBuffers() {
        before = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ByteBufUtil.setLeakListener((type, records) -> leaks.add(type + ": " + records));
    }

    @AfterEach
    void stopWatching() {
        ByteBufUtil.setLeakListener(null);
        ResourceLeakDetector.setLevel(before);
    }

    private static TestBackend wild(int seed) throws IOException {
        AtomicInteger connections = new AtomicInteger(seed);
        return TestBackend.of((wire, self) -> {
            Random random = new Random(connections.incrementAndGet());
            for (; ; ) {
                self.request(wire);
                switch (random.nextInt(16)) {
                    case 0 -> {
                        wire.reset();
                        return;
                    }
                    case 1 -> wire.send("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nless");
                    case 2 -> wire.send(Wire.ok("fine") + "HTTP/1.1 200 OK\r\n");
                    case 3 -> wire.send("nonsense\r\n\r\n");
                    case 4 -> wire.send("HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nno");
                    case 5 -> wire.send("HTTP/1.1 200 OK\r\nX: " + "x".repeat(70_000) + "\r\n\r\n");
                    case 6 -> {
                        wire.read(); // until the client gives up
                        return;
                    }
                    case 7 -> {
                        wire.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
                        for (int i = 0; i < 20; i++) {
                            wire.send("3e8\r\n" + "x".repeat(1_000) + "\r\n");
                            LockSupport.parkNanos(1_000_000);
                        }
                        wire.send("0\r\n\r\n");
                    }
                    case 8 -> {
                        wire.send(Wire.ok("last"));
                        return;
                    }
                    case 9 -> wire.send(Wire.ok("x".repeat(200_000)));
                    case 10 -> wire.send(Wire.ok("x".repeat(3_000_000))); // more than the system's buffers
                    case 11 -> {
                        wire.send("HTTP/1.1 200 OK\r\n\r\nwithout a length");
                        wire.reset();
                        return;
                    }
                    default -> wire.send(Wire.ok("fine"));
                }
            }
        });
    }

    private static BackendConfig backend(String name, TestBackend at) {
        return BackendConfig.builder(name, at.url())
                .limit(Duration.ofMillis(150))
                .bulkhead(Concurrency.fixed(6), 2)
                .breaker(new BreakerConfig(20, 10, 0.9, Duration.ofMillis(50), 2, BreakerConfig.Engine.SPINDLE))
                .retry(1)
                .hedgeAfter(Duration.ofMillis(40))
                .build();
    }

    /** Sends one request of some kind, and returns the status, 0 for a connection that was closed. */
    private static int ask(NettyGateway gateway, Random random) throws IOException, Http2Exception {
        return switch (random.nextInt(4)) {
            case 0 -> askByHttp2(gateway, random);
            case 1 -> readLittle(gateway, random);
            default -> askByHttp1(gateway, random);
        };
    }

    private static String path(Random random) {
        return List.of("/one/" + random.nextInt(3), "/all", "/any", "/steps").get(random.nextInt(4));
    }

    private static int askByHttp1(NettyGateway gateway, Random random) throws IOException {
        try (Wire wire = Wire.to(gateway.address())) {
            String body = "b".repeat(random.nextInt(3_000));
            String path = path(random);
            switch (random.nextInt(10)) {
                case 0 -> {
                    wire.send("GET " + path + " HTTP/1.1\r\nHo").close();
                    return 0;
                }
                case 1 -> {
                    wire.send(Wire.get(path));
                    LockSupport.parkNanos(random.nextInt(50_000_000));
                    wire.reset();
                    return 0;
                }
                case 2 -> wire.send(Wire.post(path, body + "1") + Wire.get(path));
                case 3 -> wire.send("POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n" + body);
                case 4 ->
                    wire.send("GET " + path + " HTTP/1.1\r\nHost: a\r\nX-Deadline-Ms: " + (random.nextInt(2) * 29 + 1)
                            + "\r\n\r\n");
                case 5 ->
                    wire.send("POST " + path
                            + " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nbad\r\n");
                case 6 ->
                    wire.send("POST " + path + " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + "1\r\nx\r\n".repeat(500) + "0\r\n\r\n");
                default -> wire.send(Wire.post(path, body));
            }
            try {
                return wire.read().status();
            } catch (SocketTimeoutException e) {
                throw new AssertionError("a request without an answer: " + path, e);
            } catch (IOException e) {
                return 0; // closed: cut off
            }
        }
    }

    /** Reads nothing, or a byte now and then, of one answer or of many. */
    private static int readLittle(NettyGateway gateway, Random random) throws IOException {
        try (Wire wire = Wire.narrow(gateway.address())) {
            wire.send(Wire.get(path(random)).repeat(random.nextBoolean() ? 1 : 20));
            int bytes = random.nextInt(10);
            for (int i = 0; i < bytes; i++) {
                wire.exactly(1);
                LockSupport.parkNanos(10_000_000);
            }
            LockSupport.parkNanos(random.nextInt(100_000_000));
            if (random.nextBoolean()) {
                wire.reset();
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError("a request without an answer", e);
        } catch (IOException e) {
            // closed: cut off
        }
        return 0;
    }

    /** Does the same by HTTP/2, with windows of 0 and 1. */
    private static int askByHttp2(NettyGateway gateway, Random random) throws IOException, Http2Exception {
        int window = List.of(0, 1, 65_535).get(random.nextInt(3));
        String path = path(random);
        try (Http2Wire client = Http2Wire.withWindow(gateway.address(), window)) {
            List<String> post = List.of(":method", "POST", ":scheme", "http", ":path", path, ":authority", "test");
            switch (random.nextInt(7)) {
                case 0 -> client.get(1, path + " x");
                case 1 -> client.head(1, false, post).wire.send(Http2Wire.singleBytes(1, 500));
                case 2 -> client.head(1, false, post).data(1, true, "b".repeat(random.nextInt(3_000)));
                case 3 ->
                    client.head(
                            1,
                            true,
                            List.of(
                                    ":method",
                                    "GET",
                                    ":scheme",
                                    "http",
                                    ":path",
                                    path,
                                    ":authority",
                                    "test",
                                    "x-deadline-ms",
                                    "1"));
                case 4 -> client.get(1, path).send(Http2Wire.RESET, 0, 1, new byte[] {0, 0, 0, 8});
                case 5 -> {
                    for (int stream = 1; stream < 20; stream += 2) {
                        client.get(stream, path);
                    }
                }
                default -> client.get(1, path);
            }
            client.get(41, path);
            if (random.nextInt(3) == 0) {
                client.wire.reset();
                return 0;
            }
            return client.read(41).status();
        } catch (SocketTimeoutException e) {
            throw new AssertionError("a stream without an answer or a reset: " + path, e);
        } catch (IOException e) {
            return 0; // closed: cut off
        }
    }

    @Test
    void h1_faultsOfAllKinds_endEachRequestAndLeakNoBuffer() throws Exception {
        storm(Duration.ZERO);
    }

    @Test
    @Tag("deep")
    @Tag("long")
    @Timeout(800)
    void h1_faultsOfAllKindsForTenMinutes_endEachRequestAndLeakNoBuffer() throws Exception {
        storm(Duration.ofMinutes(10));
    }

    private void storm(Duration least) throws Exception {
        long begin = System.nanoTime();
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger answers = new AtomicInteger();
        try (TestBackend a = wild(100);
                TestBackend b = wild(200)) {
            Settings.Builder config = Gateways.config()
                    .threads(2)
                    .limits(Limits.builder()
                            .requests(Concurrency.fixed(7))
                            .memory(8 << 20)
                            .writeTime(Duration.ofMillis(300))
                            .headTime(Duration.ofMillis(300))
                            .bodyTime(Duration.ofMillis(200))
                            .build())
                    .backend(backend("a", a))
                    .backend(backend("b", b))
                    .route(RouteConfig.proxy("/one/*", "a")
                            .order(RequestOrder.bySegment(2))
                            .build())
                    .route(RouteConfig.multicast("/all", "a", "b", "a").build())
                    .route(RouteConfig.multicast("/any", "a", "b").need(1).build())
                    .route(RouteConfig.pipeline("/steps", "a", "b").build());
            NettyGateway gateway = Gateways.start(config);
            List<CompletableFuture<?>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Random random = new Random(i);
                clients.add(CompletableFuture.runAsync(
                        () -> {
                            try {
                                int request = 0;
                                while (request++ < REQUESTS || System.nanoTime() - begin < least.toNanos()) {
                                    asked.incrementAndGet();
                                    answers.addAndGet(ask(gateway, random) > 0 ? 1 : 0);
                                }
                            } catch (IOException | Http2Exception e) {
                                throw new AssertionError(e);
                            }
                        },
                        task -> new Thread(task, "client").start()));
            }
            for (CompletableFuture<?> client : clients) {
                client.get(100 + least.toSeconds(), TimeUnit.SECONDS);
            }
            assertThat(gateway.drain().get(20, TimeUnit.SECONDS)).isZero();
            String metrics = gateway.metrics();
            assertThat(metrics)
                    .contains("spindle_gateway_requests_in_flight 0\n")
                    .contains("spindle_gateway_connections 0\n")
                    .contains("spindle_gateway_held_bytes 0\n")
                    .contains("spindle_gateway_backend_in_flight{backend=\"a\"} 0\n")
                    .contains("spindle_gateway_backend_in_flight{backend=\"b\"} 0\n");
            gateway.close();
        }
        assertThat(answers.get()).isGreaterThan(asked.get() / 5);
        lookForLeaks();
        assertThat(leaks).isEmpty();
    }

    @Test
    void leakedBuffer_isFoundByThisTest() {
        for (int i = 0; i < 50; i++) {
            UnpooledByteBufAllocator.DEFAULT.directBuffer(16).touch("lost on purpose");
        }

        lookForLeaks();

        assertThat(leaks).isNotEmpty();
    }

    /** Allocates buffers: a leak is reported at an allocation after the collector has found it. */
    private void lookForLeaks() {
        for (int i = 0; i < 10 && leaks.isEmpty(); i++) {
            System.gc();
            LockSupport.parkNanos(50_000_000);
            UnpooledByteBufAllocator.DEFAULT.directBuffer(16).release();
            ByteBufAllocator.DEFAULT.directBuffer(16).release();
        }
    }
}
