// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.demo.flights.FlightSource;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LiveDemoTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Predicate<String> HANGS =
            Pattern.compile("\"running\":\\[\\[\"[A-Z0-9]+\",[1-9]\\d{3,},").asPredicate();

    private final HttpClient client = HttpClient.newHttpClient();

    private HttpResponse<String> send(URI uri, String method, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri).timeout(LONG).method(method, HttpRequest.BodyPublishers.noBody());
        return client.send(
                (headers.length == 0 ? request : request.headers(headers)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private String await(LiveDemo demo, Predicate<String> wanted) throws Exception {
        String state = "";
        for (long end = System.nanoTime() + LONG.toNanos(); System.nanoTime() < end && !wanted.test(state); ) {
            state = send(demo.uri().resolve("state"), "GET").body();
        }
        assertThat(wanted.test(state)).as(state).isTrue();
        return state;
    }

    @Test
    void switch_on_hangsSomeLookUps_andOffLetsThemAnswer() throws Exception {
        try (LiveDemo demo = LiveDemo.start(FlightSource.read(null, 2013, 3_000).flights(), 0)) {
            await(demo, state -> state.contains("\"flights\":[[") && state.contains("\"hangs\":false"));

            assertThat(send(demo.uri().resolve("hang"), "POST").statusCode()).isEqualTo(200);
            String hung = await(demo, HANGS);
            assertThat(hung).contains("\"hangs\":true");
            long done = done(hung);
            await(demo, state -> done(state) > done + 20); // the others go on

            assertThat(send(demo.uri().resolve("heal"), "POST").statusCode()).isEqualTo(200);
            await(demo, HANGS.negate());
        }
    }

    private static long done(String state) {
        var done = Pattern.compile("\"done\":(\\d+)").matcher(state);
        return done.find() ? Long.parseLong(String.valueOf(done.group(1))) : -1;
    }

    @Test
    void pages_areOnLoopbackAlone_andTheSwitchIsTheirOwn() throws Exception {
        try (LiveDemo demo = LiveDemo.start(FlightSource.read(null, 2013, 100).flights(), 0)) {
            assertThat(demo.uri().getHost()).isEqualTo("127.0.0.1");
            for (String path : new String[] {"", "live.js", "live.css"}) {
                HttpResponse<String> answer = send(demo.uri().resolve(path), "GET");
                assertThat(answer.statusCode()).as(path).isEqualTo(200);
                assertThat(answer.body()).doesNotContain("http://", "https://", "innerHTML");
            }
            assertThat(send(demo.dashboard(), "GET").statusCode()).isEqualTo(200);
            assertThat(send(demo.uri().resolve("hang"), "GET").statusCode()).isEqualTo(404);
            assertThat(send(demo.uri(), "POST").statusCode()).isEqualTo(405);
            assertThat(send(demo.uri().resolve("hang"), "POST", "Origin", "http://example.org")
                            .statusCode())
                    .isEqualTo(403);
            assertThat(demo.lookUps().isOn()).isFalse();
        }
    }
}
