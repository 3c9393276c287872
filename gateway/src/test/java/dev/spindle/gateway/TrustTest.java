// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.MistakesException;
import dev.spindle.gateway.config.Settings;
import dev.spindle.gateway.server.NettyGateway;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The address of a client behind trusted proxies: three ways to tell it, and what is not believed. */
@Timeout(60)
class TrustTest {
    private static final String TRUSTED = "[127.0.0.0/8, 10.0.0.0/8, 'fd00::/8']";
    private static final String OTHERS = "[10.0.0.0/8]";

    private static TestBackend shared;
    private static NettyGateway byXForwardedFor;
    private static NettyGateway byForwarded;

    @BeforeAll
    static void start() throws Exception {
        shared = telling();
        byXForwardedFor = NettyGateway.start(config(shared, TRUSTED, "x-forwarded-for", "per-client: 5"), null);
        byForwarded = NettyGateway.start(config(shared, TRUSTED, "forwarded", ""), null);
    }

    @AfterAll
    static void end() throws IOException {
        byXForwardedFor.close();
        byForwarded.close();
        shared.close();
    }

    /** A gateway whose backend answers with the address and the scheme that it is told. */
    private static Settings config(TestBackend backend, String from, String by, String more) throws MistakesException {
        return Settings.parse("trust.yaml", """
                listen: 127.0.0.1:0
                threads: 1
                drain: {notice: 0ms, limit: 5s}
                trust: {from: %s, by: %s}
                limits: {%s}
                backends:
                  a: {url: "%s", host: keep}
                routes:
                  - {path: "/*", proxy: a, order: client}
                """.formatted(from, by, more, backend.url()));
    }

    private static TestBackend telling() throws IOException {
        return TestBackend.answering(
                request -> Wire.ok(request.field("x-forwarded-for") + " " + request.field("x-forwarded-proto")));
    }

    private static String ask(NettyGateway gateway, String fields) throws IOException {
        return Wire.ask(gateway, "GET / HTTP/1.1\r\nHost: test\r\n" + fields.replace("~", "\r\n") + "\r\n")
                .body();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "X-Forwarded-For: 192.0.2.1 | 192.0.2.1 http",
                "X-Forwarded-For: 192.0.2.1~X-Forwarded-Proto: https | 192.0.2.1 https",
                "X-Forwarded-For: 192.0.2.1~X-Forwarded-Proto: gopher | 192.0.2.1 http",
                "X-Forwarded-For: 192.0.2.1:4711 | 192.0.2.1 http",
                "X-Forwarded-For: 203.0.113.9, 192.0.2.1 | 192.0.2.1 http",
                "X-Forwarded-For: 203.0.113.9, 192.0.2.1,10.1.2.3 | 192.0.2.1 http",
                "X-Forwarded-For: 203.0.113.9~X-Forwarded-For: 192.0.2.1 | 192.0.2.1 http",
                "X-Forwarded-For: 192.0.2.1~X-Forwarded-For: 10.9.9.9 | 192.0.2.1 http",
                "X-Forwarded-For: 192.0.2.1, , 10.9.9.9, | 192.0.2.1 http",
                "X-Forwarded-For: 10.1.1.1, 10.2.2.2 | 10.1.1.1 http",
                "X-Forwarded-For: 2001:DB8::1, fd00::2 | 2001:db8:0:0:0:0:0:1 http",
                "X-Forwarded-For: [2001:db8::1]:80 | 2001:db8:0:0:0:0:0:1 http",
                "X-Forwarded-For: 192.0.2.1, unknown | 127.0.0.1 http",
                "X-Forwarded-For: 192.0.2.1, 10.0.0.7, evil.example | 127.0.0.1 http",
                "X-Forwarded-For: 192.0.2.1, evil.example, 10.0.0.7 | 10.0.0.7 http",
                "X-Forwarded-For: 192.0.2.300 | 127.0.0.1 http",
                "X-Forwarded-For: 192.0.2 | 127.0.0.1 http",
                "X-Forwarded-For: 0xc0000201 | 127.0.0.1 http",
                "X-Forwarded-For: 010.0.0.1 | 127.0.0.1 http",
                "X-Forwarded-For: | 127.0.0.1 http",
                "Forwarded: for=192.0.2.1;proto=https | 127.0.0.1 http",
                "X-A: b | 127.0.0.1 http"
            })
    void xForwardedFor_ofATrustedProxy_isRead(String fields, String expected) throws Exception {
        assertThat(ask(byXForwardedFor, fields + "~")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Forwarded: for=192.0.2.1 | 192.0.2.1 http",
                "Forwarded: For=\"192.0.2.1:4711\";Proto=https;by=10.0.0.1 | 192.0.2.1 https",
                "Forwarded: for=203.0.113.9, for=192.0.2.1, for=10.0.0.1;proto=https | 192.0.2.1 https",
                "Forwarded: for=203.0.113.9~Forwarded: for=192.0.2.1 | 192.0.2.1 http",
                "Forwarded: for=\"[2001:db8::1]:80\" | 2001:db8:0:0:0:0:0:1 http",
                "Forwarded: for=192.0.2.1, for=_hidden | 127.0.0.1 http",
                "Forwarded: for=192.0.2.1, for=unknown | 127.0.0.1 http",
                "Forwarded: for=\"evil, for=192.0.2.1 | 192.0.2.1 http",
                "Forwarded: for=203.0.113.9;host=\"a,for=10.0.0.1\" | 203.0.113.9 http",
                "Forwarded: for=192.0.2.1;for=192.0.2.2 | 127.0.0.1 http",
                "Forwarded: host=a | 127.0.0.1 http",
                "X-Forwarded-For: 192.0.2.1~X-Forwarded-Proto: https | 127.0.0.1 http"
            })
    void forwarded_ofATrustedProxy_isRead(String fields, String expected) throws Exception {
        assertThat(ask(byForwarded, fields + "~")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"x-forwarded-for", "forwarded"})
    void fields_ofOtherAddresses_areNotRead(String by) throws Exception {
        try (TestBackend backend = telling();
                NettyGateway gateway = NettyGateway.start(config(backend, OTHERS, by, ""), null)) {
            assertThat(ask(gateway, "X-Forwarded-For: 192.0.2.1~Forwarded: for=192.0.2.1~X-Forwarded-Proto: https~"))
                    .isEqualTo("127.0.0.1 http");
        }
    }

    private static final String V2 = "0d0a0d0a000d0a515549540a";

    private static byte[] header(String text) {
        return text.startsWith("hex ")
                ? HexFormat.of().parseHex(V2 + text.substring(4).replace(" ", ""))
                : text.replace("~", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PROXY TCP4 192.0.2.1 10.0.0.1 56324 443~ | 192.0.2.1",
                "PROXY TCP6 2001:db8::1 ::1 56324 443~ | 2001:db8:0:0:0:0:0:1",
                "PROXY UNKNOWN~ | 127.0.0.1",
                "PROXY UNKNOWN ffff::1 ffff::2 1 2~ | 127.0.0.1",
                "hex 21 11 000c c0000201 0a000001 1234 0050 | 192.0.2.1",
                "hex 21 11 0010 c0000201 0a000001 1234 0050 04 000100 | 192.0.2.1",
                "hex 21 21 0024 20010db8000000000000000000000001 00000000000000000000000000000001 1234 0050"
                        + "| 2001:db8:0:0:0:0:0:1",
                "hex 20 00 0000 | 127.0.0.1",
                "hex 20 11 000c c0000201 0a000001 1234 0050 | 127.0.0.1",
                "hex 21 00 0000 | 127.0.0.1"
            })
    void proxyProtocol_ofATrustedProxy_isReadWhereverItIsCut(String text, String expected) throws Exception {
        byte[] header = header(text);
        try (TestBackend backend = telling();
                ByteArrayOutputStream log = new ByteArrayOutputStream();
                NettyGateway gateway = NettyGateway.start(config(backend, TRUSTED, "proxy-protocol", ""), log)) {
            for (int cut = 0; cut <= header.length; cut += Math.max(1, header.length / 12)) {
                try (Wire wire = Wire.to(gateway.address())) {
                    wire.send(java.util.Arrays.copyOf(header, cut));
                    wire.send(java.util.Arrays.copyOfRange(header, cut, header.length));
                    assertThat(wire.send(Wire.get("/")).read().body()).isEqualTo(expected + " http");
                    assertThat(wire.send(Wire.get("/")).read().body()).isEqualTo(expected + " http");
                }
            }
            gateway.drain().join();
            assertThat(log.toString(StandardCharsets.UTF_8).lines())
                    .isNotEmpty()
                    .allMatch(line -> line.split(" ", -1)[1].equals(expected));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET / HTTP/1.1~Host: a~~",
                "PROXY~",
                "PROXY TCP4 192.0.2.1 10.0.0.1 56324~",
                "PROXY TCP4 192.0.2.1 10.0.0.1 56324 443 1~",
                "PROXY TCP4  192.0.2.1 10.0.0.1 56324 443~",
                "PROXY TCP4 192.0.2.1 10.0.0.1 56324 65536~",
                "PROXY TCP4 192.0.2.1 10.0.0.1 056324 443~",
                "PROXY TCP4 2001:db8::1 ::1 56324 443~",
                "PROXY TCP6 192.0.2.1 10.0.0.1 56324 443~",
                "PROXY TCP4 evil.example 10.0.0.1 56324 443~",
                "PROXY TCP5 192.0.2.1 10.0.0.1 56324 443~",
                "proxy TCP4 192.0.2.1 10.0.0.1 56324 443~",
                "PROXY UNKNOWN aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                        + "aaaaaaaaaaaaaaaaaaaaaaaaa~",
                "hex 11 11 000c c0000201 0a000001 1234 0050",
                "hex 22 11 000c c0000201 0a000001 1234 0050",
                "hex 21 11 0004 c0000201",
                "hex 21 21 000c c0000201 0a000001 1234 0050",
                "hex 21 41 000c c0000201 0a000001 1234 0050",
                "hex 21 11 ffff c0000201 0a000001 1234 0050"
            })
    void proxyProtocol_malformedOrMissing_endsTheConnection(String text) throws Exception {
        try (TestBackend backend = telling();
                NettyGateway gateway = NettyGateway.start(config(backend, TRUSTED, "proxy-protocol", ""), null);
                Wire wire = Wire.to(gateway.address())) {
            wire.send(header(text)).send(Wire.get("/"));
            assertThat(wire.restOrReset()).isEmpty();
            assertThat(backend.requests).isEmpty();
        }
    }

    @Test
    void proxyProtocol_doubled_isRefused() throws Exception {
        try (TestBackend backend = telling();
                NettyGateway gateway = NettyGateway.start(config(backend, TRUSTED, "proxy-protocol", ""), null)) {
            for (String second :
                    new String[] {"PROXY TCP4 192.0.2.2 10.0.0.1 1 2~", "hex 21 11 000c c0000202 0a000001 1234 0050"}) {
                try (Wire wire = Wire.to(gateway.address())) {
                    wire.send(header("PROXY TCP4 192.0.2.1 10.0.0.1 1 2~")).send(header(second));
                    assertThat(wire.send(Wire.get("/")).read().status()).isEqualTo(400);
                }
            }
            assertThat(backend.requests).isEmpty();
        }
    }

    @Test
    void proxyProtocol_ofAnotherAddress_isRefused() throws Exception {
        try (TestBackend backend = telling();
                NettyGateway gateway = NettyGateway.start(config(backend, OTHERS, "proxy-protocol", ""), null)) {
            for (String header :
                    new String[] {"PROXY TCP4 192.0.2.1 10.0.0.1 1 2~", "hex 21 11 000c c0000201 0a000001 1234 0050"}) {
                try (Wire wire = Wire.to(gateway.address())) {
                    assertThat(wire.send(header(header))
                                    .send(Wire.get("/"))
                                    .read()
                                    .status())
                            .isEqualTo(400);
                }
            }
            assertThat(ask(gateway, "")).isEqualTo("127.0.0.1 http");
        }
    }

    @Test
    void proxyProtocol_cutOffByTheClient_orTooSlow_endsTheConnection() throws Exception {
        try (TestBackend backend = telling();
                NettyGateway gateway =
                        NettyGateway.start(config(backend, TRUSTED, "proxy-protocol", "head-time: 100ms"), null);
                Wire slow = Wire.to(gateway.address());
                Wire cut = Wire.to(gateway.address())) {
            slow.send("PROXY TCP4 192.0");
            assertThat(slow.restOrReset()).isEmpty();
            cut.send("PROXY TCP4 192.0").endOutput();
            assertThat(cut.restOrReset()).isEmpty();
            assertThat(backend.requests).isEmpty();
        }
    }

    @Test
    void limitAndOrder_areThoseOfTheClientFound() throws Exception {
        Semaphore asked = new Semaphore(0);
        Semaphore go = new Semaphore(0);
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    for (; ; ) {
                        self.request(wire);
                        asked.release();
                        go.acquire();
                        wire.send(Wire.ok("fine"));
                    }
                });
                NettyGateway gateway =
                        NettyGateway.start(config(backend, TRUSTED, "x-forwarded-for", "per-client: 2"), null);
                Wire one = Wire.to(gateway.address());
                Wire two = Wire.to(gateway.address());
                Wire other = Wire.to(gateway.address())) {
            String of = "GET /%s HTTP/1.1\r\nHost: test\r\nX-Forwarded-For: %s\r\n\r\n";
            one.send(of.formatted("1", "192.0.2.1"));
            asked.acquire();
            two.send(of.formatted("2", "192.0.2.1")); // waits for the first, by order
            other.send(of.formatted("3", "192.0.2.2"));
            asked.acquire();
            while (Wire.ask(gateway, of.formatted("4", "192.0.2.1")).status() != 429) {
                go.release();
            }
            assertThat(backend.requests).extracting(Wire.Message::path).startsWith("/1", "/3");
            go.release(10);
            assertThat(one.read().status()).isEqualTo(200);
            assertThat(two.read().status()).isEqualTo(200);
            assertThat(other.read().status()).isEqualTo(200);
            assertThat(Wire.ask(gateway, of.formatted("5", "192.0.2.1")).status())
                    .isEqualTo(200);
        }
    }

    @Test
    void host_ofTheClient_isKeptOrReplaced() throws Exception {
        try (TestBackend backend = TestBackend.answering(request -> Wire.ok(request.field("host") + ""));
                NettyGateway keeping = Gateways.start(
                        Gateways.proxy(BackendConfig.builder("a", backend.url()).host("keep")));
                NettyGateway setting = Gateways.start(
                        Gateways.proxy(BackendConfig.builder("a", backend.url()).host("shop.example:81")))) {
            assertThat(Wire.ask(keeping, "GET / HTTP/1.1\r\nHost: Test:80\r\n\r\n")
                            .body())
                    .isEqualTo("Test:80");
            assertThat(Wire.ask(keeping, "GET / HTTP/1.0\r\n\r\n").body())
                    .isEqualTo(backend.url().substring(7));
            assertThat(Wire.ask(setting, Wire.get("/")).body()).isEqualTo("shop.example:81");
        }
    }

    private static final String FILE = """
            trust: {from: [10.0.0.0/8], by: forwarded}
            limits: {per-client: 5}
            backends:
              a: {url: http://127.0.0.1:9001, host: keep}
            routes:
              - {path: /*, proxy: a, order: client}
            """;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.0.0.0/8 | 10.0.0.0/33 | 1:16: '10.0.0.0/33' is no address or network; write for example 10.0.0.5",
                "10.0.0.0/8 | 10.0.0/8 | 1:16: '10.0.0/8' is no address or network",
                "10.0.0.0/8 | proxy.example | 1:16: 'proxy.example' is no address or network",
                "[10.0.0.0/8] | [] | 1:15: from is empty",
                "by: forwarded | by: proxy | 1:33: 'proxy' is none of x-forwarded-for, forwarded, proxy-protocol",
                ", by: forwarded | '' | 1:8: trust has no 'by'",
                "per-client: 5 | per-client: 0 | 2:22: per-client must be from 1 to 1000000, is 0",
                "host: keep | host: a b | 4:41: 'a b' is no host; write keep for that of the client",
                "order: client | order: clients | 6:33: 'clients' is no order; write none, connection, client,"
            })
    void file_withAMistake_isNamedWithItsPlaceAndTheRemedy(String good, String bad, String expected) throws Exception {
        assertThat(Settings.parse("good.yaml", FILE).trust()).isNotNull();
        String text = FILE.replaceFirst(Pattern.quote(good), Matcher.quoteReplacement(bad));

        assertThatThrownBy(() -> Settings.parse("trust.yaml", text))
                .isInstanceOf(MistakesException.class)
                .hasMessageContaining(expected);
    }
}
