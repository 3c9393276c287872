// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka.ledger;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DoneRangesTest {
    private static final int MOST = 4_096;

    private static DoneRanges between(long next, long... unfinished) {
        return DoneRanges.between(unfinished, next, DoneRanges.NONE);
    }

    private static DoneRanges reread(DoneRanges ranges, long watermark) {
        return DoneRanges.decode(ranges.encode(watermark, MOST), watermark);
    }

    @Test
    void encode_nothingDoneAboveTheWatermark_isEmpty() {
        assertThat(between(5, 3, 4).encode(3, MOST)).isEmpty();
        assertThat(between(5).encode(5, MOST)).isEmpty();
    }

    @Test
    void decode_whatWasEncoded_hasTheSameRanges() {
        DoneRanges ranges = reread(between(20, 3, 7, 8, 15), 3);

        assertThat(ranges).hasToString("[4..6, 9..14, 16..19]");
        assertThat(LongStream.range(0, 25).filter(ranges::contains))
                .containsExactly(4L, 5L, 6L, 9L, 10L, 11L, 12L, 13L, 14L, 16L, 17L, 18L, 19L);
    }

    @Test
    void between_earlierRanges_areKeptAboveWhatWasTakenIn() {
        DoneRanges earlier = between(30, 3, 15, 25);

        assertThat(DoneRanges.between(new long[] {3}, 10, earlier)).hasToString("[4..14, 16..24, 26..29]");
        assertThat(DoneRanges.between(new long[] {9}, 10, earlier)).hasToString("[10..14, 16..24, 26..29]");
        assertThat(DoneRanges.between(new long[] {18}, 20, earlier)).hasToString("[19..24, 26..29]");
        assertThat(DoneRanges.between(new long[] {29}, 40, earlier)).hasToString("[30..39]");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void decode_randomSets_agreesWithTheSet(long seed) {
        Random random = new Random(seed);
        long watermark = random.nextInt(3) == 0 ? random.nextLong(1L << 60) : random.nextInt(1000);
        int density = 1 + random.nextInt(60);
        TreeSet<Long> unfinished = new TreeSet<>();
        unfinished.add(watermark);
        long next = watermark + 1 + random.nextInt(4_000);
        for (long offset = watermark; offset < next; offset++) {
            if (random.nextInt(density) == 0) {
                unfinished.add(offset);
            }
        }
        DoneRanges ranges =
                between(next, unfinished.stream().mapToLong(Long::longValue).toArray());
        String text = requireNonNull(ranges.encode(watermark, MOST));

        DoneRanges decoded = DoneRanges.decode(text, watermark);

        assertThat(text.length()).isLessThanOrEqualTo(MOST);
        for (long offset = watermark - 2; offset < next + 70; offset++) {
            assertThat(decoded.contains(offset))
                    .as("offset %d", offset)
                    .isEqualTo(offset >= watermark && offset < next && !unfinished.contains(offset));
        }
    }

    /** The bound is one of characters, and no text is longer. */
    @Test
    void encode_whatDoesNotFit_isNull() {
        long[] everySecond =
                LongStream.range(0, 100_000).map(offset -> 2 * offset).toArray();
        DoneRanges ranges = between(200_000, everySecond);

        assertThat(ranges.encode(0, MOST)).isNull();
        for (int most = 0; most < 300; most++) {
            String text = between(100, 0, 7, 19, 23, 57, 91).encode(0, most);
            assertThat(text == null || text.length() <= most).isTrue();
        }
    }

    /** One bit for an offset: 10,000 records in memory fit, in whatever order they are done. */
    @Test
    void encode_everySecondOfTwentyThousand_fits() {
        long[] everySecond =
                LongStream.range(0, 10_000).map(offset -> 2 * offset).toArray();

        assertThat(between(20_000, everySecond).encode(0, MOST)).isNotNull();
    }

    @Test
    void encode_longRangesAboveAStuckRecord_areShort() {
        assertThat(requireNonNull(between(1_000_000_000L, 5).encode(5, MOST))).hasSizeLessThan(30);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "{\"a\":1}", "sp2.AAAA", "sp1", "bf14/8J+YgA=="})
    void decode_foreignText_isRefused(String text) {
        assertThatThrownBy(() -> DoneRanges.decode(text, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not of this library")
                .hasMessageContaining(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sp1.", "sp1.A", "sp1.AAAA", "sp1.!!!!", "sp1.AAAAAAAA", "sp1.AAECAwQFBgcICQ=="})
    void decode_brokenText_isRefused(String text) {
        assertThatThrownBy(() -> DoneRanges.decode(text, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void decode_noText_hasNoRanges() {
        assertThat(DoneRanges.decode(null, 0).isEmpty()).isTrue();
        assertThat(DoneRanges.decode("", 0).isEmpty()).isTrue();
    }

    /** A tool that moves the offset of a group may keep the metadata. */
    @Test
    void decode_textOfAnotherOffset_isRefused() {
        String text = between(20, 3, 7).encode(3, MOST);

        assertThatThrownBy(() -> DoneRanges.decode(text, 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("offset 4");
    }

    @Test
    void decode_eachChangedByte_isRefused() {
        String text = requireNonNull(between(2_000, 3, 7, 100, 1_000).encode(3, MOST));
        byte[] bytes = Base64.getUrlDecoder().decode(text.substring(DoneRanges.PREFIX.length()));
        for (int i = 0; i < bytes.length; i++) {
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                byte[] changed = bytes.clone();
                changed[i] ^= (byte) (1 << bit);

                assertThatThrownBy(() -> DoneRanges.decode(text(changed), 3))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    /** With a checksum that fits: lengths that run past the end, past the largest offset, or past a long. */
    @Test
    void decode_lengthsThatDoNotFit_areRefused() {
        byte[][] bodies = {
            {0, 1}, // half a range
            {0, (byte) 0x80, (byte) 0x80}, // ends within a number
            {0, 1, 0}, // an empty range
            {0, 1, -1, -1, -1, -1, -1, -1, -1, -1, 0x7f}, // past the largest offset
            {0, 1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1}, // ten bytes
            {2, 1, 1}, // a form that is unknown
        };
        for (byte[] body : bodies) {
            String text = text(sealed(body, 100));

            assertThatThrownBy(() -> DoneRanges.decode(text, 100))
                    .as("%s", Base64.getEncoder().encodeToString(body))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void decode_textThatIsTooLong_isRefusedUnread() {
        String text = DoneRanges.PREFIX + "A".repeat(100_000);

        assertThatThrownBy(() -> DoneRanges.decode(text, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("100004");
    }

    @Test
    void decode_randomBytes_neverFailsOtherwise() {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] body = new byte[1 + random.nextInt(40)];
            random.nextBytes(body);
            body[0] = (byte) random.nextInt(2);
            String text = text(sealed(body, 5));
            try {
                assertThat(DoneRanges.decode(text, 5).contains(5)).isIn(true, false);
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageStartingWith("it ");
            }
        }
    }

    private static String text(byte[] sealed) {
        return DoneRanges.PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(sealed);
    }

    private static byte[] sealed(byte[] body, long watermark) {
        CRC32 crc = new CRC32();
        crc.update(body);
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            crc.update((int) (watermark >>> shift) & 0xff);
        }
        return ByteBuffer.allocate(body.length + Integer.BYTES)
                .put(body)
                .putInt(Integer.reverseBytes((int) crc.getValue()))
                .array();
    }
}
