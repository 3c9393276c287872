// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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
 * Three nodes whose mailboxes are full, of which each comes to wait for the next, or two for each other, in every interleaving:
 * whenever a cycle is there in the end, somebody has found it (MailboxCycles-1).
 */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class MailboxCyclesLincheckTest {
    private final Place a = new Place();
    private final Place b = new Place();
    private final Place c = new Place();
    private final AtomicInteger found = new AtomicInteger();

    /** A node that never takes anything. */
    private final class Place extends Mailbox implements MailboxCycles.Node {
        private volatile @Nullable Waiter edge;

        Place() {
            Push unused = offer(new Letter("full"));
        }

        @Override
        int capacity() {
            return 1;
        }

        @Override
        void ready() {}

        @Override
        public void run() {}

        @Override
        public @Nullable Waiter edge() {
            return edge;
        }

        /** Comes to wait for {@code target}, as an outbox does. */
        void park(Place target) {
            if (edge != null) {
                return;
            }
            Waiter wait = new Waiter(target, new Letter("waits"), 0) {
                @Override
                void granted() {}

                @Override
                void refused() {}

                @Override
                String name() {
                    return "place";
                }
            };
            edge = wait;
            target.await(wait);
            List<Waiter> cycle = MailboxCycles.cycle(this, wait);
            if (!cycle.isEmpty()) {
                found.incrementAndGet();
            }
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
    public void everyCycleWasFound() {
        Waiter ofA = a.edge;
        Waiter ofB = b.edge;
        Waiter ofC = c.edge;
        boolean two = ofA != null && ofB != null && ofB.target == a;
        boolean three = ofA != null && ofB != null && ofC != null && ofB.target == c;
        if ((two || three) != (found.get() > 0)) {
            throw new IllegalStateException("a cycle: " + (two || three) + ", found " + found + " times");
        }
    }

    @Test
    void r4_cyclesClosedAtOnce_areFoundByWhoeverPublishedLast() {
        for (int threads = 2; threads <= 3; threads++) {
            new ModelCheckingOptions()
                    .iterations(Boolean.getBoolean("verify.deep") ? 12 : 4)
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
