// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.unsafeNull;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.EnumSource.Mode.MATCH_NONE;

import dev.spindle.TestSupport.Gate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** K1 and K2: the requirements on keys, and that a key names one lane. */
@Timeout(30)
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
class KeyContractTest {
    @RegisterExtension
    final Spindles spindles = new Spindles();

    private final AtomicInteger runs = new AtomicInteger();

    // ---------------------------------------------------------------- K1

    @Test
    void k1_equalKeys_shareALane() {
        Spindle spindle = spindles.spindle();
        Keyed<Point> keys = spindle.keyed("tasks");
        Gate gate = new Gate();
        keys.execute(new Point(1, 2), gate);
        gate.awaitEntered();

        keys.execute(new Point(1, 2), runs::incrementAndGet);

        assertThat(keys.at(new Point(1, 2)).activity().pending()).isEqualTo(1);
        assertThat(spindle.stats().keys()).isEqualTo(1);
        gate.open();
        until(() -> runs.get() == 1);
    }

    @Test
    void k1_keysThatDiffer_runSideBySide() {
        Keyed<Point> keys = spindles.spindle().keyed("tasks");
        Gate one = new Gate();
        Gate other = new Gate();

        keys.execute(new Point(1, 2), one);
        keys.execute(new Point(2, 1), other);

        one.awaitEntered();
        other.awaitEntered();
        one.open();
        other.open();
    }

    @ParameterizedTest
    @EnumSource
    void k1_nullKey_throwsNullPointerException(EntryPoint entry) throws Exception {
        Spindle spindle = spindles.spindle();

        assertThatThrownBy(() -> entry.submit(spindle, TestSupport.<Object>unsafeNull(), runs::incrementAndGet))
                .isInstanceOf(NullPointerException.class);

        assertNothingEnqueued(spindle);
    }

    @Test
    void k1_laneOfANullKey_throwsNullPointerException() throws Exception {
        Spindle spindle = spindles.spindle();
        Keyed<Object> keys = spindle.keyed("tasks");

        assertThatThrownBy(() -> keys.at(unsafeNull())).isInstanceOf(NullPointerException.class);

        assertNothingEnqueued(spindle);
    }

    @ParameterizedTest
    @EnumSource
    void k1_hashCodeThatThrows_reachesTheSubmitter(EntryPoint entry) throws Exception {
        Spindle spindle = spindles.spindle();
        BadKey key = new BadKey(1);
        key.inHashCode = new IllegalArgumentException("hash");

        assertThatThrownBy(() -> entry.submit(spindle, key, runs::incrementAndGet))
                .isSameAs(key.inHashCode);

        assertNothingEnqueued(spindle);
    }

    @ParameterizedTest
    @EnumSource
    void k1_equalsThatThrows_reachesTheSubmitter(EntryPoint entry) throws Exception {
        Spindle spindle = spindles.spindle();
        Keyed<BadKey> keys = spindle.keyed("tasks");
        BadKey colliding = new BadKey(1);
        Gate gate = new Gate();
        keys.execute(colliding, gate);
        gate.awaitEntered();
        BadKey key = new BadKey(1);
        key.inEquals = new StackOverflowError("equals");

        assertThatThrownBy(() -> entry.submit(spindle, key, runs::incrementAndGet))
                .isSameAs(key.inEquals);

        assertThat(spindle.stats().keys()).isEqualTo(1);
        assertThat(keys.at(colliding).activity().pending()).isZero();
        gate.open();
        result(keys.submit(colliding, () -> {}));
        assertThat(runs).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_NONE, names = "(KEYED|LANE)_.*")
    void k1_taskWhoseKeyMethodThrows_reachesTheSubmitter(EntryPoint entry) throws Exception {
        Spindle spindle = spindles.spindle();
        IllegalStateException failure = new IllegalStateException("key");
        Supplier<Object> key = () -> {
            throw failure;
        };

        assertThatThrownBy(() -> entry.submit(spindle, key, runs::incrementAndGet))
                .isSameAs(failure);

        assertNothingEnqueued(spindle);
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_NONE, names = "(KEYED|LANE)_.*")
    void k1_keyOfATask_isAskedOnceForEachSubmit(EntryPoint entry) throws Exception {
        Spindle spindle = spindles.spindle();
        AtomicInteger asked = new AtomicInteger();

        entry.submit(spindle, (Supplier<Object>) () -> "key" + asked.incrementAndGet(), runs::incrementAndGet);
        until(() -> runs.get() == 1);

        assertThat(asked).hasValue(1);
    }

    @Test
    void k1_keyThatThrowsWhenItIsRemoved_isReportedAndTheExecutorGoesOn() throws Exception {
        Spindle spindle = spindles.of(spindles.builder().keyKeepAlive(java.time.Duration.ofMillis(5)));
        Keyed<Object> keys = spindle.keyed("tasks");
        BadKey key = new BadKey(1);
        // In the task, since the key may be removed as soon as it has ended.
        result(keys.submit(key, () -> {
            key.inHashCode = new IllegalArgumentException("hash");
        }));

        until(() -> spindle.stats().keys() == 0);

        until(() -> spindles.takeFailures().contains(key.inHashCode));
        assertNothingEnqueued(spindle);
    }

    @Test
    void k1_slotWhoseEqualsThrows_reachesTheSubmitter() {
        Lane lane = spindles.spindle().keyed("tasks").at("key");
        lane.pause();
        lane.coalesceSlot(new BadKey(1), runs::incrementAndGet);
        BadKey slot = new BadKey(1);
        slot.inEquals = new IllegalArgumentException("equals");

        assertThatThrownBy(() -> lane.coalesceSlot(slot, runs::incrementAndGet)).isSameAs(slot.inEquals);

        assertThat(lane.activity().pending()).isEqualTo(1);
        lane.resume();
        result(lane.quiesce());
        assertThat(runs).hasValue(1);
    }

    /** Asserts that a failed submit has left no task and no key, and that the executor runs further tasks. */
    private void assertNothingEnqueued(Spindle spindle) throws Exception {
        assertThat(spindle.stats().keys()).isZero();
        assertThat(spindle.stats().ready()).isZero();
        CountDownLatch done = new CountDownLatch(3);
        spindle.execute(done::countDown);
        spindle.keyed("tasks").execute("usable", done::countDown);
        spindle.schedule(done::countDown, 1, TimeUnit.MILLISECONDS);
        await(done);
        spindle.shutdown();
        assertThat(spindle.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        assertThat(runs).hasValue(0);
    }

    // ---------------------------------------------------------------- K2

    @ParameterizedTest
    @EnumSource
    void k2_everyEntryPoint_leadsToTheLaneOfItsKey(EntryPoint entry) throws Exception {
        Spindle spindle = spindles.spindle();
        Keyed<Point> keys = spindle.keyed("tasks");
        Gate gate = new Gate();
        AtomicBoolean laneFree = new AtomicBoolean();
        AtomicBoolean wasFree = new AtomicBoolean();
        keys.execute(new Point(3, 4), () -> {
            gate.run();
            laneFree.set(true);
        });
        gate.awaitEntered();

        Thread submitter = start(() -> entry.submit(spindle, new Point(3, 4), () -> {
            wasFree.set(laneFree.get());
            runs.incrementAndGet();
        }));
        until(() -> keys.at(new Point(3, 4)).activity().pending() == 1);

        assertThat(spindle.stats().keys()).isEqualTo(1);
        gate.open();
        until(() -> runs.get() == 1);
        assertThat(wasFree).isTrue();
        submitter.join();
    }

    @Test
    void k2_allEntryPointsAtOnce_neverOverlap() throws Exception {
        Spindle spindle = spindles.spindle();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        Runnable task = () -> {
            if (inside.getAndIncrement() != 0) {
                overlaps.incrementAndGet();
            }
            Thread.yield();
            runs.incrementAndGet();
            inside.decrementAndGet();
        };
        List<Thread> submitters = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            submitters.add(start(() -> {
                for (int i = 0; i < 25; i++) {
                    for (EntryPoint entry : EntryPoint.values()) {
                        entry.submit(spindle, new Point(5, 6), task);
                    }
                }
            }));
        }
        for (Thread submitter : submitters) {
            submitter.join();
        }
        spindle.shutdown();

        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(overlaps).hasValue(0);
        assertThat(runs.get()).isGreaterThan(4 * 25 * 15);
    }

    @Test
    void k2_viewsAndHandlesOfOneKey_areOneLane() {
        Spindle spindle = spindles.spindle();
        Keyed<Object> view = spindle.keyed("tasks");
        Keyed<Object> otherView = spindle.keyed("tasks");
        view.at("key").pause();

        view.execute("key", () -> {});
        otherView.execute("key", () -> {});
        view.at("key").execute(() -> {});
        otherView.at("key").execute(() -> {});

        assertThat(view.at("key").activity().pending()).isEqualTo(4);
        otherView.at("key").resume();
        result(view.at("key").quiesce());
    }

    @Test
    void k2_strand_isALaneApartFromTheKeyOfItsName() {
        Spindle spindle = spindles.spindle();
        Gate key = new Gate();
        Gate strand = new Gate();
        Gate namesake = new Gate();

        spindle.keyed("tasks").execute("name", key);
        spindle.strand("name").execute(strand);
        spindle.strand("name").execute(namesake);

        for (Gate gate : List.of(key, strand, namesake)) {
            gate.awaitEntered();
        }
        for (Gate gate : List.of(key, strand, namesake)) {
            gate.open();
        }
    }

    private static Thread start(Submits body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        thread.start();
        return thread;
    }

    private interface Submits {
        void run() throws Exception;
    }

    private record Point(int x, int y) {}

    /** A key whose methods throw on demand. */
    private static final class BadKey {
        private final int hash;
        volatile @Nullable RuntimeException inHashCode;
        volatile @Nullable Throwable inEquals;

        BadKey(int hash) {
            this.hash = hash;
        }

        @Override
        public int hashCode() {
            RuntimeException failure = inHashCode;
            if (failure != null) {
                throw failure;
            }
            return hash;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            Throwable failure = inEquals;
            if (failure instanceof Error error) {
                throw error;
            }
            if (failure instanceof RuntimeException exception) {
                throw exception;
            }
            return this == other;
        }
    }
}
