// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.executors.Events.Ledger;
import dev.spindle.benchmarks.executors.Events.Traffic;
import dev.spindle.benchmarks.executors.Events.Traffic.Order;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The keyed question notices a contender that breaks a promise. */
class KeyedTest {
    private static final Traffic TRAFFIC = new Traffic(2, 6, 3, Order.ROUND_ROBIN);

    @Test
    void checked_keysInterleavedInAnyWay_showNothing() throws InterruptedException {
        for (int[] order : new int[][] {{0, 1, 2, 3, 4, 5}, {1, 3, 5, 0, 2, 4}}) {
            Events events = Events.checked(TRAFFIC, 1);
            run(events, order);
            assertThat(events.ledger().await(Duration.ZERO)).isTrue();
            assertThat(events.ledger().violations()).isZero();
        }
    }

    @Test
    void events_swappedLostOrRunTwice_areCounted() throws InterruptedException {
        Events swapped = Events.checked(TRAFFIC, 1);
        run(swapped, 2, 0, 1, 3, 4, 5);
        assertThat(swapped.ledger().misplaced()).isEqualTo(2);
        assertThat(swapped.ledger().miscounted()).isZero();

        Events lost = Events.checked(TRAFFIC, 1);
        run(lost, 0, 1, 2, 3, 4);
        assertThat(lost.ledger().await(Duration.ZERO)).isFalse();
        assertThat(lost.ledger().miscounted()).isEqualTo(1);

        Events doubled = Events.timed(TRAFFIC, 1);
        run(doubled, 0, 1, 2, 3, 4, 5, 5);
        assertThat(doubled.ledger().miscounted()).isEqualTo(1);
    }

    @Test
    void ledger_eventBeginsWhileAnotherOfItsKeyRuns_overlaps() {
        Ledger ledger = new Ledger(new int[] {2, 2});
        ledger.enter(0, 0);
        ledger.enter(1, 0);
        ledger.leave(1);
        ledger.enter(1, 1);
        assertThat(ledger.overlaps()).isZero();

        ledger.enter(0, 0);
        assertThat(ledger.overlaps()).isEqualTo(1);
    }

    @Test
    void limit_unevenKeys_runEachEventOnceInOrder() throws InterruptedException {
        for (Traffic traffic :
                List.of(new Traffic(16, 3_000, 0, Order.ROUND_ROBIN), new Traffic(1_000, 3_000, 20, Order.ZIPF))) {
            Events events = Events.checked(traffic, 1);
            KeyedPasses.Feed limit = KeyedPasses.limit(events, 3);
            limit.process().run();
            assertThat(events.ledger().await(Duration.ofSeconds(30))).isTrue();
            limit.ending().run();
            assertThat(events.ledger().violations()).isZero();
        }
    }

    @Test
    void pass_everySecondTaskOvertaken_isFoundOutInTheFirstPass() throws InterruptedException {
        KeyedPasses passes = new KeyedPasses(KeyedTest::overtaking, new Traffic(1, 100, 0, Order.ROUND_ROBIN));
        Recorder recorder = new Recorder();
        passes.pass(recorder);

        assertThat(recorder.values()).containsEntry(Figure.VIOLATIONS.field(), 100.0);
    }

    /** Runs each second task before the one that came before it. */
    private static KeyedPasses.Feed overtaking(Events events) {
        Runnable process = () -> {
            for (int event = 0; event < events.size(); event += 2) {
                run(events, event + 1, event);
            }
        };
        return new KeyedPasses.Feed(process, () -> {});
    }

    private static void run(Events all, int... events) {
        for (int event : events) {
            all.task(event).run();
        }
    }

    @Test
    void zipf_manyEvents_comeByRankAndTheHottestIsScattered() {
        int[] counts = new int[100];
        Arrays.stream(new Traffic(100, 100_000, 0, Order.ZIPF).keysOfEvents(7)).forEach(key -> counts[key]++);
        int[] sorted = counts.clone();
        Arrays.sort(sorted);

        assertThat(sorted[99] / (double) sorted[98]).isBetween(1.7, 2.3);
        assertThat(sorted[99] / (double) sorted[89]).isBetween(9.0, 13.0);
        assertThat(counts[0]).isNotEqualTo(sorted[99]);
    }
}
