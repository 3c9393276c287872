// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.internal.LincheckSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Offers and one owner: a map in the order of the first puts, from which the owner takes the first. */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class PendingKeysLincheckTest {
    // At most one key is remembered, so that slots are retired all the time.
    private final PendingKeys<Integer, Integer> keys = new PendingKeys<>(100, 1, null, () -> {}, () -> {}, () -> {});

    @Operation
    public boolean offer(
            @Param(gen = IntGen.class, conf = "1:2") int key, @Param(gen = IntGen.class, conf = "0:9") int value) {
        return keys.offer(key, value, false) == PendingKeys.Outcome.ACCEPTED;
    }

    /** The steps of a run for one key, and at its end. */
    @Operation(nonParallelGroup = "owner")
    public @Nullable String take() {
        KeySlot<Integer, Integer> slot = keys.next();
        if (slot == null) {
            keys.finish();
            return null;
        }
        KeyUpdate<Integer> update = slot.take();
        keys.remember(slot);
        return update == null ? "nothing in the place" : slot.key() + "=" + update.value();
    }

    @Test
    void pendingKeys_everyInterleaving_areLinearizable() {
        new ModelCheckingOptions()
                .iterations(LincheckSettings.drawn(5))
                .invocationsPerIteration(300)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(1)
                .actorsAfter(2)
                .sequentialSpecification(Sequential.class)
                .addCustomScenario(LincheckSettings.scenario(
                        List.of(offerOne(1)), List.of(takeNext()), List.of(offerOne(2)), List.of(takeNext())))
                .check(PendingKeysLincheckTest.class);
    }

    private static Actor offerOne(Integer value) {
        return LincheckSettings.call(PendingKeysLincheckTest.class, "offer", 1, value);
    }

    private static Actor takeNext() {
        return LincheckSettings.call(PendingKeysLincheckTest.class, "take");
    }

    @Test
    void pendingKeys_onRealThreads_areLinearizable() {
        new StressOptions()
                .iterations(LincheckSettings.drawn(4))
                .invocationsPerIteration(200)
                .threads(3)
                .actorsPerThread(3)
                .actorsBefore(1)
                .actorsAfter(2)
                .sequentialSpecification(Sequential.class)
                .check(PendingKeysLincheckTest.class);
    }

    /** The sequential specification. */
    public static class Sequential {
        private final LinkedHashMap<Integer, Integer> pending = new LinkedHashMap<>();

        public boolean offer(int key, int value) {
            pending.put(key, value); // a later put keeps the place
            return true;
        }

        public @Nullable String take() {
            for (Map.Entry<Integer, Integer> first : pending.entrySet()) {
                pending.remove(first.getKey());
                return first.getKey() + "=" + first.getValue();
            }
            return null;
        }
    }
}
