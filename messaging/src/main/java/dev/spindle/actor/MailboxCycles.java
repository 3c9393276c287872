// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Detects cycles of actors that wait for room in each other's mailboxes. */
final class MailboxCycles {
    /*
     * Each actor has at most one edge: `ActorCell.edge`, what the first letter of its outbox waits for (R3). An edge
     * is live while its waiter is in the queue of its target. An actor publishes its edge (volatile) when that is so,
     * then walks from edge to edge. If it meets itself, and a second look finds each of these edges still live, it
     * overdraws: the first letter of each outbox in the cycle is admitted over the bound, so that the excess is
     * spread over all mailboxes of the cycle.
     *
     * MailboxCycles-1  No set of actors waits for ever because of full mailboxes alone. Suppose one does: each has a
     *                  live edge, and some of these edges form a cycle, since each actor has one. Of these one was
     *                  published last. All others of the cycle were there before, and for ever: so whoever published
     *                  it saw all of them, twice, and overdrew.
     * MailboxCycles-2  An overdraft takes away at least one edge of the cycle, or, if all its mailboxes are at their
     *                  limits, fails the first send of the walker, which takes away the walker's. So cycles are
     *                  undone by whoever closed them.
     * MailboxCycles-3  A cycle that was seen but would not have lasted costs an overdraft, and fails no send unless
     *                  the limits were used up. Of two actors that close one cycle at once both may overdraw.
     * MailboxCycles-4  The walk ends: it may come to a cycle without the walker, which Brent's marker finds.
     *
     * Only edges between actors count. An actor that is stopping or being restarted keeps its edge until its outbox
     * is empty.
     *
     * Tests: MailboxCyclesLincheckTest, ActorRingTest; jcstress ParkAgainstPark.
     */
    private static final int MOST_HOPS = 1 << 20;

    private MailboxCycles() {}

    /** A node of the wait graph, with at most one edge: the mailbox that it waits for. */
    interface Node {
        /** Returns what it waits for, or null. Volatile. */
        @Nullable
        Waiter edge();

        /** Sets what it waits for, a waiter that is in the queue of its target. Volatile. */
        void publish(Waiter edge);
    }

    /** Publishes {@code first} as the edge of {@code self}; returns the edges of the cycle that it closes, or none. */
    static List<Waiter> publish(Node self, Waiter first) {
        self.publish(first); // before the walk (MailboxCycles-1)
        if (!leadsBack(self, first)) {
            return List.of();
        }
        List<Waiter> path = new ArrayList<>();
        Waiter edge = first;
        while (edge != null) {
            path.add(edge);
            if (edge.target == self) {
                return path.stream().allMatch(MailboxCycles::isLive) ? path : List.of();
            }
            edge = liveEdge(edge.target);
            if (path.size() > MOST_HOPS) {
                return List.of(); // it has changed since the first look
            }
        }
        return List.of();
    }

    private static boolean leadsBack(Node self, Waiter first) {
        Mailbox marker = first.target;
        int untilNext = 2;
        int hops = 0;
        for (Waiter edge = first; edge != null; edge = liveEdge(edge.target)) {
            if (edge.target == self) {
                return true;
            }
            if (++hops == untilNext) {
                marker = edge.target;
                hops = 0;
                untilNext *= 2;
            } else if (hops > 1 && edge.target == marker) {
                return false; // a cycle of others, who see to it (MailboxCycles-2)
            }
        }
        return false;
    }

    private static @Nullable Waiter liveEdge(Mailbox mailbox) {
        Waiter edge = mailbox instanceof Node node ? node.edge() : null;
        return edge != null && isLive(edge) ? edge : null;
    }

    private static boolean isLive(Waiter edge) {
        return edge.queued;
    }
}
