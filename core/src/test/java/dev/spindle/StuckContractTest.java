// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.TestSupport.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** M5: work that is stuck or late is reported once. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the reports are checked
class StuckContractTest {
    private static final Duration LIMIT = Duration.ofMillis(200);

    @RegisterExtension
    final Spindles spindles = new Spindles();

    private final Reports reports = new Reports();
    private final CollectedLog.Recording log = CollectedLog.record();
    private final List<Gate> gates = new ArrayList<>();

    @AfterEach
    void close() {
        gates.forEach(Gate::open);
        log.close();
    }

    private SpindleBuilder options() {
        return spindles.builder().name("watched").stuckAfter(LIMIT).onStuck(reports);
    }

    private Gate gate() {
        Gate gate = new Gate();
        gates.add(gate);
        return gate;
    }

    /** Returns a spindle with one thread. */
    private Spindle single() {
        return spindles.of(options().coreThreads(1).maxThreads(1));
    }

    private List<String> lines(String part) {
        return log.lines().stream().filter(line -> line.contains(part)).toList();
    }

    /** Waits until another task that hangs has been reported: whatever was stuck before it has then been reported. */
    private void passLimit(Spindle spindle, String owner) {
        Gate sentinel = gate();
        spindle.keyed("sentinels").execute(owner, sentinel);
        Activity unused = reports.await("key sentinels/" + owner);
        sentinel.open();
    }

    // ---------------------------------------------------------------- each kind of case

    @Test
    void m5_taskThatHangsOnTheOnlyThread_isReportedWithKeyThreadStackAndWhatWaits() {
        Spindle spindle = single();
        Keyed<String> orders = spindle.keyed("orders");
        Gate gate = gate();
        orders.execute("a", gate);
        gate.awaitEntered();
        orders.execute("a", () -> {});
        orders.execute("a", () -> {});

        Activity stuck = reports.await("key orders/a");

        assertThat(stuck.kind()).isEqualTo(Activity.Kind.LANE);
        assertThat(stuck.space()).isEqualTo("orders");
        assertThat(stuck.key()).isEqualTo("a");
        assertThat(stuck.isLate()).isFalse();
        assertThat(stuck.runningFor()).isGreaterThanOrEqualTo(LIMIT);
        assertThat(stuck.pending()).isEqualTo(2);
        assertThat(stuck.thread()).isNotNull();
        assertThat(stuck.stack())
                .anyMatch(frame -> frame.getClassName().equals(Gate.class.getName())
                        && frame.getMethodName().equals("run"));
        until(() -> !lines("key orders/a").isEmpty());
        assertThat(lines("key orders/a"))
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .startsWith("key orders/a of spindle watched is stuck: its task has run for ")
                        .contains(" on thread watched-1, waits for ")
                        .contains("java.util.concurrent.CountDownLatch$Sync; 2 pending behind it")
                        .contains("dev.spindle.TestSupport$Gate.run("));
        assertThat(spindle.running()).extracting(Activity::owner).containsExactly("key orders/a");
    }

    @Test
    void m5_hangingTask_isReportedOnce_andALaterOneOfTheSameKeyAgain() {
        Spindle spindle = spindles.of(options());
        Keyed<String> orders = spindle.keyed("orders");
        Gate first = gate();
        orders.execute("a", first);
        Activity unused = reports.await("key orders/a");
        passLimit(spindle, "1");
        passLimit(spindle, "2");
        assertThat(reports.of("key orders/a")).hasSize(1);

        first.open();
        orders.execute("a", gate());

        until(() -> reports.of("key orders/a").size() == 2);
        passLimit(spindle, "3");
        assertThat(reports.of("key orders/a")).hasSize(2);
        until(() -> lines("key orders/a").size() == 2);
    }

    @Test
    void m5_plainTaskAndTaskOfAStrand_areReported() {
        Spindle spindle = spindles.of(options().coreThreads(4));
        spindle.execute(gate());
        spindle.strand("journal").execute(gate());

        Activity plain = reports.await("spindle watched");
        Activity strand = reports.await("strand journal");

        assertThat(plain.kind()).isEqualTo(Activity.Kind.TASK);
        assertThat(plain.stack()).isNotEmpty();
        assertThat(strand.kind()).isEqualTo(Activity.Kind.LANE);
        until(() ->
                !lines("spindle watched is stuck: a plain task has run for ").isEmpty());
    }

    @Test
    void m5_asyncTaskWhoseStageNeverCompletes_isReportedWithoutAThread() {
        Spindle spindle = single();
        Keyed<String> orders = spindle.keyed("orders");
        CompletableFuture<String> answer = new CompletableFuture<>();
        CompletableFuture<String> open = orders.submitAsync("a", () -> answer);
        orders.execute("a", () -> {});

        Activity stuck = reports.await("key orders/a");

        assertThat(stuck.kind()).isEqualTo(Activity.Kind.ASYNC);
        assertThat(stuck.runningFor()).isGreaterThanOrEqualTo(LIMIT);
        assertThat(stuck.pending()).isEqualTo(1);
        assertThat(stuck.thread()).isNull();
        assertThat(stuck.stack()).isEmpty();
        until(() -> !lines("its async task has been open for ").isEmpty());
        passLimit(spindle, "1");
        assertThat(reports.of("key orders/a")).hasSize(1);
        answer.complete("done");
        assertThat(result(open)).isEqualTo("done");
        orders.submitAsync("a", () -> new CompletableFuture<>());
        until(() -> reports.of("key orders/a").size() == 2); // a new case
    }

    @Test
    void m5_laneThatWaitsForAWorkerWhileAllAreBlocked_isReportedWithWhatItWaitsFor() {
        Spindle spindle = spindles.of(options().coreThreads(2).maxThreads(2));
        Keyed<String> orders = spindle.keyed("orders");
        for (String key : List.of("a", "b")) {
            orders.execute(key, gate());
        }
        gates.forEach(Gate::awaitEntered);
        orders.execute("c", () -> {});

        Activity stuck = reports.awaitStuck("key orders/c");

        assertThat(stuck.pending()).isEqualTo(1);
        assertThat(stuck.oldestAge()).isGreaterThanOrEqualTo(LIMIT);
        assertThat(stuck.thread()).isNull();
        WaitEdge waits = requireNonNull(stuck.waitsFor());
        assertThat(waits.to().owner()).isEqualTo("a worker of spindle watched");
        until(() -> !lines("key orders/c of spindle watched is stuck: the oldest of 1 pending has waited for ")
                .isEmpty());
    }

    @Test
    void m5_laneWhoseTasksGoOnEnding_isLate() {
        Spindle spindle = spindles.of(options());
        Keyed<String> orders = spindle.keyed("orders");
        Runnable slow = () -> pause(Duration.ofMillis(20));
        for (int i = 0; i < 100; i++) {
            orders.execute("a", slow);
        }

        Activity late = reports.await("key orders/a");

        assertThat(late.isLate()).isTrue();
        assertThat(late.pending()).isPositive();
        assertThat(late.oldestAge()).isGreaterThanOrEqualTo(LIMIT);
        until(() -> !lines("key orders/a of spindle watched is late: its tasks go on ending, but the oldest of ")
                .isEmpty());
        assertThat(reports.of("key orders/a")).hasSize(1);
        assertThat(orders.at("a").cancelPending()).isNotEmpty();
    }

    @Test
    void m5_pausedLane_isNotReported() {
        Spindle spindle = spindles.of(options());
        Lane paused = spindle.keyed("orders").at("a");
        paused.pause();
        paused.execute(() -> {});

        passLimit(spindle, "1");
        passLimit(spindle, "2");

        assertThat(reports.of("key orders/a")).isEmpty();
        paused.resume();
    }

    @Test
    void m5_logicalExecutorWhoseOnlyTaskHangs_isReportedWithTheTaskThatItWaitsFor() {
        Spindle spindle = spindles.of(options());
        LogicalExecutor jdbc = spindle.executor("jdbc", 1);
        Gate gate = gate();
        jdbc.execute(gate);
        gate.awaitEntered();
        jdbc.execute(() -> {});

        Activity task = reports.await("executor jdbc", activity -> activity.thread() != null);
        Activity waiting = reports.await("executor jdbc", activity -> activity.thread() == null && !activity.isLate());

        assertThat(task.runningFor()).isGreaterThanOrEqualTo(LIMIT);
        assertThat(task.pending()).isEqualTo(1);
        assertThat(waiting.kind()).isEqualTo(Activity.Kind.EXECUTOR);
        assertThat(waiting.oldestAge()).isGreaterThanOrEqualTo(LIMIT);
        WaitEdge waits = requireNonNull(waiting.waitsFor());
        assertThat(waits.to().thread()).isSameAs(task.thread());
        gate.open();
        result(jdbc.submit(() -> {}));
    }

    @Test
    void m5_logicalExecutorWithALongQueueThatMoves_isLate() {
        Spindle spindle = spindles.of(options());
        LogicalExecutor jdbc = spindle.executor("jdbc", 1);
        for (int i = 0; i < 100; i++) {
            jdbc.execute(() -> pause(Duration.ofMillis(20)));
        }

        assertThat(reports.await("executor jdbc").isLate()).isTrue();
        assertThat(jdbc.shutdownNow()).isNotEmpty();
    }

    @Test
    void m5_taskThatHangsDuringAShutdown_isReported() {
        Spindle spindle = single();
        spindle.keyed("orders").execute("a", gate());
        spindle.shutdown();

        assertThat(reports.await("key orders/a").runningFor()).isGreaterThanOrEqualTo(LIMIT);
    }

    @Test
    void m5_taskThatWaitsForAnotherKey_saysForWhich() {
        Spindle spindle = spindles.of(options());
        Keyed<String> orders = spindle.keyed("orders");
        Gate gate = gate();
        orders.execute("b", gate);
        CompletableFuture<?> task =
                orders.submit("a", () -> orders.submit("b", () -> {}).join());

        Activity stuck = reports.await("key orders/a");

        WaitEdge waits = requireNonNull(stuck.waitsFor());
        assertThat(waits.to().owner()).isEqualTo("key orders/b");
        until(() ->
                lines("key orders/a").stream().anyMatch(line -> line.contains(", waits for key orders/b (RESULT)")));
        gate.open();
        Object unused = result(task);
    }

    /** Tasks of other keys go on ending, but none for which the key waits. */
    @Test
    void m5_keyOfASpaceWhoseOnlyTurnHangs_isStuckAndSaysWhy() {
        Spindle spindle = spindles.of(options());
        Keyed<String> limited =
                spindle.<String>keyedBuilder("limited").maxConcurrency(1).build();
        limited.execute("a", gate());
        limited.execute("b", () -> {});
        AtomicBoolean ends = new AtomicBoolean();
        Lane other = spindle.keyed("others").at("c");
        other.execute(new Runnable() {
            @Override
            public void run() {
                pause(Duration.ofMillis(1));
                if (!ends.get()) {
                    other.execute(this);
                }
            }
        });

        Activity stuck = reports.awaitStuck("key limited/b");

        WaitEdge waits = requireNonNull(stuck.waitsFor());
        assertThat(waits.to().owner()).isEqualTo("keys limited");
        ends.set(true);
    }

    @Test
    void m5_pausedExecutorAndPausedSpace_areNotReported() {
        Spindle spindle = spindles.of(options());
        LogicalExecutor jdbc = spindle.executor("jdbc", 1);
        jdbc.setMaxConcurrency(0);
        jdbc.execute(() -> {});
        Keyed<String> space = spindle.keyed("space");
        space.setMaxConcurrency(0);
        space.execute("a", () -> {});

        passLimit(spindle, "1");
        passLimit(spindle, "2");

        assertThat(reports.of("executor jdbc")).isEmpty();
        assertThat(reports.of("key space/a")).isEmpty();
        jdbc.setMaxConcurrency(1);
        space.setMaxConcurrency(1);
    }

    // ---------------------------------------------------------------- how it is reported

    @Test
    void m5_handlerThatBlocks_stopsNeitherOtherReportsNorTheWatch() {
        Gate block = gate();
        Spindle spindle = spindles.of(spindles.builder()
                .name("watched")
                .coreThreads(1)
                .maxThreads(1)
                .stuckAfter(LIMIT)
                .onStuck(activity -> block.run()));
        Keyed<String> orders = spindle.keyed("orders");
        Gate first = gate();
        orders.execute("a", first);
        block.awaitEntered();
        CompletableFuture<Boolean> limit =
                orders.at("c").submitAsync(() -> new CompletableFuture<Boolean>(), Duration.ofMillis(50));
        Gate second = gate();
        orders.execute("b", second);
        first.open();
        second.awaitEntered();

        until(() -> !lines("key orders/b of spindle watched is stuck").isEmpty());
        until(limit::isCompletedExceptionally); // nothing else of the completer waits for the handler (A3)
    }

    @Test
    void m5_handlerThatThrows_isCountedAndCalledAgain() {
        Spindle spindle = spindles.of(spindles.builder()
                .name("watched")
                .coreThreads(1)
                .maxThreads(1)
                .stuckAfter(LIMIT)
                .onStuck(activity -> {
                    reports.accept(activity);
                    throw new AssertionError("handler");
                }));
        passLimit(spindle, "1");
        passLimit(spindle, "2");

        until(() -> spindle.stats().handlerFailures() == 2);
    }

    @Test
    void m5_keyWhoseToStringThrowsOrHasControlCharacters_isReportedInOneLine() {
        Spindle spindle = spindles.of(options().coreThreads(2));
        Keyed<Object> orders = spindle.keyed("orders");
        orders.execute("x\nroot logged in\u001b[2J", gate());
        orders.execute(
                new Object() {
                    @Override
                    public String toString() {
                        throw new IllegalStateException("toString");
                    }
                },
                gate());

        until(() -> !lines("a key whose toString threw java.lang.IllegalStateException")
                .isEmpty());
        until(() -> !lines("key orders/x?root logged in?[2J of spindle watched is stuck")
                .isEmpty());
    }

    @Test
    void m5_laneThatIsEmptyWhenItsTurnToBeReportedComes_isNotReported() {
        Spindle spindle = single();
        Keyed<Slow> orders = spindle.keyed("orders");
        Gate running = gate();
        spindle.execute(running);
        Gate name = gate();
        List<CompletableFuture<?>> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiting.add(orders.submit(new Slow(i, name), () -> {}));
        }
        name.awaitEntered(); // in the report of one of the keys

        running.open();
        waiting.forEach(TestSupport::result);
        name.open();
        passLimit(spindle, "1");

        assertThat(lines("key orders/")).hasSizeLessThanOrEqualTo(1);
        assertThat(lines("oldest of 0 pending")).isEmpty();
    }

    /** A key whose name takes a long time, on threads that are not the test's. */
    private record Slow(int number, Gate gate) {
        @Override
        public String toString() {
            gate.run();
            return "slow " + number;
        }
    }

    /** If the machine is slow, a key may also be reported since it waits for its thread. */
    @Test
    void m5_manyCasesAtOnce_tenAreReportedASecond_andTheRestIsCounted() {
        int all = 40;
        Spindle spindle = spindles.of(options().coreThreads(all).maxThreads(all));
        Keyed<Integer> orders = spindle.keyed("orders");
        long begin = System.nanoTime();
        for (int key = 0; key < all; key++) {
            orders.execute(key, gate());
        }
        gates.forEach(Gate::awaitEntered);

        until(() ->
                counted() > 0 && counted() + lines(" of spindle watched is ").size() >= all);
        long seconds = Duration.ofNanos(System.nanoTime() - begin).toSeconds();
        assertThat(lines(" of spindle watched is ").size()).isBetween(10, (int) (10 * (seconds + 2)));
        until(() -> spindle.kernel().pool().host().stuck().size() == all);
    }

    private int counted() {
        return lines(" more cases of stuck or late work in spindle watched were not reported").stream()
                .mapToInt(line -> Integer.parseInt(line.substring(0, line.indexOf(' '))))
                .sum();
    }

    @Test
    void m5_zero_isOff() {
        Spindle off = spindles.of(
                spindles.builder().name("unwatched").stuckAfter(Duration.ZERO).onStuck(reports));
        off.execute(gate());
        passLimit(spindles.of(options()), "1");

        assertThat(reports.of("spindle unwatched")).isEmpty();
        until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("unwatched-clock")));
        assertThatThrownBy(() -> Spindles.options().stuckAfter(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("stuckAfter must not be negative, is PT-0.001S");
    }

    @Test
    void m5_casesThatHaveEnded_areForgotten() {
        Spindle spindle = spindles.of(options());
        Keyed<String> orders = spindle.keyed("orders");
        Gate gate = gate();
        orders.execute("a", gate);
        CompletableFuture<String> answer = new CompletableFuture<>();
        orders.submitAsync("b", () -> answer);
        Activity unused = reports.await("key orders/a");
        Activity unusedToo = reports.await("key orders/b");
        assertThat(spindle.kernel().pool().host().stuck())
                .extracting(Activity::owner)
                .containsExactlyInAnyOrder("key orders/a", "key orders/b");

        gate.open();
        answer.complete("b");

        until(() -> spindle.kernel().pool().host().stuck().isEmpty());
    }

    @Test
    void t5_afterTheLastWork_nothingWatches() {
        Spindle spindle = spindles.of(options().name("rested"));
        result(spindle.submit(() -> {}));
        Gate gate = gate();
        spindle.execute(gate);
        Activity unused = reports.await("spindle rested");
        gate.open();

        until(() -> Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .noneMatch(name -> name.startsWith("rested-clock")
                        || name.startsWith("rested-completer")
                        || name.startsWith("rested-stuck")));

        spindle.execute(gate()); // and again
        until(() -> reports.of("spindle rested").size() == 2);
    }

    private static void pause(Duration time) {
        try {
            boolean unused = new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
