// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuQuotaTest {
    @TempDir
    Path folder = Path.of("");

    @Test
    void throttledMillis_eitherVersion_isInMilliseconds() throws IOException {
        Path second = Files.writeString(folder.resolve("2"), "nr_throttled 3\nthrottled_usec 2500\n");
        Path first = Files.writeString(folder.resolve("1"), "nr_throttled 3\nthrottled_time 2500000\n");

        assertThat(CpuQuota.throttledMillis(second)).isEqualTo(2.5);
        assertThat(CpuQuota.throttledMillis(first)).isEqualTo(2.5);
    }

    @Test
    void throttledMillis_noSuchFile_isNotANumber() {
        assertThat(CpuQuota.throttledMillis(folder.resolve("none"))).isNaN();
    }

    @Test
    void prefix_busyProcess_isHeldUp() throws IOException, InterruptedException {
        Optional<CpuQuota> made = CpuQuota.open(0.1);
        assumeThat(made).as("a control group can be made").isPresent();
        CpuQuota quota = made.orElseThrow();
        Path group = quota.statistics().resolveSibling("");
        try (quota) {
            ForkedJvm.Output output =
                    ForkedJvm.start(quota.prefix(), Burning.class, List.of(), List.of(), Duration.ofMinutes(1));

            assertThat(output.exit()).as(output::problem).isZero();
            assertThat(CpuQuota.throttledMillis(quota.statistics())).isPositive();
        }
        assertThat(group).doesNotExist();
    }

    static final class Burning {
        public static void main(String[] args) {
            long end = System.nanoTime() + Duration.ofMillis(500).toNanos();
            long turns = 0;
            while (System.nanoTime() < end) {
                turns++;
            }
            System.out.println(turns);
        }
    }
}
