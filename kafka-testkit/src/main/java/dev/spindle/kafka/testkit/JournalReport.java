// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka.testkit;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The result of a {@link JournalCheck}.
 *
 * @param records the number of records that are known: sent, polled or handled
 * @param calls the number of calls that began
 * @param commits the number of committed offsets
 * @param givenUp the number of records all of whose calls failed
 * @param repeats the calls of records that had been done before
 * @param faults what must not happen, in the order of its detection
 */
public record JournalReport(
        long records, long calls, long commits, long givenUp, List<Repeat> repeats, List<Fault> faults) {
    /** The number of faults of each kind that a text shows. */
    private static final int SHOWN = 10;

    /** Copies the lists. */
    public JournalReport {
        repeats = List.copyOf(repeats);
        faults = List.copyOf(faults);
    }

    /** The kinds of faults. */
    public enum Kind {
        /** Two calls of one key of a partition ran at the same time. */
        OVERLAP,
        /** A record of a key was handled before an earlier one, or a repeat did not go on with the records after it. */
        DISORDER,
        /** A record was never handled to an end. */
        LOSS,
        /** A commit said more than was done. */
        EARLY_COMMIT,
        /** A commit said less than the one before. */
        BACKWARD_COMMIT
    }

    /**
     * A fault.
     *
     * @param text the records, journals and times
     */
    public record Fault(Kind kind, String text) {}

    /**
     * A call of a record that had been done before.
     *
     * @param doneAt the {@link System#nanoTime} of the end of the last call that had done it
     * @param doneIn the journal of that call
     * @param repeatedAt the {@link System#nanoTime} of the begin of the repeat
     * @param repeatedIn the journal of the repeat
     */
    public record Repeat(
            String topic, int partition, long offset, long doneAt, Path doneIn, long repeatedAt, Path repeatedIn) {}

    /** Returns true if there are no faults. Repeats are none: what was done and not committed may come again. */
    public boolean isCorrect() {
        return faults.isEmpty();
    }

    /** Returns the number of faults of a kind. */
    public long count(Kind kind) {
        return faults.stream().filter(fault -> fault.kind() == kind).count();
    }

    /** Returns the number of repeats divided by that of records, or 0 if there are none. */
    public double repeatedShare() {
        return records == 0 ? 0 : (double) repeats.size() / records;
    }

    /** Returns a summary, and the first faults of each kind. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%,d records, %,d calls, %,d commits, %,d repeated, %,d given up, %,d faults",
                records,
                calls,
                commits,
                repeats.size(),
                givenUp,
                faults.size()));
        for (Kind kind : Kind.values()) {
            long count = count(kind);
            if (count > 0) {
                text.append(String.format(Locale.ROOT, "%n%s, %,d:%n  ", kind, count))
                        .append(faults.stream()
                                .filter(fault -> fault.kind() == kind)
                                .limit(SHOWN)
                                .map(Fault::text)
                                .collect(Collectors.joining("\n  ")));
            }
        }
        return text.toString();
    }
}
