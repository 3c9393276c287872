// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.unsafeNull;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.TestSupport.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** L1 to L3: of the coalescing tasks of a slot only the latest runs. */
@Timeout(30)
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
class CoalescingContractTest {
    @RegisterExtension
    final Spindles spindles = new Spindles();

    private final List<String> ran = new ArrayList<>();
    private final AtomicInteger runs = new AtomicInteger();

    private Lane pausedLane() {
        Lane lane = spindles.spindle().keyed("tasks").at("key");
        lane.pause();
        return lane;
    }

    private Runnable note(String what) {
        return () -> ran.add(what);
    }

    private static void resumeAndQuiesce(Lane lane) {
        CompletableFuture<?> quiet = lane.quiesce();
        lane.resume();
        result(quiet);
    }

    // ---------------------------------------------------------------- L1

    @Test
    void l1_submitWhileOnePends_replacesItAndReportsSuperseded() {
        Lane lane = pausedLane();

        CompletableFuture<Boolean> first = lane.coalesce(note("first"));
        assertThat(first).isNotDone();
        CompletableFuture<Boolean> second = lane.coalesce(note("second"));

        assertThat(first).isCompletedWithValue(false);
        assertThat(second).isNotDone();
        assertThat(lane.activity().pending()).isEqualTo(1);
        resumeAndQuiesce(lane);
        assertThat(ran).containsExactly("second");
        assertThat(second).isCompletedWithValue(true);
        assertThat(first).isCompletedWithValue(false);
    }

    @Test
    void l1_entryPointsOfOneKey_shareTheDefaultSlot() throws Exception {
        Spindle spindle = spindles.spindle();
        Keyed<Object> keys = spindle.keyed("tasks");
        keys.at("key").pause();
        int submitted = 0;
        for (EntryPoint entry : EntryPoint.values()) {
            if (entry.coalesces() && entry != EntryPoint.KEYED_COALESCE_SLOT) {
                entry.submit(spindle, "key", runs::incrementAndGet);
                submitted++;
            }
        }

        int superseded = submitted - 1;
        until(() -> keys.at("key").activity().superseded() == superseded); // one of them is delayed
        assertThat(keys.at("key").activity().pending()).isEqualTo(1);
        resumeAndQuiesce(keys.at("key"));
        assertThat(runs).hasValue(1);
    }

    @Test
    void l1_slots_areApartFromOneAnotherAndFromTheDefaultSlot() {
        Lane lane = pausedLane();

        lane.coalesce(note("default 1"));
        lane.coalesceSlot("a", note("a 1"));
        lane.coalesceSlot("b", note("b 1"));
        lane.coalesceSlot(new String("a"), note("a 2"));
        lane.coalesce(note("default 2"));

        assertThat(lane.activity().pending()).isEqualTo(3);
        assertThat(lane.activity().superseded()).isEqualTo(2);
        resumeAndQuiesce(lane);
        assertThat(ran).containsExactly("default 2", "a 2", "b 1");
    }

    @Test
    void l1_slotsOfDifferentKeys_areApart() {
        Keyed<String> keys = spindles.spindle().keyed("tasks");
        keys.at("a").pause();
        keys.at("b").pause();
        CompletableFuture<Boolean> ofA = keys.at("a").coalesceSlot("slot", note("a"));
        CompletableFuture<Boolean> ofB = keys.at("b").coalesceSlot("slot", note("b"));

        assertThat(List.of(ofA, ofB)).noneMatch(CompletableFuture::isDone);
        resumeAndQuiesce(keys.at("a"));
        resumeAndQuiesce(keys.at("b"));
        assertThat(ran).containsExactly("a", "b");
    }

    @Test
    void l1_nullTaskOrSlot_throwsNullPointerException() {
        Lane lane = spindles.spindle().keyed("tasks").at("key");

        assertThatThrownBy(() -> lane.coalesce(TestSupport.<Runnable>unsafeNull()))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> lane.coalesceSlot(unsafeNull(), () -> {})).isInstanceOf(NullPointerException.class);
    }

    @Test
    void l1_replacement_wakesNobodyAndTakesNoPlace() {
        Spindle spindle = spindles.of(spindles.builder()
                .coreThreads(4)
                .capacity(1, OnFull.reject())
                .keyKeepAlive(Duration.ofHours(1))); // since a sweep wakes a worker, too
        spindle.keyed("tasks").setKeyCapacity(1, OnFull.reject());
        Lane lane = spindle.keyed("tasks").at("key");
        Gate gate = new Gate();
        lane.execute(gate);
        gate.awaitEntered();
        lane.coalesce(runs::incrementAndGet);
        until(() -> spindle.stats().threads() - spindle.stats().idleThreads() == 1);
        SpindleStats before = spindle.stats();

        for (int i = 0; i < 200_000; i++) {
            lane.coalesce(runs::incrementAndGet);
        }

        SpindleStats after = spindle.stats();
        assertThat(after.wakeUps()).isEqualTo(before.wakeUps());
        assertThat(after.threads()).isEqualTo(before.threads());
        assertThat(after.ready()).isZero();
        assertThat(lane.activity().pending()).isEqualTo(1);
        assertThat(lane.activity().superseded()).isEqualTo(200_000);
        gate.open();
        result(lane.quiesce());
        assertThat(runs).hasValue(1);
    }

    @Test
    void l1_futureOfASupersededTask_isCancelledAndSaysSo() {
        Spindle spindle = spindles.spindle();
        spindle.keyed("tasks").at("key").pause();

        CompletableFuture<?> first = spindle.submit(new EntryPoint.Coalescing(() -> "key", note("first")));
        CompletableFuture<?> second = spindle.submit(new EntryPoint.Coalescing(() -> "key", note("second")));

        assertThat(first).isCancelled();
        assertThatThrownBy(first::join).hasStackTraceContaining("superseded");
        assertThat(second).isNotDone();
        resumeAndQuiesce(spindle.keyed("tasks").at("key"));
        assertThat(second).isCompleted();
        assertThat(ran).containsExactly("second");
    }

    @Test
    void l1_future_completesWithWhetherTheTaskRan() {
        Lane lane = pausedLane();
        CompletableFuture<Boolean> superseded = lane.coalesceSlot("a", () -> {});
        CompletableFuture<String> after = superseded.thenApply(ran -> ran ? "ran" : "superseded");
        CompletableFuture<Boolean> ran = lane.coalesceSlot("a", () -> {});
        assertThat(superseded).isCompletedWithValue(false);
        assertThat(after).isCompletedWithValue("superseded");
        resumeAndQuiesce(lane);
        assertThat(ran).isCompletedWithValue(true);

        lane.pause();
        CompletableFuture<Boolean> taken = lane.coalesce(() -> {});
        lane.cancelPending();
        assertThat(taken).isCancelled();
        lane.resume();
    }

    @Test
    void l1_failure_goesToTheFutureAndToTheHandler() {
        Lane lane = spindles.spindle().keyed("tasks").at("key");
        RuntimeException failure = new IllegalStateException("expected");

        CompletableFuture<Boolean> failed = lane.coalesce(() -> {
            throw failure;
        });

        assertThatThrownBy(() -> result(failed)).hasRootCause(failure);
        until(() -> spindles.takeFailures().contains(failure));
    }

    @Test
    void l1_cancelOrCompletion_withdrawsThePendingTask() {
        Lane lane = pausedLane();
        CompletableFuture<Boolean> superseded = lane.coalesce(note("superseded"));
        CompletableFuture<Boolean> cancelled = lane.coalesce(note("cancelled"));
        assertThat(superseded.cancel(false)).isFalse();
        assertThat(cancelled.cancel(false)).isTrue();
        assertThat(cancelled.cancel(false)).isTrue(); // as of every CompletableFuture
        assertThat(lane.cancelPending()).isEmpty();

        CompletableFuture<Boolean> completed = lane.coalesce(note("completed"));
        assertThat(completed.complete(true)).isTrue();
        assertThat(lane.cancelPending()).isEmpty();
        CompletableFuture<Boolean> late = lane.coalesce(note("late"));
        late.completeExceptionally(new IllegalStateException("expected"));

        resumeAndQuiesce(lane);
        assertThat(ran).isEmpty();
        assertThat(result(lane.coalesce(note("next")))).isTrue();
        assertThat(ran).containsExactly("next");
    }

    @Test
    void l1_cancelOfARunningTask_stopsNothingWithoutAnInterrupt() {
        Lane lane = spindles.spindle().keyed("tasks").at("key");
        Gate gate = new Gate();
        CompletableFuture<Boolean> running = lane.coalesce(() -> {
            gate.run();
            ran.add("ended");
        });
        gate.awaitEntered();

        assertThat(running.cancel(false)).isTrue();

        gate.open();
        result(lane.quiesce());
        assertThat(ran).containsExactly("ended");
    }

    @Test
    void k6_waitForTheOwnCoalescingTask_throws() {
        Lane lane = spindles.spindle().keyed("tasks").at("key");

        CompletableFuture<Boolean> waits =
                lane.submit(() -> lane.coalesce(() -> {}).join());

        assertThatThrownBy(() -> result(waits))
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasStackTraceContaining("key");
    }

    // ---------------------------------------------------------------- L2

    @Test
    void l2_submitWhileOneRuns_becomesPendingAndRunsAfterIt() {
        Lane lane = spindles.spindle().keyed("tasks").at("key");
        Gate gate = new Gate();
        AtomicBoolean ended = new AtomicBoolean();
        AtomicBoolean after = new AtomicBoolean();
        CompletableFuture<Boolean> running = lane.coalesce(() -> {
            gate.run();
            ended.set(true);
        });
        gate.awaitEntered();

        CompletableFuture<Boolean> next = lane.coalesce(() -> after.set(ended.get()));

        assertThat(running).isNotDone();
        assertThat(next).isNotDone();
        gate.open();
        assertThat(result(next)).isTrue();
        assertThat(after).isTrue();
    }

    @Test
    void l2_lastSubmit_alwaysRunsExactlyOnceAndRunsNeverGoBackwards() {
        Lane lane = spindles.spindle().keyed("tasks").at("key");
        List<Integer> order = new ArrayList<>();
        for (int round = 0; round < 300; round++) {
            order.clear();
            CompletableFuture<Boolean> last = lane.coalesce(() -> order.add(0));
            for (int i = 1; i <= 50; i++) {
                int number = i;
                last = lane.coalesce(() -> order.add(number));
            }

            assertThat(result(last)).isTrue();
            assertThat(order).isSorted().doesNotHaveDuplicates().endsWith(50);
        }
    }

    @Test
    void l2_concurrentSubmitters_eachSubmitRunsOnceOrIsSuperseded() throws Exception {
        Lane lane = spindles.spindle().keyed("tasks").at("key");
        int[][] seen = new int[3][1]; // plain: accessed by the turns of one lane
        AtomicInteger backwards = new AtomicInteger();
        List<CompletableFuture<Boolean>> handles = new ArrayList<>();
        List<Thread> submitters = new ArrayList<>();
        for (int s = 0; s < 3; s++) {
            int mine = s;
            Thread submitter = new Thread(() -> {
                List<CompletableFuture<Boolean>> own = new ArrayList<>();
                for (int i = 1; i <= 10_000; i++) {
                    int number = i;
                    own.add(lane.coalesce(() -> {
                        runs.incrementAndGet();
                        if (seen[mine][0] >= number) {
                            backwards.incrementAndGet();
                        }
                        seen[mine][0] = number;
                    }));
                }
                synchronized (handles) {
                    handles.addAll(own);
                }
            });
            submitter.start();
            submitters.add(submitter);
        }
        for (Thread submitter : submitters) {
            submitter.join();
        }
        result(lane.quiesce());

        assertThat(backwards).hasValue(0);
        assertThat(handles).allMatch(CompletableFuture::isDone);
        assertThat(handles.stream().filter(CompletableFuture::join)).hasSize(runs.get());
        assertThat(List.of(seen[0][0], seen[1][0], seen[2][0])).contains(10_000);
    }

    @Test
    void l2_taskThatCoalescesItself_runsAgain() {
        Lane lane = spindles.spindle().keyed("tasks").at("key");
        lane.coalesce(new Runnable() {
            @Override
            public void run() {
                if (runs.incrementAndGet() < 1000) {
                    lane.coalesce(this);
                }
            }
        });

        until(() -> runs.get() == 1000);
    }

    // ---------------------------------------------------------------- L3

    @Test
    void l3_replacement_keepsThePlaceOfTheReplacedOne() {
        Lane lane = pausedLane();
        lane.execute(note("1"));
        lane.coalesce(note("2 old"));
        lane.execute(note("3"));
        lane.coalesceSlot("slot", note("4 old"));
        lane.execute(note("5"));

        lane.coalesceSlot("slot", note("4"));
        lane.coalesce(note("2"));

        resumeAndQuiesce(lane);
        assertThat(ran).containsExactly("1", "2", "3", "4", "5");
    }

    @Test
    void l3_steadyStream_cannotPostponeTheTask() {
        Lane lane = spindles.spindle().keyed("tasks").at("key");
        AtomicBoolean coalescedRan = new AtomicBoolean();
        AtomicInteger ownRun = new AtomicInteger();
        Gate gate = new Gate();
        lane.execute(gate);
        gate.awaitEntered();
        lane.coalesce(() -> coalescedRan.set(true));
        // Each of these replaces the pending one before the lane reaches it.
        for (int i = 0; i < 100; i++) {
            lane.execute(() -> {
                if (!coalescedRan.get()) {
                    ownRun.incrementAndGet();
                }
                lane.coalesce(() -> coalescedRan.set(true));
            });
            lane.coalesce(() -> coalescedRan.set(true));
        }

        gate.open();
        result(lane.quiesce());
        assertThat(coalescedRan).isTrue();
        assertThat(ownRun).hasValue(0);
    }

    @Test
    void l3_streamFromAnotherThread_theTaskRunsAgainAndAgain() throws Exception {
        Lane lane = spindles.spindle().keyed("tasks").at("key");
        AtomicBoolean enough = new AtomicBoolean();
        Thread stream = new Thread(() -> {
            while (!enough.get()) {
                lane.coalesce(runs::incrementAndGet);
            }
        });
        stream.start();

        until(() -> runs.get() >= 100);

        enough.set(true);
        stream.join();
    }
}
