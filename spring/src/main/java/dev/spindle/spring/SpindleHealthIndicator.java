// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** The health of the spindles for Boot 4. */
final class SpindleHealthIndicator implements HealthIndicator {
    private final PoolHealth pools;

    SpindleHealthIndicator(PoolHealth pools) {
        this.pools = pools;
    }

    @Override
    public Health health() {
        PoolHealth.Result result = pools.check();
        return Health.status(result.state().name())
                .withDetails(result.details())
                .build();
    }
}
