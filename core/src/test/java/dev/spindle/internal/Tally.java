// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** For model checking: numbers what goes in, notes what comes out, and compares the two. */
final class Tally {
    private final AtomicInteger last = new AtomicInteger();
    private final ConcurrentLinkedQueue<Object> in = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Object> out = new ConcurrentLinkedQueue<>();

    /** Returns a number that no other thing has. */
    int next() {
        return last.incrementAndGet();
    }

    void in(Object thing) {
        in.add(thing);
    }

    /** Notes what came out; null is nothing. Returns whether it was something. */
    boolean out(@Nullable Object thing) {
        return thing != null && out.add(thing);
    }

    /** Throws unless everything that went in has come out, once. */
    void check() {
        Set<Object> once = new HashSet<>();
        for (Object thing : out) {
            LaneHarness.check(once.add(thing), "came out twice: " + thing);
        }
        LaneHarness.check(once.equals(new HashSet<>(in)), "in: " + in + ", out: " + out);
    }
}
