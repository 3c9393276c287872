// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor.internal;

import dev.spindle.internal.LincheckSettings;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * Offers, signals, waits for room, withdrawals and turns in every interleaving: there are never two owners nor more
 * requests than the bound, and no letter or waiter is left behind.
 */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class MailboxLincheckTest {
    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger signalled = new AtomicInteger();
    private int handled; // written by the owner
    private int served;
    private volatile String fault = "";

    private final Mailbox mailbox = new Mailbox() {
        @Override
        protected int capacity() {
            return 1;
        }

        @Override
        protected void ready() {
            started.incrementAndGet();
        }

        @Override
        public void run() {
            check(running.incrementAndGet() == 1, "two owners at once");
            for (; ; ) {
                boolean unused = intake();
                while (pollReply() != null) {
                    served++;
                }
                for (Letter letter = pollRequest(); letter != null; letter = pollRequest()) {
                    handled++;
                }
                running.decrementAndGet();
                if (becomeIdle()) {
                    return;
                }
                check(running.incrementAndGet() == 1, "two owners at once");
            }
        }
    };

    private final class Wait extends Waiter {
        Wait() {
            super(mailbox, new Letter("waits"), 0);
        }

        @Override
        public void granted() {
            accepted.incrementAndGet();
        }

        @Override
        public void refused() {
            check(false, "refused by an open mailbox");
        }

        @Override
        public Object from() {
            return "wait";
        }
    }

    private static final class Note extends Letter.Signal {
        @Override
        public void arrive() {}
    }

    /** Records a fault for the end, since Lincheck takes an exception of an operation for its result. */
    private void check(boolean holds, String otherwise) {
        if (!holds) {
            fault = otherwise;
        }
    }

    @Operation
    public void offer() {
        if (mailbox.offer(new Letter("offer")) == Mailbox.Push.QUEUED) {
            accepted.incrementAndGet();
        }
    }

    @Operation
    public void signal() {
        check(mailbox.signal(new Note()), "an open mailbox refused a signal");
        signalled.incrementAndGet();
    }

    @Operation
    public void await() {
        mailbox.await(new Wait());
    }

    @Operation
    public void awaitAndWithdraw() {
        Wait wait = new Wait();
        mailbox.await(wait);
        boolean unused = mailbox.withdraw(wait);
    }

    @Operation
    public void turn() {
        int now = started.get();
        if (now > 0 && started.compareAndSet(now, now - 1)) {
            mailbox.run();
        }
    }

    @Validate
    public void nothingIsLeftBehind() {
        while (started.get() > 0) {
            turn();
        }
        check(mailbox.estimatedDepth() == 0, mailbox.estimatedDepth() + " left behind");
        check(mailbox.waiting().isEmpty(), "a waiter was left behind");
        check(handled == accepted.get(), accepted + " accepted, " + handled + " handled");
        check(served == signalled.get(), signalled + " signalled, " + served + " served");
        if (!fault.isEmpty()) {
            throw new IllegalStateException(fault);
        }
    }

    @Test
    void s1_everyInterleaving_leavesNothingAndNobodyBehind() {
        new ModelCheckingOptions()
                .iterations(LincheckSettings.drawn(6))
                .invocationsPerIteration(500)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(1)
                .actorsAfter(0)
                .verifier(EpsilonVerifier.class)
                .check(MailboxLincheckTest.class);
    }
}
