// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.gateway.config.Address;
import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.BackendTls;
import dev.spindle.gateway.config.BreakerConfig;
import dev.spindle.gateway.config.CheckConfig;
import dev.spindle.gateway.config.EjectConfig;
import dev.spindle.gateway.config.Settings;
import dev.spindle.gateway.server.NettyGateway;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several instances of a backend: their shares, and what a broken instance costs. */
@Timeout(60)
class InstancesTest {
    private static BackendConfig.Builder at(Address... instances) {
        return BackendConfig.builder("a", "http://shop.test/base")
                .instances(List.of(instances))
                .limit(Duration.ofSeconds(20));
    }

    /** An address at which nothing listens. */
    private static Address refusing() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new Address("127.0.0.1", socket.getLocalPort());
        }
    }

    private static String ask(NettyGateway gateway) throws IOException {
        Wire.Message answer = Wire.ask(gateway, Wire.get("/"));
        return answer.status() == 200 ? answer.body() : Integer.toString(answer.status());
    }

    /** Asks until the answer is as expected. */
    private static void await(NettyGateway gateway, String expected) throws IOException {
        while (!ask(gateway).equals(expected)) {
            LockSupport.parkNanos(5_000_000);
        }
    }

    /** Returns a metric of an instance. */
    private static String metric(NettyGateway gateway, String name, Address instance) {
        String line = "spindle_gateway_instance_" + name + "{backend=\"a\",instance=\"" + instance + "\"} ";
        return gateway.metrics()
                .lines()
                .filter(one -> one.startsWith(line))
                .map(one -> one.substring(line.length()))
                .findFirst()
                .orElse("none");
    }

    private static void awaitMetric(NettyGateway gateway, String name, Address instance, String value) {
        while (!metric(gateway, name, instance).equals(value)) {
            LockSupport.parkNanos(5_000_000);
        }
    }

    @Test
    void calls_goToAllInstances_withTheHostOfTheUrl() throws Exception {
        try (TestBackend one = TestBackend.saying("one");
                TestBackend two = TestBackend.saying("two");
                TestBackend three = TestBackend.saying("three");
                NettyGateway gateway =
                        Gateways.start(Gateways.proxy(at(one.address(), two.address(), three.address())))) {
            for (int i = 0; i < 90; i++) {
                assertThat(ask(gateway)).isIn("one", "two", "three");
            }
            for (TestBackend each : List.of(one, two, three)) { // 30 each; below 5 once in 10^9 runs
                assertThat(each.requests).hasSizeGreaterThan(5);
                assertThat(each.requests.get(0).field("host")).isEqualTo("shop.test");
                assertThat(each.requests.get(0).path()).isEqualTo("/base/");
            }
        }
    }

    @Test
    void instanceThatRefuses_failsNoRequest_andIsEjected() throws Exception {
        Address dead = refusing();
        try (TestBackend alive = TestBackend.saying("alive");
                NettyGateway gateway = Gateways.start(Gateways.proxy(at(dead, alive.address())))) {
            for (int i = 0; i < 60; i++) { // once in 10^12 runs it is not asked five times
                Wire.Message answer = Wire.ask(gateway, i % 2 == 0 ? Wire.get("/") : Wire.post("/", "body"));
                assertThat(answer.body()).isEqualTo("alive");
            }
            assertThat(alive.requests).hasSize(60);
            assertThat(metric(gateway, "ejections_total", dead)).isEqualTo("1");
            assertThat(metric(gateway, "failures_total", dead)).isEqualTo("5");
            assertThat(metric(gateway, "up", dead)).isEqualTo("0");
            assertThat(metric(gateway, "in_flight", dead)).isEqualTo("0");
            assertThat(metric(gateway, "in_flight", alive.address())).isEqualTo("0");
        }
    }

    @Test
    void b3_instanceThatResets_failsOnlyWhatWasSentToIt_andNoneTwice() throws Exception {
        try (TestBackend resetting = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    wire.reset();
                });
                TestBackend fine = TestBackend.saying("fine");
                NettyGateway gateway = Gateways.start(Gateways.proxy(at(resetting.address(), fine.address())))) {
            int failed = 0;
            for (int i = 0; i < 60; i++) {
                Wire.Message answer = Wire.ask(gateway, Wire.post("/" + i, "body"));
                assertThat(answer.status()).isIn(200, 502);
                failed += answer.status() == 502 ? 1 : 0;
            }
            assertThat(failed).isEqualTo(EjectConfig.DEFAULT.failures());
            assertThat(resetting.requests).hasSize(failed);
            assertThat(fine.requests).hasSize(60 - failed);
            Set<String> paths = new TreeSet<>();
            resetting.requests.forEach(request -> paths.add(request.path()));
            fine.requests.forEach(request -> paths.add(request.path()));
            assertThat(paths).hasSize(60);
        }
    }

    @Test
    void ejectedInstance_returnsWhenATrialSucceeds() throws Exception {
        AtomicBoolean broken = new AtomicBoolean(true);
        try (TestBackend one = TestBackend.answering(
                        request -> broken.get() ? "HTTP/1.1 500 no\r\nContent-Length: 0\r\n\r\n" : Wire.ok("one"));
                TestBackend two = TestBackend.saying("two");
                NettyGateway gateway = Gateways.start(Gateways.proxy(
                        at(one.address(), two.address()).eject(new EjectConfig(2, Duration.ofMillis(50)))))) {
            while (!metric(gateway, "ejections_total", one.address()).equals("1")) {
                assertThat(ask(gateway)).isIn("500", "two");
            }
            await(gateway, "500"); // a trial, which fails
            assertThat(metric(gateway, "up", one.address())).isEqualTo("0");
            broken.set(false);
            await(gateway, "one");
            awaitMetric(gateway, "up", one.address(), "1");
        }
    }

    @Test
    void allInstancesFail_halfOfThemStay() throws Exception {
        String failure = "HTTP/1.1 500 no\r\nContent-Length: 0\r\n\r\n";
        try (TestBackend one = TestBackend.answering(request -> failure);
                TestBackend two = TestBackend.answering(request -> failure);
                NettyGateway gateway = Gateways.start(Gateways.proxy(
                        at(one.address(), two.address()).eject(new EjectConfig(2, Duration.ofHours(1)))))) {
            for (int i = 0; i < 20; i++) {
                assertThat(ask(gateway)).isEqualTo("500");
            }
            List<String> states = List.of(metric(gateway, "up", one.address()), metric(gateway, "up", two.address()));
            assertThat(states).containsExactlyInAnyOrder("0", "1");
        }
    }

    @Test
    void ejectedInstance_staysOutWhenAnEarlierCallSucceeds() throws Exception {
        Semaphore go = new Semaphore(0);
        try (TestBackend one = TestBackend.of((wire, self) -> {
                    for (; ; ) {
                        boolean held = self.request(wire).path().endsWith("/held");
                        if (held) {
                            go.acquire();
                        }
                        wire.send(held ? Wire.ok("held") : "HTTP/1.1 500 no\r\nContent-Length: 0\r\n\r\n");
                    }
                });
                TestBackend two = TestBackend.of((wire, self) -> {
                    for (; ; ) {
                        if (self.request(wire).path().endsWith("/held")) {
                            go.acquire();
                        }
                        wire.send(Wire.ok("two"));
                    }
                });
                NettyGateway gateway = Gateways.start(Gateways.proxy(
                        at(one.address(), two.address()).eject(new EjectConfig(2, Duration.ofHours(1)))));
                Wire first = Wire.to(gateway.address()).send(Wire.get("/held"));
                Wire second = Wire.to(gateway.address()).send(Wire.get("/held"))) { // the other instance has fewer
            while (one.requests.isEmpty() || two.requests.isEmpty()) {
                LockSupport.parkNanos(1_000_000);
            }
            while (!metric(gateway, "ejections_total", one.address()).equals("1")) {
                assertThat(ask(gateway)).isIn("500", "two");
            }
            go.release(2);
            assertThat(List.of(first.read().body(), second.read().body())).containsExactlyInAnyOrder("held", "two");
            awaitMetric(gateway, "in_flight", one.address(), "0");
            assertThat(metric(gateway, "up", one.address())).isEqualTo("0");
        }
    }

    @Test
    void h5_instanceThatHangs_getsNoMoreCalls() throws Exception {
        Semaphore never = new Semaphore(0);
        try (TestBackend hanging = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    never.acquire();
                });
                TestBackend fine = TestBackend.saying("fine");
                NettyGateway gateway = Gateways.start(Gateways.proxy(at(hanging.address(), fine.address())))) {
            List<Wire> wires = new ArrayList<>();
            while (hanging.requests.isEmpty()) { // each wire waits for its answer, or is the one that hangs
                Wire wire = Wire.to(gateway.address()).send(Wire.get("/"));
                wires.add(wire);
                while (!wire.hasBytesWithin(1) && hanging.requests.isEmpty()) {
                    LockSupport.parkNanos(1_000_000);
                }
            }
            for (int i = 0; i < 40; i++) {
                assertThat(ask(gateway)).isEqualTo("fine");
            }
            assertThat(hanging.requests).hasSize(1);
            for (Wire wire : wires) {
                wire.close();
            }
        }
    }

    @Test
    void check_thatFails_takesAnInstanceOutAndBringsItBack() throws Exception {
        AtomicBoolean healthy = new AtomicBoolean();
        try (TestBackend one = TestBackend.answering(request -> request.path().equals("/base/health")
                        ? (healthy.get() ? Wire.ok("") : "HTTP/1.1 503 no\r\nContent-Length: 0\r\n\r\n")
                        : Wire.ok("one"));
                TestBackend two = TestBackend.saying("two");
                NettyGateway gateway = Gateways.start(Gateways.proxy(at(one.address(), two.address())
                        .check(new CheckConfig("/health", Duration.ofMillis(10), Duration.ofSeconds(5), 2, 2))))) {
            awaitMetric(gateway, "up", one.address(), "0");
            for (int i = 0; i < 30; i++) {
                assertThat(ask(gateway)).isEqualTo("two");
            }
            healthy.set(true);
            await(gateway, "one");
            assertThat(metric(gateway, "up", one.address())).isEqualTo("1");
        }
    }

    @Test
    void check_ofAnInstanceThatHangs_takesItOut() throws Exception {
        Semaphore never = new Semaphore(0);
        try (TestBackend hanging = TestBackend.of((wire, self) -> never.acquire());
                TestBackend fine = TestBackend.saying("fine");
                NettyGateway gateway = Gateways.start(Gateways.proxy(at(hanging.address(), fine.address())
                        .check(new CheckConfig("/", Duration.ofMillis(10), Duration.ofMillis(100), 2, 2))))) {
            awaitMetric(gateway, "up", hanging.address(), "0");
            for (int i = 0; i < 20; i++) {
                assertThat(ask(gateway)).isEqualTo("fine");
            }
        }
    }

    @Test
    void allInstancesOut_allTakeCalls() throws Exception {
        try (TestBackend one = TestBackend.answering(request -> request.path().endsWith("health")
                        ? "HTTP/1.1 404 no\r\nContent-Length: 0\r\n\r\n"
                        : Wire.ok("fine"));
                NettyGateway gateway = Gateways.start(Gateways.proxy(at(one.address())
                        .check(new CheckConfig("/health", Duration.ofMillis(10), Duration.ofSeconds(5), 1, 1))))) {
            awaitMetric(gateway, "up", one.address(), "0");
            assertThat(ask(gateway)).isEqualTo("fine");
        }
    }

    @Test
    void h4_connections_areLimitedPerInstance() throws Exception {
        Semaphore go = new Semaphore(0);
        Semaphore asked = new Semaphore(0);
        TestBackend.Script holding = (wire, self) -> {
            for (; ; ) {
                self.request(wire);
                asked.release();
                go.acquire();
                wire.send(Wire.ok("fine"));
            }
        };
        try (TestBackend one = TestBackend.of(holding);
                TestBackend two = TestBackend.of(holding);
                NettyGateway gateway = Gateways.start(Gateways.proxy(
                        at(one.address(), two.address()).connections(2).waiting(0)))) {
            List<Wire> wires = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                wires.add(Wire.to(gateway.address()).send(Wire.get("/" + i)));
            }
            asked.acquire(4);
            assertThat(one.requests).hasSize(2);
            assertThat(two.requests).hasSize(2);
            assertThat(ask(gateway)).isEqualTo("503");
            go.release(4);
            for (Wire wire : wires) {
                assertThat(wire.read().body()).isEqualTo("fine");
                wire.close();
            }
            assertThat(metric(gateway, "ejections_total", one.address())).isEqualTo("0");
        }
    }

    @Test
    void retry_goesToAnotherInstance() throws Exception {
        try (TestBackend broken = TestBackend.answering(request -> "HTTP/1.1 500 no\r\nContent-Length: 0\r\n\r\n");
                TestBackend fine = TestBackend.saying("fine");
                NettyGateway gateway = Gateways.start(Gateways.proxy(
                        at(broken.address(), fine.address()).retry(1).eject(null)))) {
            for (int i = 0; i < 20; i++) { // there are ten retries besides a tenth of the calls
                if (broken.requests.size() < 10) {
                    assertThat(ask(gateway)).isEqualTo("fine");
                }
            }
            assertThat(broken.requests).isNotEmpty();
        }
    }

    @Test
    void instanceThatClosesItsKeptConnections_failsNoGet() throws Exception {
        AtomicBoolean closing = new AtomicBoolean();
        TestBackend.Script script = (wire, self) -> {
            for (boolean kept = false; ; kept = true) {
                self.request(wire);
                if (kept && closing.getAndSet(false)) {
                    return;
                }
                wire.send(Wire.ok("fine"));
            }
        };
        try (TestBackend one = TestBackend.of(script);
                TestBackend two = TestBackend.of(script);
                NettyGateway gateway = Gateways.start(Gateways.proxy(at(one.address(), two.address())))) {
            for (int i = 0; i < 10; i++) {
                closing.set(true);
                while (closing.get()) {
                    assertThat(ask(gateway)).isEqualTo("fine");
                }
            }
            assertThat(one.connections() + two.connections()).isGreaterThan(10);
        }
    }

    @Test
    void resolve_allAddressesOfAName_areInstancesThatFollowTheNameServer() throws Exception {
        try (TestBackend one = TestBackend.saying("one");
                TestBackend two =
                        TestBackend.sayingAt("127.0.0.2", one.address().port(), "two");
                TestBackend three =
                        TestBackend.sayingAt("127.0.0.3", one.address().port(), "three");
                TestNameServer names = new TestNameServer(List.of("127.0.0.1", "127.0.0.2"));
                NettyGateway gateway = Gateways.start(Gateways.proxy(BackendConfig.builder(
                                        "a", "http://shop.test:" + one.address().port())
                                .resolve(Duration.ofMillis(10))
                                .limit(Duration.ofSeconds(20)))
                        .resolver(names.address()))) {
            await(gateway, "two");
            await(gateway, "one");
            names.addresses = List.of("127.0.0.2", "127.0.0.3");
            await(gateway, "three");
            int before = one.requests.size();
            for (int i = 0; i < 30; i++) {
                assertThat(ask(gateway)).isIn("two", "three");
            }
            assertThat(one.requests).hasSize(before);
            names.addresses = List.of(); // the name server fails: the instances stay
            int questions = names.questions();
            while (names.questions() < questions + 5) {
                assertThat(ask(gateway)).isIn("two", "three");
            }
            names.addresses = List.of("127.0.0.1");
            await(gateway, "one");
            assertThat(two.requests.get(0).field("host")).startsWith("shop.test:");
            assertThat(three.requests.get(0).field("host")).startsWith("shop.test:");
        }
    }

    @Test
    void h7_reloadWithOtherInstances_keepsTheBreakerAndTheInstancesThatStay() throws Exception {
        BreakerConfig breaker = new BreakerConfig(4, 4, 0.5, Duration.ofMinutes(1), 1, BreakerConfig.Engine.SPINDLE);
        AtomicInteger status = new AtomicInteger(500);
        try (TestBackend stays = TestBackend.answering(
                        request -> "HTTP/1.1 " + status.get() + " X\r\nContent-Length: 0\r\n\r\n");
                TestBackend comes = TestBackend.saying("new");
                NettyGateway gateway =
                        Gateways.start(Gateways.proxy(at(stays.address()).breaker(breaker)))) {
            for (int i = 0; i < 4; i++) {
                assertThat(ask(gateway)).isEqualTo("500");
            }
            assertThat(ask(gateway)).isEqualTo("503"); // the breaker is open
            gateway.reload(Gateways.proxy(at(stays.address(), comes.address()).breaker(breaker))
                    .build());
            assertThat(ask(gateway)).isEqualTo("503");
            assertThat(metric(gateway, "calls_total", stays.address())).isEqualTo("4");
            assertThat(metric(gateway, "calls_total", comes.address())).isEqualTo("0");

            gateway.reload(Gateways.proxy(at(comes.address()).breaker(breaker)).build());
            assertThat(metric(gateway, "calls_total", stays.address())).isEqualTo("none");
            assertThat(ask(gateway)).isEqualTo("503");
            gateway.reload(Gateways.proxy(at(comes.address())).build()); // another backend: without a breaker
            assertThat(ask(gateway)).isEqualTo("new");
            assertThat(stays.connections()).isEqualTo(1);
        }
    }

    @Test
    void h7_reloadThatFails_leavesNoCheckOfItsOtherBackends() throws Exception {
        Path missing = Path.of("none.pem");
        try (TestBackend backend = TestBackend.saying("fine");
                TestBackend checked = TestBackend.saying("checked");
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend))) {
            Settings wrong = Gateways.proxy(backend)
                    .backend(BackendConfig.builder("checked", "http://checked.test")
                            .instances(List.of(checked.address()))
                            .check(new CheckConfig("/", Duration.ofMillis(1), Duration.ofSeconds(5), 1, 1))
                            .build())
                    .backend(BackendConfig.builder("wrong", "https://wrong.test")
                            .tls(new BackendTls(missing, null, null))
                            .build())
                    .build();
            assertThatThrownBy(() -> gateway.reload(wrong)).isInstanceOf(IllegalArgumentException.class);

            int before = -1;
            while (before != checked.requests.size()) { // until there was no check for 100 ms
                before = checked.requests.size();
                LockSupport.parkNanos(100_000_000);
            }
            assertThat(ask(gateway)).isEqualTo("fine");
        }
    }
}
