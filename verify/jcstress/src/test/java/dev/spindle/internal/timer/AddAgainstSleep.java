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
 * The add of a timer meets the clock thread, which was woken for a timer that is gone and asks how long to sleep: the
 * add returns that the thread must look again, or the thread gets a time that is not after the new timer.
 */
@JCStressTest
@Outcome(
        id = "false, true",
        expect = Expect.FORBIDDEN,
        desc = "The clock thread sleeps past the timer, and is not woken.")
@Outcome(id = ".*", expect = Expect.ACCEPTABLE, desc = "The clock thread is woken, or knows of the timer.")
@State
public class AddAgainstSleep {
    private static final long SOON = 2_000;
    private static final long LATER = 10_000;

    private final Timers timers = new Timers(0);
    private final NoTimer added = new NoTimer();

    /** One timer waits. The clock thread was told of an earlier one, which has been removed since. */
    public AddAgainstSleep() {
        NoTimer gone = new NoTimer();
        timers.add(new NoTimer(), LATER);
        timers.add(gone, SOON / 2);
        timers.untilNext(0);
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
