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

/** The calls of a buffered channel that do not wait are linearizable. */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class BufferedChannelLincheckTest {
    private final Channel<Integer> channel = Channel.buffered("channel", 2);

    @Operation
    public String offerOne() {
        return offer(1);
    }

    @Operation
    public String offerTwo() {
        return offer(2);
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
    public int size() {
        return (int) channel.stats().pending();
    }

    @Operation
    public void close() {
        channel.close();
    }

    @Operation
    public String cancel() {
        return channel.halt().join().items().toString();
    }

    @Test
    void c1_bufferInEveryInterleaving_isAQueueWithABoundAndAnEnd() {
        LincheckSettings.modelChecking()
                .addCustomScenario(LincheckSettings.scenario(
                        BufferedChannelLincheckTest.class, "offerOne", "cancel", "offerTwo poll"))
                .check(BufferedChannelLincheckTest.class);
    }
}
