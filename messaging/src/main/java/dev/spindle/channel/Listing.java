// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import dev.spindle.internal.WaitSource;
import dev.spindle.internal.WaitSources;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * The spindles that list the waits of a channel, in a chain. A channel belongs to none: it registers with a spindle
 * when the first of its tasks waits there. Neither keeps the other.
 */
final class Listing {
    private final WeakReference<WaitSources> in;
    private final @Nullable Listing next;

    private Listing(WeakReference<WaitSources> in, @Nullable Listing next) {
        this.in = in;
        this.next = next;
    }

    /** Returns {@code all} with {@code sources}, to which this has added {@code channel}; or as it is. */
    static Listing with(WaitSources sources, @Nullable Listing all, WaitSource channel) {
        if (all != null && has(all, sources)) {
            return all;
        }
        Listing more = new Listing(sources.reference(), withoutCleared(all));
        sources.add(channel);
        return more;
    }

    /** Returns whether {@code sources} is in {@code all}. */
    static boolean has(@Nullable Listing all, WaitSources sources) {
        for (Listing one = all; one != null; one = one.next) {
            if (one.in == sources.reference()) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Listing withoutCleared(@Nullable Listing all) {
        Listing left = null;
        for (Listing one = all; one != null; one = one.next) {
            if (!one.in.refersTo(null)) {
                left = new Listing(one.in, left);
            }
        }
        return left;
    }
}
