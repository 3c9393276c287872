// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.actor.internal.Mailbox;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The watches of an actor over other actors, until their messages are handled. For the owner of the actor. */
final class Watches {
    private final Mailbox owner;
    private @Nullable Map<ActorBase, Watch> byTarget;

    Watches(Mailbox owner) {
        this.owner = owner;
    }

    /** Returns the mailbox of the watching actor. */
    Mailbox owner() {
        return owner;
    }

    void add(Watch watch) {
        if (byTarget == null) {
            byTarget = new HashMap<>();
        }
        watch.more = byTarget.put(watch.target, watch);
        watch.target.endListeners().add(watch);
    }

    /** Removes a watch whose message is being handled. */
    void remove(Watch watch) {
        Map<ActorBase, Watch> all = byTarget;
        if (all == null) {
            return;
        }
        Watch rest = without(all.remove(watch.target), watch);
        if (rest != null) {
            all.put(watch.target, rest);
        }
        forgetIfEmpty();
    }

    private static @Nullable Watch without(@Nullable Watch first, Watch watch) {
        if (first == watch) {
            return watch.more;
        }
        for (Watch w = first; w != null; w = w.more) {
            if (w.more == watch) {
                w.more = watch.more;
                break;
            }
        }
        return first;
    }

    /** Ends all watches over {@code target}, so that none of their messages is handled. */
    void removeAll(ActorBase target) {
        Map<ActorBase, Watch> all = byTarget;
        if (all != null) {
            end(all.remove(target));
            forgetIfEmpty();
        }
    }

    void clear() {
        Map<ActorBase, Watch> all = byTarget;
        byTarget = null;
        if (all != null) {
            all.values().forEach(Watches::end);
        }
    }

    private static void end(@Nullable Watch first) {
        for (Watch w = first; w != null; w = w.more) {
            w.gone = true;
            w.target.endListeners().remove(w); // U3
        }
    }

    private void forgetIfEmpty() {
        if (byTarget != null && byTarget.isEmpty()) {
            byTarget = null; // frees the table of the map
        }
    }
}
