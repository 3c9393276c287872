// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An application that takes the pool by one dependency and two properties, on the major of Boot of this module. */
@Timeout(300)
class BootTest {
    private static final String[] PROPERTIES = {
        "spindle.pools.orders.max-threads=64",
        "spindle.pools.orders.close-timeout=2s",
        "management.endpoints.web.exposure.include=health,metrics,spindle",
        "management.endpoint.health.show-details=always"
    };

    @TempDir
    Path folder;

    @Test
    void application_withTwoProperties_runsInOrderIsSeenAndEndsInTime() throws Exception {
        try (ApplicationProcess application = ApplicationProcess.start(folder, List.of(), PROPERTIES)) {
            assertThat(application.post("/orders/4711")).isEqualTo("booked for 4711");
            requestsRunInOrder(application);
            executorsAreThoseOfBoot(application);
            operatorsSeeThePool(application);
            terminationNamesTheStuckKey(application);
        }
    }

    private static void requestsRunInOrder(ApplicationProcess application) throws Exception {
        String expected =
                IntStream.range(0, 500).mapToObj(Integer::toString).collect(Collectors.joining(",", "[", "]"));
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String account = "account" + i;
            answers.add(CompletableFuture.supplyAsync(() -> batch(application, account)));
        }
        for (CompletableFuture<String> answer : answers) {
            assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo(expected);
        }
    }

    private static String batch(ApplicationProcess application, String account) {
        try {
            return application.post("/batches/" + account + "/500");
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static void executorsAreThoseOfBoot(ApplicationProcess application) throws Exception {
        assertThat(application.get("/threads")).contains("\"task-", "\"scheduling-");
        assertThat(application.get("/callable")).startsWith("task-");
    }

    private static void operatorsSeeThePool(ApplicationProcess application) throws Exception {
        assertThat(application.get("/actuator/health"))
                .containsPattern("\"spindle\":\\{[^}]*\"orders\":\"live, ready: spindle orders.running[^}]*}")
                .doesNotContain("DOWN");
        assertThat(application.get("/actuator/metrics/executor.pool.max?tag=name:orders"))
                .contains("\"value\":64");
        assertThat(application.get("/actuator/spindle")).contains("\"pools\":{\"orders\":{", "\"maxThreads\":64");
        application.post("/stuck/4711");
        assertThat(application.get("/actuator/spindle/orders?lines=3"))
                .contains("\"owner\":\"key accounts/4711\"", "Application$Checks");
        assertThat(application.output()).doesNotContain("unsupported");
    }

    private static void terminationNamesTheStuckKey(ApplicationProcess application) throws Exception {
        application.post("/late/4711"); // waits behind the stuck task
        Duration took = application.terminate();

        assertThat(took).isBetween(Duration.ofMillis(1_900), Duration.ofSeconds(15));
        assertThat(application.output())
                .contains("pool orders has not ended within PT2S", "key accounts/4711", "Application$Checks");
    }

    @Test
    void application_whoseExecutorIsReplaced_runsOnThePool() throws Exception {
        List<String> properties = new ArrayList<>(List.of(PROPERTIES));
        properties.add("spindle.replace-task-executor=true");
        try (ApplicationProcess application =
                ApplicationProcess.start(folder, List.of(), properties.toArray(String[]::new))) {
            assertThat(application.get("/threads"))
                    .doesNotContain("task-", "scheduling-")
                    .contains("\"orders-");
            assertThat(application.get("/callable")).startsWith("orders-");
            application.post("/late/1");

            assertThat(application.terminate()).isLessThan(Duration.ofSeconds(15));
            assertThat(application.output()).doesNotContain("has not ended");
        }
    }

    @Test
    void application_withAPropertyThatDoesNotExist_isRefusedWithItsName() throws Exception {
        assertThat(ApplicationProcess.refused(folder, "spindle.pools.orders.max-treads=64"))
                .contains(
                        "APPLICATION FAILED TO START",
                        "spindle.pools.orders.max-treads (\"spindle.pools.orders.max-treads\" from property source"
                                + " \"commandLineArgs\"): there is no such property",
                        "Did you mean spindle.pools.orders.max-threads?");
    }
}
