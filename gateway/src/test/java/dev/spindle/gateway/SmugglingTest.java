// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.gateway.server.NettyGateway;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that two parsers could read in two ways. */
@Timeout(60)
class SmugglingTest {
    private static final String HIDDEN = "GET /hidden HTTP/1.1\r\nHost: test\r\n\r\n";

    static Stream<Arguments> requests() {
        return Stream.of(
                refused("both lengths", post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")),
                refused("two lengths", post("Content-Length: 5\r\nContent-Length: 6\r\n", "123456")),
                refused("the same length twice", post("Content-Length: 5\r\nContent-Length: 5\r\n", "12345")),
                refused("a list of lengths", post("Content-Length: 5, 5\r\n", "12345")),
                refused("a signed length", post("Content-Length: +5\r\n", "12345")),
                refused("a length in hex", post("Content-Length: 0x5\r\n", "12345")),
                refused("an empty length", post("Content-Length:\r\n", "")),
                refused("a length beyond all bounds", post("Content-Length: 99999999999999999999\r\n", "")),
                refused("two lengths in HTTP/1.0", old("Content-Length: 5\r\nContent-Length: 6\r\n", "123456")),
                refused("a coding in HTTP/1.0", old("Transfer-Encoding: chunked\r\n", "0\r\n\r\n")),
                refused("a length that no field says", get("Sec-WebSocket-Key1: 1\r\nSec-WebSocket-Key2: 2\r\n")),
                refused("another coding", post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n")),
                refused("chunked, not last", post("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n")),
                refused(
                        "chunked twice",
                        post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")),
                refused("chunked, and a comma", post("Transfer-Encoding: chunked,\r\n", "0\r\n\r\n")),
                refused(
                        "chunked, and no coding",
                        post("Transfer-Encoding: chunked\r\nTransfer-Encoding:\r\n", "0\r\n\r\n")),
                refused("a coding with a control", post("Transfer-Encoding: \u000bchunked\r\n", "0\r\n\r\n")),
                refused("a blank before the colon", post("Transfer-Encoding : chunked\r\n", "0\r\n\r\n")),
                refused("a blank in a name", post("X Y: 1\r\n", "")),
                refused("a tab before the colon", post("X\t: 1\r\n", "")),
                refused("a control in a name", post("X\u0001: 1\r\n", "")),
                refused("a byte above 127 in a name", post("X\u00e4: 1\r\n", "")),
                refused("a bracket in a name", post("X(1): 1\r\n", "")),
                refused("a folded line", post("X: 1\r\n  2\r\n", "")),
                refused("a folded line like a field", post("X: 1\r\n\tY: 2\r\n", "")),
                refused("a line without colon", post("nothing\r\n", "")),
                refused("a field without a name", post(": 1\r\n", "")),
                refused("a bare LF in the head", post("X: 1\nY: 2\r\n", "")),
                refused("a bare CR in a value", post("X: 1\rY: 2\r\n", "")),
                refused("a NUL in a value", post("X: 1\u0000\r\n", "")),
                refused("a control in a value", post("X: \u0001\r\n", "")),
                refused("a NUL in a name", post("X\u0000: 1\r\n", "")),
                refused("two hosts", post("Host: other\r\n", "")),
                refused("no host", "GET / HTTP/1.1\r\n\r\n"),
                refused("a host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
                refused("a method that is no token", "G@T / HTTP/1.1\r\nHost: a\r\n\r\n"),
                refused("a request line of two parts", "GET /\r\nHost: a\r\n\r\n"),
                refused("a request line of two parts, far apart", "GET  /\r\nHost: a\r\n\r\n"),
                refused("a request line of four parts", "GET / x HTTP/1.1\r\nHost: a\r\n\r\n"),
                refused("a version in lower case", "GET / http/1.1\r\nHost: a\r\n\r\n"),
                refused("a version in mixed case", "GET / Http/1.1\r\nHost: a\r\n\r\n"),
                refused("a version of another protocol", "GET / HTTPS/1.1\r\nHost: a\r\n\r\n"),
                refused("a version of two digits", "GET / HTTP/1.11\r\nHost: a\r\n\r\n"),
                refused("a version of three numbers", "GET / HTTP/1.1.1\r\nHost: a\r\n\r\n"),
                refused("a version with a comma", "GET / HTTP/1,1\r\nHost: a\r\n\r\n"),
                refused("half a version", "GET / HTTP/1.\r\nHost: a\r\n\r\n"),
                refused("a tab in the request line", "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n"),
                refused("two blanks in the request line", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
                refused("a blank at the end of the request line", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n"),
                refused("a blank in front of the request line", " GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
                refused("a bare LF in front of the request line", "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
                refused("a bare CR in front of the request line", "\rGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
                refused("a bare CR in the request line", "GET /\r HTTP/1.1\r\nHost: a\r\n\r\n"),
                refused("a bare LF after the request line", "GET / HTTP/1.1\nHost: a\r\n\r\n"),
                refused("a control in the path", "GET /\u0001 HTTP/1.1\r\nHost: a\r\n\r\n"),
                refused("a byte above 127 in the path", "GET /\u00e4 HTTP/1.1\r\nHost: a\r\n\r\n"),
                refused("a path without slash", "GET x HTTP/1.1\r\nHost: a\r\n\r\n"),
                refused("a fragment", "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n"),
                refused("a dot segment", "GET /a/../b HTTP/1.1\r\nHost: a\r\n\r\n"),
                refused("a coded dot segment", "GET /a/%2e%2E/b HTTP/1.1\r\nHost: a\r\n\r\n"),
                refused("a dot segment that is coded twice", "GET /a/%252e%252e/b HTTP/1.1\r\nHost: a\r\n\r\n"),
                refused("a dot segment with parameters", "GET /a/..;x/b HTTP/1.1\r\nHost: a\r\n\r\n"),
                refused("a coded slash", "GET /a%2fb HTTP/1.1\r\nHost: a\r\n\r\n"),
                refused("a backslash", "GET /a/..\\b HTTP/1.1\r\nHost: a\r\n\r\n"),
                refused("a coded backslash", "GET /a%5cb HTTP/1.1\r\nHost: a\r\n\r\n"),
                refused("a coded NUL", "GET /a%00 HTTP/1.1\r\nHost: a\r\n\r\n"),
                refused("half a coding", "GET /a%4 HTTP/1.1\r\nHost: a\r\n\r\n"),
                refused("an empty segment", "GET //a HTTP/1.1\r\nHost: a\r\n\r\n"));
    }

    static Stream<Arguments> chunks() {
        return Stream.of(
                refused("a size that is no number", "x\r\n12345\r\n0\r\n\r\n"),
                refused("a size with a sign", "+5\r\n12345\r\n0\r\n\r\n"),
                refused("a size with 0x", "0x5\r\n12345\r\n0\r\n\r\n"),
                refused("a blank before the size", " 5\r\n12345\r\n0\r\n\r\n"),
                refused("a blank behind the size", "5 \r\n12345\r\n0\r\n\r\n"),
                refused("a blank behind the size, and an extension", "5 ;a=b\r\n12345\r\n0\r\n\r\n"),
                refused("a NUL behind the size", "5\u0000\r\n12345\r\n0\r\n\r\n"),
                refused("no size", "\r\n12345\r\n0\r\n\r\n"),
                refused("an extension of no size", ";a=b\r\n12345\r\n0\r\n\r\n"),
                refused("a bare CR in front of the size", "\r5\r\n12345\r\n0\r\n\r\n"),
                refused("a size beyond all bounds", "ffffffffffffffff5\r\n12345\r\n0\r\n\r\n"),
                refused("a bare LF behind the size", "5\n12345\r\n0\r\n\r\n"),
                refused("a bare CR in an extension", "5;a=\rb\r\n12345\r\n0\r\n\r\n"),
                refused("a bare LF in an extension", "5;a=\nb\r\n12345\r\n0\r\n\r\n"),
                refused("a NUL in an extension", "5;a=\u0000\r\n12345\r\n0\r\n\r\n"),
                refused("bytes behind a chunk", "5\r\n123456\r\n0\r\n\r\n"),
                refused("a bare LF behind a chunk", "5\r\n12345\n0\r\n\r\n"),
                refused("a trailer without colon", "5\r\n12345\r\n0\r\nnothing\r\n\r\n"),
                refused("a control in a trailer", "5\r\n12345\r\n0\r\nX: \u0001\r\n\r\n"),
                refused("a blank in the name of a trailer", "5\r\n12345\r\n0\r\nX : 1\r\n\r\n"),
                refused("a folded trailer", "5\r\n12345\r\n0\r\nX: 1\r\n 2\r\n\r\n"),
                refused("a bare LF in a trailer", "5\r\n12345\r\n0\r\nX: 1\n\r\n\r\n"));
    }

    private static Arguments refused(String name, String bytes) {
        return Arguments.of(name, bytes);
    }

    private static String get(String fields) {
        return "GET /x HTTP/1.1\r\nHost: test\r\n" + fields + "\r\n";
    }

    /** The form in which some proxies call their backends. */
    private static String old(String fields, String body) {
        return "POST /x HTTP/1.0\r\nHost: test\r\nConnection: keep-alive\r\n" + fields + "\r\n" + body;
    }

    private static String post(String fields, String body) {
        return "POST /x HTTP/1.1\r\nHost: test\r\n" + fields + "\r\n" + body;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("requests")
    void h2_whatCouldBeReadInTwoWays_isRefusedAndNothingGoesOn(String name, String request) throws Exception {
        try (TestBackend backend = TestBackend.saying("hello");
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend));
                Wire wire = Wire.to(gateway.address())) {
            Wire.Message answer = wire.send(request + HIDDEN).read();

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.field("connection")).isEqualTo("close");
            assertThat(wire.isClosed()).isTrue();
            assertThat(backend.requests).isEmpty();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("chunks")
    void h2_chunksThatCouldBeReadInTwoWays_endTheRequest(String name, String chunks) throws Exception {
        try (TestBackend backend = TestBackend.saying("hello");
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend));
                Wire wire = Wire.to(gateway.address())) {
            wire.send(post("Transfer-Encoding: chunked\r\n", chunks) + HIDDEN);

            assertThat(wire.rest()).startsWith("HTTP/1.1 400 ").doesNotContain("hello");
            assertThat(backend.requests).isEmpty();
        }
    }

    /** The bytes that follow may be meant for a tunnel, or be of another version. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "CONNECT test:443 HTTP/1.1\r\nHost: test\r\n\r\n",
                "CONNECT test:443 HTTP/1.1\r\nHost: test\r\nConnection: keep-alive\r\n\r\n",
                "CONNECT test:443 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
                "connect test:443 HTTP/1.1\r\nHost: test\r\n\r\n",
                "PRI * HTTP/2.0\r\nHost: test\r\n\r\n",
                "GET / HTTP/1.2\r\nHost: test\r\n\r\n",
                "GET / HTTP/0.9\r\nHost: test\r\n\r\n"
            })
    void h2_requestAfterWhichOtherBytesMayCome_isTheLast(String request) throws Exception {
        try (TestBackend backend = TestBackend.saying("hello");
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend).http2(false));
                Wire wire = Wire.to(gateway.address())) {
            Wire.Message answer = wire.send(request + HIDDEN).read();

            assertThat(answer.status()).isIn(501, 505);
            assertThat(answer.field("connection")).isEqualTo("close");
            assertThat(wire.isClosed()).isTrue();
            assertThat(backend.requests).isEmpty();
        }
    }

    @Test
    void h2_chunkedBodyWithExtensionsAndTrailers_isTaken() throws Exception {
        try (TestBackend backend = TestBackend.answering(request -> Wire.ok(request.body()));
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend));
                Wire wire = Wire.to(gateway.address())) {
            String body = "5;a=b;c=\"d\"\r\n12345\r\nA\r\n1234567890\r\n0\r\nX-Trailer: 1\r\n\r\n";
            for (int i = 0; i < 2; i++) {
                wire.send(post("Transfer-Encoding: chunked\r\n", body));
                assertThat(wire.read().body()).isEqualTo("123451234567890");
            }
        }
    }

    @Test
    void h2_secondRequestOfAConnection_isCheckedAsTheFirst() throws Exception {
        try (TestBackend backend = TestBackend.saying("hello");
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend));
                Wire wire = Wire.to(gateway.address())) {
            assertThat(wire.send(get("")).read().status()).isEqualTo(200);
            assertThat(wire.send(post("X: \u0001\r\n", "")).read().status()).isEqualTo(400);
            assertThat(backend.requests).hasSize(1);
        }
    }

    /** The connection is still read for a time, so that the client gets the answer. */
    @Test
    void h2_requestAfterTheBodyOfARefusedOne_isNotServed() throws Exception {
        try (TestBackend backend = TestBackend.saying("hello");
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend))) {
            assertThat(Wire.ask(gateway, Wire.get("/first")).status()).isEqualTo(200); // leaves a connection
            try (Wire wire = Wire.to(gateway.address())) {
                String refused = "POST /a/../b HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\n";
                assertThat(wire.send(refused).read().status()).isEqualTo(400);
                wire.send("12345" + HIDDEN);
                assertThat(wire.rest()).isEmpty();
            }
            while (!gateway.metrics().contains("\nspindle_gateway_connections 0\n")) {
                Thread.onSpinWait(); // until the gateway has read all
            }
            assertThat(backend.requests).hasSize(1);
        }
    }

    @Test
    void h3_codedLettersOfThePath_goOnAsRoutesSawThem() throws Exception {
        try (TestBackend backend = TestBackend.answering(request -> Wire.ok(request.path()));
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend))) {
            assertThat(Wire.ask(gateway, Wire.get("/%61%2db/c%c3%a4%20?%61")).body())
                    .isEqualTo("/a-b/c%C3%A4%20?%61");
        }
    }
}
