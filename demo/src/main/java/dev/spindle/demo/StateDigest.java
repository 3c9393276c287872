// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** A short name for the states of all aircraft, by which runs on different machines can be compared. */
final class StateDigest {

    private static final int BYTES_SHOWN = 8;

    private StateDigest() {}

    /** The first bytes, in hexadecimal, of the SHA-256 over all states in order. */
    static String of(List<AircraftState> states) {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
        for (AircraftState state : states) {
            digest.update(state.toString().getBytes(StandardCharsets.UTF_8));
        }
        return HexFormat.of().formatHex(digest.digest(), 0, BYTES_SHOWN);
    }
}
