// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

/** The known state of an aircraft's movement. */
public enum Whereabouts {
    /** No move seen yet. */
    UNSEEN,
    /** On the ground at the airport of its last landing. */
    PARKED,
    /** On a flight whose landing is still to come. */
    AIRBORNE,
    /** Departed on a flight without a landing in the data, diverted or not reported. */
    UNTRACKED
}
