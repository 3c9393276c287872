// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.contexts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The trace at the entry points of a spindle, under the agent of OpenTelemetry. */
@Tag("once")
@Timeout(600)
class AgentTest {
    /** The property of the README, without its name. */
    private static final String CLASSES =
            "dev.spindle.Spindle,dev.spindle.Strand,dev.spindle.LogicalExecutor,dev.spindle.Keyed$KeyLane";

    @TempDir
    Path folder;

    @Test
    void a4_agentWithADecorator_keepsTheTraceAtEachEntry() throws Exception {
        assertThat(keeping(List.of(), "decorator")).isEqualTo(EnumSet.allOf(Entry.class));
    }

    @Test
    void a4_agentWithItsProperty_keepsTheTraceOfTheExecutors() throws Exception {
        assertThat(keeping(List.of("-Dotel.instrumentation.executors.include=" + CLASSES)))
                .contains(Entry.PLAIN, Entry.SUBMIT, Entry.KEY_AS_EXECUTOR, Entry.STRAND, Entry.LOGICAL_EXECUTOR)
                .doesNotContain(Entry.KEY); // as without the property; if this changes, the README has to
    }

    /** Returns the entries that keep the trace. */
    private Set<Entry> keeping(List<String> properties, String... arguments) throws Exception {
        return AgentProcess.run(folder, AgentApplication.class, properties, arguments).stream()
                .filter(line -> line.endsWith(" keeps"))
                .map(line -> Entry.valueOf(line.substring(0, line.indexOf(' '))))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Entry.class)));
    }
}
