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
@SuppressWarnings("FutureReturnValueIgnored") // the outcomes of the tasks are checked by other means
class StrandGroupTest {
    private final Spindle shared = Spindle.builder().coreThreads(2).build();
    private final List<StrandGroup> groups = new ArrayList<>();

    /** The threads that the strands run on. */
    enum Threads {
        OWN,
        SHARED
    }

    private StrandBuilder builder(Threads threads) {
        return threads == Threads.OWN ? Strand.builder("group") : shared.strandBuilder("group");
    }

    private StrandGroup group(StrandBuilder builder, int size) {
        StrandGroup group = builder.buildGroup(size);
        groups.add(group);
        return group;
    }

    @AfterEach
    void close() {
        groups.forEach(StrandGroup::halt);
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
            group.at(i).execute(() -> {
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
        List<Strand> members = group.strands();
        List<Strand> turns = IntStream.range(0, 6).mapToObj(i -> group.next()).toList();
        assertThat(turns.subList(0, 3)).containsExactlyInAnyOrderElementsOf(members);
        assertThat(turns.subList(3, 6)).isEqualTo(turns.subList(0, 3));
        assertThat(group.at(5)).isSameAs(group.at(2));
        assertThat(group.at(Integer.MAX_VALUE)).isIn(members);
        assertThat(group.forKey("alice")).isSameAs(group.forKey(new String("alice")));
        assertThat(group).hasToString("group group[3 strands]");
        assertThat(group.strands()).hasSize(3);
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
        List<Strand> members = group.strands();
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
        assertThatThrownBy(() -> group.at(Integer.MIN_VALUE).execute(() -> {}))
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
            group.at(i & 1).execute(ran::incrementAndGet);
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
        group.at(0).execute(() -> {
            group.at(0).execute(() -> {
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
        StrandGroup group = group(builder(threads).capacity(2_048, OnFull.reject()), 2);
        Gate gate = new Gate();
        group.at(0).execute(gate);
        gate.awaitEntered();
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 2_048; i++) {
            group.at(0).execute(ran::incrementAndGet);
        }
        assertThat(group.at(0).activity().pending()).isEqualTo(2_048);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> group.at(0).execute(ran::incrementAndGet))
                    .isInstanceOf(RejectedExecutionException.class)
                    .hasMessageContaining("group-0")
                    .hasMessageContaining("2048");
        }
        assertThat(result(group.at(1).submit(() -> "free"))).isEqualTo("free");
        gate.open();
        until(() -> ran.get() == 2_048);
        group.at(0).execute(ran::incrementAndGet);
        until(() -> ran.get() == 2_049);
    }

    @ParameterizedTest
    @EnumSource
    void capacity_withBlock_letsTheSubmitterWait(Threads threads) throws Exception {
        StrandGroup group = group(builder(threads).capacity(1, OnFull.block(Duration.ofSeconds(20))), 1);
        Gate gate = new Gate();
        group.at(0).execute(gate);
        gate.awaitEntered();
        AtomicInteger ran = new AtomicInteger();
        group.at(0).execute(ran::incrementAndGet);
        Thread waits = new Thread(() -> group.at(0).execute(ran::incrementAndGet));
        waits.start();
        until(() -> waits.getState() == Thread.State.TIMED_WAITING);
        gate.open();
        waits.join();
        until(() -> ran.get() == 2);
    }

    @Test
    void capacity_ofStrandAndSpindle_bothHold() {
        try (Spindle narrow = Spindle.builder()
                .coreThreads(1)
                .maxThreads(1) // a second worker would run the plain task
                .capacity(3, OnFull.reject())
                .build()) {
            Strand strand =
                    narrow.strandBuilder("narrow").capacity(2, OnFull.reject()).build();
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
    void drain_neverUsed_terminatesAtOnce(Threads threads) {
        StrandGroup group = group(builder(threads), 2);
        result(group.drain());
        assertThat(group.strands()).allMatch(Strand::isShutdown).allMatch(Strand::isTerminated);
        assertThatThrownBy(() -> group.at(0).execute(() -> {}))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("group-0");
    }

    @ParameterizedTest
    @EnumSource
    void drain_withTenTasks_runsThemAndRejectsLaterOnes(Threads threads) {
        StrandGroup group = group(builder(threads), 1);
        Gate gate = new Gate();
        AtomicInteger ran = new AtomicInteger();
        group.at(0).execute(gate);
        for (int i = 0; i < 10; i++) {
            group.at(0).execute(ran::incrementAndGet);
        }
        Future<?> end = group.drain();
        assertThatThrownBy(() -> group.at(0).execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThat(end).isNotDone();
        gate.open();
        result(end);
        assertThat(ran).hasValue(10);
    }

    @ParameterizedTest
    @EnumSource
    void halt_returnsWhatHasNotStarted_inOrder(Threads threads) {
        StrandGroup group = group(builder(threads), 2);
        Gate gate = new Gate();
        group.at(0).execute(gate);
        gate.awaitEntered();
        List<Runnable> tasks =
                IntStream.range(0, 5).<Runnable>mapToObj(i -> () -> {}).toList();
        tasks.forEach(task -> group.at(0).execute(task));
        Future<Unfinished<Runnable>> left = group.halt(); // which interrupts the gate
        assertThat(result(left).items()).isEqualTo(tasks);
        assertThat(result(left).byOwner()).containsOnlyKeys(group.at(0).toString());
        assertThat(group.strands()).allMatch(Strand::isTerminated);
    }

    @ParameterizedTest
    @EnumSource
    void drain_oneMemberThatIsStuck_doesNotKeepTheOthersFromEnding(Threads threads) {
        StrandGroup group = group(builder(threads), 3);
        Gate gate = new Gate();
        group.at(0).execute(gate);
        gate.awaitEntered();
        Future<?> end = group.drain();
        until(() -> group.at(1).isTerminated() && group.at(2).isTerminated());
        assertThat(group.at(0).isShutdown()).isTrue();
        assertThat(end).isNotDone();
        gate.open();
        result(end);
        assertThat(group.at(0).isTerminated()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void d1_terminated_completesAfterTheLastTask(Threads threads) {
        Strand strand = group(builder(threads), 1).at(0);
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        Future<?> told = strand.terminated().thenRun(() -> order.add("closed, current: " + strand.isCurrent()));
        for (int i = 0; i < 3; i++) {
            strand.execute(() -> order.add("task"));
        }
        Future<?> delayed = strand.schedule(() -> order.add("delayed"), 20, TimeUnit.MILLISECONDS);
        strand.close();
        result(told);
        assertThat(delayed).isDone();
        assertThat(order).containsExactly("task", "task", "task", "delayed", "closed, current: false");
    }

    @ParameterizedTest
    @EnumSource
    void d1_terminatedOfAnUnusedStrand_completes(Threads threads) {
        Strand strand = group(builder(threads), 1).at(0);
        Future<?> terminated = strand.terminated();
        strand.close();
        result(terminated);
    }

    /** A user that completes the future, or gives up with a timeout, changes nothing for others. */
    @ParameterizedTest
    @EnumSource
    void d1_terminatedThatIsCompletedFromOutside_isNoTermination(Threads threads) {
        Strand strand = group(builder(threads), 1).at(0);
        strand.terminated().complete(null);
        assertThat(strand.isTerminated()).isFalse();
        assertThat(strand.terminated()).isNotDone();
        assertThat(result(strand.submit(() -> 42))).isEqualTo(42);
    }

    @ParameterizedTest
    @EnumSource
    void quietPeriod_tasksWithinIt_areTakenAndPutItOff(Threads threads) {
        long quietMillis = 100;
        while (!putsOffItsEnd(threads, quietMillis)) {
            quietMillis *= 2;
        }
    }

    /** Returns false if the machine was too slow to submit the tasks that often, which makes the try inconclusive. */
    private boolean putsOffItsEnd(Threads threads, long quietMillis) {
        StrandGroup group = group(builder(threads).quietPeriod(Duration.ofMillis(quietMillis)), 1);
        AtomicInteger ran = new AtomicInteger();
        Future<?> end = group.drain();
        long begin = System.nanoTime();
        boolean taken = true;
        for (long last = begin; taken && last - begin < TimeUnit.MILLISECONDS.toNanos(4 * quietMillis); ) {
            long now = System.nanoTime();
            try {
                group.at(0).execute(ran::incrementAndGet);
                last = now;
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(quietMillis) / 20);
            } catch (RejectedExecutionException e) {
                taken = false;
                assertThat(System.nanoTime() - last).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(quietMillis));
            }
        }
        result(end);
        assertThat(ran.get()).isPositive();
        assertThatThrownBy(() -> group.at(0).execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        return taken;
    }

    @Test
    void shutdown_manyStrandsThatEndAtOnce_leaveNoTimer() {
        List<CompletableFuture<@Nullable Void>> users = new ArrayList<>();
        for (int user = 0; user < 4; user++) { // enough threads to interleave between two steps
            users.add(CompletableFuture.runAsync(() -> {
                for (int i = 0; i < 1_000; i++) {
                    StrandGroup group = builder(Threads.SHARED)
                            .quietPeriod(Duration.ofNanos(1))
                            .buildGroup(1);
                    group.at(0).execute(() -> {});
                    result(group.drain());
                }
            }));
        }
        users.forEach(TestSupport::result);
        until(() -> shared.stats().keys() == 0); // so that no sweep is due
        until(() -> shared.kernel().timers().isEmpty());
    }

    @ParameterizedTest
    @EnumSource
    void close_byATaskOfAMember_isRefused(Threads threads) {
        StrandGroup group = group(builder(threads), 2);
        assertThatThrownBy(() -> result(group.at(1).submit(() -> group.close())))
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("group-1")
                .hasMessageContaining("call drain() instead");
    }

    @Test
    void shared_closedGroup_leavesTheSpindleAlone() {
        StrandGroup group = group(builder(Threads.SHARED), 4);
        group.at(1).execute(() -> {});
        group.close();
        assertThat(result(shared.submit(() -> 42))).isEqualTo(42);
    }

    // ---------------------------------------------------------------- bad input

    @Test
    void builder_badInput_isRefusedWithTheValueAndTheRemedy() {
        StrandBuilder builder = Strand.builder("x");
        assertThatThrownBy(() -> builder.buildGroup(0)).hasMessage("strands must be from 1 to 65536, is 0");
        assertThatThrownBy(() -> builder.capacity(0, OnFull.reject())).hasMessage("capacity must be at least 1, is 0");
        assertThatThrownBy(() -> builder.capacity(1, OnFull.callerRuns()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("CALLER_RUNS");
        assertThatThrownBy(() -> builder.quietPeriod(Duration.ofMillis(-1)))
                .hasMessage("quietPeriod must be 0 or more, is PT-0.001S");
        assertThatThrownBy(() -> shared.strandBuilder("x")
                        .onFailure((activity, failure) -> {})
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("onFailure is for a strand with its own thread")
                .hasMessageContaining("set it there");
    }

    @ParameterizedTest
    @EnumSource
    void own_waitStrategies_allRunTasks(WaitStrategy strategy) {
        try (Strand strand = Strand.builder("waits", Thread::new, strategy).build()) {
            for (int i = 0; i < 1_000; i++) {
                int number = i;
                assertThat(result(strand.submit(() -> number))).isEqualTo(number);
            }
        }
    }

    @Test
    void own_threadFactory_andFailureHandler_areUsed() {
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        try (Strand strand = Strand.builder("own", body -> new Thread(body, "mine"), WaitStrategy.PARK)
                .onFailure((activity, failure) -> failures.add(failure))
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
