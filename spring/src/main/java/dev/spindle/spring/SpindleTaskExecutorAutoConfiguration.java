// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import dev.spindle.Spindle;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.support.TaskExecutorAdapter;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;
import org.springframework.scheduling.concurrent.ConcurrentTaskScheduler;

/**
 * Auto-configuration of a pool in the place of Boot's task executor and task scheduler, if
 * {@code spindle.replace-task-executor} is true. It comes before Boot's, which are then left out.
 */
@AutoConfiguration(
        beforeName = {
            "org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration",
            "org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration"
        })
@ConditionalOnProperty(prefix = SpindleProperties.PREFIX, name = "replace-task-executor", havingValue = "true")
final class SpindleTaskExecutorAutoConfiguration {
    @Bean({"applicationTaskExecutor", "taskExecutor"})
    @ConditionalOnMissingBean(name = "applicationTaskExecutor")
    AsyncTaskExecutor applicationTaskExecutor(BeanFactory beans, Environment environment) {
        return new TaskExecutorAdapter(pool(beans, environment));
    }

    @Bean
    @ConditionalOnBean(ScheduledAnnotationBeanPostProcessor.class) // by type: Spring 7 has another name for it
    @ConditionalOnMissingBean(TaskScheduler.class)
    TaskScheduler taskScheduler(BeanFactory beans, Environment environment) {
        Spindle spindle = pool(beans, environment);
        return new ConcurrentTaskScheduler(spindle, spindle);
    }

    private static Spindle pool(BeanFactory beans, Environment environment) {
        SpindleProperties properties = SpindleProperties.read(environment);
        Set<String> names = new TreeSet<>(properties.pools().keySet());
        String chosen = properties.taskExecutorPool();
        if (chosen == null && names.size() == 1) {
            chosen = names.iterator().next();
        }
        if (chosen == null || !names.contains(chosen)) {
            throw new SpindlePropertyException(
                    SpindleProperties.PREFIX + (chosen == null ? ".replace-task-executor" : ".task-executor-pool"),
                    (chosen == null ? ": there are " + names.size() + " pools " : " = " + chosen + ": the pools are ")
                            + names,
                    "Set spindle.task-executor-pool to the name of one of the pools spindle.pools.<name>.*");
        }
        return beans.getBean(chosen, Spindle.class);
    }
}
