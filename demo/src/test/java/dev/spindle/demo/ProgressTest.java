// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {

    private static final long NEVER_MILLIS = 1_000_000_000;

    private final StringWriter text = new StringWriter();
    private final AtomicLong done = new AtomicLong();

    @Test
    void show_live_redrawsTheLineAndRemovesIt() {
        try (Progress progress = new Progress(new PrintWriter(text), true, NEVER_MILLIS)) {
            progress.start("one thread", this::figures);
            done.set(1000);
            progress.show();
            progress.stop();
        }

        assertThat(text).hasToString("\r\u001b[K" + ResultTable.row("one thread", figures()) + "\r\u001b[K");
        assertThat(text.toString()).contains(" 50 %");
    }

    @Test
    void show_lines_haveNoControlCharacters() {
        try (Progress progress = new Progress(new PrintWriter(text), false, NEVER_MILLIS)) {
            progress.start("one thread", this::figures);
            progress.show();
            done.set(2000);
            progress.show();
            progress.stop();
        }

        assertThat(text.toString().lines())
                .hasSize(2)
                .allMatch(line -> line.startsWith("one thread  ") && line.length() <= ResultTable.WIDTH)
                .last()
                .isEqualTo(ResultTable.row("one thread", figures()));
    }

    @Test
    void show_betweenRuns_writesNothing() {
        try (Progress progress = new Progress(new PrintWriter(text), false, NEVER_MILLIS)) {
            progress.show();
            progress.start("one thread", this::figures);
            progress.stop();
            progress.show();
        }

        assertThat(text.toString()).isEmpty();
    }

    private Figures figures() {
        return new Figures(2000, done.get(), 0, 1_500_000_000, 1, 12, 3_000_000, 4, 0);
    }
}
