// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.kafka;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Draws the progress of the processes: anew in place on a terminal, otherwise as a line now and then. */
final class Board {
    private static final int BAR = 40;
    private static final String CLEAR = "\u001b[K";
    private static final long LINE_NANOS = 2_000_000_000;

    private final PrintWriter out;
    private final boolean live;
    private final long total;
    private int drawn;
    private long lastLine = System.nanoTime() - LINE_NANOS;

    Board(PrintWriter out, boolean live, long total) {
        this.out = out;
        this.live = live;
        this.total = total;
    }

    /**
     * Draws the current figures; without a terminal only if two seconds have passed since the last line, or if all is
     * committed. Processes that were killed have handled more than they have told, so the bar shows commits.
     */
    void draw(List<Worker> workers, long committed) {
        if (live) {
            rows(workers, committed);
        } else if (System.nanoTime() - lastLine >= LINE_NANOS || committed >= total) {
            lastLine = System.nanoTime();
            out.println(bar(committed) + "  "
                    + workers.stream().filter(Worker::runs).count() + " processes");
        }
        out.flush();
    }

    private void rows(List<Worker> workers, long committed) {
        List<String> rows = new ArrayList<>(List.of(bar(committed)));
        for (Worker worker : workers) {
            rows.add(row(worker));
        }
        StringBuilder text = new StringBuilder(drawn == 0 ? "" : "\u001b[" + drawn + "A");
        rows.forEach(row -> text.append('\r').append(CLEAR).append(row).append(System.lineSeparator()));
        drawn = rows.size();
        out.print(text);
    }

    /** Prints a message; what is drawn next comes below it. */
    void say(String message) {
        out.println((live ? "\r" + CLEAR : "") + message);
        out.flush();
        drawn = 0;
    }

    private String bar(long committed) {
        int full = (int) Math.min(BAR, BAR * committed / Math.max(1, total));
        return String.format(
                Locale.ROOT,
                "[%s%s] %,d of %,d events",
                "#".repeat(full),
                ".".repeat(BAR - full),
                Math.min(committed, total),
                total);
    }

    static String row(Worker worker) {
        return String.format(
                Locale.ROOT,
                "  process %d  %-8s %d partitions %,9d handled %,7d repeated",
                worker.number(),
                worker.condition().toString().toLowerCase(Locale.ROOT),
                worker.partitions(),
                worker.handled(),
                worker.repeated());
    }
}
