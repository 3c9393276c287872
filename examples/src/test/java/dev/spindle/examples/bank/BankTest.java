// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.bank;

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
import picocli.CommandLine;

@Timeout(60)
class BankTest {
    @Test
    void command_short_losesNoCent() {
        StringWriter out = new StringWriter();

        int status = new CommandLine(new BankCommand())
                .setOut(new PrintWriter(out))
                .execute("--transfers", "1000", "--accounts", "10");

        assertThat(status).isZero();
        assertThat(out.toString()).contains("PASSED");
    }

    @Test
    void run_fewAccountsWithMailboxesOfOne_losesNoCent() throws InterruptedException {
        Bank.Result result = new Bank(3, 4, 5_000, 1).run();

        assertThat(result.isSound(20_000)).as(result.toString()).isTrue();
        assertThat(result.paid()).isPositive();
    }

    @Test
    void run_warningOfACycle_isAnnouncedBefore() throws InterruptedException {
        List<String> told = new CopyOnWriteArrayList<>();
        List<String> toldAtTheWarning = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(@Nullable LogRecord record) {
                if (record != null && record.getLevel().equals(Level.WARNING)) {
                    toldAtTheWarning.addAll(told);
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger root = Logger.getLogger("");
        root.addHandler(handler);
        try {
            Bank.Result result = new Bank(3, 4, 5_000, 1).run(told::add);
            assertThat(result.overdrafts()).isPositive();
        } finally {
            root.removeHandler(handler);
        }

        assertThat(toldAtTheWarning).anyMatch(step -> step.contains("warning, which is expected here"));
        assertThat(told).hasSizeGreaterThan(toldAtTheWarning.size());
    }

    @Test
    void isSound_centsOrTransfersMissing_isNot() {
        assertThat(new Bank.Result(2, 1, 9, 9, 0).isSound(3)).isTrue();
        assertThat(new Bank.Result(2, 1, 9, 8, 0).isSound(3)).isFalse();
        assertThat(new Bank.Result(2, 0, 9, 9, 0).isSound(3)).isFalse();
    }
}
