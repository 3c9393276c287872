// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor.internal;

import dev.spindle.internal.LincheckSettings;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * Three nodes with full mailboxes begin to wait for the next node, or two for each other, in every interleaving: in the
 * end no cycle is left (MailboxCycles-1), and each admitted letter is in its mailbox once.
 */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class MailboxCyclesLincheckTest {
    private final Place a = new Place();
    private final Place b = new Place();
    private final Place c = new Place();

    /** A node that never takes a letter. */
    private static final class Place extends Mailbox implements MailboxCycles.Node {
        private volatile @Nullable Waiter edge;

        Place() {
            Push unused = offer(new Letter("full"));
        }

        @Override
        protected int capacity() {
            return 1;
        }

        @Override
        protected void ready() {}

        @Override
        public void run() {}

        @Override
        public @Nullable Waiter edge() {
            return edge;
        }

        @Override
        public void publish(Waiter wait) {
            edge = wait;
        }

        /** Begins to wait for {@code target}, as an outbox does. */
        void park(Place target) {
            if (edge != null) {
                return;
            }
            Waiter wait = new Waiter(target, new Letter("waits"), 0) {
                @Override
                public void granted() {}

                @Override
                public void refused() {}

                @Override
                public Object from() {
                    return "place";
                }
            };
            target.await(wait);
            for (Waiter of : MailboxCycles.publish(this, wait)) {
                Push unused = of.target.overdraw(of, 9);
            }
        }

        boolean waitsFor(Place target) {
            Waiter wait = edge;
            return wait != null && wait.isQueued() && wait.target == target;
        }

        int letIn() {
            Waiter wait = edge;
            return wait != null && !wait.isQueued() ? 1 : 0;
        }
    }

    @Operation(nonParallelGroup = "a")
    public void aWaitsForB() {
        a.park(b);
    }

    @Operation(nonParallelGroup = "b")
    public void bWaitsForC() {
        b.park(c);
    }

    @Operation(nonParallelGroup = "b")
    public void bWaitsForA() {
        b.park(a);
    }

    @Operation(nonParallelGroup = "c")
    public void cWaitsForA() {
        c.park(a);
    }

    @Validate
    public void noCycleLastsAndNoLetterIsThereTwice() {
        boolean two = a.waitsFor(b) && b.waitsFor(a);
        boolean three = a.waitsFor(b) && b.waitsFor(c) && c.waitsFor(a);
        if (two || three) {
            throw new IllegalStateException("they wait for each other for ever");
        }
        int there = a.estimatedDepth() + b.estimatedDepth() + c.estimatedDepth();
        int letIn = a.letIn() + b.letIn() + c.letIn();
        if (there != 3 + letIn) {
            throw new IllegalStateException(letIn + " let in, but " + (there - 3) + " are there");
        }
    }

    @Test
    void r4_cyclesClosedAtOnce_areLetGoAndLetNothingInTwice() {
        for (int threads = 2; threads <= 3; threads++) {
            new ModelCheckingOptions()
                    .iterations(LincheckSettings.drawn(4))
                    .invocationsPerIteration(250)
                    .threads(threads)
                    .actorsPerThread(2)
                    .actorsBefore(0)
                    .actorsAfter(0)
                    .verifier(EpsilonVerifier.class)
                    .check(MailboxCyclesLincheckTest.class);
        }
    }
}
