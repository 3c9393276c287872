// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.spindle.TestSupport.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** F4 with two bounds: that of the spindle, and that of a key, a strand or a logical executor. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the outcomes of the tasks are checked by other means
class TwoBoundsContractTest {
    private static final OnFull BLOCK = OnFull.block(Duration.ofMinutes(5));

    /** A part of a spindle with its own bound, in addition to that of the spindle. */
    enum Part {
        KEY(true) {
            @Override
            Executor of(Spindle spindle, OnFull onFull) {
                return spindle.keyed("keys").at("key"); // its policy is the spindle's
            }
        },
        STRAND(false) {
            @Override
            Executor of(Spindle spindle, OnFull onFull) {
                return spindle.strandBuilder("part").capacity(1, onFull).build();
            }
        },
        EXECUTOR(false) {
            @Override
            Executor of(Spindle spindle, OnFull onFull) {
                return spindle.executorBuilder("part")
                        .maxConcurrency(1)
                        .capacity(1, onFull)
                        .build();
            }
        };

        /** True if the part has the policy of the spindle. */
        final boolean onePolicy;

        Part(boolean onePolicy) {
            this.onePolicy = onePolicy;
        }

        /** Returns the part, whose bound is one waiting task. */
        abstract Executor of(Spindle spindle, OnFull onFull);
    }

    private final List<Gate> gates = new ArrayList<>();
    private final List<Thread> submitters = new ArrayList<>();
    private final List<Object> told = new ArrayList<>();
    private final List<Spindle> spindles = new ArrayList<>();

    @AfterEach
    void close() throws InterruptedException {
        gates.forEach(Gate::open);
        spindles.forEach(Spindle::shutdownNow);
        for (Thread submitter : submitters) {
            submitter.join(20_000);
        }
        spindles.forEach(Spindle::close);
    }

    private Spindle spindle(int capacity, OnFull onFull) {
        Spindle spindle = Spindles.options()
                .name("bounded")
                .coreThreads(2)
                .maxThreads(2)
                .capacity(capacity, onFull)
                .onFailure((activity, failure) -> {
                    synchronized (told) {
                        told.add(requireNonNull(activity.task()));
                    }
                })
                .build();
        spindle.keyed("keys").setKeyCapacity(1, onFull);
        spindles.add(spindle);
        return spindle;
    }

    private Gate occupy(Executor executor) {
        Gate gate = new Gate();
        gates.add(gate);
        executor.execute(gate);
        return gate.awaitEntered();
    }

    private FutureTask<@Nullable Throwable> submitter(Executor executor, Runnable task) {
        FutureTask<@Nullable Throwable> outcome = new FutureTask<>(() -> catchThrowable(() -> executor.execute(task)));
        Thread thread = new Thread(outcome);
        submitters.add(thread);
        thread.start();
        until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        return outcome;
    }

    /** Returns the number of plain tasks that find a place while gates block both workers. */
    private static int free(Spindle spindle) {
        List<CompletableFuture<?>> taken = new ArrayList<>();
        for (; ; ) {
            try {
                taken.add(spindle.submit(() -> {}));
            } catch (RejectedExecutionException e) {
                return taken.size();
            }
        }
    }

    // ---------------------------------------------------------------- block

    @ParameterizedTest
    @EnumSource(names = {"STRAND", "EXECUTOR"})
    void f4_submitterThatWaits_holdsNoPlaceOfTheOtherBound(Part part) {
        Spindle spindle = spindle(10, OnFull.reject());
        Executor bounded = part.of(spindle, BLOCK);
        occupy(bounded);
        Gate other = occupy(spindle);
        bounded.execute(() -> {});
        AtomicInteger ran = new AtomicInteger();
        List<FutureTask<@Nullable Throwable>> waiting = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            waiting.add(submitter(bounded, ran::incrementAndGet));
        }
        assertThat(free(spindle)).as("of ten places one is taken").isEqualTo(9);
        assertThat(waiting).noneMatch(FutureTask::isDone);
        other.open();
        until(() -> spindle.stats().completed() == 10); // an executor may admit two at once, and both need a place
        gates.forEach(Gate::open);
        for (FutureTask<@Nullable Throwable> submitter : waiting) {
            assertThat(result(submitter)).isNull();
        }
        until(() -> ran.get() == 20);
    }

    @ParameterizedTest
    @EnumSource
    void f4_submitterThatWaitsAtTheSpindle_holdsNoPlaceOfThePart(Part part) {
        Spindle spindle = spindle(1, BLOCK);
        Executor bounded = part.of(spindle, part == Part.EXECUTOR ? OnFull.reject() : BLOCK);
        occupy(bounded);
        occupy(spindle);
        spindle.execute(() -> {}); // takes the place of the spindle
        List<FutureTask<@Nullable Throwable>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(submitter(bounded, () -> {}));
        }
        assertThat(spindle.waits()).extracting(wait -> wait.to().owner()).containsOnly("spindle bounded");
        assertThat(waiting).noneMatch(FutureTask::isDone);
        gates.forEach(Gate::open);
        for (FutureTask<@Nullable Throwable> submitter : waiting) {
            Throwable refusal = result(submitter); // by the executor, if the others were faster
            assertThat(refusal == null || part == Part.EXECUTOR).isTrue();
        }
    }

    /** A place of one bound does not help without one of the other: the wait ends when both are free. */
    @ParameterizedTest
    @EnumSource
    void f4_bothBoundsReached_waitEndsWhenBothHaveRoom(Part part) {
        Spindle spindle = spindle(2, BLOCK);
        Executor bounded = part.of(spindle, BLOCK);
        Gate ofPart = occupy(bounded);
        Gate ofSpindle = occupy(spindle);
        Gate plain = new Gate();
        gates.add(plain);
        spindle.execute(plain);
        bounded.execute(() -> {});
        AtomicInteger ran = new AtomicInteger();
        FutureTask<@Nullable Throwable> both = submitter(bounded, ran::incrementAndGet);
        ofSpindle.open();
        plain.awaitEntered(); // the spindle has room, the part has none
        assertThat(both.isDone()).isFalse();
        ofPart.open();
        assertThat(result(both)).isNull();
        until(() -> ran.get() == 1);
    }

    @ParameterizedTest
    @EnumSource
    void f4_limitOfAWait_countsOnceForBothBounds(Part part) {
        OnFull block = OnFull.block(Duration.ofMillis(50));
        Spindle spindle = spindle(1, block);
        Executor bounded = part.of(spindle, block);
        occupy(bounded);
        occupy(spindle);
        bounded.execute(() -> {});
        long begin = System.nanoTime();
        assertThatThrownBy(() -> bounded.execute(() -> {}))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("PT0.05S");
        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(50_000_000L);
    }

    /** The time that a submit has waited at one bound is deducted from its wait at the other. */
    @ParameterizedTest
    @EnumSource
    void f4_waitAtTheSecondBound_hasWhatTheFirstLeft(Part part) throws Exception {
        AtomicLong ahead = new AtomicLong();
        OnFull block = OnFull.block(Duration.ofMinutes(1));
        Spindle spindle = Spindles.options()
                .name("bounded")
                .coreThreads(3)
                .maxThreads(3)
                .capacity(2, block)
                .clock(() -> System.nanoTime() + ahead.get())
                .build();
        spindle.keyed("keys").setKeyCapacity(1, block);
        spindles.add(spindle);
        Executor bounded = part.of(spindle, block);
        occupy(bounded);
        List<Gate> running = List.of(occupy(spindle), occupy(spindle));
        List<Gate> plain = List.of(new Gate(), new Gate()); // hold the places of the spindle
        gates.addAll(plain);
        plain.forEach(spindle::execute);
        FutureTask<@Nullable Throwable> early = submitter(bounded, () -> {});
        FutureTask<@Nullable Throwable> late = submitter(bounded, () -> {});
        ahead.addAndGet(Duration.ofMinutes(2).toNanos());
        running.get(0).open();
        plain.get(0).awaitEntered();
        assertThat(result(early)).as("has the place of the part").isNull();
        running.get(1).open();
        plain.get(1).awaitEntered();
        assertThat(late.get(20, TimeUnit.SECONDS))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("PT1M");
    }

    @ParameterizedTest
    @EnumSource
    void f4_interruptedWhileItWaits_takesNoPlace(Part part) throws Exception {
        Spindle spindle = spindle(1, BLOCK);
        Executor bounded = part.of(spindle, BLOCK);
        Gate ofPart = occupy(bounded);
        occupy(spindle);
        bounded.execute(() -> {});
        FutureTask<@Nullable Throwable> waiting = submitter(bounded, () -> {});
        submitters.get(0).interrupt();
        assertThat(waiting.get(20, TimeUnit.SECONDS)).hasMessageContaining("interrupted");
        ofPart.open();
        bounded.execute(() -> {}); // waits for the place of a task that may not have started yet
    }

    // ---------------------------------------------------------------- drop the oldest

    /** Thirty submitters of another part wait for the place that one submit frees by dropping a task. */
    @ParameterizedTest
    @MethodSource("parts")
    void f4_dropOldestWhileOthersWait_dropsOneTask(Part dropping) {
        Spindle spindle = spindle(40, OnFull.dropOldest());
        Executor waiting = spindle.strandBuilder("waiting").capacity(100, BLOCK).build();
        Executor bounded = dropping == Part.EXECUTOR
                ? spindle.executor("wide", 1)
                : spindle.strandBuilder("wide")
                        .capacity(100, OnFull.dropOldest())
                        .build();
        occupy(bounded);
        occupy(spindle);
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 40; i++) {
            bounded.execute(ran::incrementAndGet);
        }
        for (int i = 0; i < 30; i++) {
            submitter(waiting, () -> {});
        }
        bounded.execute(ran::incrementAndGet);
        assertThat(spindle.stats().dropped()).isEqualTo(1);
        assertThat(told).hasSize(1);
        assertThat(spindle.waits()).hasSize(30);
        gates.forEach(Gate::open);
        until(() -> ran.get() == 40);
        until(() -> spindle.waits().isEmpty());
        assertThat(spindle.stats().dropped()).isEqualTo(1);
    }

    static Stream<Part> parts() {
        return Stream.of(Part.STRAND, Part.EXECUTOR);
    }

    @Test
    void f4_dropOldestPlainWhileOthersWait_dropsOneTask() {
        Spindle spindle = spindle(40, OnFull.dropOldest());
        Executor waiting = spindle.strandBuilder("waiting").capacity(100, BLOCK).build();
        occupy(spindle);
        occupy(spindle);
        List<CompletableFuture<?>> futures = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            futures.add(spindle.submit(() -> {}));
        }
        for (int i = 0; i < 30; i++) {
            submitter(waiting, () -> {});
        }
        futures.add(spindle.submit(() -> {}));
        assertThat(futures.get(0)).isCancelled();
        assertThat(futures.subList(1, 41)).noneMatch(CompletableFuture::isDone);
        assertThat(spindle.stats().dropped()).isEqualTo(1);
        assertThat(spindle.waits()).hasSize(30);
    }

    /** Both bounds are reached. The one dropped task makes room at both. */
    @ParameterizedTest
    @EnumSource
    void f4_dropOldestAtBothBounds_dropsOneTask(Part part) {
        Spindle spindle = spindle(2, OnFull.dropOldest());
        Executor bounded = part.of(spindle, OnFull.dropOldest());
        occupy(bounded);
        occupy(spindle);
        CompletableFuture<String> plain = spindle.submit(() -> "plain");
        AtomicInteger ran = new AtomicInteger();
        bounded.execute(() -> ran.addAndGet(100));
        for (int i = 1; i <= 10; i++) {
            bounded.execute(i < 10 ? () -> ran.addAndGet(100) : ran::incrementAndGet);
            assertThat(spindle.stats().dropped()).isEqualTo(i);
        }
        assertThat(plain).isNotDone();
        gates.forEach(Gate::open);
        until(() -> ran.get() == 1);
        assertThat(result(plain)).isEqualTo("plain");
        assertThat(free(spindle, 2)).isTrue();
    }

    /** Only the bound of the spindle is reached. The place that the dropped task held in its part is returned. */
    @ParameterizedTest
    @EnumSource(names = {"STRAND", "EXECUTOR"})
    void f4_dropOldestAtTheSpindle_keepsNoPlaceOfThePart(Part part) {
        Spindle spindle = spindle(1, OnFull.dropOldest());
        Executor wide = part == Part.EXECUTOR
                ? spindle.executorBuilder("wide")
                        .maxConcurrency(1)
                        .capacity(3, OnFull.reject())
                        .build()
                : spindle.strandBuilder("wide").capacity(3, OnFull.dropOldest()).build();
        Gate gate = occupy(wide);
        occupy(spindle);
        for (int i = 0; i < 20; i++) {
            wide.execute(() -> {});
        }
        assertThat(spindle.stats().dropped()).isEqualTo(19);
        assertThat(spindle.stats().rejected()).isZero();
        gate.open();
        until(() -> spindle.stats().completed() + spindle.stats().dropped() >= 21);
        Gate again = occupy(wide);
        wide.execute(() -> {});
        wide.execute(() -> {}); // one more would need the part's own places, of which it has three
        assertThat(spindle.stats().rejected()).isZero();
        again.open();
    }

    /** The failure handler runs at the end of the submit, when the newer task is accepted, and may itself submit. */
    @ParameterizedTest
    @EnumSource
    void f4_handlerOfADroppedTask_mayBlockAndCallBackIn(Part part) {
        List<String> accepted = new ArrayList<>();
        Executor[] bounded = new Executor[1];
        AtomicInteger ran = new AtomicInteger();
        Spindle spindle = Spindles.options()
                .coreThreads(2)
                .maxThreads(2)
                .capacity(5, OnFull.dropOldest())
                .onFailure((activity, failure) -> {
                    if (accepted.size() < 3) {
                        accepted.add("again");
                        bounded[0].execute(ran::incrementAndGet); // drops the newer task in turn
                    }
                })
                .build();
        spindle.keyed("keys").setKeyCapacity(1, OnFull.dropOldest());
        spindles.add(spindle);
        bounded[0] = part.of(spindle, OnFull.dropOldest());
        occupy(bounded[0]);
        bounded[0].execute(() -> ran.addAndGet(100));
        bounded[0].execute(() -> ran.addAndGet(100));
        assertThat(accepted).hasSize(3);
        assertThat(spindle.stats().dropped()).isEqualTo(4);
        gates.forEach(Gate::open);
        until(() -> ran.get() == 1);
    }

    private static boolean free(Spindle spindle, int places) {
        until(() -> {
            Gate one = new Gate();
            Gate other = new Gate();
            spindle.execute(one);
            spindle.execute(other);
            one.awaitEntered();
            other.awaitEntered();
            long dropped = spindle.stats().dropped();
            for (int i = 0; i < places; i++) {
                spindle.execute(() -> {});
            }
            boolean all = spindle.stats().dropped() == dropped;
            one.open();
            other.open();
            return all;
        });
        return true;
    }

    // ---------------------------------------------------------------- the caller runs

    @Test
    void f4_callerRunsWhileTheSpindleIsFull_needsNoPlace() {
        Spindle spindle = spindle(1, OnFull.reject());
        Executor bounded = Part.EXECUTOR.of(spindle, OnFull.callerRuns());
        occupy(bounded);
        occupy(spindle);
        bounded.execute(() -> {}); // takes the places of both
        for (int i = 0; i < 3; i++) {
            AtomicInteger ran = new AtomicInteger();
            bounded.execute(ran::incrementAndGet);
            assertThat(ran).hasValue(1);
        }
        assertThat(spindle.stats().rejected()).isZero();
    }

    // ---------------------------------------------------------------- all policies

    static Stream<Arguments> policies() {
        List<OnFull> all = List.of(OnFull.reject(), OnFull.block(Duration.ofSeconds(20)), OnFull.dropOldest());
        return Stream.of(Part.values())
                .flatMap(part -> all.stream()
                        .flatMap(ofPart -> all.stream()
                                .filter(ofSpindle -> !part.onePolicy || ofSpindle == ofPart)
                                .map(ofSpindle -> Arguments.of(part, ofPart, ofSpindle))));
    }

    /** In every combination no place is lost, and each accepted task is run or reported as dropped. */
    @ParameterizedTest
    @MethodSource("policies")
    void f4_anyPolicies_loseNoPlaceAndNoTask(Part part, OnFull ofPart, OnFull ofSpindle) throws InterruptedException {
        Spindle spindle = spindle(3, ofSpindle);
        Executor bounded = part.of(spindle, ofPart);
        AtomicInteger ran = new AtomicInteger();
        AtomicInteger accepted = new AtomicInteger();
        List<Thread> producers = new ArrayList<>();
        for (int p = 0; p < 4; p++) {
            Executor to = p == 0 ? spindle : bounded;
            Thread producer = new Thread(() -> {
                for (int i = 0; i < 2_000; i++) {
                    try {
                        to.execute(ran::incrementAndGet);
                        accepted.incrementAndGet();
                    } catch (RejectedExecutionException e) {
                        Thread.yield();
                    }
                }
            });
            producers.add(producer);
            producer.start();
        }
        for (Thread producer : producers) {
            producer.join();
        }
        until(() -> ran.get() + spindle.stats().dropped() == accepted.get());
        synchronized (told) {
            assertThat(told).hasSize((int) spindle.stats().dropped());
        }
        occupy(bounded);
        occupy(spindle);
        bounded.execute(() -> {}); // the part has its place back, and the spindle all three
        spindle.execute(() -> {});
        spindle.execute(() -> {});
        long dropped = spindle.stats().dropped();
        assertThat(ran.get() + dropped).isEqualTo(accepted.get());
        gates.forEach(Gate::open);
    }
}
