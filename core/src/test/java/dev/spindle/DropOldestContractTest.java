// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.TestSupport.Gate;
import dev.spindle.internal.lane.LaneCore;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** F4: the policy {@code dropOldest}. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the outcomes of the tasks are checked by other means
class DropOldestContractTest {
    private record Told(@Nullable Object key, Object task, Throwable failure) {}

    private final ConcurrentLinkedQueue<Told> told = new ConcurrentLinkedQueue<>();
    private final List<Spindle> spindles = new ArrayList<>();
    private final Gate gate = new Gate();

    @AfterEach
    void close() {
        gate.open();
        spindles.forEach(Spindle::close);
    }

    private Spindle build(SpindleBuilder builder) {
        Spindle spindle = builder.name("dropping")
                .coreThreads(1)
                .maxThreads(1)
                .onFailure((activity, failure) ->
                        told.add(new Told(activity.key(), requireNonNull(activity.task()), failure)))
                .build();
        spindles.add(spindle);
        return spindle;
    }

    @Test
    void f4_dropOldestOfKey_cancelsItsFutureAndKeepsTheOrder() {
        Spindle spindle = build(Spindles.options());
        spindle.keyed("keys").setKeyCapacity(3, OnFull.dropOldest());
        Keyed<String> keys = spindle.keyed("keys");
        keys.execute("a", gate);
        gate.awaitEntered();
        List<Integer> order = new ArrayList<>();
        List<CompletableFuture<?>> futures = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            int number = i;
            futures.add(keys.submit("a", () -> {
                order.add(number);
            }));
            assertThat(keys.at("a").activity().pending()).isLessThanOrEqualTo(3);
        }
        assertThat(futures.subList(0, 7)).allMatch(CompletableFuture::isCancelled);
        assertThat(futures.subList(7, 10)).noneMatch(CompletableFuture::isDone);
        gate.open();
        result(keys.at("a").quiesce());
        assertThat(order).containsExactly(7, 8, 9);
        assertThat(spindle.stats().dropped()).isEqualTo(7);
        assertThat(spindle.stats().rejected()).isZero();
        assertThat(told).isEmpty();
    }

    @Test
    void f4_dropOldestWithoutFuture_tellsTheHandler() {
        Spindle spindle = build(Spindles.options());
        spindle.keyed("keys").setKeyCapacity(1, OnFull.dropOldest());
        Keyed<String> keys = spindle.keyed("keys");
        keys.execute("a", gate);
        gate.awaitEntered();
        AtomicInteger ran = new AtomicInteger();
        Runnable old = () -> ran.addAndGet(100);
        keys.execute("a", old);
        keys.execute("a", ran::incrementAndGet);
        assertThat(told).singleElement().satisfies(t -> {
            assertThat(t.key()).isEqualTo("a");
            assertThat(t.task()).isSameAs(old);
            assertThat(t.failure())
                    .isInstanceOf(RejectedExecutionException.class)
                    .hasMessageContaining("1 waiting tasks");
        });
        gate.open();
        result(keys.at("a").quiesce());
        assertThat(ran).hasValue(1);
    }

    @Test
    void f4_dropOldestPlain_dropsPlainTasksOnly() {
        Spindle spindle = build(Spindles.options().capacity(2, OnFull.dropOldest()));
        spindle.execute(gate);
        gate.awaitEntered();
        CompletableFuture<String> keyed = spindle.keyed("keys").submit("a", () -> "kept");
        CompletableFuture<?> first = spindle.submit(() -> {});
        Runnable second = () -> {};
        spindle.execute(second);
        assertThat(first).isCancelled();
        CompletableFuture<String> third = spindle.submit(() -> "newest");
        assertThat(told).singleElement().satisfies(t -> {
            assertThat(t.key()).isNull();
            assertThat(t.task()).isSameAs(second);
        });
        gate.open();
        assertThat(result(keyed)).isEqualTo("kept");
        assertThat(result(third)).isEqualTo("newest");
    }

    /**
     * A context hook wraps the waiting tasks; still their futures are cancelled and the handler gets the user's tasks.
     */
    @Test
    void f4_dropOldestWithAContext_tellsTheUsersOwnTaskAndCancelsFutures() {
        Spindle spindle =
                build(Spindles.options().capacity(1, OnFull.dropOldest()).taskDecorator(UnaryOperator.identity()));
        LogicalExecutor executor = spindle.executorBuilder("own")
                .maxConcurrency(1)
                .capacity(1, OnFull.dropOldest())
                .build();
        spindle.execute(gate);
        gate.awaitEntered();
        CompletableFuture<?> plain = spindle.submit(() -> {});
        Runnable second = () -> {};
        spindle.execute(second);
        CompletableFuture<String> third = spindle.submit(() -> "newest");
        assertThat(plain).isCancelled();
        assertThat(told).extracting(Told::task).containsExactly(second);
        assertThat(spindle.stats().dropped()).isEqualTo(2);

        gate.open();
        assertThat(result(third)).isEqualTo("newest");
        Gate own = new Gate();
        executor.execute(own);
        own.awaitEntered();
        CompletableFuture<?> first = executor.submit(() -> {});
        CompletableFuture<String> last = executor.submit(() -> "last");
        assertThat(first).isCancelled();
        own.open();
        assertThat(result(last)).isEqualTo("last");
    }

    @Test
    void f4_nothingOfTheOwnToDrop_rejects() {
        Spindle spindle = build(Spindles.options().capacity(2, OnFull.dropOldest()));
        spindle.execute(gate);
        gate.awaitEntered();
        Keyed<String> keys = spindle.keyed("keys");
        CompletableFuture<Integer> one = keys.submit("a", () -> 1);
        CompletableFuture<Integer> two = keys.submit("b", () -> 2);
        assertThatThrownBy(() -> keys.execute("c", () -> {}))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("dropping")
                .hasMessageContaining("2 waiting tasks");
        assertThatThrownBy(() -> spindle.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThat(spindle.stats().rejected()).isEqualTo(2);
        gate.open();
        assertThat(result(one) + result(two)).isEqualTo(3);
    }

    @Test
    void f4_dropOldestFromOwnTurn_neitherBlocksNorRejects() {
        Spindle spindle = build(Spindles.options());
        spindle.keyed("keys").setKeyCapacity(1, OnFull.dropOldest());
        Keyed<String> keys = spindle.keyed("keys");
        AtomicInteger ran = new AtomicInteger();
        result(keys.submit("a", () -> {
            for (int i = 0; i < 10; i++) {
                keys.execute("a", ran::incrementAndGet);
            }
        }));
        result(keys.at("a").quiesce());
        assertThat(ran).hasValue(1);
        assertThat(told).hasSize(9);
    }

    @Test
    void f4_floodOfAStuckLane_keepsNothingOfWhatWasDropped() throws ReflectiveOperationException {
        Spindle spindle = build(Spindles.options());
        spindle.keyed("keys").setKeyCapacity(4, OnFull.dropOldest());
        Keyed<String> keys = spindle.keyed("keys");
        keys.execute("a", gate);
        gate.awaitEntered();
        for (int i = 0; i < 3_000; i++) {
            keys.submit("a", () -> {});
        }
        assertThat(nodes(spindle, "a")).isLessThanOrEqualTo(8);
    }

    @Test
    void f4_floodBehindACoalescingTask_keepsNothingOfWhatWasDropped() throws ReflectiveOperationException {
        Spindle spindle = build(Spindles.options());
        spindle.keyed("keys").setKeyCapacity(4, OnFull.dropOldest());
        Keyed<String> keys = spindle.keyed("keys");
        keys.execute("a", gate);
        gate.awaitEntered();
        AtomicInteger redrawn = new AtomicInteger();
        keys.coalesce("a", redrawn::incrementAndGet);
        for (int i = 0; i < 3_000; i++) {
            keys.submit("a", () -> {});
        }
        assertThat(nodes(spindle, "a")).as("nodes in the mailbox").isLessThanOrEqualTo(16);
        gate.open();
        result(keys.at("a").quiesce());
        assertThat(redrawn).hasValue(1);
    }

    @Test
    void f4_producersAgainstAConsumer_acceptedAreRunOrDropped() throws InterruptedException {
        Spindle spindle = build(Spindles.options().capacity(6, OnFull.dropOldest()));
        spindle.keyed("keys").setKeyCapacity(3, OnFull.dropOldest());
        Keyed<Integer> keys = spindle.keyed("keys");
        AtomicInteger ran = new AtomicInteger();
        AtomicInteger accepted = new AtomicInteger();
        AtomicInteger backwards = new AtomicInteger();
        int[][] last = new int[4][2]; // plain: ordered by the lanes; per key and producer
        List<Thread> producers = new ArrayList<>();
        for (int p = 0; p < 2; p++) {
            int producer = p;
            Thread thread = new Thread(() -> {
                for (int i = 1; i <= 10_000; i++) {
                    int key = i & 3;
                    int number = i;
                    try {
                        keys.execute(key, () -> {
                            ran.incrementAndGet();
                            if (last[key][producer] >= number) {
                                backwards.incrementAndGet();
                            }
                            last[key][producer] = number;
                        });
                        accepted.incrementAndGet();
                    } catch (RejectedExecutionException e) {
                        Thread.onSpinWait(); // other submitters held all places
                    }
                }
            });
            producers.add(thread);
            thread.start();
        }
        for (Thread producer : producers) {
            producer.join();
        }
        spindle.close();
        assertThat(ran.get() + told.size()).isEqualTo(accepted.get());
        assertThat(spindle.stats().dropped()).isEqualTo(told.size());
        assertThat(backwards).hasValue(0);
    }

    /** Returns the number of nodes and dropped tasks that the lane of {@code key} keeps reachable. */
    private static int nodes(Spindle spindle, Object key) throws ReflectiveOperationException {
        LaneCore lane = spindle.lanes().space("keys").existing(key);
        Class<?> type = field(LaneCore.class, "word").getType();
        int count = 0;
        for (Object n = field(LaneCore.class, "word").get(lane);
                n != null;
                n = field(type, "older").get(n)) {
            count++;
        }
        for (Object n = field(LaneCore.class, "rest").get(lane);
                n != null;
                n = field(type, "newer").get(n)) {
            count++;
        }
        return count;
    }

    private static Field field(Class<?> type, String name) throws ReflectiveOperationException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
