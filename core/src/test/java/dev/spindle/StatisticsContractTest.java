// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.TestSupport.Gate;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** M1: what statistics and snapshots show. */
@Timeout(30)
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
class StatisticsContractTest {
    @RegisterExtension
    final Spindles spindles = new Spindles();

    /** The nanoseconds by which the clock of the executor is ahead of the system's. */
    private final AtomicLong ahead = new AtomicLong();

    private void pass(Duration time) {
        ahead.addAndGet(time.toNanos());
    }

    private void passAtRest(Spindle spindle) {
        until(() -> spindle.stats().idleThreads() == spindle.stats().threads());
        pass(Duration.ofMinutes(1));
    }

    private SpindleBuilder options() {
        return spindles.builder().keyKeepAlive(Duration.ofDays(1)).clock(() -> System.nanoTime() + ahead.get());
    }

    private static void assertAbout(@Nullable Duration actual, Duration expected) {
        assertThat(actual).isBetween(expected.minusMillis(20), expected.plusSeconds(20)); // the machine may be slow
    }

    // ---------------------------------------------------------------- a lane

    @Test
    void m1_snapshotOfARunningLane_hasDepthAgeThreadAndRunningTime() {
        Keyed<String> keys = spindles.of(options()).keyed("keys");
        Gate gate = new Gate();
        AtomicInteger ran = new AtomicInteger();
        CompletableFuture<Thread> worker = new CompletableFuture<>();
        keys.execute("key", () -> {
            worker.complete(Thread.currentThread());
            gate.run();
        });
        gate.awaitEntered();
        keys.execute("key", ran::incrementAndGet);
        keys.execute("key", ran::incrementAndGet);
        keys.coalesce("key", ran::incrementAndGet);
        keys.coalesce("key", ran::incrementAndGet);
        pass(Duration.ofMinutes(3));

        Activity snapshot = keys.at("key").activity();

        assertThat(snapshot.key()).isEqualTo("key");
        assertThat(snapshot.pending()).isEqualTo(3);
        assertAbout(snapshot.oldestAge(), Duration.ofMinutes(3));
        assertAbout(snapshot.runningFor(), Duration.ofMinutes(3));
        assertThat(snapshot.thread()).isSameAs(result(worker));
        assertThat(snapshot.superseded()).isEqualTo(1);
        assertThat(snapshot.isPaused()).isFalse();
        gate.open();
        until(() -> ran.get() == 3);
    }

    @Test
    void m1_snapshotOfAnIdleLane_isEmpty() {
        Keyed<String> keys = spindles.of(options()).keyed("keys");
        result(keys.submit("key", () -> {}));
        until(() -> keys.at("key").activity().thread() == null);
        pass(Duration.ofMinutes(3));

        for (String key : List.of("key", "never used")) {
            Activity idle = keys.at(key).activity();
            assertThat(idle.kind()).isEqualTo(Activity.Kind.LANE);
            assertThat(idle.owner()).isEqualTo("key keys/" + key);
            assertThat(idle.space()).isEqualTo("keys");
            assertThat(idle.key()).isEqualTo(key);
            assertThat(idle.task()).isNull();
            assertThat(idle.thread()).isNull();
            assertThat(idle.runningFor()).isNull();
            assertThat(idle.pending()).isZero();
            assertThat(idle.oldestAge()).isZero();
            assertThat(idle.waitsFor()).isNull();
            assertThat(idle.superseded()).isZero();
            assertThat(idle.isPaused()).isFalse();
        }
    }

    @Test
    void m1_snapshotOfAPausedLane_saysSoAndAges() {
        Keyed<String> keys = spindles.of(options()).keyed("keys");
        keys.at("key").pause();
        keys.execute("key", () -> {});
        until(() -> keys.at("key").activity().thread() == null);
        pass(Duration.ofMinutes(3));

        Activity snapshot = keys.at("key").activity();

        assertThat(snapshot.isPaused()).isTrue();
        assertThat(snapshot.pending()).isEqualTo(1);
        assertAbout(snapshot.oldestAge(), Duration.ofMinutes(3));
        assertThat(snapshot.runningFor()).isNull();
        assertThat(snapshot.thread()).isNull();
        keys.at("key").resume();
        result(keys.at("key").quiesce());
    }

    @Test
    void m1_snapshotOfAStrand_hasItsName() {
        Strand strand = spindles.spindle().strand("orders");
        Gate gate = new Gate();
        strand.execute(gate);
        gate.awaitEntered();
        strand.execute(() -> {});

        assertThat(strand.activity().key()).isEqualTo("orders");
        assertThat(strand.activity().pending()).isEqualTo(1);
        gate.open();
    }

    @Test
    void m1_oldestAge_isThatOfTheOldestOrLongerByTheRunningTime() {
        Spindle spindle = spindles.of(options());
        Keyed<String> keys = spindle.keyed("keys");
        Gate first = new Gate();
        Gate second = new Gate();
        keys.execute("key", () -> {});
        result(keys.at("key").quiesce());
        until(() -> spindle.stats().idleThreads() == spindle.stats().threads()); // no worker searches any more
        pass(Duration.ofDays(1));
        keys.execute("key", first);
        first.awaitEntered();
        keys.execute("key", second);
        pass(Duration.ofMinutes(5));
        assertAbout(keys.at("key").activity().oldestAge(), Duration.ofMinutes(5));
        keys.execute("key", () -> {}); // behind the second one, which waits already
        first.open();
        second.awaitEntered();
        pass(Duration.ofMinutes(1));

        Activity snapshot = keys.at("key").activity();

        assertThat(snapshot.pending()).isEqualTo(1);
        assertThat(snapshot.oldestAge()).isBetween(Duration.ofMinutes(1), Duration.ofMinutes(7));
        second.open();
    }

    /** A lane that is never empty, and in which each task waits for the three before it. */
    @Test
    void m1_oldestAge_ofALaneThatIsNeverEmpty_doesNotGrow() {
        Lane lane = spindles.of(options()).keyed("keys").at("key");
        CountDownLatch ran = new CountDownLatch(1_000);
        AtomicReference<Duration> longest = new AtomicReference<>(Duration.ZERO);
        Runnable again = new Runnable() {
            @Override
            public void run() {
                pass(Duration.ofSeconds(5));
                ran.countDown();
                if (ran.getCount() > 3) {
                    lane.execute(this);
                }
                longest.accumulateAndGet(
                        lane.activity().oldestAge(), (one, other) -> one.compareTo(other) > 0 ? one : other);
            }
        };
        for (int i = 0; i < 4; i++) {
            lane.execute(again);
        }
        TestSupport.await(ran);

        assertThat(longest.get()).isLessThan(Duration.ofMinutes(2));
    }

    @Test
    void m1_oldestAge_whileAllWorkersAreBusy_isLongerByAtMostTheirRunningTime() {
        Keyed<String> keys = spindles.of(options().coreThreads(1).maxThreads(1)).keyed("keys");
        Gate gate = new Gate();
        keys.execute("busy", gate);
        gate.awaitEntered();
        pass(Duration.ofMinutes(5));

        keys.execute("key", () -> {});
        pass(Duration.ofMinutes(1));

        assertThat(keys.at("key").activity().oldestAge())
                .isBetween(Duration.ofMillis(59_980), Duration.ofMinutes(6).plusSeconds(20));
        gate.open();
    }

    @Test
    void m1_superseded_countsAlsoWhenTheLatestWasCancelled() {
        Lane lane = spindles.spindle().keyed("keys").at("key");
        lane.pause();
        lane.coalesce(() -> {});
        lane.coalesce(() -> {});
        CompletableFuture<Boolean> latest = lane.coalesce(() -> {});
        assertThat(lane.activity().superseded()).isEqualTo(2);

        latest.cancel(false);

        assertThat(lane.activity().superseded()).isEqualTo(2);
        lane.resume();
        result(lane.quiesce());
        assertThat(lane.activity().superseded()).isEqualTo(2);
    }

    // ---------------------------------------------------------------- the busiest lanes

    @Test
    void m1_busiest_areTheLanesWithTheOldestAgesFirst() {
        Spindle spindle = spindles.of(options());
        Keyed<String> keys = spindle.keyed("keys");
        Strand strand = spindle.strand("strand");
        for (String key : new String[] {"a", "b", "empty", "c"}) {
            keys.at(key).pause();
        }
        strand.pause();
        keys.execute("b", () -> {});
        passAtRest(spindle);
        strand.execute(() -> {});
        passAtRest(spindle);
        keys.execute("c", () -> {});
        keys.execute("b", () -> {});
        passAtRest(spindle);
        keys.execute("a", () -> {});

        assertThat(spindle.busiest(10)).extracting(Activity::key).containsExactly("b", "strand", "c", "a");
        assertThat(spindle.busiest(2)).extracting(Activity::key).containsExactly("b", "strand");
        assertThat(keys.busiest(10)).extracting(Activity::key).containsExactly("b", "c", "a");
        assertThat(keys.busiest(0)).isEmpty();
        assertThat(keys.busiest(1).get(0).pending()).isEqualTo(2);
        assertThatThrownBy(() -> keys.busiest(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
    }

    @Test
    void m3_laneThatRunsWithoutABacklog_isListedByHowLongItRuns() {
        Spindle spindle = spindles.of(options().coreThreads(3).maxThreads(8));
        Keyed<String> keys = spindle.keyed("keys");
        Gate stuck = new Gate();
        Gate young = new Gate();
        keys.at("waits").pause();
        keys.execute("stuck", stuck);
        stuck.awaitEntered();
        pass(Duration.ofMinutes(1));
        keys.execute("waits", () -> {});
        pass(Duration.ofMinutes(1));
        keys.execute("young", young);
        young.awaitEntered();
        until(() -> keys.at("waits").activity().thread() == null);

        assertThat(spindle.busiest(10)).extracting(Activity::key).containsExactly("stuck", "waits", "young");
        assertThat(keys.busiest(1)).singleElement().satisfies(lane -> {
            assertThat(lane.key()).isEqualTo("stuck");
            assertThat(lane.pending()).isZero();
            assertThat(lane.oldestAge()).isZero();
            assertAbout(lane.runningFor(), Duration.ofMinutes(2));
            assertThat(lane.thread()).isNotNull();
            assertThat(lane.stack()).anyMatch(frame -> frame.getMethodName().equals("await"));
            assertThat(lane.waitsFor()).as("a latch of the user's").isNull();
        });
        stuck.open();
        young.open();
        keys.at("waits").resume();
        result(keys.at("waits").quiesce());
        until(() -> spindle.busiest(10).isEmpty());
    }

    @Test
    void m3_keyThatAnAsyncTaskHolds_isListedWithItsAge() {
        Spindle spindle = spindles.of(options().coreThreads(3).maxThreads(8));
        Keyed<String> keys = spindle.keyed("keys");
        CompletableFuture<String> stage = new CompletableFuture<>();
        CompletableFuture<String> open = keys.submitAsync("open", () -> stage);
        Strand strand = spindle.strand("strand");
        CompletableFuture<String> ofStrand = strand.submitAsync(() -> stage);
        until(() -> keys.at("open").activity().kind() == Activity.Kind.ASYNC
                && keys.at("open").activity().thread() == null);
        until(() -> strand.activity().kind() == Activity.Kind.ASYNC
                && strand.activity().thread() == null);
        long held = ahead.get();
        Gate young = youngTurn(spindle, keys);
        pass(Duration.ofMinutes(1));

        assertThat(keys.busiest(9)).extracting(Activity::key).containsExactly("open", "young");
        assertThat(spindle.busiest(9)).extracting(Activity::key).containsExactlyInAnyOrder("open", "strand", "young");
        Activity snapshot = keys.busiest(1).get(0);
        assertThat(snapshot.kind()).isEqualTo(Activity.Kind.ASYNC);
        assertThat(snapshot.pending()).isZero();
        assertThat(snapshot.thread()).isNull();
        assertAbout(snapshot.runningFor(), Duration.ofNanos(ahead.get() - held));
        assertThat(snapshot.toString()).startsWith("key keys/open, async for PT");
        assertThat(snapshot.stack()).isEmpty();
        assertThat(requireNonNull(snapshot.waitsFor()).kind()).isEqualTo(WaitEdge.Kind.STAGE);
        assertThat(keys.at("young").activity().kind() == Activity.Kind.ASYNC).isFalse();

        keys.execute("open", () -> {}); // waits behind it
        pass(Duration.ofMinutes(1));
        assertThat(keys.at("open").activity()).satisfies(lane -> {
            assertThat(lane.pending()).isEqualTo(1);
            assertAbout(lane.oldestAge(), Duration.ofMinutes(1));
            assertAbout(lane.runningFor(), Duration.ofNanos(ahead.get() - held));
        });
        young.open();
        stage.complete("done");
        result(open);
        result(ofStrand);
        until(() -> spindle.busiest(10).isEmpty());
        assertThat(keys.at("open").activity().kind() == Activity.Kind.ASYNC).isFalse();
    }

    @Test
    void m1_turnAfterARest_hasRunSinceItBegan() {
        Spindle spindle = spindles.of(options());
        Keyed<String> keys = spindle.keyed("keys");
        result(keys.submit("young", () -> {}));

        Gate young = youngTurn(spindle, keys);

        pass(Duration.ofMinutes(1));
        assertAbout(keys.at("young").activity().runningFor(), Duration.ofMinutes(1));
        young.open();
    }

    /** Starts a turn one minute after everything before it. */
    private Gate youngTurn(Spindle spindle, Keyed<String> keys) {
        while (true) {
            passAtRest(spindle);
            Gate gate = new Gate();
            keys.execute("young", gate);
            gate.awaitEntered();
            Activity snapshot = keys.at("young").activity();
            if (requireNonNull(snapshot.runningFor()).compareTo(Duration.ofSeconds(30)) < 0) {
                return gate;
            }
            Thread worker = requireNonNull(snapshot.thread());
            gate.open(); // the worker had not parked yet, so for it the minute passed in this turn
            until(() -> worker.getState() == Thread.State.WAITING || worker.getState() == Thread.State.TIMED_WAITING);
        }
    }

    // ---------------------------------------------------------------- the executor

    @Test
    void m1_stats_countWhatHappened() {
        Spindle spindle =
                spindles.of(spindles.builder().name("counted").coreThreads(2).maxThreads(3));
        spindle.keyed("keys").setKeyCapacity(1, OnFull.reject());
        Keyed<String> keys = spindle.keyed("keys");
        Gate gate = new Gate();
        keys.execute("key", gate);
        gate.awaitEntered();
        keys.execute("key", () -> {
            throw new IllegalStateException("expected");
        });
        assertThatThrownBy(() -> keys.execute("key", () -> {})).isInstanceOf(RejectedExecutionException.class);
        gate.open();
        result(keys.at("key").quiesce());
        result(keys.submit("other", () -> {
                    throw new IllegalStateException("goes to the future");
                })
                .handle((value, failure) -> "handled"));
        until(() -> spindle.stats().completed() == 3);

        SpindleStats stats = spindle.stats();

        assertThat(stats.name()).isEqualTo("counted");
        assertThat(stats.coreThreads()).isEqualTo(2);
        assertThat(stats.maxThreads()).isEqualTo(3);
        assertThat(stats.threads()).isBetween(1, 3);
        assertThat(stats.peakThreads()).isBetween(stats.threads(), 3);
        assertThat(stats.idleThreads()).isBetween(0, stats.threads());
        assertThat(stats.failed()).isEqualTo(1);
        assertThat(stats.rejected()).isEqualTo(1);
        assertThat(stats.dropped()).isZero();
        assertThat(stats.handlerFailures()).isZero();
        assertThat(stats.keys()).isBetween(0, 2);
        assertThat(spindles.takeFailures()).hasSize(1);
    }

    @Test
    void m1_statsAndSnapshots_areReadWhileTheThreadFactoryIsStuck() throws Exception {
        Gate factory = new Gate();
        AtomicInteger made = new AtomicInteger();
        Spindle spindle = spindles.of(spindles.builder().threadFactory(worker -> {
            if (made.getAndIncrement() > 0) {
                factory.run();
            }
            return new Thread(worker);
        }));
        Gate gate = new Gate();
        spindle.execute(gate);
        gate.awaitEntered();
        Thread submitter = new Thread(() -> spindle.keyed("keys").execute("key", () -> {}));
        submitter.start();
        factory.awaitEntered();

        assertThat(spindle.stats().threads()).isEqualTo(2);
        assertThat(spindle.keyed("keys").busiest(3)).hasSizeLessThanOrEqualTo(1);

        factory.open();
        gate.open();
        submitter.join();
        result(spindle.keyed("keys").at("key").quiesce());
    }

    @Test
    void m1_idle_countsAllWorkersAlsoByAClockThatStandsStill() {
        Spindle spindle = spindles.of(spindles.builder().clock(() -> 42));
        result(spindle.submit(() -> {}));

        until(() -> spindle.stats().idleThreads() == spindle.stats().threads());
    }

    @Test
    void m1_stats_carryNothingPerKey() {
        for (Method count : SpindleStats.class.getMethods()) {
            assertThat(count.getReturnType().isPrimitive() || count.getReturnType() == String.class)
                    .as(count.getName())
                    .isTrue();
        }
    }
}
