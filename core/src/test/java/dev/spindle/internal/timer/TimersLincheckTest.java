// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.timer;

import dev.spindle.internal.LincheckSettings;
import dev.spindle.internal.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * Timers-1 and Timers-4: a timer fires once for each add unless it is removed, and never before it is due; slots are
 * processed one timer at a time.
 */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class TimersLincheckTest {
    private static final int NUMBER = 3;

    private final Timers timers = new Timers(0, 1, 1);
    private final List<DueTimer> alarms = new ArrayList<>();
    private final AtomicInteger clock = new AtomicInteger();

    public TimersLincheckTest() {
        for (int i = 0; i < NUMBER; i++) {
            alarms.add(new DueTimer());
        }
    }

    @Operation
    public void add(@Param(gen = IntGen.class, conf = "0:2") int which) {
        DueTimer alarm = alarms.get(which);
        if (alarm.waits.compareAndSet(0, 1)) { // one add at a time, as the contract requires
            timers.add(alarm, clock.get() + which);
        }
    }

    @Operation
    public void remove(@Param(gen = IntGen.class, conf = "0:2") int which) {
        DueTimer alarm = alarms.get(which);
        if (timers.remove(alarm)) {
            alarm.ends();
        }
    }

    @Operation
    public void fire() {
        TestTimer.fire(timers, clock.incrementAndGet());
    }

    @Validate
    public void eachHasFiredOrWasRemoved() {
        TestTimer.fire(timers, clock.get() + NUMBER);
        for (DueTimer alarm : alarms) {
            Tally.require(alarm.waits.get() == 0, "a timer is left");
        }
        Tally.require(timers.isEmpty(), "seems to have timers, and has none");
        Tally.require(timers.untilNext(clock.get()) == Long.MAX_VALUE, "asks to be looked at, and has no timer");
    }

    @Test
    void timers_everyInterleaving_fireOnceOrAreRemoved() {
        LincheckSettings.modelChecking().verifier(EpsilonVerifier.class).check(TimersLincheckTest.class);
    }

    @Test
    void timers_onRealThreads_fireOnceOrAreRemoved() {
        LincheckSettings.stress().verifier(EpsilonVerifier.class).check(TimersLincheckTest.class);
    }

    private final class DueTimer extends TestTimer {
        private final AtomicInteger waits = new AtomicInteger();

        @Override
        void fired() {
            Tally.require(due() <= clock.get() + NUMBER, "fires before it is due");
            ends();
        }

        private void ends() {
            Tally.require(waits.getAndDecrement() == 1, "fires, or is removed, for the second time");
        }
    }
}
