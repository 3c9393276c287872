// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import dev.spindle.SpindleStats;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a scrape takes with a million keys, compared with gauges made by hand. */
@Tag("deep")
@Tag("once")
@Timeout(300)
class ManyKeysTest {
    private static final int KEYS = 1_000_000;
    private static final int ROUNDS = 15;

    private static long median(Runnable scrape) {
        long[] nanos = new long[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            long begin = System.nanoTime();
            scrape.run();
            nanos[i] = System.nanoTime() - begin;
        }
        Arrays.sort(nanos);
        return nanos[ROUNDS / 2];
    }

    /** Returns the median of the scrapes that read the spindle; the scrapes in between share a reading. */
    private static long medianOfReadings(Snapshots snapshots, PrometheusMeterRegistry registry) {
        long[] nanos = new long[ROUNDS];
        int round = 0;
        while (round < ROUNDS) {
            long before = snapshots.count();
            long begin = System.nanoTime();
            String unused = registry.scrape();
            long took = System.nanoTime() - begin;
            long readings = snapshots.count() - before;
            assertThat(readings).isLessThanOrEqualTo(1);
            if (readings == 1) {
                nanos[round++] = took;
            }
        }
        Arrays.sort(nanos);
        return nanos[ROUNDS / 2];
    }

    @Test
    void scrape_ofAMillionKeys_takesLittleMoreThanOneReading() throws Exception {
        try (Spindle spindle =
                Spindle.builder().keyKeepAlive(Duration.ofHours(1)).name("shop").build()) {
            Keyed<Integer> keys = spindle.keyed("orders");
            for (int key = 0; key < KEYS; key++) {
                keys.execute(key, () -> {});
            }
            keys.quiesce().get();
            assertThat(spindle.stats().keys()).isEqualTo(KEYS);
            PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            SpindleMetrics metrics = new SpindleMetrics(spindle);
            metrics.bindTo(registry);
            MeterRegistry byHand = new SimpleMeterRegistry();
            List<ToDoubleFunction<SpindleStats>> gauges = List.of(
                    SpindleStats::completed, SpindleStats::pending, SpindleStats::running, SpindleStats::threads);
            for (int i = 0; i < gauges.size(); i++) {
                ToDoubleFunction<SpindleStats> gauge = gauges.get(i);
                Gauge unused = Gauge.builder("hand." + i, () -> gauge.applyAsDouble(spindle.stats()))
                        .register(byHand);
            }

            long one = median(spindle::stats);
            long scrape = medianOfReadings(metrics.snapshots(), registry);
            long hand = median(() -> byHand.getMeters()
                    .forEach(meter -> meter.measure().forEach(value -> {
                        double unused = value.getValue();
                    })));

            System.out.printf(
                    "%,d keys: stats() %.1f ms, scrape %.1f ms, four gauges by hand %.1f ms%n",
                    KEYS, one / 1e6, scrape / 1e6, hand / 1e6);
            assertThat(scrape).isLessThan(3 * one);
        }
    }
}
