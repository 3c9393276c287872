// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.gateway.config.Address;
import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.BreakerConfig;
import dev.spindle.gateway.config.GatewayConfig;
import dev.spindle.gateway.config.RouteConfig;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The code in docs/gateway.md. It is compiled, and run on a port that may be taken. */
class GatewaySnippetTest {
    private boolean told;

    private void untilToldToEnd() {
        told = true;
    }

    void embedded() throws IOException {
        // snippet: gateway
        GatewayConfig config = GatewayConfig.builder()
                .listen(new Address("127.0.0.1", 8080))
                .backend(BackendConfig.builder("shop", "http://127.0.0.1:3000").build())
                .backend(BackendConfig.builder("users", "http://127.0.0.1:3001")
                        .limit(Duration.ofSeconds(1))
                        .breaker(BreakerConfig.DEFAULT)
                        .retry(1)
                        .build())
                .route(RouteConfig.proxy("/*", "shop").build())
                .route(RouteConfig.multicast("/page", "shop", "users").need(1).build())
                .build();
        try (Gateway gateway = Gateway.start(config)) {
            untilToldToEnd();
            gateway.drain().join(); // how many requests were cut off
        }
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
