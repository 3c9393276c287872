// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.compare.Programs.Dialogue;
import dev.spindle.benchmarks.gateway.servers.Plan;
import dev.spindle.benchmarks.gateway.servers.Route;
import dev.spindle.benchmarks.gateway.servers.ServerMain;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every contender, in its process, with the echo server behind it. */
@Tag("deep")
@Tag("once")
@Timeout(60)
class GatewaysTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static Dialogue echo;
    private static List<Integer> ports;

    @BeforeAll
    static void start() {
        echo = ServerMain.start(ServerMain.Kind.ECHO, Plan.NONE);
        ports = Plan.ports(echo.read(ServerMain.READY));
    }

    @AfterAll
    static void end() {
        echo.close();
    }

    static Stream<Arguments> gateways() {
        return Stream.of(ServerMain.Kind.values())
                .filter(kind -> kind != ServerMain.Kind.BARE && kind != ServerMain.Kind.ECHO)
                .filter(kind -> kind != ServerMain.Kind.TOMCAT_VIRTUAL
                        || Runtime.version().feature() >= 21)
                .flatMap(kind -> Stream.of(Plan.Guard.NONE, Plan.Guard.CALLS, Plan.Guard.ORDER)
                        .filter(guard -> guard == Plan.Guard.NONE || kind == ServerMain.Kind.SPINDLE)
                        .map(guard -> Arguments.of(kind, guard)));
    }

    @ParameterizedTest(name = "{0}, guard: {1}")
    @MethodSource("gateways")
    void request_everyRoute_callsEachBackendOnceAndAnswersWithAllBodies(ServerMain.Kind kind, Plan.Guard guard)
            throws Exception {
        try (Dialogue gateway = ServerMain.start(kind, new Plan(ports, 10, guard))) {
            String port = gateway.read(ServerMain.READY);
            for (Route route : Route.values()) {
                long before = calls();
                for (int time = 0; time < 3; time++) {
                    HttpResponse<String> answer = get(port, route);

                    assertThat(answer.statusCode()).as("%s", route).isEqualTo(200);
                    assertThat(answer.body())
                            .satisfies(body ->
                                    assertThat(route.complete(body)).as(body).isTrue());
                }
                assertThat(calls() - before).as("calls of %s", route).isEqualTo(3L * route.calls());
            }
        }
    }

    @ParameterizedTest(name = "{0}, guard: {1}")
    @MethodSource("gateways")
    void request_noBackendThere_isAnsweredWithAnError(ServerMain.Kind kind, Plan.Guard guard) throws Exception {
        try (Dialogue gateway = ServerMain.start(kind, new Plan(Collections.nCopies(Route.BACKENDS, 1), 10, guard))) {
            String port = gateway.read(ServerMain.READY);
            for (Route route : Route.values()) {
                assertThat(get(port, route).statusCode()).as("%s", route).isBetween(500, 599);
            }
        }
    }

    private static long calls() {
        return Long.parseLong(echo.ask("calls", ServerMain.ANSWER));
    }

    private static HttpResponse<String> get(String port, Route route) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port + route.path());
        return CLIENT.send(
                HttpRequest.newBuilder(uri).version(HttpClient.Version.HTTP_1_1).build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
