// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.gateway.config.Address;
import dev.spindle.gateway.server.NettyGateway;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes without file descriptors, or whose output is not read: they continue as soon as that changes. */
@Timeout(120)
@EnabledOnOs(OS.LINUX)
class ExhaustionTest {
    private static final int FILES = 140;
    private static final int CONNECTIONS = 200;

    @TempDir
    private static Path directory;

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    private static String configuration(TestBackend backend, int admin) {
        return """
                listen: 127.0.0.1:0
                threads: 1
                admin: 127.0.0.1:%d
                drain: {notice: 0ms, limit: 5s}
                backends: {a: {url: "%s"}}
                routes: [{path: "/*", proxy: a}]
                """.formatted(admin, backend.url());
    }

    /** Opens connections until the process accepts no more, for want of file descriptors, and closes them all. */
    private static void exhaust(GatewayProcess gateway, Address address) throws IOException {
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                open.add(new Socket(address.host(), address.port()));
            }
            while (gateway.fileDescriptors() < FILES) {
                LockSupport.parkNanos(5_000_000);
            }
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    /** Asks until an answer comes. Returns false if none has come in 20 s. */
    private static boolean answers(Address address, String path) {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(20)) {
            try (Wire wire = Wire.to(address)) {
                if (wire.send(Wire.get(path)).read().status() == 200) {
                    return true;
                }
            } catch (IOException e) {
                // not yet
            }
            LockSupport.parkNanos(50_000_000);
        }
        return false;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void h4_fileDescriptorsUsedUp_listenersGoOnAndTheLogSaysSoOnce(boolean nio) throws Exception {
        Address admin = new Address("127.0.0.1", freePort());
        try (TestBackend backend = TestBackend.saying("fine");
                GatewayProcess gateway = new GatewayProcess(
                        directory,
                        "ulimit -n " + FILES,
                        List.of("-Dio.netty.transport.noNative=" + nio),
                        configuration(backend, admin.port()))) {
            for (int round = 0; round < 2; round++) {
                exhaust(gateway, gateway.address());
                assertThat(answers(gateway.address(), "/")).isTrue();
                exhaust(gateway, admin);
                assertThat(answers(admin, "/live")).isTrue();
            }

            List<String> lines = gateway.end();
            assertThat(lines)
                    .filteredOn(line -> line.contains("Too many open files"))
                    .anyMatch(line -> line.contains("accepting connections at /127.0.0.1:"))
                    .hasSizeLessThanOrEqualTo(4); // two listeners, and the stack trace of each
            assertThat(lines).anyMatch(line -> line.contains("gateway: ended"));
        }
    }

    /** A full pipe for the lines of the log and of the program holds up neither requests nor the end. */
    @Test
    void h6_accessLogWhoseReaderHasStopped_keepsNoProcessFromEnding() throws Exception {
        try (TestBackend backend = TestBackend.saying("fine");
                GatewayProcess gateway = new GatewayProcess(
                        directory, "true", List.of(), configuration(backend, freePort()) + "access-log: '-'\n")) {
            String path = "/" + "x".repeat(490);
            try (Wire wire = Wire.to(gateway.address())) {
                for (int i = 0; i < 400; i++) { // three times what a pipe holds
                    assertThat(wire.send(Wire.get(path)).read().status()).isEqualTo(200);
                }
            }
            gateway.signal("TERM");

            assertThat(gateway.process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(gateway.process.exitValue()).isZero();
        }
    }

    @Test
    void close_withAnAccessLogThatIsNotTaken_returns() throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        OutputStream stopped = new OutputStream() {
            @Override
            public void write(int b) {
                writing.countDown();
                while (true) {
                    LockSupport.park();
                    boolean unused = Thread.interrupted();
                }
            }
        };
        try (TestBackend backend = TestBackend.saying("fine")) {
            NettyGateway gateway = NettyGateway.start(Gateways.proxy(backend).build(), stopped);
            assertThat(Wire.ask(gateway, Wire.get("/")).status()).isEqualTo(200);
            writing.await();
            CompletableFuture<Boolean> closed = new CompletableFuture<>();
            Thread closer = new Thread(() -> {
                try {
                    gateway.close();
                    closed.complete(true);
                } catch (IOException e) {
                    closed.completeExceptionally(e);
                }
            });
            closer.start();

            assertThat(closed.get(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void accessLogThatThrowsOnce_goesOn() throws Exception {
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        AtomicInteger writes = new AtomicInteger();
        OutputStream log = new OutputStream() {
            @Override
            public void write(int b) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void write(byte[] bytes) {
                if (writes.incrementAndGet() == 1) {
                    lines.add("thrown");
                    throw new AssertionError("of the test");
                }
                lines.add(new String(bytes, StandardCharsets.UTF_8));
            }
        };
        try (TestBackend backend = TestBackend.saying("fine");
                NettyGateway gateway =
                        NettyGateway.start(Gateways.proxy(backend).build(), log)) {
            assertThat(Wire.ask(gateway, Wire.get("/lost")).status()).isEqualTo(200);
            assertThat(lines.poll(10, TimeUnit.SECONDS)).isEqualTo("thrown");
            assertThat(Wire.ask(gateway, Wire.get("/kept")).status()).isEqualTo(200);

            assertThat(lines.poll(10, TimeUnit.SECONDS)).contains("/kept");
            assertThat(gateway.metrics()).contains("spindle_gateway_access_log_dropped_total 1\n");
        }
    }

    /**
     * Each byte of a body is a chunk, or a frame, of its own. The bodies are held, since a pipeline needs them whole.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void h4_bodiesInSingleBytes_costAboutWhatTheyAre(boolean http2) throws Exception {
        List<AutoCloseable> clients = new ArrayList<>();
        try (TestBackend backend = TestBackend.saying("fine");
                GatewayProcess gateway =
                        new GatewayProcess(directory, "true", List.of("-Xmx64m"), """
                listen: 127.0.0.1:0
                threads: 1
                limits: {body-time: 60s}
                drain: {notice: 0ms, limit: 1s}
                backends: {a: {url: "%s"}}
                routes: [{path: "/steps", pipeline: [a, a], limit: 60s}, {path: "/one", proxy: a}]
                """.formatted(backend.url()))) {
            String piece = "1\r\nx\r\n".repeat(10_000);
            for (int i = 0; i < 20; i++) {
                if (http2) {
                    Http2Wire client = Http2Wire.to(gateway.address());
                    clients.add(client);
                    client.head(
                            1,
                            false,
                            List.of(":method", "POST", ":scheme", "http", ":path", "/steps", ":authority", "test"));
                    client.wire.send(Http2Wire.singleBytes(1, 60_000));
                } else {
                    Wire client = Wire.to(gateway.address());
                    clients.add(client);
                    client.send("POST /steps HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n");
                    for (int j = 0; j < 12; j++) {
                        client.send(piece);
                    }
                }
                assertThat(Wire.to(gateway.address())
                                .send(Wire.get("/one"))
                                .read()
                                .status())
                        .isEqualTo(200);
            }
            assertThat(gateway.process.isAlive()).isTrue();
            assertThat(gateway.end()).noneMatch(line -> line.contains("OutOfMemoryError"));
        } finally {
            for (AutoCloseable client : clients) {
                client.close();
            }
        }
    }

    /** If each unread answer were kept, they would exceed the heap and the direct memory. */
    @ParameterizedTest
    @ValueSource(strings = {"/one", "/all"})
    void h4_manyClientsThatReadNothing_exhaustNoMemory(String path) throws Exception {
        String large = "y".repeat(3 << 20);
        List<Wire> clients = new ArrayList<>();
        try (TestBackend backend = TestBackend.answering(request -> Wire.ok(large));
                GatewayProcess gateway =
                        new GatewayProcess(directory, "true", List.of("-Xmx96m"), """
                listen: 127.0.0.1:0
                threads: 1
                limits: {write-time: 60s}
                drain: {notice: 0ms, limit: 1s}
                backends: {a: {url: "%s"}}
                routes: [{path: "/one", proxy: a}, {path: "/all", multicast: [a, a]}]
                """.formatted(backend.url()))) {
            for (int i = 0; i < 60; i++) {
                clients.add(Wire.narrow(gateway.address()).send(Wire.get(path).repeat(20)));
                if (i % 5 == 4) {
                    assertThat(answers(gateway.address(), path)).isTrue();
                }
            }
            assertThat(gateway.process.isAlive()).isTrue();
            assertThat(gateway.end()).noneMatch(line -> line.contains("OutOfMemoryError"));
        } finally {
            for (Wire client : clients) {
                client.close();
            }
        }
    }
}
