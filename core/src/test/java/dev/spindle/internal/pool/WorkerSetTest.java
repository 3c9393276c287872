// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.lane.LaneBarrier;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.lane.LaneSpace;
import dev.spindle.internal.lane.LaneTable;
import dev.spindle.internal.pool.wake.WorkerState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Interleavings that the model in {@code verify/model} has found. */
class WorkerSetTest extends WorkerSetFixture {
    /** Returns a set with a busy worker and one whose keep-alive has expired: it is about to end, but still counted. */
    private WorkerSet withOneThatExpired(WorkerPool pool) {
        WorkerSet workers = pool.workers();
        submit(pool);
        Worker busy = hired.get(0);
        take(pool, workers, busy);
        submit(pool);
        while (hired.size() < 2) {
            look(workers);
        }
        Worker extra = hired.get(1);
        take(pool, workers, extra);
        workers.becomeIdle(extra, false);
        watchToTheEnd(workers);
        now += KEEP_ALIVE;
        assertThat(workers.expire(extra)).isTrue();
        return workers;
    }

    @Test
    void w5_submitWhileAWorkerThatExpiredIsStillCounted_isWatched() {
        WorkerPool pool = pool(1, 2);
        WorkerSet workers = withOneThatExpired(pool);
        submit(pool); // the maximum of threads is reached
        assertThat(hired).hasSize(2);

        assertThat(workers.watchdog().state().isArmed()).isTrue();
        workers.ended(hired.get(1));
        while (hired.size() < 3) {
            look(workers);
        }
    }

    @Test
    void w7_timerAdded_takesNoWorker() {
        WorkerPool pool = pool(1, 2);
        WorkerSet workers = withOneThatExpired(pool);
        assertThat(timers.add(new NoTimer(), now + 1, pool)).isTrue();

        workers.ended(hired.get(1));

        assertThat(hired).hasSize(2);
        assertThat(workers.watchdog().clock().isThere()).isTrue();
        assertThat(workers.watchdog().isUnwatched()).isFalse();
    }

    /** Workers whose keep-alives expire together are all still counted when the last of them checks. */
    @Test
    void t1_workerIdleWhileOneThatExpiredIsStillCounted_staysForTheCore() {
        WorkerPool pool = pool(1, 2);
        WorkerSet workers = withOneThatExpired(pool);
        Worker core = hired.get(0);
        workers.becomeIdle(core, false);
        watchToTheEnd(workers);
        now += KEEP_ALIVE;

        assertThat(workers.idleNanos(core, 0)).isEqualTo(Long.MAX_VALUE);
        assertThat(workers.expire(core)).isFalse();
        assertThat(core.state()).isEqualTo(WorkerState.IDLE);
    }

    /** One thread exists, and the factory is creating another. */
    @Test
    void t1_workerIdleWhileAThreadIsBeingMade_staysForTheCore() {
        WorkerPool pool = pool(1, 2);
        WorkerSet workers = pool.workers();
        submit(pool);
        Worker core = hired.get(0);
        take(pool, workers, core);
        workers.beginBlocking();
        meanwhile = () -> {
            workers.endBlocking();
            take(pool, workers, core);
            workers.becomeIdle(core, false);
            now += KEEP_ALIVE;
            assertThat(workers.idleNanos(core, 0)).isEqualTo(Long.MAX_VALUE);
            assertThat(workers.expire(core)).isFalse();
            throw new IllegalStateException("no thread");
        };

        submit(pool);

        assertThat(hired).hasSize(2);
        assertThat(host.failures)
                .singleElement()
                .extracting(Throwable::getMessage)
                .isEqualTo("no thread");
        assertThat(core.state()).isEqualTo(WorkerState.IDLE);
        submit(pool);
        assertThat(core.state()).isEqualTo(WorkerState.SEARCHING);
    }

    @Test
    void w14_maximumThatGrows_startsAWorkerForWhatIsReady() {
        WorkerPool pool = pool(1, 1);
        WorkerSet workers = pool.workers();
        submit(pool);
        take(pool, workers, hired.get(0));
        workers.beginBlocking();
        submit(pool);
        assertThat(hired).hasSize(1);

        workers.setMax(2);

        assertThat(hired).hasSize(2);
        take(pool, workers, hired.get(1));
    }

    @Test
    void w14_maximumThatShrinks_endsTheIdleAtOnceAndOthersWhenTheyLeaveService() {
        WorkerPool pool = pool(1, 4);
        WorkerSet workers = pool.workers();
        for (int i = 0; i < 4; i++) {
            submit(pool);
            take(pool, workers, hired.get(i));
            workers.beginBlocking();
        }
        workers.endBlocking();
        workers.becomeIdle(hired.get(3), false);

        workers.setMax(2);

        assertThat(hired.get(3).state()).isEqualTo(WorkerState.EXPIRED);
        assertThat(hired.get(2).state()).isEqualTo(WorkerState.WORKING);
        assertThat(workers.watchdog().hasSurplus()).isTrue();
        submit(pool); // wakes and starts none
        workers.endBlocking();
        assertThat(workers.retreat(hired.get(2))).isTrue();
        assertThat(hired.get(2).state()).isEqualTo(WorkerState.EXPIRED);
        assertThat(workers.watchdog().hasSurplus()).isFalse();
        assertThat(hired).hasSize(4);
        workers.ended(hired.get(3));
        workers.ended(hired.get(2));
        assertThat(hired).as("two threads are left").hasSize(4);
        workers.endBlocking();
        take(pool, workers, hired.get(1));
        assertThat(hired.get(1).state()).isEqualTo(WorkerState.WORKING);
    }

    private WorkerSet withTwoBusy(WorkerPool pool) {
        WorkerSet workers = pool.workers();
        submit(pool);
        take(pool, workers, hired.get(0));
        submit(pool);
        take(pool, workers, hired.get(1));
        return workers;
    }

    /** Returns a set of two workers, of which one has left service and left an entry to the other. */
    private WorkerSet withOneThatLeftAnEntry(WorkerPool pool) {
        WorkerSet workers = withTwoBusy(pool);
        workers.becomeIdle(hired.get(1), true);
        own(pool, hired.get(0)); // the next entry
        assertThat(hired.get(1).state()).isEqualTo(WorkerState.IDLE);
        assertThat(workers.watchdog().state().isOwnerAffine()).isTrue();
        return workers;
    }

    /** Lets a busy worker make an entry ready. */
    private static void own(WorkerPool pool, Worker worker) {
        worker.bind();
        try {
            submit(pool);
        } finally {
            worker.unbind();
        }
    }

    private void lookSoon(WorkerSet workers) {
        now += 1_000_000;
        workers.watchdog().look(now);
    }

    @Test
    void w8_entryLeftToItsWorker_wakesNobodyWhileThatTakesItsEntries() {
        WorkerPool pool = pool(2, 2);
        WorkerSet workers = withOneThatLeftAnEntry(pool);
        Worker busy = hired.get(0);
        for (int i = 0; i < 5; i++) {
            assertThat(pool.queue().poll(busy.view)).isNotNull();
            if (i % 2 == 0) {
                lookSoon(workers); // no entry is ready, but one was
            }
            own(pool, busy);
            assertThat(hired.get(1).state()).isEqualTo(WorkerState.IDLE);
        }
    }

    @Test
    void w8_entryLeftToItsWorkerThatNoLongerTakesIt_isTakenByAnother() {
        WorkerPool pool = pool(2, 2);
        WorkerSet workers = withOneThatLeftAnEntry(pool);

        lookSoon(workers);

        assertThat(hired.get(1).state()).isEqualTo(WorkerState.SEARCHING);
        take(pool, workers, hired.get(1));
    }

    @Test
    void w8_secondEntry_wakesTheWorkerThatLeftTheFirst() {
        WorkerPool pool = pool(2, 3);
        withOneThatLeftAnEntry(pool);

        own(pool, hired.get(0));

        assertThat(hired.get(1).state()).isEqualTo(WorkerState.SEARCHING);
        assertThat(hired).hasSize(2);
    }

    @Test
    void w8_entryFromOutside_wakesTheWorkerThatLeftOne() {
        WorkerPool pool = pool(2, 3);
        withOneThatLeftAnEntry(pool);

        submit(pool);

        assertThat(hired.get(1).state()).isEqualTo(WorkerState.SEARCHING);
        assertThat(hired).hasSize(2);
    }

    /** The second entry comes after the search, while the searching worker is still counted, and so wakes no worker. */
    @Test
    void w8_secondEntryWhileTheWorkerLeavesTheFirst_isSeen() {
        WorkerPool pool = pool(2, 2);
        WorkerSet workers = withTwoBusy(pool);
        assertThat(workers.beginSearch(hired.get(1))).isTrue();
        own(pool, hired.get(0));
        own(pool, hired.get(0));

        workers.becomeIdle(hired.get(1), true);

        assertThat(hired.get(1).state()).isEqualTo(WorkerState.SEARCHING);
    }

    @Test
    void w8_nothingLeftToWatch_endsTheWatch() {
        WorkerPool pool = pool(2, 2);
        WorkerSet workers = withOneThatLeftAnEntry(pool);
        take(pool, workers, hired.get(0));
        lookSoon(workers);
        assertThat(workers.watchdog().state().isOwnerAffine()).isTrue();
        lookSoon(workers); // no progress since
        assertThat(workers.watchdog().state().isOwnerAffine()).isFalse();
        assertThat(hired.get(1).state()).isEqualTo(WorkerState.IDLE);
    }

    /** A thread that dies in the midst of a task no longer counts as a worker. */
    @Test
    void w1_workerThatDiesWhileItIsBusy_isReplacedByTheNextSubmit() {
        WorkerPool pool = pool(1, 1);
        WorkerSet workers = pool.workers();
        submit(pool);
        take(pool, workers, hired.get(0));

        workers.ended(hired.get(0));

        assertThat(workers.hasThreads()).isFalse();
        submit(pool);
        assertThat(hired).hasSize(2);
        assertThat(hired.get(1).state()).isEqualTo(WorkerState.SEARCHING);
        assertThat(host.terminated).isZero();
    }

    @Test
    void t2_submitWhileAllThatMayBeAreBlocked_staysForTheFirstThatComesBack() {
        WorkerPool pool = pool(1, 1);
        WorkerSet workers = pool.workers();
        submit(pool);
        take(pool, workers, hired.get(0));
        workers.beginBlocking();

        submit(pool);

        assertThat(hired).hasSize(1);
        workers.endBlocking();
        take(pool, workers, hired.get(0));
    }

    /**
     * The last work ends on a surplus worker, which leaves after the only other one has checked whether the pool may
     * end.
     */
    @Test
    void d1_lastWorkOfAPoolThatEndsRunsOnASurplusWorker_allWorkersEnd() {
        WorkerPool pool = pool(1, 3);
        WorkerSet workers = pool.workers();
        submit(pool);
        Worker first = hired.get(0);
        take(pool, workers, first);
        submit(pool);
        while (hired.size() < 2) {
            look(workers);
        }
        Worker last = hired.get(1);
        take(pool, workers, last);
        watchToTheEnd(workers);
        host.quiescent = false;
        pool.stop();
        assertThat(workers.beginSearch(first)).isTrue();
        host.meanwhile = () -> { // while `first` checks
            submit(pool);
            host.quiescent = true;
            pool.tryTerminate();
            take(pool, workers, last);
            workers.limit.lower();
            assertThat(workers.retreat(last)).isTrue();
        };

        workers.becomeIdle(first, false);
        assertThat(host.meanwhile).isNull();
        workers.becomeIdle(first, false); // the submit has woken it

        assertThat(List.of(first.state(), last.state())).containsOnly(WorkerState.ENDING);
        workers.ended(last);
        assertThat(host.terminated).isZero();
        workers.ended(first);
        assertThat(host.terminated).isOne();
    }

    /** The maximum of threads is reached, and the only one has checked for ready work. */
    @Test
    void w9_markerThatComesWhileTheLastThreadEnds_isReached() {
        WorkerPool pool = pool(1, 1);
        WorkerSet workers = pool.workers();
        LaneTable table = new LaneTable(pool, 100, () -> {}, lane -> {});
        submit(pool);
        Worker last = hired.get(0);
        take(pool, workers, last);
        pool.stop();
        workers.becomeIdle(last, false);
        assertThat(last.state()).isEqualTo(WorkerState.ENDING);
        LaneCore lane = table.add(new LaneSpace(table, "keys")).lane("key"); // created by a submit that will be refused
        List<String> reached = new ArrayList<>();
        assertThat(lane.push(new LaneBarrier(() -> reached.add("first")))).isTrue();
        assertThat(lane.push(new LaneBarrier(() -> reached.add("second")))).isTrue();
        lane.close();
        assertThat(reached).isEmpty();

        workers.ended(last);

        assertThat(reached).containsExactly("first", "second");
        assertThat(table.isEmpty()).isTrue();
        assertThat(host.terminated).isOne();
    }

    /** The producer's entry was taken before the producer signals it. */
    @Test
    void d1_signalThatComesWhenThePoolEnds_startsNoThread() {
        WorkerPool pool = pool(1, 3);
        WorkerSet workers = pool.workers();
        submit(pool);
        take(pool, workers, hired.get(0));
        pool.stop();
        workers.becomeIdle(hired.get(0), false);

        assertThat(workers.signal()).isTrue();

        assertThat(hired).hasSize(1);
        assertThat(workers.watchdog().clock().isThere()).isFalse();
    }

    @Test
    void d1_lastThreadOfAPoolThatEndsCannotStart_terminates() {
        WorkerPool[] pool = new WorkerPool[1];
        List<@Nullable Object> taken = new ArrayList<>();
        pool[0] = new WorkerPool(
                new PoolConfig(
                        "test",
                        1,
                        1,
                        KEEP_ALIVE,
                        0,
                        Long.MAX_VALUE,
                        worker -> {
                            taken.add(pool[0].removeFirst(entry -> true)); // as shutdownNow does
                            pool[0].stop();
                            throw new IllegalStateException("no thread");
                        },
                        null,
                        false,
                        true,
                        () -> now,
                        host),
                timers);

        pool[0].ready((Runnable) () -> {});

        assertThat(taken).doesNotContainNull().hasSize(1);
        assertThat(host.failures)
                .singleElement()
                .extracting(Throwable::getMessage)
                .isEqualTo("no thread");
        assertThat(host.terminated).isOne();
    }
}
