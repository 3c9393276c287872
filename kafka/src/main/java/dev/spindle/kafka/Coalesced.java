// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The records of a key that wait for one turn, of which only the newest is handled. */
final class Coalesced<K, V> implements Runnable {
    private final Calls<K, V> calls;
    private final Object lane;
    private final AtomicReference<@Nullable Call<K, V>> newest; // null when the turn has begun

    Coalesced(Calls<K, V> calls, Call<K, V> first) {
        this.calls = calls;
        lane = first.lane();
        newest = new AtomicReference<>(first);
    }

    Object lane() {
        return lane;
    }

    /** Makes {@code call} the newest record; returns false if the turn has begun. Called by one thread. */
    boolean add(Call<K, V> call) {
        Call<K, V> before = newest.get();
        if (before == null) {
            return false;
        }
        call.supersede(before);
        if (newest.compareAndSet(before, call)) {
            return true;
        }
        call.release();
        return false;
    }

    @Override
    public void run() {
        turn(null);
    }

    void turn(@Nullable CompletableFuture<@Nullable Void> end) {
        Call<K, V> call = newest.getAndSet(null);
        calls.close(this);
        if (call == null) {
            throw new IllegalStateException("a turn of " + lane + " has begun twice");
        }
        calls.turn(call, end);
    }
}
