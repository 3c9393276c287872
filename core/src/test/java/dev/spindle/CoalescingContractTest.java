// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.unsafeNull;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Coalesced.State;
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
        Lane lane = spindles.spindle().keyed().at("key");
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

        Coalesced first = lane.coalesce(note("first"));
        assertThat(first.state()).isEqualTo(State.PENDING);
        assertThat(first.isSuperseded()).isFalse();
        Coalesced second = lane.coalesce(note("second"));

        assertThat(first.state()).isEqualTo(State.SUPERSEDED);
        assertThat(first.isSuperseded()).isTrue();
        assertThat(second.state()).isEqualTo(State.PENDING);
        assertThat(lane.snapshot().depth()).isEqualTo(1);
        resumeAndQuiesce(lane);
        assertThat(ran).containsExactly("second");
        assertThat(second.state()).isEqualTo(State.DONE);
        assertThat(first.state()).isEqualTo(State.SUPERSEDED);
    }

    @Test
    void l1_entryPointsOfOneKey_shareTheDefaultSlot() throws Exception {
        Spindle spindle = spindles.spindle();
        Keyed<Object> keys = spindle.keyed();
        keys.pause("key");
        int submitted = 0;
        for (EntryPoint entry : EntryPoint.values()) {
            if (entry.coalesces() && entry != EntryPoint.KEYED_COALESCE_SLOT) {
                entry.submit(spindle, "key", runs::incrementAndGet);
                submitted++;
            }
        }

        int superseded = submitted - 1;
        until(() -> keys.at("key").snapshot().superseded() == superseded); // one of them is delayed
        assertThat(keys.at("key").snapshot().depth()).isEqualTo(1);
        resumeAndQuiesce(keys.at("key"));
        assertThat(runs).hasValue(1);
    }

    @Test
    void l1_slots_areApartFromOneAnotherAndFromTheDefaultSlot() {
        Lane lane = pausedLane();

        lane.coalesce(note("default 1"));
        lane.coalesce("a", note("a 1"));
        lane.coalesce("b", note("b 1"));
        lane.coalesce(new String("a"), note("a 2"));
        lane.coalesce(note("default 2"));

        assertThat(lane.snapshot().depth()).isEqualTo(3);
        assertThat(lane.snapshot().superseded()).isEqualTo(2);
        resumeAndQuiesce(lane);
        assertThat(ran).containsExactly("default 2", "a 2", "b 1");
    }

    @Test
    void l1_slotsOfDifferentKeys_areApart() {
        Keyed<String> keys = spindles.spindle().keyed();
        keys.pause("a");
        keys.pause("b");
        Coalesced ofA = keys.coalesce("a", "slot", note("a"));
        Coalesced ofB = keys.coalesce("b", "slot", note("b"));

        assertThat(List.of(ofA.state(), ofB.state())).containsOnly(State.PENDING);
        resumeAndQuiesce(keys.at("a"));
        resumeAndQuiesce(keys.at("b"));
        assertThat(ran).containsExactly("a", "b");
    }

    @Test
    void l1_nullTaskOrSlot_throwsNullPointerException() {
        Lane lane = spindles.spindle().keyed().at("key");

        assertThatThrownBy(() -> lane.coalesce(TestSupport.<Runnable>unsafeNull()))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> lane.coalesce(unsafeNull(), () -> {})).isInstanceOf(NullPointerException.class);
    }

    @Test
    void l1_replacement_wakesNobodyAndTakesNoPlace() {
        Spindle spindle = spindles.of(spindles.builder()
                .core(4)
                .capacity(1)
                .capacityPerKey(1)
                .linger(Duration.ofHours(1))); // since a sweep wakes a worker, too
        Lane lane = spindle.keyed().at("key");
        Gate gate = new Gate();
        lane.execute(gate);
        gate.awaitEntered();
        lane.coalesce(runs::incrementAndGet);
        until(() -> spindle.stats().threads() - spindle.stats().idle() == 1);
        SpindleStats before = spindle.stats();

        for (int i = 0; i < 200_000; i++) {
            lane.coalesce(runs::incrementAndGet);
        }

        SpindleStats after = spindle.stats();
        assertThat(after.wakeUps()).isEqualTo(before.wakeUps());
        assertThat(after.threads()).isEqualTo(before.threads());
        assertThat(after.estimatedReady()).isZero();
        assertThat(lane.snapshot().depth()).isEqualTo(1);
        assertThat(lane.snapshot().superseded()).isEqualTo(200_000);
        gate.open();
        result(lane.quiesce());
        assertThat(runs).hasValue(1);
    }

    @Test
    void l1_futureOfASupersededTask_isCancelledAndSaysSo() {
        Spindle spindle = spindles.spindle();
        spindle.keyed().pause("key");

        CompletableFuture<?> first = spindle.submit(new EntryPoint.Coalescing(() -> "key", note("first")));
        CompletableFuture<?> second = spindle.submit(new EntryPoint.Coalescing(() -> "key", note("second")));

        assertThat(first).isCancelled();
        assertThatThrownBy(first::join).hasStackTraceContaining("superseded");
        assertThat(second).isNotDone();
        resumeAndQuiesce(spindle.keyed().at("key"));
        assertThat(second).isCompleted();
        assertThat(ran).containsExactly("second");
    }

    @Test
    void l1_outcome_completesWithTheFinalState() {
        Lane lane = pausedLane();
        Coalesced superseded = lane.coalesce("a", () -> {});
        CompletableFuture<State> askedBefore = superseded.outcome();
        assertThat(askedBefore).isNotDone();
        Coalesced done = lane.coalesce("a", () -> {});
        Coalesced cancelled = lane.coalesce("b", () -> {});
        assertThat(cancelled.cancel()).isTrue();
        assertThat(askedBefore).isCompletedWithValue(State.SUPERSEDED);
        assertThat(cancelled.outcome()).isCompletedWithValue(State.CANCELLED);
        resumeAndQuiesce(lane);
        assertThat(result(done.outcome())).isEqualTo(State.DONE);

        lane.pause();
        Coalesced taken = lane.coalesce(() -> {});
        lane.cancelPending();
        assertThat(taken.outcome()).isCompletedWithValue(State.CANCELLED);
        lane.resume();
        RuntimeException failure = new IllegalStateException("expected");
        Coalesced failed = lane.coalesce(() -> {
            throw failure;
        });
        assertThat(result(failed.outcome())).isEqualTo(State.FAILED);
        until(() -> spindles.takeFailures().contains(failure));
    }

    @Test
    void l1_completingTheOutcome_hasNoEffectOnTheTask() {
        Lane lane = pausedLane();
        Coalesced coalesced = lane.coalesce(note("ran"));

        coalesced.outcome().complete(State.CANCELLED);

        assertThat(coalesced.state()).isEqualTo(State.PENDING);
        resumeAndQuiesce(lane);
        assertThat(ran).containsExactly("ran");
        assertThat(coalesced.state()).isEqualTo(State.DONE);
    }

    @Test
    void l1_outcomeAskedWhileTheTaskEnds_isNeverMissed() {
        Lane lane = spindles.spindle().keyed().at("key");
        for (int i = 0; i < 3000; i++) {
            Coalesced one = lane.coalesce(() -> {});
            Coalesced other = lane.coalesce(() -> {});

            assertThat(result(one.outcome())).isIn(State.DONE, State.SUPERSEDED);
            assertThat(result(other.outcome())).isEqualTo(State.DONE);
        }
    }

    @Test
    void l1_cancel_onlyTakesAwayWhatIsPending() {
        Lane lane = spindles.spindle().keyed().at("key");
        Gate gate = new Gate();
        Coalesced running = lane.coalesce(gate);
        gate.awaitEntered();
        Coalesced superseded = lane.coalesce(note("superseded"));
        Coalesced pending = lane.coalesce(note("pending"));

        assertThat(running.state()).isEqualTo(State.RUNNING);
        assertThat(running.cancel()).isFalse();
        assertThat(superseded.cancel()).isFalse();
        assertThat(pending.cancel()).isTrue();
        assertThat(pending.cancel()).isFalse();

        gate.open();
        result(lane.quiesce());
        assertThat(running.state()).isEqualTo(State.DONE);
        assertThat(running.cancel()).isFalse();
        assertThat(ran).isEmpty();
        assertThat(result(lane.coalesce(note("next")).outcome())).isEqualTo(State.DONE);
    }

    // ---------------------------------------------------------------- L2

    @Test
    void l2_submitWhileOneRuns_becomesPendingAndRunsAfterIt() {
        Lane lane = spindles.spindle().keyed().at("key");
        Gate gate = new Gate();
        AtomicBoolean ended = new AtomicBoolean();
        AtomicBoolean after = new AtomicBoolean();
        Coalesced running = lane.coalesce(() -> {
            gate.run();
            ended.set(true);
        });
        gate.awaitEntered();

        Coalesced next = lane.coalesce(() -> after.set(ended.get()));

        assertThat(running.state()).isEqualTo(State.RUNNING);
        assertThat(next.state()).isEqualTo(State.PENDING);
        gate.open();
        assertThat(result(next.outcome())).isEqualTo(State.DONE);
        assertThat(after).isTrue();
    }

    @Test
    void l2_lastSubmit_alwaysRunsExactlyOnceAndRunsNeverGoBackwards() {
        Lane lane = spindles.spindle().keyed().at("key");
        List<Integer> order = new ArrayList<>();
        for (int round = 0; round < 300; round++) {
            order.clear();
            Coalesced last = lane.coalesce(() -> order.add(0));
            for (int i = 1; i <= 50; i++) {
                int number = i;
                last = lane.coalesce(() -> order.add(number));
            }

            assertThat(result(last.outcome())).isEqualTo(State.DONE);
            assertThat(order).isSorted().doesNotHaveDuplicates().endsWith(50);
        }
    }

    @Test
    void l2_concurrentSubmitters_eachSubmitRunsOnceOrIsSuperseded() throws Exception {
        Lane lane = spindles.spindle().keyed().at("key");
        int[][] seen = new int[3][1]; // plain: accessed by the turns of one lane
        AtomicInteger backwards = new AtomicInteger();
        List<Coalesced> handles = new ArrayList<>();
        List<Thread> submitters = new ArrayList<>();
        for (int s = 0; s < 3; s++) {
            int mine = s;
            Thread submitter = new Thread(() -> {
                List<Coalesced> own = new ArrayList<>();
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
        assertThat(handles).allMatch(h -> h.state() == State.DONE || h.state() == State.SUPERSEDED);
        assertThat(handles.stream().filter(h -> h.state() == State.DONE)).hasSize(runs.get());
        assertThat(List.of(seen[0][0], seen[1][0], seen[2][0])).contains(10_000);
    }

    @Test
    void l2_taskThatCoalescesItself_runsAgain() {
        Lane lane = spindles.spindle().keyed().at("key");
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
        lane.coalesce("slot", note("4 old"));
        lane.execute(note("5"));

        lane.coalesce("slot", note("4"));
        lane.coalesce(note("2"));

        resumeAndQuiesce(lane);
        assertThat(ran).containsExactly("1", "2", "3", "4", "5");
    }

    @Test
    void l3_steadyStream_cannotPostponeTheTask() {
        Lane lane = spindles.spindle().keyed().at("key");
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
        Lane lane = spindles.spindle().keyed().at("key");
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

    @Test
    void l1_outcomeAskedTwiceAndWhileItRuns_isOneFuture() {
        Lane lane = spindles.spindle().keyed().at("key");
        Gate gate = new Gate();
        Coalesced running = lane.coalesce(gate);
        gate.awaitEntered();

        CompletableFuture<State> outcome = running.outcome();
        assertThat(outcome).isNotDone();
        assertThat(running.outcome()).isSameAs(outcome);
        gate.open();
        assertThat(result(outcome)).isEqualTo(State.DONE);
    }
}
