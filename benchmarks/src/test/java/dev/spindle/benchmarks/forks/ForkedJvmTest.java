// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ForkedJvmTest {
    @Test
    void start_mainThatFails_keepsItsLastWords() throws IOException, InterruptedException {
        ForkedJvm.Output output =
                ForkedJvm.start(List.of(), Failing.class, List.of(), List.of("last words"), Duration.ofMinutes(1));

        assertThat(output.exit()).isEqualTo(1);
        assertThat(output.problem()).contains("exit code 1").contains("last words");
    }

    @Test
    void start_mainThatHangs_isEndedAtItsLimit() throws IOException, InterruptedException {
        ForkedJvm.Output output =
                ForkedJvm.start(List.of(), Hanging.class, List.of(), List.of(), Duration.ofMillis(300));

        assertThat(output.endedAfter()).contains(Duration.ofMillis(300));
    }

    static final class Failing {
        public static void main(String[] args) {
            Integer.parseInt(args[0]);
        }
    }

    static final class Hanging {
        public static void main(String[] args) throws InterruptedException {
            Thread.currentThread().join();
        }
    }
}
