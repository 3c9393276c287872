// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Named slots of a lane are created and removed while the lane stays. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings({"FutureReturnValueIgnored", "ReachabilityFenceUsage"}) // the effects of the tasks are checked
class SlotContractTest {
    @RegisterExtension
    final Spindles spindles = new Spindles();

    private final Spindle spindle = spindles.of(spindles.builder().keyKeepAlive(Duration.ofMinutes(5)));
    private final Lane lane = spindle.keyed("keys").at("key");

    /** Submits to fresh slots. A separate method, so that no stack frame keeps them reachable. */
    private List<WeakReference<Object>> useSlots(int count) {
        List<WeakReference<Object>> slots = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Object slot = new Object();
            slots.add(new WeakReference<>(slot));
            lane.coalesceSlot(slot, () -> {});
        }
        return slots;
    }

    private void assertCollected(List<WeakReference<Object>> slots) throws InterruptedException {
        for (int i = 0; i < 50 && slots.stream().anyMatch(slot -> slot.get() != null); i++) {
            System.gc();
            new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
        }
        assertThat(slots.stream().filter(slot -> slot.get() != null)).isEmpty();
        Reference.reachabilityFence(lane);
    }

    @Test
    void u3_slotsThatWereUsedOnce_areForgottenWhileTheLaneLives() throws Exception {
        lane.pause();
        List<WeakReference<Object>> slots = useSlots(1_000);
        assertThat(lane.activity().pending()).isEqualTo(1_000);
        lane.resume();
        lane.quiesce().get();
        slots.addAll(useSlots(100));
        lane.quiesce().get();

        assertCollected(slots);
    }

    @Test
    void u3_slotsWhoseTasksWereWithdrawn_areForgotten() throws Exception {
        lane.pause();
        List<WeakReference<Object>> slots = useSlots(500);
        assertThat(lane.cancelPending()).hasSize(500);
        CompletableFuture<Boolean> alone = lane.coalesceSlot(new Object(), () -> {});
        assertThat(alone.cancel(false)).isTrue();
        lane.resume();
        lane.quiesce().get();

        assertCollected(slots);
    }

    @Test
    void l1_slotUsedAgain_coalescesAsBefore() throws Exception {
        for (int round = 0; round < 3; round++) {
            AtomicInteger runs = new AtomicInteger();
            lane.pause();
            List<CompletableFuture<Boolean>> handles = new ArrayList<>();
            for (int i = 0; i < 600; i++) {
                handles.add(lane.coalesceSlot(i % 300, runs::incrementAndGet));
            }
            lane.resume();
            lane.quiesce().get();

            assertThat(runs).hasValue(300);
            assertThat(handles.subList(0, 300)).allMatch(TestSupport::isSuperseded);
            assertThat(handles.subList(300, 600)).allMatch(CompletableFuture::join);
            assertThat(lane.activity().superseded()).isEqualTo(300L * (round + 1));
        }
    }

    @Test
    void l2_concurrentSubmitsToFewSlots_eachRunsOnceOrIsSupersededAndTheLastRuns() throws Exception {
        int slots = 3;
        int submitters = 3;
        int each = 20_000;
        AtomicIntegerArray last = new AtomicIntegerArray(slots * submitters);
        AtomicInteger runs = new AtomicInteger();
        List<List<CompletableFuture<Boolean>>> handles = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int s = 0; s < submitters; s++) {
            List<CompletableFuture<Boolean>> own = new ArrayList<>(each);
            handles.add(own);
            int submitter = s;
            Thread thread = new Thread(() -> {
                for (int i = 1; i <= each; i++) {
                    int number = i;
                    int slot = i % slots;
                    own.add(lane.coalesceSlot("slot " + slot, () -> {
                        runs.incrementAndGet();
                        assertThat(last.getAndSet(slot * submitters + submitter, number))
                                .isLessThan(number);
                    }));
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        lane.quiesce().get();

        long done = 0;
        for (List<CompletableFuture<Boolean>> own : handles) {
            assertThat(own).hasSize(each);
            assertThat(own).allMatch(CompletableFuture::isDone);
            done += own.stream().filter(CompletableFuture::join).count();
        }
        assertThat(runs.get()).isEqualTo((int) done);
        assertThat(lane.activity().superseded()).isEqualTo((long) submitters * each - done);
    }

    /** A slot whose methods throw from some time on. */
    private static final class Poisoned {
        private volatile boolean throwing;

        @Override
        public int hashCode() {
            if (throwing) {
                throw new IllegalStateException("hashCode");
            }
            return 1;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other == this;
        }
    }

    @Test
    void f1_codeOfASlotThatThrows_reachesTheSubmitterAndStopsNothing() throws Exception {
        Poisoned slot = new Poisoned();
        AtomicInteger runs = new AtomicInteger();
        lane.pause();
        CompletableFuture<Boolean> handle = lane.coalesceSlot(slot, runs::incrementAndGet);
        slot.throwing = true;
        assertThatThrownBy(() -> lane.coalesceSlot(slot, runs::incrementAndGet))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("hashCode");
        lane.resume();
        lane.quiesce().get();
        assertThat(handle).isCompletedWithValue(true);
        slot.throwing = false;
        lane.coalesceSlot(slot, runs::incrementAndGet);
        lane.quiesce().get();

        assertThat(runs).hasValue(2);
        spindle.close();
        assertThat(spindle.isTerminated()).isTrue();
    }

    @Test
    void k7_laneWithNamedSlots_isRetiredByAShutdown() throws Exception {
        CountDownLatch ran = new CountDownLatch(1_000);
        for (int i = 0; i < 1_000; i++) {
            spindle.keyed("keys").at(i % 10).coalesceSlot(i, ran::countDown);
        }
        spindle.close();

        assertThat(ran.getCount()).isZero();
        assertThat(spindle.isTerminated()).isTrue();
    }
}
