// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.gateway.config.Address;
import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.RouteConfig;
import dev.spindle.gateway.server.NettyGateway;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator meets: the log, its rotation, IPv6, and clients that ask for another protocol. */
@Timeout(60)
class OperationTest {
    private static String closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "http://127.0.0.1:" + socket.getLocalPort();
        }
    }

    @Test
    void reasonOfAFailure_isLoggedWithoutAnAccessLog() throws Exception {
        try (OperationLog log = new OperationLog("/of-reasons");
                TestBackend broken = TestBackend.answering(request -> "HTTP/1.1 503 no\r\nContent-Length: 0\r\n\r\n");
                TestBackend hanging = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    assertThat(wire.isClosed()).isTrue();
                });
                NettyGateway gateway = Gateways.start(Gateways.config()
                        .backend(BackendConfig.builder("closed", closedPort()).build())
                        .backend(BackendConfig.builder("broken", broken.url()).build())
                        .backend(BackendConfig.builder("hanging", hanging.url())
                                .limit(java.time.Duration.ofMillis(50))
                                .build())
                        .route(RouteConfig.proxy("/of-reasons/closed", "closed").build())
                        .route(RouteConfig.proxy("/of-reasons/broken", "broken").build())
                        .route(RouteConfig.proxy("/of-reasons/hanging", "hanging")
                                .build()))) {
            assertThat(Wire.ask(gateway, Wire.get("/of-reasons/closed")).status())
                    .isEqualTo(502);
            assertThat(Wire.ask(gateway, Wire.get("/of-reasons/broken")).status())
                    .isEqualTo(503);
            assertThat(Wire.ask(gateway, Wire.get("/of-reasons/hanging")).status())
                    .isEqualTo(504);
            assertThat(Wire.ask(gateway, Wire.get("/of-reasons/none")).status()).isEqualTo(404);

            log.await("502 to GET /of-reasons/closed of 127.0.0.1: no connection to closed: it was refused");
            log.await("503 to GET /of-reasons/broken of 127.0.0.1: a backend answered so");
            log.await("504 to GET /of-reasons/hanging of 127.0.0.1: ");
            assertThat(log.lines).hasSize(3);
        }
    }

    @Test
    void reasonsOfManyFailures_areTenASecondAndACount() throws Exception {
        try (OperationLog log = new OperationLog("/of-many");
                OperationLog counts = new OperationLog("more requests got");
                NettyGateway gateway = Gateways.start(Gateways.config()
                        .backend(BackendConfig.builder("closed", closedPort()).build())
                        .route(RouteConfig.proxy("/of-many/*", "closed").build()))) {
            while (counts.lines.isEmpty()) { // more than ten in a second, sooner or later
                assertThat(Wire.ask(gateway, Wire.get("/of-many/" + log.lines.size()))
                                .status())
                        .isEqualTo(502);
            }
            assertThat(log.lines).hasSizeGreaterThanOrEqualTo(10);
            assertThat(counts.lines.get(0)).matches("[1-9][0-9]* more requests got 502, 503 or 504 in this second");
        }
    }

    @Test
    void accessLog_openedAgain_isWrittenToTheNewFile(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("access.log");
        Path old = folder.resolve("access.log.1");
        try (TestBackend backend = TestBackend.saying("fine");
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend).accessLog(file.toString()))) {
            assertThat(Wire.ask(gateway, Wire.get("/one")).status()).isEqualTo(200);
            Files.move(file, old);
            awaitLine(old, "/one");
            gateway.reopenLog();
            assertThat(Wire.ask(gateway, Wire.get("/two")).status()).isEqualTo(200);
            awaitLine(file, "/two");
            assertThat(Files.readString(old)).doesNotContain("/two");
            Files.delete(file);
            Files.createDirectory(file); // cannot be opened as a file
            try {
                gateway.reopenLog();
                throw new AssertionError("a folder was opened");
            } catch (IOException e) {
                assertThat(Wire.ask(gateway, Wire.get("/three")).status()).isEqualTo(200);
            }
        }
    }

    private static void awaitLine(Path file, String text) throws IOException {
        while (!Files.readString(file).contains(text)) {
            LockSupport.parkNanos(5_000_000);
        }
    }

    private static InetAddress loopback6() throws IOException {
        byte[] bytes = new byte[16];
        bytes[15] = 1;
        return InetAddress.getByAddress(bytes);
    }

    private static boolean hasV6() {
        try (ServerSocket socket = new ServerSocket(0, 1, loopback6())) {
            return socket.getInetAddress() instanceof Inet6Address;
        } catch (IOException e) {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"::1", "::"})
    void ipv6_listenerAndBackend_areServed(String host) throws Exception {
        Assumptions.assumeTrue(hasV6(), "there is no IPv6 here");
        try (TestBackend backend = TestBackend.sayingAt("::1", 0, "six");
                NettyGateway gateway = Gateways.start(Gateways.proxy(BackendConfig.builder(
                                "a", "http://[::1]:" + backend.address().port()))
                        .listen(new Address(host, 0)))) {
            try (Wire wire = new Wire(new Socket(loopback6(), gateway.address().port()))) {
                assertThat(wire.send("GET / HTTP/1.1\r\nHost: [::1]\r\n\r\n")
                                .read()
                                .body())
                        .isEqualTo("six");
            }
            assertThat(backend.requests.get(0).field("host"))
                    .isEqualTo("[::1]:" + backend.address().port());
            assertThat(backend.requests.get(0).field("x-forwarded-for")).isEqualTo("0:0:0:0:0:0:0:1");
        }
    }

    @Test
    void websocket_handshake_isRefusedAndTheConnectionClosed() throws Exception {
        String handshake = """
                GET /chat HTTP/1.1
                Host: a
                Connection: keep-alive, Upgrade
                Upgrade: WebSocket
                Sec-WebSocket-Version: 13
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==

                """.replace("\n", "\r\n");
        try (TestBackend backend = TestBackend.saying("fine");
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend));
                Wire wire = Wire.to(gateway.address())) {
            wire.send(handshake + Wire.get("/smuggled"));
            Wire.Message answer = wire.read();
            assertThat(answer.status()).isEqualTo(501);
            assertThat(answer.field("connection")).isEqualToIgnoringCase("close");
            assertThat(wire.restOrReset()).isEmpty();
            assertThat(backend.requests).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n",
                "Connection: Upgrade\r\nUpgrade: TLS/1.0\r\n",
                "Upgrade: websocket\r\n",
                "Connection: close, upgrade\r\nUpgrade: foo, bar\r\n"
            })
    void otherUpgrade_isIgnored(String fields) throws Exception {
        try (TestBackend backend = TestBackend.saying("fine");
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend))) {
            Wire.Message answer = Wire.ask(gateway, "GET / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("fine");
            assertThat(backend.requests.get(0).field("upgrade")).isNull();
            assertThat(backend.requests.get(0).field("http2-settings")).isNull();
        }
    }

    /** Java's client asks for HTTP/2 by an Upgrade, unless it is told not to. */
    @Test
    void clientOfJava_isAnswered() throws Exception {
        try (TestBackend backend = TestBackend.answering(request -> Wire.ok(request.body()));
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend))) {
            HttpClient client =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
            for (int i = 0; i < 3; i++) {
                HttpResponse<String> answer = client.send(
                        HttpRequest.newBuilder(URI.create(
                                        "http://127.0.0.1:" + gateway.address().port() + "/"))
                                .POST(HttpRequest.BodyPublishers.ofString("body " + i))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.body()).isEqualTo("body " + i);
            }
        }
    }
}
