// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.spindle.gateway.Gateway;
import dev.spindle.gateway.GatewayConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The page of a gateway that proxies requests to a server. */
@Timeout(120)
class GatewayPageTest {
    private static final Pattern USERS =
            Pattern.compile("\\[\"route\",\"gateway\",\"/users\",0,-1,0,0,([0-9]+),0,0,0,([0-9.]+),([0-9.]+)]");

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void routes_areListedWithThePercentilesOfTheirRequests() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        GatewayConfig config =
                GatewayConfig.parse("shop", """
                listen: 127.0.0.1:0
                threads: 1
                backends:
                  users: {url: "http://127.0.0.1:%d"}
                routes:
                  - {path: "/users", proxy: users}
                  - {path: "/other", proxy: users}
                """.formatted(server.getAddress().getPort()));
        try (Gateway gateway = Gateway.create(config);
                Dashboard page = Dashboard.open(gateway.spindle());
                Browser.Live live = new Browser(page).live()) {
            live.event("keys", keys -> keys.contains("\"/users\",0,-1,0,0,0,0,0,0,-1,-1]"));
            URI users = URI.create("http://127.0.0.1:" + gateway.address().getPort() + "/users");
            for (int i = 0; i < 20; i++) {
                assertThat(client.send(HttpRequest.newBuilder(users).build(), HttpResponse.BodyHandlers.ofString())
                                .statusCode())
                        .isEqualTo(200);
            }

            Matcher row = USERS.matcher(live.event("keys", keys -> keys.contains("\"/users\",0,-1,0,0,20,")));
            assertThat(row.find()).isTrue();
            double median = Double.parseDouble(String.valueOf(row.group(2)));
            double tail = Double.parseDouble(String.valueOf(row.group(3)));
            assertThat(median).isGreaterThan(0).isLessThanOrEqualTo(tail);
        } finally {
            server.stop(0);
        }
    }
}
