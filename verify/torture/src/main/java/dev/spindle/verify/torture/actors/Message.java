// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.actors;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The messages of the actors. */
sealed interface Message {
    /** The ways to send a note. */
    enum Way {
        /** The note is sent by {@code tell}, or by a thread that waits for each send. The order is kept. */
        ORDERED,
        /** The note is sent by {@code offer}, and may overtake tells that wait in an outbox. */
        OFFERED,
        /** The note is sent by {@code offer}, and a later note with the same key may supersede it. */
        LATEST,
        /** The note has no order relative to other notes. */
        FREE
    }

    /** A message that is never handled twice, and that is handled, dropped or superseded if it was accepted. */
    final class Note implements Message {
        final int source;
        final Way way;
        final int number;
        final int budget;
        final @Nullable CompletableFuture<Integer> reply;
        final boolean mayBeForgotten;
        final AtomicInteger ends = new AtomicInteger();
        private final AtomicInteger answers = new AtomicInteger();

        /**
         * @param source the index of the sending actor, or a negative number for a thread
         * @param number the number of the note in the sequence from its source to its target
         * @param budget the number of other notes that the note may cause
         */
        Note(int source, Way way, int number, int budget) {
            this(source, way, number, budget, null, false);
        }

        Note(
                int source,
                Way way,
                int number,
                int budget,
                @Nullable CompletableFuture<Integer> reply,
                boolean mayBeForgotten) {
            this.source = source;
            this.way = way;
            this.number = number;
            this.budget = budget;
            this.reply = reply;
            this.mayBeForgotten = mayBeForgotten;
        }

        /** Returns the key of a note that may be superseded, or 0 for other notes. */
        int key() {
            return way == Way.LATEST ? number % RandomActors.LATEST_KEYS : 0;
        }

        /** Replies to the note; returns true if a second reply was accepted. */
        boolean answer() {
            return reply != null && reply.complete(number) && answers.incrementAndGet() > 1;
        }

        @Override
        public String toString() {
            return "note " + number + " of " + (source < 0 ? "thread " + -source : "actor " + source) + ", " + way;
        }
    }

    /** The message of a timer. */
    record Tick(int key, int generation, boolean isPeriodic) implements Message {}

    /** The result of an ask or of a piped stage. */
    record Arrived() implements Message {}

    /** The message to an actor about the end of a watched actor. */
    record Gone(int index) implements Message {}
}
