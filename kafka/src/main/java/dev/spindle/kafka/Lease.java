// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

/**
 * The time until which this process is certainly a member of its group.
 *
 * <p>A group takes the partitions of a silent member when its session times out, not earlier. A commit that succeeds
 * proves that the group knew the member after the commit was sent, so three quarters of the session timeout later, at
 * the latest, a doubt begins: heartbeats may have stopped shortly before the commit. In doubt no call begins. A process
 * that was frozen, or cut off from the broker, finds itself in doubt as soon as it has read the clock.
 */
final class Lease {
    private final long nanos;
    private volatile long until;
    private long proven; // written and read by the poll loop alone

    Lease(long sessionNanos, long now) {
        nanos = sessionNanos / 4 * 3;
        proven = now;
        until = now + nanos;
    }

    /** Notes that the group knew this member at the time {@code sent} or later. */
    void renew(long sent) {
        if (sent - proven > 0) {
            proven = sent;
            until = sent + nanos;
        }
    }

    /** Returns true if the membership is certain at {@code now}. */
    boolean isValid(long now) {
        return until - now > 0;
    }

    /** Returns true if the lease should be renewed, though it is valid still. */
    boolean isOld(long now) {
        return now - proven > nanos / 3;
    }
}
