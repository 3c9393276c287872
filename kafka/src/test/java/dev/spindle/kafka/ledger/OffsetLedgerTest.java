// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OffsetLedgerTest {
    private final OffsetLedger ledger = new OffsetLedger();

    private record Entry(long offset, OffsetLedger.Block block, int slot) {}

    private Entry take(long offset, int more, long now) {
        OffsetLedger.Block block = ledger.take(offset, more, now);
        return new Entry(offset, block, block.lastSlot());
    }

    private void done(Entry entry) {
        ledger.done(entry.block, entry.slot);
    }

    @Test
    void watermark_emptyLedger_isThePosition() {
        assertThat(ledger.watermark(17)).isEqualTo(17);
        assertThat(ledger.next()).isEqualTo(-1);
    }

    @Test
    void watermark_firstRecordUnfinished_staysBelowIt() {
        Entry first = take(5, 2, 0);
        Entry second = take(6, 1, 0);
        done(second);

        assertThat(ledger.watermark(7)).isEqualTo(5);
        assertThat(ledger.unfinished()).isEqualTo(1);

        done(first);
        assertThat(ledger.watermark(7)).isEqualTo(7);
    }

    /** Transaction markers and aborted records have offsets, and are no records. */
    @Test
    void watermark_allDone_followsThePositionPastWhatIsNoRecord() {
        Entry first = take(5, 2, 0);
        Entry second = take(8, 1, 0);
        done(first);

        assertThat(ledger.watermark(12)).isEqualTo(8);

        done(second);
        assertThat(ledger.watermark(12)).isEqualTo(12);
    }

    @Test
    void done_twice_isRefused() {
        Entry first = take(5, 1, 0);
        done(first);

        assertThatThrownBy(() -> done(first))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("5");
    }

    @Test
    void take_offsetThatDoesNotAscend_isRefused() {
        take(5, 1, 0);

        assertThatThrownBy(() -> ledger.take(5, 1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("6")
                .hasMessageContaining("5");
    }

    @Test
    void oldest_severalPolls_isTheTimeOfTheFirstUnfinished() {
        Entry first = take(1, 1, 100);
        Entry second = take(2, 1, 200);
        take(3, 1, 300);

        assertThat(ledger.oldest(900)).isEqualTo(100);
        done(first);
        assertThat(ledger.oldest(900)).isEqualTo(200);
        done(second);
        assertThat(ledger.oldest(900)).isEqualTo(300);
    }

    /** A record that is stuck does not make the ledger grow with each record that is done behind it. */
    @Test
    void blocks_whoseRecordsAreDone_areDropped() {
        take(0, 1, 0);
        for (long offset = 1; offset < 100_000; ) {
            List<Entry> poll = new ArrayList<>();
            for (int left = 500; left > 0; left--) {
                poll.add(take(offset++, left, offset / 500));
            }
            poll.forEach(this::done);
        }

        assertThat(ledger.blocks()).isEqualTo(1);
        assertThat(ledger.watermark(100_001)).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void ledger_randomOrders_agreesWithASortedSet(long seed) {
        Random random = new Random(seed);
        TreeSet<Long> model = new TreeSet<>();
        List<Entry> open = new ArrayList<>();
        long next = 0;
        for (int step = 0; step < 5_000; step++) {
            if (random.nextInt(100) < 10) {
                for (int left = 1 + random.nextInt(150); left > 0; left--) {
                    next += random.nextInt(10) == 0 ? 3 : 1;
                    open.add(take(next, left, step));
                    model.add(next);
                }
            } else if (!open.isEmpty()) {
                int newest = Math.max(0, open.size() - 1 - random.nextInt(400));
                Entry entry = open.remove(random.nextBoolean() ? newest : random.nextInt(open.size()));
                done(entry);
                model.remove(entry.offset);
            }

            assertThat(ledger.unfinished()).isEqualTo(model.size());
            assertThat(ledger.watermark(next + 1)).isEqualTo(model.isEmpty() ? next + 1 : model.first());
            if (step % 50 == 0) {
                assertThat(ledger.unfinishedOffsets())
                        .isEqualTo(model.stream().mapToLong(Long::longValue).toArray());
            }
        }
    }
}
