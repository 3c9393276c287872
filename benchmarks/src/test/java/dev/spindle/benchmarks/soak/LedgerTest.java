// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Coalesced;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Feeds the ledger with what executors do that lose tasks, run them twice, or break order: each must be found. */
class LedgerTest {
    private static final Work.Body FAILS = new Work.Body(
            () -> {
                throw new IllegalStateException("on purpose");
            },
            true);

    private final Ledger ledger = new Ledger(false);
    private final Order order = new Order("lane 0");
    private final Entry.Place lane = new Entry.Place(new Limit("lane 0", 1), order);

    private Entry entry(Entry.Place place, Work.Body body) {
        return new Entry(ledger, "test", place, body);
    }

    private Entry accepted() {
        Entry entry = entry(lane, Work.Body.NOTHING);
        entry.accepted();
        return entry;
    }

    private Entry accepted(CompletableFuture<?> future) {
        Entry entry = entry(Entry.Place.ANYWHERE, Work.Body.NOTHING);
        entry.accepted(future);
        return entry;
    }

    private void assertOneViolation(String... parts) {
        assertThat(ledger.violations()).singleElement().asString().contains(parts);
    }

    @Test
    void soundExecutor_isNotBlamed() {
        accepted().run();
        entry(lane, Work.Body.NOTHING).rejected();
        accepted().run();
        CompletableFuture<Integer> done = new CompletableFuture<>();
        accepted(done).run();
        done.complete(1);
        Entry cancelled = accepted(new CompletableFuture<>());
        cancelled.cancel(false);
        ledger.returned(List.of(accepted(), accepted()));

        assertThat(ledger.violations()).isEmpty();
        assertThat(ledger.fates()).isEqualTo(Map.of("ran", 3, "rejected", 1, "cancelled", 1, "returned", 2));
        assertThat(ledger.estimatedOpen()).isZero();
    }

    @Test
    void lostTask_isFound() {
        accepted().run();
        Entry lost = accepted();

        assertOneViolation("number 1 of lane 0", "was accepted, and ran 0");
        assertThat(lost.fate()).isEqualTo("lost");
    }

    @Test
    void taskThatRanTwice_isFound() {
        Entry entry = entry(Entry.Place.ANYWHERE, Work.Body.NOTHING);
        entry.accepted();
        entry.run();
        entry.run();

        assertOneViolation("ran 2");
    }

    @Test
    void rejectedTaskThatRan_isFound() {
        Entry entry = entry(lane, Work.Body.NOTHING);
        entry.rejected();
        entry.run();

        assertOneViolation("was rejected, and yet ran 1");
    }

    @Test
    void taskWithoutAnswer_isFound() {
        entry(lane, Work.Body.NOTHING).run();

        assertOneViolation("was neither accepted nor rejected");
    }

    @Test
    void wrongOrder_isFound() {
        Entry first = accepted();
        Entry second = accepted();
        second.run();
        first.run();

        assertOneViolation("number 0 of lane 0", "ran after a later one");
    }

    @Test
    void overlapInALane_isFound() {
        Entry first = accepted();
        Entry second = accepted();
        first.begin();
        second.run();
        first.end();

        assertOneViolation("number 1 of lane 0", "overlaps");
    }

    @Test
    void moreAtOnceThanTheLimit_isFound() {
        Entry.Place three = new Entry.Place(new Limit("executor", 3), null);
        for (int task = 0; task < 4; task++) {
            Entry entry = entry(three, Work.Body.NOTHING);
            entry.accepted();
            entry.begin();
        }

        assertOneViolation("overlaps with others of executor (at most 3 at once)");
    }

    @Test
    void returnedTaskThatRan_isFound() {
        Entry entry = accepted();
        entry.run();
        ledger.returned(List.of(entry));

        assertOneViolation("ran 1, was returned 1");
    }

    @Test
    void returnedOutOfOrder_isFound() {
        Entry first = accepted();
        Entry second = accepted();
        ledger.returned(List.of(second, first));

        assertOneViolation("number 0 of lane 0 was returned after number 1");
    }

    @Test
    void returnedStranger_isFound() {
        Runnable stranger = () -> {};
        ledger.returned(List.of(stranger));

        assertOneViolation("returned what nobody submitted");
    }

    @Test
    void cancelledFutureThatNobodyCancelled_isFound() {
        CompletableFuture<Integer> future = new CompletableFuture<>();
        accepted(future);
        future.cancel(false);

        assertOneViolation("was dropped, where no bound drops");
    }

    @Test
    void openFutureOfATaskThatRan_isFound() {
        accepted(new CompletableFuture<>()).run();

        assertOneViolation("its future has not");
    }

    @Test
    void failureThatWasNotTold_isFound() {
        Entry entry = entry(lane, FAILS);
        entry.accepted();
        assertThatThrownBy(entry::run).hasMessage("on purpose");

        assertOneViolation("which was told 0 times");
    }

    @Test
    void droppedTask_isFine_whereABoundDrops() {
        Ledger dropping = new Ledger(true);
        Entry entry = new Entry(dropping, "test", lane, Work.Body.NOTHING);
        entry.accepted();
        dropping.handled(entry, new RejectedExecutionException("to make room"));

        assertThat(dropping.violations()).isEmpty();
        assertThat(dropping.fates()).containsOnlyKeys("dropped");
    }

    @Test
    void supersededLast_isFound() {
        Entry entry = entry(lane, Work.Body.NOTHING);
        entry.accepted(new Submission(Coalesced.State.SUPERSEDED));

        assertOneViolation("every coalescing task of lane 0", "the last one too");
    }

    @Test
    void supersededTaskThatRan_isFound() {
        Entry entry = entry(lane, Work.Body.NOTHING);
        entry.accepted(new Submission(Coalesced.State.SUPERSEDED));
        entry.run();

        assertOneViolation("ran 1", "was superseded");
    }

    @Test
    void foreignInterrupt_isFound() {
        Entry entry = accepted();
        Thread.currentThread().interrupt();
        entry.run();

        assertThat(Thread.interrupted()).isTrue();
        assertOneViolation("began interrupted");
    }

    private record Submission(Coalesced.State state) implements Coalesced {
        @Override
        public boolean cancel() {
            return false;
        }

        @Override
        public CompletableFuture<Coalesced.State> outcome() {
            return CompletableFuture.completedFuture(state);
        }
    }
}
