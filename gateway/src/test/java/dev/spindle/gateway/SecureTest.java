// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.RouteConfig;
import dev.spindle.gateway.config.Settings;
import dev.spindle.gateway.server.NettyGateway;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS, and HTTP/2 with the JDK's own client. */
@Timeout(60)
class SecureTest {
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int GOAWAY = 7;
    private static final int END_STREAM_AND_HEADERS = 5;

    @TempDir
    private static Path directory;

    private static Pem pem;

    @BeforeAll
    static void makeIdentity() throws Exception {
        pem = new Pem(directory);
    }

    private static Settings.Builder secure(TestBackend backend) {
        return Gateways.config()
                .tls(new Settings.Tls(pem.certificate, pem.key))
                .backend(BackendConfig.builder("a", backend.url())
                        .limit(Duration.ofSeconds(20))
                        .build())
                .route(RouteConfig.proxy("/one/*", "a").build())
                .route(RouteConfig.multicast("/two", "a", "a").build());
    }

    private static HttpClient client(HttpClient.Version version) throws Exception {
        return HttpClient.newBuilder()
                .version(version)
                .sslContext(pem.trusting())
                .build();
    }

    private static HttpRequest.Builder to(NettyGateway gateway, String path) {
        return HttpRequest.newBuilder(
                URI.create("https://localhost:" + gateway.address().port() + path));
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void tls_eachVersion_isNegotiatedAndServed(HttpClient.Version version) throws Exception {
        try (TestBackend backend = TestBackend.answering(request -> Wire.ok("got " + request.body()));
                NettyGateway gateway = Gateways.start(secure(backend))) {
            HttpClient client = client(version);
            HttpResponse<String> got =
                    client.send(to(gateway, "/one/x?y").build(), HttpResponse.BodyHandlers.ofString());
            HttpResponse<String> posted = client.send(
                    to(gateway, "/one/x")
                            .POST(HttpRequest.BodyPublishers.ofString("body"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            HttpResponse<String> several =
                    client.send(to(gateway, "/two").build(), HttpResponse.BodyHandlers.ofString());
            HttpResponse<String> none = client.send(to(gateway, "/none").build(), HttpResponse.BodyHandlers.ofString());

            assertThat(got.version()).isEqualTo(version);
            assertThat(got.body()).isEqualTo("got ");
            assertThat(posted.body()).isEqualTo("got body");
            assertThat(several.body()).contains("Spindle-Status: 200");
            assertThat(none.statusCode()).isEqualTo(404);
            Wire.Message request = backend.requests.get(0);
            assertThat(request.first()).isEqualTo("GET /one/x?y HTTP/1.1");
            assertThat(request.field("x-forwarded-proto")).isEqualTo("https");
            assertThat(request.field("x-forwarded-host")).startsWith("localhost:");
            assertThat(request.fields()).noneMatch(field -> field.startsWith("x-http2"));
        }
    }

    @Test
    void http2_largeBodiesOfManyStreams_areKeptApart() throws Exception {
        try (TestBackend backend = TestBackend.answering(request -> Wire.ok(request.body()));
                NettyGateway gateway = Gateways.start(secure(backend))) {
            HttpClient client = client(HttpClient.Version.HTTP_2);
            List<String> bodies = new ArrayList<>();
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                bodies.add(("body " + i + " ").repeat(20_000));
                answers.add(client.sendAsync(
                        to(gateway, "/one/" + i)
                                .POST(HttpRequest.BodyPublishers.ofString(bodies.get(i)))
                                .build(),
                        HttpResponse.BodyHandlers.ofString()));
            }
            for (int i = 0; i < 20; i++) {
                assertThat(answers.get(i).get(30, TimeUnit.SECONDS).body()).isEqualTo(bodies.get(i));
            }
        }
    }

    @Test
    void http2_backendThatFails_failsItsStreamAlone() throws Exception {
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    for (; ; ) {
                        Wire.Message request = self.request(wire);
                        if (request.path().equals("/one/bad")) {
                            wire.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort");
                            return;
                        }
                        wire.send(Wire.ok("fine"));
                    }
                });
                NettyGateway gateway = Gateways.start(secure(backend))) {
            HttpClient client = client(HttpClient.Version.HTTP_2);
            assertThatThrownBy(() -> client.send(to(gateway, "/one/bad").build(), HttpResponse.BodyHandlers.ofString()))
                    .isInstanceOf(IOException.class);
            assertThat(client.send(to(gateway, "/one/good").build(), HttpResponse.BodyHandlers.ofString())
                            .body())
                    .isEqualTo("fine");
        }
    }

    /** Frame by frame: some clients give up all streams at a GOAWAY, against the protocol. */
    @Test
    void h6_http2Drain_saysGoAwayAndAnswersOpenStreams() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    asked.countDown();
                    go.await();
                    wire.send(Wire.ok("fine"));
                });
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend));
                Wire wire = Wire.to(gateway.address())) {
            wire.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").send(frame(SETTINGS, 0, 0, ""));
            wire.send(frame(HEADERS, END_STREAM_AND_HEADERS, 1, "\u0082\u0086\u0084A\u0004test")); // GET http /
            asked.await();
            CompletableFuture<Integer> drained = gateway.drain();
            List<Integer> types = new ArrayList<>();
            StringBuilder data = new StringBuilder();
            while (!types.contains(GOAWAY)) {
                readFrame(wire, types, data);
            }
            assertThat(types).doesNotContain(HEADERS, DATA);
            go.countDown();
            while (!data.toString().equals("fine")) {
                readFrame(wire, types, data);
            }
            assertThat(drained.get(20, TimeUnit.SECONDS)).isZero();
        }
    }

    /** By a draft of WebSocket the decoder reads a body that no field states, so the backend would get extra bytes. */
    @Test
    void h2_http2BodyOfADraftsLength_isRefused() throws Exception {
        try (TestBackend backend = TestBackend.saying("x");
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend));
                Wire wire = Wire.to(gateway.address())) {
            wire.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").send(frame(SETTINGS, 0, 0, ""));
            String keys = "\u0000\u0012sec-websocket-key1\u00011\u0000\u0012sec-websocket-key2\u00012";
            wire.send(frame(HEADERS, 4, 1, "\u0082\u0086\u0084A\u0004test" + keys)); // more is to come
            List<Integer> types = new ArrayList<>();
            StringBuilder data = new StringBuilder();
            while (data.length() == 0) {
                readFrame(wire, types, data);
            }
            assertThat(data.toString()).startsWith("400 ");
            assertThat(backend.requests).isEmpty();
        }
    }

    private static byte[] frame(int type, int flags, int stream, String payload) {
        byte[] bytes = payload.getBytes(StandardCharsets.ISO_8859_1);
        byte[] frame = new byte[9 + bytes.length];
        frame[2] = (byte) bytes.length;
        frame[3] = (byte) type;
        frame[4] = (byte) flags;
        frame[8] = (byte) stream;
        System.arraycopy(bytes, 0, frame, 9, bytes.length);
        return frame;
    }

    private static void readFrame(Wire wire, List<Integer> types, StringBuilder data) throws IOException {
        String head = wire.exactly(9);
        String payload = wire.exactly(head.charAt(0) << 16 | head.charAt(1) << 8 | head.charAt(2));
        types.add((int) head.charAt(3));
        if (head.charAt(3) == DATA) {
            data.append(payload);
        }
    }

    private static SSLSocket socket(NettyGateway gateway, String version) throws Exception {
        SSLSocket socket = (SSLSocket) pem.trusting()
                .getSocketFactory()
                .createSocket(
                        InetAddress.getLoopbackAddress(), gateway.address().port());
        socket.setSoTimeout(10_000);
        socket.setEnabledProtocols(new String[] {version});
        return socket;
    }

    private static String answer(SSLSocket socket) throws IOException {
        socket.getOutputStream().write(Wire.get("/one/x").getBytes(StandardCharsets.ISO_8859_1));
        StringBuilder answer = new StringBuilder();
        while (!answer.toString().endsWith("fine")) {
            int b = socket.getInputStream().read();
            if (b < 0) {
                throw new IOException("closed");
            }
            answer.append((char) b);
        }
        return answer.toString();
    }

    /** TLS 1.3 has no renegotiation; new keys are no new handshake. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void tls_secondHandshakeOfAClient_endsItsConnection(String version) throws Exception {
        try (TestBackend backend = TestBackend.saying("fine");
                NettyGateway gateway = Gateways.start(secure(backend))) {
            for (int i = 0; i < 3; i++) { // the later ones may resume the session of the first
                try (SSLSocket socket = socket(gateway, version)) {
                    assertThat(answer(socket)).startsWith("HTTP/1.1 200 ");
                    assertThat(answer(socket)).startsWith("HTTP/1.1 200 ");
                    int before = backend.requests.size();
                    if (version.equals("TLSv1.3")) {
                        socket.startHandshake();
                        assertThat(answer(socket)).startsWith("HTTP/1.1 200 ");
                    } else {
                        assertThatThrownBy(() -> {
                                    socket.startHandshake();
                                    answer(socket);
                                })
                                .isInstanceOf(IOException.class);
                        assertThat(backend.requests).hasSize(before);
                    }
                }
            }
        }
    }

    @Test
    void h6_halfAHandshake_holdsUpNoDrain() throws Exception {
        try (TestBackend backend = TestBackend.saying("fine");
                NettyGateway gateway = Gateways.start(secure(backend).drainLimit(Duration.ofMinutes(5)));
                Wire none = Wire.to(gateway.address());
                Wire half = Wire.to(gateway.address())) {
            half.send("\u0016\u0003\u0001\u0001\u0000\u0001"); // a record with the beginning of a hello
            while (!gateway.metrics().contains("spindle_gateway_connections 2\n")) {
                Thread.onSpinWait();
            }
            assertThat(gateway.drain().get(8, TimeUnit.SECONDS)).isZero(); // shorter than the limit of a handshake
            assertThat(none.isClosed()).isTrue();
            assertThat(half.restOrReset()).doesNotContain("HTTP");
        }
    }

    @Test
    void plainText_toATlsPort_isClosed() throws Exception {
        try (TestBackend backend = TestBackend.saying("x");
                NettyGateway gateway = Gateways.start(secure(backend));
                Wire wire = Wire.to(gateway.address())) {
            assertThat(wire.send(Wire.get("/one/x")).rest()).doesNotContain("HTTP/");
            assertThat(backend.requests).isEmpty();
        }
    }

    @Test
    void http2Preface_inPieces_isRecognised() throws Exception {
        try (TestBackend backend = TestBackend.saying("x");
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend));
                Wire wire = Wire.to(gateway.address())) {
            for (String piece : List.of("P", "RI * HT", "TP/2.0\r\n\r\nSM\r\n\r\n")) {
                wire.send(piece);
            }
            wire.send(frame(SETTINGS, 0, 0, ""));
            List<Integer> types = new ArrayList<>();
            readFrame(wire, types, new StringBuilder());

            assertThat(types).containsExactly(SETTINGS);
        }
    }

    /** RFC 9113, 8.1: any code but NO_ERROR would make the client drop the answer that it has. */
    @Test
    void http2_answerBeforeTheRequestIsComplete_isWholeAndThenTheStreamIsResetWithoutError() throws Exception {
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    while (!wire.line().isEmpty()) {
                        // the head alone
                    }
                    wire.send(Wire.ok("early")).rest();
                });
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend));
                Wire wire = Wire.to(gateway.address())) {
            byte[] block = "\u0083\u0086\u0004\u0002/x\u0001\u0004test".getBytes(StandardCharsets.ISO_8859_1);
            wire.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
            wire.send(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0}); // settings
            wire.send(new byte[] {0, 0, (byte) block.length, 1, 4, 0, 0, 0, 1}); // POST /x, and more to come
            wire.send(block);

            StringBuilder body = new StringBuilder();
            boolean ended = false;
            int resetCode = -1;
            while (resetCode < 0) {
                byte[] head = wire.exactly(9).getBytes(StandardCharsets.ISO_8859_1);
                String payload = wire.exactly(((head[1] & 0xff) << 8) | (head[2] & 0xff));
                if (head[8] == 1 && head[3] == 0) {
                    body.append(payload);
                }
                ended |= head[8] == 1 && head[3] <= 1 && (head[4] & 1) != 0;
                if (head[8] == 1 && head[3] == 3) {
                    resetCode = payload.charAt(3);
                }
            }

            assertThat(body).hasToString("early");
            assertThat(ended)
                    .as("the answer was ended before the stream was reset")
                    .isTrue();
            assertThat(resetCode).as("NO_ERROR").isZero();
        }
    }

    @Test
    void tls_withoutItsFiles_saysWhichAndHow() {
        Settings.Builder config = Gateways.config()
                .tls(new Settings.Tls(directory.resolve("none.pem"), pem.key))
                .backend(BackendConfig.builder("a", "http://localhost").build())
                .route(RouteConfig.proxy("/", "a").build());

        assertThatThrownBy(() -> Gateways.start(config))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("none.pem")
                .hasMessageContaining("PKCS#8");
    }
}
