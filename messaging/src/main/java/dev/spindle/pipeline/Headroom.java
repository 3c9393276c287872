// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

/**
 * Proves that the calling thread has stack left for a step that must not end half-way: a {@link StackOverflowError} in it
 * would leave, say, a claimed slot that nobody commits, and where it is caught there is no more room than where it was thrown.
 */
final class Headroom {
    private static final int LEVELS = 3;

    private Headroom() {}

    /** Throws the {@link StackOverflowError} of a caller that is near the end of its stack, before anything was changed. */
    static void require() {
        int unused = reserve(LEVELS);
    }

    /**
     * Has a frame of 4 KiB when it is interpreted, and when it is compiled it touches the stack as far as that, since it may
     * have to go on interpreted. A loop over a smaller frame would cost what this saves.
     */
    @SuppressWarnings("UnusedVariable") // they take the room
    private static int reserve(int levels) {
        long a00, a01, a02, a03, a04, a05, a06, a07, a08, a09, a10, a11, a12, a13, a14, a15;
        long b00, b01, b02, b03, b04, b05, b06, b07, b08, b09, b10, b11, b12, b13, b14, b15;
        long c00, c01, c02, c03, c04, c05, c06, c07, c08, c09, c10, c11, c12, c13, c14, c15;
        long d00, d01, d02, d03, d04, d05, d06, d07, d08, d09, d10, d11, d12, d13, d14, d15;
        long e00, e01, e02, e03, e04, e05, e06, e07, e08, e09, e10, e11, e12, e13, e14, e15;
        long f00, f01, f02, f03, f04, f05, f06, f07, f08, f09, f10, f11, f12, f13, f14, f15;
        long g00, g01, g02, g03, g04, g05, g06, g07, g08, g09, g10, g11, g12, g13, g14, g15;
        long h00, h01, h02, h03, h04, h05, h06, h07, h08, h09, h10, h11, h12, h13, h14, h15;
        long i00, i01, i02, i03, i04, i05, i06, i07, i08, i09, i10, i11, i12, i13, i14, i15;
        long j00, j01, j02, j03, j04, j05, j06, j07, j08, j09, j10, j11, j12, j13, j14, j15;
        long k00, k01, k02, k03, k04, k05, k06, k07, k08, k09, k10, k11, k12, k13, k14, k15;
        long l00, l01, l02, l03, l04, l05, l06, l07, l08, l09, l10, l11, l12, l13, l14, l15;
        long m00, m01, m02, m03, m04, m05, m06, m07, m08, m09, m10, m11, m12, m13, m14, m15;
        long n00, n01, n02, n03, n04, n05, n06, n07, n08, n09, n10, n11, n12, n13, n14, n15;
        long o00, o01, o02, o03, o04, o05, o06, o07, o08, o09, o10, o11, o12, o13, o14, o15;
        long p00, p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15;
        return levels == 0 ? 0 : reserve(levels - 1) + 1;
    }
}
