// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import static dev.spindle.spring.Contexts3And4.runner;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.spindle.Spindle;
import io.micrometer.context.ContextRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.core.task.TaskDecorator;

@Timeout(60)
class ObservedTest {
    private static final ThreadLocal<@Nullable String> TENANT = new ThreadLocal<>();

    private static @Nullable String tenantOfATask(Spindle pool) throws Exception {
        TENANT.set("acme");
        try {
            return pool.keyed("k").submit("a", () -> TENANT.get()).get(20, TimeUnit.SECONDS);
        } finally {
            TENANT.remove();
        }
    }

    @Test
    @SuppressWarnings("NullAway") // the library's signatures have no null annotations
    void contexts_withTheLibrary_areThoseOfTheSubmit() {
        ContextRegistry.getInstance().registerThreadLocalAccessor("tenant", TENANT);
        try {
            runner("pools.main.max-threads=8")
                    .run(context -> assertThat(tenantOfATask(context.getBean(Spindle.class)))
                            .isEqualTo("acme"));
            runner("pools.main.max-threads=8", "propagate-context=false")
                    .run(context -> assertThat(tenantOfATask(context.getBean(Spindle.class)))
                            .isNull());
        } finally {
            ContextRegistry.getInstance().removeThreadLocalAccessor("tenant");
        }
    }

    @Test
    void contexts_withATaskDecorator_areItsOwn() {
        runner("pools.main.max-threads=8")
                .withBean(TaskDecorator.class, () -> task -> {
                    String tenant = TENANT.get();
                    return () -> {
                        TENANT.set(tenant + "!");
                        task.run();
                        TENANT.remove();
                    };
                })
                .run(context -> assertThat(tenantOfATask(context.getBean(Spindle.class)))
                        .isEqualTo("acme!"));
    }

    @Test
    void meters_ofAllPools_haveTheirNames() {
        runner("pools.one.max-threads=8", "pools.two.max-threads=9").run(context -> {
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            context.getBean(PoolMeters.class).bindTo(registry);

            assertThat(registry.get("executor.pool.max")
                            .tag("name", "one")
                            .gauge()
                            .value())
                    .isEqualTo(8);
            assertThat(registry.get("executor.pool.max")
                            .tag("name", "two")
                            .gauge()
                            .value())
                    .isEqualTo(9);
        });
    }

    @Test
    @SuppressWarnings("unchecked")
    void endpoint_ofAPool_namesWhatRunsAndWhatWaits() {
        runner("pools.main.max-threads=8", "management.endpoints.web.exposure.include=spindle")
                .run(context -> {
                    PoolHealth pools = new PoolHealth(context);
                    SpindleEndpoint endpoint = new SpindleEndpoint(pools);
                    CountDownLatch begun = new CountDownLatch(1);
                    CountDownLatch go = new CountDownLatch(1);
                    context.getBean(Spindle.class).keyed("orders").execute("4711", () -> {
                        begun.countDown();
                        try {
                            go.await();
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    });
                    begun.await();
                    context.getBean(Spindle.class).keyed("orders").execute("4711", () -> {});
                    Map<String, Object> of = Objects.requireNonNull(endpoint.pool("main", null));
                    Map<String, Object> all =
                            (Map<String, Object>) endpoint.pools().get("pools");
                    go.countDown();

                    assertThat(of).containsEntry("pending", 1L).containsEntry("maxThreads", 8);
                    assertThat(String.valueOf(of.get("running"))).contains("key orders/4711", "ObservedTest");
                    assertThat(String.valueOf(of.get("busiest"))).contains("key orders/4711");
                    assertThat(String.valueOf(Objects.requireNonNull(all).get("main")))
                            .contains("key orders/4711");
                    assertThat(endpoint.pool("other", 3)).isNull();
                    assertThat(pools.check().state()).isEqualTo(PoolHealth.State.UP);
                    context.getBean(Spindle.class).shutdown();
                    assertThat(pools.check().state()).isEqualTo(PoolHealth.State.OUT_OF_SERVICE);
                });
    }

    @Test
    void metadata_fitsTheProperties() throws Exception {
        JsonNode metadata;
        try (InputStream file =
                PoolProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            metadata = new ObjectMapper().readTree(file);
        }
        Map<String, String> said = new TreeMap<>();
        for (JsonNode property : metadata.get("properties")) {
            assertThat(property.get("description").asText()).endsWith(".");
            String name = property.get("name").asText();
            if (name.startsWith("spindle.")) {
                said.put(
                        name.substring("spindle.".length()),
                        property.get("type").asText());
            }
        }
        Map<String, String> is = new TreeMap<>();
        for (RecordComponent component : Objects.requireNonNull(SpindleProperties.class.getRecordComponents())) {
            String name = component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT);
            String type = component.getGenericType().getTypeName();
            is.put(
                    name,
                    type.equals("boolean")
                            ? "java.lang.Boolean"
                            : type.equals("int") ? "java.lang.Integer" : type.replace(" ", ""));
        }
        assertThat(said).isEqualTo(is);
        assertThat(is.keySet()).containsAll(SpindleProperties.ofModule());
        for (JsonNode property : metadata.get("properties")) {
            if (property.get("name").asText().equals("spindle.phase")) {
                assertThat(property.get("defaultValue").asInt()).isEqualTo(PoolFactoryBean.PHASE);
            }
        }
    }
}
