// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import dev.spindle.Spindle;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of {@code /actuator/spindle}. */
@AutoConfiguration(after = SpindleAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(Spindle.class)
final class SpindleEndpointAutoConfiguration {
    @Bean
    @ConditionalOnAvailableEndpoint(SpindleEndpoint.class)
    SpindleEndpoint spindleEndpoint(ListableBeanFactory beans) {
        return new SpindleEndpoint(new PoolHealth(beans));
    }
}
