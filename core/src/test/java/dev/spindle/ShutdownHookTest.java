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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** D1: shutdown hooks of a strand run exactly once, however the shutdown proceeds. */
@Timeout(60)
@SuppressWarnings({"FutureReturnValueIgnored", "UnnecessaryLambda", "UnsynchronizedOverridesSynchronized"
}) // the outcomes are checked by other means
class ShutdownHookTest {
    private static final Runnable TASK = () -> {};

    private final List<Throwable> failures = new ArrayList<>(); // plain: written by the only worker
    private final Spindle single = Spindle.builder()
            .core(1)
            .max(1)
            .onFailure((key, task, failure) -> failures.add(failure))
            .build();
    private final AtomicInteger ran = new AtomicInteger();
    private final Gate gate = new Gate();

    /** A further step of a shutdown. */
    enum GoesOn {
        NOT(strand -> {}),
        SHUTDOWN_NOW(strand -> strand.shutdownNow()),
        SHUTDOWN_NOW_TWICE(strand -> {
            assertThat(strand.shutdownNow()).isEmpty();
            strand.shutdownNow();
        }),
        CANCEL_PENDING(strand -> assertThat(strand.cancelPending()).isEmpty()),
        LIMIT(strand -> assertThat(result(strand.shutdownGracefully(Duration.ZERO, Duration.ofMillis(1))))
                .isEmpty()),
        SPINDLE_SHUTDOWN(strand -> strand.spindle().shutdown()),
        SPINDLE_SHUTDOWN_NOW(strand -> strand.spindle().shutdownNow());

        @SuppressWarnings("ImmutableEnumChecker") // has no state
        private final Consumer<Strand> action;

        GoesOn(Consumer<Strand> action) {
            this.action = action;
        }
    }

    @AfterEach
    void close() throws InterruptedException {
        gate.open();
        single.shutdownNow();
        assertThat(single.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    private Strand hooked(Spindle spindle) {
        Strand strand = spindle.strand("hooked");
        strand.addShutdownHook(ran::incrementAndGet);
        return strand;
    }

    /** The only worker is busy elsewhere, so the hooks are still waiting when the shutdown proceeds. */
    @ParameterizedTest
    @EnumSource
    void d1_hooksAboutToRun_runOnceHoweverTheShutdownGoesOn(GoesOn way) throws InterruptedException {
        Strand strand = hooked(single);
        strand.addShutdownHook(ran::incrementAndGet);
        single.execute(gate);
        gate.awaitEntered();
        strand.shutdown();
        CompletableFuture<@Nullable Void> ended = strand.ended();
        Thread goesOn = new Thread(() -> way.action.accept(strand)); // the step may wait for the end
        goesOn.start();
        until(() -> goesOn.getState() != Thread.State.RUNNABLE && goesOn.getState() != Thread.State.NEW);

        gate.open();
        goesOn.join();
        result(ended);
        assertThat(strand.isTerminated()).isTrue();
        assertThat(ran).hasValue(2);
        assertThat(failures).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void d1_hooksWhileATaskRuns_runOnceHoweverTheShutdownGoesOn(GoesOn way) {
        Strand strand = hooked(single);
        strand.execute(gate);
        gate.awaitEntered();
        strand.shutdown();
        CompletableFuture<@Nullable Void> ended = strand.ended();
        CompletableFuture<@Nullable Void> goesOn = CompletableFuture.runAsync(() -> way.action.accept(strand));
        until(() -> goesOn.isDone() || way == GoesOn.LIMIT);

        gate.open();
        result(ended);
        result(goesOn);
        assertThat(ran).hasValue(1);
    }

    @Test
    void d1_spindleClosedUnderItsStrands_runsTheirHooksBeforeItEnds() {
        List<Strand> strands = new ArrayList<>();
        try (Spindle shared = Spindle.create()) {
            for (int i = 0; i < 10_000; i++) {
                Strand strand = shared.strand("hooked");
                strand.addShutdownHook(() -> ran.addAndGet(strand.isCurrent() ? 1 : 0)); // on a thread of the spindle
                strands.add(strand);
                if (i % 3 == 0) {
                    strand.execute(() -> {});
                }
            }
        }
        assertThat(ran).hasValue(10_000);
        assertThat(strands)
                .allSatisfy(strand -> assertThatThrownBy(() -> strand.addShutdownHook(() -> {}))
                        .isInstanceOf(RejectedExecutionException.class));
    }

    @Test
    void d1_removedHook_neitherRunsNorKeepsTheSpindle() {
        try (Spindle shared = Spindle.create()) {
            Strand strand = shared.strand("s");
            Runnable hook = ran::incrementAndGet;
            strand.addShutdownHook(hook);
            assertThat(strand.removeShutdownHook(hook)).isTrue();
        }
        assertThat(ran).hasValue(0);
    }

    /** Each hook tries to keep the following ones from running. */
    @Test
    void d1_hookThatThrowsSubmitsAndShutsDown_keepsNoOtherFromRunning() throws InterruptedException {
        Strand strand = single.strand("s");
        AtomicBoolean interrupted = new AtomicBoolean();
        strand.addShutdownHook(() -> {
            throw new AssertionError("on purpose");
        });
        strand.addShutdownHook(() -> strand.execute(() -> {}));
        strand.addShutdownHook(() -> assertThat(strand.shutdownNow()).isEmpty()); // which also interrupts this hook
        strand.addShutdownHook(() -> interrupted.set(Thread.currentThread().isInterrupted()));
        strand.addShutdownHook(strand::close);
        strand.addShutdownHook(single::shutdown);
        strand.addShutdownHook(() -> assertThat(strand.isCurrent()).isTrue());
        strand.addShutdownHook(ran::incrementAndGet);

        strand.shutdown();

        assertThat(strand.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(ran).hasValue(1);
        assertThat(interrupted).isFalse();
        assertThat(failures).hasSize(3);
        assertThat(failures.get(0)).hasMessage("on purpose");
        assertThat(failures.get(1)).isInstanceOf(RejectedExecutionException.class);
        assertThat(failures.get(2)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void d1_hookThatBlocks_holdsTerminationUntilAShutdownNowInterruptsIt() throws InterruptedException {
        Strand strand = single.strand("s");
        CountDownLatch inside = new CountDownLatch(1);
        strand.addShutdownHook(() -> {
            inside.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                ran.incrementAndGet();
            }
        });
        strand.addShutdownHook(ran::incrementAndGet);
        strand.shutdown();
        await(inside);
        assertThat(strand.awaitTermination(10, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(strand.isTerminated()).isFalse();

        strand.shutdownNow();

        assertThat(strand.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(ran).hasValue(2);
    }

    /** An interrupt meant for tasks must not close the channel of a hook that writes to a file. */
    @Test
    void d1_shutdownNow_doesNotInterruptTheHooksThatFollow() throws InterruptedException {
        AtomicInteger interrupts = new AtomicInteger();
        for (int round = 0; round < 2_000; round++) {
            Spindle shared = round % 4 == 0 ? Spindle.builder().core(2).build() : single;
            Strand strand = shared.strand("s");
            strand.addShutdownHook(() -> {
                for (int i = 0; i < 200; i++) {
                    interrupts.addAndGet(Thread.interrupted() ? 1 : 0);
                    Thread.onSpinWait();
                }
                ran.incrementAndGet();
            });
            if (round % 2 == 0) {
                strand.execute(() -> {});
            }
            if (shared == single) {
                strand.shutdownNow();
            } else {
                shared.shutdownNow();
            }
            assertThat(strand.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(ran).hasValue(2_000);
        assertThat(interrupts).hasValue(0);
    }

    private static void soon(CountDownLatch latch) {
        try {
            boolean unused = latch.await(200, TimeUnit.MILLISECONDS); // a thread for a timer waits here in vain
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * The hook is the first task that needs a thread. {@code shutdownNow} starts the thread, and the hook runs before
     * {@code shutdownNow} continues.
     */
    @Test
    void d1_shutdownNowThatStartsTheHook_doesNotInterruptIt() {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch returned = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        try (Spindle own = Spindle.builder()
                .core(1)
                .threadFactory(body -> new Thread(body) {
                    @Override
                    public void start() {
                        super.start();
                        soon(inside); // so that the hook runs before shutdownNow() continues
                    }
                })
                .build()) {
            Strand strand = own.strand("s");
            strand.addShutdownHook(() -> {
                inside.countDown();
                try {
                    returned.await();
                } catch (InterruptedException e) {
                    interrupted.set(true);
                }
            });
            assertThat(strand.shutdownNow()).isEmpty();
            returned.countDown();
        }
        assertThat(interrupted).isFalse();
    }

    @Test
    void d1_noThreadForTheHooks_runInWhoeverEndsTheStrand() {
        AtomicBoolean broken = new AtomicBoolean();
        ThreadFactory factory = body -> broken.get() ? null : new Thread(body);
        List<Thread> threads = new ArrayList<>();
        try (CollectedLog.Recording log = CollectedLog.record()) {
            for (boolean nothing : new boolean[] {true, false}) {
                broken.set(false);
                Spindle shared = Spindle.builder()
                        .core(1)
                        .auxiliaryThreadFactory(factory)
                        .threadFactory(factory)
                        .build();
                Strand strand = shared.strand("s");
                if (!nothing) {
                    result(strand.submit(() -> {}));
                }
                broken.set(true);
                strand.addShutdownHook(() -> threads.add(Thread.currentThread()));
                strand.shutdownNow();
                until(strand::isTerminated);
                shared.close();
            }
            assertThat(log.lines()).isNotEmpty();
        }
        assertThat(threads).hasSize(2);
        assertThat(threads.get(0)).isSameAs(Thread.currentThread());
    }

    /** Tasks, shutdowns, added and removed hooks, and the end of the spindle meet in random order. */
    @Test
    void d1_randomShutdowns_runEveryHookOnceOrRefuseIt() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
        AtomicReference<@Nullable Throwable> wrong = new AtomicReference<>();
        for (int round = 0; System.nanoTime() - end < 0; round++) {
            Spindle shared =
                    Spindle.builder().core(1 + round % 2).max(1 + round % 2).build();
            Strand strand = shared.strand("s");
            AtomicInteger expected = new AtomicInteger();
            AtomicInteger seen = new AtomicInteger();
            if (ThreadLocalRandom.current().nextBoolean()) {
                strand.execute(TASK);
            }
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int what = ThreadLocalRandom.current().nextInt(7);
                threads.add(new Thread(() -> act(what, strand, shared, seen)));
            }
            threads.add(new Thread(() -> {
                try {
                    strand.addShutdownHook(seen::incrementAndGet);
                    expected.incrementAndGet();
                } catch (RejectedExecutionException e) {
                    // the shutdown was faster
                }
            }));
            threads.forEach(t -> t.setUncaughtExceptionHandler((thread, failure) -> wrong.set(failure)));
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            strand.shutdown();
            assertThat(strand.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
            shared.close();
            assertThat(seen).hasValue(expected.get());
        }
        assertThat(wrong).hasValue(null);
    }

    private static void act(int what, Strand strand, Spindle shared, AtomicInteger seen) {
        switch (what) {
            case 0 -> strand.shutdown();
            case 1 -> assertThat(strand.shutdownNow()).allMatch(task -> task == TASK);
            case 2 -> assertThat(strand.cancelPending()).allMatch(task -> task == TASK);
            case 3 -> shared.shutdown();
            case 4 -> assertThat(shared.shutdownNow()).allMatch(task -> task == TASK);
            case 5 -> strand.shutdownGracefully(Duration.ZERO, Duration.ofNanos(1));
            default -> {
                Runnable late = seen::incrementAndGet;
                try {
                    strand.addShutdownHook(late);
                    if (!strand.removeShutdownHook(late)) {
                        seen.decrementAndGet(); // it is running, or has run
                    }
                } catch (RejectedExecutionException e) {
                    // the shutdown was faster
                }
            }
        }
    }
}
