// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.models;

/** Members that handle their messages one after the other, each as some model has it: actors, strands, threads. */
interface Crowd extends AutoCloseable {
    /** Makes the next member. */
    Member member(Behaviour behaviour);

    @Override
    void close();

    /** Makes a crowd of so many members on so many threads, where there are not as many threads as members. */
    interface Maker {
        Crowd of(int members, int threads);
    }

    /** One of a crowd, for threads outside of it. */
    interface Member {
        /** Sends a message; waits for room where there is a bound. */
        void send(Object message) throws InterruptedException;
    }

    /** What a member does with a message. */
    interface Behaviour {
        void receive(Object message, Turn turn);
    }

    /** What a member may do while it handles a message. */
    interface Turn {
        /** Sends a message to another member, or to itself. */
        void tell(Member to, Object message);
    }
}
