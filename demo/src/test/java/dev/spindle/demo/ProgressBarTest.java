// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressBarTest {

    private static final long NEVER_MILLIS = 1_000_000_000;

    private final StringWriter text = new StringWriter();
    private final AtomicLong done = new AtomicLong();

    @Test
    void show_bar_redrawsTheLine() {
        try (ProgressBar progress = new ProgressBar(new PrintWriter(text), true, NEVER_MILLIS)) {
            progress.start("one spindle", done::get, 2000);
            done.set(1000);
            progress.show();
            progress.finish(1_500_000_000);
        }

        assertThat(text.toString())
                .contains("\r\u001b[K  one spindle                [###############...............]  50 %  1,000 events")
                .endsWith(" in 1.50 s" + System.lineSeparator());
    }

    @Test
    void show_lines_haveNoControlCharacters() {
        try (ProgressBar progress = new ProgressBar(new PrintWriter(text), false, NEVER_MILLIS)) {
            progress.start("one spindle", done::get, 2000);
            done.set(1000);
            progress.show();
            done.set(2500);
            progress.finish(1_500_000_000);
        }

        assertThat(text.toString().lines())
                .containsExactly(
                        "  one spindle: 50 %, 1,000 of 2,000 events",
                        "  one spindle: 100 %, 2,000 of 2,000 events in 1.50 s");
    }

    @Test
    void show_betweenRuns_writesNothing() {
        try (ProgressBar progress = new ProgressBar(new PrintWriter(text), false, NEVER_MILLIS)) {
            progress.show();
            progress.start("warm-up", done::get, 0);
            progress.erase();
            progress.show();
        }

        assertThat(text.toString()).isEmpty();
    }
}
