// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.philosophers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Timeout(60)
class TableTest {
    @Test
    void command_short_feedsEverybodyAndNamesTheCycle() {
        StringWriter out = new StringWriter();

        int status = new CommandLine(new PhilosophersCommand())
                .setOut(new PrintWriter(out))
                .execute("--meals", "200");

        assertThat(status).isZero();
        assertThat(out.toString()).contains("1,000 meals", "past full mailboxes", "PASSED");
    }

    /** No message reaches a stopped actor, which its spindle would log. */
    @Test
    void command_manyWords_logsNothing() {
        List<LogRecord> logged = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(@Nullable LogRecord entry) {
                if (entry != null) {
                    logged.add(entry);
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("dev.spindle");
        logger.addHandler(handler);
        try {
            for (int i = 0; i < 5; i++) {
                assertThat(new CommandLine(new PhilosophersCommand())
                                .setOut(new PrintWriter(new StringWriter()))
                                .execute("--meals", "1", "--words", "100", "--seats", "20"))
                        .isZero();
            }
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(logged).extracting(LogRecord::getLevel).doesNotContain(Level.SEVERE);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 20})
    void run_mailboxesOfOne_allEatAndOverdraftsAreCounted(int seats) throws InterruptedException {
        Table.Result result = new Table(seats, 300, 4, 1).run();

        assertThat(result.isSound(300L * seats)).as(result.toString()).isTrue();
        assertThat(result.overdrafts()).isPositive();
    }

    @Test
    void run_mailboxesWithRoom_needsNoOverdraft() throws InterruptedException {
        Table.Result result = new Table(3, 50, 1, 1_000).run();

        assertThat(result.isSound(150)).as(result.toString()).isTrue();
        assertThat(result.overdrafts()).isZero();
    }

    @Test
    void isSound_somebodyHungryOrAForkInTwoHands_isNot() {
        assertThat(new Table.Result(9, 0, 1).isSound(9)).isTrue();
        assertThat(new Table.Result(8, 0, 1).isSound(9)).isFalse();
        assertThat(new Table.Result(9, 1, 1).isSound(9)).isFalse();
    }
}
