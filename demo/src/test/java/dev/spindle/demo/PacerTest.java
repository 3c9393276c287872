// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PacerTest {

    private static final long MILLISECOND = 1_000_000;

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
    private final List<Long> naps = new ArrayList<>();

    @Test
    void await_eventToCome_napsUntilItIsDue() {
        // A minute takes a millisecond.
        Pacer pacer = pacer(new Speed(60_000));

        pacer.await(100);
        pacer.await(107);

        assertThat(naps).containsExactly(7 * MILLISECOND);
    }

    @Test
    void await_overdueOrAlmostDue_doesNotNap() {
        Pacer pacer = pacer(new Speed(60_000));
        clock.addAndGet(9 * MILLISECOND + 1);

        pacer.await(105);
        pacer.await(110);

        assertThat(naps).isEmpty();
    }

    @Test
    void await_napCutShort_napsAgain() {
        Pacer pacer = new Pacer(new Speed(60_000), 0, clock::get, nanos -> {
            naps.add(nanos);
            clock.addAndGet(nanos / 2);
        });

        pacer.await(4);

        assertThat(naps).containsExactly(4 * MILLISECOND, 2 * MILLISECOND, MILLISECOND);
    }

    @Test
    void await_maximumSpeed_neverNaps() {
        pacer(Speed.MAX).await(1_000_000);

        assertThat(naps).isEmpty();
    }

    private Pacer pacer(Speed speed) {
        return new Pacer(speed, 100, clock::get, nanos -> {
            naps.add(nanos);
            clock.addAndGet(nanos);
        });
    }
}
