// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ForkAnswerTest {
    @Test
    void read_forkThatMeasured_getsItsLine() throws IOException, InterruptedException {
        assertThat(answerOf("measures")).isEqualTo("measured ns=1");
    }

    @Test
    void read_forkThatStalled_saysWhere() throws IOException, InterruptedException {
        assertThat(answerOf("stalls")).isEqualTo("failed stalled: after 3 of 4 tasks");
    }

    @Test
    void read_forkThatBroke_saysHowItEnded() throws IOException, InterruptedException {
        assertThat(answerOf("breaks")).startsWith("failed exit code 1").contains("a fault of the benchmark");
    }

    private static String answerOf(String what) throws IOException, InterruptedException {
        ForkedJvm.Output output =
                ForkedJvm.start(List.of(), Fork.class, List.of(), List.of(what), Duration.ofMinutes(1));
        return ForkAnswer.read(output, line -> "measured " + line, problem -> "failed " + problem);
    }

    static final class Fork {
        public static void main(String[] args) {
            // Only the end of the answer ends this JVM.
            new Thread(() -> Interruptions.ignoring(Thread.currentThread()::join)).start();
            ForkAnswer.giveAndHalt(() -> switch (args[0]) {
                case "measures" -> "ns=1";
                case "stalls" -> throw new StalledException("after 3 of 4 tasks");
                default -> throw new IllegalStateException("a fault of the benchmark");
            });
        }
    }
}
