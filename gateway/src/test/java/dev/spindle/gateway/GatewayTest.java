// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.gateway.config.Address;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The public types: what they pass on, and the end of a gateway. */
class GatewayTest {
    private static GatewayConfig config(TestBackend backend, String... more) throws ConfigException {
        return GatewayConfig.parse("test.yaml", """
                listen: 127.0.0.1:0
                admin: 127.0.0.1:0
                drain: {notice: 0ms, limit: 1m}
                backends:
                  a: {url: "%s"}
                routes:
                  - {path: "/*", proxy: a}
                """.formatted(backend.url()) + String.join("\n", more));
    }

    private static Address of(InetSocketAddress address) {
        return new Address(address.getHostString(), address.getPort());
    }

    private static String ask(InetSocketAddress address, String path) throws IOException {
        try (Wire wire = Wire.to(of(address))) {
            return wire.send(Wire.get(path)).read().body();
        }
    }

    private static void close(Gateway gateway) {
        try {
            gateway.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void gateway_ofAParsedConfiguration_answers() throws Exception {
        try (TestBackend one = TestBackend.saying("one");
                TestBackend two = TestBackend.saying("two");
                Gateway gateway = Gateway.create(config(one, "threads: 1"))) {
            assertThat(ask(gateway.address(), "/")).isEqualTo("one");
            assertThat(ask(gateway.adminAddress().orElseThrow(), "/metrics")).contains("spindle_gateway");
            assertThat(gateway.metrics()).contains("spindle_gateway");
            assertThat(gateway).hasToString("gateway at 127.0.0.1:0");
            gateway.reload(config(two, "threads: 1"));
            assertThat(ask(gateway.address(), "/")).isEqualTo("two");
            assertThatThrownBy(() -> gateway.reload(config(one, "threads: 2")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageEndingWith("start it again for: threads");
        }
    }

    @Test
    void close_withARequestUnderWay_waitsForItsAnswer() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch may = new CountDownLatch(1);
        try (TestBackend backend = held(asked, may)) {
            Gateway gateway = Gateway.create(config(backend));
            try (Wire wire = Wire.to(of(gateway.address()))) {
                wire.send(Wire.get("/"));
                asked.await();
                CompletableFuture<@Nullable Void> drained = gateway.drain();
                CompletableFuture<@Nullable Void> closed = CompletableFuture.runAsync(() -> close(gateway));
                assertThat(drained).isNotDone();
                assertThat(closed).isNotDone();
                may.countDown();

                assertThat(wire.read().body()).isEqualTo("fine");
                closed.get(30, TimeUnit.SECONDS);
                drained.get(30, TimeUnit.SECONDS);
            }
            gateway.close(); // once more
        }
    }

    @Test
    void close_ofAnInterruptedThread_cutsOffAndKeepsTheInterrupt() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch may = new CountDownLatch(1);
        try (TestBackend backend = held(asked, may)) {
            Gateway gateway = Gateway.create(config(backend));
            try (Wire wire = Wire.to(of(gateway.address()))) {
                wire.send(Wire.get("/"));
                asked.await();
                Thread.currentThread().interrupt();
                gateway.close();

                assertThat(Thread.interrupted()).isTrue();
                assertThat(wire.isClosed()).isTrue();
            } finally {
                may.countDown();
            }
        }
    }

    private static TestBackend held(CountDownLatch asked, CountDownLatch may) throws IOException {
        return TestBackend.of((wire, backend) -> {
            Wire.Message unused = backend.request(wire);
            asked.countDown();
            may.await();
            wire.send(Wire.ok("fine"));
        });
    }

    @Test
    void read_fileWithMistakes_namesAllOfThem(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("gateway.yaml"), """
                listen: nowhere
                backends:
                  a: {url: http://127.0.0.1:9001, retri: 2}
                routes:
                  - {path: /a, proxy: b}
                """);

        assertThatThrownBy(() -> GatewayConfig.read(file)).isInstanceOfSatisfying(ConfigException.class, e -> {
            assertThat(e.mistakes()).extracting(ConfigException.Mistake::line).containsExactly(1, 3, 5);
            ConfigException.Mistake second = e.mistakes().get(1);
            assertThat(second.column()).isEqualTo(35);
            assertThat(second.message()).contains("retri");
            assertThat(e).hasMessageContaining(file + ":" + second);
        });
        assertThatThrownBy(() -> GatewayConfig.read(folder.resolve("none"))).isInstanceOf(IOException.class);
    }

    @Test
    void create_withTheStandardOutputAsAccessLog_isRefused() throws Exception {
        try (TestBackend backend = TestBackend.saying("fine")) {
            GatewayConfig config = config(backend, "access-log: '-'");

            assertThatThrownBy(() -> Gateway.create(config)).isInstanceOf(IllegalArgumentException.class);
            assertThat(config).hasToString("configuration of 127.0.0.1:0 with 1 backends and 1 routes");
        }
    }
}
