// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import java.util.ArrayDeque;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The records of a key that have left their lane and wait: the one whose attempt has failed, and later ones in order.
 * Confined to the lane of the key, apart from {@link #timer}.
 */
final class Deferred<K, V> {
    /** What the first record waits for. */
    enum State {
        /** A turn of the lane, which has been submitted. */
        READY,
        /** The time of its next attempt. */
        BACKOFF,
        /** A proof that this process is a member of the group. */
        HELD,
        /** A turn of the lane, to be sent as a dead letter. */
        TO_SEND,
        /** The acknowledgement of its dead letter. */
        SENDING,
        /** The time at which its dead letter is sent again. */
        SEND_BACKOFF,
        /** Nothing: no record of the key is handled. */
        PARKED
    }

    final Object lane;
    private final ArrayDeque<Call<K, V>> waiting = new ArrayDeque<>();
    private State state = State.READY;
    private boolean aside;
    long due;
    int sends;

    @Nullable
    Throwable failure; // of the record that is to be sent

    @Nullable
    FailurePolicy policy; // the same

    @Nullable
    BooleanSupplier parkedUntil; // true; not null in the state PARKED

    volatile @Nullable Future<?> timer;

    Deferred(Object lane) {
        this.lane = lane;
    }

    State state() {
        return state;
    }

    void setState(State state) {
        this.state = state;
        boolean waits = state == State.BACKOFF || state == State.HELD || state == State.SEND_BACKOFF;
        if (waits != aside) {
            aside = waits;
            waiting.forEach(call -> call.countAside(waits ? 1 : -1));
        }
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    void addFirst(Call<K, V> call) {
        waiting.addFirst(call);
        call.countAside(aside ? 1 : 0);
    }

    void addLast(Call<K, V> call) {
        waiting.addLast(call);
        call.countAside(aside ? 1 : 0);
    }

    Call<K, V> first() {
        return waiting.getFirst();
    }

    Call<K, V> removeFirst() {
        Call<K, V> call = waiting.removeFirst();
        call.countAside(aside ? -1 : 0);
        return call;
    }

    /** Makes {@code call} supersede all that wait, apart from a record that is to be sent as a dead letter. */
    void supersede(Call<K, V> call) {
        int kept = state == State.TO_SEND || state == State.SEND_BACKOFF ? 1 : 0;
        while (waiting.size() > kept) {
            Call<K, V> newest = waiting.removeLast();
            newest.countAside(aside ? -1 : 0);
            call.supersede(newest);
        }
        addLast(call);
    }

    /** Ends the waiting records that are fenced. Returns true if the first record was one of them. */
    boolean dropFenced() {
        boolean first = !waiting.isEmpty() && waiting.getFirst().isFenced();
        for (int left = waiting.size(); left > 0; left--) {
            Call<K, V> call = waiting.removeFirst();
            Call<K, V> live = call;
            while (live != null && live.isFenced()) {
                live = live.endAlone(Call.Outcome.FENCED);
            }
            if (live != call) {
                call.countAside(aside ? -1 : 0);
            }
            if (live != null) {
                waiting.addLast(live);
                live.countAside(live != call && aside ? 1 : 0);
            }
        }
        return first;
    }

    void cancelTimer() {
        Future<?> set = timer;
        if (set != null) {
            timer = null;
            boolean unused = set.cancel(false);
        }
    }
}
