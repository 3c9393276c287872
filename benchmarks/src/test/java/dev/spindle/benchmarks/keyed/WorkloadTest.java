// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** That the harness would notice a contender that breaks a promise. */
class WorkloadTest {
    private static final Load LOAD = new Load(2, 6, 3, Traffic.ROUND_ROBIN);

    @Test
    void checked_eventsInOrder_showNothing() throws InterruptedException {
        Workload workload = Workload.checked(LOAD, 1);
        run(workload, 0, 1, 2, 3, 4, 5);

        assertThat(workload.completion().await(Duration.ZERO)).isTrue();
        assertThat(workload.ledger().misplaced()).isZero();
        assertThat(workload.ledger().overlaps()).isZero();
        assertThat(workload.ledger().miscounted()).isZero();
    }

    @Test
    void checked_keysInterleavedOtherwise_showNothing() {
        Workload workload = Workload.checked(LOAD, 1);
        run(workload, 1, 3, 5, 0, 2, 4);

        assertThat(workload.ledger().misplaced()).isZero();
    }

    @Test
    void checked_twoEventsOfAKeySwapped_areMisplaced() {
        Workload workload = Workload.checked(LOAD, 1);
        run(workload, 2, 0, 1, 3, 4, 5);

        assertThat(workload.ledger().misplaced()).isEqualTo(2);
        assertThat(workload.ledger().miscounted()).isZero();
    }

    @Test
    void checked_eventLost_isMiscountedAndNeverComplete() throws InterruptedException {
        Workload workload = Workload.checked(LOAD, 1);
        run(workload, 0, 1, 2, 3, 4);

        assertThat(workload.completion().await(Duration.ZERO)).isFalse();
        assertThat(workload.ledger().miscounted()).isEqualTo(1);
    }

    @Test
    void timed_eventRunTwice_isMiscounted() {
        Workload workload = Workload.timed(LOAD, 1);
        run(workload, 0, 1, 2, 3, 4, 5, 5);

        assertThat(workload.ledger().miscounted()).isEqualTo(1);
    }

    @Test
    void ledger_eventBeginsWhileAnotherOfItsKeyRuns_overlaps() {
        Ledger ledger = new Ledger(new int[] {2, 2});
        ledger.enter(0, 0);
        ledger.enter(1, 0);
        assertThat(ledger.overlaps()).isZero();

        ledger.enter(0, 0);
        assertThat(ledger.overlaps()).isEqualTo(1);
        ledger.leave(1);
        ledger.ran(1);
        ledger.enter(1, 1);
        assertThat(ledger.overlaps()).isEqualTo(1);
    }

    @Test
    void completion_keysWithoutEvents_areNotWaitedFor() throws InterruptedException {
        Completion completion = new Completion(new int[] {0, 3, 0});
        assertThat(completion.await(Duration.ZERO)).isFalse();

        completion.keyDone(1);

        assertThat(completion.await(Duration.ZERO)).isTrue();
    }

    @Test
    void plainThreads_unevenKeys_runEachEventOnceInOrder() throws InterruptedException {
        for (Load load :
                List.of(new Load(16, 3_000, 0, Traffic.ROUND_ROBIN), new Load(1_000, 3_000, 20, Traffic.ZIPF))) {
            Workload workload = Workload.checked(load, 1);
            try (PlainThreads limit = new PlainThreads(workload, 3)) {
                limit.process(workload);
                assertThat(workload.completion().await(Duration.ofSeconds(30))).isTrue();
            }
            assertThat(workload.ledger().misplaced()).isZero();
            assertThat(workload.ledger().miscounted()).isZero();
        }
    }

    private static void run(Workload workload, int... events) {
        for (int event : events) {
            workload.task(event).run();
        }
    }
}
