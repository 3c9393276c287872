// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.report;

import dev.spindle.Activity;
import dev.spindle.Unfinished;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * The values of an {@link Unfinished}.
 *
 * @param owner the name of the owner of an item, by the index of the item; may call user code
 */
public record UnfinishedView<T>(List<T> items, IntFunction<String> owner, List<Activity> running)
        implements Unfinished<T> {
    @Override
    public boolean isEmpty() {
        return items.isEmpty() && running.isEmpty();
    }

    @Override
    public Map<String, List<T>> byOwner() {
        Map<String, List<T>> all = new LinkedHashMap<>();
        for (int i = 0; i < items.size(); i++) {
            all.computeIfAbsent(owner.apply(i), name -> new ArrayList<>()).add(items.get(i));
        }
        return Collections.unmodifiableMap(all);
    }

    @Override
    public String toString() {
        if (isEmpty()) {
            return "nothing unfinished";
        }
        StringBuilder line = new StringBuilder(items.size() + " not run");
        byOwner()
                .forEach((name, of) ->
                        line.append("; ").append(of.size()).append(" of ").append(name));
        running.forEach(activity -> line.append("; still running: ").append(activity));
        return line.toString();
    }
}
