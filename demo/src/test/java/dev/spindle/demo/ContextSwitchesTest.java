// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ContextSwitchesTest {

    @Test
    void parse_statusFile_hasTheVoluntaryOnes() {
        String status = "Name:\tjava\nThreads:\t20\nvoluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t3\n";

        assertThat(ContextSwitches.parse(status)).isEqualTo(12);
    }

    @Test
    void parse_fileWithoutCounts_isUnknown() {
        assertThat(ContextSwitches.parse("Name:\tjava\nnonvoluntary_ctxt_switches:\t12\n"))
                .isEqualTo(ContextSwitches.UNKNOWN);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void of_currentTask_isKnownOnLinux() {
        Path task = Objects.requireNonNull(ContextSwitches.currentTask(), "there is /proc");

        assertThat(ContextSwitches.of(task)).isNotNegative();
    }

    @Test
    void of_noSuchTask_isUnknown() {
        assertThat(ContextSwitches.of(Path.of("/proc/no-such-task"))).isEqualTo(ContextSwitches.UNKNOWN);
    }
}
