// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.internal.LincheckSettings;
import dev.spindle.internal.Tally;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.JRE;

/**
 * A faulty mailbox that becomes idle without a recheck. Lincheck must find the fault with the settings of the other
 * tests. Without the profile {@code long} they draw too few scenarios to be certain of that.
 */
@Tag("lincheck")
@EnabledIfSystemProperty(named = "verify.draws", matches = "[2-9]")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class CanaryLincheckTest {
    private final ConcurrentLinkedQueue<Integer> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final AtomicInteger ready = new AtomicInteger();

    @Operation
    public void submit(@Param(gen = IntGen.class, conf = "0:9") int task) {
        tasks.add(task);
        if (scheduled.compareAndSet(false, true)) {
            ready.incrementAndGet();
        }
    }

    @Operation
    public void work() {
        int now = ready.get();
        if (now > 0 && ready.compareAndSet(now, now - 1)) {
            while (!tasks.isEmpty()) {
                tasks.poll();
            }
            scheduled.set(false); // the fault: a task pushed just before is left behind
        }
    }

    @Validate
    public void nothingIsLeftBehind() {
        while (ready.get() > 0) {
            work();
        }
        Tally.require(tasks.isEmpty(), "left behind: " + tasks);
    }

    @Test
    void mailbox_withoutASecondLook_isFoundOut() {
        assertThatThrownBy(() -> LincheckSettings.assertionsOnly().check(CanaryLincheckTest.class))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("left behind");
    }
}
