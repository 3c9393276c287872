// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import dev.spindle.internal.SpindlePart;
import dev.spindle.internal.SpindleParts;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * A linked list of the spindles that list the waits of a channel. A channel belongs to no spindle; it registers with a
 * spindle when a task of that spindle first waits at the channel. Channel and spindle refer to each other weakly.
 */
final class RegisteredSpindles {
    private final WeakReference<SpindleParts> in;
    private final @Nullable RegisteredSpindles next;

    private RegisteredSpindles(WeakReference<SpindleParts> in, @Nullable RegisteredSpindles next) {
        this.in = in;
        this.next = next;
    }

    /**
     * Registers {@code channel} with {@code sources}, unless {@code all} contains {@code sources}. Returns a list that
     * contains {@code all} and {@code sources}.
     */
    static RegisteredSpindles with(SpindleParts sources, @Nullable RegisteredSpindles all, SpindlePart channel) {
        if (all != null && has(all, sources)) {
            return all;
        }
        RegisteredSpindles more = new RegisteredSpindles(sources.reference(), withoutCleared(all));
        sources.add(channel);
        return more;
    }

    /** Returns whether {@code all} contains {@code sources}. */
    static boolean has(@Nullable RegisteredSpindles all, SpindleParts sources) {
        for (RegisteredSpindles one = all; one != null; one = one.next) {
            if (one.in == sources.reference()) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable RegisteredSpindles withoutCleared(@Nullable RegisteredSpindles all) {
        RegisteredSpindles left = null;
        for (RegisteredSpindles one = all; one != null; one = one.next) {
            if (!one.in.refersTo(null)) {
                left = new RegisteredSpindles(one.in, left);
            }
        }
        return left;
    }
}
