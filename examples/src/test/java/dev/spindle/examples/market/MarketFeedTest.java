// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.market;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MarketFeedTest {
    @Test
    void command_short_showsTheLastPriceOfEach() {
        StringWriter out = new StringWriter();

        int status = new CommandLine(new MarketCommand())
                .setOut(new PrintWriter(out))
                .execute("--quotes", "10000", "--instruments", "20");

        assertThat(status).isZero();
        assertThat(out.toString()).contains("20,000 prices of 20 instruments").contains("PASSED");
    }

    @Test
    void run_feedsFasterThanTheScreen_endsWithTheLastPriceOfEachInstrument() throws InterruptedException {
        MarketFeed.Result result = new MarketFeed(100, 3, 20_000, 200).run();

        assertThat(result.offered()).isEqualTo(60_000);
        assertThat(result.shown()).isPositive();
        assertThat(result.isSound()).as(result.toString()).isTrue();
    }

    @Test
    void run_moreFeedsThanInstruments_showsWhatThereIs() throws InterruptedException {
        MarketFeed.Result result = new MarketFeed(1, 2, 100, 0).run();

        assertThat(result.offered()).isEqualTo(100);
        assertThat(result.isSound()).as(result.toString()).isTrue();
    }

    @Test
    void isSound_somethingMissing_isNot() {
        assertThat(new MarketFeed.Result(3, 2, 0, 0).isSound()).isTrue();
        assertThat(new MarketFeed.Result(3, 2, 1, 0).isSound()).isFalse();
        assertThat(new MarketFeed.Result(3, 2, 0, 1).isSound()).isFalse();
    }
}
