// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import dev.spindle.Spindle;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of the health of spindles in an application of Boot 3. */
@AutoConfiguration(after = SpindleAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(Spindle.class)
final class SpindleBoot3HealthAutoConfiguration {
    @Bean
    @ConditionalOnEnabledHealthIndicator("spindle")
    SpindleBoot3HealthIndicator spindleHealthIndicator(ListableBeanFactory beans) {
        return new SpindleBoot3HealthIndicator(new PoolHealth(beans));
    }
}
