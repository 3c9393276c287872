// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/**
 * Padding in front of the fields of a subclass, which keeps those fields off the cache lines of preceding objects in
 * memory. So frequent writes of one thread do not slow down accesses to neighbouring objects. The padding has 128
 * bytes, since processors fetch cache lines in pairs.
 */
@SuppressWarnings("unused")
public abstract class Padding {
    private long p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15, p16;
}
