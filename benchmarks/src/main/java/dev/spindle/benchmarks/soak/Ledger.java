// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.soak;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Accounts for all tasks of a round: everything accepted has run once, or was returned, superseded, cancelled or dropped;
 * what was rejected has not run; order and limits were kept. It knows nothing of the executor, so a test can feed it what
 * a broken one would do.
 *
 * <p>Thread-safe; {@link #violations} and {@link #fates} are for when the executor has terminated and all submitters have ended.
 */
final class Ledger {
    private final boolean dropping;
    private final Queue<Entry> entries = new ConcurrentLinkedQueue<>();
    private final Queue<String> seen = new ConcurrentLinkedQueue<>();
    private final Queue<List<? extends Runnable>> returned = new ConcurrentLinkedQueue<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger size = new AtomicInteger();
    private volatile boolean interrupting;

    /** {@code dropping} says whether a bound of the executor drops tasks; else none may be dropped. */
    Ledger(boolean dropping) {
        this.dropping = dropping;
    }

    void add(Entry entry) {
        entries.add(entry);
        open.incrementAndGet();
        size.incrementAndGet();
    }

    /** Notes that a task no longer waits; once for each. */
    void left() {
        open.decrementAndGet();
    }

    /** About how many of the tasks without a handle wait. */
    int estimatedOpen() {
        return open.get();
    }

    int size() {
        return size.get();
    }

    /** Notes something that must not be; for what shows while the round goes on. */
    void violation(String what) {
        seen.add(what);
    }

    /** From now on the executor may interrupt any task. */
    void interrupting() {
        interrupting = true;
    }

    boolean isInterrupting() {
        return interrupting;
    }

    /** Notes what a shutdown or a cancellation returned: the tasks as they were handed in, or their futures. */
    void returned(List<? extends Runnable> tasks) {
        returned.add(tasks);
        for (Runnable task : tasks) {
            if (task instanceof Entry entry) {
                entry.leave();
            }
        }
    }

    /** Notes what the failure handler was told. */
    void handled(Object task, Throwable failure) {
        if (!(task instanceof Entry entry)) {
            seen.add("the failure handler was told of " + task + ", which nobody submitted: " + failure);
        } else if (failure instanceof RejectedExecutionException) {
            entry.dropped();
        } else {
            entry.failed();
            if (!entry.isThrowing()) {
                seen.add(entry + " failed, not on purpose: " + failure);
            }
        }
    }

    /** What was wrong in the round; empty when all is well. Call it once. */
    List<String> violations() {
        settleReturned();
        List<String> found = new ArrayList<>(seen);
        Map<Limit, Boolean> slots = new HashMap<>();
        for (Entry entry : entries) {
            String fault = entry.fault(dropping);
            if (fault != null) {
                found.add(entry + " " + fault);
            }
            Limit slot = entry.slot();
            if (slot != null) {
                slots.merge(slot, !entry.fate().equals("superseded"), Boolean::logicalOr);
            }
        }
        slots.forEach((slot, kept) -> {
            if (!kept) {
                found.add("every coalescing task of " + slot + " was superseded, the last one too");
            }
        });
        return found;
    }

    private void settleReturned() {
        IdentityHashMap<Object, Entry> byFuture = new IdentityHashMap<>();
        if (!returned.isEmpty()) {
            for (Entry entry : entries) {
                Future<?> future = entry.future();
                if (future != null) {
                    byFuture.put(future, entry);
                }
            }
        }
        for (List<? extends Runnable> tasks : returned) {
            Map<Order, Long> latest = new HashMap<>();
            for (Runnable task : tasks) {
                Entry entry = task instanceof Entry e ? e : byFuture.get(task);
                if (entry == null) {
                    seen.add("returned what nobody submitted: " + task);
                } else {
                    entry.returned();
                    checkOrder(entry, latest);
                }
            }
        }
    }

    private void checkOrder(Entry entry, Map<Order, Long> latest) {
        Order order = entry.order();
        if (order != null) {
            Long before = latest.put(order, entry.number());
            if (before != null && before > entry.number()) {
                seen.add(entry + " was returned after number " + before);
            }
        }
    }

    /** How many tasks came to which end. */
    Map<String, Integer> fates() {
        Map<String, Integer> counts = new TreeMap<>();
        entries.forEach(entry -> counts.merge(entry.fate(), 1, Integer::sum));
        return counts;
    }
}
