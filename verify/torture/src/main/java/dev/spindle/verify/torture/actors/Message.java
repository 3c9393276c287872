// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.actors;

import dev.spindle.actor.Reply;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The messages of the actors. */
sealed interface Message {
    /** The ways to send a note. */
    enum Way {
        /** In sequence, by tells or by a thread that waits for each. */
        ORDERED,
        /** By an offer, while tells may wait in an outbox. */
        OFFERED,
        /** By {@code offerLatest}, after which the note may be superseded. */
        LATEST,
        /** Not in sequence with the note before it. */
        FREE
    }

    /** A message that must be handled once. */
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
         * @param number the number of this note among those of the source to the target
         * @param budget the number of other notes that it may cause
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

        /** Returns the key of a note that may be superseded; 0 for others. */
        int key() {
            return way == Way.LATEST ? number % RandomActors.LATEST_KEYS : 0;
        }

        /** Answers; returns true if a second answer was taken. */
        boolean answer() {
            return reply != null && reply.success(number) && answers.incrementAndGet() > 1;
        }

        @Override
        public String toString() {
            return "note " + number + " of " + (source < 0 ? "thread " + -source : "actor " + source) + ", " + way;
        }
    }

    /** The message of a timer. */
    record Tick(int key, int generation, boolean isPeriodic) implements Message {}

    /** The outcome of an ask or of a piped stage. */
    record Arrived() implements Message {}

    /** The end of another actor. */
    record Gone(int index) implements Message {}
}
