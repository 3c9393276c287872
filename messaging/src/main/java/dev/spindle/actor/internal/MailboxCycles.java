// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor.internal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The detection of cycles of actors that wait for room in each other's mailboxes. */
public final class MailboxCycles {
    /*
     * Each actor has at most one edge: the waiter for the first letter of its outbox (R3). An edge is live while its
     * waiter is in the queue of its target. An actor publishes its edge by a volatile write after it has queued the
     * waiter, then follows the edges. If the edges lead back to this actor, and a second look finds each edge still
     * live, the actor overdraws: it admits, over the bound, the first letter of each outbox of the cycle. So the excess
     * is spread over all mailboxes of the cycle.
     *
     * MailboxCycles-1  Full mailboxes alone never stop a set of actors. Such actors would form a cycle of live edges
     *                  that no longer changes, and the actor that published the last of these edges saw all edges twice
     *                  and overdrew.
     * MailboxCycles-2  The actor that closes a cycle resolves it: its overdraft removes at least one edge, or, if all
     *                  mailboxes are at their limits, its own first send fails, which removes its own edge.
     * MailboxCycles-3  The walk ends: if it enters a cycle that does not contain its own actor, Brent's algorithm
     *                  detects that cycle.
     *
     * A cycle that would have resolved itself may cost an overdraft, but no send fails unless the limits are reached.
     * If two actors close one cycle at the same time, both may overdraw. Only edges between actors count. An actor that
     * is stopping or being restarted keeps its edge until its outbox is empty.
     *
     * Tests: MailboxCyclesLincheckTest, ActorRingTest; jcstress ParkAgainstPark (MailboxCycles-1).
     */
    /** The maximum number of edges of a path, since the graph may change during the walk. */
    private static final int MOST_HOPS = 1 << 20;

    private MailboxCycles() {}

    /** A node of the wait graph, with at most one edge, which leads to the mailbox that the node waits for. */
    public interface Node {
        /** Returns the waiter of this node, or null. A volatile read. */
        @Nullable
        Waiter edge();

        /** Sets the waiter of this node, which is in the queue of its target. A volatile write. */
        void publish(Waiter edge);
    }

    /**
     * Publishes {@code first} as the edge of {@code self}. Returns the edges of the cycle that this edge closes, or an
     * empty list.
     */
    public static List<Waiter> publish(Node self, Waiter first) {
        // MailboxCycles-1
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
                return List.of(); // the graph has changed since the first look
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
            } else if (hops > 1 && edge.target == marker) { // MailboxCycles-3
                return false; // a cycle without this actor; another actor resolves it (MailboxCycles-2)
            }
        }
        return false;
    }

    private static @Nullable Waiter liveEdge(Mailbox mailbox) {
        Waiter edge = mailbox instanceof Node node ? node.edge() : null;
        return edge != null && isLive(edge) ? edge : null; // MailboxCycles-1
    }

    private static boolean isLive(Waiter edge) {
        return edge.isQueued();
    }
}
