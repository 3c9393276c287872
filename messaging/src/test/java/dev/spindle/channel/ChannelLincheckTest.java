// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import dev.spindle.internal.LincheckSettings;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * Sends, receives and withdrawals of a rendezvous in every interleaving: each value sent was received once, and no
 * sender waits while a receiver waits.
 */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class ChannelLincheckTest {
    private final Channel<Integer> channel = Channel.rendezvous("channel");
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger received = new AtomicInteger();

    @Operation
    public void offer() {
        if (channel.offer(1)) {
            sent.incrementAndGet();
        }
    }

    @Operation
    public void poll() {
        Integer value = channel.poll();
        if (value != null) {
            received.incrementAndGet();
        }
    }

    @Operation
    public void send() {
        CompletableFuture<?> unused = channel.sendAsync(1).thenRun(sent::incrementAndGet);
    }

    @Operation
    public void receive() {
        CompletableFuture<?> unused = channel.receiveAsync().thenAccept(value -> received.incrementAndGet());
    }

    @Operation
    public void sendAndWithdraw() {
        if (!channel.sendAsync(1).cancel(false)) {
            sent.incrementAndGet();
        }
    }

    @Operation
    public void receiveAndWithdraw() {
        if (!channel.receiveAsync().cancel(false)) {
            received.incrementAndGet();
        }
    }

    @Validate
    public void eachValueWasReceivedOnce() {
        LincheckSettings.check(sent.get() == received.get(), sent + " sent, " + received + " received");
        LincheckSettings.check(
                channel.core().waitingSenders() == 0 || channel.core().waitingReceivers() == 0,
                "a sender waits beside a receiver");
        LincheckSettings.check(channel.stats().pending() == 0, "a rendezvous holds a value");
    }

    @Test
    void c1_rendezvousInEveryInterleaving_givesEachValueToOneReceiver() {
        LincheckSettings.assertionsOnly()
                .iterations(LincheckSettings.drawn(3))
                .addCustomScenario(LincheckSettings.scenario(
                        ChannelLincheckTest.class, "receive", "offer", "sendAndWithdraw poll"))
                .check(ChannelLincheckTest.class);
    }

    @Test
    void c1_senderAndReceiverThatComeAtOnce_meet() {
        LincheckSettings.assertionsOnly()
                .iterations(0)
                .invocationsPerIteration(8_000)
                .addCustomScenario(LincheckSettings.scenario(ChannelLincheckTest.class, "", "send", "receive"))
                .check(ChannelLincheckTest.class);
    }
}
