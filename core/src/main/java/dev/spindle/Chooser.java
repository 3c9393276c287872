// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

/** Distributes numbers over the members of a group. */
final class Chooser {
    private final int size;
    private final int mask; // -1 if the size is no power of two

    Chooser(int size) {
        this.size = size;
        mask = Integer.bitCount(size) == 1 ? size - 1 : -1;
    }

    /** Returns the member for a number of any sign. Consecutive numbers have consecutive members. */
    int index(long number) {
        return mask >= 0 ? (int) number & mask : Math.floorMod(number, size);
    }

    /** Returns the member for a hash code, of which all bits count. It is the same on every JDK and in every run. */
    int indexOf(int hash) {
        int mixed = hash; // the finalizer of MurmurHash3
        mixed = (mixed ^ (mixed >>> 16)) * 0x85ebca6b;
        mixed = (mixed ^ (mixed >>> 13)) * 0xc2b2ae35;
        return index(mixed ^ (mixed >>> 16));
    }
}
