// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.report;

import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Activity;
import dev.spindle.WaitEdge;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ActivityTextTest {
    private static ActivityView party(String owner) {
        return new ActivityView(Activity.Kind.EXECUTOR, owner, null, null);
    }

    private static WaitEdge wait(boolean cyclic) {
        return new WaitView(party("a"), party("b"), WaitEdge.Kind.ROOM, Duration.ZERO, null, cyclic);
    }

    @Test
    void time_belowASecond_isInMilliseconds() {
        assertThat(ActivityText.time(Duration.ofMillis(999))).isEqualTo("999 ms");
        assertThat(ActivityText.time(Duration.ofMillis(1_999))).isEqualTo("1 s");
    }

    @Test
    void waitsFor_anEdge_isItsTarget() {
        assertThat(ActivityText.waitsFor(wait(false), Thread.currentThread())).isEqualTo("b (ROOM)");
        assertThat(ActivityText.waitsFor(wait(true), null)).isEqualTo("b (ROOM), in a cycle");
    }

    @Test
    void waitsFor_withoutAnEdge_isWhatTheThreadWaitsFor() throws InterruptedException {
        Object blocker = new Object();
        Thread parked = new Thread(() -> LockSupport.park(blocker));
        assertThat(ActivityText.waitsFor(null, parked)).isEqualTo("NEW");
        assertThat(ActivityText.waitsFor(null, null)).isNull();
        assertThat(ActivityText.waitsFor(null, Thread.currentThread())).isNull();

        parked.start();
        until(() -> LockSupport.getBlocker(parked) == blocker && parked.getState() == Thread.State.WAITING);
        assertThat(ActivityText.waitsFor(null, parked)).isEqualTo("WAITING on a java.lang.Object");
        LockSupport.unpark(parked);
        parked.join();
    }

    @Test
    void threadWhoseMethodsThrow_hasNoText() {
        Thread thrower = new Thread() {
            @Override
            public State getState() {
                throw new IllegalStateException("getState");
            }
        };
        assertThat(ActivityText.waitsFor(null, thrower)).isNull();
    }

    @Test
    void stack_ofAPartyWithoutAThread_isEmpty() {
        assertThat(ActivityText.stack(party("a"))).isEmpty();
        assertThat(ActivityText.owner(party("a\nb"))).doesNotContain("\n");
    }
}
