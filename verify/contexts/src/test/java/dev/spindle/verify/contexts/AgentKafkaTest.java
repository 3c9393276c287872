// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.contexts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.kafka.testkit.KafkaBroker;
import dev.spindle.kafka.testkit.KafkaExtension;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The trace of a record, from its producer through a broker to its handler, under the agent of OpenTelemetry. */
@Tag("once")
@Timeout(600)
@ExtendWith(KafkaExtension.class)
class AgentKafkaTest {
    private final KafkaBroker broker;
    private final String topic = KafkaExtension.uniqueName("traces");

    @TempDir
    Path folder;

    AgentKafkaTest(KafkaBroker broker) {
        this.broker = broker;
    }

    @Test
    void a4_agentWithADecorator_keepsTheTraceOfEachRecord() throws Exception {
        assertThat(calls("decorator"))
                .containsExactly(
                        "record 0 attempt 1 keeps",
                        "record 0 attempt 2 keeps",
                        "record 1 attempt 1 keeps",
                        "record 2 attempt 1 keeps");
    }

    @Test
    void a4_agentAlone_losesTheTrace() throws Exception { // if this changes, docs/kafka.md has to
        assertThat(calls()).hasSize(4).allMatch(line -> line.endsWith(" loses"));
    }

    private List<String> calls(String... decorator) throws Exception {
        broker.createTopic(topic, 1);
        String[] arguments = Stream.concat(Stream.of(broker.bootstrap(), topic), Stream.of(decorator))
                .toArray(String[]::new);
        return AgentProcess.run(folder, AgentKafkaApplication.class, List.of(), arguments).stream()
                .filter(line -> line.startsWith("record "))
                .toList();
    }
}
