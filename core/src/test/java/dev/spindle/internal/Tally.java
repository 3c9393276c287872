// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A count for model checking: numbers the entries that go in, notes those that come out, and compares them. */
public final class Tally {
    private final AtomicInteger last = new AtomicInteger();
    private final ConcurrentLinkedQueue<Object> in = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Object> out = new ConcurrentLinkedQueue<>();

    /** Returns a unique number for an entry that goes in. */
    public int next() {
        return last.incrementAndGet();
    }

    public void in(Object thing) {
        in.add(thing);
    }

    /** Notes an entry that came out; null means none. Returns true unless it is null. */
    public boolean out(@Nullable Object thing) {
        return thing != null && out.add(thing);
    }

    /** Throws unless {@code holds}. */
    public static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }

    /** Throws unless each entry that went in has come out exactly once. */
    public void check() {
        Set<Object> once = new HashSet<>();
        for (Object thing : out) {
            require(once.add(thing), "came out twice: " + thing);
        }
        require(once.equals(new HashSet<>(in)), "in: " + in + ", out: " + out);
    }
}
