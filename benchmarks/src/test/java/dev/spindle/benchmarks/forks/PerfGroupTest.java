// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PerfGroupTest {
    @Test
    void parse_perfsList_isACountOfEachEvent() {
        assertThat(PerfGroup.parse(List.of(
                        "# started on Mon",
                        "",
                        "12,,context-switches,a/group,1804,100.00,,",
                        "<not counted>,,syscalls:sys_enter_futex,a/group,0,100.00,,",
                        "77,,raw_syscalls:sys_enter,a/group,1804,100.00,,")))
                .isEqualTo(new PerfGroup.Counts(12, 0, 77));
    }

    @Test
    void parse_somethingElse_holdsIt() {
        assertThatThrownBy(() -> PerfGroup.parse(List.of("no permission"))).hasMessageContaining("[no permission]");
    }

    @Test
    @Timeout(60)
    void count_processOfTheGroup_isItsAlone() throws IOException, InterruptedException {
        Optional<PerfGroup> made = PerfGroup.open();
        assumeThat(made).as("perf can count a control group").isPresent();
        try (PerfGroup group = made.orElseThrow()) {
            PerfGroup.Count idle = group.begin();
            assertThat(idle.end()).isEqualTo(new PerfGroup.Counts(0, 0, 0));

            List<String> command = new ArrayList<>(group.prefix());
            command.addAll(List.of("sh", "-c", "for turn in 1 2 3 4 5 6 7 8 9 10; do read line; done"));
            Process process = new ProcessBuilder(command).start();
            PerfGroup.Count count = group.begin();
            process.getOutputStream().write("a\n".repeat(10).getBytes(StandardCharsets.US_ASCII));
            process.getOutputStream().flush();
            process.waitFor();

            assertThat(count.end().systemCalls()).isBetween(10L, 10_000L);
        }
    }
}
