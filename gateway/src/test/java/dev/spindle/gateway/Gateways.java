// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import dev.spindle.gateway.config.Address;
import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.RouteConfig;
import dev.spindle.gateway.config.Settings;
import dev.spindle.gateway.server.NettyGateway;
import java.io.IOException;
import java.time.Duration;

/** Gateways for tests: at a free port, with one event loop, and drains without notice. */
final class Gateways {
    private Gateways() {}

    static Settings.Builder config() {
        return Settings.builder()
                .listen(new Address("127.0.0.1", 0))
                .threads(1)
                .drainNotice(Duration.ZERO)
                .drainLimit(Duration.ofSeconds(10));
    }

    /** Everything below / goes to one backend. */
    static Settings.Builder proxy(TestBackend backend) {
        return proxy(BackendConfig.builder("a", backend.url()).limit(Duration.ofSeconds(5)));
    }

    static Settings.Builder proxy(BackendConfig.Builder backend) {
        return config().backend(backend.build())
                .route(RouteConfig.proxy("/*", "a").build());
    }

    static NettyGateway start(Settings.Builder config) throws IOException {
        return NettyGateway.start(config.build());
    }
}
