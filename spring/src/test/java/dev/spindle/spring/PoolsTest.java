// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import static dev.spindle.spring.Contexts3And4.refusal;
import static dev.spindle.spring.Contexts3And4.runner;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.SpindleBuilder;
import dev.spindle.SpindleStats;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.support.SpringFactoriesLoader;

class PoolsTest {
    @Test
    void pools_twoProperties_areBeansByNameAndByType() {
        runner("pools.orders.max-threads=7", "pools.orders.core-threads=3").run(context -> {
            Spindle orders = context.getBean("orders", Spindle.class);
            SpindleStats stats = orders.stats();

            assertThat(context.getBean(Spindle.class)).isSameAs(orders);
            assertThat(stats.name()).isEqualTo("orders");
            assertThat(stats.maxThreads()).isEqualTo(7);
            assertThat(stats.coreThreads()).isEqualTo(3);
        });
    }

    @Test
    void pools_none_noBean() {
        runner().run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Spindle.class));
    }

    @Test
    void pools_several_areInjectedByTheNameOfTheParameter() {
        runner("pools.orders.max-threads=7", "pools.mail.max-threads=9")
                .withUserConfiguration(TakesMail.class)
                .run(context -> assertThat(context.getBean(TakesMail.Max.class).threads())
                        .isEqualTo(9));
    }

    @Configuration(proxyBeanMethods = false)
    static class TakesMail {
        record Max(int threads) {}

        @Bean
        Max max(Spindle mail) {
            return new Max(mail.stats().maxThreads());
        }
    }

    @Test
    void executor_injectedByType_isThatOfBoot() {
        runner("pools.orders.max-threads=7")
                .withUserConfiguration(TakesExecutor.class)
                .run(context -> assertThat(
                                context.getBean(TakesExecutor.Taken.class).executor())
                        .isSameAs(context.getBean("applicationTaskExecutor")));
    }

    @Configuration(proxyBeanMethods = false)
    static class TakesExecutor {
        record Taken(Executor executor) {}

        @Bean
        Taken taken(Executor executor) {
            return new Taken(executor);
        }
    }

    @Test
    void pools_allProperties_areTaken() {
        runner(
                        "pools.all.core-threads=2",
                        "pools.all.max-threads=4",
                        "pools.all.grow-core-after=0",
                        "pools.all.keep-alive=5s",
                        "pools.all.key-keep-alive=2s",
                        "pools.all.close-timeout=3s",
                        "pools.all.capacity=50",
                        "pools.all.on-full=block",
                        "pools.all.on-full-limit=1s",
                        "pools.all.virtual-threads=false",
                        "pools.all.wait-strategy=yield",
                        "pools.all.stuck-after=4s",
                        "pools.all.key-in-thread-name=true",
                        "pools.all.sample-one-in=16")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Spindle all = context.getBean("all", Spindle.class);

                    assertThat(all.stats().capacity()).isEqualTo(50);
                    String thread = all.keyed("k")
                            .submit("x", () -> Thread.currentThread().getName())
                            .get(20, TimeUnit.SECONDS);
                    assertThat(thread).contains("key k/x");
                });
    }

    @Test
    void options_ofTheBuilder_areProperties() {
        Set<String> byCode = Set.of(
                "name", "threadFactory", "auxiliaryThreadFactory", "onFailure", "onStuck", "taskDecorator", "build");
        Set<String> options = Arrays.stream(SpindleBuilder.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .map(Method::getName)
                .filter(name -> !byCode.contains(name))
                .map(name -> name.replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
        options.addAll(Set.of("on-full", "on-full-limit"));

        assertThat(options).hasSizeGreaterThan(10).hasSameElementsAs(SpindleProperties.ofPool());
    }

    @Test
    void property_thatDoesNotExist_isRefusedWithItsNameAndTheOneMeant() {
        refusal(runner("pools.orders.max-treads=7"))
                .isInstanceOf(SpindlePropertyException.class)
                .hasMessageContaining("spindle.pools.orders.max-treads")
                .hasMessageContaining("there is no such property")
                .extracting(failure -> ((SpindlePropertyException) failure).remedy())
                .asString()
                .contains("Did you mean spindle.pools.orders.max-threads?");
        refusal(runner("pools.orders.max.threads=7")).hasMessageContaining("spindle.pools.orders.max.threads");
        refusal(runner("replace-executor=true"))
                .hasMessageContaining("spindle.replace-executor")
                .hasMessageContaining("there is no such property");
    }

    @Test
    void pool_namedTwice_isRefusedWithBothNames() {
        refusal(runner("pools.order-mail.max-threads=7", "pools.orderMail.core-threads=2"))
                .hasMessageContaining("spindle.pools.order-mail")
                .hasMessageContaining("spindle.pools.orderMail")
                .hasMessageContaining("named twice");
    }

    @Test
    void pool_withTheNameOfABean_isRefused() {
        refusal(runner("pools.max.max-threads=7").withBean("max", String.class, () -> "another"))
                .hasMessageContaining("spindle.pools.max")
                .hasMessageContaining("another bean with the name max");
    }

    @Test
    void limit_negativeOrInConflict_isRefusedWithTheNameOfTheProperty() {
        refusal(runner("pools.orders.max-threads=-1"))
                .hasMessageContaining("spindle.pools.orders.max-threads")
                .hasMessageContaining("is -1");
        refusal(runner("pools.orders.capacity=-5"))
                .hasMessageContaining("spindle.pools.orders.capacity")
                .hasMessageContaining("at least 1");
        refusal(runner("pools.orders.close-timeout=-5s"))
                .hasMessageContaining("spindle.pools.orders.close-timeout")
                .hasMessageContaining("must be positive");
        refusal(runner("pools.orders.on-full=block", "pools.orders.capacity=5"))
                .hasMessageContaining("spindle.pools.orders.on-full")
                .hasMessageContaining("on-full-limit");
        refusal(runner("pools.orders.on-full=reject"))
                .hasMessageContaining("spindle.pools.orders.on-full")
                .hasMessageContaining("set capacity");
        refusal(runner("pools.orders.on-full-limit=1s")).hasMessageContaining("spindle.pools.orders.on-full-limit");
        refusal(runner("pools.orders.core-threads=8", "pools.orders.max-threads=4"))
                .hasMessageContaining("spindle.pools.orders")
                .hasMessageContaining("8");
        refusal(runner("pools.orders=5")).hasMessageContaining("spindle.pools.orders");
        refusal(runner("pools.orders.max-threads=many")).hasMessageContaining("many");
    }

    @Test
    void variable_ofTheEnvironment_changesThePoolOfAFile() {
        runner("pools.order-mail.max-threads=7")
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .replace(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                new SystemEnvironmentPropertySource(
                                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                        Map.of("SPINDLE_POOLS_ORDERMAIL_CORETHREADS", "3", "SPINDLE_PORT", "1"))))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBeansOfType(Spindle.class)).containsOnlyKeys("order-mail");
                    assertThat(context.getBean(Spindle.class).stats().coreThreads())
                            .isEqualTo(3);
                });
    }

    @Test
    void pool_withoutAValue_hasDefaults() {
        runner("pools.orders=").run(context -> assertThat(context).hasSingleBean(Spindle.class));
    }

    @Test
    void virtualThreads_followBootUnlessSet() {
        boolean have = Runtime.version().feature() >= 21;
        runner("pools.orders.stuck-after=9s", "spring.threads.virtual.enabled=true")
                .run(context -> assertThat(max(context.getBean(Spindle.class)) == 10_000)
                        .isEqualTo(have));
        runner("pools.orders.virtual-threads=false", "spring.threads.virtual.enabled=true")
                .run(context -> assertThat(max(context.getBean(Spindle.class))).isLessThan(10_000));
        if (!have) {
            refusal(runner("pools.orders.virtual-threads=true"))
                    .hasMessageContaining("spindle.pools.orders.virtual-threads")
                    .hasMessageContaining("JDK 21");
        }
    }

    private static int max(Spindle spindle) {
        return spindle.stats().maxThreads();
    }

    @Test
    void customizer_afterTheProperties_hasTheLastWord() {
        runner("pools.orders.max-threads=7")
                .withBean(SpindleCustomizer.class, () -> (pool, builder) -> builder.maxThreads(pool.length()))
                .run(context -> assertThat(max(context.getBean(Spindle.class))).isEqualTo(6));
    }

    @Test
    void failureAnalyzer_isFoundByBoot() {
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation()
                        .load(FailureAnalyzer.class, SpringFactoriesLoader.FailureHandler.handleMessage((m, f) -> {})))
                .hasAtLeastOneElementOfType(SpindlePropertyFailureAnalyzer.class);
    }
}
