// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.BreakerConfig;
import dev.spindle.gateway.config.Concurrency;
import dev.spindle.gateway.config.GatewayConfig;
import dev.spindle.gateway.config.Limits;
import dev.spindle.gateway.config.Order;
import dev.spindle.gateway.config.RouteConfig;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
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

/** All faults at once, with every buffer watched. */
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
                switch (random.nextInt(14)) {
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
                        wire.read(); // for ever
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
    private static int ask(Gateway gateway, Random random) throws IOException {
        try (Wire wire = Wire.to(gateway.address())) {
            String body = "b".repeat(random.nextInt(3_000));
            String path = List.of("/one/" + random.nextInt(3), "/all", "/any", "/steps")
                    .get(random.nextInt(4));
            switch (random.nextInt(8)) {
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
                case 4 -> wire.send("GET " + path + " HTTP/1.1\r\nHost: a\r\nX-Deadline-Ms: 30\r\n\r\n");
                case 5 ->
                    wire.send("POST " + path
                            + " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nbad\r\n");
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

    @Test
    void h1_faultsOfAllKinds_endEachRequestAndLeakNoBuffer() throws Exception {
        AtomicInteger answers = new AtomicInteger();
        try (TestBackend a = wild(100);
                TestBackend b = wild(200)) {
            GatewayConfig.Builder config = Gateways.config()
                    .threads(2)
                    .limits(Limits.builder()
                            .requests(Concurrency.fixed(7))
                            .headTime(Duration.ofMillis(300))
                            .bodyTime(Duration.ofMillis(200))
                            .build())
                    .backend(backend("a", a))
                    .backend(backend("b", b))
                    .route(RouteConfig.proxy("/one/*", "a")
                            .order(Order.bySegment(2))
                            .build())
                    .route(RouteConfig.multicast("/all", "a", "b", "a").build())
                    .route(RouteConfig.multicast("/any", "a", "b").need(1).build())
                    .route(RouteConfig.pipeline("/steps", "a", "b").build());
            Gateway gateway = Gateways.start(config);
            List<CompletableFuture<?>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Random random = new Random(i);
                clients.add(CompletableFuture.runAsync(
                        () -> {
                            try {
                                for (int request = 0; request < REQUESTS; request++) {
                                    answers.addAndGet(ask(gateway, random) > 0 ? 1 : 0);
                                }
                            } catch (IOException e) {
                                throw new AssertionError(e);
                            }
                        },
                        task -> new Thread(task, "client").start()));
            }
            for (CompletableFuture<?> client : clients) {
                client.get(100, TimeUnit.SECONDS);
            }
            assertThat(gateway.drain().get(20, TimeUnit.SECONDS)).isZero();
            String metrics = gateway.metrics();
            assertThat(metrics)
                    .contains("spindle_gateway_requests_in_flight 0\n")
                    .contains("spindle_gateway_connections 0\n")
                    .contains("spindle_gateway_backend_in_flight{backend=\"a\"} 0\n")
                    .contains("spindle_gateway_backend_in_flight{backend=\"b\"} 0\n");
            gateway.close();
        }
        assertThat(answers.get()).isGreaterThan(CLIENTS * REQUESTS / 4);
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

    /** A leak is reported when the collector has found it and another buffer is allocated. */
    private void lookForLeaks() {
        for (int i = 0; i < 10 && leaks.isEmpty(); i++) {
            System.gc();
            LockSupport.parkNanos(50_000_000);
            UnpooledByteBufAllocator.DEFAULT.directBuffer(16).release();
            ByteBufAllocator.DEFAULT.directBuffer(16).release();
        }
    }
}
