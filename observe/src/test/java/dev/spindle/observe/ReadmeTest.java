// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.internal.SpindlePart.Kind;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** The code of README.md, and its table. */
class ReadmeTest {
    private static final Pattern METER = Pattern.compile("`((?:executor|spindle)\\.[a-z.]+)`");

    @Test
    void snippets_areCompiledAndRun() throws Exception {
        MeterRegistry registry = new SimpleMeterRegistry();
        try (Spindle spindle = Spindle.builder().name("shop").build()) {
            // snippet: metrics
            new SpindleMetrics(spindle).bindTo(registry);
            // end
            // snippet: health
            SpindleHealth health = new SpindleHealth(spindle, Duration.ofSeconds(30));

            SpindleHealth.Status now = health.check(); // for a probe, every few seconds
            boolean restart = !now.isLive(); // stalled with all threads there may be
            boolean serve = now.isReady(); // accepts tasks, and is not stalled
            String why = now.detail(); // "spindle shop[..]: 7 ready entries, and no task has ended for PT31S"
            // end
            // snippet: management
            SpindleManagement.register(spindle); // dev.spindle:type=Spindle,name="shop"
            // end

            assertThat(registry.getMeters()).isNotEmpty();
            assertThat(restart).isFalse();
            assertThat(serve).isTrue();
            assertThat(why).startsWith("spindle shop[");
            assertThat(ManagementFactory.getPlatformMBeanServer()
                            .isRegistered(new ObjectName("dev.spindle:type=Spindle,name=\"shop\"")))
                    .isTrue();
        }
    }

    @Test
    void table_hasTheNamesOfAllMeters() throws Exception {
        Set<String> named = new TreeSet<>();
        for (Kind kind : Kind.values()) {
            Measure.of(kind).forEach(measure -> named.add(measure.name()));
        }
        named.removeIf(name -> name.startsWith("spindle.endpoint.") || name.startsWith("spindle.bulkhead."));
        Set<String> shown = new TreeSet<>();
        for (String line : Files.readAllLines(Path.of("README.md"))) {
            Matcher meter = METER.matcher(line);
            while (line.startsWith("|") && meter.find()) {
                shown.add(requireNonNull(meter.group(1)));
            }
        }

        assertThat(shown).containsAll(named);
        shown.removeAll(named);
        assertThat(shown).containsOnly("executor.idle", "spindle.run", "spindle.queue.wait");
    }
}
