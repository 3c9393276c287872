// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The close of a spindle with a time limit: all kinds of work, and code that runs in a close. */
@Timeout(60)
class BoundedCloseContractTest {
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofSeconds(30);

    /** The maximum time after the limit that contract D2 allows, and a reserve for a busy machine. */
    private static final Duration RETURNS = Duration.ofSeconds(5);

    private final Spindle spindle =
            Spindles.options().name("main").coreThreads(2).maxThreads(8).build();
    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch stuck = new CountDownLatch(1);

    @AfterEach
    void end() {
        release.countDown();
        spindle.shutdownNow();
        spindle.close();
    }

    /** Blocks, and does not react to an interrupt. */
    private void stick() {
        stuck.countDown();
        boolean over = false;
        while (!over) {
            try {
                over = release.await(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                over = false;
            }
        }
    }

    private static <T> T within(Duration limit, Callable<T> call) throws Exception {
        long begin = System.nanoTime();
        T result = call.call();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(limit);
        return result;
    }

    @Test
    void d2_everyKindOfWork_isReportedByItsOwner() throws Exception {
        Keyed<Integer> orders = spindle.keyed("orders");
        Strand strand = spindle.strand("journal");
        LogicalExecutor reads = spindle.executor("reads", 1);
        CountDownLatch all = new CountDownLatch(4);
        Runnable stuckTask = () -> {
            all.countDown();
            stick();
        };
        orders.execute(1, stuckTask);
        strand.execute(stuckTask);
        reads.execute(stuckTask);
        spindle.execute(stuckTask);
        all.await();
        reads.execute(() -> {});
        orders.execute(1, () -> {});
        CompletableFuture<?> future = orders.submit(1, () -> {});
        strand.execute(() -> {});
        Future<?> unused = orders.at(2).schedule(() -> {}, 1, TimeUnit.HOURS);
        unused = reads.schedule(() -> {}, 1, TimeUnit.HOURS);
        unused = strand.schedule(() -> {}, 1, TimeUnit.HOURS);
        unused = spindle.schedule(() -> {}, 1, TimeUnit.HOURS);

        Unfinished<Runnable> left = within(RETURNS, () -> spindle.close(Duration.ZERO));

        assertThat(left.byOwner())
                .containsKeys("key orders/1", "key orders/2", "strand journal", "executor reads", "spindle main");
        assertThat(left.byOwner().get("key orders/1")).hasSize(2);
        assertThat(left.byOwner().get("strand journal")).hasSize(2);
        assertThat(left.byOwner().get("key orders/2")).hasSize(1);
        assertThat(left.byOwner().get("spindle main")).hasSize(1);
        assertThat(left.items())
                .hasSize(left.byOwner().values().stream().mapToInt(List::size).sum());
        assertThat(future).isCancelled();
        assertThat(left.running())
                .extracting(Activity::owner)
                .containsExactlyInAnyOrder("key orders/1", "strand journal", "executor reads", "spindle main");
    }

    @Test
    void d2_openAsyncTask_isHaltedAndCancelled() throws Exception {
        CompletableFuture<String> never = new CompletableFuture<>();
        CompletableFuture<String> open = spindle.keyed("orders").submitAsync(1, () -> never);

        Unfinished<Runnable> left = within(RETURNS, () -> spindle.close(SHORT));

        assertThat(left.isEmpty()).isTrue();
        assertThat(open).isCancelled();
    }

    /** The ways in which an async task ends outside its turn. */
    enum End {
        LIMIT,
        STAGE,
        CANCEL
    }

    @ParameterizedTest
    @EnumSource
    void d2_callbackOfAnAsyncTaskThatClosesItsOwnLane_isRefused(End end) throws Exception {
        Strand strand = spindle.strand("s");
        StrandGroup group = spindle.strandBuilder("g").buildGroup(1);
        for (Lane lane : List.of(strand, group.at(0))) {
            CompletableFuture<String> stage = new CompletableFuture<>();
            CompletableFuture<String> open = lane.submitAsync(() -> stage, end == End.LIMIT ? SHORT : LONG);
            List<Throwable> refusals = Collections.synchronizedList(new ArrayList<>());
            CompletableFuture<?> told = open.handle((value, failure) -> {
                for (AutoCloseable own : List.of(lane == strand ? strand : group, spindle)) {
                    refusals.add(catchThrowable(own::close));
                }
                return "";
            });
            TestSupport.until(() -> lane.activity().kind() == Activity.Kind.ASYNC || open.isDone());
            if (end == End.STAGE) {
                stage.complete("x");
            } else if (end == End.CANCEL) {
                open.cancel(true);
            }
            Object unused = TestSupport.result(told);

            assertThat(refusals).hasSize(2).allMatch(IllegalStateException.class::isInstance);
            assertThat(TestSupport.result(lane.submit(() -> 7))).isEqualTo(7);
        }
    }

    @Test
    void d2_closeTimeoutThatIsNotPositive_isRefused() {
        assertThatThrownBy(() -> Spindles.options().closeTimeout(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("closeTimeout must be positive, is PT0S");
    }

    @Test
    void running_eachKind_tellsOwnerThreadAndTime() throws Exception {
        CountDownLatch all = new CountDownLatch(3);
        Runnable task = () -> {
            all.countDown();
            stick();
        };
        spindle.keyed("orders").execute(1, task);
        spindle.executor("reads", 1).execute(task);
        spindle.execute(task);
        CompletableFuture<?> unused = spindle.keyed("orders").submitAsync(2, CompletableFuture::new);
        all.await();

        List<Activity> running = spindle.running();

        assertThat(running).extracting(Activity::owner).contains("key orders/1", "executor reads", "spindle main");
        assertThat(running)
                .filteredOn(activity -> activity.kind() != Activity.Kind.ASYNC)
                .allSatisfy(activity -> {
                    assertThat(activity.thread()).isNotNull();
                    assertThat(activity.stack()).isNotEmpty();
                });
        release.countDown();
    }
}
