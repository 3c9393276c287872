// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.Limits;
import dev.spindle.gateway.config.RouteConfig;
import dev.spindle.gateway.server.NettyGateway;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A table of requests and their outcomes, sent by HTTP/1.1 and by HTTP/2. */
@Timeout(60)
class BothProtocolsTest {
    private static final int LINE = 200;
    private static final int HEAD = 1_000;
    private static final int FIELDS = 20;

    private static TestBackend backend;
    private static NettyGateway gateway;

    @BeforeAll
    static void start() throws IOException {
        backend = TestBackend.answering(request -> Wire.ok(request.first()));
        gateway = Gateways.start(Gateways.config()
                .limits(Limits.builder()
                        .line(LINE)
                        .head(HEAD)
                        .fields(FIELDS)
                        .body(100)
                        .build())
                .backend(BackendConfig.builder("a", backend.url())
                        .limit(Duration.ofSeconds(20))
                        .build())
                .route(RouteConfig.proxy("/a/*", "a").build()));
    }

    @AfterAll
    static void stop() throws IOException {
        gateway.close();
        backend.close();
    }

    /**
     * A request, and the status that it gets.
     *
     * @param host the only Host, or the authority; null for none
     * @param fields name, value, name, value
     * @param trailer sent after the body
     */
    record Row(
            String name,
            int status,
            String method,
            String target,
            @Nullable String host,
            List<String> fields,
            @Nullable String body,
            List<String> trailer) {
        Row fields(String... namesAndValues) {
            return new Row(name, status, method, target, host, List.of(namesAndValues), body, trailer);
        }

        Row host(@Nullable String other) {
            return new Row(name, status, method, target, other, fields, body, trailer);
        }

        Row method(String other) {
            return new Row(name, status, other, target, host, fields, body, trailer);
        }

        Row body(String sent, String... trailerNamesAndValues) {
            return new Row(name, status, "POST", target, host, fields, sent, List.of(trailerNamesAndValues));
        }

        @Override
        public String toString() {
            return name + ": " + status;
        }
    }

    private static Row row(String name, int status, String target) {
        return new Row(name, status, "GET", target, "test", List.of(), null, List.of());
    }

    private static Row row(String name, int status) {
        return row(name, status, "/a/x");
    }

    private static String[] many(int count) {
        String[] fields = new String[2 * count];
        for (int i = 0; i < count; i++) {
            fields[2 * i] = "x" + i;
            fields[2 * i + 1] = "y";
        }
        return fields;
    }

    static Stream<Row> rows() {
        int targetOfALine = LINE - "GET  HTTP/1.1".length();
        int valueOfAHead = HEAD - "host: test".length() - "x: ".length();
        return Stream.of(
                row("a plain request", 200, "/a/x?y=z"),
                row("all that may stand in a query", 200, "/a/x?!$&'()*+,;=:@/?%zz{}|[]^`\"<>\\"),
                row("a tab in the query", 400, "/a/x?a\tb"),
                row("a blank in the query", 400, "/a/x?a b"),
                row("a byte above 127 in the query", 400, "/a/x?\u00e4"),
                row("a DEL in the query", 400, "/a/x?\u007f"),
                row("a control in the query", 400, "/a/x?\u0001"),
                row("a NUL in the query", 400, "/a/x?\u0000"),
                row("a CR and an LF in the query", 400, "/a/x?\r\nx: y"),
                row("a fragment", 400, "/a/x?y#z"),
                row("a tab in the path", 400, "/a/x\ty"),
                row("a blank in the path", 400, "/a/x y"),
                row("a byte above 127 in the path", 400, "/a/\u00e4"),
                row("a control in the path", 400, "/a/\u0001"),
                row("a coded control in the path", 400, "/a/%01"),
                row("a dot segment", 400, "/a/../b"),
                row("a coded dot segment", 400, "/a/%2e%2e/b"),
                row("a dot segment with coded parameters", 400, "/a/..%3Bx/b"),
                row("a backslash", 400, "/a/..\\b"),
                row("an empty segment", 400, "//a"),
                row("a path without a slash", 400, "x"),
                row("a star", 400, "*").method("OPTIONS"),
                row("no route", 404, "/b"),
                row("a line at its limit", 200, "/a/" + "x".repeat(targetOfALine - 3)),
                row("a line over its limit", 414, "/a/" + "x".repeat(targetOfALine - 2)),
                row("a query over the limit of the line", 414, "/a/x?" + "x".repeat(targetOfALine - 4)),
                row("as many fields as may be", 200).fields(many(FIELDS - 1)),
                row("a field too many", 431).fields(many(FIELDS)),
                row("many fields too many", 431).fields(many(4 * FIELDS)),
                row("a head at its limit", 200).fields("x", "y".repeat(valueOfAHead)),
                row("a head over its limit", 431).fields("x", "y".repeat(valueOfAHead + 1)),
                row("a long name over the limit", 431).fields("x".repeat(valueOfAHead + 1), "y"),
                row("a head far over its limit", 431).fields("x", "y".repeat(5 * HEAD)),
                row("a tab in a value", 200).fields("x", "y\tz"),
                row("a byte above 127 in a value", 200).fields("x", "\u00e4"),
                row("an empty value", 200).fields("x", ""),
                row("a control in a value", 400).fields("x", "y\u0001"),
                row("a NUL in a value", 400).fields("x", "y\u0000z"),
                row("a DEL in a value", 400).fields("x", "y\u007fz"),
                row("a CR in a value", 400).fields("x", "y\rz"),
                row("an LF in a value", 400).fields("x", "y\nz: 1"),
                row("a blank in a name", 400).fields("x y", "z"),
                row("a tab in a name", 400).fields("x\ty", "z"),
                row("a control in a name", 400).fields("x\u0001", "z"),
                row("a bracket in a name", 400).fields("x(1)", "z"),
                row("a byte above 127 in a name", 400).fields("x\u00e4", "z"),
                row("a field without a name", 400).fields("", "z"),
                row("no host", 400).host(null),
                row("a host with a path", 400).host("a/b"),
                row("a host with a user", 400).host("u@h"),
                row("a host with a blank", 400).host("a b"),
                row("two hosts", 400).fields("host", "other"),
                row("two other hosts", 400).host(null).fields("host", "test", "host", "other"),
                row("a method that is no token", 400).method("G@T"),
                row("a tunnel", 501, "test:443").method("CONNECT"),
                row("a trace", 501).method("TRACE"),
                row("another expectation", 417).fields("expect", "200-ok"),
                row("a body", 200).body("12345"),
                row("a body over its limit", 413)
                        .fields("content-length", "101")
                        .body("x".repeat(101)),
                row("the body of a length", 200).fields("content-length", "5").body("12345"),
                row("the same length twice", 400)
                        .fields("content-length", "5", "content-length", "5")
                        .body("12345"),
                row("two lengths", 400)
                        .fields("content-length", "5", "content-length", "6")
                        .body("12345"),
                row("a list of lengths", 400).fields("content-length", "5, 5").body("12345"),
                row("a signed length", 400).fields("content-length", "+5").body("12345"),
                row("an empty length", 400).fields("content-length", "").body("12345"),
                row("a length in hex", 400).fields("content-length", "0x5").body("12345"),
                row("a length beyond all bounds", 400)
                        .fields("content-length", "99999999999999999999")
                        .body("12345"),
                row("a draft's handshake", 400).fields("sec-websocket-key1", "1"),
                row("no number as the time that is left", 400).fields("x-deadline-ms", "7s"),
                row("two times that are left", 400).fields("x-deadline-ms", "7000", "x-deadline-ms", "7000"),
                row("no time left", 504).fields("x-deadline-ms", "0"),
                row("a trailer", 200).body("12345", "x", "y"),
                row("a control in a trailer", 400).body("12345", "x", "\u0001"),
                row("a blank in the name of a trailer", 400).body("12345", "x y", "z"),
                row("a trailer of too many fields", 431).body("12345", many(FIELDS + 1)),
                row("a trailer that is too long", 431).body("12345", "x", "y".repeat(HEAD)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void h8_requestByHttp1_getsTheStatusOfTheTable(Row row) throws Exception {
        try (Wire wire = Wire.to(gateway.address())) {
            int before = backend.requests.size();
            Wire.Message answer = wire.send(http1(row)).read();

            assertThat(answer.status()).isEqualTo(row.status);
            if (row.status == 400) {
                assertThat(answer.field("connection")).isEqualTo("close");
                assertThat(wire.isClosed()).isTrue();
            }
            assertReachedOnly200(row, before);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void h8_requestByHttp2_getsTheStatusOfTheTable(Row row) throws Exception {
        try (Http2Wire wire = Http2Wire.to(gateway.address())) {
            int before = backend.requests.size();
            Http2Wire.Answer answer = http2(row, wire).read(1);

            if (row.status >= 400) {
                assertThat(answer).matches(got -> got.isRefusedWith(row.status), "refused with " + row.status);
            } else {
                assertThat(answer.status()).isEqualTo(row.status);
            }
            assertReachedOnly200(row, before);
        }
    }

    private static void assertReachedOnly200(Row row, int before) {
        assertThat(backend.requests).hasSize(before + (row.status == 200 ? 1 : 0));
        if (row.status == 200) {
            assertThat(backend.requests.get(before).first()).isEqualTo(row.method + " " + row.target + " HTTP/1.1");
        }
    }

    private static String http1(Row row) {
        StringBuilder text = new StringBuilder(row.method + " " + row.target + " HTTP/1.1\r\n");
        if (row.host != null) {
            text.append("host: ").append(row.host).append("\r\n");
        }
        append(text, row.fields);
        boolean hasLength = row.fields.contains("content-length");
        if (row.body != null && !hasLength) {
            text.append("transfer-encoding: chunked\r\n\r\n")
                    .append(Integer.toHexString(row.body.length()))
                    .append("\r\n")
                    .append(row.body)
                    .append("\r\n0\r\n");
            append(text, row.trailer);
        }
        text.append("\r\n");
        return text + (row.body != null && hasLength ? row.body : "");
    }

    private static void append(StringBuilder text, List<String> fields) {
        for (int i = 0; i < fields.size(); i += 2) {
            text.append(fields.get(i)).append(": ").append(fields.get(i + 1)).append("\r\n");
        }
    }

    private static Http2Wire http2(Row row, Http2Wire wire) throws IOException {
        List<String> head = new ArrayList<>(List.of(":method", row.method));
        if (!row.method.equals("CONNECT")) {
            head.addAll(List.of(":scheme", "http", ":path", row.target));
        }
        if (row.host != null) {
            head.addAll(List.of(":authority", row.method.equals("CONNECT") ? row.target : row.host));
        }
        for (int i = 0; i < row.fields.size(); i += 2) {
            head.addAll(List.of(row.fields.get(i).toLowerCase(Locale.ROOT), row.fields.get(i + 1)));
        }
        wire.head(1, row.body == null, head);
        if (row.body != null) {
            wire.data(1, row.trailer.isEmpty(), row.body);
        }
        return row.trailer.isEmpty() ? wire : wire.head(1, true, row.trailer);
    }

    /** Requests that only HTTP/2 can express. */
    @Test
    void h8_headsThatOnlyHttp2CanHave_areRefused() throws Exception {
        String[][] heads = {
            {":method", "GET", ":scheme", "http", ":authority", "test"},
            {":method", "GET", ":path", "/a/x", ":authority", "test"},
            {":scheme", "http", ":path", "/a/x", ":authority", "test"},
            {":method", "GET", ":scheme", "http", ":path", "", ":authority", "test"},
            {":method", "GET", ":scheme", "http", ":path", "/a/x", ":path", "/a/y", ":authority", "test"},
            {":method", "GET", ":method", "POST", ":scheme", "http", ":path", "/a/x", ":authority", "test"},
            {":method", "GET", ":scheme", "http", ":path", "/a/x", ":authority", "test", ":authority", "other"},
            {":method", "GET", ":scheme", "http", ":path", "http://other/a/x", ":authority", "test"},
            {":method", "GET", ":scheme", "http", ":path", "/a/x", ":authority", "test", "X", "1"},
            {":method", "GET", ":scheme", "http", ":path", "/a/x", ":authority", "test", "x", " 1"},
            {":method", "GET", ":scheme", "http", ":path", "/a/x", ":authority", "test", "connection", "close"},
            {":method", "GET", ":scheme", "http", ":path", "/a/x", ":authority", "test", "transfer-encoding", "chunked"
            },
            {":method", "GET", ":scheme", "http", ":path", "/a/x", "x", "1", ":authority", "test"},
            {":method", "GET", ":scheme", "http", ":path", "/a/x", ":status", "200", ":authority", "test"},
            {":method", "GET", ":scheme", "http", ":path", "/a/x", ":other", "1", ":authority", "test"},
            {":method", "GET", ":scheme", "http", ":path", "/a/x", ":authority", "test", "content-length", "5"},
            {":method", "CONNECT", ":scheme", "http", ":path", "/a/x"},
        };
        int before = backend.requests.size();
        for (String[] head : heads) {
            for (boolean last : new boolean[] {true, false}) {
                try (Http2Wire wire = Http2Wire.to(gateway.address())) {
                    wire.head(1, last, List.of(head));
                    if (!last) {
                        wire.data(1, true, "1234");
                    }
                    assertThat(wire.read(1))
                            .as("%s", List.of(head))
                            .matches(answer -> answer.isRefusedWith(400), "refused");
                }
            }
        }
        assertThat(backend.requests).hasSize(before);
    }

    @Test
    void h8_headsThatAreHttp2s_areTaken() throws Exception {
        String[][] heads = {
            {":method", "GET", ":scheme", "http", ":path", "/a/x", ":authority", "test", "host", "test"},
            {":method", "GET", ":scheme", "http", ":path", "/a/x", "host", "test"},
            {":method", "GET", ":scheme", "http", ":path", "/a/x", ":authority", "test", "te", "trailers"},
        };
        for (String[] head : heads) {
            try (Http2Wire wire = Http2Wire.to(gateway.address())) {
                assertThat(wire.head(1, true, List.of(head)).read(1).status()).isEqualTo(200);
            }
        }
    }

    /** Clients send each cookie as a field of its own, for the compression; together they are one field. */
    @Test
    void h8_manyCookiesByHttp2_areOneField() throws Exception {
        List<String> head =
                new ArrayList<>(List.of(":method", "GET", ":scheme", "http", ":path", "/a/x", ":authority", "test"));
        for (int i = 0; i < 2 * FIELDS; i++) {
            head.addAll(List.of("cookie", "c" + i + "=1"));
        }
        try (Http2Wire wire = Http2Wire.to(gateway.address())) {
            assertThat(wire.head(1, true, head).read(1).status()).isEqualTo(200);
            Wire.Message request = backend.requests.get(backend.requests.size() - 1);
            assertThat(request.field("cookie")).startsWith("c0=1; c1=1; ").endsWith("; c" + (2 * FIELDS - 1) + "=1");
        }
    }

    /** The refusal of one stream does not affect the others. */
    @Test
    void h8_refusalByHttp2_endsItsStreamAlone() throws Exception {
        try (Http2Wire wire = Http2Wire.to(gateway.address())) {
            wire.head(1, false, List.of(":method", "POST", ":scheme", "http", ":path", "/a/\t", ":authority", "test"));
            wire.data(1, false, "more");
            wire.get(3, "/a/x");
            assertThat(wire.read(3).status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void h8_headByHttp2ThatTakesTooLong_endsItsConnection(boolean trickles) throws Exception {
        Duration time = Duration.ofMillis(300);
        byte[] block = Http2Wire.block(
                List.of(":method", "GET", ":scheme", "http", ":path", "/a/x", ":authority", "test", "x", "y"));
        for (int sent : new int[] {0, 1, 10, block.length}) {
            try (NettyGateway limited = Gateways.start(Gateways.proxy(backend)
                            .limits(Limits.builder().headTime(time).build()));
                    Http2Wire wire = Http2Wire.to(limited.address())) {
                assertThat(wire.get(1, "/a/x").read(1).status()).isEqualTo(200);
                byte[] frame = new byte[9 + block.length];
                frame[2] = (byte) block.length; // without END_HEADERS
                frame[3] = Http2Wire.HEADERS;
                frame[8] = 3;
                System.arraycopy(block, 0, frame, 9, block.length);
                wire.wire.send(Arrays.copyOf(frame, sent == 0 ? 5 : 9 + sent));
                CountDownLatch over = new CountDownLatch(1);
                Thread slow = new Thread(() -> {
                    try {
                        while (trickles && sent == block.length && over.getCount() > 0) {
                            wire.send(Http2Wire.CONTINUATION, 0, 3, new byte[] {(byte) 0x82});
                            LockSupport.parkNanos(50_000_000);
                        }
                    } catch (IOException e) {
                        // the gateway has closed
                    }
                });
                slow.start();
                Http2Wire.Answer answer = wire.read(3);
                over.countDown();
                slow.join();
                assertThat(answer.status()).isZero();
                assertThat(answer.reset()).isTrue();
                assertThat(limited.metrics()).contains("spindle_gateway_refused_total 1\n");
            }
        }
    }

    /** A piece of a body has a limit of its own. */
    @Test
    void h8_bodyByHttp2ThatIsSlowerThanAHeadMayBe_isTaken() throws Exception {
        try (NettyGateway limited = Gateways.start(Gateways.proxy(backend)
                        .limits(Limits.builder().headTime(Duration.ofMillis(50)).build()));
                Http2Wire wire = Http2Wire.to(limited.address())) {
            wire.head(1, false, List.of(":method", "POST", ":scheme", "http", ":path", "/a/x", ":authority", "test"));
            byte[] frame = new byte[9 + 20];
            frame[2] = 20;
            frame[4] = Http2Wire.END_STREAM;
            frame[8] = 1;
            wire.wire.send(Arrays.copyOf(frame, 15));
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < 200_000_000) {
                LockSupport.parkNanos(10_000_000);
            }
            wire.wire.send(Arrays.copyOfRange(frame, 15, frame.length));
            assertThat(wire.read(1).status()).isEqualTo(200);
        }
    }
}
