// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Runners of application contexts, which are the same for both majors of Boot. */
final class Contexts3And4 {
    private Contexts3And4() {}

    /** Returns a runner with Boot's executors and this module. */
    static ApplicationContextRunner runner(String... properties) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        TaskExecutionAutoConfiguration.class,
                        TaskSchedulingAutoConfiguration.class,
                        SpindleAutoConfiguration.class,
                        SpindleTaskExecutorAutoConfiguration.class,
                        SpindleMetricsAutoConfiguration.class,
                        SpindleEndpointAutoConfiguration.class))
                .withPropertyValues(Arrays.stream(properties)
                        .map(property -> property.startsWith("spring.") || property.startsWith("management.")
                                ? property
                                : "spindle." + property)
                        .toArray(String[]::new));
    }

    /** Starts a context that must be refused, and returns the last cause. */
    static AbstractThrowableAssert<?, ? extends Throwable> refusal(ApplicationContextRunner runner) {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        runner.run(context -> failure.set(context.getStartupFailure()));
        Throwable last = Objects.requireNonNull(failure.get(), "the failure of the start");
        while (last.getCause() != null) {
            last = last.getCause();
        }
        return Assertions.assertThat(last);
    }
}
