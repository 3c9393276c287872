// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ForkRunnerTest {
    @Test
    void run_smallCell_measuresInAnotherProcess() throws IOException, InterruptedException {
        ForkResult result = new ForkRunner(0.01).run(new Plan.Fork(1, Cell.K16_W20, Contender.SPINDLE));

        assertThat(result.problem()).isEmpty();
        assertThat(Optional.ofNullable(result.measurement()).map(Measurement::violations))
                .contains(0L);
    }

    @Test
    void start_mainThatFails_keepsItsLastWords() throws IOException, InterruptedException {
        ForkRunner.Output output =
                ForkRunner.start(Failing.class, List.of(), List.of("last words"), Duration.ofMinutes(1));

        assertThat(output.exit()).isEqualTo(1);
        assertThat(output.problem()).contains("exit code 1").contains("last words");
        assertThat(output.line(KeyedFork.RESULT)).isEmpty();
    }

    @Test
    void start_mainThatHangs_isEndedAtItsLimit() throws IOException, InterruptedException {
        ForkRunner.Output output = ForkRunner.start(Hanging.class, List.of(), List.of(), Duration.ofMillis(300));

        assertThat(output.timedOut()).isTrue();
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
