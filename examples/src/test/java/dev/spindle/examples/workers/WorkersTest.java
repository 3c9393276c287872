// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.workers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

@Timeout(60)
class WorkersTest {
    @Test
    void command_short_doesEveryJobOnce() {
        StringWriter out = new StringWriter();

        int status = new CommandLine(new WorkersCommand())
                .setOut(new PrintWriter(out))
                .execute("--jobs", "2000", "--workers", "4");

        assertThat(status).isZero();
        assertThat(out.toString())
                .contains("2,000 jobs done, workers broke 20 times")
                .contains("PASSED");
    }

    @Test
    void run_oneWorkerThatOftenBreaks_doesEveryJobOnce() throws InterruptedException {
        Workers.Result result = new Workers(1, 200, 2).run();

        assertThat(result.broken()).isEqualTo(100);
        assertThat(result.isSound(200, 1)).as(result.toString()).isTrue();
    }

    @Test
    void isSound_jobsMissingOrDoneTwice_isNot() {
        assertThat(new Workers.Result(3, 0, 3, 1).isSound(3, 2)).isTrue();
        assertThat(new Workers.Result(2, 0, 3, 1).isSound(3, 2)).isFalse();
        assertThat(new Workers.Result(3, 1, 3, 1).isSound(3, 2)).isFalse();
        assertThat(new Workers.Result(3, 0, 4, 1).isSound(3, 2)).isFalse();
    }
}
