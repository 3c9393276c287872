// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.until;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A handler that collects the reports of stuck and late work. */
final class Reports implements Consumer<Activity> {
    private final List<Activity> all = new CopyOnWriteArrayList<>();

    @Override
    public void accept(Activity activity) {
        all.add(activity);
    }

    /** Returns the reports of {@code owner} so far. */
    List<Activity> of(String owner) {
        return all.stream().filter(activity -> isOf(activity, owner)).toList();
    }

    private static boolean isOf(Activity activity, String owner) {
        try {
            return activity.owner().equals(owner);
        } catch (IllegalStateException e) {
            return false; // a key whose toString throws
        }
    }

    /** Waits for a report of {@code owner}, and returns the first. */
    Activity await(String owner) {
        return await(owner, activity -> true);
    }

    /**
     * Waits for a report of {@code owner} as stuck. If the machine gives the clock thread no time, a report as late may
     * precede it.
     */
    Activity awaitStuck(String owner) {
        return await(owner, activity -> !activity.isLate());
    }

    /** Waits for a report of {@code owner} that {@code wanted} accepts, and returns the first. */
    Activity await(String owner, Predicate<Activity> wanted) {
        until(() -> of(owner).stream().anyMatch(wanted));
        return of(owner).stream().filter(wanted).findFirst().orElseThrow();
    }
}
