// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A concurrent set that is gone through in the order in which its elements were added, and not in that of their hashes:
 * those of objects without a hash of their own differ in each run.
 */
public final class OrderedSet<E> {
    private final ConcurrentHashMap<E, Long> numbers = new ConcurrentHashMap<>();
    private final AtomicLong next = new AtomicLong();

    /** Creates an empty set. */
    public OrderedSet() {}

    /** Adds {@code element} unless it is there. */
    public void add(E element) {
        Long unused = numbers.putIfAbsent(element, next.getAndIncrement());
    }

    /** Removes {@code element}; false if it was not there. */
    public boolean remove(Object element) {
        return numbers.remove(element) != null;
    }

    /** Returns whether the set is empty. */
    public boolean isEmpty() {
        return numbers.isEmpty();
    }

    /** Returns how many elements there are. */
    public int size() {
        return numbers.size();
    }

    /** Returns the elements; those that come or go during this call may be among them. */
    public List<E> inOrder() {
        List<Map.Entry<E, Long>> entries = new ArrayList<>(numbers.entrySet());
        entries.sort(Map.Entry.comparingByValue());
        List<E> elements = new ArrayList<>(entries.size());
        for (Map.Entry<E, Long> entry : entries) {
            elements.add(entry.getKey());
        }
        return elements;
    }
}
