// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.passThrough;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.TestSupport.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The limit on the keys of a space that run at once: F4, N2, K8, A1, D1, M1 and M4. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
class KeyLimitContractTest {
    @RegisterExtension
    final Spindles spindles = new Spindles();

    private static <K> Keyed<K> limited(Spindle spindle, int keys) {
        return spindle.<K>keyedBuilder("orders").maxConcurrency(keys).build();
    }

    /** With 54 of 64 threads in the connection pool, an application had ten threads left for all other work. */
    @Test
    void n2_keysThatShareTenConnections_holdNoThreadWhileTheyWait() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(64).maxThreads(64));
        Keyed<Integer> orders = limited(spindle, 10);
        Semaphore connections = new Semaphore(10);
        AtomicInteger waited = new AtomicInteger();
        AtomicInteger using = new AtomicInteger();
        CountDownLatch tenInUse = new CountDownLatch(10);
        Gate gate = new Gate();
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < 640; i++) {
            all.add(orders.submit(i % 64, () -> {
                if (!connections.tryAcquire()) {
                    waited.incrementAndGet();
                    connections.acquireUninterruptibly();
                }
                using.incrementAndGet();
                tenInUse.countDown();
                gate.run();
                using.decrementAndGet();
                connections.release();
            }));
        }
        await(tenInUse);
        result(spindle.submit(() -> "a thread for other work"));
        passThrough(spindle);
        assertThat(using).hasValue(10);
        assertThat(orders.stats().running()).isEqualTo(10);
        assertThat(orders.stats().pending()).isEqualTo(630);
        assertThat(orders.stats().maxConcurrency()).isEqualTo(10);
        gate.open();
        all.forEach(TestSupport::result);
        assertThat(waited).as("threads that waited inside the connection pool").hasValue(0);
    }

    @Test
    void n2_laneThatIsNeverEmpty_letsTheOthersRun() {
        Spindle spindle = spindles.of(spindles.builder());
        Keyed<String> orders = limited(spindle, 1);
        AtomicInteger rounds = new AtomicInteger();
        Runnable endless = new Runnable() {
            @Override
            public void run() {
                if (rounds.incrementAndGet() > 0) {
                    orders.execute("endless", this);
                    orders.execute("endless", () -> {});
                }
            }
        };
        orders.execute("endless", endless);
        for (int i = 0; i < 100; i++) {
            result(orders.submit("key " + i, () -> {}));
        }
        rounds.set(Integer.MIN_VALUE);
        result(orders.submit("endless", () -> {})); // the task that has seen the earlier value has submitted its last
    }

    @Test
    void n2_asyncTasksWithoutEnd_letTheOthersRun() {
        Keyed<String> orders = limited(spindles.spindle(), 1);
        Gate gate = new Gate();
        orders.execute("endless", gate);
        gate.awaitEntered();
        for (int i = 0; i < 1_000; i++) {
            orders.submitAsync("endless", () -> CompletableFuture.supplyAsync(() -> ""));
        }
        CompletableFuture<?> other =
                orders.submit("other", () -> orders.at("endless").activity().pending());
        gate.open();
        assertThat((Integer) result(other))
                .as("tasks that are still behind the other key")
                .isGreaterThan(900);
    }

    @Test
    void n2_waitingKeys_areServedInTheOrderInWhichTheyBecameReady() {
        Keyed<Integer> orders = limited(spindles.spindle(), 1);
        Gate gate = new Gate();
        orders.execute(-1, gate);
        gate.awaitEntered();
        List<Integer> order = new ArrayList<>(); // plain: one key at a time
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            int key = i;
            all.add(orders.submit(i, () -> order.add(key)));
        }
        gate.open();
        all.forEach(TestSupport::result);
        assertThat(order).hasSize(1_000).isSorted();
    }

    @Test
    void n2_poolOfOneThread_servesALimitedSpaceAndOtherWork() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(1).maxThreads(1));
        Keyed<Integer> orders = limited(spindle, 1);
        CompletableFuture<String> open = new CompletableFuture<>();
        CompletableFuture<String> first = orders.submitAsync(0, () -> open);
        CompletableFuture<?> second = orders.submit(1, () -> {});
        result(spindle.keyed("others").submit(0, () -> {}));
        result(spindle.submit(() -> {}));
        assertThat(second).isNotDone();
        open.complete("answer");
        assertThat(result(first)).isEqualTo("answer");
        result(second);
    }

    @Test
    void n2_limitAboveThePool_isThatOfThePool() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(2).maxThreads(2));
        Keyed<Integer> orders = limited(spindle, Integer.MAX_VALUE);
        orders.setMaxConcurrency(Integer.MAX_VALUE - 1);
        CountDownLatch both = new CountDownLatch(2);
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            all.add(orders.submit(i, () -> {
                both.countDown();
                await(both);
            }));
        }
        all.forEach(TestSupport::result);
    }

    /** However a turn ends, its permit is there for the next key. */
    @TestFactory
    Stream<DynamicTest> a1_turnThatEnds_givesItsPermitBack() {
        Map<String, Consumer<Lane>> ends = Map.ofEntries(
                Map.entry("normally", lane -> lane.execute(() -> {})),
                Map.entry(
                        "exception",
                        lane -> lane.execute(() -> {
                            throw new IllegalStateException("on purpose");
                        })),
                Map.entry(
                        "error",
                        lane -> lane.execute(() -> {
                            throw new AssertionError("on purpose");
                        })),
                Map.entry("stack overflow", lane -> lane.execute(KeyLimitContractTest::overflow)),
                Map.entry("cancel of the run", lane -> {
                    Gate gate = new Gate();
                    CompletableFuture<?> run = lane.submit(gate);
                    gate.awaitEntered();
                    run.cancel(true);
                }),
                Map.entry("stage completes", lane -> lane.submitAsync(() -> CompletableFuture.completedFuture("now"))),
                Map.entry("stage fails", lane -> lane.submitAsync(() -> CompletableFuture.failedFuture(new Error()))),
                Map.entry("stage fails later", lane -> {
                    CompletableFuture<String> stage = new CompletableFuture<>();
                    lane.submitAsync(() -> stage);
                    until(() -> lane.activity().kind() == Activity.Kind.ASYNC);
                    stage.completeExceptionally(new Error());
                }),
                Map.entry("null stage", lane -> lane.submitAsync(TestSupport::unsafeNull)),
                Map.entry(
                        "async task throws",
                        lane -> lane.submitAsync(() -> {
                            throw new IllegalStateException("on purpose");
                        })),
                Map.entry("cancel of the async task", lane -> {
                    CompletableFuture<String> open = lane.submitAsync(() -> new CompletableFuture<>());
                    until(() -> lane.activity().kind() == Activity.Kind.ASYNC);
                    open.cancel(true);
                }),
                Map.entry(
                        "time limit", lane -> lane.submitAsync(() -> new CompletableFuture<>(), Duration.ofMillis(1))),
                Map.entry("pause", lane -> {
                    lane.execute(lane::pause);
                    lane.execute(() -> {});
                }),
                Map.entry("cancelPending", lane -> {
                    lane.execute(lane::cancelPending);
                    lane.execute(() -> {});
                }),
                Map.entry("superseded", lane -> {
                    lane.coalesce(() -> {});
                    lane.coalesce(() -> {});
                }));
        return ends.entrySet().stream()
                .map(end -> DynamicTest.dynamicTest(end.getKey(), () -> {
                    Spindle spindle = spindles.spindle();
                    Keyed<String> orders = limited(spindle, 1);
                    for (int i = 0; i < 3; i++) {
                        end.getValue().accept(orders.at("key " + i));
                        result(orders.submit("next " + i, () -> {}));
                    }
                    assertExactlyOneRuns(orders);
                    spindle.shutdownNow();
                    assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
                    spindles.takeFailures();
                }));
    }

    @SuppressWarnings("InfiniteRecursion")
    private static void overflow() {
        overflow();
    }

    /** Fails if a permit was given back twice. */
    private static void assertExactlyOneRuns(Keyed<String> orders) {
        Gate gate = new Gate();
        CompletableFuture<?> first = orders.submit("first", gate);
        gate.awaitEntered();
        CompletableFuture<?> second = orders.submit("second", () -> {});
        until(() -> orders.stats().pending() >= 1);
        assertThat(orders.stats().running()).isEqualTo(1);
        assertThat(second).isNotDone();
        gate.open();
        result(first);
        result(second);
    }

    @Test
    void d1_shutdownNow_endsTurnsAndKeysThatWait() throws InterruptedException {
        Spindle spindle = spindles.spindle();
        Keyed<Integer> orders = limited(spindle, 2);
        Gate gate = new Gate();
        orders.execute(0, gate);
        gate.awaitEntered();
        CompletableFuture<String> open = orders.submitAsync(1, () -> new CompletableFuture<>());
        until(() -> orders.stats().running() == 2);
        Runnable waiting = () -> {};
        for (int key = 2; key < 100; key++) {
            orders.execute(key, waiting);
        }
        assertThat(spindle.shutdownNow()).hasSize(98).containsOnly(waiting);
        assertThat(open).isCancelled();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void d1_shutdownOfASpaceWithALimitOf0_runsAllThatWasAccepted() throws InterruptedException {
        Spindle spindle = spindles.spindle();
        Keyed<Integer> orders = spindle.keyed("orders");
        orders.setMaxConcurrency(0);
        AtomicInteger ran = new AtomicInteger();
        for (int key = 0; key < 100; key++) {
            orders.execute(key, ran::incrementAndGet);
        }
        passThrough(spindle);
        assertThat(ran).hasValue(0);
        spindle.shutdown();
        orders.setMaxConcurrency(0); // too late: all that was accepted has to run
        assertThat(orders.stats().maxConcurrency()).isEqualTo(1);
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(ran).hasValue(100);
    }

    @Test
    void d2_closeWithATimeout_reportsKeysThatWaitForALimit() {
        Spindle spindle = spindles.spindle();
        Keyed<Integer> orders = limited(spindle, 1);
        orders.submitAsync(0, () -> new CompletableFuture<>());
        orders.execute(1, () -> {});
        assertThat(spindle.close(Duration.ofMillis(10)).byOwner()).containsKey("key orders/1");
    }

    @Test
    void f4_limitSetWhileKeysRun_countsThem() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(8).maxThreads(8));
        Keyed<Integer> orders = spindle.keyed("orders");
        List<Gate> gates = new ArrayList<>();
        for (int key = 0; key < 4; key++) {
            Gate gate = new Gate();
            gates.add(gate);
            orders.execute(key, gate);
            gate.awaitEntered();
        }
        CompletableFuture<String> open = new CompletableFuture<>();
        orders.submitAsync(4, () -> open);
        until(() -> orders.stats().running() == 5);
        orders.setMaxConcurrency(2);
        CompletableFuture<?> next = orders.submit(5, () -> {});
        for (int i = 0; i < 3; i++) {
            gates.get(i).open();
            int left = 4 - i;
            until(() -> orders.stats().running() == left);
        }
        passThrough(spindle);
        assertThat(next).as("with two keys that run").isNotDone();
        open.complete("");
        result(next);
        gates.get(3).open();
        assertThat(orders.stats().maxConcurrency()).isEqualTo(2);
    }

    @Test
    void f4_limitThatGrows_letsWaitingKeysRunWithoutAnotherSubmit() {
        Keyed<Integer> orders = limited(spindles.of(spindles.builder().coreThreads(8)), 1);
        orders.setMaxConcurrency(0);
        CountDownLatch three = new CountDownLatch(3);
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int key = 0; key < 3; key++) {
            all.add(orders.submit(key, () -> {
                three.countDown();
                await(three);
            }));
        }
        orders.setMaxConcurrency(3);
        all.forEach(TestSupport::result);
    }

    @Test
    void f4_wrongLimit_isRefusedWithItsNameAndValue() {
        Spindle spindle = spindles.spindle();
        assertThatThrownBy(() -> spindle.keyed("orders").setMaxConcurrency(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxConcurrency")
                .hasMessageContaining("-1");
        assertThatThrownBy(() -> spindle.keyedBuilder("others").maxConcurrency(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxConcurrency")
                .hasMessageContaining("0");
        assertThat(spindle.keyed("orders").stats().maxConcurrency()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void k8_quiesceOfASpaceWithALimitOf0_waitsForItsTasksAlone() {
        Spindle spindle = spindles.spindle();
        Keyed<String> orders = spindle.keyed("orders");
        result(orders.submit("idle", () -> {}));
        orders.at("paused").pause();
        orders.setMaxConcurrency(0);
        until(() -> orders.stats().running() == 0);
        result(orders.quiesce());
        CompletableFuture<?> task = orders.submit("waits", () -> {});
        CompletableFuture<?> quiet = orders.quiesce();
        passThrough(spindle);
        assertThat(quiet).isNotDone();
        orders.setMaxConcurrency(1);
        result(quiet);
        assertThat(task).isDone();
    }

    @Test
    void m4_keyThatWaits_isListedWithTheSpaceThatItWaitsFor() {
        Spindle spindle = spindles.spindle();
        Keyed<String> orders = limited(spindle, 1);
        Gate gate = new Gate();
        orders.execute("runs", gate);
        gate.awaitEntered();
        orders.execute("waits", () -> {});
        assertThat(spindle.waits()).singleElement().satisfies(edge -> {
            assertThat(edge.from().owner()).isEqualTo("key orders/waits");
            assertThat(edge.to().owner()).isEqualTo("keys orders");
            assertThat(edge.to().kind()).isEqualTo(Activity.Kind.EXECUTOR);
            assertThat(edge.kind()).isEqualTo(WaitEdge.Kind.ROOM);
            assertThat(edge.isCyclic()).isFalse();
        });
        assertThat(orders.at("waits").activity().waitsFor()).isNotNull();
        gate.open();
        until(() -> spindle.waits().isEmpty());
    }
}
