// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import dev.spindle.SpindleBuilder;

/**
 * A bean that sets options of the pools that properties describe, such as a handler, a thread factory or a task
 * decorator. It runs after the properties have been applied, so it may overrule them.
 *
 * <pre>{@code
 * @Bean
 * SpindleCustomizer alarms(Alarms alarms) {
 *     return (pool, builder) -> builder.onStuck(activity -> alarms.raise(pool, activity.owner()));
 * }
 * }</pre>
 *
 * <p>Several customizers run in the order of {@link org.springframework.core.annotation.Order}.
 */
@FunctionalInterface
public interface SpindleCustomizer {
    /** Sets options of the pool with the given name before it is built. */
    void customize(String pool, SpindleBuilder builder);
}
