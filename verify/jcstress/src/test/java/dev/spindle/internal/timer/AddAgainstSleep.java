// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.timer;

import dev.spindle.internal.Pool;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A timer is added while the watcher, who has been called for one that is gone, asks how long to sleep: the add answers
 * that the watcher has to look again, or the watcher is told a time that is not after the new timer.
 */
@JCStressTest
@Outcome(
        id = "false, true",
        expect = Expect.FORBIDDEN,
        desc = "The watcher sleeps past the timer, and nobody wakes it.")
@Outcome(id = ".*", expect = Expect.ACCEPTABLE, desc = "The watcher is woken, or knows of the timer.")
@State
public class AddAgainstSleep {
    private static final long SOON = 2_000;
    private static final long LATER = 10_000;

    private final Timers timers = new Timers(0);
    private final NoTimer added = new NoTimer();

    /** One timer waits; one that was to be the first has been removed, which lowers no bound. */
    public AddAgainstSleep() {
        NoTimer gone = new NoTimer();
        timers.add(new NoTimer(), LATER);
        timers.add(gone, SOON / 2);
        timers.remove(gone);
    }

    @Actor
    public void add(ZZ_Result result) {
        result.r1 = timers.add(added, SOON) == Pool.Added.EARLIER;
    }

    @Actor
    public void sleep(ZZ_Result result) {
        result.r2 = timers.untilNext(0) > SOON;
    }
}
