// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/**
 * Padding in front of the fields of a subclass. The padding separates these fields from the preceding object in memory,
 * so that writes to one object do not slow down accesses to the other. The padding has 128 bytes, since some processors
 * fetch cache lines in pairs.
 */
@SuppressWarnings("unused")
public abstract class Padding {
    private long p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15, p16;
}
