// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.internal.LincheckSettings;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * Explicit runs, starts that sometimes fail, waiting senders, and a close: no two runs overlap, and in the end every
 * accepted update was taken or superseded.
 */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class CoalescerRunsLincheckTest {
    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger ends = new AtomicInteger();
    private final AtomicInteger left = new AtomicInteger(); // updates taken, and those that they had superseded
    private volatile boolean failing;
    private volatile boolean overlapping;
    private final PendingKeys<Integer, Integer> keys =
            new PendingKeys<>(1, 1, null, this::start, this::admit, ends::incrementAndGet);
    private final WaitingSends<Integer, Integer> sends = new WaitingSends<>(
            keys,
            () -> {
                refused.incrementAndGet();
                return new RejectedExecutionException();
            },
            new HostExecutor(null));

    private void admit() {
        sends.admit();
    }

    private void start() {
        if (failing) {
            failing = false;
            throw new RejectedExecutionException();
        }
        started.incrementAndGet();
    }

    @Operation
    public void offer(@Param(gen = IntGen.class, conf = "1:3") int key) {
        try {
            if (keys.offer(key, key, false) == PendingKeys.Outcome.ACCEPTED) {
                accepted.incrementAndGet();
            }
        } catch (RejectedExecutionException expected) {
            // not accepted
        }
    }

    @Operation
    public void offerWhileNoRunCanStart(@Param(gen = IntGen.class, conf = "1:3") int key) {
        failing = true;
        offer(key);
        failing = false;
    }

    @Operation
    public void send(@Param(gen = IntGen.class, conf = "1:3") int key) {
        sent.incrementAndGet();
        WaitingSends.Send<Integer, Integer> unused = sends.add(key, key);
    }

    @Operation
    public void run() {
        int now = started.get();
        if (now > 0 && started.compareAndSet(now, now - 1)) {
            begin();
            takeAll();
        }
    }

    /** Records an overlap for the end, since Lincheck takes an exception of an operation for its result. */
    private void begin() {
        if (running.incrementAndGet() != 1) {
            overlapping = true;
        }
    }

    private void takeAll() {
        for (; ; ) {
            for (KeySlot<Integer, Integer> slot = keys.next(); slot != null; slot = keys.next()) {
                KeyUpdate<Integer> update = slot.take();
                left.addAndGet(update == null ? 0 : 1 + (int) update.replaced());
                keys.remember(slot);
            }
            running.decrementAndGet();
            if (keys.finish()) {
                break;
            }
            begin();
        }
        if (keys.isAwaited()) {
            sends.admit();
        }
    }

    @Operation
    public void close() {
        keys.close();
        sends.admit();
        if (keys.claim() && !keys.finish()) {
            started.incrementAndGet();
        }
    }

    @Validate
    public void nothingIsLeftBehind() {
        failing = false;
        if (keys.claimStranded()) { // as the next offer would
            started.incrementAndGet();
        }
        while (started.get() > 0) {
            run();
        }
        LincheckSettings.check(!overlapping, "two runs at once");
        LincheckSettings.check(keys.estimatedPending() == 0, keys.estimatedPending() + " keys left behind");
        LincheckSettings.check(!keys.isAwaited(), "a sender left behind");
        LincheckSettings.check(keys.isClosed() == (ends.get() == 1), "ended " + ends + " times");
        int all = accepted.get() + sent.get() - refused.get();
        LincheckSettings.check(
                left.get() <= all && left.get() >= accepted.get(), all + " accepted, " + left + " taken or superseded");
    }

    @Test
    void runs_everyInterleaving_leaveNothingBehind() {
        new ModelCheckingOptions()
                .iterations(LincheckSettings.drawn(5))
                .invocationsPerIteration(400)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(1)
                .actorsAfter(0)
                .verifier(EpsilonVerifier.class)
                .check(CoalescerRunsLincheckTest.class);
    }
}
