// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

/** What is known of the place of an aircraft. */
enum Whereabouts {
    /** Not seen moving yet. */
    UNSEEN,
    /** On the ground, where it landed last. */
    PARKED,
    /** On a flight whose landing is still to come. */
    AIRBORNE,
    /** Left on a flight whose landing the data does not know: diverted or not reported. */
    UNTRACKED
}
