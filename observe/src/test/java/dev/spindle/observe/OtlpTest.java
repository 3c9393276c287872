// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.spindle.Spindle;
import io.micrometer.core.instrument.Clock;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.Metric;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Exports over HTTP to a receiver of OTLP, as a collector is. */
@Timeout(60)
class OtlpTest {
    private final BlockingQueue<ExportMetricsServiceRequest> received = new LinkedBlockingQueue<>();
    private final Spindle spindle =
            Spindle.builder().name("shop").sampleOneIn(1).build();
    private final HttpServer server;

    OtlpTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    @BeforeEach
    void start() {
        server.createContext("/v1/metrics", exchange -> {
            boolean zipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            InputStream body = exchange.getRequestBody();
            received.add(ExportMetricsServiceRequest.parseFrom(zipped ? new GZIPInputStream(body) : body));
            exchange.sendResponseHeaders(200, -1);
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

    @Test
    void export_ofASpindle_reachesTheCollector() throws Exception {
        String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/metrics";
        OtlpConfig config = new OtlpConfig() {
            @Override
            public @Nullable String get(String key) {
                return "otlp.url".equals(key) ? url : null;
            }

            @Override
            public Duration step() {
                return Duration.ofHours(1); // the close of the registry exports
            }
        };
        OtlpMeterRegistry registry = new OtlpMeterRegistry(config, Clock.SYSTEM);
        new SpindleMetrics(spindle).bindTo(registry);
        spindle.keyed("orders").submit("order-4711", () -> 1).get();

        registry.close();

        ExportMetricsServiceRequest request = requireNonNull(received.poll(30, TimeUnit.SECONDS));
        Map<String, Metric> metrics = request.getResourceMetricsList().stream()
                .flatMap(resource -> resource.getScopeMetricsList().stream())
                .flatMap(scope -> scope.getMetricsList().stream())
                .collect(Collectors.toMap(Metric::getName, metric -> metric, (one, other) -> one));
        assertThat(metrics)
                .containsKeys(
                        "executor.completed",
                        "executor.active",
                        "executor.queued",
                        "executor.pool.size",
                        "executor",
                        "executor.idle",
                        "spindle.wakeups",
                        "spindle.blocked",
                        "spindle.run");
        assertThat(requireNonNull(metrics.get("executor.completed"))
                        .getSum()
                        .getDataPoints(0)
                        .getAsDouble())
                .isGreaterThanOrEqualTo(1);
        assertThat(requireNonNull(metrics.get("executor.pool.size"))
                        .getGauge()
                        .getDataPoints(0)
                        .getAttributesList())
                .anyMatch(tag -> tag.getKey().equals("name")
                        && tag.getValue().getStringValue().equals("shop"));
        assertThat(request.toString()).doesNotContain("4711");
    }
}
