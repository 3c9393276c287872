// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.report.UnfinishedView;
import java.util.List;
import java.util.Map;

/**
 * A report of what an end that was bounded or forced has left: the items that were accepted and have not run, and the
 * tasks that still ran when the report was made. Its {@code toString} is a line for a log.
 *
 * <p>Only this library implements the interface, so a later version may add methods.
 *
 * @param <T> the type of the items: tasks as they were submitted, messages, values or events
 */
public sealed interface Unfinished<T> permits UnfinishedView {
    /** Returns true if every accepted item has run, and nothing still ran. */
    boolean isEmpty();

    /** Returns the items that have not run, and will not. The items of one lane are in order. */
    List<T> items();

    /**
     * Returns the same items by the name of their owner, as in {@link Activity#owner}: {@code "key orders/4711"},
     * {@code "strand journal"}, {@code "executor reads"}, or {@code "spindle main"} for plain tasks. Calls
     * {@code toString} of keys.
     */
    Map<String, List<T>> byOwner();

    /**
     * Returns what still ran, and had not reacted to its interrupt, when the report was made. {@link Activity#stack}
     * reads the stack at the time of its call.
     */
    List<Activity> running();
}
