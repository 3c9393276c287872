// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.spindle.LogicalExecutor;
import dev.spindle.Spindle;
import io.micrometer.core.instrument.binder.jvm.ExecutorServiceMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Scrapes over HTTP, as Prometheus does. */
@Timeout(60)
class PrometheusTest {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final HttpClient client = HttpClient.newHttpClient();
    private final Spindle spindle = Spindle.builder()
            .name("shop")
            .sampleOneIn(1)
            .maxThreads(4)
            .coreThreads(2)
            .build();
    private HttpServer server;

    PrometheusTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    @BeforeEach
    void start() {
        server.createContext("/metrics", exchange -> {
            byte[] body = registry.scrape().getBytes(UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void end() {
        server.stop(0);
        spindle.shutdownNow(); // a test that failed may have left a task that waits
        spindle.close();
    }

    /** Scrapes, and returns the value of each time series by its name and tags. */
    private Map<String, Double> scrape() throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/metrics");
        String text = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .body();
        Map<String, Double> values = new TreeMap<>();
        for (String line : text.lines().toList()) {
            if (!line.startsWith("#")) {
                int space = line.lastIndexOf(' ');
                values.put(line.substring(0, space), Double.parseDouble(line.substring(space + 1)));
            }
        }
        return values;
    }

    @Test
    void scrape_ofASpindle_hasTheNamesOfExecutorsAndOfItsOwn() throws Exception {
        LogicalExecutor reads = spindle.executor("reads", 3);
        spindle.keyed("orders").submit("order-4711", () -> 1).get();
        reads.submit(() -> 1).get();
        new SpindleMetrics(spindle).bindTo(registry);

        Map<String, Double> values = scrape();

        assertThat(values)
                .containsEntry("executor_pool_max_threads{name=\"shop\"}", 4.0)
                .containsEntry("executor_pool_max_threads{name=\"shop/reads\"}", 3.0)
                .containsEntry("executor_completed_tasks_total{name=\"shop/reads\"}", 1.0)
                .containsEntry("executor_queued_tasks{name=\"shop\"}", 0.0)
                .containsEntry("spindle_keys_pending_tasks{name=\"shop\",space=\"orders\"}", 0.0)
                .containsKey("executor_queue_remaining_tasks{name=\"shop\"}")
                .containsKey("executor_active_threads{name=\"shop\"}")
                .containsKey("executor_pool_size_threads{name=\"shop\"}")
                .containsKey("executor_seconds_count{name=\"shop\"}")
                .containsKey("executor_seconds_sum{name=\"shop\"}")
                .containsKey("executor_idle_seconds_sum{name=\"shop\"}")
                .containsKey("spindle_run_seconds{name=\"shop\",quantile=\"0.99\"}")
                .containsKey("spindle_wakeups_total{name=\"shop\"}");
        assertThat(values.get("executor_completed_tasks_total{name=\"shop\"}")).isGreaterThanOrEqualTo(2);
        assertThat(values.keySet()).noneMatch(series -> series.contains("4711"));
    }

    @Test
    void scrape_withAnExecutorOfTheJdkBesides_hasBoth() throws Exception {
        ExecutorService fixed = Executors.newFixedThreadPool(1);
        ExecutorService monitored = ExecutorServiceMetrics.monitor(registry, fixed, "fixed");
        new SpindleMetrics(spindle).bindTo(registry);
        monitored.submit(() -> 1).get();
        monitored.submit(() -> 1).get();

        Map<String, Double> values = scrape();

        for (String name : List.of("shop", "fixed")) {
            assertThat(values)
                    .containsKey("executor_completed_tasks_total{name=\"" + name + "\"}")
                    .containsKey("executor_pool_size_threads{name=\"" + name + "\"}")
                    .containsKey("executor_seconds_count{name=\"" + name + "\"}");
        }
        fixed.shutdown();
    }

    @Test
    void scrape_whileTasksRun_showsTotalsThatNeverFall() throws Exception {
        new SpindleMetrics(spindle).bindTo(registry);
        Map<String, Double> before = Map.of();
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 500; i++) {
                spindle.keyed("orders").execute("order-" + i % 50, () -> {});
            }
            Map<String, Double> now = scrape();
            before.forEach((series, value) -> {
                if (series.contains("_total") || series.contains("_count") || series.contains("_sum")) {
                    assertThat(now.get(series)).as(series).isGreaterThanOrEqualTo(value);
                }
            });
            before = now;
        }
        assertThat(before).isNotEmpty();
    }

    @Test
    void scrape_afterTheEndOfAPart_doesNotHaveIt() throws Exception {
        new SpindleMetrics(spindle).bindTo(registry);
        LogicalExecutor reads = spindle.executor("reads", 3);
        Map<String, Double> first = scrape();
        Map<String, Double> second = scrape();
        reads.close();
        Map<String, Double> last = scrape();
        Map<String, Double> afterwards = scrape();

        String series = "executor_pool_max_threads{name=\"shop/reads\"}";
        assertThat(first).isNotEmpty();
        assertThat(second).containsKey(series);
        assertThat(last).isNotEmpty();
        assertThat(afterwards).doesNotContainKey(series).containsKey("executor_pool_max_threads{name=\"shop\"}");
    }
}
