// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.unsafeNull;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A1: an async task holds its lane, and no worker. */
@Timeout(30)
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
class AsyncContractTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    @RegisterExtension
    final Spindles spindles = new Spindles();

    private final AtomicInteger ran = new AtomicInteger();

    private Spindle oneWorker() {
        return spindles.of(spindles.builder().coreThreads(1).maxThreads(1));
    }

    // ---------------------------------------------------------------- the hold

    @Test
    void a1_openStage_holdsTheLaneButNoWorker() {
        Spindle spindle = oneWorker();
        Keyed<String> keys = spindle.keyed("keys");
        CompletableFuture<String> stage = new CompletableFuture<>();
        CompletableFuture<String> future = keys.submitAsync("key", () -> stage);
        keys.execute("key", ran::incrementAndGet);

        for (int i = 0; i < 100; i++) {
            result(keys.submit("other" + i, () -> {})); // the only worker is free
        }

        assertThat(future).isNotDone();
        assertThat(ran).hasValue(0);
        assertThat(keys.at("key").activity().thread()).isNull();
        stage.complete("value");
        assertThat(result(future)).isEqualTo("value");
        until(() -> ran.get() == 1);
    }

    @Test
    void a1_manyOpenStages_needNoThreads() {
        Spindle spindle = oneWorker();
        Keyed<Integer> keys = spindle.keyed("keys");
        CompletableFuture<String> stage = new CompletableFuture<>();
        List<CompletableFuture<String>> futures = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            futures.add(keys.submitAsync(i, () -> {
                ran.incrementAndGet();
                return stage;
            }));
        }
        until(() -> ran.get() == 1000);

        assertThat(spindle.stats().threads()).isEqualTo(1);
        stage.complete("value");
        futures.forEach(f -> assertThat(result(f)).isEqualTo("value"));
    }

    @Test
    void a1_stageThatEndsInAnyWay_freesTheLane() {
        Keyed<Integer> keys = spindles.spindle().keyed("keys");
        List<Consumer<CompletableFuture<String>>> ways = List.of(
                stage -> stage.complete("value"),
                stage -> stage.complete(unsafeNull()),
                stage -> stage.completeExceptionally(new IllegalStateException("expected")),
                stage -> stage.completeExceptionally(new StackOverflowError("expected")),
                stage -> stage.cancel(true),
                stage -> stage.orTimeout(1, TimeUnit.MILLISECONDS));
        for (int i = 0; i < ways.size(); i++) {
            CompletableFuture<String> stage = new CompletableFuture<>();
            CompletableFuture<String> future = keys.submitAsync(i, () -> stage);
            CompletableFuture<String> next = keys.submit(i, () -> "next");
            assertThat(next).isNotDone();

            ways.get(i).accept(stage);

            assertThat(result(next)).isEqualTo("next");
            assertThat(future).isDone();
        }
    }

    @Test
    void a1_stageThatIsCompleteAlready_freesTheLaneAtOnce() {
        Keyed<String> keys = spindles.spindle().keyed("keys");
        for (int i = 0; i < 1000; i++) {
            keys.submitAsync("key", () -> CompletableFuture.completedFuture(ran.incrementAndGet()));
        }
        result(keys.at("key").quiesce());
        assertThat(ran).hasValue(1000);
    }

    @Test
    void a1_stageOfAnotherThread_racingWithTheTurn_losesNothing() throws Exception {
        Keyed<Integer> keys = spindles.spindle().keyed("keys");
        Spindle other = spindles.spindle();
        for (int i = 0; i < 3000; i++) {
            keys.submitAsync(i % 3, () -> CompletableFuture.supplyAsync(ran::incrementAndGet, other));
        }
        for (int i = 0; i < 3; i++) {
            result(keys.at(i).quiesce());
        }
        assertThat(ran).hasValue(3000);
    }

    @Test
    void a1_asyncTasksOfOneLane_doNotOverlap() {
        Keyed<String> keys = spindles.spindle().keyed("keys");
        List<CompletableFuture<String>> stages = new ArrayList<>();
        AtomicInteger started = new AtomicInteger();
        for (int i = 0; i < 10; i++) {
            CompletableFuture<String> stage = new CompletableFuture<>();
            stages.add(stage);
            keys.submitAsync("key", () -> {
                started.incrementAndGet();
                return stage;
            });
        }
        for (int i = 0; i < 10; i++) {
            int expected = i + 1;
            until(() -> started.get() == expected);
            result(keys.submit("other", () -> {}));
            assertThat(started).hasValue(expected);
            stages.get(i).complete("value");
        }
    }

    // ---------------------------------------------------------------- failures

    @Test
    void a1_nullStage_endsTheTurnAsAFailureThatNamesTheKey() {
        Keyed<String> keys = spindles.spindle().keyed("keys");

        CompletableFuture<String> future = keys.submitAsync("K-17", TestSupport::unsafeNull);

        assertThatThrownBy(() -> result(future))
                .cause()
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("K-17");
        assertThat(result(keys.submit("K-17", () -> "next"))).isEqualTo("next");
    }

    @Test
    void a1_supplierThatThrows_endsTheTurnAsAFailure() {
        Keyed<String> keys = spindles.spindle().keyed("keys");
        Error failure = new StackOverflowError("expected");

        CompletableFuture<String> future = keys.submitAsync("key", () -> {
            throw failure;
        });

        assertThatThrownBy(() -> result(future)).cause().isSameAs(failure);
        assertThat(result(keys.submit("key", () -> "next"))).isEqualTo("next");
    }

    @Test
    void a1_stageThatFails_failsTheFutureWithItsCauseWrappedOnce() {
        Keyed<String> keys = spindles.spindle().keyed("keys");
        Throwable failure = new IllegalStateException("expected");
        CompletableFuture<String> source = new CompletableFuture<>();

        CompletableFuture<String> future = keys.submitAsync("key", () -> source.thenApply(v -> v)); // a dependent
        source.completeExceptionally(failure);

        assertThatThrownBy(() -> result(future))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isSameAs(failure);
    }

    @Test
    void a1_stageThatThrowsWhenListenedTo_endsTheTurnAsAFailure() {
        Keyed<String> keys = spindles.spindle().keyed("keys");
        RuntimeException failure = new UnsupportedOperationException("expected");

        CompletableFuture<String> future = keys.submitAsync("key", () -> new CompletableFuture<>() {
            @Override
            public CompletableFuture<String> whenComplete(BiConsumer<? super String, ? super Throwable> action) {
                throw failure;
            }
        });

        assertThatThrownBy(() -> result(future)).cause().isSameAs(failure);
        assertThat(result(keys.submit("key", () -> "next"))).isEqualTo("next");
    }

    /** The stage is of a foreign class, and notifies its listener a second time while the next task holds the lane. */
    @Test
    void a1_stageThatCompletesTwice_freesNoLaterTurn() {
        Keyed<String> keys = spindles.spindle().keyed("keys");
        AtomicReference<@Nullable BiConsumer<? super String, ? super Throwable>> listener = new AtomicReference<>();
        CompletableFuture<String> open = new CompletableFuture<>();
        CompletableFuture<String> first = keys.submitAsync("key", () -> new CompletableFuture<>() {
            @Override
            public CompletableFuture<String> whenComplete(BiConsumer<? super String, ? super Throwable> action) {
                listener.set(action);
                return this;
            }
        });
        CompletableFuture<String> second = keys.submitAsync("key", () -> {
            ran.incrementAndGet();
            return open;
        });
        keys.execute("key", ran::incrementAndGet);
        until(() -> listener.get() != null);
        BiConsumer<? super String, ? super Throwable> told = Objects.requireNonNull(listener.get());

        told.accept("once", unsafeNull());
        until(() -> ran.get() == 1 && keys.at("key").activity().thread() == null);
        told.accept("twice", unsafeNull());
        result(keys.submit("other", () -> {}));

        assertThat(first).isCompletedWithValue("once");
        assertThat(second).isNotDone();
        assertThat(ran).hasValue(1);
        open.complete("value");
        until(() -> ran.get() == 2);
    }

    // ---------------------------------------------------------------- limit

    @Test
    void a1_limit_failsTheFutureAndFreesTheLane() {
        Spindle spindle = oneWorker();
        Keyed<String> keys = spindle.keyed("keys");
        CompletableFuture<String> stage = new CompletableFuture<>();

        CompletableFuture<String> future = keys.at("K-17").submitAsync(() -> stage, Duration.ofMillis(20));
        CompletableFuture<String> next = keys.submit("K-17", () -> "next");

        assertThatThrownBy(() -> result(future))
                .cause()
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("K-17");
        assertThat(result(next)).isEqualTo("next");
        assertThat(stage).isNotDone();
    }

    @Test
    void a1_stageThatCompletesAfterItsLimit_freesNoLaterTurn() {
        Spindle spindle = spindles.spindle();
        Keyed<String> keys = spindle.keyed("keys");
        CompletableFuture<String> late = new CompletableFuture<>();
        CompletableFuture<String> open = new CompletableFuture<>();
        CompletableFuture<String> first = keys.at("key").submitAsync(() -> late, Duration.ofMillis(1));
        CompletableFuture<String> second = keys.submitAsync("key", () -> {
            ran.incrementAndGet();
            return open;
        });
        keys.execute("key", ran::incrementAndGet);
        until(() -> ran.get() == 1);

        late.complete("late");
        result(keys.submit("other", () -> {}));

        assertThat(ran).hasValue(1);
        assertThat(second).isNotDone();
        assertThat(first).isCompletedExceptionally();
        open.complete("value");
        until(() -> ran.get() == 2);
    }

    @Test
    void a1_limit_countsFromTheStageNotFromTheSubmit() {
        Keyed<String> keys = spindles.spindle().keyed("keys");
        CompletableFuture<String> before = new CompletableFuture<>();
        keys.submitAsync("key", () -> before);
        CompletableFuture<String> future =
                keys.at("key").submitAsync(() -> CompletableFuture.completedFuture("value"), Duration.ofMillis(1));
        CompletableFuture<String> timed = keys.at("timer").submitAsync(CompletableFuture::new, Duration.ofMillis(30));
        assertThatThrownBy(() -> result(timed)).cause().isInstanceOf(TimeoutException.class);

        before.complete("value");

        assertThat(result(future)).isEqualTo("value");
    }

    @Test
    void a1_stageWithinItsLimit_completesTheFutureAndLeavesNoTimer() throws Exception {
        Spindle spindle = spindles.spindle();
        CompletableFuture<String> future = spindle.<Object>keyed("keys")
                .at("key")
                .submitAsync(() -> CompletableFuture.completedFuture("value"), LONG);

        assertThat(result(future)).isEqualTo("value");
        spindle.shutdown();
        assertThat(spindle.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a1_limitThatIsNotPositive_throwsIllegalArgumentException() {
        Lane lane = spindles.spindle().keyed("keys").at("key");
        for (Duration limit : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
            assertThatThrownBy(() -> lane.submitAsync(CompletableFuture<String>::new, limit))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(limit.toString());
        }
    }

    // ---------------------------------------------------------------- cancel

    @Test
    void a1_cancelBeforeTheTurn_theTaskNeverStarts() {
        Keyed<String> keys = spindles.spindle().keyed("keys");
        keys.at("key").pause();
        CompletableFuture<String> future = keys.submitAsync("key", () -> {
            ran.incrementAndGet();
            return new CompletableFuture<>();
        });

        assertThat(future.cancel(true)).isTrue();
        keys.at("key").resume();

        assertThat(result(keys.submit("key", () -> "next"))).isEqualTo("next");
        assertThat(ran).hasValue(0);
    }

    @Test
    void a1_cancelOfAnOpenTask_cancelsItsFutureAndStage() {
        Keyed<String> keys = spindles.spindle().keyed("keys");
        CompletableFuture<String> stage = new CompletableFuture<>();
        CompletableFuture<String> future = keys.submitAsync("key", () -> {
            ran.incrementAndGet();
            return stage;
        });
        until(() -> ran.get() == 1);
        until(() -> keys.at("key").activity().thread() == null);

        assertThat(future.cancel(true)).isTrue();

        assertThat(future).isCancelled();
        assertThat(stage).isCancelled();
        assertThat(result(keys.submit("key", () -> "next"))).isEqualTo("next");
    }

    @Test
    void a1_cancelWithAStageThatCannotBeCancelled_freesTheLane() {
        Keyed<String> keys = spindles.spindle().keyed("keys");
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<String> future = keys.submitAsync("key", () -> {
            ran.incrementAndGet();
            return source.minimalCompletionStage();
        });
        until(() -> ran.get() == 1);
        until(() -> keys.at("key").activity().thread() == null);
        CompletableFuture<String> next = keys.submit("key", () -> "next");

        assertThat(future.cancel(true)).isTrue();

        assertThat(result(next)).isEqualTo("next");
        source.complete("value");
        assertThat(future).isCancelled();
    }

    @Test
    void a1_cancelWhileTheSupplierRuns_neverWedgesTheLane() {
        Keyed<String> keys = spindles.spindle().keyed("keys");
        for (int i = 0; i < 2000; i++) {
            CompletableFuture<String> future = keys.submitAsync("key", CompletableFuture::new);
            if ((i & 1) == 0) {
                Thread.yield();
            }
            future.cancel(true);
        }
        assertThat(result(keys.submit("key", () -> "next"))).isEqualTo("next");
    }
}
