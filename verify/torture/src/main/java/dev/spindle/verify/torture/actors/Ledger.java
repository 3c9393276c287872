// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.actors;

import dev.spindle.verify.torture.actors.Message.Note;
import dev.spindle.verify.torture.actors.Message.Way;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Checks the end of each note. An accepted note is handled or dropped once, or superseded; a refused note is never
 * handled.
 */
final class Ledger {
    private final Queue<Note> accepted = new ConcurrentLinkedQueue<>();
    private final Queue<Note> refused = new ConcurrentLinkedQueue<>();
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger dropped = new AtomicInteger();

    void error(String text) {
        errors.add(text);
    }

    List<String> errors() {
        return List.copyOf(errors);
    }

    /** Counts a note in progress, or a call of an actor. */
    void begun() {
        underWay.incrementAndGet();
    }

    void over() {
        underWay.decrementAndGet();
    }

    int underWay() {
        return underWay.get();
    }

    /** Records that a mailbox or an outbox accepted {@code note}. The caller has called {@link #begun}. */
    void accepted(Note note) {
        accepted.add(note);
        if (note.way == Way.LATEST) {
            over(); // if the note is superseded, nothing reports its end
        }
    }

    void refused(Note note) {
        refused.add(note);
        over();
    }

    /** Records that a note was handled or dropped. */
    void ended(Note note) {
        if (note.ends.incrementAndGet() > 1) {
            error(note + " came twice");
        }
    }

    void dropped(Note note) {
        dropped.incrementAndGet();
        ended(note);
        over(note);
    }

    /** Records that a message other than a note was dropped. */
    void droppedNews() {
        dropped.incrementAndGet();
    }

    /** Undoes {@link #begun}. The method has no effect on a note with a reply and on a note that may be superseded. */
    void over(Note note) {
        if (note.reply == null && note.way != Way.LATEST) {
            over();
        }
    }

    int count() {
        return accepted.size();
    }

    /** Returns the errors, after all actors have stopped. */
    List<String> errors(long superseded, long drops) {
        long missing = 0;
        for (Note note : accepted) {
            if (note.ends.get() == 0 && note.way == Way.LATEST) {
                missing++;
            } else if (note.ends.get() == 0) {
                error(note + " was accepted, and neither handled nor dropped");
            }
        }
        if (missing != superseded) {
            error(missing + " of the latest did not come, but " + superseded + " were superseded");
        }
        if (drops != dropped.get()) {
            error(drops + " were dropped, of which the handler was told " + dropped);
        }
        refused.stream().filter(note -> note.ends.get() > 0).forEach(note -> error(note + " was refused, and came"));
        return errors();
    }
}
