// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.internal.HandScheduler;
import dev.spindle.internal.WorkerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ConcurrencyLimiterTest {
    private final HandScheduler scheduler = new HandScheduler();
    private final AtomicInteger terminations = new AtomicInteger();
    private final List<Object> ran = new ArrayList<>();

    private ConcurrencyLimiter core(int tokens, int capacity) {
        return new ConcurrencyLimiter("test", scheduler, action -> {}, tokens, capacity, terminations::incrementAndGet);
    }

    private void submit(ConcurrencyLimiter core, Object what) {
        assertThat(core.arrive()).isTrue();
        core.publish(() -> ran.add(what));
    }

    @Test
    void publish_firstTask_isReadyOnceForAll() {
        ConcurrencyLimiter core = core(3, 10);
        submit(core, 1);
        submit(core, 2);
        submit(core, 3);
        assertThat(scheduler.ready).containsExactly(core);
        assertThat(core.estimatedQueued()).isEqualTo(3);
        scheduler.drain();
        assertThat(ran).containsExactly(1, 2, 3);
        assertThat(core.estimatedQueued()).isZero();
        assertThat(core.running()).isZero();
        assertThat(core.completed()).isEqualTo(3);
    }

    @Test
    void turn_moreTasksAndTokens_nextTokenIsOnOfferBeforeTheTaskRuns() {
        ConcurrencyLimiter core = core(2, 10);
        List<Integer> readies = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            core.arrive();
            core.publish(() -> readies.add(scheduler.ready.size()));
        }
        scheduler.turn();
        assertThat(readies).containsExactly(1, 1);
        assertThat(scheduler.ready).containsExactly(core);
        assertThat(scheduler.readiesForOthers)
                .as("not kept for the worker, which goes on with its turn")
                .isEqualTo(1);
        scheduler.turn(); // finds no task
        assertThat(scheduler.ready).isEmpty();
    }

    @Test
    void turn_allTokensHeld_makesNothingReadyUntilOneLeaves() {
        ConcurrencyLimiter core = core(1, 10);
        core.arrive();
        core.publish(() -> {
            submit(core, "inner");
            assertThat(scheduler.ready).isEmpty();
        });
        scheduler.turn();
        assertThat(ran).containsExactly("inner");
        assertThat(scheduler.ready).isEmpty();
        assertThat(scheduler.failures).isEmpty();
    }

    @Test
    void turn_quantumUsedUpAndOthersReady_yields() {
        ConcurrencyLimiter core = core(1, 100);
        for (int i = 0; i < WorkerContext.QUANTUM + 1; i++) {
            submit(core, i);
        }
        scheduler.others = true;
        scheduler.turn();
        assertThat(ran).hasSize(WorkerContext.QUANTUM);
        assertThat(scheduler.ready).containsExactly(core);
        scheduler.turn();
        assertThat(ran).hasSize(WorkerContext.QUANTUM + 1);
        assertThat(scheduler.ready).isEmpty();
    }

    @Test
    void turn_quantumUsedUpAndNothingElseReady_goesOn() {
        ConcurrencyLimiter core = core(1, 100);
        for (int i = 0; i < 3 * WorkerContext.QUANTUM; i++) {
            submit(core, i);
        }
        scheduler.turn();
        assertThat(ran).hasSize(3 * WorkerContext.QUANTUM);
    }

    @Test
    void turn_failingTask_leavesTheTokenInOrder() {
        ConcurrencyLimiter core = core(1, 10);
        core.arrive();
        core.publish(() -> {
            throw new AssertionError("on purpose");
        });
        submit(core, "next");
        scheduler.drain();
        assertThat(ran).containsExactly("next");
        assertThat(scheduler.failures).hasSize(1);
        assertThat(core.running()).isZero();
    }

    @Test
    void arrive_atTheBound_findsNoRoomUntilATaskIsClaimedOrATokenLeft() throws InterruptedException {
        ConcurrencyLimiter core = core(1, 2);
        submit(core, 1); // can start at once, since a token is free
        submit(core, 2);
        submit(core, 3);
        assertThat(core.arrive()).isFalse();
        assertThat(core.room().await(1, 0, core::isShut)).isFalse();
        scheduler.drain();
        for (int i = 0; i < 3; i++) {
            assertThat(core.arrive()).isTrue();
        }
        assertThat(core.arrive()).as("the admitted count").isFalse();
    }

    @Test
    void turn_nextTask_letsTheOneThatWaitsInBeforeItRuns() throws Exception {
        ConcurrencyLimiter core = core(1, 1);
        submit(core, "first");
        core.arrive();
        core.publish(() -> ran.add(core.room().waiters()));
        CompletableFuture<Boolean> in = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        in.complete(core.room().await(TimeUnit.MINUTES.toNanos(1), 0, core::isShut));
                    } catch (InterruptedException e) {
                        in.completeExceptionally(e);
                    }
                })
                .start();
        while (core.room().waiters() == 0) {
            Thread.onSpinWait();
        }
        scheduler.drain();
        assertThat(ran).containsExactly("first", 0);
        assertThat(in.get(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void arrive_burstIntoFreeTokens_hasRoomForTokensAndCapacity() {
        ConcurrencyLimiter core = core(3, 2);
        for (int i = 0; i < 5; i++) {
            submit(core, i);
        }
        assertThat(core.arrive()).isFalse();
        assertThat(core.room().isFree()).isFalse();
        scheduler.drain();
        assertThat(ran).hasSize(5);
    }

    @Test
    void arrive_insideATurn_countsTheTokenThatIsHeld() {
        ConcurrencyLimiter core = core(2, 1);
        core.arrive();
        core.publish(() -> {
            submit(core, "on the free token");
            submit(core, "waits");
            assertThat(core.arrive()).isFalse();
        });
        scheduler.turn();
        assertThat(scheduler.failures).isEmpty();
    }

    @Test
    void arriveDue_passesBoundAndShutdown() {
        ConcurrencyLimiter core = core(1, 1);
        assertThat(core.beginOutside()).isTrue();
        submit(core, 1);
        core.shutdown();
        core.arriveDue();
        core.publish(() -> ran.add("due"));
        scheduler.drain();
        assertThat(ran).containsExactly(1, "due");
        assertThat(terminations).hasValue(0);
        core.endOutside();
        assertThat(terminations).hasValue(1);
    }

    @Test
    void exchangeFirst_takesTheOldestWanted_andLeavesTheRest() {
        ConcurrencyLimiter core = core(1, 10);
        Runnable wanted = () -> ran.add("wanted");
        submit(core, 1);
        core.arrive();
        core.publish(wanted);
        submit(core, 2);
        assertThat(core.exchangeFirst(task -> task == wanted)).isSameAs(wanted);
        core.room().giveBack(); // else by a publish
        assertThat(core.exchangeFirst(task -> task == wanted)).isNull();
        assertThat(core.estimatedQueued()).isEqualTo(2);
        scheduler.drain();
        assertThat(ran).containsExactly(1, 2);
        assertThat(core.exchangeFirst(task -> true)).isNull();
    }

    @Test
    void exchangeFirst_inVainWhileTheOfferEnds_offersTheTaskAgain() {
        ConcurrencyLimiter core = core(1, 10);
        submit(core, 1);
        assertThat(core.exchangeFirst(task -> {
                    scheduler.drain(); // finds no unclaimed task
                    return false;
                }))
                .isNull();
        scheduler.drain();
        assertThat(ran).containsExactly(1);
    }

    @Test
    void exchangeFirst_afterShutdown_ofTheLastTask_terminatesWhenItsPlaceIsGivenBack() {
        ConcurrencyLimiter core = core(1, 10);
        submit(core, 1);
        core.shutdown();
        assertThat(terminations).hasValue(0);
        assertThat(core.exchangeFirst(task -> true)).isNotNull();
        assertThat(terminations).hasValue(0);
        core.room().giveBack();
        assertThat(terminations.get()).isPositive();
        scheduler.drain();
    }

    @Test
    void shutdown_idle_terminatesAtOnce() {
        ConcurrencyLimiter core = core(1, 10);
        core.shutdown();
        assertThat(terminations.get()).isPositive();
        assertThat(core.arrive()).isFalse();
        assertThat(core.beginOutside()).isFalse();
    }

    @Test
    void shutdown_withTasks_terminatesWhenTheLastHasEnded() {
        ConcurrencyLimiter core = core(2, 10);
        submit(core, 1);
        submit(core, 2);
        core.shutdown();
        assertThat(core.arrive()).isFalse();
        assertThat(terminations).hasValue(0);
        scheduler.drain();
        assertThat(ran).containsExactly(1, 2);
        assertThat(terminations.get()).isPositive();
    }

    @Test
    void shutdownNow_takesAllInOrderAndLeavesAnEmptyOffer() {
        ConcurrencyLimiter core = core(2, 1_000);
        List<Runnable> tasks = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Runnable task = () -> ran.add("must not run");
            tasks.add(task);
            core.arrive();
            core.publish(task);
        }
        assertThat(core.shutdownNow()).containsExactlyElementsOf(tasks);
        assertThat(terminations.get()).isPositive();
        scheduler.drain();
        assertThat(ran).isEmpty();
        assertThat(core.shutdownNow()).isEmpty();
    }

    @Test
    void shutdownNow_fromATask_keepsWhatFollowsFromRunning() {
        ConcurrencyLimiter core = core(1, 10);
        List<Runnable> taken = new ArrayList<>();
        core.arrive();
        core.publish(() -> taken.addAll(core.shutdownNow()));
        submit(core, "must not run");
        scheduler.drain();
        assertThat(taken).hasSize(1);
        assertThat(ran).isEmpty();
        assertThat(terminations.get()).isPositive();
    }

    @Test
    void interruptRunning_hitsTheTurnThatRunsAndNothingElse() {
        WorkerContext worker = new WorkerContext(scheduler, Long.MAX_VALUE);
        ConcurrencyLimiter core = new ConcurrencyLimiter(
                "test", scheduler, action -> action.accept(worker), 1, 10, terminations::incrementAndGet);
        worker.bind();
        try {
            core.interruptRunning();
            assertThat(Thread.interrupted()).as("idle").isFalse();
            core.arrive();
            core.publish(() -> {
                core.interruptRunning();
                ran.add(Thread.currentThread().isInterrupted());
            });
            core.turn(worker);
            core.interruptRunning();
            assertThat(ran).containsExactly(true);
        } finally {
            worker.unbind();
            Thread.interrupted();
        }
        assertThat(worker.turn()).isNull();
    }

    @Test
    void setTokens_more_offersATokenForWhatWaits() {
        ConcurrencyLimiter core = core(0, 10);
        submit(core, 1);
        assertThat(scheduler.ready).isEmpty();
        core.setTokens(1);
        assertThat(scheduler.ready).containsExactly(core);
        core.setTokens(2);
        assertThat(scheduler.ready).containsExactly(core);
        scheduler.drain();
        assertThat(ran).containsExactly(1);
        assertThat(core.tokens()).isEqualTo(2);
    }

    @Test
    void setTokens_fewerWhileATokenIsOnOffer_endsTheOffer() {
        ConcurrencyLimiter core = core(1, 10);
        submit(core, 1);
        core.setTokens(0);
        scheduler.turn();
        assertThat(ran).isEmpty();
        assertThat(scheduler.ready).isEmpty();
        core.setTokens(1);
        scheduler.drain();
        assertThat(ran).containsExactly(1);
    }

    @Test
    void setTokens_fewerThanAreHeld_endsTheTurnAfterItsTask() {
        ConcurrencyLimiter core = core(1, 10);
        core.arrive();
        core.publish(() -> core.setTokens(0));
        submit(core, 2);
        submit(core, 3);
        scheduler.drain();
        assertThat(ran).isEmpty();
        assertThat(core.running()).isZero();
        assertThat(core.estimatedQueued()).isEqualTo(2);
        core.setTokens(1);
        scheduler.drain();
        assertThat(ran).containsExactly(2, 3);
    }

    @Test
    void offer_whileAllTokensAreHeld_makesNothingReady() {
        ConcurrencyLimiter core = core(1, 10);
        core.arrive();
        core.publish(() -> {
            submit(core, 1);
            core.setTokens(1);
            core.setCapacity(5);
            ran.add(scheduler.ready.size());
        });
        scheduler.turn();
        assertThat(ran).containsExactly(0, 1);
    }

    @Test
    void setTokens_moreThanTheWordCounts_offersAndShowsThem() {
        ConcurrencyLimiter core = core(Integer.MAX_VALUE, Integer.MAX_VALUE);
        submit(core, 1);
        scheduler.drain();
        assertThat(ran).containsExactly(1);
        assertThat(core.tokens()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void setCapacity_smaller_refusesAndDropsNothing() {
        ConcurrencyLimiter core = core(1, 5);
        for (int i = 0; i < 6; i++) {
            submit(core, i);
        }
        core.setCapacity(2);
        assertThat(core.arrive()).isFalse();
        core.setCapacity(6);
        submit(core, 6);
        assertThat(core.arrive()).isFalse();
        scheduler.drain();
        assertThat(ran).hasSize(7);
    }

    @Test
    void arrive_whileMoreTokensAreHeldThanThereAre_hasRoomForTheCapacity() {
        ConcurrencyLimiter core = core(1, 2);
        core.arrive();
        core.publish(() -> {
            core.setTokens(0);
            submit(core, 1);
            submit(core, 2);
            assertThat(core.arrive()).isFalse();
        });
        scheduler.turn();
        assertThat(scheduler.failures).isEmpty();
        assertThat(core.estimatedQueued()).isEqualTo(2);
    }

    @Test
    void shutdown_withoutTokens_runsWhatWaits() {
        ConcurrencyLimiter core = core(0, 10);
        submit(core, 1);
        core.shutdown();
        scheduler.drain();
        assertThat(ran).containsExactly(1);
        assertThat(terminations).hasPositiveValue();
        core.setTokens(0);
        assertThat(core.tokens()).isEqualTo(1);
    }

    @Test
    void shutdownNow_withoutTokens_returnsWhatWaits() {
        ConcurrencyLimiter core = core(0, 10);
        submit(core, 1);
        assertThat(core.shutdownNow()).hasSize(1);
        assertThat(terminations).hasPositiveValue();
    }
}
