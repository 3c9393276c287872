// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.crawler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Timeout(60)
class CrawlerTest {
    @Test
    void command_short_fetchesAllPages() {
        StringWriter out = new StringWriter();

        int status = new CommandLine(new CrawlerCommand())
                .setOut(new PrintWriter(out))
                .execute("--pages", "2000", "--rate", "20000");

        assertThat(status).isZero();
        assertThat(out.toString()).contains("2,000 pages with", "PASSED");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 50})
    void run_anyNumberOfFetchers_fetchesEachPageOnce(int fetchers) throws InterruptedException {
        Crawler.Result result = new Crawler(3_000, fetchers, 100_000).run();

        assertThat(result.isSound(3_000)).as(result.toString()).isTrue();
    }

    @Test
    void run_atALowRate_takesItsTime() throws InterruptedException {
        long begin = System.nanoTime();
        Crawler.Result result = new Crawler(20, 4, 100).run(); // one permit every 10 ms

        assertThat(result.isSound(20)).as(result.toString()).isTrue();
        assertThat(System.nanoTime() - begin).isGreaterThan(150_000_000);
    }

    @Test
    void isSound_pageMissingFetchedTwiceOrWithoutAPermit_isNot() {
        assertThat(new Crawler.Result(9, 0, 10).isSound(9)).isTrue();
        assertThat(new Crawler.Result(8, 0, 10).isSound(9)).isFalse();
        assertThat(new Crawler.Result(9, 1, 10).isSound(9)).isFalse();
        assertThat(new Crawler.Result(9, 0, 8).isSound(9)).isFalse();
    }
}
