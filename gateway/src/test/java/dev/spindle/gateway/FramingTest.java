// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.RouteConfig;
import dev.spindle.gateway.config.Settings;
import dev.spindle.gateway.server.NettyGateway;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tables of the bytes that the gateway sends in HTTP/1.1: where heads, bodies and connections end. */
@Timeout(60)
class FramingTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: test\r\n\r\n";
    private static final String HEAD = "HEAD / HTTP/1.1\r\nHost: test\r\n\r\n";
    private static final String CLOSE = "GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n";
    private static final String OLD = "GET / HTTP/1.0\r\n\r\n";
    private static final String OLD_KEPT = "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
    private static final String PIPELINE = "GET /steps HTTP/1.1\r\nHost: test\r\n\r\n";
    private static final String PIPELINE_HEAD = "HEAD /steps HTTP/1.1\r\nHost: test\r\n\r\n";

    private static final String TEXT = "content-type: text/plain; charset=utf-8\r\n";
    private static final String LAST = "GET /nowhere HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n";
    private static final String LAST_ANSWER =
            "HTTP/1.1 404 Not Found\r\n" + TEXT + "content-length: 14\r\nconnection: close\r\n\r\n404 Not Found\n";

    private static final String CHUNKED = "Transfer-Encoding: chunked\r\n\r\n4\r\nwiki\r\n5\r\npedia\r\n0\r\n";
    private static final String LARGE = "x".repeat(100_000);

    private static Arguments row(String name, String request, String backend, String expected) {
        return Arguments.of(name, request, backend, expected);
    }

    /** Answers after which the connection goes on. */
    static Stream<Arguments> answers() {
        return Stream.of(
                row("a length", GET, ok("Content-Length: 5\r\n\r\nhello"), ok("content-length: 5\r\n\r\nhello")),
                row("a length of 0", GET, ok("Content-Length: 0\r\n\r\n"), ok("content-length: 0\r\n\r\n")),
                row(
                        "fields in their order and spelling, and no field of one hop",
                        GET,
                        ok("B-B: 1\r\nConnection: named\r\nnAMED: 2\r\na: 3\r\na: \u00e44\r\nc:\r\nKeep-Alive: 5\r\n"
                                + "Content-Length: 5\r\n\r\nhello"),
                        ok("B-B: 1\r\na: 3\r\na: \u00e44\r\nc: \r\ncontent-length: 5\r\n\r\nhello")),
                row(
                        "chunks",
                        GET,
                        ok(CHUNKED + "\r\n"),
                        ok("transfer-encoding: chunked\r\n\r\n9\r\nwikipedia\r\n0\r\n\r\n")),
                row(
                        "chunks and a trailer, which ends here",
                        GET,
                        ok(CHUNKED + "X: 1\r\n\r\n"),
                        ok("transfer-encoding: chunked\r\n\r\n9\r\nwikipedia\r\n0\r\n\r\n")),
                row(
                        "no chunk",
                        GET,
                        ok("Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
                        ok("transfer-encoding: chunked\r\n\r\n0\r\n\r\n")),
                row("a large length", GET, large("Content-Length"), large("content-length")),
                row("a HEAD with a length", HEAD, ok("Content-Length: 5\r\n\r\n"), ok("content-length: 5\r\n\r\n")),
                row("a HEAD that says chunked", HEAD, ok("Transfer-Encoding: chunked\r\n\r\n"), ok("\r\n")),
                row("a HEAD without either", HEAD, ok("A: 1\r\n\r\n"), ok("A: 1\r\n\r\n")),
                row("204", GET, "HTTP/1.1 204 No\r\nA: 1\r\n\r\n", "HTTP/1.1 204 No Content\r\nA: 1\r\n\r\n"),
                row(
                        "205, whose body is dropped",
                        GET,
                        "HTTP/1.1 205 Reset\r\nContent-Length: 5\r\n\r\nhello",
                        "HTTP/1.1 205 Reset Content\r\ncontent-length: 0\r\n\r\n"),
                row(
                        "205 in chunks, which are dropped",
                        GET,
                        "HTTP/1.1 205 Reset\r\n" + CHUNKED + "\r\n",
                        "HTTP/1.1 205 Reset Content\r\ncontent-length: 0\r\n\r\n"),
                row(
                        "205 to a HEAD",
                        HEAD,
                        "HTTP/1.1 205 Reset\r\nContent-Length: 5\r\n\r\n",
                        "HTTP/1.1 205 Reset Content\r\ncontent-length: 0\r\n\r\n"),
                row(
                        "304 with a length",
                        GET,
                        "HTTP/1.1 304 Not\r\nContent-Length: 5\r\n\r\n",
                        "HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n"),
                row("304", GET, "HTTP/1.1 304 Not\r\nA: 1\r\n\r\n", "HTTP/1.1 304 Not Modified\r\nA: 1\r\n\r\n"),
                row(
                        "a status without a name",
                        GET,
                        "HTTP/1.1 599 What\r\nContent-Length: 1\r\n\r\n1",
                        "HTTP/1.1 599 Server Error (599)\r\ncontent-length: 1\r\n\r\n1"),
                row(
                        "HTTP/1.0 with a length, kept alive",
                        OLD_KEPT,
                        ok("Content-Length: 5\r\n\r\nhello"),
                        ok("content-length: 5\r\nconnection: keep-alive\r\n\r\nhello")),
                row(
                        "an answer of the gateway",
                        "GET /nowhere HTTP/1.1\r\nHost: test\r\n\r\n",
                        "",
                        "HTTP/1.1 404 Not Found\r\n" + TEXT + "content-length: 14\r\n\r\n404 Not Found\n"),
                row(
                        "an answer of the gateway to a HEAD",
                        "HEAD /nowhere HTTP/1.1\r\nHost: test\r\n\r\n",
                        "",
                        "HTTP/1.1 404 Not Found\r\n" + TEXT + "content-length: 14\r\n\r\n"),
                row(
                        "an answer of the gateway for a backend that fails",
                        GET,
                        "no answer",
                        "HTTP/1.1 502 Bad Gateway\r\n" + TEXT + "content-length: 16\r\n\r\n502 Bad Gateway\n"),
                row(
                        "an Upgrade, which is ignored",
                        "GET / HTTP/1.1\r\nHost: test\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
                        ok("Content-Length: 5\r\n\r\nhello"),
                        ok("content-length: 5\r\n\r\nhello")),
                row(
                        "an expectation",
                        "POST / HTTP/1.1\r\nHost: test\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nhello",
                        ok("Content-Length: 5\r\n\r\nhello"),
                        "HTTP/1.1 100 Continue\r\n\r\n" + ok("content-length: 5\r\n\r\nhello")),
                row(
                        "a held answer",
                        PIPELINE,
                        ok("B: 1\r\nContent-Length: 5\r\n\r\nhello"),
                        ok("B: 1\r\ncontent-length: 5\r\n\r\nhello")),
                row(
                        "a held answer in chunks",
                        PIPELINE,
                        ok(CHUNKED + "\r\n"),
                        ok("content-length: 9\r\n\r\nwikipedia")),
                row("a large held answer", PIPELINE, large("Content-Length"), large("content-length")),
                row("a held answer to a HEAD", PIPELINE_HEAD, ok(CHUNKED + "\r\n"), ok("content-length: 9\r\n\r\n")),
                row("a held 204", PIPELINE, "HTTP/1.1 204 No\r\n\r\n", "HTTP/1.1 204 No Content\r\n\r\n"),
                row("a held 304", PIPELINE, "HTTP/1.1 304 Not\r\n\r\n", "HTTP/1.1 304 Not Modified\r\n\r\n"),
                row(
                        "a held 205",
                        PIPELINE,
                        "HTTP/1.1 205 Reset\r\nContent-Length: 5\r\n\r\nhello",
                        "HTTP/1.1 205 Reset Content\r\ncontent-length: 0\r\n\r\n"));
    }

    /** Answers that end their connection. */
    static Stream<Arguments> lastAnswers() {
        return Stream.of(
                row(
                        "the last of its connection",
                        CLOSE,
                        ok("Content-Length: 5\r\n\r\nhello"),
                        ok("content-length: 5\r\nconnection: close\r\n\r\nhello")),
                row(
                        "chunks, the last of their connection",
                        CLOSE,
                        ok(CHUNKED + "\r\n"),
                        ok("transfer-encoding: chunked\r\nconnection: close\r\n\r\n9\r\nwikipedia\r\n0\r\n\r\n")),
                row(
                        "HTTP/1.0 with a length",
                        OLD,
                        ok("Content-Length: 5\r\n\r\nhello"),
                        ok("content-length: 5\r\nconnection: close\r\n\r\nhello")),
                row("HTTP/1.0 and chunks", OLD, ok(CHUNKED + "\r\n"), ok("connection: close\r\n\r\nwikipedia")),
                row(
                        "HTTP/1.0 and chunks, to be kept alive",
                        OLD_KEPT,
                        ok(CHUNKED + "\r\n"),
                        ok("connection: close\r\n\r\nwikipedia")),
                row(
                        "fewer bytes than the length",
                        GET,
                        ok("Content-Length: 6\r\n\r\nhello"),
                        ok("content-length: 6\r\n\r\nhello")),
                row(
                        "a handshake of WebSocket",
                        "GET / HTTP/1.1\r\nHost: test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
                        "",
                        "HTTP/1.1 501 Not Implemented\r\n" + TEXT
                                + "content-length: 20\r\nconnection: close\r\n\r\n501 Not Implemented\n"),
                row(
                        "what is no request",
                        "G@T / HTTP/1.1\r\n\r\n",
                        "",
                        "HTTP/1.1 400 Bad Request\r\n" + TEXT
                                + "content-length: 16\r\nconnection: close\r\n\r\n400 Bad Request\n"));
    }

    private static String ok(String rest) {
        return "HTTP/1.1 200 OK\r\n" + rest;
    }

    private static String large(String name) {
        return ok(name + ": " + LARGE.length() + "\r\n\r\n" + LARGE);
    }

    /** Answers the first request of each connection with given bytes, and closes the connection. */
    private static TestBackend backend(String bytes) throws Exception {
        return TestBackend.of((wire, backend) -> {
            backend.request(wire);
            wire.send(bytes);
        });
    }

    private static Settings.Builder config(TestBackend backend) {
        return Gateways.config()
                .backend(BackendConfig.builder("a", backend.url())
                        .host("backend")
                        .limit(Duration.ofSeconds(5))
                        .build())
                .route(RouteConfig.proxy("/", "a").build())
                .route(RouteConfig.pipeline("/steps", "a").build());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("answers")
    void answer_ofTheTable_hasTheseBytesAndTheConnectionGoesOn(
            String name, String request, String bytes, String expected) throws Exception {
        try (TestBackend backend = backend(bytes);
                NettyGateway gateway = Gateways.start(config(backend));
                Wire wire = Wire.to(gateway.address())) {
            assertThat(wire.send(request).exactly(expected.length())).isEqualTo(expected);
            assertThat(wire.send(LAST).rest()).isEqualTo(LAST_ANSWER);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("lastAnswers")
    void lastAnswer_ofTheTable_hasTheseBytesAndTheConnectionEnds(
            String name, String request, String bytes, String expected) throws Exception {
        try (TestBackend backend = backend(bytes);
                NettyGateway gateway = Gateways.start(config(backend));
                Wire wire = Wire.to(gateway.address())) {
            assertThat(wire.send(request).rest()).isEqualTo(expected);
        }
    }

    @Test
    void answer_thatEndsWithTheConnectionOfTheBackend_isSentInChunks() throws Exception {
        try (TestBackend backend = backend(ok("\r\nhello"));
                NettyGateway gateway = Gateways.start(config(backend));
                Wire wire = Wire.to(gateway.address())) {
            Wire.Message answer = wire.send(GET).read();
            assertThat(answer.field("transfer-encoding")).isEqualTo("chunked");
            assertThat(answer.body()).isEqualTo("hello");
            assertThat(wire.send(LAST).rest()).isEqualTo(LAST_ANSWER);
        }
    }

    @Test
    void largeAnswer_inChunks_arrivesWhole() throws Exception {
        String chunked = "Transfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(LARGE.length()) + "\r\n" + LARGE
                + "\r\n0\r\n\r\n";
        try (TestBackend backend = backend(ok(chunked));
                NettyGateway gateway = Gateways.start(config(backend));
                Wire wire = Wire.to(gateway.address())) {
            assertThat(wire.send(GET).read().body()).isEqualTo(LARGE);
            assertThat(wire.send(LAST).rest()).isEqualTo(LAST_ANSWER);
        }
    }

    // ---------------------------------------------------------------- calls

    private static String call(String line, String fields, String afterDeadline) {
        return line + " HTTP/1.1\r\nhost: backend\r\n" + fields
                + "via: 1.1 spindle\r\nx-forwarded-for: 127.0.0.1\r\nx-forwarded-proto: http\r\n"
                + "x-forwarded-host: test\r\n" + afterDeadline;
    }

    private static Arguments whole(String name, String request, String expected) {
        return Arguments.of(name, List.of(request), List.of(expected));
    }

    private static final String LIMIT = "X-Deadline-Ms: 0000\r\n";

    /** Requests, in parts, and what the backend has received of each before the next part is sent. */
    static Stream<Arguments> calls() {
        String post = "POST / HTTP/1.1\r\nHost: test\r\n";
        return Stream.of(
                whole("GET", GET, call("GET /", "", LIMIT + "\r\n")),
                whole("HEAD", HEAD, call("HEAD /", "", LIMIT + "\r\n")),
                whole(
                        "a method of its own, and fields",
                        "BREW /?a=b HTTP/1.1\r\nHost: test\r\nB-B: 1\r\na: \u00e42\r\nTE: trailers\r\nc:\r\n\r\n",
                        call("BREW /?a=b", "B-B: 1\r\na: \u00e42\r\nc: \r\n", LIMIT + "\r\n")),
                whole(
                        "a GET with a body",
                        "GET / HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\nhello",
                        call("GET /", "", "content-length: 5\r\n" + LIMIT + "\r\nhello")),
                whole(
                        "a body that has arrived",
                        post + "Content-Length: 5\r\n\r\nhello",
                        call("POST /", "", "content-length: 5\r\n" + LIMIT + "\r\nhello")),
                whole(
                        "a POST without a body",
                        post + "\r\n",
                        call("POST /", "", "content-length: 0\r\n" + LIMIT + "\r\n")),
                whole(
                        "a DELETE of length 0",
                        "DELETE / HTTP/1.1\r\nHost: test\r\nContent-Length: 0\r\n\r\n",
                        call("DELETE /", "", LIMIT + "\r\n")),
                whole(
                        "chunks that have arrived",
                        post + CHUNKED + "\r\n",
                        call("POST /", "", "content-length: 9\r\n" + LIMIT + "\r\nwikipedia")),
                whole(
                        "a deadline for gRPC",
                        "GET / HTTP/1.1\r\nHost: test\r\ngrpc-timeout: 4S\r\n\r\n",
                        call("GET /", "", LIMIT + "grpc-timeout: 0000m\r\n\r\n")),
                Arguments.of(
                        "a length whose body follows",
                        List.of(post + "Content-Length: 10\r\n\r\nhello", "world"),
                        List.of(call("POST /", "", LIMIT + "content-length: 10\r\n\r\nhello"), "world")),
                Arguments.of(
                        "a length whose large body follows",
                        List.of(post + "Content-Length: 100005\r\n\r\nhello", LARGE),
                        List.of(call("POST /", "", LIMIT + "content-length: 100005\r\n\r\nhello"), LARGE)),
                Arguments.of(
                        "chunks and a trailer that follow",
                        List.of(
                                post + "Transfer-Encoding: chunked\r\n\r\n4\r\nwiki\r\n",
                                "5\r\npedia\r\n",
                                "0\r\nX: 1\r\n\r\n"),
                        List.of(
                                call("POST /", "", LIMIT + "transfer-encoding: chunked\r\n\r\n4\r\nwiki\r\n"),
                                "5\r\npedia\r\n",
                                "0\r\n\r\n")),
                Arguments.of(
                        "chunks, the last with the end",
                        List.of(post + "Transfer-Encoding: chunked\r\n\r\n", "5\r\npedia\r\n0\r\n\r\n"),
                        List.of(
                                call("POST /", "", LIMIT + "transfer-encoding: chunked\r\n\r\n"),
                                "5\r\npedia\r\n0\r\n\r\n")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void call_ofTheTable_hasTheseBytes(String name, List<String> parts, List<String> expected) throws Exception {
        BlockingQueue<String> got = new LinkedBlockingQueue<>();
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    for (String part : expected) {
                        got.add(wire.exactly(part.length()));
                    }
                    wire.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
                    got.add(wire.rest()); // no byte follows
                });
                NettyGateway gateway = Gateways.start(config(backend));
                Wire wire = Wire.to(gateway.address())) {
            for (int i = 0; i < parts.size(); i++) {
                wire.send(parts.get(i));
                assertThat(got.take().replaceAll("(-Ms: |grpc-timeout: )\\d{4}", "$10000"))
                        .isEqualTo(expected.get(i));
            }
            assertThat(wire.read(true).status()).isEqualTo(200);
            assertThat(got.take()).isEmpty();
        }
    }
}
