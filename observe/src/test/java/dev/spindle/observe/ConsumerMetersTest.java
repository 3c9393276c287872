// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.internal.SpindlePart;
import dev.spindle.internal.SpindlePart.Kind;
import dev.spindle.internal.SpindleParts;
import dev.spindle.internal.report.Figures;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

/** The meters of consumers and partitions, whose figures module kafka tests. */
class ConsumerMetersTest {
    private static Figures figures(String name, long overdrafts, long pending) {
        return new Figures(name, 9, 8, 7, 6, 5, 4, overdrafts, pending, 2, 1_000, 16);
    }

    @Test
    void partitions_ofTwoConsumers_haveMetersOfTheirOwn() {
        MeterRegistry registry = new SimpleMeterRegistry();
        SpindlePart part = list -> {
            for (String consumer : new String[] {"orders", "audit"}) {
                list.add(Kind.CONSUMER, null, figures(consumer, 0, 3));
                list.add(Kind.PARTITION, consumer, figures("topic-0", 1_500, consumer.length()));
            }
        };
        try (Spindle spindle = Spindle.builder().name("shop").build()) {
            SpindleParts.add(spindle, part);
            new SpindleMetrics(spindle).bindTo(registry);

            assertThat(gauge(registry, "spindle.consumer.pending", "consumer", "orders"))
                    .isEqualTo(3);
            assertThat(gauge(registry, "spindle.partition.lag", "consumer", "orders"))
                    .isEqualTo(6);
            assertThat(gauge(registry, "spindle.partition.lag", "consumer", "audit"))
                    .isEqualTo(5);
            assertThat(gauge(registry, "spindle.partition.age", "partition", "topic-0"))
                    .isEqualTo(1.5);
            part.listFigures((kind, owner, stats) -> {}); // reachable until here
        }
    }

    private static double gauge(MeterRegistry registry, String name, String tag, String value) {
        return registry.get(name)
                .tag("name", "shop")
                .tag(tag, value)
                .gauges()
                .iterator()
                .next()
                .value();
    }
}
