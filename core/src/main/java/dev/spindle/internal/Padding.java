// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/**
 * Padding in front of the fields of a subclass, which keeps them off the cache lines of what lies before them in
 * memory. What one thread writes all the time then slows down no other that reads or writes its neighbours. 128 bytes,
 * since processors fetch lines in pairs.
 */
@SuppressWarnings("unused")
public abstract class Padding {
    private long p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15, p16;
}
