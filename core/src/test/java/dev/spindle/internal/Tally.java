// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** For model checking: numbers what goes in, notes what comes out, and compares the two. */
public final class Tally {
    private final AtomicInteger last = new AtomicInteger();
    private final ConcurrentLinkedQueue<Object> in = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Object> out = new ConcurrentLinkedQueue<>();

    /** Returns a number that no other thing has. */
    public int next() {
        return last.incrementAndGet();
    }

    public void in(Object thing) {
        in.add(thing);
    }

    /** Notes what came out; null is nothing. Returns whether it was something. */
    public boolean out(@Nullable Object thing) {
        return thing != null && out.add(thing);
    }

    /** Throws unless {@code holds}. */
    public static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }

    /** Throws unless everything that went in has come out, once. */
    public void check() {
        Set<Object> once = new HashSet<>();
        for (Object thing : out) {
            require(once.add(thing), "came out twice: " + thing);
        }
        require(once.equals(new HashSet<>(in)), "in: " + in + ", out: " + out);
    }
}
