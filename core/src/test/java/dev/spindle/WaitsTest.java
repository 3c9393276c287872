// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.TestSupport.Gate;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@link Spindle#waits} for the waits of the executor itself. */
@Timeout(60)
class WaitsTest {
    private static final OnFull BLOCK = OnFull.block(Duration.ofMinutes(5));

    @RegisterExtension
    final Spindles spindles = new Spindles();

    private final Gate gate = new Gate();

    private static WaitEdge onlyWait(Spindle spindle) {
        until(() -> !spindle.waits().isEmpty());
        assertThat(spindle.waits()).hasSize(1);
        return spindle.waits().get(0);
    }

    private static void assertEdge(WaitEdge wait, String from, String to, WaitEdge.Kind kind) {
        assertThat(wait.from().owner()).isEqualTo(from);
        assertThat(wait.to().owner()).isEqualTo(to);
        assertThat(wait.kind()).isEqualTo(kind);
        assertThat(wait.age()).isGreaterThanOrEqualTo(Duration.ZERO);
        assertThat(wait.isCyclic()).isFalse();
    }

    @Test
    void m4_nobodyDoes_areNone() {
        Spindle spindle = spindles.spindle();
        spindle.execute(gate);
        spindle.keyed("keys").execute("a", gate);
        gate.awaitEntered();

        assertThat(spindle.waits()).isEmpty();
        gate.open();
    }

    @Test
    void m4_keyForAStrand_isListedWithBothNames() {
        Spindle spindle = spindles.spindle();
        CompletableFuture<?> written =
                spindle.strand("journal").submitAsync(() -> CompletableFuture.runAsync(gate, spindle));
        CompletableFuture<?> order = spindle.<Integer>keyed("orders").submit(4711, () -> written.join());

        until(() -> spindle.waits().size() == 2);
        assertThat(spindle.waits())
                .anySatisfy(
                        wait -> assertEdge(wait, "strand journal", "the stage of its async task", WaitEdge.Kind.STAGE))
                .anySatisfy(wait -> assertEdge(wait, "key orders/4711", "strand journal", WaitEdge.Kind.RESULT));
        gate.open();
        result(order);
        until(() -> spindle.waits().isEmpty()); // the lane continues after its future has completed
    }

    @Test
    void m4_plainTaskForAnother_isListedAsItsThread() {
        Spindle spindle = spindles.spindle();
        CompletableFuture<Thread> waiter = new CompletableFuture<>();
        var later = spindle.submit(gate);
        var waits = spindle.submit(() -> {
            waiter.complete(Thread.currentThread());
            return result(later);
        });

        assertEdge(onlyWait(spindle), "thread " + result(waiter).getName(), "a plain task", WaitEdge.Kind.RESULT);
        gate.open();
        result(waits);
    }

    @Test
    void m4_threadAtTheBoundOfAKey_isListed() {
        Spindle spindle = spindles.of(spindles.builder());
        spindle.keyed("keys").setKeyCapacity(1, BLOCK);
        Keyed<String> keys = spindle.keyed("keys");
        assertRoom(spindle, task -> keys.execute("alice", task), 1, "key keys/alice");
    }

    @Test
    void m4_threadAtTheBoundOfAStrand_isListed() {
        Spindle spindle = spindles.spindle();
        Strand strand = spindle.strandBuilder("journal").capacity(1, BLOCK).build();
        assertRoom(spindle, strand, 1, "strand journal");
    }

    @Test
    void m4_threadAtTheBoundOfALogicalExecutor_isListed() {
        Spindle spindle = spindles.spindle();
        LogicalExecutor reads = spindle.executorBuilder("reads")
                .maxConcurrency(1)
                .capacity(1, BLOCK)
                .build();
        assertRoom(spindle, reads, 1, "executor reads");
    }

    @Test
    void m4_threadAtTheBoundOfTheSpindle_isListed() {
        Spindle spindle = spindles.of(
                spindles.builder().name("main").coreThreads(1).maxThreads(1).capacity(2, BLOCK));
        assertRoom(spindle, spindle, 2, "spindle main");
    }

    /** Makes a thread wait at a bound of {@code places}. */
    private void assertRoom(Spindle spindle, Executor bounded, int places, String name) {
        bounded.execute(gate);
        gate.awaitEntered();
        for (int i = 0; i < places; i++) {
            bounded.execute(() -> {});
        }
        Thread submitter = new Thread(() -> bounded.execute(() -> {}), "feed");
        submitter.start();

        assertEdge(onlyWait(spindle), "thread feed", name, WaitEdge.Kind.ROOM);
        gate.open();
        until(() -> !submitter.isAlive());
        assertThat(spindle.waits()).isEmpty();
    }

    @Test
    void m4_cycleOfAResultAndABoundInTwoSpindles_isShownAsOne() {
        Spindle one = spindles.spindle();
        Spindle other = spindles.spindle();
        Strand bounded = one.strandBuilder("bounded").capacity(1, BLOCK).build();
        Strand feeds = other.strand("feeds");
        CountDownLatch full = new CountDownLatch(1);
        CompletableFuture<CompletableFuture<?>> feed = new CompletableFuture<>();
        CompletableFuture<?> waits = bounded.submit(() -> {
            await(full);
            feed.join().join();
        });
        feed.complete(feeds.submit(() -> {
            until(() -> bounded.activity().pending() == 0); // the first one has begun
            bounded.execute(() -> {});
            full.countDown();
            bounded.execute(() -> {}); // waits for room
        }));

        until(() -> one.waits().size() == 2);
        assertThat(one.waits())
                .allMatch(WaitEdge::isCyclic)
                .extracting(wait -> wait.from().owner() + " -> " + wait.to().owner() + " " + wait.kind())
                .containsExactlyInAnyOrder(
                        "strand feeds -> strand bounded ROOM", "strand bounded -> strand feeds RESULT");
        bounded.cancelPending();
        result(waits);
        result(feed.join());
        until(() -> one.waits().isEmpty());
    }

    @Test
    void m4_stageThatWaitsForTheKeyOfItsAsyncTask_isMarkedAsACycle() {
        Spindle spindle = spindles.spindle();
        Keyed<String> keys = spindle.keyed("keys");
        CompletableFuture<?> end = new CompletableFuture<>();
        CompletableFuture<@Nullable Void> behind = new CompletableFuture<>();
        CompletableFuture<Object> open = keys.submitAsync(
                "a",
                () -> spindle.submit(() -> {
                    CompletableFuture<?> own = keys.submit("a", () -> {});
                    CompletableFuture<?> unused = own.whenComplete((value, failure) -> behind.complete(null));
                    own.join();
                    return "never";
                }));
        until(() -> spindle.waits().stream().filter(WaitEdge::isCyclic).count() == 2);
        assertThat(spindle.waits())
                .hasSize(2)
                .anySatisfy(wait -> assertThat(wait.from().owner()).isEqualTo("key keys/a"));
        open.cancel(true);
        result(behind);
        assertThat(end).isNotDone();
        until(() -> spindle.waits().isEmpty());
    }

    @Test
    void m4_waitWithATimeLimit_closesNoCycle() {
        Spindle spindle = spindles.spindle();
        Keyed<String> keys = spindle.keyed("keys");
        CompletableFuture<Object> open = keys.at("a")
                .submitAsync(
                        () -> spindle.submit(() -> {
                            keys.submit("a", () -> {}).join();
                            return "never";
                        }),
                        Duration.ofMinutes(5));
        until(() -> spindle.waits().size() == 2);
        assertThat(spindle.waits()).noneMatch(WaitEdge::isCyclic);
        open.cancel(true);
        until(() -> spindle.waits().isEmpty());
    }
}
