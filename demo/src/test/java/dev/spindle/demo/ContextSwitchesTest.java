// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ContextSwitchesTest {

    @Test
    void parse_statusFile_hasBothCounts() {
        String status = "Name:\tjava\nThreads:\t20\nvoluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t3\n";

        assertThat(ContextSwitches.parse(status)).isEqualTo(new ContextSwitches(12, 3));
    }

    @Test
    void parse_fileWithoutCounts_isNull() {
        assertThat(ContextSwitches.parse("Name:\tjava\nvoluntary_ctxt_switches:\t12\n"))
                .isNull();
    }

    @Test
    void plus_twoCounts_isTheirSum() {
        assertThat(new ContextSwitches(1, 2).plus(new ContextSwitches(10, 20))).isEqualTo(new ContextSwitches(11, 22));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void ofCurrentThread_onLinux_isKnown() {
        assertThat(ContextSwitches.ofCurrentThread()).isNotNull();
    }
}
