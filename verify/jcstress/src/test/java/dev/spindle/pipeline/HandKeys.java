// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Pending keys without a strand: it counts the runs that were started, and the actors execute them. */
final class HandKeys {
    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    final PendingKeys<String, Integer> keys;
    final WaitingSends<String, Integer> sends;

    /** @param maxKeys how many keys may be pending; {@code remembered} how many are kept after that */
    HandKeys(int maxKeys, int remembered) {
        keys = new PendingKeys<>(
                maxKeys, remembered, null, started::incrementAndGet, this::admit, ended::incrementAndGet);
        sends = new WaitingSends<>(keys, RejectedExecutionException::new, new HostExecutor(null));
    }

    private void admit() {
        sends.admit();
    }

    boolean offer(String key, int value) {
        return keys.offer(key, value, false) == PendingKeys.Outcome.ACCEPTED;
    }

    boolean isStarted() {
        return started.get() > 0 && started.decrementAndGet() >= 0;
    }

    /** Takes the next key as a run does; null if none is pending. */
    @Nullable
    String take() {
        KeySlot<String, Integer> slot = keys.next();
        if (slot == null) {
            return null;
        }
        KeyUpdate<Integer> update = slot.take();
        keys.remember(slot);
        return update == null ? "nothing" : slot.key() + update.value();
    }

    /** Executes a run if one was started; returns the updates that it took, in order, or a dash. */
    String run() {
        return orDash(takeAll());
    }

    private StringBuilder takeAll() {
        StringBuilder taken = new StringBuilder();
        if (isStarted()) {
            do {
                for (String next = take(); next != null; next = take()) {
                    taken.append(next);
                }
            } while (!keys.finish());
            if (keys.isAwaited()) {
                sends.admit();
            }
        }
        return taken;
    }

    /** Executes all runs that were started, one after the other. */
    String runs() {
        StringBuilder taken = new StringBuilder();
        while (started.get() > 0) {
            taken.append(takeAll());
        }
        return orDash(taken);
    }

    private static String orDash(StringBuilder taken) {
        return taken.isEmpty() ? "-" : taken.toString();
    }

    void close() {
        keys.close();
        sends.admit();
        if (keys.claim() && !keys.finish()) {
            started.incrementAndGet();
        }
    }

    int ends() {
        return ended.get();
    }
}
