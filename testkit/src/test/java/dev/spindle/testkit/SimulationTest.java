// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.testkit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import dev.spindle.Strand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
class SimulationTest {
    private static final long HOUR = Duration.ofHours(1).toNanos();

    private final List<String> log = new ArrayList<>();

    private Runnable says(String what) {
        return () -> log.add(what);
    }

    // ---------------------------------------------------------------- order

    /** Ten tasks for each of three keys, and ten plain ones. */
    private List<String> mixed(Simulation simulation) {
        Keyed<String> keyed = simulation.spindle().keyed("keys");
        List<String> ran = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            for (String key : List.of("a", "b", "c")) {
                String task = key + i;
                keyed.execute(key, () -> ran.add(task));
            }
            String task = "plain" + i;
            simulation.spindle().execute(() -> ran.add(task));
        }
        assertThat(ran).as("nothing runs before it is told to").isEmpty();
        simulation.run();
        simulation.close();
        return ran;
    }

    private static List<String> of(String key, List<String> ran) {
        return ran.stream().filter(t -> t.startsWith(key)).toList();
    }

    @Test
    void run_sameSeed_isTheSame() {
        assertThat(mixed(Simulation.seeded(7))).isEqualTo(mixed(Simulation.seeded(7)));
    }

    @Test
    void run_manySeeds_areManyOrdersAndEachKeepsItsKeys() {
        Set<List<String>> orders = new HashSet<>();
        for (int seed = 0; seed < 100; seed++) {
            List<String> ran = mixed(Simulation.seeded(seed));
            orders.add(ran);
            for (String key : List.of("a", "b", "c")) {
                assertThat(of(key, ran))
                        .isEqualTo(IntStream.range(0, 10).mapToObj(i -> key + i).toList());
            }
            assertThat(ran).hasSize(40);
        }
        assertThat(orders).hasSize(100);
    }

    @Test
    void run_manySeeds_turnsOfTwoKeysInterleaveTaskByTask() {
        assertThat(IntStream.range(0, 50))
                .as("a lane loses its turn in the midst, and another comes between")
                .anyMatch(seed -> {
                    List<String> ran = mixed(Simulation.seeded(seed));
                    int a0 = ran.indexOf("a0");
                    return ran.indexOf("b0") > a0 && ran.indexOf("b0") < ran.indexOf("a9");
                });
    }

    @Test
    void run_inOrder_isTheOrderOfReadiness() {
        try (Simulation simulation = Simulation.inOrder()) {
            Spindle spindle = simulation.spindle();
            spindle.execute(says("1"));
            spindle.<String>keyed("keys").execute("k", says("2"));
            spindle.execute(says("4"));
            spindle.<String>keyed("keys").execute("k", says("3"));

            assertThat(simulation.run()).isEqualTo(3);
        }
        assertThat(log).containsExactly("1", "2", "3", "4");
    }

    @Test
    void step_nothingReady_isFalse() {
        try (Simulation simulation = Simulation.inOrder()) {
            simulation.spindle().execute(says("task"));

            assertThat(simulation.step()).isTrue();
            assertThat(simulation.step()).isFalse();
        }
    }

    @Test
    void coalesce_newerBeforeTheRun_onlyItRuns() {
        try (Simulation simulation = Simulation.seeded(1)) {
            Keyed<String> keyed = simulation.spindle().keyed("keys");
            keyed.coalesce("k", says("old"));
            keyed.coalesce("k", says("new"));

            simulation.run();
        }
        assertThat(log).containsExactly("new");
    }

    @Test
    void run_taskThatFails_tellsTheHandlerAndGoesOn() {
        Exception failure = new IllegalArgumentException("expected");
        List<Throwable> told = new ArrayList<>();
        try (Simulation simulation =
                Simulation.inOrder(Spindle.builder().onFailure((activity, thrown) -> told.add(thrown)))) {
            Keyed<String> keyed = simulation.spindle().keyed("keys");
            keyed.execute("k", () -> {
                throw (IllegalArgumentException) failure;
            });
            keyed.execute("k", says("next"));
            simulation.run();
        }
        assertThat(told).containsExactly(failure);
        assertThat(log).containsExactly("next");
    }

    @Test
    void run_taskThatSubmitsItselfForEver_isToldSo() {
        try (Simulation simulation = Simulation.inOrder()) {
            boolean[] ended = new boolean[1];
            simulation.spindle().execute(new Runnable() {
                @Override
                public void run() {
                    if (!ended[0]) {
                        simulation.spindle().execute(this);
                    }
                }
            });

            assertThatThrownBy(simulation::run)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("endlessly");
            ended[0] = true;
        }
    }

    // ---------------------------------------------------------------- explore

    /**
     * Two clients withdraw from an account, each with a check and a booking in two tasks, between which others may run.
     */
    private static void overdraw(Simulation simulation) {
        Keyed<String> keyed = simulation.spindle().keyed("keys");
        int[] balance = {100};
        for (String client : List.of("x", "y")) {
            keyed.execute(client, () -> {
                if (balance[0] >= 80) {
                    keyed.execute(client, () -> balance[0] -= 80);
                }
            });
        }
        simulation.run();
        assertThat(balance[0]).isNotNegative();
    }

    @Test
    void explore_faultThatShowsInSomeOrders_namesASeedThatReplaysIt() {
        assertThatThrownBy(() -> Simulation.explore(100, SimulationTest::overdraw))
                .isInstanceOf(AssertionError.class)
                .hasMessageMatching("(?s)seed (\\d+) fails, see Simulation.replay\\(\\1, \\.\\.\\): .*")
                .satisfies(e -> {
                    long seed = Long.parseLong(requireNonNull(e.getMessage()).replaceAll("(?s)seed (\\d+) .*", "$1"));
                    assertThatThrownBy(() -> Simulation.replay(seed, SimulationTest::overdraw))
                            .isInstanceOf(AssertionError.class)
                            .hasMessage(e.getMessage());
                });
    }

    @Test
    void explore_nothingWrong_runsAllSeeds() {
        int[] runs = new int[1];

        Simulation.explore(20, simulation -> runs[0]++);

        assertThat(runs[0]).isEqualTo(20);
    }

    @Test
    void explore_noSeeds_isRefused() {
        assertThatThrownBy(() -> Simulation.explore(0, simulation -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("seeds must be at least 1, is 0");
    }

    // ---------------------------------------------------------------- time

    @Test
    void advance_delayedTasks_runAtTheirTimes() {
        try (Simulation simulation = Simulation.seeded(3)) {
            long begin = simulation.spindle().nanoTime();
            Strand strand = simulation.spindle().strand("s");
            for (int hour = 1; hour <= 48; hour++) {
                strand.schedule(
                        () -> log.add("" + (simulation.spindle().nanoTime() - begin) / HOUR), hour, TimeUnit.HOURS);
            }

            simulation.run();
            assertThat(log).as("no time passes in run").isEmpty();
            simulation.advance(Duration.ofHours(24));
        }
        assertThat(log)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 48).mapToObj(Integer::toString).toList());
    }

    @Test
    void advance_periodicTask_runsOncePerPeriod() {
        try (Simulation simulation = Simulation.inOrder()) {
            simulation.spindle().scheduleAtFixedRate(says("tick"), 0, 1, TimeUnit.MINUTES);

            simulation.advance(Duration.ofDays(1));

            assertThat(log).hasSize(24 * 60 + 1);
        }
    }

    @Test
    void advance_taskThatTakesTime_delaysTheNextOfItsLane() {
        List<Long> starts = new ArrayList<>();
        try (Simulation simulation = Simulation.inOrder()) {
            simulation
                    .spindle()
                    .strand("s")
                    .scheduleWithFixedDelay(
                            () -> {
                                starts.add(TimeUnit.NANOSECONDS.toSeconds(
                                        simulation.spindle().nanoTime()));
                                simulation.advance(Duration.ofSeconds(5));
                            },
                            1,
                            10,
                            TimeUnit.SECONDS);

            simulation.advance(Duration.ofMinutes(1));
        }
        assertThat(starts).containsExactly(1L, 16L, 31L, 46L);
    }

    @Test
    void a2_turnThatNeverEndsAndTakesTime_delayedTasksRunAtTheirTimes() {
        List<Long> ran = new ArrayList<>();
        try (Simulation simulation = Simulation.inOrder()) {
            Spindle spindle = simulation.spindle();
            spindle.schedule(() -> ran.add(simulation.spindle().nanoTime()), 50, TimeUnit.NANOSECONDS);
            Strand strand = spindle.strand("busy");
            strand.execute(new Runnable() {
                @Override
                public void run() {
                    simulation.advance(Duration.ofNanos(10));
                    if (ran.isEmpty() && simulation.spindle().nanoTime() < 10_000) {
                        strand.execute(this);
                    }
                }
            });
            simulation.run();
        }
        assertThat(ran).hasSize(1).allMatch(time -> time <= 50 + 33 * 10, "at most a quantum late");
    }

    @Test
    void advance_backwards_isRefused() {
        try (Simulation simulation = Simulation.inOrder()) {
            assertThatThrownBy(() -> simulation.advance(Duration.ofNanos(-1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("PT-0.000000001S");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 1_000_000, Long.MAX_VALUE, Long.MIN_VALUE})
    void advance_anySeed_countsFromAnyTime(long seed) {
        try (Simulation simulation = Simulation.seeded(seed)) {
            simulation.spindle().schedule(says("due"), 1, TimeUnit.DAYS);

            simulation.advance(Duration.ofDays(1).minusNanos(1));
            assertThat(log).isEmpty();
            simulation.advance(Duration.ofNanos(1));
            assertThat(log).containsExactly("due");
        }
    }

    // ---------------------------------------------------------------- waiting

    @Test
    void get_byTheTest_runsWhatItWaitsFor() throws Exception {
        try (Simulation simulation = Simulation.seeded(5)) {
            Keyed<String> keyed = simulation.spindle().keyed("keys");
            keyed.execute("k", says("first"));

            assertThat(keyed.submit("k", () -> "second").get()).isEqualTo("second");
            assertThat(log).containsExactly("first");
        }
    }

    @Test
    void get_byATask_runsTheOther() throws Exception {
        try (Simulation simulation = Simulation.seeded(5)) {
            Keyed<String> keyed = simulation.spindle().keyed("keys");

            Future<String> outer = keyed.submit(
                    "outer", () -> keyed.submit("inner", () -> "from within").get() + ", and out");

            assertThat(outer.get()).isEqualTo("from within, and out");
        }
    }

    @Test
    void get_delayedTask_letsTimePass() throws Exception {
        try (Simulation simulation = Simulation.inOrder()) {
            assertThat(simulation
                            .spindle()
                            .schedule(() -> "late", 1, TimeUnit.HOURS)
                            .get())
                    .isEqualTo("late");
            assertThat(simulation.spindle().nanoTime()).isEqualTo(HOUR);
        }
    }

    @Test
    void timedGet_tooShort_takesItsTimeOfTheClock() {
        try (Simulation simulation = Simulation.inOrder()) {
            Future<?> late = simulation.spindle().schedule(says("late"), 3, TimeUnit.HOURS);

            assertThatThrownBy(() -> late.get(1, TimeUnit.HOURS)).isInstanceOf(TimeoutException.class);
            assertThat(simulation.spindle().nanoTime()).isEqualTo(HOUR);
        }
        assertThat(log).as("close runs what was accepted").containsExactly("late");
    }

    @Test
    void get_ofAPausedKey_isADeadlock() {
        try (Simulation simulation = Simulation.inOrder()) {
            Keyed<String> keyed = simulation.spindle().keyed("keys");
            keyed.at("k").pause();
            Future<?> never = keyed.submit("k", says("task"));

            assertThatThrownBy(never::get)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("would never end");
        }
        assertThat(log).as("close ends the pause").containsExactly("task");
    }

    @Test
    void get_tasksThatWaitForEachOther_isADeadlock() {
        try (Simulation simulation = Simulation.seeded(2)) {
            Keyed<String> keyed = simulation.spindle().keyed("keys");
            CompletableFuture<Future<String>> second = new CompletableFuture<>();
            CompletableFuture<String> first =
                    keyed.submit("a", () -> second.join().get());
            second.complete(keyed.submit("b", () -> first.get()));

            simulation.run();

            assertThat(first).isCompletedExceptionally();
            assertThatThrownBy(first::join)
                    .isInstanceOf(CompletionException.class)
                    .hasRootCauseInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void invokeAllAndAny_runWhatTheyWaitFor() throws Exception {
        try (Simulation simulation = Simulation.seeded(4)) {
            List<Callable<String>> tasks = List.of(() -> "one", () -> "two");

            for (Future<String> future : simulation.spindle().invokeAll(tasks)) {
                assertThat(future).isDone();
            }
            assertThat(simulation.spindle().strand("s").invokeAny(tasks)).isEqualTo("one");
            assertThat(simulation.spindle().invokeAny(tasks)).isIn("one", "two");
        }
    }

    @Test
    void await_stage_runsWhatCompletesIt() throws Exception {
        try (Simulation simulation = Simulation.seeded(4)) {
            CompletableFuture<String> stage = new CompletableFuture<>();
            simulation.spindle().schedule(() -> stage.complete("done"), 1, TimeUnit.SECONDS);

            String result = simulation.await(stage.thenApply(s -> s + "!"));

            assertThat(result).isEqualTo("done!");
            assertThatThrownBy(() -> simulation.await(CompletableFuture.failedFuture(new Exception("expected"))))
                    .isInstanceOf(ExecutionException.class);
            assertThatThrownBy(() -> simulation.await(new CompletableFuture<>()))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void submitAsync_openStage_holdsItsLaneUntilItsLimit() {
        try (Simulation simulation = Simulation.inOrder()) {
            Keyed<String> keyed = simulation.spindle().keyed("keys");
            CompletableFuture<String> open =
                    keyed.at("k").submitAsync(() -> new CompletableFuture<>(), Duration.ofSeconds(2));
            keyed.execute("k", says("next"));

            simulation.advance(Duration.ofSeconds(1));
            assertThat(log).isEmpty();
            simulation.advance(Duration.ofSeconds(1));

            assertThat(log).containsExactly("next");
            assertThat(open).isCompletedExceptionally();
        }
    }

    // ---------------------------------------------------------------- shutdown

    @Test
    void shutdown_runsWhatWasAccepted() throws Exception {
        Simulation simulation = Simulation.seeded(9);
        simulation.spindle().execute(says("task"));
        simulation.spindle().schedule(says("later"), 1, TimeUnit.HOURS);
        simulation.spindle().shutdown();

        assertThat(simulation.spindle().isTerminated()).isFalse();
        assertThat(simulation.spindle().awaitTermination(1, TimeUnit.MINUTES)).isFalse();
        assertThat(simulation.spindle().awaitTermination(1, TimeUnit.HOURS)).isTrue();
        assertThat(simulation.spindle().isTerminated()).isTrue();
        assertThat(log).containsExactly("task", "later");
        assertThatThrownBy(() -> simulation.spindle().execute(says("no more")))
                .isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void shutdownNow_returnsWhatWaits() {
        Simulation simulation = Simulation.seeded(9);
        Runnable task = says("task");
        simulation.spindle().execute(task);
        simulation.spindle().<String>keyed("keys").execute("k", task);

        assertThat(simulation.spindle().shutdownNow()).containsExactly(task, task);
        simulation.run();
        assertThat(simulation.spindle().isTerminated()).isTrue();
        assertThat(log).isEmpty();
    }

    @Test
    void shutdownNow_byATask_interruptsItAlone() {
        Simulation simulation = Simulation.inOrder();
        List<Boolean> interrupts = new ArrayList<>();
        simulation.spindle().execute(() -> {
            simulation.spindle().shutdownNow();
            interrupts.add(Thread.currentThread().isInterrupted());
        });
        Simulation other = Simulation.inOrder();
        other.spindle().execute(() -> {
            simulation.run();
            interrupts.add(Thread.currentThread().isInterrupted());
        });
        other.spindle().execute(() -> interrupts.add(Thread.currentThread().isInterrupted()));

        other.run();

        assertThat(interrupts).as("the task itself; and two of others").containsExactly(true, false, false);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(simulation.spindle().isTerminated()).isTrue();
        other.close();
    }

    @Test
    void shutdownNow_byATaskThatAnotherWaitsFor_interruptsTheWaiterToo() {
        Simulation simulation = Simulation.inOrder();
        List<Boolean> interrupts = new ArrayList<>();
        Spindle spindle = simulation.spindle();
        spindle.execute(() -> {
            spindle.submit(spindle::shutdownNow).join();
            interrupts.add(Thread.currentThread().isInterrupted());
        });

        simulation.run();

        assertThat(interrupts).containsExactly(true);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void close_openAsyncTask_isADeadlock() {
        Simulation simulation = Simulation.inOrder();
        simulation.spindle().<String>keyed("keys").submitAsync("k", () -> new CompletableFuture<>());
        simulation.run();

        assertThatThrownBy(simulation::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("async task");
    }

    // ---------------------------------------------------------------- threads

    @Test
    void step_byAnotherThread_isRefused() throws Exception {
        try (Simulation simulation = Simulation.inOrder()) {
            CompletableFuture<Boolean> step = CompletableFuture.supplyAsync(simulation::step);

            assertThatThrownBy(step::get)
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("simulated by the thread");
        }
    }

    @Test
    void stats_ofASimulation_countTasks() {
        try (Simulation simulation = Simulation.seeded(1)) {
            simulation.spindle().execute(says("1"));
            simulation.spindle().<String>keyed("keys").execute("k", says("2"));

            assertThat(simulation.spindle().stats().accepted()).isEqualTo(2);
            simulation.run();
            assertThat(simulation.spindle().stats().completed()).isEqualTo(2);
            assertThat(simulation.spindle().stats().threads()).isZero();
            assertThat(simulation).hasToString("simulation (seed 1) of " + simulation.spindle());
        }
    }

    // ---------------------------------------------------------------- numbers of threads

    @Test
    void numbersOfThreads_change_andHaveNoEffectOnTheOrder() {
        List<String> expected = mixed(Simulation.seeded(7));
        try (Simulation simulation = Simulation.seeded(7)) {
            Spindle spindle = simulation.spindle();
            spindle.setMaxThreads(3);
            spindle.setCoreThreads(2);
            assertThat(spindle.stats().maxThreads()).isEqualTo(3);
            assertThat(spindle.stats().coreThreads()).isEqualTo(2);
            assertThatThrownBy(() -> spindle.setMaxThreads(1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is 1 with coreThreads 2");
            assertThatThrownBy(() -> spindle.setCoreThreads(4))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is 3 with coreThreads 4");
            spindle.setCoreThreads(1);
            spindle.setMaxThreads(1);
            assertThat(mixed(simulation)).isEqualTo(expected);
        }
    }
}
