// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A concurrent set with iteration in the order of insertion. The order of a hash set depends on identity hashes, which
 * differ in each run.
 */
public final class OrderedSet<E> {
    private final ConcurrentHashMap<E, Long> numbers = new ConcurrentHashMap<>();
    private final AtomicLong next = new AtomicLong();

    /** Creates an empty set. */
    public OrderedSet() {}

    /** Adds {@code element} unless it is present. */
    public void add(E element) {
        Long unused = numbers.putIfAbsent(element, next.getAndIncrement());
    }

    /** Removes {@code element}. Returns false if the set did not contain {@code element}. */
    public boolean remove(Object element) {
        return numbers.remove(element) != null;
    }

    /** Returns whether the set is empty. */
    public boolean isEmpty() {
        return numbers.isEmpty();
    }

    /** Returns the number of elements. */
    public int size() {
        return numbers.size();
    }

    /** Returns the elements in the order of insertion; elements added or removed during this call may be among them. */
    public List<E> inOrder() {
        List<Map.Entry<E, Long>> entries = new ArrayList<>(numbers.entrySet());
        if (entries.size() > 1) {
            entries.sort(Map.Entry.comparingByValue()); // a lambda, whose linkage would delay the first close
        }
        List<E> elements = new ArrayList<>(entries.size());
        for (Map.Entry<E, Long> entry : entries) {
            elements.add(entry.getKey());
        }
        return elements;
    }
}
