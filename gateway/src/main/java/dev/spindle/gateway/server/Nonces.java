// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import io.netty.util.concurrent.FastThreadLocal;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * A source of unguessable texts, each with 128 bits of a secure random source. The bits of many texts are fetched at
 * once. Each thread has its own instance of this class.
 */
final class Nonces {
    private static final int BYTES = 16;
    /** The number of texts that are fetched at once. Not measured. */
    private static final int AT_ONCE = 64;

    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
    private static final FastThreadLocal<Nonces> OF_THREAD = new FastThreadLocal<>() {
        @Override
        protected Nonces initialValue() {
            return new Nonces();
        }
    };

    private final SecureRandom source = new SecureRandom();
    private final byte[] fetched = new byte[BYTES * AT_ONCE];
    /** The number of fetched bytes that were used. */
    private int used = fetched.length;

    private Nonces() {}

    /** Returns {@code beginning} followed by 32 random hex digits. */
    static byte[] append(byte[] beginning) {
        byte[] all = Arrays.copyOf(beginning, beginning.length + 2 * BYTES);
        OF_THREAD.get().write(all, beginning.length);
        return all;
    }

    private void write(byte[] to, int at) {
        if (used == fetched.length) {
            source.nextBytes(fetched); // H2
            used = 0;
        }
        for (int i = at; i < to.length; i += 2) {
            byte b = fetched[used++];
            to[i] = HEX[b >> 4 & 15];
            to[i + 1] = HEX[b & 15];
        }
    }
}
