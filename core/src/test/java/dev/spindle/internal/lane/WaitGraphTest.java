// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.internal.HandScheduler;
import dev.spindle.internal.WorkerContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** K6: cycles of waits, and chains that only look like cycles since they change while they are read. */
class WaitGraphTest {
    private static final Future<?> NEVER = new CompletableFuture<Object>();

    private final HandScheduler scheduler = new HandScheduler();
    private final LaneTable table = new LaneTable(scheduler, Integer.MAX_VALUE, () -> {}, lane -> {});
    private final LaneSpace keys = table.add(new LaneSpace(table, "keys"));
    private final LaneCore a = keys.lane("a");
    private final LaneCore b = keys.lane("b");
    private final LaneCore c = keys.lane("c");

    private WorkerContext worker() {
        return new WorkerContext(scheduler, Long.MAX_VALUE);
    }

    /** Runs {@code body} in a turn of {@code lane}. */
    private void turn(LaneCore lane, WorkerContext worker, Runnable body) {
        boolean[] done = new boolean[1];
        lane.push(() -> {
            body.run();
            done[0] = true;
        });
        scheduler.ready.remove(lane);
        lane.turn(worker);
        assertThat(done[0]).isTrue();
    }

    @Test
    void k6_cycleOfThreeLanes_isRefusedWithItsPath() {
        WorkerContext second = worker();
        WorkerContext third = worker();
        WorkerContext first = worker();
        turn(b, second, () -> {
            WaitGraph.begin(second, c, NEVER);
            turn(c, third, () -> {
                WaitGraph.begin(third, a, NEVER);
                turn(
                        a,
                        first,
                        () -> assertThatThrownBy(() -> WaitGraph.begin(first, b, NEVER))
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("its own lane: " + a)
                                .hasMessageContaining(b + " -> " + c + " -> " + a));
            });
        });
    }

    /** Between the two reads the worker of lane b has continued with a turn of lane c, in which it waits. */
    @Test
    void k6_waitOfAWorkerThatHasLeftTheLane_isNoEdge() {
        WorkerContext both = worker();
        WorkerContext first = worker();
        turn(
                b,
                both,
                () -> turn(c, both, () -> {
                    WaitGraph.begin(both, a, NEVER);
                    turn(
                            a,
                            first,
                            () -> assertThatCode(() -> WaitGraph.begin(first, b, NEVER))
                                    .doesNotThrowAnyException());
                }));
    }

    /** The first edge ends while the last one is read. */
    @Test
    void k6_edgeThatEndsDuringTheWalk_isNoCycle() {
        WorkerContext second = worker();
        WorkerContext third = worker();
        WorkerContext first = worker();
        CompletableFuture<Object> endsTheFirst = new CompletableFuture<>() {
            @Override
            public boolean isDone() {
                WaitGraph.end(second);
                return false;
            }
        };
        turn(b, second, () -> {
            WaitGraph.begin(second, c, NEVER);
            turn(c, third, () -> {
                WaitGraph.begin(third, a, endsTheFirst);
                turn(
                        a,
                        first,
                        () -> assertThatCode(() -> WaitGraph.begin(first, b, NEVER))
                                .doesNotThrowAnyException());
            });
        });
    }

    @Test
    void k6_futureThatIsDoneMeanwhile_isNoEdge() {
        WorkerContext second = worker();
        WorkerContext first = worker();
        CompletableFuture<Object> own = new CompletableFuture<>();
        CompletableFuture<Object> completesOwn = new CompletableFuture<>() {
            @Override
            public boolean isDone() {
                own.complete("done");
                return false;
            }
        };
        turn(b, second, () -> {
            WaitGraph.begin(second, a, completesOwn);
            turn(
                    a,
                    first,
                    () -> assertThatCode(() -> WaitGraph.begin(first, b, own)).doesNotThrowAnyException());
        });
        turn(
                a,
                first,
                () -> assertThatCode(() -> WaitGraph.begin(first, a, CompletableFuture.completedFuture("done")))
                        .doesNotThrowAnyException());
    }
}
