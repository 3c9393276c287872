// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

/** Members that handle their messages one after the other: actors, strands, threads. */
interface Crowd extends AutoCloseable {
    /** Creates the next member. */
    Member member(Behaviour behaviour);

    @Override
    void close();

    /** Creates a crowd of a number of members on a number of threads, unless each member has its own thread. */
    interface Maker {
        Crowd of(int members, int threads);
    }

    interface Member {
        /** Sends a message from a thread outside the crowd; waits for room if a mailbox is bounded. */
        void send(Object message) throws InterruptedException;
    }

    /** The reaction of a member to a message. */
    interface Behaviour {
        void receive(Object message, Turn turn);
    }

    interface Turn {
        /** Sends a message to another member, or to the same one, while a message is handled. */
        void tell(Member to, Object message);
    }
}
