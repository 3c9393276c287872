// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import static dev.spindle.spring.Contexts3And4.refusal;
import static dev.spindle.spring.Contexts3And4.runner;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ConcurrentTaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

class TaskExecutorTest {
    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    @EnableScheduling
    static class Application {
        @Bean
        Work work() {
            return new Work();
        }
    }

    static class Work {
        final CompletableFuture<String> scheduledOn = new CompletableFuture<>();

        // A proxy has no fields.
        public CompletableFuture<String> scheduledOn() {
            return scheduledOn;
        }

        @Async
        public CompletableFuture<String> thread() {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }

        @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
        public void tick() {
            scheduledOn.complete(Thread.currentThread().getName());
        }
    }

    @Test
    void executorAndScheduler_besideAPool_areThoseOfBoot() {
        runner("pools.orders.max-threads=7")
                .withUserConfiguration(Application.class)
                .run(context -> {
                    assertThat(context.getBean("applicationTaskExecutor")).isInstanceOf(ThreadPoolTaskExecutor.class);
                    assertThat(context.getBean(TaskScheduler.class)).isInstanceOf(ThreadPoolTaskScheduler.class);
                    Work work = context.getBean(Work.class);
                    assertThat(work.thread().get(20, TimeUnit.SECONDS)).startsWith("task-");
                    assertThat(work.scheduledOn().get(20, TimeUnit.SECONDS)).startsWith("scheduling-");
                });
    }

    @Test
    void executorAndScheduler_replaced_areThePool() {
        runner("pools.orders.max-threads=7", "replace-task-executor=true")
                .withUserConfiguration(Application.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean("applicationTaskExecutor")).isInstanceOf(AsyncTaskExecutor.class);
                    assertThat(context.getBean("taskScheduler")).isInstanceOf(ConcurrentTaskScheduler.class);
                    Work work = context.getBean(Work.class);
                    assertThat(work.thread().get(20, TimeUnit.SECONDS)).startsWith("orders-");
                    assertThat(work.scheduledOn().get(20, TimeUnit.SECONDS)).startsWith("orders-");
                });
    }

    @Test
    void executor_replacedBySeveralPools_needsAName() {
        refusal(runner("pools.orders.max-threads=7", "pools.mail.max-threads=7", "replace-task-executor=true"))
                .hasMessageContaining("spindle.replace-task-executor")
                .hasMessageContaining("[mail, orders]");
        refusal(runner("pools.orders.max-threads=7", "task-executor-pool=mail", "replace-task-executor=true"))
                .hasMessageContaining("spindle.task-executor-pool = mail");
        runner(
                        "pools.orders.max-threads=7",
                        "pools.mail.max-threads=7",
                        "replace-task-executor=true",
                        "task-executor-pool=mail")
                .withUserConfiguration(Application.class)
                .run(context -> assertThat(context.getBean(Work.class).thread().get(20, TimeUnit.SECONDS))
                        .startsWith("mail-"));
    }

    /** The control: a bean of an application drops Boot's executor, which is why pools are registered after it. */
    @Test
    void executor_besideABeanOfTheApplication_isDroppedByBoot() {
        runner().withBean("own", Spindle.class, Spindle::create).run(context -> {
            assertThat(context.containsBean("applicationTaskExecutor")).isFalse();
            assertThat(context.getBean(MissingExecutorWarning.class).warning())
                    .contains("[own]", "spring.task.execution.mode=force");
        });
        runner("pools.orders.max-threads=7")
                .run(context -> assertThat(
                                context.getBean(MissingExecutorWarning.class).warning())
                        .isNull());
    }
}
