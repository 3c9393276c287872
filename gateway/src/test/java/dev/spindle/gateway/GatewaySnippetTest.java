// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** The code in docs/gateway.md. It is compiled, and run on a port that may be taken. */
class GatewaySnippetTest {
    private boolean told;

    private void untilToldToEnd(InetSocketAddress address) {
        assertThat(address.getPort()).isEqualTo(8080);
        told = true;
    }

    void embedded() throws IOException, ConfigException {
        // snippet: gateway
        GatewayConfig config = GatewayConfig.parse("shop", """
                listen: 127.0.0.1:8080
                backends:
                  shop: {url: "http://127.0.0.1:3000"}
                  users: {url: "http://127.0.0.1:3001", limit: 1s, breaker: on, retry: 1}
                routes:
                  - {path: "/*", proxy: shop}
                  - {path: /page, multicast: [shop, users], need: 1}
                """);
        try (Gateway gateway = Gateway.create(config)) {
            untilToldToEnd(gateway.address());
        } // waits for the requests under way
        // end
    }

    @Test
    void snippet_ofTheDocument_runsUnlessItsPortIsTaken() throws Exception {
        try {
            embedded();
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("cannot listen at 127.0.0.1:8080");
            return;
        }
        assertThat(told).isTrue();
    }
}
