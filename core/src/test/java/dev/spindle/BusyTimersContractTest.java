// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A2, U1 and U2: timers fire even if all workers stay busy, user code does not delay them, and an owner finds its
 * timers without looking at those of others.
 */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
class BusyTimersContractTest {
    private static final Duration TEN_MILLIS = Duration.ofMillis(10);
    private static final long FAR_BELOW_SECONDS = 10;

    @RegisterExtension
    final Spindles spindles = new Spindles();

    private volatile boolean ended;

    @AfterEach
    void endAllThatIsBusy() {
        ended = true;
    }

    /** A kind of work that never ends. */
    @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
    enum Busy {
        KEY,
        STRAND,
        EXECUTOR,
        PLAIN;

        Executor on(Spindle spindle) {
            return switch (this) {
                case KEY -> spindle.keyed("tasks").at("busy");
                case STRAND -> spindle.strand("busy");
                case EXECUTOR -> spindle.executor("busy", 1);
                case PLAIN -> spindle;
            };
        }
    }

    private Spindle fixed(int workers, WaitStrategy wait) {
        return spindles.of(
                Spindles.options().coreThreads(workers).maxThreads(workers).waitStrategy(wait));
    }

    /** Keeps {@code executor} busy with a task that resubmits itself, and returns when it has started. */
    private void keepBusy(Executor executor, long taskNanos) {
        CountDownLatch begun = new CountDownLatch(100);
        executor.execute(new Runnable() {
            @Override
            public void run() {
                long end = System.nanoTime() + taskNanos;
                while (System.nanoTime() - end < 0) {
                    Thread.onSpinWait();
                }
                begun.countDown();
                try {
                    if (!ended) {
                        executor.execute(this);
                    }
                } catch (RejectedExecutionException e) {
                    return; // it was shut down
                }
            }
        });
        await(begun);
    }

    private static void assertBeats(CountDownLatch beats) throws InterruptedException {
        assertThat(beats.await(FAR_BELOW_SECONDS, SECONDS))
                .as("beats that are missing: " + beats.getCount())
                .isTrue();
    }

    // ---------------------------------------------------------------- A2

    @ParameterizedTest
    @EnumSource(Busy.class)
    void a2_laneThatNeverRunsDry_timersStillFire(Busy busy) throws InterruptedException {
        for (WaitStrategy wait : WaitStrategy.values()) {
            Spindle spindle = fixed(1, wait);
            keepBusy(busy.on(spindle), 200_000);
            CountDownLatch beats = new CountDownLatch(5);

            spindle.scheduleAtFixedRate(beats::countDown, 10, 10, MILLISECONDS);

            assertBeats(beats);
            spindle.shutdownNow();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 2_000, 5_000_000})
    void a2_laneThatNeverRunsDry_timersFireWhateverItsTasksTake(long nanos) throws InterruptedException {
        Spindle spindle = fixed(1, WaitStrategy.PARK);
        Strand strand = spindle.strand("busy");
        keepBusy(strand, nanos);
        CountDownLatch beats = new CountDownLatch(20);

        strand.scheduleAtFixedRate(() -> {}, 0, 1, MILLISECONDS); // moves the first due time
        spindle.keyed("tasks").at("beat").scheduleWithFixedDelay(beats::countDown, 0, 1, MILLISECONDS);

        assertBeats(beats);
    }

    @Test
    void a2_allOfSeveralWorkersBusyForEver_timersStillFire() throws InterruptedException {
        Spindle spindle = fixed(2, WaitStrategy.PARK);
        LogicalExecutor executor = spindle.executor("busy", 2);
        keepBusy(executor, 50_000);
        keepBusy(executor, 50_000);
        keepBusy(executor, 50_000);
        CountDownLatch beats = new CountDownLatch(5);

        executor.scheduleAtFixedRate(beats::countDown, 10, 10, MILLISECONDS);

        assertBeats(beats);
    }

    @Test
    void a2_strandWithAThreadOfItsOwnThatNeverRunsDry_timersStillFire() throws InterruptedException {
        try (Strand strand = Strand.builder("alone").build()) {
            keepBusy(strand, 200_000);
            CountDownLatch beats = new CountDownLatch(5);

            strand.scheduleAtFixedRate(
                    beats::countDown, TEN_MILLIS.toNanos(), TEN_MILLIS.toNanos(), TimeUnit.NANOSECONDS);

            assertBeats(beats);
            ended = true;
        }
    }

    @Test
    void a2_laneThatNeverRunsDry_limitsOfAsyncTasksAct() {
        Spindle spindle = fixed(1, WaitStrategy.PARK);
        keepBusy(spindle.strand("busy"), 200_000);

        Future<?> limited = spindle.keyed("tasks").at("async").submitAsync(CompletableFuture::new, TEN_MILLIS);

        assertThatThrownBy(() -> limited.get(FAR_BELOW_SECONDS, SECONDS)).hasCauseInstanceOf(TimeoutException.class);
    }

    @Test
    void a2_laneThatNeverRunsDry_quietPeriodsOfOthersEnd() throws Exception {
        Spindle spindle = fixed(1, WaitStrategy.PARK);
        keepBusy(spindle.strand("busy"), 200_000);

        Strand quiet = spindle.strandBuilder("quiet").quietPeriod(TEN_MILLIS).build();
        quiet.shutdown();

        quiet.terminated().get(FAR_BELOW_SECONDS, SECONDS);
    }

    // ---------------------------------------------------------------- U1

    /**
     * Makes a callback or key code block at the time of a timer. Other timers must not be late.
     */
    private void assertOthersAreInTime(Spindle spindle, Gate gate, Runnable setUp) throws InterruptedException {
        setUp.run();
        gate.awaitEntered();
        CountDownLatch beats = new CountDownLatch(5);

        spindle.scheduleAtFixedRate(beats::countDown, 1, 1, MILLISECONDS);

        try {
            assertBeats(beats);
        } finally {
            gate.open();
        }
    }

    private Spindle four() {
        return fixed(4, WaitStrategy.PARK);
    }

    @Test
    void u1_callbackOfAnAsyncLimitBlocks_otherTimersAreInTime() throws InterruptedException {
        Spindle spindle = four();
        Gate gate = new Gate();
        assertOthersAreInTime(
                spindle,
                gate,
                () -> spindle.keyed("tasks")
                        .at("async")
                        .submitAsync(CompletableFuture::new, TEN_MILLIS)
                        .whenComplete((value, failure) -> gate.run()));
    }

    @Test
    void u1_keyCodeOfADelayedTaskBlocks_otherTimersAreInTime() throws InterruptedException {
        Spindle spindle = four();
        Gate gate = new Gate();
        BlockingKey key = new BlockingKey();
        assertOthersAreInTime(spindle, gate, () -> {
            spindle.keyed("tasks").at(key).schedule(() -> {}, TEN_MILLIS.toNanos(), TimeUnit.NANOSECONDS);
            key.gate = gate;
        });
        key.gate = null;
    }

    @Test
    void u1_callbackOfASupersededTaskBlocks_otherTimersAreInTime() throws InterruptedException {
        Spindle spindle = four();
        Gate gate = new Gate();
        Lane lane = spindle.keyed("tasks").at("coalescing");
        lane.pause();
        assertOthersAreInTime(spindle, gate, () -> {
            CompletableFuture<?> first = spindle.submit(coalescing("coalescing"));
            first.whenComplete((value, failure) -> gate.run());
            spindle.schedule(coalescing("coalescing"), 10, MILLISECONDS);
        });
        lane.resume();
    }

    @Test
    void u1_callbackOfATerminationBlocks_otherTimersAreInTime() throws InterruptedException {
        Spindle spindle = four();
        Gate gate = new Gate();
        assertOthersAreInTime(spindle, gate, () -> {
            Strand quiet =
                    spindle.strandBuilder("quiet").quietPeriod(TEN_MILLIS).build();
            quiet.terminated().thenRun(gate);
            quiet.shutdown();
        });
    }

    @Test
    void u1_callbackOfAPeriodicTaskThatAShutdownCancelsBlocks_otherTimersAreInTime() throws InterruptedException {
        Spindle spindle = four();
        Gate gate = new Gate();
        assertOthersAreInTime(spindle, gate, () -> {
            Strand strand =
                    spindle.strandBuilder("periodic").quietPeriod(TEN_MILLIS).build();
            Future<?> periodic = strand.scheduleAtFixedRate(() -> {}, 1, 1, DAYS);
            ((CompletableFuture<?>) periodic).whenComplete((value, failure) -> gate.run());
            strand.shutdown();
        });
    }

    @Test
    void u1_keyCodeAtTheEndOfAQuantum_runsInATurnOfItsOwn() {
        Spindle spindle = fixed(1, WaitStrategy.PARK);
        Strand busy = spindle.strand("busy");
        keepBusy(busy, 200_000);
        BlockingKey key = new BlockingKey();
        CompletableFuture<Boolean> within = new CompletableFuture<>();
        spindle.keyed("tasks").at(key).schedule(() -> {}, TEN_MILLIS.toNanos(), TimeUnit.NANOSECONDS);

        key.onCode = () -> within.complete(busy.isCurrent());

        assertThat(result(within)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void d1_delayedTaskOnItsWayToItsLane_isReturnedByShutdownNow(boolean ofTheStrand) {
        Spindle spindle = fixed(1, WaitStrategy.PARK);
        Gate gate = new Gate();
        spindle.execute(gate);
        gate.awaitEntered();
        Runnable task = () -> {};
        Strand strand = spindle.strand("delayed");
        Lane lane = ofTheStrand ? strand : spindle.keyed("tasks").at("delayed");
        Future<?> future = lane.schedule(task, 0, TimeUnit.NANOSECONDS);
        Gate last = new Gate();
        spindle.execute(last);
        gate.open(); // the worker reads the clock, then reaches the next gate
        last.awaitEntered();

        List<Runnable> tasks = ofTheStrand ? strand.shutdownNow() : spindle.shutdownNow();

        last.open();
        assertThat(tasks).containsExactly(task);
        assertThat(future).isCancelled();
    }

    /**
     * The worker processes the due tasks one after the other while the shutdown removes and returns them.
     */
    @Test
    void d1_manyDelayedTasksOnTheirWayAtShutdownNow_eachRunsOrIsReturned() throws Exception {
        for (int round = 0; round < 20; round++) {
            Spindle spindle = fixed(1, WaitStrategy.PARK);
            Gate gate = new Gate();
            spindle.execute(gate);
            gate.awaitEntered();
            AtomicInteger runs = new AtomicInteger();
            Set<Runnable> tasks = Collections.newSetFromMap(new IdentityHashMap<>());
            for (int i = 0; i < 1_000; i++) {
                Runnable task = runs::incrementAndGet; // a new object each time
                tasks.add(task);
                Future<?> unused = spindle.keyed("tasks").at(i).schedule(task, 0, TimeUnit.NANOSECONDS);
            }
            Gate last = new Gate();
            spindle.execute(last);
            gate.open();
            last.awaitEntered();

            last.open();
            List<Runnable> returned = spindle.shutdownNow();

            assertThat(spindle.awaitTermination(10, SECONDS)).isTrue();
            assertThat(tasks).containsAll(returned);
            assertThat(runs.get() + returned.size()).isEqualTo(tasks.size());
        }
    }

    /** The clock thread sleeps by the real clock and so wakes a day late, like one that gets no processor. */
    @ParameterizedTest
    @EnumSource(Busy.class)
    void a2_watcherGetsNoProcessor_busyWorkersFireWhatIsOverdue(Busy busy) throws Exception {
        AtomicLong jump = new AtomicLong();
        Spindle spindle = spindles.of(
                Spindles.options().coreThreads(2).maxThreads(2).clock(() -> System.nanoTime() + jump.get()));
        CountDownLatch fired = new CountDownLatch(1);
        Future<?> unused = spindle.schedule(fired::countDown, 1, DAYS);
        keepBusy(busy.on(spindle), 1_000);

        jump.set(Duration.ofDays(1).plusMillis(2).toNanos());

        assertBeats(fired);
    }

    // ---------------------------------------------------------------- U2

    /** An owner of delayed tasks that is shut down while others are not. */
    @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
    enum Owner {
        STRAND,
        EXECUTOR;

        TaskService in(Spindle spindle) {
            return this == STRAND ? spindle.strand("owner") : spindle.executor("owner", 1);
        }
    }

    @ParameterizedTest
    @EnumSource(Owner.class)
    void u2_shutdownBesideManyTimersOfOthers_walksOverNoneOfThem(Owner kind) {
        Spindle spindle = spindles.spindle();
        Strand other = spindle.strand("other");
        for (int i = 0; i < 150_000; i++) {
            spindle.schedule(() -> {}, 1, DAYS);
            other.schedule(() -> {}, 1 + i % 100, TimeUnit.HOURS);
        }
        List<Long> nanos = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            TaskService owner = kind.in(spindle);
            Runnable late = () -> {};
            Runnable soon = () -> {};
            Future<?> periodic = owner.scheduleAtFixedRate(() -> {}, 1, 1, DAYS);
            owner.schedule(late, 3, DAYS);
            owner.schedule(soon, 2, DAYS);
            long begin = System.nanoTime();
            owner.shutdown();
            List<Runnable> rest = owner.shutdownNow();
            nanos.add(System.nanoTime() - begin);
            assertThat(periodic).isCancelled();
            assertThat(rest).containsExactly(soon, late);
            until(owner::isTerminated);
        }
        assertThat(Collections.min(nanos)).isLessThan(MILLISECONDS.toNanos(1));
    }

    private static Runnable coalescing(Object key) {
        return new CoalescingTask() {
            @Override
            public Object key() {
                return key;
            }

            @Override
            public void run() {}
        };
    }

    private static final class BlockingKey {
        private volatile @Nullable Gate gate;
        private volatile @Nullable Runnable onCode;

        @Override
        public int hashCode() {
            Gate blocking = gate;
            if (blocking != null) {
                blocking.run();
            }
            Runnable action = onCode;
            if (action != null) {
                action.run();
            }
            return 7;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }
    }
}
