// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.bank;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
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
    void isSound_centsOrTransfersMissing_isNot() {
        assertThat(new Bank.Result(2, 1, 9, 9, 0).isSound(3)).isTrue();
        assertThat(new Bank.Result(2, 1, 9, 8, 0).isSound(3)).isFalse();
        assertThat(new Bank.Result(2, 0, 9, 9, 0).isSound(3)).isFalse();
    }
}
