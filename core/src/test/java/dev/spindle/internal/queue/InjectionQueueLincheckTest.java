// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import dev.spindle.internal.LincheckSettings;
import java.util.ArrayDeque;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** The injection queue is linearizable, also at the ends of segments. */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class InjectionQueueLincheckTest {
    private final InjectionQueue queue = new InjectionQueue(2);

    @Operation
    public void offer(@Param(gen = IntGen.class, conf = "0:9") int entry) {
        queue.offer(entry);
    }

    @Operation
    public @Nullable Object poll() {
        return queue.poll();
    }

    @Test
    void queue_everyInterleaving_isLinearizable() {
        LincheckSettings.modelChecking()
                .sequentialSpecification(Sequential.class)
                .check(InjectionQueueLincheckTest.class);
    }

    @Test
    void queue_onRealThreads_isLinearizable() {
        LincheckSettings.stress().sequentialSpecification(Sequential.class).check(InjectionQueueLincheckTest.class);
    }

    /** A sequential queue as the specification. */
    public static class Sequential {
        private final ArrayDeque<Integer> queue = new ArrayDeque<>();

        public void offer(int entry) {
            queue.add(entry);
        }

        public @Nullable Object poll() {
            return queue.poll();
        }
    }
}
