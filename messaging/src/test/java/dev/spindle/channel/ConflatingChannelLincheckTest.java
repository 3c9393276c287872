// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import dev.spindle.internal.LincheckSettings;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** The calls of a conflating channel that do not wait are linearizable. */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class ConflatingChannelLincheckTest {
    private final Channel<Integer> channel =
            Channel.conflating("channel", 1, value -> value / 10, (one, other) -> one + other);

    @Operation
    public String offerOne() {
        return offer(11);
    }

    @Operation
    public String offerTwo() {
        return offer(21);
    }

    private String offer(int value) {
        try {
            return String.valueOf(channel.offer(value));
        } catch (ChannelClosedException e) {
            return "closed";
        }
    }

    @Operation
    public @Nullable String poll() {
        try {
            Integer value = channel.poll();
            return value == null ? null : value.toString();
        } catch (ChannelClosedException e) {
            return "closed";
        }
    }

    @Operation
    public void close() {
        channel.close();
    }

    @Operation
    public String halt() {
        return channel.halt().join().items().toString();
    }

    @Test
    void c1_latestValuesInEveryInterleaving_areThoseOfAMap() {
        LincheckSettings.modelChecking()
                .addCustomScenario(LincheckSettings.scenario(
                        ConflatingChannelLincheckTest.class, "offerOne", "offerOne poll", "poll offerTwo"))
                .check(ConflatingChannelLincheckTest.class);
    }
}
