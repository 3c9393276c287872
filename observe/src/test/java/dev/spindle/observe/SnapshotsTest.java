// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SnapshotsTest {
    private static final long MILLI = 1_000_000;

    /** Returns the number of readings for a value that is read 100 times, where each look at the clock takes a time. */
    private static long readings(long nanosOfALook) {
        AtomicLong clock = new AtomicLong();
        try (Spindle spindle = Spindle.create()) {
            Snapshots snapshots = new Snapshots(spindle, () -> clock.addAndGet(nanosOfALook));
            Snapshots.Reader reader = new Snapshots.Reader();
            for (int i = 0; i < 100; i++) {
                assertThat(snapshots.next(reader)).isNotNull();
            }
            return snapshots.count();
        }
    }

    @Test
    void next_readingsOfAMicrosecond_areTakenForEachScrape() {
        assertThat(readings(1_000)).isEqualTo(100);
    }

    @Test
    void next_readingsOfTwoMilliseconds_areSharedForTenTimesTheirTime() {
        assertThat(readings(2 * MILLI)).isBetween(8L, 12L);
    }

    @Test
    void next_otherValuesOfTheSameScrape_shareTheReading() {
        try (Spindle spindle = Spindle.create()) {
            Snapshots snapshots = new Snapshots(spindle, () -> 0);
            Snapshots.Reader one = new Snapshots.Reader();
            Snapshots.Reader other = new Snapshots.Reader();

            Snapshot first = snapshots.next(one);

            assertThat(snapshots.next(other)).isSameAs(first);
            assertThat(snapshots.next(other)).isNotSameAs(first);
        }
    }

    @Test
    void u3_spindleThatIsNoLongerReachable_isNotKept() {
        Snapshots snapshots = new Snapshots(Spindle.create(), () -> 0);
        for (int i = 0; snapshots.spindle() != null && i < 100; i++) {
            System.gc();
        }

        assertThat(snapshots.spindle()).isNull();
        assertThat(snapshots.next(new Snapshots.Reader())).isNull();
    }
}
