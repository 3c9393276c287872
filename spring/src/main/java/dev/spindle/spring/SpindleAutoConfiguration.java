// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the pools {@code spindle.pools.<name>.*}, and of {@link KeyedAsync}.
 *
 * <p>It comes after Boot's own executor and scheduler, which Boot leaves out if there is an {@code Executor} already.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration",
            "org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration"
        })
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@Import(PoolRegistrar.class)
public final class SpindleAutoConfiguration {
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static KeyedAsyncPostProcessor keyedAsyncPostProcessor(Environment environment) {
        return new KeyedAsyncPostProcessor(
                environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true));
    }

    @Bean
    MissingExecutorWarning spindleMissingExecutorWarning(ListableBeanFactory beans) {
        return new MissingExecutorWarning(beans);
    }
}
