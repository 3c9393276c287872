// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/** The wait sources of a pool. Sources are held weakly, since a source that is no longer referenced has no waits. */
public final class WaitSources {
    private final OrderedSet<Reference<? extends WaitSource>> all = new OrderedSet<>();
    private final ReferenceQueue<WaitSource> unused = new ReferenceQueue<>();

    private final WeakReference<WaitSources> reference = new WeakReference<>(this);

    WaitSources() {}

    /** Returns the weak reference to this object, for the sources that are added to it. */
    public WeakReference<WaitSources> reference() {
        return reference;
    }

    /** Adds {@code source} until {@code source} is garbage collected. Takes constant time. */
    public void add(WaitSource source) {
        for (Reference<? extends WaitSource> r = unused.poll(); r != null; r = unused.poll()) {
            boolean unusedResult = all.remove(r);
        }
        all.add(new WeakReference<>(source, unused));
    }

    /**
     * Makes all sources add their waits to {@code list}. Takes time in proportion to the number of sources and waits.
     */
    public void listWaits(WaitList list) {
        for (Reference<? extends WaitSource> held : all.inOrder()) {
            WaitSource source = held.get();
            if (source != null) {
                source.listWaits(list);
            }
        }
    }
}
