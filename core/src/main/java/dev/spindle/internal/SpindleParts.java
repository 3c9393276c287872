// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/**
 * The parts of a pool that reports show. Parts are held weakly, since a part that is no longer referenced has neither
 * work nor waits.
 */
public final class SpindleParts {
    private final OrderedSet<Reference<? extends SpindlePart>> all = new OrderedSet<>();
    private final ReferenceQueue<SpindlePart> unused = new ReferenceQueue<>();

    private final WeakReference<SpindleParts> reference = new WeakReference<>(this);

    SpindleParts() {}

    /** Adds {@code part} to the parts of the pool of {@code spindle}. */
    public static void add(Object spindle, SpindlePart part) {
        Pool.of(spindle).parts().add(part);
    }

    /** Returns the weak reference to this object, for the parts that are added to it. */
    public WeakReference<SpindleParts> reference() {
        return reference;
    }

    /** Adds {@code part} until {@code part} is garbage collected. Takes constant time. */
    public void add(SpindlePart part) {
        for (Reference<? extends SpindlePart> r = unused.poll(); r != null; r = unused.poll()) {
            boolean unusedResult = all.remove(r);
        }
        all.add(new WeakReference<>(part, unused));
    }

    /** Makes all parts add their waits to {@code list}. Takes time in proportion to the number of parts and waits. */
    public void listWaits(WaitList list) {
        for (Reference<? extends SpindlePart> held : all.inOrder()) {
            SpindlePart part = held.get();
            if (part != null) {
                part.listWaits(list);
            }
        }
    }

    /** Makes all parts add their figures to {@code list}. Takes time in proportion to the number of parts. */
    void listFigures(SpindlePart.FigureList list) {
        for (Reference<? extends SpindlePart> held : all.inOrder()) {
            SpindlePart part = held.get();
            if (part != null) {
                part.listFigures(list);
            }
        }
    }
}
