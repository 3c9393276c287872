// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** The health of the spindles for Boot 3, whose API is in another package than that of Boot 4. */
final class SpindleBoot3HealthIndicator implements HealthIndicator {
    private final PoolHealth pools;

    SpindleBoot3HealthIndicator(PoolHealth pools) {
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
