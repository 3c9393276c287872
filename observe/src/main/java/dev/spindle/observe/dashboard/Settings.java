// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The checked settings of a dashboard.
 *
 * @param token the token that each request needs, or null if none is needed
 * @param tickMillis the time between two frames
 * @param duty the factor by which the pause after a reading is longer than the processor time of the reading
 * @param stalledMillis the time after which a viewer that takes no frame, or a request that does not end, is ended
 */
record Settings(
        InetAddress address,
        int port,
        @Nullable String token,
        boolean hideKeys,
        long tickMillis,
        int duty,
        long stalledMillis) {
    /** The minimum length of a token: 128 bits as hexadecimal digits. Not measured. */
    static final int SHORTEST_TOKEN = 32;

    /** The time between two frames: four a second, as fast as numbers can be read. Not measured. */
    static final long TICK_MILLIS = 250;

    /** The pause after a reading, in processor times of the reading: half a percent of a processor. Not measured. */
    static final int DUTY = 200;

    /** The time after which a stalled viewer or request is ended. Not measured. */
    static final long STALLED_MILLIS = TimeUnit.SECONDS.toMillis(30);

    /** Checks the settings. */
    Settings {
        if (port < 0 || port > 0xffff) {
            throw new IllegalArgumentException("port must be from 0 to 65535, is " + port);
        }
        if (token != null && token.length() < SHORTEST_TOKEN) {
            throw new IllegalArgumentException(
                    "token must have at least " + SHORTEST_TOKEN + " characters, has " + token.length());
        }
        if (token != null && !token.chars().allMatch(Settings::isOfToken)) {
            throw new IllegalArgumentException("token must consist of letters, digits and - . _ ~ + / =");
        }
        if (token == null && !address.isLoopbackAddress()) {
            throw new IllegalArgumentException("token must be set, with at least " + SHORTEST_TOKEN
                    + " characters, since address is not a loopback address, is " + address.getHostAddress());
        }
    }

    private static boolean isOfToken(int c) {
        return c < 0x80 && (Character.isLetterOrDigit(c) || "-._~+/=".indexOf(c) >= 0);
    }
}
