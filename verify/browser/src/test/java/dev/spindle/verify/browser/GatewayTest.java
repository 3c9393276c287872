// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.browser;

import static dev.spindle.verify.browser.Chromium.awaitText;
import static dev.spindle.verify.browser.Chromium.picture;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.sun.net.httpserver.HttpServer;
import dev.spindle.Spindle;
import dev.spindle.gateway.Gateway;
import dev.spindle.gateway.GatewayConfig;
import dev.spindle.observe.dashboard.Dashboard;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The page of a gateway under a light load, as a person sees it in Chromium. */
@Timeout(180)
class GatewayTest {
    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void page_ofAGateway_showsItsRoutes() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(exchange.getRequestURI().getPath().startsWith("/pay") ? 502 : 200, -1);
            exchange.close();
        });
        server.start();
        GatewayConfig config =
                GatewayConfig.parse("shop", """
                listen: 127.0.0.1:0
                threads: 1
                backends:
                  users: {url: "http://127.0.0.1:%1$d", breaker: on}
                  bank: {url: "http://127.0.0.1:%1$d"}
                routes:
                  - {path: "/users/*", proxy: users}
                  - {path: "/pay", proxy: bank}
                """.formatted(server.getAddress().getPort()));
        try (Chromium chromium = new Chromium();
                Gateway gateway = Gateway.create(config);
                Spindle clients = Spindle.create();
                Dashboard dashboard = Dashboard.open(gateway.spindle());
                Page page = chromium.show(dashboard.uri(), 1440, 900, ColorScheme.LIGHT)) {
            String base = "http://127.0.0.1:" + gateway.address().getPort();
            int[] next = {0};
            Future<?> traffic = clients.scheduleAtFixedRate(
                    () -> {
                        send(base + "/users/" + next[0]++);
                        if (next[0] % 4 == 0) {
                            send(base + "/pay");
                        }
                    },
                    0,
                    10,
                    TimeUnit.MILLISECONDS);
            awaitText(page, "#p-routes", "/users/*");
            awaitText(page, "#p-calls", "gateway");
            awaitText(page, "#p-calls", "users"); // its breaker
            page.waitForFunction("() => [...document.querySelectorAll('#p-routes tbody tr')].every((r) => "
                    + "r.cells[1].textContent > 0 && r.cells[2].textContent.endsWith(' ms'))");
            awaitText(page, "#p-routes", "100 %"); // of the payments
            awaitText(page, "#p-routes", "0 %");
            picture(page, "gateway-light-1440");
            boolean unused = traffic.cancel(false);
            chromium.verify();
        } finally {
            server.stop(0);
        }
    }

    private void send(String address) {
        CompletableFuture<HttpResponse<Void>> unused = client.sendAsync(
                HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.discarding());
    }
}
