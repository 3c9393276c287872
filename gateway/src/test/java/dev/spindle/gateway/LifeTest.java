// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.gateway.config.Address;
import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.BreakerConfig;
import dev.spindle.gateway.config.Concurrency;
import dev.spindle.gateway.config.Limits;
import dev.spindle.gateway.config.RequestOrder;
import dev.spindle.gateway.config.RouteConfig;
import dev.spindle.gateway.config.Settings;
import dev.spindle.gateway.server.NettyGateway;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Drain, reload, overload, order, health. */
@Timeout(60)
class LifeTest {
    private static final Address LOOPBACK = new Address("127.0.0.1", 0);

    /** A backend that counts requests down, and answers when the test opens the latch. */
    private static final class Held implements AutoCloseable {
        final CountDownLatch asked;
        final CountDownLatch go = new CountDownLatch(1);
        final TestBackend backend;

        Held(int expected) throws IOException {
            asked = new CountDownLatch(expected);
            backend = TestBackend.of((wire, self) -> {
                for (; ; ) {
                    self.request(wire);
                    asked.countDown();
                    go.await();
                    wire.send(Wire.ok("fine"));
                }
            });
        }

        @Override
        public void close() throws IOException {
            backend.close();
        }
    }

    @Test
    @EnabledOnOs(
            value = OS.LINUX,
            architectures = {"amd64", "aarch64"})
    void transport_onLinux_isEpoll() throws Exception {
        try (Held held = new Held(0);
                NettyGateway gateway = Gateways.start(Gateways.proxy(held.backend))) {
            assertThat(gateway.transport()).isEqualTo("epoll");
        }
    }

    /** The access log is closed after the event loops have ended. */
    @Test
    void h6_drain_endsAfterTheLoopsAndTheAccessLog() throws Exception {
        AtomicReference<CompletableFuture<Integer>> drained = new AtomicReference<>(new CompletableFuture<>());
        AtomicBoolean late = new AtomicBoolean();
        CountDownLatch written = new CountDownLatch(1);
        OutputStream log = new ByteArrayOutputStream() {
            @Override
            public synchronized void write(byte[] bytes, int from, int length) {
                late.set(drained.get().isDone());
                written.countDown();
            }
        };
        try (TestBackend backend = TestBackend.saying("hello");
                NettyGateway gateway = NettyGateway.start(
                        Gateways.proxy(backend).drainNotice(Duration.ZERO).build(), log)) {
            assertThat(Wire.ask(gateway, Wire.get("/x")).status()).isEqualTo(200);
            drained.set(gateway.drain());
            drained.get().join();
        }

        assertThat(written.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(late).isFalse();
    }

    @Test
    void h6_drain_answersWhatIsUnderWayAndEnds() throws Exception {
        try (Held held = new Held(1);
                NettyGateway gateway = Gateways.start(Gateways.proxy(held.backend)
                        .admin(LOOPBACK)
                        .agent(LOOPBACK)
                        .drainNotice(Duration.ofMillis(200)));
                Wire busy = Wire.to(gateway.address());
                Wire idle = Wire.to(gateway.address());
                Wire admin = Wire.to(gateway.admin().orElseThrow())) {
            assertThat(admin.send(Wire.get("/ready")).read().status()).isEqualTo(200);
            busy.send(Wire.get("/"));
            held.asked.await();
            idle.send("GET / HT");
            CompletableFuture<Integer> drained = gateway.drain();

            assertThat(admin.send(Wire.get("/ready")).read().status()).isEqualTo(503);
            assertThat(admin.send(Wire.get("/live")).read().status()).isEqualTo(200);
            try (Wire agent = Wire.to(gateway.agent().orElseThrow())) {
                assertThat(agent.rest()).isEqualTo("drain\n");
            }
            assertThat(drained).isNotDone();
            held.go.countDown();
            Wire.Message answer = busy.read();
            assertThat(answer.body()).isEqualTo("fine");
            assertThat(answer.field("connection")).isEqualTo("close");
            assertThat(busy.isClosed()).isTrue();
            Wire.Message late = idle.send("TP/1.1\r\nHost: a\r\n\r\n").read(); // begun before the drain
            assertThat(late.body()).isEqualTo("fine");
            assertThat(late.field("connection")).isEqualTo("close");
            assertThat(drained.get(10, TimeUnit.SECONDS)).isZero();
            assertThatThrownBy(() -> Wire.to(gateway.address())).isInstanceOf(Exception.class);
        }
    }

    @Test
    @Timeout(20)
    void h6_closeOfAGatewayThatServes_returns() throws Exception {
        try (TestBackend backend = TestBackend.saying("fine")) {
            for (int i = 0; i < 20; i++) { // its last step runs on an event loop, or on this thread
                try (NettyGateway gateway = Gateways.start(Gateways.proxy(backend))) {
                    assertThat(Wire.ask(gateway, Wire.get("/")).status()).isEqualTo(200);
                }
            }
        }
    }

    @Test
    void h6_requestInTheNotice_isAnsweredAndItsConnectionEnds() throws Exception {
        try (TestBackend backend = TestBackend.saying("fine");
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend).drainNotice(Duration.ofMillis(500)));
                Wire open = Wire.to(gateway.address());
                Wire refused = Wire.to(gateway.address())) {
            String trace = "TRACE / HTTP/1.1\r\nHost: test\r\n\r\n";
            open.send(Wire.get("/")).read();
            assertThat(refused.send(trace).read().field("connection")).isNull();
            CompletableFuture<Integer> drained = gateway.drain();
            Wire.Message onOpen = open.send(Wire.get("/")).read();
            Wire.Message onNew = Wire.ask(gateway, Wire.get("/"));
            Wire.Message onRefused = refused.send(trace).read();

            assertThat(onRefused.status()).isEqualTo(501);
            assertThat(onRefused.field("connection")).isEqualTo("close");
            assertThat(onOpen.field("connection")).isEqualTo("close");
            assertThat(onNew.field("connection")).isEqualTo("close");
            assertThat(drained.get(10, TimeUnit.SECONDS)).isZero();
        }
    }

    @Test
    void h6_drain_closesConnectionsWithoutARequest() throws Exception {
        try (TestBackend backend = TestBackend.saying("fine");
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend)
                        .drainNotice(Duration.ofMillis(1))
                        .drainLimit(Duration.ofMinutes(5)));
                Wire open = Wire.to(gateway.address())) {
            open.send(Wire.get("/")).read();

            assertThat(gateway.drain().get(30, TimeUnit.SECONDS)).isZero();
            assertThat(open.isClosed()).isTrue();
        }
    }

    /** The first timer can end the loops before the second is set. */
    @Test
    void h6_drainWithoutNotice_drains() throws Exception {
        for (int i = 0; i < 200; i++) {
            try (TestBackend backend = TestBackend.saying("fine");
                    NettyGateway gateway = Gateways.start(Gateways.proxy(backend))) {
                if (i % 2 == 0) {
                    CompletableFuture<?> unused = CompletableFuture.runAsync(() -> close(gateway));
                }
                assertThat(gateway.drain().get(20, TimeUnit.SECONDS)).isZero();
            }
        }
    }

    private static void close(NettyGateway gateway) {
        try {
            gateway.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void h6_drainAtItsLimit_cutsOffAndCountsTheRest() throws Exception {
        try (Held held = new Held(2);
                NettyGateway gateway =
                        Gateways.start(Gateways.proxy(held.backend).drainLimit(Duration.ofMillis(300)));
                Wire one = Wire.to(gateway.address());
                Wire two = Wire.to(gateway.address())) {
            one.send(Wire.get("/"));
            two.send(Wire.get("/"));
            held.asked.await();

            assertThat(gateway.drain().get(10, TimeUnit.SECONDS)).isEqualTo(2);
            assertThat(one.isClosed()).isTrue();
        }
    }

    @Test
    void h5_overload_isRefusedAtOnceAndCountedByTheAgent() throws Exception {
        try (Held held = new Held(4);
                NettyGateway gateway = Gateways.start(Gateways.proxy(held.backend)
                        .agent(LOOPBACK)
                        .limits(Limits.builder().requests(Concurrency.fixed(4)).build()))) {
            assertThat(agent(gateway)).isEqualTo("up ready 100%\n");
            List<Wire> accepted = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                accepted.add(Wire.to(gateway.address()).send(Wire.get("/" + i)));
            }
            held.asked.await();
            assertThat(agent(gateway)).isEqualTo("up ready 1%\n");
            try (Wire wire = Wire.to(gateway.address())) {
                for (int i = 0; i < 3; i++) {
                    Wire.Message refused = wire.send(Wire.get("/more")).read();
                    assertThat(refused.status()).isEqualTo(503);
                    assertThat(refused.field("retry-after")).isEqualTo("1");
                }
                long best = Long.MAX_VALUE;
                for (int i = 0; i < 20; i++) {
                    long begin = System.nanoTime();
                    wire.send(Wire.get("/more")).read();
                    best = Math.min(best, System.nanoTime() - begin);
                }
                assertThat(Duration.ofNanos(best)).isLessThan(Duration.ofMillis(5));
                wire.send("GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n").read();
            }
            assertThat(gateway.metrics())
                    .contains("spindle_gateway_shed_total 23\n")
                    .contains("spindle_gateway_refused_total 1\n");
            held.go.countDown();
            for (Wire wire : accepted) {
                assertThat(wire.read().body()).isEqualTo("fine");
                wire.close();
            }
            assertThat(Wire.ask(gateway, Wire.get("/again")).status()).isEqualTo(200);
        }
    }

    private static String agent(NettyGateway gateway) throws IOException {
        try (Wire wire = Wire.to(gateway.agent().orElseThrow())) {
            return wire.rest();
        }
    }

    @Test
    void h7_reload_requestsSeeTheOldOrTheNewAndGuardsKeepTheirState() throws Exception {
        BreakerConfig breaker = new BreakerConfig(10, 2, 0.5, Duration.ofMinutes(1), 1, BreakerConfig.Engine.SPINDLE);
        try (Held held = new Held(1);
                TestBackend fails = TestBackend.answering(request -> "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n");
                TestBackend next = TestBackend.saying("new")) {
            BackendConfig old = BackendConfig.builder("a", held.backend.url()).build();
            BackendConfig broken =
                    BackendConfig.builder("b", fails.url()).breaker(breaker).build();
            Settings.Builder before = Gateways.config()
                    .backend(old)
                    .backend(broken)
                    .route(RouteConfig.proxy("/x", "a").build())
                    .route(RouteConfig.proxy("/b", "b").build());
            try (NettyGateway gateway = Gateways.start(before);
                    Wire underWay = Wire.to(gateway.address())) {
                for (int i = 0; i < 2; i++) {
                    assertThat(Wire.ask(gateway, Wire.get("/b")).status()).isEqualTo(500);
                }
                underWay.send(Wire.get("/x"));
                held.asked.await();
                gateway.reload(Gateways.config()
                        .backend(BackendConfig.builder("a", next.url()).build())
                        .backend(broken)
                        .route(RouteConfig.proxy("/x", "a").build())
                        .route(RouteConfig.proxy("/b", "b").build())
                        .route(RouteConfig.proxy("/y", "a").build())
                        .build());

                assertThat(Wire.ask(gateway, Wire.get("/x")).body()).isEqualTo("new");
                assertThat(Wire.ask(gateway, Wire.get("/y")).body()).isEqualTo("new");
                assertThat(Wire.ask(gateway, Wire.get("/b")).status()).isEqualTo(503);
                held.go.countDown();
                assertThat(underWay.read().body()).isEqualTo("fine");
                assertThat(underWay.send(Wire.get("/x")).read().body()).isEqualTo("new");
            }
        }
    }

    @Test
    void h7_reloadOfWhatCannotChange_changesNothing() throws Exception {
        try (TestBackend backend = TestBackend.saying("fine");
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend))) {
            assertThatThrownBy(() ->
                            gateway.reload(Gateways.proxy(backend).threads(2).build()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("start it again for: threads");
            assertThat(Wire.ask(gateway, Wire.get("/")).body()).isEqualTo("fine");
        }
    }

    static Stream<Arguments> fixed() {
        return Stream.of(
                Arguments.of("listen", change(config -> config.listen(new Address("127.0.0.1", 1)))),
                Arguments.of("tls", change(config -> config.tls(new Settings.Tls(Path.of("c"), Path.of("k"))))),
                Arguments.of("http2", change(config -> config.http2(false))),
                Arguments.of("threads", change(config -> config.threads(2))),
                Arguments.of("admin", change(config -> config.admin(new Address("127.0.0.1", 1)))),
                Arguments.of("agent", change(config -> config.agent(new Address("127.0.0.1", 1)))),
                Arguments.of(
                        "limits",
                        change(config -> config.limits(Limits.builder().body(5).build()))),
                Arguments.of("drain", change(config -> config.drainNotice(Duration.ofSeconds(7)))),
                Arguments.of("drain", change(config -> config.drainLimit(Duration.ofSeconds(7)))),
                Arguments.of("deadline-header", change(config -> config.deadlineHeader("X-Other"))),
                Arguments.of("access-log", change(config -> config.accessLog("file"))));
    }

    private static Consumer<Settings.Builder> change(Consumer<Settings.Builder> change) {
        return change;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("fixed")
    void h7_reloadOfEachFixedKey_isRefusedAndChangesNothing(String key, Consumer<Settings.Builder> change)
            throws Exception {
        try (TestBackend one = TestBackend.saying("one");
                TestBackend two = TestBackend.saying("two");
                NettyGateway gateway = Gateways.start(Gateways.proxy(one))) {
            Settings.Builder next = Gateways.proxy(two);
            change.accept(next);

            assertThatThrownBy(() -> gateway.reload(next.build()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageEndingWith("start it again for: " + key);
            assertThat(Wire.ask(gateway, Wire.get("/")).body()).isEqualTo("one");
            gateway.reload(Gateways.proxy(two).build());
            assertThat(Wire.ask(gateway, Wire.get("/")).body()).isEqualTo("two");
        }
    }

    @Test
    void h7_reloadsUnderLoad_loseNoRequest() throws Exception {
        try (TestBackend one = TestBackend.saying("one");
                TestBackend two = TestBackend.saying("two");
                NettyGateway gateway = Gateways.start(Gateways.proxy(one))) {
            AtomicBoolean over = new AtomicBoolean();
            AtomicInteger answers = new AtomicInteger();
            List<CompletableFuture<?>> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(CompletableFuture.runAsync(
                        () -> {
                            try (Wire wire = Wire.to(gateway.address())) {
                                while (!over.get()) {
                                    Wire.Message answer =
                                            wire.send(Wire.get("/")).read();
                                    assertThat(answer.status()).isEqualTo(200);
                                    assertThat(answer.body()).isIn("one", "two");
                                    answers.incrementAndGet();
                                }
                            } catch (IOException e) {
                                throw new AssertionError(e);
                            }
                        },
                        task -> new Thread(task).start()));
            }
            for (int i = 0; i < 50; i++) {
                gateway.reload(Gateways.proxy(i % 2 == 0 ? two : one).build());
                int soFar = answers.get();
                while (answers.get() < soFar + 5
                        && clients.stream().noneMatch(CompletableFuture::isCompletedExceptionally)) {
                    Thread.onSpinWait();
                }
            }
            over.set(true);
            for (CompletableFuture<?> client : clients) {
                client.get(20, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void h1_orderByKey_requestsOfAKeyReachTheBackendOneAfterAnother() throws Exception {
        Map<String, AtomicInteger> underWay = new ConcurrentHashMap<>();
        AtomicInteger overlaps = new AtomicInteger();
        try (TestBackend backend = TestBackend.answering(request -> {
                    AtomicInteger mine =
                            underWay.computeIfAbsent(request.path().split("/", -1)[2], key -> new AtomicInteger());
                    if (mine.incrementAndGet() > 1) {
                        overlaps.incrementAndGet();
                    }
                    Thread.yield();
                    mine.decrementAndGet();
                    return Wire.ok(request.path());
                });
                NettyGateway gateway = Gateways.start(Gateways.config()
                        .backend(BackendConfig.builder("a", backend.url()).build())
                        .route(RouteConfig.proxy("/orders/*", "a")
                                .order(RequestOrder.bySegment(2))
                                .build()))) {
            List<Wire> wires = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                wires.add(Wire.to(gateway.address()));
            }
            for (int round = 0; round < 20; round++) {
                for (int i = 0; i < wires.size(); i++) {
                    wires.get(i).send(Wire.get("/orders/" + i % 3 + "/" + round));
                }
                for (int i = 0; i < wires.size(); i++) {
                    assertThat(wires.get(i).read().body()).isEqualTo("/orders/" + i % 3 + "/" + round);
                }
            }
            for (Wire wire : wires) {
                wire.close();
            }
            assertThat(overlaps).hasValue(0);
        }
    }

    @Test
    void h1_orderByHeader_aRequestWaitsForTheOneBeforeAndIsBoundByItsTime() throws Exception {
        try (Held held = new Held(1);
                NettyGateway gateway = Gateways.start(Gateways.config()
                        .backend(BackendConfig.builder("a", held.backend.url()).build())
                        .route(RouteConfig.proxy("/*", "a")
                                .order(RequestOrder.byHeader("X-User"))
                                .build()));
                Wire first = Wire.to(gateway.address());
                Wire second = Wire.to(gateway.address());
                Wire third = Wire.to(gateway.address())) {
            first.send("GET /1 HTTP/1.1\r\nHost: a\r\nX-User: u\r\n\r\n");
            held.asked.await();
            second.send("GET /2 HTTP/1.1\r\nHost: a\r\nX-User: u\r\nX-Deadline-Ms: 200\r\n\r\n");
            third.send("GET /3 HTTP/1.1\r\nHost: a\r\nX-User: u\r\n\r\n");

            assertThat(second.read().status()).isEqualTo(504);
            assertThat(held.backend.requests).hasSize(1);
            held.go.countDown();
            assertThat(first.read().body()).isEqualTo("fine");
            assertThat(third.read().body()).isEqualTo("fine");
            assertThat(held.backend.requests).extracting(Wire.Message::path).containsExactly("/1", "/3");
        }
    }

    @Test
    void threads_underLoad_areLoopsAndTwo() throws Exception {
        int before = gatewayThreads();
        try (Held held = new Held(300)) {
            Settings.Builder config = Gateways.config();
            for (int i = 0; i < 3; i++) {
                config.backend(BackendConfig.builder("e" + i, held.backend.url())
                        .limit(Duration.ofSeconds(30))
                        .bulkhead(Concurrency.fixed(1_000), 10)
                        .build());
            }
            try (NettyGateway gateway = Gateways.start(
                    config.route(RouteConfig.multicast("/all", "e0", "e1", "e2").build()))) {
                List<Wire> wires = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    wires.add(Wire.to(gateway.address()).send(Wire.get("/all")));
                }
                held.asked.await();
                int most = gatewayThreads() - before;
                held.go.countDown();
                for (Wire wire : wires) {
                    assertThat(wire.read().status()).isEqualTo(200);
                    wire.close();
                }
                assertThat(most).isLessThanOrEqualTo(3);
                assertThat(held.backend.requests).hasSize(300);
            }
        }
    }

    private static int gatewayThreads() {
        return (int) Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("gateway"))
                .count();
    }

    @Test
    void metrics_ofPrometheus_countRequests() throws Exception {
        try (TestBackend backend = TestBackend.saying("fine");
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend).admin(LOOPBACK));
                Wire admin = Wire.to(gateway.admin().orElseThrow())) {
            Wire.ask(gateway, Wire.get("/"));
            Wire.ask(gateway, Wire.get("/../x"));
            String text = admin.send(Wire.get("/metrics")).read().body();

            assertThat(text)
                    .contains("spindle_gateway_requests_total{route=\"/*\",status=\"2xx\"} 1\n")
                    .contains("spindle_gateway_request_seconds_count{route=\"/*\"} 1\n")
                    .contains("spindle_gateway_refused_total 1\n")
                    .contains("spindle_gateway_backend_calls_total{backend=\"a\"} 1\n")
                    .contains("spindle_gateway_backend_connections_opened_total{backend=\"a\"} 1\n");
            for (String line : text.split("\n", -1)) {
                assertThat(line)
                        .matches("|# (HELP|TYPE) [a-z_]+ .+|"
                                + "[a-z_]+(\\{[a-z]+=\"[^\"]*\"(,[a-z]+=\"[^\"]*\")?})? [0-9.E-]+");
            }
        }
    }
}
