// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.actors;

import dev.spindle.actor.Reply;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What actors get. */
sealed interface Message {
    /** How a note is sent. */
    enum Way {
        /** One after the other, by tells or by a thread that waits for each. */
        ORDERED,
        /** By an offer beside tells, which may wait in an outbox. */
        OFFERED,
        /** By {@code offerLatest}: may be superseded. */
        LATEST,
        /** Not after the one before it. */
        FREE
    }

    /** One to be handled once. */
    final class Note implements Message {
        final int source;
        final Way way;
        final int number;
        final int budget;
        final @Nullable Reply<Integer> reply;
        final boolean mayBeForgotten;
        final AtomicInteger ends = new AtomicInteger();
        private final AtomicInteger answers = new AtomicInteger();

        /**
         * @param source the actor that sends it, or below 0 a thread
         * @param number counts what the source sends to the target
         * @param budget how many others it may cause
         */
        Note(int source, Way way, int number, int budget) {
            this(source, way, number, budget, null, false);
        }

        Note(int source, Way way, int number, int budget, @Nullable Reply<Integer> reply, boolean mayBeForgotten) {
            this.source = source;
            this.way = way;
            this.number = number;
            this.budget = budget;
            this.reply = reply;
            this.mayBeForgotten = mayBeForgotten;
        }

        /** The key of one that may be superseded; 0 of others. */
        int key() {
            return way == Way.LATEST ? number % RandomActors.LATEST_KEYS : 0;
        }

        /** Answers; returns whether that was taken twice. */
        boolean answer() {
            return reply != null && reply.success(number) && answers.incrementAndGet() > 1;
        }

        @Override
        public String toString() {
            return "note " + number + " of " + (source < 0 ? "thread " + -source : "actor " + source) + ", " + way;
        }
    }

    /** A timer's. */
    record Tick(int key, int generation, boolean isPeriodic) implements Message {}

    /** The outcome of an ask or a piped stage has come. */
    record Arrived() implements Message {}

    /** Another actor has ended. */
    record Gone(int index) implements Message {}
}
