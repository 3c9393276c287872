// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EchoServersTest {
    private final HttpClient client = HttpClient.newHttpClient();

    private HttpResponse<String> send(int port, String path, String method, String body)
            throws IOException, InterruptedException {
        HttpRequest.BodyPublisher publisher =
                body.isEmpty() ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .method(method, publisher)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void answer_toARequest_isItsBodyOrOneOfFixedSize() throws Exception {
        try (EchoServers servers = EchoServers.start(List.of(0, 0), Duration.ZERO, 0, 32)) {
            int first = servers.ports().get(0);

            assertThat(send(first, "/", "GET", "").body()).hasSize(32).startsWith("echo " + first + " ");
            assertThat(send(servers.ports().get(1), "/", "POST", "hello").body())
                    .isEqualTo("hello");
            assertThat(servers.calls()).isEqualTo(2);
        }
    }

    @Test
    void admin_getAndPut_tellAndChangeDelayAndCount() throws Exception {
        try (EchoServers servers = EchoServers.start(List.of(0), Duration.ofMillis(1), 0, 8)) {
            int admin = servers.openAdmin(0);
            send(servers.ports().get(0), "/", "GET", "");

            assertThat(send(admin, "/echo", "GET", "").body()).contains("\"calls\":1", "\"delayMillis\":1");
            assertThat(send(admin, "/echo?delay=20ms&jitter=10&calls=0", "PUT", "")
                            .body())
                    .contains("\"calls\":0", "\"delayMillis\":20", "\"jitterPercent\":10");
            assertThat(send(admin, "/echo?delay=soon", "PUT", "").statusCode()).isEqualTo(400);
            assertThat(send(admin, "/", "GET", "").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void delay_outOfItsRange_isRefused() throws Exception {
        try (EchoServers servers = EchoServers.start(List.of(), Duration.ZERO, 0, 0)) {
            assertThatIllegalArgumentException().isThrownBy(() -> servers.delay(Duration.ofMillis(-1), 0));
            assertThatIllegalArgumentException().isThrownBy(() -> servers.delay(Duration.ZERO, 101));
        }
    }
}
