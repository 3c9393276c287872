// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.LincheckSettings;
import dev.spindle.internal.Tally;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * Submissions to named slots, whose cells are created and removed: the last submission to each runs unless it was
 * withdrawn.
 */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class NamedSlotsLincheckTest {
    private final LaneHarness harness = new LaneHarness();
    private final AtomicInteger offered = new AtomicInteger();
    private final AtomicInteger ends = new AtomicInteger();

    @Operation
    public void offerToOne() {
        offered.incrementAndGet();
        harness.offer("one", new Counted());
    }

    @Operation
    public void offerToOther() {
        offered.incrementAndGet();
        harness.offer("other", new Counted());
    }

    @Operation
    public void work() {
        harness.work();
    }

    @Operation
    public void cancelPending() {
        harness.cancelPending();
    }

    @Operation
    public void retire() {
        harness.retire();
    }

    @Validate
    public void nothingIsLeftBehind() {
        harness.validate();
        Tally.require(ends.get() == offered.get(), offered + " offered, " + ends + " ran, superseded or withdrawn");
    }

    @Test
    void slots_everyInterleaving_endsEachSubmissionOnce() {
        LincheckSettings.assertionsOnly().check(NamedSlotsLincheckTest.class);
    }

    /** A submission that counts its outcomes. */
    private final class Counted implements CoalescingSubmission {
        private volatile long count;

        @Override
        public void setCount(long replaced) {
            count = replaced;
        }

        @Override
        public long count() {
            return count;
        }

        @Override
        public void run() {
            ends.incrementAndGet();
        }

        @Override
        public void superseded() {
            ends.incrementAndGet();
        }

        @Override
        public void withdrawn() {
            ends.incrementAndGet();
        }

        @Override
        public Runnable userTask() {
            return this;
        }
    }
}
