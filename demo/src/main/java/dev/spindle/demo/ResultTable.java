// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.util.Locale;

/**
 * Formats the table, which has two lines of headings and one line per run, each at most {@value #WIDTH} columns wide.
 */
final class ResultTable {

    static final int WIDTH = 80;

    private static final double NANOS_PER_MILLI = 1e6;
    private static final double EXACT_BELOW_MILLIS = 10;

    private ResultTable() {}

    static String firstHeading() {
        return headings("", "", "total", "", "context", "longest", "waits", "out of");
    }

    static String secondHeading() {
        return headings("", "done", "s", "threads", "switches", "wait, ms", "> 1 ms", "order");
    }

    /** Returns the line of a run in progress or at its end. */
    static String row(String name, Figures figures) {
        return headings(
                name,
                percent(figures) + " %",
                seconds(figures.wallNanos()),
                grouped(figures.threads()),
                switches(figures.switches()),
                millis(figures.longestWaitNanos()),
                grouped(figures.late()),
                grouped(figures.outOfOrder()));
    }

    static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.2f", nanos / 1e9);
    }

    /** Returns a time in milliseconds, with one decimal place below 10 ms. */
    static String millis(long nanos) {
        double millis = nanos / NANOS_PER_MILLI;
        return String.format(Locale.ROOT, millis < EXACT_BELOW_MILLIS ? "%,.1f" : "%,.0f", millis);
    }

    static String switches(long count) {
        return count == ContextSwitches.UNKNOWN ? "n/a" : grouped(count);
    }

    static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** Returns the text with line breaks between words, so that no line is wider than {@value #WIDTH} columns. */
    static String wrapped(String text, String indent) {
        StringBuilder lines = new StringBuilder();
        String gap = "";
        int used = 0;
        for (String word : text.split(" ", -1)) {
            if (used + gap.length() + word.length() > WIDTH) {
                gap = System.lineSeparator() + indent;
                used = indent.length() - gap.length();
            }
            lines.append(gap).append(word);
            used += gap.length() + word.length();
            gap = " ";
        }
        return lines.toString();
    }

    private static String headings(Object... cells) {
        return String.format("%-25s %5s %6s %7s %9s %8s %7s %6s", cells);
    }

    /** Returns the percentage of handled events. The percentage is rounded down, so that 100 means all events. */
    private static long percent(Figures figures) {
        return figures.events() == 0 ? 100 : 100 * figures.handled() / figures.events();
    }
}
