// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.neighbours;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CompletableFutureTest {
    private static final int CALLS = 300;

    /** A service that answers with futures, which complete in any order: here every third after a millisecond. */
    private static CompletableFuture<Integer> price(int item) {
        Executor later = CompletableFuture.delayedExecutor(item % 3 == 0 ? 1_000 : 0, TimeUnit.MICROSECONDS);
        return CompletableFuture.supplyAsync(() -> item, later);
    }

    @Test
    void submitAsync_pricesThatComeInAnyOrder_areAddedInTheOrderOfTheCalls() {
        Watch watch = new Watch();
        try (Spindle spindle = Spindle.create()) {
            Keyed<String> accounts = spindle.keyed("accounts");
            runAll((account, item) -> {
                // snippet: completable-future
                CompletableFuture<Void> added = accounts.submitAsync(
                        account,
                        () -> price(item) // the key waits for the stage that comes out
                                .thenAccept(
                                        price -> watch.run(account, price))); // on any thread, but never two at once
                // end
                return added;
            });
        }

        assertThat(watch.ran()).isEqualTo(CALLS);
        assertThat(watch.disorder()).isZero();
    }

    @Test
    void thenAcceptAsync_onAKey_runsOneAtATimeInTheOrderOfCompletions() {
        Watch watch = new Watch();
        try (Spindle spindle = Spindle.create()) {
            Keyed<String> accounts = spindle.keyed("accounts");
            runAll((account, item) ->
                    price(item).thenAcceptAsync(price -> watch.run(account, price), accounts.at(account)));
        }

        assertThat(watch.ran()).isEqualTo(CALLS);
        assertThat(watch.overlaps()).isZero();
        assertThat(watch.disorder()).isPositive(); // an item that costs a millisecond is overtaken
    }

    @Test
    void control_plainPool_overlaps() {
        Watch watch = new Watch();
        ExecutorService pool = Executors.newFixedThreadPool(8);
        runAll((account, item) -> price(item).thenAcceptAsync(price -> watch.run(account, price), pool));
        pool.shutdown();

        assertThat(watch.overlaps()).isPositive();
    }

    private static void runAll(BiFunction<String, Integer, CompletableFuture<Void>> call) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int item = 0; item < CALLS; item++) {
            all.add(call.apply("alice", item));
        }
        all.forEach(CompletableFuture::join);
    }
}
