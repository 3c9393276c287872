// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka.ledger;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Ranges of offsets above a watermark that are done, and their text in commit metadata. Immutable.
 *
 * <p>The text is a prefix, and the base64 form of a byte for the form, the ranges, and a checksum of both and of the
 * watermark. The form is the shorter one of two: the lengths of the gaps and ranges in turn, each as a number of
 * variable length; or a bit for each offset from the watermark on.
 */
public final class DoneRanges {
    /*
     * DoneRanges-1  A text is decoded to ranges only if its checksum fits to the watermark. Each length is checked
     *     against what is left of the text, or of the offsets, before it is used. So a text of another program, or of
     *     another offset, marks no record as done.
     */

    /** Begins each text, with the version of the format. */
    public static final String PREFIX = "sp1.";

    /** The ranges without an offset. */
    public static final DoneRanges NONE = new DoneRanges(new long[0]);

    /** Longer texts are not decoded. Not measured; sixteen times what a broker accepts by default. */
    private static final int LONGEST_TEXT = 65_536;

    private static final int CHECKSUM_BYTES = Integer.BYTES;
    private static final byte LENGTHS = 0;
    private static final byte BITS = 1;

    private final long[] bounds; // from and to, exclusive, of each range, ascending

    private DoneRanges(long[] bounds) {
        this.bounds = bounds;
    }

    /**
     * Returns what is done above a watermark.
     *
     * @param unfinished the unfinished offsets below {@code next}, ascending
     * @param next the end, exclusive, of the offsets that were taken in
     * @param earlier ranges that were done before; those below {@code next} are ignored
     */
    public static DoneRanges between(long[] unfinished, long next, DoneRanges earlier) {
        long[] bounds = new long[2 * unfinished.length + earlier.bounds.length];
        int size = 0;
        for (int i = 0; i < unfinished.length; i++) {
            long from = unfinished[i] + 1;
            long to = i + 1 < unfinished.length ? unfinished[i + 1] : next;
            if (from < to) {
                bounds[size++] = from;
                bounds[size++] = to;
            }
        }
        for (int i = 0; i < earlier.bounds.length; i += 2) {
            long from = Math.max(earlier.bounds[i], next);
            if (from < earlier.bounds[i + 1]) {
                if (size > 0 && bounds[size - 1] == from) {
                    size--; // joins the range before
                } else {
                    bounds[size++] = from;
                }
                bounds[size++] = earlier.bounds[i + 1];
            }
        }
        return size == 0 ? NONE : new DoneRanges(Arrays.copyOf(bounds, size));
    }

    /** Returns true if there is no range. */
    public boolean isEmpty() {
        return bounds.length == 0;
    }

    /** Returns true if {@code offset} is in a range. */
    public boolean contains(long offset) {
        int at = Arrays.binarySearch(bounds, offset);
        return at >= 0 ? (at & 1) == 0 : ((-at - 1) & 1) == 1;
    }

    /** Returns the end of the last range; {@code or} if there is none. */
    public long end(long or) {
        return bounds.length == 0 ? or : bounds[bounds.length - 1];
    }

    /**
     * Returns the text for {@code watermark}, which is below all ranges; the empty text if there is no range; or null
     * if the text would have more than {@code maxLength} characters.
     */
    public @Nullable String encode(long watermark, int maxLength) {
        if (isEmpty()) {
            return "";
        }
        int most = (maxLength - PREFIX.length()) / 4 * 3 - CHECKSUM_BYTES - 1;
        byte[] lengths = lengths(watermark, most);
        long span = end(watermark) - watermark;
        boolean asBits = span / Byte.SIZE < (lengths == null ? most : lengths.length - 1);
        byte[] body = asBits ? bits(watermark, (int) span) : lengths;
        if (body == null) {
            return null;
        }
        byte[] sealed = Arrays.copyOf(body, body.length + CHECKSUM_BYTES);
        int checksum = checksum(body, body.length, watermark);
        for (int i = 0; i < CHECKSUM_BYTES; i++) {
            sealed[body.length + i] = (byte) (checksum >>> (Byte.SIZE * i));
        }
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(sealed);
    }

    private byte @Nullable [] lengths(long watermark, int most) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(LENGTHS);
        long from = watermark;
        for (long bound : bounds) {
            for (long left = bound - from; ; left >>>= 7) {
                if (left < 0x80) {
                    out.write((int) left);
                    break;
                }
                out.write((int) (left & 0x7f) | 0x80);
            }
            if (out.size() > most + 1) {
                return null;
            }
            from = bound;
        }
        return out.toByteArray();
    }

    private byte[] bits(long watermark, int span) {
        byte[] out = new byte[1 + (span + Byte.SIZE - 1) / Byte.SIZE];
        out[0] = BITS;
        for (int i = 0; i < bounds.length; i += 2) {
            for (int bit = (int) (bounds[i] - watermark); bit < bounds[i + 1] - watermark; bit++) {
                out[1 + bit / Byte.SIZE] |= (byte) (1 << (bit % Byte.SIZE));
            }
        }
        return out;
    }

    private static int checksum(byte[] bytes, int length, long watermark) {
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, length);
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            crc.update((int) (watermark >>> shift) & 0xff);
        }
        return (int) crc.getValue();
    }

    /**
     * Returns the ranges of a text that was committed with {@code watermark}. Null and the empty text have no ranges.
     *
     * @throws IllegalArgumentException if the text is of another program, or broken
     */
    public static DoneRanges decode(@Nullable String text, long watermark) {
        if (text == null || text.isEmpty()) {
            return NONE;
        }
        if (!text.startsWith(PREFIX)) {
            throw new IllegalArgumentException("it is not of this library: \"" + beginning(text) + "\"");
        }
        if (text.length() > LONGEST_TEXT) {
            throw new IllegalArgumentException("it has " + text.length() + " characters, at most " + LONGEST_TEXT);
        }
        byte[] sealed;
        try {
            sealed = Base64.getUrlDecoder().decode(text.substring(PREFIX.length()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("it is broken: \"" + beginning(text) + "\"", e);
        }
        int length = sealed.length - CHECKSUM_BYTES;
        int checksum = 0;
        for (int i = 0; length > 0 && i < CHECKSUM_BYTES; i++) {
            checksum |= (sealed[length + i] & 0xff) << (Byte.SIZE * i);
        }
        if (length < 1 || checksum != checksum(sealed, length, watermark)) { // DoneRanges-1
            throw new IllegalArgumentException(
                    "its checksum does not fit to offset " + watermark + ": \"" + beginning(text) + "\"");
        }
        return switch (sealed[0]) {
            case LENGTHS -> fromLengths(sealed, length, watermark);
            case BITS -> fromBits(sealed, length, watermark);
            default -> throw new IllegalArgumentException("it has the unknown form " + sealed[0]);
        };
    }

    private static String beginning(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "..";
    }

    private static DoneRanges fromLengths(byte[] bytes, int length, long watermark) {
        int count = 0;
        for (int i = 1; i < length; i++) {
            count += bytes[i] >= 0 ? 1 : 0; // the last byte of a number
        }
        if (count % 2 != 0 || bytes[length - 1] < 0) {
            throw new IllegalArgumentException("it ends within a range");
        }
        long[] bounds = new long[count]; // at most as many as the text has bytes
        long from = watermark;
        int at = 1;
        for (int i = 0; i < count; i++) {
            long value = 0;
            for (int shift = 0; ; shift += 7) {
                byte b = bytes[at++];
                if (shift > 56) {
                    throw new IllegalArgumentException("it has a length of more than 9 bytes");
                }
                value |= (long) (b & 0x7f) << shift;
                if (b >= 0) {
                    break;
                }
            }
            if (value == 0 || value > Long.MAX_VALUE - from) {
                throw new IllegalArgumentException("it has a range of " + value + " offsets from " + from);
            }
            from += value;
            bounds[i] = from;
        }
        return new DoneRanges(bounds);
    }

    private static DoneRanges fromBits(byte[] bytes, int length, long watermark) {
        int bits = (length - 1) * Byte.SIZE;
        if (watermark > Long.MAX_VALUE - bits) {
            throw new IllegalArgumentException("it has " + bits + " offsets from " + watermark);
        }
        long[] bounds = new long[bits + 1];
        int size = 0;
        boolean before = false;
        for (int i = 0; i <= bits; i++) {
            boolean is = i < bits && ((bytes[1 + i / Byte.SIZE] >> (i % Byte.SIZE)) & 1) != 0;
            if (is != before) {
                bounds[size++] = watermark + i;
            }
            before = is;
        }
        return new DoneRanges(Arrays.copyOf(bounds, size));
    }

    /** Returns the ranges as text. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < bounds.length; i += 2) {
            text.append(i == 0 ? "" : ", ").append(bounds[i]).append("..").append(bounds[i + 1] - 1);
        }
        return text.append(']').toString();
    }
}
