// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.MistakesException;
import dev.spindle.gateway.config.RouteConfig;
import dev.spindle.gateway.config.Settings;
import dev.spindle.gateway.server.NettyGateway;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Routes by host. */
@Timeout(60)
class HostsTest {
    private static RouteConfig route(String path, String strip, String... hosts) {
        return RouteConfig.proxy(path, strip).hosts(List.of(hosts)).build();
    }

    private static Settings.Builder with(TestBackend backend, String... names) {
        Settings.Builder config = Gateways.config();
        for (String name : names) {
            config.backend(
                    BackendConfig.builder(name, backend.url() + "/" + name).build());
        }
        return config;
    }

    /** A gateway whose backends answer with the path that they got, which begins with the name of the backend. */
    private static Settings.Builder config(TestBackend backend) {
        return with(backend, "exact", "port", "wild", "deep", "six", "other", "plain")
                .route(route("/*", "exact", "shop.example", "www.shop.example"))
                .route(route("/*", "port", "shop.example:8443", "plain.example:80"))
                .route(route("/*", "wild", "*.example"))
                .route(route("/*", "deep", "*.deep.example"))
                .route(route("/*", "six", "[2001:db8::1]"))
                .route(route("/only", "plain", "paths.example"));
    }

    private static TestBackend shared;
    private static NettyGateway withDefault;

    @BeforeAll
    static void start() throws Exception {
        shared = TestBackend.answering(request -> Wire.ok(request.path()));
        withDefault = Gateways.start(
                config(shared).route(RouteConfig.proxy("/*", "other").build()));
    }

    @AfterAll
    static void end() throws IOException {
        withDefault.close();
        shared.close();
    }

    private static String ask(NettyGateway gateway, String host) throws IOException {
        Wire.Message answer = Wire.ask(gateway, "GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
        return answer.status() == 200 ? answer.body().split("/", -1)[1] : Integer.toString(answer.status());
    }

    @ParameterizedTest
    @CsvSource({
        "shop.example, exact",
        "SHOP.Example, exact",
        "shop.example., exact",
        "shop.example:80, exact",
        "shop.example:9, exact",
        "shop.example:, exact",
        "www.shop.example, exact",
        "shop.example:8443, port",
        "shop.example.:8443, port",
        "Shop.Example:08443, port",
        "plain.example, port",
        "plain.example:80, port",
        "plain.example:81, wild",
        "a.example, wild",
        "a.b.example, wild",
        "a.deep.example, deep",
        "b.a.deep.example:7, deep",
        "deep.example, wild",
        "example, other",
        "shop.example.org, other",
        "notshop.example, wild",
        "[2001:db8::1], six",
        "[2001:DB8:0:0::1]:80, six",
        "[2001:db8:0000:0000:0000:0000:0000:0001], six",
        "[2001:db8::2], other",
        "127.0.0.1:8080, other",
        "paths.example, 404",
        "'', 400",
        "., 400",
        ".., 400",
        "shop..example, 400",
        ".shop.example, 400",
        "shop.example.., 400",
        "shop.example:http, 400",
        "shop.example:99999, 400",
        "shop.example:0, 400",
        "shop.example:80:80, 400",
        "shop.example:-80, 400",
        "[2001:db8::1, 400",
        "2001:db8::1, 400",
        "[shop.example], 400",
        "[::1].:80, 400",
        "[1.2.3.4], 400",
        "[], 400",
        "'shop.example, other.example', 400",
        "user@shop.example, 400",
        "shop%2eexample, 400"
    })
    void host_inEverySpelling_hasItsRoute(String host, String expected) throws Exception {
        try (TestBackend backend = TestBackend.answering(request -> Wire.ok(request.path()));
                NettyGateway gateway = Gateways.start(
                        config(backend).route(RouteConfig.proxy("/*", "other").build()))) {
            assertThat(ask(gateway, host)).isEqualTo(expected);
        }
    }

    @Test
    void hostWithoutARoute_withoutADefault_isMisdirected() throws Exception {
        try (TestBackend backend = TestBackend.answering(request -> Wire.ok(request.path()));
                NettyGateway gateway = Gateways.start(config(backend));
                Http2Wire http2 = Http2Wire.to(gateway.address());
                Wire wire = Wire.to(gateway.address())) {
            assertThat(ask(gateway, "other.test")).isEqualTo("421");
            assertThat(Wire.ask(gateway, "GET / HTTP/1.0\r\n\r\n").status()).isEqualTo(421);
            http2.get(1, "/");
            assertThat(http2.read(1).status()).isEqualTo(421);
            // an absolute form has the host that counts, and 421 keeps the connection
            wire.send("GET http://other.test/ HTTP/1.1\r\nHost: shop.example\r\n\r\n");
            assertThat(wire.read().status()).isEqualTo(421);
            wire.send("GET http://shop.example/ HTTP/1.1\r\nHost: other.test\r\n\r\n");
            assertThat(wire.read().body()).isEqualTo("/exact/");
        }
    }

    private static final String FILE = """
            backends:
              a: {url: http://127.0.0.1:9001}
            routes:
              - {path: /*, proxy: a, host: shop.example}
              - {path: /*, proxy: a, host: [a.example, '*.b.example']}
              - {path: /*, proxy: a}
            """;

    @Test
    void file_withHosts_isTaken() throws Exception {
        assertThat(Settings.parse("hosts.yaml", FILE).routes())
                .extracting(RouteConfig::label)
                .containsExactly("shop.example/*", "a.example,*.b.example/*", "/*");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "host: shop.example | host: http://shop.example | 4:32: 'http://shop.example' is no host of a route;",
                "host: shop.example | host: 'shop.*' | 4:32: 'shop.*' is no host of a route; write for example shop",
                "host: shop.example | host: '*' | 4:32: '*' is no host of a route",
                "host: shop.example | host: [] | 4:32: host is empty",
                "host: shop.example | host: {a: b} | 4:32: host must be a list, is a group of keys and values",
                "host: shop.example | hots: shop.example | 4:26: unknown key 'hots' in a route; did you mean 'host'?",
                "host: shop.example | host: A.Example | 5:12: there are two routes for a.example,*.b.example/*",
                "[a.example, | [a.example, A.EXAMPLE, | 5:32: the host a.example is there twice",
                "host: shop.example | limit: 1s | 6:12: there are two routes for /*"
            })
    void file_withAMistake_isNamedWithItsPlaceAndTheRemedy(String good, String bad, String expected) {
        String text = FILE.replaceFirst(Pattern.quote(good), Matcher.quoteReplacement(bad));

        assertThatThrownBy(() -> Settings.parse("hosts.yaml", text))
                .isInstanceOf(MistakesException.class)
                .hasMessageContaining(expected);
    }
}
