// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import dev.spindle.internal.HandedContext;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A record on its way through the lanes: the task of its lane, and what the handler gets. Confined to its lane from the
 * submit to {@link #returned}.
 */
abstract class Call<K, V> implements KeyedRecord<K, V>, Runnable {
    /** The ends of a call. */
    enum Outcome {
        /** The handler has handled the record. */
        DONE,
        /** The handler has handled a newer record of the key. */
        SUPERSEDED,
        /** The policy has skipped the record. */
        SKIPPED,
        /** The topic of dead letters has acknowledged the record. */
        DEAD_LETTER,
        /** The key is parked; the record is not done. */
        PARKED,
        /** The partition was revoked or lost, or the spindle was shut down; the record is not done. */
        FENCED
    }

    final Calls<K, V> calls;
    private @Nullable Object lane; // null for a lane of its own
    private final @Nullable K key;
    private final @Nullable V value;
    private int attempt;
    private int superseded;
    private @Nullable Call<K, V> older; // superseded by this record
    private @Nullable HandedContext context; // of the submit; null if the spindle has no task decorator

    Call(Calls<K, V> calls, @Nullable K key, @Nullable V value) {
        this.calls = calls;
        this.key = key;
        this.value = value;
    }

    /** Sets the key of the lane; called before the submit. */
    final void setLane(@Nullable Object lane) {
        this.lane = lane;
    }

    /** Sets the context of all attempts; called before the submit. */
    final void setContext(@Nullable HandedContext context) {
        this.context = context;
    }

    /**
     * Runs {@code code} in the context of the submit: not in that of the turn, which may be the turn of an older record
     * of the key.
     */
    final <X extends Throwable> void inContext(HandedContext.Code<X> code) throws X {
        HandedContext.runIn(context, code);
    }

    /** Returns the key of the lane. */
    final Object lane() {
        return lane == null ? this : lane;
    }

    final boolean hasKey() {
        return lane != null;
    }

    /** Returns true if the source of the record has been revoked or lost. */
    final boolean isFenced() {
        return fence().getAsBoolean();
    }

    /** Returns what becomes true when the source of the record is revoked or lost. */
    abstract BooleanSupplier fence();

    /** Returns false while no call may begin, because the membership in the group is in doubt. */
    abstract boolean mayBegin();

    /** Adds to the number of records that wait for a time or an event, and not for a thread. */
    abstract void countAside(int records);

    /** Returns the record to its source. Called once, by any thread. */
    abstract void returned(Outcome outcome);

    /** Ends the call, and those that it supersedes. */
    final void end(Outcome outcome) {
        Outcome ofOlder = outcome == Outcome.DONE || outcome == Outcome.SKIPPED || outcome == Outcome.DEAD_LETTER
                ? Outcome.SUPERSEDED
                : outcome;
        Call<K, V> next = older;
        older = null;
        returned(outcome);
        while (next != null) {
            Call<K, V> record = next;
            next = record.older;
            record.older = null;
            record.returned(ofOlder);
        }
    }

    /** Ends this call without those that it supersedes, and returns the newest of these, or null. */
    final @Nullable Call<K, V> endAlone(Outcome outcome) {
        Call<K, V> next = older;
        older = null;
        if (next != null) {
            next.superseded = superseded - 1;
        }
        returned(outcome);
        return next;
    }

    /** Supersedes {@code record}, and what it supersedes. */
    final void supersede(Call<K, V> record) {
        superseded += 1 + record.superseded;
        Call<K, V> mine = older;
        older = record;
        if (mine != null) {
            Call<K, V> oldest = record;
            while (oldest.older != null) {
                oldest = oldest.older;
            }
            oldest.older = mine;
        }
    }

    /** Supersedes no record. */
    final void release() {
        superseded = 0;
        older = null;
    }

    final void beginAttempt() {
        attempt++;
    }

    /** Runs on the lane. */
    @Override
    public final void run() {
        calls.turn(this, null);
    }

    @Override
    public final @Nullable K key() {
        return key;
    }

    @Override
    public final @Nullable V value() {
        return value;
    }

    @Override
    public final int attempt() {
        return attempt;
    }

    @Override
    public final int superseded() {
        return superseded;
    }

    @Override
    public abstract List<Header> headers();

    /** Returns the place of the record. */
    @Override
    public final String toString() {
        return topic() + "-" + partition() + "@" + offset();
    }
}
