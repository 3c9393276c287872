// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Checks the {@linkplain CallJournal journals} of all processes of one consumer group, after the last call has ended.
 *
 * <ul>
 *   <li>Order: calls of one key of a partition do not overlap, and follow its offsets. A step back is a repeat, which
 *       goes on with the records after it, up to the newest.
 *   <li>Loss: each record that was sent, or polled, was handled to an end.
 *   <li>Commits: they cover no record before its end, and do not go back.
 *   <li>Repeats are counted and listed.
 * </ul>
 *
 * <p>A record of whose calls all failed counts as given up at the end of the last one. The time of a commit is that at
 * which the consumer learned of it, so the check of commits misses a record that was done in between; the committed
 * offset that a killed process leaves behind is checked by what its successors repeat. Journals without any call are
 * checked for commits that go back. Not thread-safe.
 */
public final class JournalCheck {
    /** The end of the names of journals in a directory. */
    public static final String SUFFIX = ".journal";

    private final List<Path> journals;
    private final Map<Path, Long> ends = new HashMap<>();
    private final Map<Path, Long> freezes = new HashMap<>();
    private boolean superseding;

    private JournalCheck(Collection<Path> journals) {
        this.journals = List.copyOf(journals);
    }

    /** Returns a check of the given journals, also that of the producer. */
    public static JournalCheck of(Collection<Path> journals) {
        return new JournalCheck(journals);
    }

    /**
     * Returns a check of the files of a directory whose names end with {@value #SUFFIX}.
     *
     * @throws UncheckedIOException if the directory cannot be read
     */
    public static JournalCheck ofDirectory(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return new JournalCheck(files.filter(file -> file.toString().endsWith(SUFFIX))
                    .sorted()
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * States that the process with this journal was killed: its open calls ended.
     *
     * @param nanoTime the {@link System#nanoTime} before the process was killed
     */
    public JournalCheck killed(Path journal, long nanoTime) {
        ends.put(journal, nanoTime);
        return this;
    }

    /**
     * States that the process with this journal was frozen past its session: calls that ran at that time may overlap
     * with those of its successors, since nothing can stop them. It may learn of a commit that it made before when
     * others have committed more, so the first commit of a partition after that time is no step back.
     *
     * @param nanoTime a {@link System#nanoTime} at which the process had been frozen and not gone on
     */
    public JournalCheck frozen(Path journal, long nanoTime) {
        freezes.put(journal, nanoTime);
        return this;
    }

    /** States that a record is done, without a call of its own, when a later one of its key is. */
    public JournalCheck superseding() {
        superseding = true;
        return this;
    }

    /**
     * Reads the journals and checks them.
     *
     * @throws UncheckedIOException if a journal cannot be read
     * @throws IllegalArgumentException if a file is no journal
     */
    public JournalReport run() {
        JournalSweep sweep = new JournalSweep(ends, freezes, superseding);
        for (Path journal : journals) {
            sweep.add(journal, read(journal));
        }
        return sweep.run();
    }

    private static List<JournalLine> read(Path journal) {
        try {
            String text = Files.readString(journal);
            List<JournalLine> lines = new ArrayList<>();
            int start = 0;
            // What follows the last line break is a line during whose write the process was killed.
            for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
                lines.add(JournalLine.parse(text.substring(start, end)));
                start = end + 1;
            }
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
