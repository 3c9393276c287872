// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.Limits;
import dev.spindle.gateway.config.RouteConfig;
import dev.spindle.gateway.server.NettyGateway;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ProxyTest {
    @Test
    void get_existingRoute_goesOnAndComesBack() throws Exception {
        try (TestBackend backend = TestBackend.saying("hello");
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend))) {
            Wire.Message answer = Wire.ask(gateway, Wire.get("/a/b?c=d&e"));

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("hello");
            assertThat(backend.requests).singleElement().satisfies(request -> {
                assertThat(request.first()).isEqualTo("GET /a/b?c=d&e HTTP/1.1");
                assertThat(request.field("host")).isEqualTo(backend.url().substring("http://".length()));
                assertThat(request.field("x-forwarded-for")).isEqualTo("127.0.0.1");
                assertThat(request.field("x-forwarded-host")).isEqualTo("test");
                assertThat(request.field("x-forwarded-proto")).isEqualTo("http");
                assertThat(request.field("content-length")).isNull();
            });
        }
    }

    @Test
    void request_withoutRoute_is404AndKeepsTheConnection() throws Exception {
        try (TestBackend backend = TestBackend.saying("hello");
                NettyGateway gateway = Gateways.start(Gateways.config()
                        .backend(BackendConfig.builder("a", backend.url()).build())
                        .route(RouteConfig.proxy("/here", "a").build()));
                Wire wire = Wire.to(gateway.address())) {
            assertThat(wire.send(Wire.get("/there")).read().status()).isEqualTo(404);
            assertThat(wire.send(Wire.get("/here")).read().body()).isEqualTo("hello");
            assertThat(wire.send(Wire.get("/here/below")).read().status()).isEqualTo(404);
        }
    }

    @Test
    void post_withBody_arrivesWhole() throws Exception {
        try (TestBackend backend = TestBackend.answering(request -> Wire.ok("got " + request.body()));
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend))) {
            assertThat(Wire.ask(gateway, Wire.post("/x", "something")).body()).isEqualTo("got something");
        }
    }

    @Test
    void chunkedBody_inPieces_arrivesWhole() throws Exception {
        try (TestBackend backend = TestBackend.answering(request -> Wire.ok("got " + request.body()));
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend));
                Wire wire = Wire.to(gateway.address())) {
            wire.send("POST /x HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (String piece : List.of("one ", "two ", "three")) {
                wire.send(Integer.toHexString(piece.length()) + "\r\n" + piece + "\r\n");
            }

            assertThat(wire.send("0\r\n\r\n").read().body()).isEqualTo("got one two three");
        }
    }

    @Test
    void answer_chunked_arrivesWholeAndKeepsBothConnections() throws Exception {
        String chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nwiki\r\n5\r\npedia\r\n0\r\n\r\n";
        try (TestBackend backend = TestBackend.answering(request -> chunked);
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend));
                Wire wire = Wire.to(gateway.address())) {
            assertThat(wire.send(Wire.get("/1")).read().body()).isEqualTo("wikipedia");
            assertThat(wire.send(Wire.get("/2")).read().body()).isEqualTo("wikipedia");
            assertThat(backend.connections()).isEqualTo(1);
        }
    }

    @Test
    void answer_untilTheEndOfTheConnection_arrivesWhole() throws Exception {
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    wire.send("HTTP/1.1 200 OK\r\n\r\nall of it");
                });
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend));
                Wire wire = Wire.to(gateway.address())) {
            assertThat(wire.send(Wire.get("/1")).read().body()).isEqualTo("all of it");
            assertThat(wire.send(Wire.get("/2")).read().body()).isEqualTo("all of it");
        }
    }

    @Test
    void head_request_hasNoBodyAndKeepsTheLength() throws Exception {
        try (TestBackend backend = TestBackend.answering(request -> "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend));
                Wire wire = Wire.to(gateway.address())) {
            for (int i = 0; i < 3; i++) {
                Wire.Message answer =
                        wire.send("HEAD /x HTTP/1.1\r\nHost: test\r\n\r\n").read(true);
                assertThat(answer.field("content-length")).isEqualTo("1000");
            }
            assertThat(backend.connections()).isEqualTo(1);
        }
    }

    @Test
    void head_answerThatSaysChunked_isTaken() throws Exception {
        try (TestBackend backend =
                        TestBackend.answering(request -> "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend));
                Wire wire = Wire.to(gateway.address())) {
            for (int i = 0; i < 3; i++) {
                assertThat(wire.send("HEAD /x HTTP/1.1\r\nHost: test\r\n\r\n")
                                .read(true)
                                .status())
                        .isEqualTo(200);
            }
            assertThat(backend.connections()).isEqualTo(1);
        }
    }

    @Test
    void h3_fieldsOfOneHop_endHere() throws Exception {
        try (TestBackend backend = TestBackend.answering(
                        request -> "HTTP/1.1 200 OK\r\nConnection: X-Own\r\nX-Own: 1\r\nKeep-Alive:"
                                + " timeout=5\r\nContent-Length: 0\r\n\r\n");
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend))) {
            Wire.Message answer = Wire.ask(
                    gateway,
                    "GET /x HTTP/1.1\r\nHost: test\r\n"
                            + String.join(
                                    "\r\n",
                                    "Connection: X-Secret, keep-alive",
                                    "X-Secret: 1",
                                    "TE: trailers",
                                    "X-Forwarded-For: 6.6.6.6",
                                    "Proxy-Authorization: Basic x",
                                    "Upgrade: h2c",
                                    "X-Stays: 1",
                                    "\r\n"));

            assertThat(answer.field("x-own")).isNull();
            assertThat(answer.field("keep-alive")).isNull();
            Wire.Message request = backend.requests.get(0);
            for (String name : List.of("x-secret", "te", "proxy-authorization", "upgrade", "connection")) {
                assertThat(request.field(name)).as(name).isNull();
            }
            assertThat(request.field("x-stays")).isEqualTo("1");
            assertThat(request.field("x-forwarded-for")).isEqualTo("127.0.0.1");
        }
    }

    @Test
    void h4_pipelinedRequests_giveTheirMemoryBack() throws Exception {
        Limits limits = Limits.builder().memory(1 << 20).build();
        String hundred = Wire.get("/x").repeat(100);
        try (TestBackend backend = TestBackend.saying("fine");
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend).limits(limits));
                Wire wire = Wire.to(gateway.address())) {
            for (int i = 0; i < 30; i++) { // several times the memory, if it were not given back
                wire.send(hundred);
                for (int j = 0; j < 100; j++) {
                    assertThat(wire.read().status()).isEqualTo(200);
                }
            }
        }
    }

    @Test
    void h1_pipelinedRequests_areAnsweredInTheirOrder() throws Exception {
        try (TestBackend backend = TestBackend.answering(request -> Wire.ok(request.path()));
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend));
                Wire wire = Wire.to(gateway.address())) {
            StringBuilder all = new StringBuilder();
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                all.append(i % 3 == 0 ? Wire.post("/" + i, "body") : Wire.get("/" + i));
                expected.add("/" + i);
            }
            wire.send(all.toString());

            List<String> answers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                answers.add(wire.read().body());
            }
            assertThat(answers).isEqualTo(expected);
        }
    }

    @Test
    void largeBodies_bothWays_passWithoutBeingHeld() throws Exception {
        String large = "0123456789abcdef".repeat(1 << 16); // 1 MiB
        try (TestBackend backend = TestBackend.answering(request -> Wire.ok(request.body() + large));
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend))) {
            Wire.Message answer = Wire.ask(gateway, Wire.post("/x", large));

            assertThat(answer.body()).isEqualTo(large + large);
        }
    }

    @Test
    void http10_request_isAnsweredAndClosed() throws Exception {
        String chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n";
        try (TestBackend backend = TestBackend.answering(request -> chunked);
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend));
                Wire wire = Wire.to(gateway.address())) {
            Wire.Message answer = wire.send("GET /x HTTP/1.0\r\n\r\n").read();

            assertThat(answer.body()).isEqualTo("ok");
            assertThat(answer.field("transfer-encoding")).isNull();
        }
    }

    @Test
    void strip_ofARoute_isTakenOffThePath() throws Exception {
        try (TestBackend backend = TestBackend.answering(request -> Wire.ok(request.path()));
                NettyGateway gateway = Gateways.start(Gateways.config()
                        .backend(BackendConfig.builder("a", backend.url() + "/api")
                                .build())
                        .route(RouteConfig.proxy("/users/*", "a")
                                .strip("/users")
                                .build()))) {
            assertThat(Wire.ask(gateway, Wire.get("/users/7?x")).body()).isEqualTo("/api/7?x");
            assertThat(Wire.ask(gateway, Wire.get("/users")).body()).isEqualTo("/api/");
        }
    }

    @Test
    void expect_100Continue_isAnsweredBeforeTheBody() throws Exception {
        try (TestBackend backend = TestBackend.answering(request -> Wire.ok(request.body()));
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend));
                Wire wire = Wire.to(gateway.address())) {
            wire.send("POST /x HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
            assertThat(wire.read().status()).isEqualTo(100);

            assertThat(wire.send("later").read().body()).isEqualTo("later");
        }
    }
}
