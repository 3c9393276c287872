// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka.testkit;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A line of a {@link CallJournal}: a letter for its kind, a number, a time, and a position with two more fields,
 * without blanks in any of them.
 *
 * @param number the id of a call, the last offset of a poll, or 0
 * @param nanos the {@link System#nanoTime}; 0 for a record that was sent
 * @param position the record; for a commit that of the next record; null for the end of a call
 * @param word the key of a record or the group of a commit
 * @param count the number of records of a poll
 */
record JournalLine(
        Kind kind, long number, long nanos, @Nullable Position position, String word, long count) {
    /** The word of a record without order. */
    static final String NO_KEY = "-";

    /** The number of fields of a line: short at the end of a call. */
    private static final int FIELDS = 8;

    /** The kinds of lines. */
    enum Kind {
        BEGIN('b'),
        DONE('d'),
        FAILED('f'),
        SENT('s'),
        COMMIT('c'),
        POLL('p');

        final char letter;

        Kind(char letter) {
            this.letter = letter;
        }

        static Kind of(char letter) {
            for (Kind kind : values()) {
                if (kind.letter == letter) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("no line begins with '" + letter + "'");
        }
    }

    /** A partition. */
    record Place(String topic, int partition) {
        Position at(long offset) {
            return new Position(this, offset);
        }

        @Override
        public String toString() {
            return topic + "-" + partition;
        }
    }

    /** An offset of a partition. */
    record Position(Place place, long offset) implements Comparable<Position> {
        Position(String topic, int partition, long offset) {
            this(new Place(topic, partition), offset);
        }

        @Override
        public int compareTo(Position other) {
            int byTopic = place.topic.compareTo(other.place.topic);
            int byPartition = byTopic != 0 ? byTopic : Integer.compare(place.partition, other.place.partition);
            return byPartition != 0 ? byPartition : Long.compare(offset, other.offset);
        }

        @Override
        public String toString() {
            return place + "@" + offset;
        }
    }

    static String begin(long id, Position position, String key, long nanos) {
        return line(Kind.BEGIN, id, nanos, position, key, 1);
    }

    static String end(long id, boolean done, long nanos) {
        return (done ? Kind.DONE : Kind.FAILED).letter + " " + id + " " + nanos;
    }

    static String sent(Position position, String key) {
        return line(Kind.SENT, 0, 0, position, key, 1);
    }

    static String commit(Position next, String group, long nanos) {
        return line(Kind.COMMIT, 0, nanos, next, encoded(group), 0);
    }

    static String poll(Position first, long last, int count, long nanos) {
        return line(Kind.POLL, last, nanos, first, NO_KEY, count);
    }

    private static String line(Kind kind, long number, long nanos, Position at, String word, long count) {
        return kind.letter + " " + number + " " + nanos + " " + encoded(at.place.topic) + " " + at.place.partition + " "
                + at.offset + " " + word + " " + count;
    }

    /** Returns the word for a key; equal keys have equal words, and byte arrays are compared by content. */
    static String text(@Nullable Object key) {
        if (key == null) {
            return NO_KEY;
        }
        return key instanceof byte[] bytes ? "x" + HexFormat.of().formatHex(bytes) : "=" + encoded(key.toString());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Returns a word as messages show it. */
    static String shown(String word) {
        return word.startsWith("=") ? URLDecoder.decode(word.substring(1), StandardCharsets.UTF_8) : word;
    }

    /**
     * Reads a line.
     *
     * @throws IllegalArgumentException if it is no line of a journal
     */
    static JournalLine parse(String line) {
        String[] fields = line.split(" ", -1);
        try {
            Kind kind = Kind.of(fields[0].charAt(0));
            long number = Long.parseLong(fields[1]);
            long nanos = Long.parseLong(fields[2]);
            if (kind == Kind.DONE || kind == Kind.FAILED) {
                return new JournalLine(kind, number, nanos, null, NO_KEY, 0);
            }
            if (fields.length != FIELDS) {
                throw new IllegalArgumentException("it has " + fields.length + " fields, not " + FIELDS);
            }
            Position position = new Position(
                    URLDecoder.decode(fields[3], StandardCharsets.UTF_8),
                    Integer.parseInt(fields[4]),
                    Long.parseLong(fields[5]));
            return new JournalLine(kind, number, nanos, position, fields[6], Long.parseLong(fields[7]));
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new IllegalArgumentException("not a line of a journal: '" + line + "': " + e.getMessage(), e);
        }
    }
}
