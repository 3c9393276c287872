// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.limit;

import dev.spindle.internal.LincheckSettings;
import dev.spindle.internal.QueueScheduler;
import dev.spindle.internal.Tally;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * ConcurrencyLimiter-1 to 3 and ConcurrencyLimiter-5: submits, turns, drops and both shutdowns of an executor with one
 * token and a capacity of one.
 */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class ConcurrencyLimiterLincheckTest {
    private final QueueScheduler scheduler = new QueueScheduler();
    private final AtomicInteger running = new AtomicInteger();
    private final Tally tally = new Tally();
    private final ConcurrencyLimiter core =
            new ConcurrencyLimiter("test", scheduler, action -> {}, 1, 1, this::terminated);
    private volatile boolean terminated;

    @Operation
    public void submit() {
        Task task = new Task(tally.next());
        if (core.arrive()) {
            tally.in(task);
            core.publish(task);
        }
    }

    @Operation
    public void work() {
        scheduler.work();
    }

    @Operation
    public void drop() {
        Runnable dropped = core.exchangeFirst(task -> true);
        if (dropped != null) {
            core.room().giveBack();
        }
        tally.out(dropped);
    }

    @Operation
    public void shutdown() {
        core.shutdown();
    }

    @Operation
    public void shutdownNow() {
        core.shutdownNow().forEach(tally::out);
    }

    private void terminated() {
        terminated = true;
    }

    @Validate
    public void eachHasEndedOnce() {
        while (scheduler.work()) {}
        tally.check();
        core.shutdown();
        Tally.require(terminated, "has ended, and does not say so");
    }

    @Test
    void executor_everyInterleaving_losesNothingAndKeepsItsLimit() {
        LincheckSettings.assertionsOnly().check(ConcurrencyLimiterLincheckTest.class);
    }

    @Test
    void executor_onRealThreads_losesNothingAndKeepsItsLimit() {
        LincheckSettings.stress().verifier(EpsilonVerifier.class).check(ConcurrencyLimiterLincheckTest.class);
    }

    private final class Task implements Runnable {
        private final int number;

        Task(int number) {
            this.number = number;
        }

        @Override
        public void run() {
            Tally.require(running.getAndIncrement() == 0, "two tasks at once, with one token");
            Tally.require(!terminated, "runs after the end");
            tally.out(this);
            running.getAndDecrement();
        }

        @Override
        public String toString() {
            return "task " + number;
        }
    }
}
