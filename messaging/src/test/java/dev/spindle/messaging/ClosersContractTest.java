// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.resultOf;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Activity;
import dev.spindle.CollectedLog;
import dev.spindle.Spindle;
import dev.spindle.Unfinished;
import dev.spindle.actor.Actor;
import dev.spindle.actor.ActorContext;
import dev.spindle.actor.ActorRef;
import dev.spindle.actor.Actors;
import dev.spindle.channel.Channel;
import dev.spindle.messaging.Closers.Part;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every close that waits, a row for each kind: bounded, with an exact report, whatever handlers do (D2). The numbers of
 * items that stick are negative.
 */
@Timeout(60)
class ClosersContractTest {
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofSeconds(30);

    /** The time after the limit within which a close returns. */
    private static final Duration ALLOWED = Duration.ofSeconds(1);

    private final List<Spindle> spindles = new ArrayList<>();
    private final CountDownLatch release = new CountDownLatch(1);
    private final Set<Integer> stuck = Collections.synchronizedSet(new HashSet<>());
    private final List<Integer> handled = Collections.synchronizedList(new ArrayList<>());

    private Spindle spindle(int threads) {
        Spindle made = Spindle.builder()
                .name("main")
                .coreThreads(threads)
                .maxThreads(threads)
                .onFailure((activity, failure) -> {})
                .build();
        spindles.add(made);
        return made;
    }

    @AfterEach
    void end() {
        release.countDown();
        spindles.forEach(Spindle::shutdownNow);
        spindles.forEach(Spindle::close);
    }

    private void handle(int item) {
        if (item < 0) {
            stick(item);
        }
        handled.add(item);
    }

    /** Blocks, and does not react to an interrupt. */
    private void stick(int item) {
        stuck.add(item);
        boolean over = false;
        while (!over) {
            try {
                release.await();
                over = true;
            } catch (InterruptedException e) {
                over = false;
            }
        }
    }

    /** Gives an item that sticks for each strand of the part, and then {@code items}. */
    private void giveStuck(Closers kind, Part part, int... items) {
        for (int i = 1; i <= kind.width(); i++) {
            int item = -i;
            part.give(item);
            until(() -> stuck.contains(item));
        }
        Arrays.stream(items).forEach(part::give);
        part.settle(kind.width() + items.length);
    }

    /** Makes a call, and judges its time unless the machine has paused this process. */
    private static <T> T within(Duration limit, Callable<T> call) throws Exception {
        AtomicLong pause = new AtomicLong();
        CountDownLatch over = new CountDownLatch(1);
        Thread watch = new Thread(() -> {
            for (long last = System.nanoTime(); over.getCount() > 0; ) {
                LockSupport.parkNanos(1_000_000);
                long now = System.nanoTime();
                pause.accumulateAndGet(now - last, Math::max);
                last = now;
            }
        });
        watch.start();
        long begin = System.nanoTime();
        T result = call.call();
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        over.countDown();
        watch.join();
        assertThat(took).isLessThan(limit.plus(ALLOWED).plusNanos(pause.get()));
        return result;
    }

    private static void assertReport(Unfinished<?> left, Closers kind, Integer... items) {
        assertThat(Closers.numbers(left)).containsExactly(items);
        assertThat(left.byOwner().keySet()).isEqualTo(items.length == 0 ? Set.of() : Set.of(kind.owner));
    }

    // ---------------------------------------------------------------- the limit, and the report

    @ParameterizedTest
    @EnumSource
    void d2_handlerThatNeverReturns_closeReturnsInTimeAndReportsAllByOwner(Closers kind) throws Exception {
        Spindle spindle = spindle(4);
        Part part = kind.make(spindle, this::handle);
        giveStuck(kind, part, 1, 2, 3, 4, 5);

        Unfinished<?> left = within(SHORT, () -> part.close(SHORT));

        assertReport(left, kind, 1, 2, 3, 4, 5);
        assertThat(left.running()).hasSize(kind.width()).allSatisfy(running -> {
            assertThat(running.owner()).isEqualTo(kind.owner);
            assertThat(running.stack()).anyMatch(frame -> frame.getMethodName().equals("stick"));
            assertThat(running.runningFor()).isNotNull();
        });
        assertThat(left.toString()).startsWith("5 not run; 5 of " + kind.owner + "; still running: " + kind.owner);
        assertThatThrownBy(() -> part.give(6)).isInstanceOf(RejectedExecutionException.class);
        release.countDown();
        assertThat(part.close(LONG).running()).isEmpty();
        assertThat(handled).allMatch(item -> item < 0).hasSize(kind.width());
    }

    @ParameterizedTest
    @EnumSource
    void d2_poolOfOneThread_closeReportsWhatHasNotEvenBegun(Closers kind) throws Exception {
        Spindle spindle = spindle(1);
        Part part = kind.make(spindle, this::handle);
        part.give(0);
        until(() -> handled.contains(0));
        spindle.execute(() -> stick(-1));
        until(() -> stuck.contains(-1));
        IntStream.rangeClosed(1, 5).forEach(part::give);

        Unfinished<?> left = within(SHORT, () -> part.close(SHORT));

        assertThat(Closers.numbers(left)).containsExactly(1, 2, 3, 4, 5);
        assertThat(left.byOwner()).hasSize(1);
        assertThat(left.running()).hasSize(kind == Closers.SPINDLE ? 1 : 0);
        release.countDown();
        assertThat(part.close(LONG).running()).isEmpty();
        assertThat(handled).containsExactly(0);
    }

    @ParameterizedTest
    @EnumSource
    void d2_handlerThatIsStuckWithinABatch_closeReportsTheRestOfTheBatch(Closers kind) throws Exception {
        Spindle spindle = spindle(1);
        Part part = kind.make(spindle, this::handle);
        CountDownLatch go = new CountDownLatch(1);
        spindle.execute(() -> await(go));
        for (int item : new int[] {1, 2, -1, 4, 5}) {
            part.give(item);
        }
        go.countDown();
        until(() -> stuck.contains(-1));

        Unfinished<?> left = within(SHORT, () -> part.close(SHORT));

        assertThat(Closers.numbers(left)).containsExactly(4, 5);
        assertThat(left.running()).singleElement().extracting(Activity::owner).isEqualTo(kind.owner);
        release.countDown();
        assertThat(part.close(LONG).running()).isEmpty();
        assertThat(handled).containsExactly(1, 2, -1);
    }

    @ParameterizedTest
    @EnumSource
    void d2_itemsThatAreHandledInTime_areNotReported(Closers kind) {
        Part part = kind.make(spindle(2), this::handle);
        IntStream.range(0, 100).forEach(part::give);

        Unfinished<?> left = part.close(LONG);

        assertThat(left.isEmpty()).isTrue();
        assertThat(left).hasToString("nothing unfinished");
        assertThat(handled).hasSize(100);
    }

    @ParameterizedTest
    @EnumSource
    void d2_handlerThatEndsAtItsInterrupt_isNotReportedAsRunning(Closers kind) throws Exception {
        Part part = kind.make(spindle(4), item -> {
            stuck.add(item);
            new CountDownLatch(1).await();
        });
        giveStuck(kind, part, 1, 2, 3);

        Unfinished<?> left = within(SHORT, () -> part.close(SHORT));

        assertReport(left, kind, 1, 2, 3);
        assertThat(left.running()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void d2_callerIsInterrupted_haltsAtOnceAndKeepsTheInterrupt(Closers kind) throws Exception {
        Part part = kind.make(spindle(4), this::handle);
        giveStuck(kind, part, 1);

        Thread.currentThread().interrupt();
        Unfinished<?> left = part.close(LONG);

        assertThat(Thread.interrupted()).isTrue();
        assertReport(left, kind, 1);
        assertThat(left.running()).hasSize(kind.width());
    }

    @ParameterizedTest
    @EnumSource
    void d2_negativeTime_isRefusedWithItsValue(Closers kind) {
        Part part = kind.make(spindle(2), this::handle);

        assertThatThrownBy(() -> part.close(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("timeout must not be negative, is PT-1S");
        part.give(1);
        until(() -> handled.contains(1));
    }

    // ---------------------------------------------------------------- handlers that throw, or call back in

    @ParameterizedTest
    @EnumSource
    void d2_handlersThatThrow_areNotReported(Closers kind) throws Exception {
        Part part = kind.make(spindle(4), item -> {
            handle(item);
            if (item > 0) {
                throw new IllegalStateException("mine");
            }
        });
        IntStream.rangeClosed(1, 3).forEach(part::give);
        until(() -> handled.size() == 3);
        giveStuck(kind, part, 4, 5);

        Unfinished<?> left = within(SHORT, () -> part.close(SHORT));

        assertReport(left, kind, 4, 5);
    }

    @ParameterizedTest
    @EnumSource
    void d2_handlerThatClosesItsOwnPart_isRefused(Closers kind) throws Exception {
        AtomicReference<@Nullable Part> own = new AtomicReference<>();
        List<Throwable> refusals = Collections.synchronizedList(new ArrayList<>());
        Part part = kind.make(spindle(2), item -> {
            Part closed = own.get();
            if (closed != null) {
                refuse(refusals, () -> closed.close(SHORT));
                refuse(refusals, () -> {
                    closed.close();
                    return item;
                });
            }
        });
        own.set(part);
        part.give(1);
        until(() -> refusals.size() == 2);

        assertThat(refusals).allMatch(IllegalStateException.class::isInstance);
        part.give(2);
        until(() -> refusals.size() == 4);
    }

    private static void refuse(List<Throwable> refusals, Callable<?> close) {
        try {
            Object unused = close.call();
            refusals.add(new AssertionError("closed"));
        } catch (Exception e) {
            refusals.add(e);
        }
    }

    @ParameterizedTest
    @EnumSource
    void d2_handlerThatHandsOverItemsDuringTheClose_losesNone(Closers kind) throws Exception {
        AtomicReference<@Nullable Part> own = new AtomicReference<>();
        List<Integer> accepted = Collections.synchronizedList(new ArrayList<>(List.of(1, 2)));
        Part part = kind.make(spindle(4), item -> {
            if (item < 0) {
                stuck.add(item);
                for (int more = 100; more < 200 && release.getCount() > 0; more++) {
                    try {
                        Objects.requireNonNull(own.get()).give(more - 100 * item);
                        accepted.add(more - 100 * item);
                    } catch (RejectedExecutionException | IllegalStateException e) {
                        // refused: not lost
                    }
                    LockSupport.parkNanos(5_000_000);
                    boolean unused = Thread.interrupted();
                }
            }
            handle(item);
        });
        own.set(part);
        giveStuck(kind, part, 1, 2);

        Unfinished<?> left = within(SHORT, () -> part.close(SHORT));
        List<Integer> reported = Closers.numbers(left);
        release.countDown();
        assertThat(part.close(LONG).running()).isEmpty();

        List<Integer> all = new ArrayList<>(reported);
        handled.stream().filter(item -> item > 0).forEach(all::add);
        assertThat(all).containsExactlyInAnyOrderElementsOf(accepted);
    }

    // ---------------------------------------------------------------- closeTimeout, and the log

    @ParameterizedTest
    @EnumSource
    void d2_closeTimeout_boundsCloseAndLogsTheReport(Closers kind) throws Exception {
        Spindle limited = Spindle.builder()
                .name("main")
                .coreThreads(4)
                .closeTimeout(SHORT)
                .onFailure((activity, failure) -> {})
                .build();
        spindles.add(limited);
        Part part = kind.make(limited, this::handle);
        giveStuck(kind, part, 1, 2);

        try (CollectedLog.Recording log = CollectedLog.record()) {
            within(SHORT, () -> {
                part.close();
                return true;
            });

            assertThat(log.lines())
                    .singleElement()
                    .satisfies(line -> assertThat(line)
                            .startsWith(kind.part)
                            .contains(" was closed at its time limit: 2 not run; 2 of " + kind.owner
                                    + "; still running: " + kind.owner));
        }
    }

    @Test
    @Tag("stress")
    void d2_closeThatHasWaitedForTenSeconds_logsOnceWhatRuns() throws Exception {
        List<Thread> closers = new ArrayList<>();
        try (CollectedLog.Recording log = CollectedLog.record()) {
            for (Closers kind : Closers.values()) {
                Part part = kind.make(spindle(4), this::handle);
                stuck.clear();
                giveStuck(kind, part);
                Thread closer = new Thread(() -> part.close(Duration.ofSeconds(12)));
                closer.start();
                closers.add(closer);
            }
            for (Thread closer : closers) {
                closer.join();
            }

            assertThat(log.lines()).hasSize(Closers.values().length);
            for (Closers kind : Closers.values()) {
                assertThat(log.lines())
                        .anySatisfy(line -> assertThat(line)
                                .startsWith("close of " + kind.part)
                                .contains(
                                        " has waited for 10 s; what runs: " + kind.width(),
                                        kind.owner + ", running for PT1",
                                        "ClosersContractTest.stick"));
            }
        }
    }

    // ---------------------------------------------------------------- the spindle's close cuts its parts off

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SPINDLE")
    void d2_closeOfTheSpindle_thatCutsAPartOff_losesNothing(Closers kind) throws Exception {
        Spindle spindle = spindle(4);
        Part part = kind.make(spindle, this::handle);
        giveStuck(kind, part, 1, 2, 3);

        Unfinished<Runnable> left = within(SHORT, () -> spindle.close(SHORT));
        Unfinished<?> ofPart = within(SHORT, () -> part.close(SHORT));

        assertThat(left.running())
                .hasSize(kind.width())
                .allSatisfy(running -> assertThat(running.owner()).isEqualTo(kind.owner));
        boolean inSpindle =
                EnumSet.of(Closers.STRAND, Closers.GROUP, Closers.LOGICAL).contains(kind);
        assertReport(inSpindle ? left : ofPart, kind, 1, 2, 3);
        assertReport(inSpindle ? ofPart : left, kind);
        assertThat(ofPart.running()).hasSize(kind.width());
        release.countDown();
        spindle.close();
        assertThat(handled).allMatch(item -> item < 0);
    }

    @Test
    void d2_closeOfTheSpindle_thatCutsAConsumerOff_leavesItsValuesInTheChannel() throws Exception {
        Spindle spindle = spindle(2);
        Channel<Integer> pages = Closers.channel(spindle, this::handle);
        pages.send(-1);
        until(() -> stuck.contains(-1));
        pages.send(1);
        pages.send(2);

        Unfinished<Runnable> left = within(SHORT, () -> spindle.close(SHORT));
        Unfinished<Integer> ofChannel = resultOf(pages.halt());

        assertThat(left.items()).isEmpty();
        assertThat(left.running()).extracting(Activity::owner).containsExactly("strand index");
        assertThat(ofChannel.items()).containsExactly(1, 2);
        assertThat(ofChannel.byOwner()).containsOnlyKeys("channel pages");
        assertThat(ofChannel.running()).extracting(Activity::owner).containsExactly("strand index");
        release.countDown();
        spindle.close();
        assertThat(handled).containsExactly(-1);
    }

    @Test
    void d2_valueThatAConsumerHasReceived_andCannotHandleAfterAHalt_isReported() throws Exception {
        List<Object> failed = Collections.synchronizedList(new ArrayList<>());
        Spindle spindle = Spindle.builder()
                .maxThreads(1)
                .onFailure((activity, failure) -> failed.add(Objects.requireNonNull(activity.task())))
                .build();
        spindles.add(spindle);
        Channel<Integer> pages = Closers.channel(spindle, this::handle);
        pages.send(0);
        until(() -> handled.contains(0));
        spindle.execute(() -> stick(-1));
        until(() -> stuck.contains(-1));
        pages.send(1); // a turn with this value waits on the lane
        assertThat(resultOf(pages.halt()).items()).isEmpty();

        Unfinished<Runnable> left = within(SHORT, () -> spindle.close(SHORT));

        assertThat(left.items()).isEmpty();
        assertThat(failed).containsExactly(1);
        assertThat(pages.stats().dropped()).isOne();
    }

    @ParameterizedTest
    @EnumSource(names = {"GROUP", "ACTORS", "PIPELINE", "PARALLEL_STAGE", "TWO_STAGES"})
    void d2_halt_reportsByOwnerWhenAllHasEnded(Closers kind) throws Exception {
        Part part = kind.make(spindle(4), this::handle);
        giveStuck(kind, part, 1, 2);

        CompletableFuture<? extends Unfinished<?>> end = part.halt();
        assertThat(end).isNotDone();
        release.countDown();

        assertReport(resultOf(end), kind, 1, 2);
        assertThat(resultOf(end).running()).isEmpty();
    }

    // ---------------------------------------------------------------- user code of an end

    /** An actor whose end does not return. */
    private final class BlocksAtTheEnd implements Actor<Integer> {
        @Override
        public void receive(Integer message, ActorContext<Integer> self) {
            handled.add(message);
        }

        @Override
        public void stopped(@Nullable Throwable cause, @Nullable Integer message) {
            stick(-1);
        }
    }

    @Test
    void d2_idleActorWhoseEndNeverReturns_doesNotHoldUpTheCloseOfTheSpindle() throws Exception {
        Spindle spindle = spindle(2);
        Actors actors = Actors.create(spindle);
        ActorRef<Integer> ref = actors.actor("last", BlocksAtTheEnd::new);
        ref.send(1);
        until(() -> handled.contains(1));

        Unfinished<Runnable> left = within(SHORT, () -> spindle.close(SHORT));

        assertThat(left.running()).extracting(Activity::owner).containsExactly("actor last");
        assertThat(within(SHORT, () -> actors.close(SHORT)).running())
                .extracting(Activity::owner)
                .containsExactly("actor last");
    }

    @Test
    void d2_actorWhoseEndNeverReturns_reportsTheMessagesBehind() throws Exception {
        Actors actors = Actors.create(spindle(2));
        ActorRef<Integer> ref = actors.actor("last", BlocksAtTheEnd::new);
        CountDownLatch go = new CountDownLatch(1);
        ActorRef<Integer> gate = actors.actor("gate", () -> (message, self) -> {
            handled.add(message);
            await(go);
        });
        gate.send(1);
        CompletableFuture<?> unused = ref.halt();
        until(() -> stuck.contains(-1) && handled.contains(1));

        Unfinished<Object> left = within(SHORT, () -> actors.close(Duration.ZERO));
        go.countDown();

        assertThat(left.items()).isEmpty();
        assertThat(left.running()).extracting(Activity::owner).contains("actor last");
    }

    @Test
    void d2_messagesThatAStuckActorHasTold_areReported() throws Exception {
        Actors actors = Actors.create(spindle(4));
        ActorRef<Integer> full = actors.<Integer>actorBuilder("full", () -> (message, self) -> stick(message))
                .capacity(1)
                .build();
        full.send(-1);
        until(() -> stuck.contains(-1));
        ActorRef<Integer> teller = actors.actor("teller", () -> (message, self) -> {
            IntStream.rangeClosed(1, 3).forEach(told -> self.tell(full, told));
            stick(message);
        });
        teller.send(-2);
        until(() -> stuck.contains(-2));

        Unfinished<Object> left = within(SHORT, () -> actors.close(SHORT));

        assertThat(left.items()).containsExactlyInAnyOrder(1, 2, 3);
        assertThat(left.byOwner()).containsOnlyKeys("actor full");
        assertThat(left.running()).extracting(Activity::owner).containsExactlyInAnyOrder("actor full", "actor teller");
    }

    @Test
    void d2_actorThatFailsDuringTheClose_reportsTheMessagesBehind() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Actors actors = Actors.create(spindle(2));
        ActorRef<Integer> ref = actors.actor("fails", () -> (message, self) -> {
            stuck.add(message);
            await(go);
            throw new IllegalStateException("mine");
        });
        ref.send(0);
        until(() -> stuck.contains(0));
        ref.send(1);
        ref.send(2);
        CompletableFuture<Unfinished<Object>> left = CompletableFuture.supplyAsync(() -> actors.close(LONG));
        until(() -> !accepts(ref));
        go.countDown();

        assertThat(resultOf(left).items()).startsWith(1, 2); // and those by which the test saw the close begin
        assertThat(resultOf(left).byOwner()).containsOnlyKeys("actor fails");
    }

    private static boolean accepts(ActorRef<Integer> ref) {
        try {
            return ref.offer(3);
        } catch (RejectedExecutionException e) {
            return false;
        }
    }
}
