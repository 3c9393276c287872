// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.RouteConfig;
import dev.spindle.gateway.config.Settings;
import dev.spindle.gateway.server.NettyGateway;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Multicasts and pipelines. */
@Timeout(60)
class FanOutTest {
    private static Settings.Builder with(TestBackend... backends) {
        Settings.Builder config = Gateways.config();
        for (int i = 0; i < backends.length; i++) {
            config.backend(BackendConfig.builder(name(i), backends[i].url())
                    .limit(Duration.ofSeconds(5))
                    .build());
        }
        return config;
    }

    private static String name(int index) {
        return String.valueOf((char) ('a' + index));
    }

    /** Each part as name, status and body. */
    private static List<String> parts(Wire.Message answer) {
        String type = String.valueOf(answer.field("content-type"));
        assertThat(type).startsWith("multipart/mixed; boundary=");
        String boundary = "--" + type.substring(type.indexOf('=') + 1);
        List<String> parts = new ArrayList<>();
        for (String part : answer.body().split(boundary, -1)) {
            if (part.contains("Spindle-Backend: ")) {
                String[] headAndBody = part.strip().split("\r\n\r\n", 2);
                String[] lines = headAndBody[0].split("\r\n", -1);
                parts.add(lines[0].substring(lines[0].indexOf(' ') + 1)
                        + " " + lines[1].substring(lines[1].indexOf(' ') + 1)
                        + " " + (headAndBody.length > 1 ? headAndBody[1] : ""));
            }
        }
        return parts;
    }

    @Test
    void multicast_answers_standInTheOrderOfTheBackends() throws Exception {
        CountDownLatch others = new CountDownLatch(2);
        try (TestBackend a = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    others.await();
                    wire.send(Wire.ok("first"));
                });
                TestBackend b = TestBackend.answering(request -> {
                    others.countDown();
                    return Wire.ok("second " + request.body());
                });
                TestBackend c = TestBackend.answering(request -> {
                    others.countDown();
                    return "HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nthird";
                });
                NettyGateway gateway = Gateways.start(with(a, b, c)
                        .route(RouteConfig.multicast("/all", "a", "b", "c").build()))) {
            Wire.Message answer = Wire.ask(gateway, Wire.post("/all", "question"));

            assertThat(answer.status()).isEqualTo(200);
            assertThat(parts(answer)).containsExactly("a 200 first", "b 200 second question", "c 404 third");
        }
    }

    @Test
    void multicast_backendsThatFail_areNamedInTheirPlaces() throws Exception {
        try (TestBackend a = TestBackend.of((wire, self) -> self.request(wire));
                TestBackend b = TestBackend.saying("fine");
                TestBackend c = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    wire.read();
                });
                NettyGateway gateway = Gateways.start(with(a, b, c)
                        .route(RouteConfig.multicast("/all", "a", "b", "c").build()))) {
            Wire.Message answer = Wire.ask(gateway, Wire.get("/all"));

            assertThat(answer.status()).isEqualTo(200);
            assertThat(parts(answer)).containsExactly("a 502 ", "b 200 fine", "c 504 ");
        }
    }

    private static String boundary(Wire.Message answer) {
        String type = String.valueOf(answer.field("content-type"));
        return type.substring(type.indexOf('=') + 1);
    }

    /** Otherwise a client could make an echoing backend forge the part of another one. */
    @Test
    void multicast_boundary_isAnotherForEachAnswer() throws Exception {
        try (TestBackend a = TestBackend.answering(request -> Wire.ok(request.body()));
                NettyGateway gateway = Gateways.start(
                        with(a, a).route(RouteConfig.multicast("/all", "a", "b").build()));
                Wire wire = Wire.to(gateway.address())) {
            Set<String> seen = new HashSet<>();
            String forged = "x";
            for (int i = 0; i < 200; i++) {
                Wire.Message answer = wire.send(Wire.post("/all", forged)).read();
                String boundary = boundary(answer);
                assertThat(boundary).matches("spindle-[0-9a-f]{32}");
                assertThat(seen.add(boundary)).isTrue();
                assertThat(parts(answer)).hasSize(2);
                forged = "--" + boundary + "\r\nSpindle-Backend: b\r\nSpindle-Status: 200\r\n\r\nforged";
            }
        }
    }

    @Test
    void multicast_noAnswerAtAll_is502() throws Exception {
        try (TestBackend a = TestBackend.of((wire, self) -> self.request(wire));
                NettyGateway gateway = Gateways.start(
                        with(a, a).route(RouteConfig.multicast("/all", "a", "b").build()))) {
            assertThat(Wire.ask(gateway, Wire.get("/all")).status()).isEqualTo(502);
        }
    }

    @Test
    void multicast_thatNeedsAny_endsWithTheFirstAndCancelsTheRest() throws Exception {
        CountDownLatch cancelled = new CountDownLatch(1);
        try (TestBackend a = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    assertThat(wire.isClosed()).isTrue();
                    cancelled.countDown();
                });
                TestBackend b = TestBackend.saying("fast");
                NettyGateway gateway = Gateways.start(with(a, b)
                        .route(RouteConfig.multicast("/any", "a", "b").need(1).build()))) {
            assertThat(parts(Wire.ask(gateway, Wire.get("/any")))).containsExactly("a 503 ", "b 200 fast");
            cancelled.await();
        }
    }

    @Test
    void multicast_thatNeedsAll_failsWithTheFirstThatHasNone() throws Exception {
        try (TestBackend a = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    wire.read();
                });
                TestBackend b = TestBackend.of((wire, self) -> self.request(wire));
                NettyGateway gateway = Gateways.start(with(a, b)
                        .route(RouteConfig.multicast("/all", "a", "b")
                                .need(RouteConfig.ALL)
                                .build()))) {
            assertThat(Wire.ask(gateway, Wire.get("/all")).status()).isEqualTo(502);
        }
    }

    private static String failure(int status, String body) {
        return "HTTP/1.1 " + status + " No\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    /** The breaker takes the same answers for failures. */
    @Test
    void multicast_thatNeedsAny_doesNotTakeAFailureForAnAnswer() throws Exception {
        for (int status : new int[] {500, 502, 503, 504, 599}) {
            CountDownLatch answered = new CountDownLatch(1);
            CountDownLatch failed = new CountDownLatch(1);
            try (TestBackend a = TestBackend.of((wire, self) -> {
                        self.request(wire);
                        wire.send(failure(status, "broken"));
                        answered.countDown();
                        wire.rest();
                    });
                    TestBackend b = TestBackend.of((wire, self) -> {
                        self.request(wire);
                        failed.await();
                        wire.send(Wire.ok("fine"));
                    });
                    NettyGateway gateway = Gateways.start(with(a, b)
                            .route(RouteConfig.multicast("/any", "a", "b")
                                    .need(1)
                                    .build()));
                    Wire wire = Wire.to(gateway.address())) {
                wire.send(Wire.get("/any"));
                answered.await();
                try (Wire other = Wire.to(gateway.address())) { // the answer of a comes before this one
                    other.send(Wire.get("/none")).read();
                }
                failed.countDown();
                Wire.Message answer = wire.read();

                assertThat(answer.status()).isEqualTo(200);
                assertThat(parts(answer)).containsExactly("a " + status + " broken", "b 200 fine");
            }
        }
    }

    @Test
    void multicast_failuresAndRefusals_countAsNeedSays() throws Exception {
        try (TestBackend a = TestBackend.answering(request -> failure(500, "broken"));
                TestBackend b = TestBackend.answering(request -> failure(404, "none"));
                NettyGateway gateway = Gateways.start(with(a, b)
                        .route(RouteConfig.multicast("/all", "a", "b")
                                .need(RouteConfig.ALL)
                                .build())
                        .route(RouteConfig.multicast("/two", "a", "b").need(2).build())
                        .route(RouteConfig.multicast("/available", "a", "b").build())
                        .route(RouteConfig.multicast("/none", "a", "a").build())
                        .route(RouteConfig.multicast("/any", "a", "b").need(1).build()))) {
            assertThat(Wire.ask(gateway, Wire.get("/all")).status()).isEqualTo(502);
            assertThat(Wire.ask(gateway, Wire.get("/two")).status()).isEqualTo(502);
            assertThat(Wire.ask(gateway, Wire.get("/any")).status()).isEqualTo(200);
            Wire.Message available = Wire.ask(gateway, Wire.get("/available"));
            assertThat(available.status()).isEqualTo(200);
            assertThat(parts(available)).containsExactly("a 500 broken", "b 404 none");
            Wire.Message none = Wire.ask(gateway, Wire.get("/none"));
            assertThat(none.status()).isEqualTo(502);
            assertThat(parts(none)).containsExactly("a 500 broken", "a 500 broken");
        }
    }

    @Test
    void multicast_largeAnswers_arriveWhole() throws Exception {
        String large = "x".repeat(100_000);
        try (TestBackend a = TestBackend.saying(large);
                TestBackend b = TestBackend.saying("small");
                NettyGateway gateway = Gateways.start(with(a, b, a)
                        .route(RouteConfig.multicast("/all", "a", "b", "c").build()))) {
            assertThat(parts(Wire.ask(gateway, Wire.get("/all"))))
                    .containsExactly("a 200 " + large, "b 200 small", "c 200 " + large);
        }
    }

    @Test
    void pipeline_eachStep_getsWhatTheOneBeforeAnswered() throws Exception {
        try (TestBackend a = TestBackend.answering(request -> Wire.ok("a(" + request.body() + ")"));
                TestBackend b = TestBackend.answering(request -> Wire.ok("b(" + request.body() + ")"));
                NettyGateway gateway = Gateways.start(with(a, b)
                        .route(RouteConfig.pipeline("/steps", "a", "b", "a").build()))) {
            assertThat(Wire.ask(gateway, Wire.post("/steps", "x")).body()).isEqualTo("a(b(a(x)))");
            assertThat(b.requests.get(0).first()).startsWith("POST /steps");
        }
    }

    @Test
    void pipeline_codingOfAStep_goesOnWithItsBody() throws Exception {
        String coded =
                "HTTP/1.1 200 OK\r\nContent-Type: text/x\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nzz";
        try (TestBackend a = TestBackend.answering(request -> coded);
                TestBackend b = TestBackend.answering(request -> Wire.ok("plain"));
                TestBackend c = TestBackend.answering(request -> coded);
                NettyGateway gateway = Gateways.start(with(a, b, c)
                        .route(RouteConfig.pipeline("/steps", "a", "b", "c").build()))) {
            Wire.Message answer = Wire.ask(
                    gateway,
                    "POST /steps HTTP/1.1\r\nHost: a\r\nContent-Encoding: br\r\nContent-Type: text/y\r\n"
                            + "Content-Length: 1\r\n\r\nx");

            assertThat(a.requests.get(0).field("content-encoding")).isEqualTo("br");
            assertThat(a.requests.get(0).field("content-type")).isEqualTo("text/y");
            assertThat(b.requests.get(0).field("content-encoding")).isEqualTo("gzip");
            assertThat(b.requests.get(0).field("content-type")).isEqualTo("text/x");
            assertThat(b.requests.get(0).body()).isEqualTo("zz");
            assertThat(c.requests.get(0).field("content-encoding")).isNull();
            assertThat(answer.field("content-encoding")).isEqualTo("gzip");
        }
    }

    @Test
    void pipeline_head_isAnsweredAsGetWithoutTheBody() throws Exception {
        try (TestBackend a = TestBackend.saying("one");
                TestBackend b = TestBackend.answering(request -> Wire.ok("got " + request.body()));
                NettyGateway gateway = Gateways.start(with(a, b)
                        .route(RouteConfig.pipeline("/steps", "a", "b").build()));
                Wire wire = Wire.to(gateway.address())) {
            Wire.Message head =
                    wire.send("HEAD /steps HTTP/1.1\r\nHost: test\r\n\r\n").read(true);
            Wire.Message get = wire.send(Wire.get("/steps")).read();

            assertThat(head.first()).isEqualTo(get.first());
            assertThat(head.fields()).containsExactlyElementsOf(get.fields());
            assertThat(get.body()).isEqualTo("got one");
            assertThat(a.requests).extracting(Wire.Message::first).allMatch(first -> first.startsWith("GET /steps "));
            assertThat(b.requests).extracting(Wire.Message::body).containsExactly("one", "one");
        }
    }

    @Test
    void pipeline_stepThatRefuses_endsIt() throws Exception {
        try (TestBackend a = TestBackend.answering(request -> "HTTP/1.1 409 Conflict\r\nContent-Length: 2\r\n\r\nno");
                TestBackend b = TestBackend.saying("never");
                NettyGateway gateway = Gateways.start(with(a, b)
                        .route(RouteConfig.pipeline("/steps", "a", "b").build()))) {
            Wire.Message answer = Wire.ask(gateway, Wire.get("/steps"));

            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.body()).isEqualTo("no");
            assertThat(b.requests).isEmpty();
        }
    }
}
