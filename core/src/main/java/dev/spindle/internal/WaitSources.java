// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/** The wait sources of a pool, held weakly: what nobody refers to any more has nobody waiting. */
public final class WaitSources {
    private final OrderedSet<Reference<? extends WaitSource>> all = new OrderedSet<>();
    private final ReferenceQueue<WaitSource> unused = new ReferenceQueue<>();

    private final WeakReference<WaitSources> reference = new WeakReference<>(this);

    WaitSources() {}

    /** Returns the one weak reference to this that a source, which may be in several, can keep. */
    public WeakReference<WaitSources> reference() {
        return reference;
    }

    /** Adds {@code source} for as long as somebody else refers to it. Takes constant time. */
    public void add(WaitSource source) {
        for (Reference<? extends WaitSource> r = unused.poll(); r != null; r = unused.poll()) {
            boolean unusedResult = all.remove(r);
        }
        all.add(new WeakReference<>(source, unused));
    }

    /** Has all sources add their waits to {@code list}. Takes time in what they have. */
    public void listWaits(WaitList list) {
        for (Reference<? extends WaitSource> held : all.inOrder()) {
            WaitSource source = held.get();
            if (source != null) {
                source.listWaits(list);
            }
        }
    }
}
