// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.TestSupport.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A group with its own threads and the same group on a shared spindle: only their threads may differ. */
class StrandGroupTest {
    private final Spindle shared = Spindle.builder().core(2).build();
    private final List<StrandGroup> groups = new ArrayList<>();

    /** The threads that the strands run on. */
    enum Threads {
        OWN,
        SHARED
    }

    private StrandBuilder builder(Threads threads) {
        StrandBuilder builder = Strand.builder("group");
        return threads == Threads.OWN ? builder : builder.on(shared);
    }

    private StrandGroup group(StrandBuilder builder, int size) {
        StrandGroup group = builder.group(size);
        groups.add(group);
        return group;
    }

    @AfterEach
    void close() {
        groups.forEach(StrandGroup::shutdownNow);
        shared.shutdownNow();
    }

    // ---------------------------------------------------------------- order and choice

    @ParameterizedTest
    @EnumSource
    void execute_byIndex_keepsTheOrderOfEachIndex(Threads threads) {
        StrandGroup group = group(builder(threads), 4);
        List<List<Integer>> seen = IntStream.range(0, 4)
                .<List<Integer>>mapToObj(i -> new ArrayList<>())
                .toList();
        CountDownLatch done = new CountDownLatch(40_000);
        for (int i = 0; i < 40_000; i++) {
            int number = i;
            group.execute(i, () -> {
                seen.get(number % 4).add(number);
                done.countDown();
            });
        }
        await(done);
        for (int index = 0; index < 4; index++) {
            int at = index;
            assertThat(seen.get(index))
                    .isEqualTo(IntStream.range(0, 10_000)
                            .map(i -> 4 * i + at)
                            .boxed()
                            .toList());
        }
    }

    @ParameterizedTest
    @EnumSource
    void next_takesTurns_andKeysStay(Threads threads) {
        StrandGroup group = group(builder(threads), 3);
        List<Strand> members = new ArrayList<>();
        group.forEach(members::add);
        List<Strand> turns = IntStream.range(0, 6).mapToObj(i -> group.next()).toList();
        assertThat(turns.subList(0, 3)).containsExactlyInAnyOrderElementsOf(members);
        assertThat(turns.subList(3, 6)).isEqualTo(turns.subList(0, 3));
        assertThat(group.at(5)).isSameAs(group.at(2));
        assertThat(group.at(Integer.MAX_VALUE)).isIn(members);
        assertThat(group.forKey("alice")).isSameAs(group.forKey(new String("alice")));
        assertThat(group).hasToString("group group[3 strands]");
        assertThat(group.size()).isEqualTo(3);
    }

    private enum Colour {
        RED,
        GREEN,
        BLUE
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 16, 1_000})
    void forKey_idsInSteps_areSpread(int step) {
        StrandGroup group = group(builder(Threads.SHARED), 8);
        IdentityHashMap<Strand, Integer> members = new IdentityHashMap<>();
        for (int i = 0; i < 60; i++) {
            members.merge(group.forKey(i * step), 1, Integer::sum);
        }
        assertThat(members).hasSize(8);
        assertThat(members.values()).allMatch(count -> count <= 15);
    }

    /** The expected members were computed in another JVM, with other identity hash codes. */
    @Test
    void forKey_keysWithAStableHash_doesNotDependOnTheRun() {
        StrandGroup group = group(builder(Threads.SHARED), 8);
        List<Strand> members = new ArrayList<>();
        group.forEach(members::add);
        assertThat(Stream.of(Colour.RED, Colour.GREEN, Colour.BLUE, "alice", 42, 42L, List.of("a", 1))
                        .map(key -> members.indexOf(group.forKey(key))))
                .containsExactly(7, 0, 4, 3, 4, 4, 4);
    }

    @Test
    void index_belowZero_isRefusedByItsValue() {
        StrandGroup group = group(builder(Threads.SHARED), 3);
        assertThatThrownBy(() -> group.at(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("index must be 0 or more, is -1 for group group[3 strands]; a hash code goes to forKey");
        assertThatThrownBy(() -> group.execute(Integer.MIN_VALUE, () -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("index must be 0 or more, is -2147483648");
    }

    @Test
    void own_eachMember_hasOneThreadThatBearsItsName() {
        StrandGroup group = group(builder(Threads.OWN), 3);
        Set<String> names = ConcurrentHashMap.newKeySet();
        List<Future<?>> runs = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            runs.add(group.next().submit(() -> names.add(Thread.currentThread().getName())));
        }
        runs.forEach(TestSupport::result);
        assertThat(names).containsExactlyInAnyOrder("group-0", "group-1", "group-2");
    }

    @ParameterizedTest
    @EnumSource
    void s1_singleTasks_startWithoutHelp(Threads threads) {
        StrandGroup group = group(builder(threads), 2);
        AtomicInteger ran = new AtomicInteger();
        for (int i = 1; i <= 2_000; i++) {
            int submitted = i;
            group.execute(i & 1, ran::incrementAndGet);
            until(() -> ran.get() == submitted); // no further submit could mend a lost start
        }
    }

    @ParameterizedTest
    @EnumSource
    void isCurrent_isTrueInsideItsTasksAlone(Threads threads) {
        StrandGroup group = group(builder(threads), 2);
        assertThat(group.at(0).isCurrent()).isFalse();
        assertThat(result(group.at(0).submit(() -> group.at(0).isCurrent()))).isTrue();
        assertThat(result(group.at(0).submit(() -> group.at(1).isCurrent()))).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void execute_fromItsOwnTask_isQueued(Threads threads) {
        StrandGroup group = group(builder(threads), 1);
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch done = new CountDownLatch(1);
        group.execute(0, () -> {
            group.execute(0, () -> {
                order.add("inner");
                done.countDown();
            });
            order.add("outer");
        });
        await(done);
        assertThat(order).containsExactly("outer", "inner");
    }

    // ---------------------------------------------------------------- bounds

    @ParameterizedTest
    @EnumSource
    void capacity_fullStrand_rejectsWithItsBoundAndOthersGoOn(Threads threads) {
        StrandGroup group = group(builder(threads).capacity(2_048), 2);
        Gate gate = new Gate();
        group.execute(0, gate);
        gate.awaitEntered();
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 2_048; i++) {
            group.execute(0, ran::incrementAndGet);
        }
        assertThat(group.at(0).estimatedPending()).isEqualTo(2_048);
        assertThat(group.estimatedPending()).isEqualTo(2_048);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> group.execute(0, ran::incrementAndGet))
                    .isInstanceOf(RejectedExecutionException.class)
                    .hasMessageContaining("group-0")
                    .hasMessageContaining("2048");
        }
        assertThat(result(group.at(1).submit(() -> "free"))).isEqualTo("free");
        gate.open();
        until(() -> ran.get() == 2_048);
        group.execute(0, ran::incrementAndGet);
        until(() -> ran.get() == 2_049);
    }

    @ParameterizedTest
    @EnumSource
    void capacity_withBlock_letsTheSubmitterWait(Threads threads) throws Exception {
        StrandGroup group = group(builder(threads).capacity(1).onFull(OnFull.block(Duration.ofSeconds(20))), 1);
        Gate gate = new Gate();
        group.execute(0, gate);
        gate.awaitEntered();
        AtomicInteger ran = new AtomicInteger();
        group.execute(0, ran::incrementAndGet);
        Thread waits = new Thread(() -> group.execute(0, ran::incrementAndGet));
        waits.start();
        until(() -> waits.getState() == Thread.State.TIMED_WAITING);
        gate.open();
        waits.join();
        until(() -> ran.get() == 2);
    }

    @Test
    void capacity_ofStrandAndSpindle_bothHold() {
        try (Spindle narrow = Spindle.builder().core(1).capacity(3).build()) {
            Strand strand = Strand.builder("narrow").on(narrow).capacity(2).build();
            Gate gate = new Gate();
            strand.execute(gate);
            gate.awaitEntered();
            strand.execute(() -> {});
            strand.execute(() -> {});
            assertThatThrownBy(() -> strand.execute(() -> {})).hasMessageContaining("of the lane, 2 waiting tasks");
            narrow.execute(() -> {});
            assertThatThrownBy(() -> narrow.execute(() -> {})).hasMessageContaining("of the spindle, 3 waiting tasks");
            gate.open();
        }
    }

    // ---------------------------------------------------------------- shutdown

    @ParameterizedTest
    @EnumSource
    void shutdown_neverUsed_terminatesAtOnce(Threads threads) throws Exception {
        StrandGroup group = group(builder(threads), 2);
        group.shutdown();
        assertThat(group.isShutdown()).isTrue();
        assertThat(group.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(group.isTerminated()).isTrue();
        assertThatThrownBy(() -> group.execute(0, () -> {}))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("group-0");
    }

    @ParameterizedTest
    @EnumSource
    void shutdown_withTenTasks_runsThemAndRejectsLaterOnes(Threads threads) throws Exception {
        StrandGroup group = group(builder(threads), 1);
        Gate gate = new Gate();
        AtomicInteger ran = new AtomicInteger();
        group.execute(0, gate);
        for (int i = 0; i < 10; i++) {
            group.execute(0, ran::incrementAndGet);
        }
        group.shutdown();
        assertThatThrownBy(() -> group.execute(0, () -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThat(group.awaitTermination(1, TimeUnit.MILLISECONDS)).isFalse();
        gate.open();
        assertThat(group.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(ran).hasValue(10);
    }

    @ParameterizedTest
    @EnumSource
    void shutdownNow_returnsWhatHasNotStarted_inOrder(Threads threads) throws Exception {
        StrandGroup group = group(builder(threads), 2);
        Gate gate = new Gate();
        group.execute(0, gate);
        gate.awaitEntered();
        List<Runnable> tasks =
                IntStream.range(0, 5).<Runnable>mapToObj(i -> () -> {}).toList();
        tasks.forEach(task -> group.execute(0, task));
        assertThat(group.shutdownNow()).isEqualTo(tasks);
        assertThat(group.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void shutdown_oneMemberThatIsStuck_doesNotKeepTheOthersFromEnding(Threads threads) throws Exception {
        StrandGroup group = group(builder(threads), 3);
        Gate gate = new Gate();
        group.execute(0, gate);
        gate.awaitEntered();
        Future<List<Runnable>> end = group.shutdownGracefully(Duration.ZERO, Duration.ofSeconds(20));
        until(() -> group.at(1).isTerminated() && group.at(2).isTerminated());
        assertThat(group.at(0).isShutdown()).isTrue();
        assertThat(group.isTerminated()).isFalse();
        gate.open();
        assertThat(result(end)).isEmpty();
        assertThat(group.isTerminated()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void hooks_runLastInTheStrand_inOrder_evenIfOneThrows(Threads threads) throws Exception {
        StrandGroup group = group(builder(threads), 1);
        Strand strand = group.at(0);
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        Runnable removed = () -> order.add("removed");
        strand.addShutdownHook(() -> {
            order.add("first, current: " + strand.isCurrent());
            throw new IllegalStateException("a hook that throws");
        });
        strand.addShutdownHook(removed);
        strand.addShutdownHook(() -> order.add("second"));
        assertThat(strand.removeShutdownHook(removed)).isTrue();
        assertThat(strand.removeShutdownHook(removed)).isFalse();
        for (int i = 0; i < 3; i++) {
            strand.execute(() -> order.add("task"));
        }
        Future<?> delayed = strand.schedule(() -> order.add("delayed"), 20, TimeUnit.MILLISECONDS);
        group.close();
        assertThat(delayed).isDone();
        assertThat(order).containsExactly("task", "task", "task", "delayed", "first, current: true", "second");
        assertThatThrownBy(() -> strand.addShutdownHook(() -> {}))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("group-0");
    }

    @ParameterizedTest
    @EnumSource
    void hooks_withoutAnyTask_run(Threads threads) {
        StrandGroup group = group(builder(threads), 1);
        AtomicInteger ran = new AtomicInteger();
        group.at(0).addShutdownHook(ran::incrementAndGet);
        group.close();
        assertThat(ran).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void graceful_tasksDuringTheQuietTime_areTakenAndPutItOff(Threads threads) {
        long quietMillis = 100;
        while (!putsOffItsEnd(threads, quietMillis)) {
            quietMillis *= 2;
        }
    }

    /** Returns false if the machine was too slow to submit the tasks that often, which makes the try inconclusive. */
    private boolean putsOffItsEnd(Threads threads, long quietMillis) {
        StrandGroup group = group(builder(threads), 1);
        AtomicInteger ran = new AtomicInteger();
        Future<List<Runnable>> end =
                group.shutdownGracefully(Duration.ofMillis(quietMillis), Duration.ofMillis(300 * quietMillis));
        long begin = System.nanoTime();
        boolean taken = true;
        for (long last = begin; taken && last - begin < TimeUnit.MILLISECONDS.toNanos(4 * quietMillis); ) {
            long now = System.nanoTime();
            try {
                group.execute(0, ran::incrementAndGet);
                last = now;
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(quietMillis) / 20);
            } catch (RejectedExecutionException e) {
                taken = false;
                assertThat(System.nanoTime() - last).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(quietMillis));
            }
        }
        assertThat(result(end)).isEmpty();
        assertThat(ran.get()).isPositive();
        assertThatThrownBy(() -> group.execute(0, () -> {})).isInstanceOf(RejectedExecutionException.class);
        return taken;
    }

    @ParameterizedTest
    @EnumSource
    void graceful_limitWithoutEnd_endsWhenItIsQuiet(Threads threads) {
        StrandGroup group = group(builder(threads), 1);
        assertThat(result(group.shutdownGracefully(Duration.ofMillis(5), Duration.ofSeconds(Long.MAX_VALUE))))
                .isEmpty();
        assertThat(group.isTerminated()).isTrue();
    }

    @Test
    void graceful_strandsThatEndAtOnce_leaveNoTimerUntilTheirLimits() {
        List<CompletableFuture<@Nullable Void>> users = new ArrayList<>();
        for (int user = 0; user < 4; user++) { // enough threads to interleave between two steps
            users.add(CompletableFuture.runAsync(() -> {
                for (int i = 0; i < 1_000; i++) {
                    StrandGroup group = builder(Threads.SHARED).group(1);
                    group.execute(0, () -> {});
                    assertThat(result(group.shutdownGracefully(Duration.ZERO, Duration.ofHours(1))))
                            .isEmpty();
                }
            }));
        }
        users.forEach(TestSupport::result);
        until(() -> shared.stats().keys() == 0); // so that no sweep is due
        until(() -> shared.kernel().timers().isEmpty());
    }

    @ParameterizedTest
    @EnumSource
    void graceful_limitPasses_handsBackWhatHasNotStarted(Threads threads) {
        StrandGroup group = group(builder(threads), 1);
        CountDownLatch entered = new CountDownLatch(1);
        group.execute(0, () -> {
            entered.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                // the limit has passed
            }
        });
        await(entered);
        Runnable waits = () -> {};
        group.execute(0, waits);
        assertThat(result(group.shutdownGracefully(Duration.ofMillis(1), Duration.ofMillis(50))))
                .containsExactly(waits);
        assertThat(group.isTerminated()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void graceful_calledTwice_isOneShutdown(Threads threads) {
        StrandGroup group = group(builder(threads), 1);
        Future<List<Runnable>> first = group.shutdownGracefully(Duration.ofMillis(10), Duration.ofSeconds(30));
        Future<List<Runnable>> second = group.shutdownGracefully(Duration.ofSeconds(1), Duration.ofSeconds(30));
        assertThat(result(first)).isEmpty();
        assertThat(result(second)).isEmpty();
        assertThat(result(group.shutdownGracefully(Duration.ZERO, Duration.ofSeconds(1))))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void close_byATaskOfAMember_isRefused(Threads threads) {
        StrandGroup group = group(builder(threads), 2);
        assertThatThrownBy(() -> result(group.at(1).submit(group::close)))
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("group-1")
                .hasMessageContaining("call shutdown() instead");
    }

    @Test
    void shared_closedGroup_leavesTheSpindleAlone() {
        StrandGroup group = group(builder(Threads.SHARED), 4);
        group.execute(1, () -> {});
        group.close();
        assertThat(result(shared.submit(() -> 42))).isEqualTo(42);
    }

    // ---------------------------------------------------------------- bad input

    @Test
    void builder_badInput_isRefusedWithTheValueAndTheRemedy() {
        assertThatThrownBy(() -> Strand.builder("x").group(0)).hasMessage("size must be from 1 to 65536, is 0");
        assertThatThrownBy(() -> Strand.builder("x").capacity(0)).hasMessage("capacity must be at least 1, is 0");
        assertThatThrownBy(() -> Strand.builder("x").onFull(OnFull.callerRuns()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("CALLER_RUNS");
        assertThatThrownBy(() -> Strand.builder("x")
                        .on(shared)
                        .waitStrategy(WaitStrategy.SPIN)
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("waitStrategy is for a strand with its own thread")
                .hasMessageContaining("set it there");
        Strand strand = Strand.builder("x").build();
        assertThatThrownBy(() -> strand.shutdownGracefully(Duration.ofMillis(-1), Duration.ofSeconds(1)))
                .hasMessage("quiet must be 0 or more, is PT-0.001S");
        assertThatThrownBy(() -> strand.shutdownGracefully(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .hasMessageContaining("at least quiet, which is PT2S, is PT1S");
        strand.close();
    }

    @ParameterizedTest
    @EnumSource
    void own_waitStrategies_allRunTasks(WaitStrategy strategy) {
        try (Strand strand = Strand.builder("waits").waitStrategy(strategy).build()) {
            for (int i = 0; i < 1_000; i++) {
                int number = i;
                assertThat(result(strand.submit(() -> number))).isEqualTo(number);
            }
        }
    }

    @Test
    void own_threadFactory_andFailureHandler_areUsed() {
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        try (Strand strand = Strand.builder("own")
                .threadFactory(body -> new Thread(body, "mine"))
                .onFailure((key, task, failure) -> failures.add(failure))
                .build()) {
            assertThat(result(strand.submit(() -> Thread.currentThread().getName())))
                    .isEqualTo("mine");
            strand.execute(() -> {
                throw new IllegalStateException("told");
            });
        }
        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure).hasMessage("told"));
    }
}
