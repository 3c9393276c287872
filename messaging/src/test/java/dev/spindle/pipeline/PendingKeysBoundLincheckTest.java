// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.internal.LincheckSettings;
import java.util.LinkedHashMap;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Offers at the bound, without a run: no offer is refused that has room, or whose key is pending. */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class PendingKeysBoundLincheckTest {
    private static final int BOUND = 2;

    private final PendingKeys<Integer, Integer> keys = new PendingKeys<>(BOUND, 1, null, () -> {}, () -> {}, () -> {});

    @Operation
    public boolean offer(@Param(gen = IntGen.class, conf = "1:4") int key) {
        return keys.offer(key, key, false) == PendingKeys.Outcome.ACCEPTED;
    }

    @Test
    void offers_atTheBound_areLinearizable() {
        new ModelCheckingOptions()
                .iterations(LincheckSettings.drawn(4))
                .invocationsPerIteration(300)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(1)
                .actorsAfter(1)
                .sequentialSpecification(Sequential.class)
                .check(PendingKeysBoundLincheckTest.class);
    }

    /** The sequential specification. */
    public static class Sequential {
        private final LinkedHashMap<Integer, Integer> pending = new LinkedHashMap<>();

        public boolean offer(int key) {
            if (pending.containsKey(key)) {
                return true;
            }
            if (pending.size() == BOUND) {
                return false;
            }
            pending.put(key, key);
            return true;
        }
    }
}
