// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

/** The movement of an aircraft, as far as the data shows it. */
public enum Whereabouts {
    /** The aircraft has not moved yet. */
    UNSEEN,
    /** The aircraft is at the airport of its last landing. */
    PARKED,
    /** The aircraft is on a flight with a known landing. */
    AIRBORNE,
    /** The aircraft has departed on a flight without a known landing. */
    UNTRACKED
}
